// What the main thread and a SQLite thread say to each other. Plain structured-clonable data, nothing else.

import type { FaultKind } from "./fault.ts";

export type SqliteValue = null | number | bigint | string | Uint8Array;
/** What a row may hold once columns are read by their declared type. */
export type RowValue = SqliteValue | boolean | object;

export interface ThreadSetup {
  readonly path: string;
  readonly role: "write" | "read";
  readonly busyTimeoutMs: number;
  readonly cacheKb?: number;
  /** How long the write-ahead log grows before its pages go to the database; SQLite's own default is 1 000. */
  readonly checkpointPages?: number;
}

/** One statement to run. The text is sent only the first time; afterwards the number refers to it. */
export interface StatementCall {
  readonly statement: number;
  readonly sql?: string;
  readonly parameters: readonly SqliteValue[];
}

/**
 * - `single`: a write of its own; neighbours in one message share one commit (and one fsync), each succeeds or fails alone.
 * - `alone`: runs outside any group (raw SQL, reads).
 * - `begin`: opens a transaction, then runs. `beginDerived`: the same for one whose commit need not wait for the disk.
 * - `inside`: belongs to the open transaction.
 * - `commit` / `rollback`: ends it; the statement is ignored.
 * - `atomic`: all statements in one transaction, all or nothing.
 */
export interface ThreadCall {
  readonly call: number;
  readonly mode: "single" | "alone" | "begin" | "beginDerived" | "inside" | "commit" | "rollback" | "atomic";
  readonly statements: readonly StatementCall[];
}

export interface ThreadRequest {
  readonly calls: readonly ThreadCall[];
  /** Statements the main thread has dropped from its cache. */
  readonly remove: readonly number[];
  /** Another connection may have changed the schema: read it before preparing anything. */
  readonly schemaChanged: boolean;
}

export interface StatementResult {
  /** Column names; absent when the statement returns no rows. */
  readonly columns?: readonly string[];
  /** All rows, one after another, `columns.length` values each: cheaper to send than an object per row. */
  readonly values?: readonly RowValue[];
  readonly changes: number;
}

export interface ThreadFault {
  readonly kind: FaultKind;
  readonly message: string;
}

export interface ThreadReply {
  readonly call: number;
  readonly results?: readonly StatementResult[];
  readonly fault?: ThreadFault;
  /** What it took; absent where nothing is measured. */
  readonly ms?: number;
}

export type ThreadMessage =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly fault: ThreadFault }
  | { readonly type: "replies"; readonly replies: readonly ThreadReply[] };
