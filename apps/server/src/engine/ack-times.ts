// How long callers waited for their commands to be safe in the journal: the latest samples, for the metrics of the
// running exchange. Kept next to the engine, never inside; costs a caller two clock reads.

import type { Ack } from "@clockwork/host/engine";
import { measureMs } from "@clockwork/host/time/measure";

const KEPT = 512;

export interface AckSummary {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export class AckTimes {
  readonly #tookMs = new Float64Array(KEPT);
  #count = 0;

  add(tookMs: number): void {
    this.#tookMs[this.#count % KEPT] = tookMs;
    this.#count += 1;
  }

  /** Nothing before the first command. */
  read(): AckSummary | undefined {
    const count = Math.min(this.#count, KEPT);
    if (count === 0) return undefined;
    const sorted = this.#tookMs.slice(0, count).sort();
    const at = (share: number): number =>
      Number((sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0).toFixed(2));
    return { p50Ms: at(0.5), p99Ms: at(0.99) };
  }
}

/** The same call, its time taken. A command that is refused before the journal is not counted. */
export function timeSubmit<Args extends readonly unknown[]>(
  submit: (...args: Args) => Promise<Ack>,
  times: AckTimes,
  nowMs: () => number = measureMs,
): (...args: Args) => Promise<Ack> {
  return async (...args) => {
    const startedMs = nowMs();
    const ack = await submit(...args);
    if (ack.done || ack.sequence !== undefined) times.add(nowMs() - startedMs);
    return ack;
  };
}
