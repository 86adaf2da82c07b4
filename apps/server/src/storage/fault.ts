// One error type for both databases, so that callers branch on what happened and never on a vendor's code.
// Must never carry a password or a parameter value: its message reaches logs.

export type FaultKind =
  /** A unique or primary key already holds this value. */
  | "duplicate"
  /** A foreign key points nowhere, or something still points here. */
  | "reference"
  /** A check or not-null rule refused the row. */
  | "refused"
  /** A conflict with another transaction; the same work may be retried. */
  | "conflict"
  /** The statement or the transaction took longer than it may. */
  | "timeout"
  /** More work is waiting than the queue admits. */
  | "overloaded"
  /** The database cannot be reached, or the outcome of the call is unknown. */
  | "unavailable"
  /** The program is wrong: bad SQL, a missing table, a value no column can hold. */
  | "broken";

/** A database that is unavailable, full, slow or busy recovers; a wrong statement does not. */
const PASSING: ReadonlySet<FaultKind> = new Set(["unavailable", "timeout", "overloaded", "conflict"]);

/** Whether the same work may succeed later. */
export function isPassing(error: unknown): boolean {
  return error instanceof DatabaseFault && PASSING.has(error.kind);
}

export class DatabaseFault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DatabaseFault";
    this.kind = kind;
  }
}
