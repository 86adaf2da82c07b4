// The clock's hand, read by every thread from the same memory: a time that was true at one moment of the machine's
// monotonic clock, and how fast it has run since. One thread writes it; a reader never sees half of a change.
import { monotonicMs, wallMs } from "@clockwork/host/time/measure";

const VERSION = 0;
const [AT, TIME, RATE] = [1, 2, 3];
const BYTES = 32;

export class SharedClock {
  readonly buffer: SharedArrayBuffer;
  readonly #versions: Int32Array;
  readonly #hand: Float64Array;
  readonly #monotonic: () => number;

  constructor(buffer = new SharedArrayBuffer(BYTES), monotonic: () => number = monotonicMs) {
    this.buffer = buffer;
    this.#versions = new Int32Array(buffer);
    this.#hand = new Float64Array(buffer);
    this.#monotonic = monotonic;
  }

  readonly now = (): number => {
    const hand = this.#hand;
    for (;;) {
      const version = Atomics.load(this.#versions, VERSION);
      const at = hand[AT] as number;
      const time = hand[TIME] as number;
      const rate = hand[RATE] as number;
      // Odd while it is being written.
      if ((version & 1) === 0 && Atomics.load(this.#versions, VERSION) === version) {
        return Math.floor(time + (this.#monotonic() - at) * rate);
      }
    }
  };

  /** From now on it is this time, running at this rate. */
  set(timeMs: number, rate: number): void {
    Atomics.add(this.#versions, VERSION, 1);
    this.#hand[AT] = this.#monotonic();
    this.#hand[TIME] = timeMs;
    this.#hand[RATE] = rate;
    Atomics.add(this.#versions, VERSION, 1);
  }

  /** Faster or slower from now on, without a step: not even by a part of a millisecond. */
  setRate(rate: number): void {
    const nowMs = this.#monotonic();
    const timeMs = (this.#hand[TIME] as number) + (nowMs - (this.#hand[AT] as number)) * (this.#hand[RATE] as number);
    Atomics.add(this.#versions, VERSION, 1);
    this.#hand[AT] = nowMs;
    this.#hand[TIME] = timeMs;
    this.#hand[RATE] = rate;
    Atomics.add(this.#versions, VERSION, 1);
  }
}

/** A clock that follows the machine's time without supervision, for an engine without a server around it. */
export function plainClock(): { readonly shared: SharedClock; raiseTo(timeMs: number): void } {
  const shared = new SharedClock();
  shared.set(wallMs(), 1);
  return { shared, raiseTo: (timeMs) => shared.set(Math.max(timeMs, shared.now()), 1) };
}
