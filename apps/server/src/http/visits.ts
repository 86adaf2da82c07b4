// Whether the exchange is in use: the time of the last request from outside. Health checks and metrics do not count.
import { measureMs } from "@clockwork/host/time/measure";

const RECENT_MS = 300_000;
const SUPERVISED = new Set(["/healthz", "/readyz", "/metrics"]);

export class Visits {
  readonly #nowMs: () => number;
  /** A start counts as a visit. */
  #lastMs: number;

  constructor(nowMs: () => number = measureMs) {
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  note(route: string): void {
    if (!SUPERVISED.has(route)) this.#lastMs = this.#nowMs();
  }

  isRecent(): boolean {
    return this.#nowMs() - this.#lastMs < RECENT_MS;
  }
}
