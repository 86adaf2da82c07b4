// Guards whatever can be guessed: one try at a time per key, so that guesses made at once cannot outrun the count, and
// honest people who come together wait in line. Knows keys, not accounts: one that does not exist locks like any other.
import { type AttemptRule, FORGIVE_MS, lockMs } from "./rules.ts";
import type { AttemptStore } from "./store.ts";

export interface Locked {
  readonly retryAfterSeconds: number;
}

/** What became of a try. `isRight` is absent when it was not judged; `locked` says how long the next one must wait. */
export interface Verdict {
  readonly isRight?: boolean;
  readonly locked?: Locked;
}

export interface AttemptService {
  /** Tries of all keys that stand in line behind another of their key. */
  readonly waiting: number;
  /** Judges one try, unless the key is locked. A judge that answers nothing counts for nothing. */
  judge(key: string, rule: AttemptRule, timeMs: number, isRight: () => Promise<boolean | undefined>): Promise<Verdict>;
  /** How long to wait when the key is locked. For keys many honest people share: they do not wait for each other. */
  peek(key: string, timeMs: number): Promise<Locked | undefined>;
  /** Counts a try that was wrong; the last allowed one locks. */
  blame(key: string, rule: AttemptRule, timeMs: number): Promise<Locked | undefined>;
}

const FORGET_EVERY = 1024;
/** About as many as are judged before their callers give up. */
const LINE_MAX = 400;
const LINE_FULL: Locked = { retryAfterSeconds: 5 };

export function attemptService(store: AttemptStore): AttemptService {
  const line = createLine();
  let judged = 0;
  const wait = (untilMs: number, timeMs: number): Locked => ({
    retryAfterSeconds: Math.max(1, Math.ceil((untilMs - timeMs) / 1000)),
  });

  const peek: AttemptService["peek"] = async (key, timeMs) => {
    const untilMs = await store.readLock(key);
    return untilMs > timeMs ? wait(untilMs, timeMs) : undefined;
  };

  const blame: AttemptService["blame"] = async (key, rule, timeMs) => {
    const row = await store.count(key, timeMs, FORGIVE_MS);
    if (row.locked_until_ms > timeMs) return wait(row.locked_until_ms, timeMs);
    if (row.failures < rule.triesMax) return undefined;
    const untilMs = timeMs + lockMs(rule, row.locks);
    await store.lock(key, row.locks, untilMs);
    return wait(untilMs, timeMs);
  };

  return {
    get waiting() {
      return line.waiting;
    },
    peek,
    blame,
    async judge(key, rule, timeMs, isRight) {
      judged += 1;
      if (judged % FORGET_EVERY === 0) await store.forget(timeMs - FORGIVE_MS);
      if (!(await line.enter(key))) return { locked: LINE_FULL };
      try {
        const before = await peek(key, timeMs);
        if (before !== undefined) return { locked: before };
        const verdict = await isRight();
        if (verdict === undefined) return {};
        if (verdict) {
          await store.clear(key);
          return { isRight: true };
        }
        const locked = await blame(key, rule, timeMs);
        return { isRight: false, ...(locked === undefined ? {} : { locked }) };
      } finally {
        line.leave(key);
      }
    },
  };
}

/** One at a time per key, the others in order; false when the line is full. */
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
