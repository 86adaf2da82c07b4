// Timers for a time of the clock rather than a duration: when the clock jumps, they fire when their time has come and
// not before. Never keeps the process alive.
import { inBackground, later } from "@clockwork/host/time/background";

/** No timer of the machine sleeps longer: a clock that runs slower or faster is read again in between. */
const POLL_MS = 60_000;

interface Waiting {
  dueMs: number;
  readonly everyMs: number | undefined;
  readonly run: () => unknown;
  timer: NodeJS.Timeout | undefined;
}

export class Timers {
  readonly #now: () => number;
  readonly #waiting = new Set<Waiting>();

  constructor(now: () => number) {
    this.#now = now;
  }

  at(timeMs: number, run: () => void): () => void {
    return this.#wait({ dueMs: timeMs, everyMs: undefined, run, timer: undefined });
  }

  every(everyMs: number, run: () => void): () => void {
    return this.#wait({ dueMs: this.#now() + everyMs, everyMs, run, timer: undefined });
  }

  /** After the clock leapt. */
  pollAgain(): void {
    for (const waiting of this.#waiting) this.#arm(waiting);
  }

  close(): void {
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }

  #wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    this.#arm(waiting);
    return () => {
      clearTimeout(waiting.timer);
      this.#waiting.delete(waiting);
    };
  }

  #arm(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    const leftMs = waiting.dueMs - this.#now();
    waiting.timer = later("clock.timer", () => this.#fire(waiting), Math.max(0, Math.min(leftMs, POLL_MS)));
    waiting.timer.unref();
  }

  #fire(waiting: Waiting): void {
    if (!this.#waiting.has(waiting)) return;
    const nowMs = this.#now();
    if (nowMs < waiting.dueMs) {
      this.#arm(waiting);
      return;
    }
    if (waiting.everyMs === undefined) this.#waiting.delete(waiting);
    else {
      // What was missed is not made up for: one turn, and the next one a whole step later.
      const nextMs = waiting.dueMs + waiting.everyMs;
      waiting.dueMs = nextMs > nowMs ? nextMs : nowMs + waiting.everyMs;
      this.#arm(waiting);
    }
    inBackground("clock.timer", waiting.run);
  }
}
