// Owns one SQLite connection and runs its calls in order, in any thread. Must never answer a write before its commit is
// on disk, unless its caller declared it rebuildable.

import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { classifySqliteError, readSqliteValue } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";
import type {
  RowValue,
  SqliteValue,
  StatementCall,
  StatementResult,
  ThreadCall,
  ThreadReply,
  ThreadRequest,
  ThreadSetup,
} from "./sqlite-messages.ts";

interface Prepared {
  readonly statement: StatementSync;
  /** Undefined when the statement returns no rows. */
  readonly columns: readonly string[] | undefined;
  readonly types: readonly (string | null)[];
  /** Whether any column needs more than the driver's own reading. */
  readonly typed: boolean;
}

const CACHE_KB = 16_000;

export function openConnection(setup: ThreadSetup): DatabaseSync {
  const reading = setup.role === "read";
  const database = new DatabaseSync(setup.path, {
    readOnly: reading,
    timeout: setup.busyTimeoutMs,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
  });
  if (!reading) {
    // FULL: an answered commit survives a power cut, not only a killed process.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864");
  }
  const cacheKb = setup.cacheKb ?? CACHE_KB;
  database.exec(`PRAGMA cache_size = -${cacheKb}; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF`);
  if (setup.checkpointPages !== undefined) database.exec(`PRAGMA wal_autocheckpoint = ${setup.checkpointPages}`);
  return database;
}

export class SqliteRunner {
  readonly #database: DatabaseSync;
  readonly #texts = new Map<number, string>();
  readonly #prepared = new Map<number, Prepared>();
  readonly #plain = new Map<string, StatementSync>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #touchSchema: StatementSync;
  readonly #measureMs: (() => number) | undefined;
  #isDerived = false;

  /** Left out, durations are not measured. */
  constructor(database: DatabaseSync, measureMs?: () => number) {
    this.#database = database;
    this.#measureMs = measureMs;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#touchSchema = database.prepare("SELECT count(*) FROM sqlite_schema");
  }

  handle(request: ThreadRequest): ThreadReply[] {
    const { calls } = request;
    // Kept before anything runs: a statement skipped by an earlier failure is later named by its number alone.
    for (const call of calls) {
      for (const { statement, sql } of call.statements) if (sql !== undefined) this.#texts.set(statement, sql);
    }
    // Running any statement makes SQLite notice a new schema; preparing one does not.
    if (request.schemaChanged && !this.#database.isTransaction) this.#touchSchema.get();
    const replies: ThreadReply[] = [];
    for (let index = 0; index < calls.length; ) {
      let end = index + 1;
      if (calls[index]?.mode === "single") while (calls[end]?.mode === "single") end += 1;
      if (end - index > 1) this.#runGroup(calls.slice(index, end), replies);
      else this.#runCall(calls[index], replies);
      index = end;
    }
    for (const statement of request.remove) {
      this.#texts.delete(statement);
      this.#prepared.delete(statement);
    }
    return replies;
  }

  /** A statement without rows, prepared once by its text; the caller keeps the number of texts small. */
  runPlain(sql: string, values: readonly SqliteValue[]): void {
    let statement = this.#plain.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#plain.set(sql, statement);
    }
    statement.run(...values);
  }

  close(): void {
    this.#prepared.clear();
    this.#plain.clear();
    this.#database.close();
  }

