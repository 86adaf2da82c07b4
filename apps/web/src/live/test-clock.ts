// A clock that moves only when a test moves it; timers fire in order, at their own time.
import type { Clock } from "./clock.ts";

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #nowMs = 1_000_000;
  #order = 0;
  #timers = new Set<Timer>();

  now(): number {
    return this.#nowMs;
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  after(delayMs: number, run: () => void): () => void {
    this.#order += 1;
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Lets the time pass, timers included that are set on the way. */
  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.#timers) {
        if (timer.atMs > endMs) continue;
        if (next === undefined || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order)) {
          next = timer;
        }
      }
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = endMs;
  }

  /** The same, giving promises a turn after every step. */
  async advanceAsync(byMs: number, stepMs = byMs): Promise<void> {
    for (let leftMs = byMs; leftMs > 0; leftMs -= stepMs) {
      this.advance(Math.min(stepMs, leftMs));
      await settle();
    }
  }
}

/** Runs every promise continuation that is ready. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
