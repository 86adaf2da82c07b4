// The ports of the scheduler.
import type { Clock } from "@clockwork/host/clock";

export interface JobNeeds {
  readonly clock: Clock;
  /** True where this process leads: only there jobs run. */
  isLeader(): boolean;
  /** Names this process; never the same twice. */
  readonly holder: string;
  /** A duration. */
  measureMs(): number;
  /** Called for every run, for metrics and the log. */
  onRun(run: {
    readonly job: string;
    readonly outcome: "done" | "failed";
    readonly dueMs: number;
    readonly tookMs: number;
    readonly error?: unknown;
    readonly failures: number;
  }): void;
  /** Called when the tables could not be read. */
  onFault(error: unknown): void;
}
