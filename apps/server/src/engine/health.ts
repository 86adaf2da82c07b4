// How the engine and the tables made from its journal fare, as health, status and metrics tell it.

export interface CoreHealth {
  readonly state: "starting" | "replaying" | "running" | "halted";
  readonly sequence: number;
  readonly durableSequence: number;
  /** Of the newest snapshot, and the last command it counts. */
  readonly stateHash?: string;
  readonly stateHashSequence?: number;
  readonly reason?: string;
}

/** Whether the tables made from the journal follow it. */
export interface TablesHealth {
  /** Behind: what is written last fails and is tried again. Stopped: until a restart. */
  readonly state: "level" | "behind" | "stopped";
  /** Since the first failed try; 0 while level. */
  readonly forSeconds: number;
}
