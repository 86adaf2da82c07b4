// A job of a part: a name, its schedule, and the work for one due time. Declarations only; the server provides the
// scheduler.

/** When a job is due, in UTC. `everyMs` counts from 1970: an hour is the full hour. ISO weekdays, 1 is Monday. */
export type JobSchedule =
  | { readonly everyMs: number }
  | { readonly dailyAt: `${number}:${number}` }
  | { readonly weeklyOn: 1 | 2 | 3 | 4 | 5 | 6 | 7; readonly at: `${number}:${number}` };

/** One time a job was due. */
export interface JobPeriod {
  readonly dueMs: number;
  /** The due time before it that was run. */
  readonly previousMs: number;
  /** Stable whenever this due time is run again: the base of references, so that nothing is done twice. */
  readonly key: string;
}

export interface Job {
  /** Unique and permanent: completed runs are stored by it. `slice.noun`. */
  readonly name: string;
  readonly schedule: JobSchedule;
  /** How missed due times are handled: each is run in turn, or only the latest. */
  readonly missed?: "each" | "latest";
  /** A run that fails, or is interrupted by a stop, is repeated for the same period. */
  run(period: JobPeriod): Promise<void>;
}

export interface Jobs {
  /** Before the process serves; jobs start when everything else has started. */
  add(job: Job): void;
}
