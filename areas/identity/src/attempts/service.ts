// Guards everything that can be guessed: one try at a time per key, so that concurrent guesses cannot outrun the count,
// and concurrent honest callers queue. Works on keys, not accounts: one that does not exist locks like any other.
import type { RetryAfter } from "./rules.ts";
import { type AttemptRule, FORGIVE_MS, lockMs } from "./rules.ts";
import type { AttemptStore } from "./store.ts";

/** The result of a try. `isRight` is absent when it was not judged; `locked` gives the time until the next one. */
export interface Verdict {
  readonly isRight?: boolean;
  readonly locked?: RetryAfter;
}

const PRUNE_EVERY = 1024;
/** About as many as are judged before their callers time out. */
const LINE_MAX = 400;
const LINE_FULL: RetryAfter = { retryAfterSeconds: 5 };

export class AttemptService {
  readonly #store: AttemptStore;
  readonly #line = createLine();
  #judged = 0;

  constructor(store: AttemptStore) {
    this.#store = store;
  }

  /** Tries of all keys that queue behind another of their key. */
  get waiting(): number {
    return this.#line.waiting;
  }

  /**
   * The remaining time when the key is locked. For keys shared by many honest users: they do not queue for each other.
   */
  async peek(key: string, timeMs: number): Promise<RetryAfter | undefined> {
    const untilMs = await this.#store.readLock(key);
    return untilMs > timeMs ? this.#wait(untilMs, timeMs) : undefined;
  }

  /** Counts a try that was wrong; the last allowed one locks. */
  async blame(key: string, rule: AttemptRule, timeMs: number): Promise<RetryAfter | undefined> {
    const row = await this.#store.count(key, timeMs, FORGIVE_MS);
    if (row.locked_until_ms > timeMs) return this.#wait(row.locked_until_ms, timeMs);
    if (row.failures < rule.triesMax) return undefined;
    const untilMs = timeMs + lockMs(rule, row.locks);
    await this.#store.lock(key, row.locks, untilMs);
    return this.#wait(untilMs, timeMs);
  }

  /** Counts a use with a limit; the first one beyond it locks. */
  async spend(key: string, rule: AttemptRule, timeMs: number): Promise<RetryAfter | undefined> {
    const row = await this.#store.count(key, timeMs, FORGIVE_MS);
    if (row.locked_until_ms > timeMs) return this.#wait(row.locked_until_ms, timeMs);
    if (row.failures <= rule.triesMax) return undefined;
    const untilMs = timeMs + lockMs(rule, row.locks);
    await this.#store.lock(key, row.locks, untilMs);
    return this.#wait(untilMs, timeMs);
  }

  /** Judges one try, unless the key is locked. An undecided result does not count. */
  async judge(
    key: string,
    rule: AttemptRule,
    timeMs: number,
    isRight: () => Promise<boolean | undefined>,
  ): Promise<Verdict> {
    this.#judged += 1;
    if (this.#judged % PRUNE_EVERY === 0) await this.#store.remove(timeMs - FORGIVE_MS);
    if (!(await this.#line.enter(key))) return { locked: LINE_FULL };
    try {
      const before = await this.peek(key, timeMs);
      if (before !== undefined) return { locked: before };
      const verdict = await isRight();
      if (verdict === undefined) return {};
      if (verdict) {
        await this.#store.clear(key);
        return { isRight: true };
      }
      const locked = await this.blame(key, rule, timeMs);
      return { isRight: false, ...(locked === undefined ? {} : { locked }) };
    } finally {
      this.#line.leave(key);
    }
  }

  /** Judges one try under each of these keys: it is refused while any is locked, and counts for all. */
  async judgeAll(
    [first, ...rest]: readonly { readonly key: string; readonly rule: AttemptRule }[],
    timeMs: number,
    isRight: () => Promise<boolean | undefined>,
  ): Promise<Verdict> {
    if (first === undefined) return { isRight: (await isRight()) === true };
    let inner: Verdict = {};
    const outer = await this.judge(first.key, first.rule, timeMs, async () => {
      if (rest.length === 0) return isRight();
      inner = await this.judgeAll(rest, timeMs, isRight);
      return inner.isRight;
    });
    return { ...inner, ...outer };
  }

  #wait(untilMs: number, timeMs: number): RetryAfter {
    return {
      retryAfterSeconds: Math.max(1, Math.ceil((untilMs - timeMs) / 1000)),
    };
  }
}

/** One at a time per key, the others in order; false when the queue is full. */
function createLine(): { readonly waiting: number; enter(key: string): Promise<boolean>; leave(key: string): void } {
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  return {
    get waiting() {
      return count;
    },
    async enter(key) {
      const others = waiting.get(key);
      if (others === undefined) {
        waiting.set(key, []);
        return true;
      }
      if (others.length >= LINE_MAX) return false;
      count += 1;
      await new Promise<void>((resolve) => others.push(resolve));
      count -= 1;
      return true;
    },
    leave(key) {
      const next = waiting.get(key)?.shift();
      if (next === undefined) waiting.delete(key);
      else next();
    },
  };
}
