// Time and chance as the live clients see them; injected so that a test can live a day in a millisecond.
// Nothing else in this folder may read a clock, start a timer or draw a random number.

export interface Clock {
  now(): number;
  /** Runs once after the delay; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number;

export const systemRandom: Random = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

export function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
