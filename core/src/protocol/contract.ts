// Owns the machine's outer shape, for hosts and simulators. Implemented by machine.ts (createMachine, restoreMachine).

import type { Rules } from "./rules.ts";

/** Event records, appended by apply and drained by the host. */
export interface EventLog {
  /** `length` bytes of records from byte `from`; replaced when it must grow, so read all three after every apply. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly length: number;
  /** Where records are written unless they outgrow it. */
  readonly home: ArrayBufferLike;
  /** Forgets what was drained. Call between commands only. */
  clear(): void;
  /** Forgets, and has the next records written between these bytes of its home. */
  place(from: number, to: number): void;
}

export interface MachineOptions {
  /** First sizes; everything grows when needed. */
  readonly orderCapacity?: number;
  readonly accountCapacity?: number;
  readonly eventCapacity?: number;
  /** Where events are written instead of a buffer of the machine's own, so that a host need not copy them. */
  readonly eventBuffer?: ArrayBufferLike;
  /** Commands without a table growing before the hot functions are bound to them; changes speed, never what happens. */
  readonly fastPathsAfter?: number;
  /** Rules to know instead of those of the release, for tests. */
  readonly rules?: readonly Rules[];
}

export interface Machine {
  readonly events: EventLog;
  /**
   * Applies the stamped command at byte `at` (a multiple of 8 in the underlying buffer). Its sequence must be the
   * last one plus one and its time must not go back. Refusals are events; a throw is a bug and the host must halt.
   */
  apply(bytes: Uint8Array, at: number): void;
  /** Sequence and journal time of the last applied command; 0 before the first. */
  readonly sequence: number;
  readonly now: number;
  /** Number of the rules a command has set last; 0 before the first. */
  readonly rules: number;
  /** When a tick is next needed, in journal time; Infinity when nothing waits. */
  readonly nextTimerAt: number;
  /** Hash of the whole state: the same after the same commands, whether or not a snapshot lay between. */
  stateHash(): string;
  /** A copy of the whole state, as parts that may be joined and written; in place it is good until the next command. */
  snapshot(inPlace?: boolean): Uint8Array[];
  /** Takes on the state of a snapshot; without one, the state before the first command. */
  restore(parts?: readonly Uint8Array[]): void;
}