  /** Writes of different callers under one commit. A refused one fails alone; a failed commit fails them all. */
  #runGroup(calls: readonly ThreadCall[], replies: ThreadReply[]): void {
    const group: ThreadReply[] = [];
    try {
      this.#begin.run();
      for (const call of calls) {
        try {
          group.push({ call: call.call, results: this.#runAll(call.statements) });
        } catch (error) {
          // SQLite undoes only the failed statement, unless the failure (disk full, I/O) ended the transaction.
          if (!this.#database.isTransaction) throw error;
          group.push({ call: call.call, fault: classifySqliteError(error) });
        }
      }
      this.#commit.run();
      for (const reply of group) replies.push(reply);
    } catch (error) {
      this.#rollback();
      const fault = classifySqliteError(error);
      for (const call of calls) replies.push({ call: call.call, fault });
    }
  }

  #runCall(call: ThreadCall | undefined, replies: ThreadReply[]): void {
    if (call === undefined) return;
    const startedMs = this.#measureMs?.();
    try {
      const results = this.#runMode(call);
      const ms = startedMs === undefined ? {} : { ms: (this.#measureMs?.() ?? 0) - startedMs };
      replies.push({ call: call.call, results, ...ms });
    } catch (error) {
      if (call.mode === "atomic" || call.mode === "commit") this.#rollback();
      replies.push({ call: call.call, fault: classifySqliteError(error) });
    }
  }

  #runMode(call: ThreadCall): StatementResult[] {
    switch (call.mode) {
      case "begin":
        this.#begin.run();
        return this.#runAll(call.statements);
      case "beginDerived":
        // In the log at once, on disk with the next commit that must be: a power cut loses the newest, never the order.
        this.#database.exec("PRAGMA synchronous = NORMAL");
        this.#isDerived = true;
        try {
          this.#begin.run();
        } catch (error) {
          this.#restoreSync();
          throw error;
        }
        return this.#runAll(call.statements);
      case "commit":
        this.#commit.run();
        this.#restoreSync();
        return [];
      case "rollback":
        this.#rollback();
        return [];
      case "atomic": {
        this.#begin.run();
        const results = this.#runAll(call.statements);
        this.#commit.run();
        return results;
      }
      case "alone": {
        const results = this.#runAll(call.statements);
        if (!this.#database.isTransaction) return results;
        this.#rollback();
        throw new DatabaseFault("broken", "a transaction is opened by kysely.transaction(), never by SQL text");
      }
      case "single":
      case "inside":
        return this.#runAll(call.statements);
    }
  }

  #rollback(): void {
    // Some failures have already ended the transaction; then there is nothing left to undo.
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    this.#restoreSync();
  }

  #restoreSync(): void {
    if (!this.#isDerived) return;
    this.#isDerived = false;
    this.#database.exec("PRAGMA synchronous = FULL");
  }

  #runAll(statements: readonly StatementCall[]): StatementResult[] {
    const results: StatementResult[] = [];
    for (const statement of statements) results.push(this.#runOne(statement));
    return results;
  }

  #runOne(call: StatementCall): StatementResult {
    const prepared = this.#prepared.get(call.statement) ?? this.#prepare(call.statement);
    if (prepared.columns === undefined) {
      return { changes: Number(prepared.statement.run(...call.parameters).changes) };
    }
    // Rows come as arrays (setReturnArrays), which the driver's types lack.
    const rows = prepared.statement.all(...call.parameters) as unknown as SQLOutputValue[][];
    const values: RowValue[] = [];
    for (const row of rows) {
      if (!prepared.typed) {
        for (const value of row) values.push(value);
      } else {
        for (let column = 0; column < row.length; column += 1) {
          values.push(readSqliteValue(row[column] ?? null, prepared.types[column] ?? null));
        }
      }
    }
    return { columns: prepared.columns, values, changes: rows.length };
  }

  #prepare(number: number): Prepared {
    const sql = this.#texts.get(number);
    if (sql === undefined) throw new Error(`statement ${number} was never sent`);
    const statement = this.#database.prepare(sql);
    const described = statement.columns();
    const types = described.map((column) => column.type?.toUpperCase() ?? null);
    const typed = types.some((type) => type === "BIGINT" || type === "BOOLEAN" || type === "JSON TEXT");
    statement.setReturnArrays(true);
    if (typed) statement.setReadBigInts(true);
    const columns = described.length === 0 ? undefined : described.map((column) => column.name);
    const prepared: Prepared = { statement, columns, types, typed };
    this.#prepared.set(number, prepared);
    return prepared;
  }
}
