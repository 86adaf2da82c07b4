// What the scheduler wants from the server.
import type { Clock } from "@clockwork/host/clock";

export interface JobNeeds {
  readonly clock: Clock;
  /** True where this process leads: only there jobs run. */
  isLeader(): boolean;
  /** Names this process; never the same twice. */
  readonly holder: string;
  /** How long something took. */
  measureMs(): number;
  /** Told of every run, for metrics and the log. */
  onRun(run: {
    readonly job: string;
    readonly outcome: "done" | "failed";
    readonly dueMs: number;
    readonly tookMs: number;
    readonly error?: unknown;
    readonly failures: number;
  }): void;
  /** Told when the tables could not be asked. */
  onFault(error: unknown): void;
}
