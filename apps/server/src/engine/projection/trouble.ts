// What keeps the tables from following, while something does: since when, how often it was tried, how long to wait until
// the next try. Never tries anything itself.
import { measureMs } from "@clockwork/host/time/measure";
import { DatabaseFault } from "../../storage/fault.ts";

export interface TroubleReading {
  /** Since the first failed try. */
  readonly forMs: number;
  readonly tries: number;
  /** Nothing is tried again before a restart. */
  readonly isFinal: boolean;
}

export class Trouble {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #sinceMs = 0;
  #tries = 0;
  #fault: DatabaseFault | undefined;
  isFinal = false;

  constructor([firstMs, longestMs]: readonly [first: number, longest: number]) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** How long to wait now. */
  note(error: unknown, isFinal: boolean): number {
    if (this.#tries === 0) this.#sinceMs = measureMs();
    this.isFinal ||= isFinal;
    const waitMs = Math.min(this.#longestMs, this.#firstMs * 2 ** this.#tries);
    this.#tries += 1;
    const how = this.isFinal ? "stopped" : "are behind and catch up when the database can be written again";
    this.#fault = new DatabaseFault("unavailable", `the tables ${how}`, error);
    return waitMs;
  }

  /** What it was; undefined when there was none. */
  end(): TroubleReading | undefined {
    const reading = this.read();
    this.#tries = 0;
    this.#fault = undefined;
    return reading;
  }

  read(): TroubleReading | undefined {
    if (this.#fault === undefined) return undefined;
    return { forMs: measureMs() - this.#sinceMs, tries: this.#tries, isFinal: this.isFinal };
  }

  /** The error for a caller that needs what the tables lack. */
  fault(): DatabaseFault | undefined {
    return this.#fault;
  }
}
