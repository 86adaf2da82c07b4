// Kysely on SQLite threads: one writes, several read. Owns the order of writers: one transaction at a time, and no
// other write between its statements. Reads outside a transaction see what is committed and never wait for a writer.

import { later } from "@clockwork/host/time/background";
import {
  type CompiledQuery,
  createQueryId,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  IdentifierNode,
  type QueryCompiler,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";
import { bindSqliteValue } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";
import type { StatementResult } from "./sqlite-messages.ts";
import { SqliteReaders } from "./sqlite-readers.ts";
import { SqliteThread, type StartWorker, type StatementText } from "./sqlite-thread.ts";

export const BUSY_TIMEOUT_MS = 5_000;
const QUEUE_MAX = 20_000;

/** A transaction's write slot. Starts with its first statement, so an empty transaction costs nothing. */
interface Turn {
  started: boolean;
  /** What it writes can be made again from elsewhere: its commit does not wait for the disk. */
  readonly isDerived: boolean;
  /** Why the transaction is over although its owner has not ended it. */
  lost: DatabaseFault | undefined;
  schemaChanged: boolean;
  /** A leased slot has none: its holder cannot be interrupted, only awaited. */
  timer: NodeJS.Timeout | undefined;
}

export class SqliteSession {
  readonly #writer: SqliteThread;
  readonly #readers: SqliteReaders;
  readonly #transactionMaxMs: number;
  #turn: Turn | undefined;
  // Writes and transactions waiting for the open transaction to end, in order of arrival.
  #queue: (() => void)[] = [];

  private constructor(writer: SqliteThread, readers: SqliteReaders, transactionMaxMs: number) {
    this.#writer = writer;
    this.#readers = readers;
    this.#transactionMaxMs = transactionMaxMs;
  }

  static async open(path: string, transactionMaxMs: number, start?: StartWorker): Promise<SqliteSession> {
    // The writer first: it creates the file and its write-ahead log, which a reader cannot.
    const writer = await SqliteThread.open({ path, role: "write", busyTimeoutMs: BUSY_TIMEOUT_MS }, start);
    try {
      const openReader = () => SqliteThread.open({ path, role: "read", busyTimeoutMs: BUSY_TIMEOUT_MS }, start);
      return new SqliteSession(writer, new SqliteReaders(await openReader(), openReader), transactionMaxMs);
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  read(statement: StatementText): Promise<readonly StatementResult[]> {
    return this.#readers.read(statement);
  }

  write(
    mode: "single" | "alone" | "atomic",
    statements: readonly StatementText[],
  ): Promise<readonly StatementResult[]> {
    return this.#enter(async () => {
      const results = await this.#writer.run(mode, statements);
      if (mode === "alone" && statements.some(({ sql }) => changesSchema(sql))) this.#dropStatements();
      return results;
    });
  }

  /** Lets another connection to the same file write, as if it were a transaction of this session's own. */
  async lease<Result>(write: () => Promise<Result>): Promise<Result> {
    const turn = await this.begin(true, true);
    try {
      // What was sent before is still being written: SQLite refuses a second writer instead of letting it wait its turn.
      await this.#writer.run("inside", []);
      return await write();
    } finally {
      this.#release(turn);
    }
  }

  begin(isDerived = false, isLeased = false): Promise<Turn> {
    return this.#enter(() => {
      const timer = isLeased ? undefined : later("storage.turn", () => this.#expire(turn), this.#transactionMaxMs);
      const turn: Turn = { started: false, isDerived, lost: undefined, schemaChanged: false, timer };
      timer?.unref();
      this.#turn = turn;
      return Promise.resolve(turn);
    });
  }

  runInside(turn: Turn, statement: StatementText): Promise<readonly StatementResult[]> {
    if (turn.lost !== undefined) return Promise.reject(turn.lost);
    const mode = turn.started ? "inside" : turn.isDerived ? "beginDerived" : "begin";
    turn.started = true;
    if (changesSchema(statement.sql)) {
      turn.schemaChanged = true;
      // A migration takes as long as its tables are large, and no other write runs before it is done.
      clearTimeout(turn.timer);
    }
    return this.#writer.run(mode, [statement]);
  }

  async end(turn: Turn, mode: "commit" | "rollback"): Promise<void> {
    if (turn.lost !== undefined) {
      if (mode === "rollback") return;
      throw turn.lost;
    }
    const ended = turn.started ? this.#writer.run(mode, []) : undefined;
    // The thread works in order, so the next writer may be sent before this commit is answered.
    this.#release(turn);
    await ended;
    if (turn.schemaChanged) this.#dropStatements();
  }

  /** Resolves when all threads answer. Does not wait for an open transaction: a long one is no illness. */
  async ping(): Promise<void> {
    await Promise.all([this.#readers.ping(), this.#writer.run("inside", [])]);
  }

  /** An open transaction is rolled back; what waits for it is refused. */
  async close(): Promise<void> {
    const closing = Promise.all([this.#readers.close(), this.#writer.close()]);
    if (this.#turn !== undefined) clearTimeout(this.#turn.timer);
    for (const start of this.#queue.splice(0)) start();
    await closing;
  }

  #dropStatements(): void {
    this.#writer.dropStatements();
    this.#readers.dropStatements();
  }

  /** Starts at once when no transaction is open, else in order of arrival once it has ended. */
  #enter<Result>(start: () => Promise<Result>): Promise<Result> {
    if (this.#turn === undefined && this.#queue.length === 0) return start();
    if (this.#queue.length >= QUEUE_MAX) {
      return Promise.reject(
        new DatabaseFault("overloaded", `${QUEUE_MAX} writes already wait for a transaction to end`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push(() => {
        start().then(resolve, reject);
      });
    });
  }

  #release(turn: Turn): void {
    clearTimeout(turn.timer);
    this.#turn = undefined;
    // Stops again as soon as a waiting transaction has taken the turn.
    while (this.#turn === undefined) {
      const start = this.#queue.shift();
      if (start === undefined) return;
      start();
    }
  }

  /** A transaction whose owner forgot it (or waits inside it for a write outside it) would stop every writer. */
  #expire(turn: Turn): void {
    turn.lost = new DatabaseFault("timeout", `a transaction was open for more than ${this.#transactionMaxMs} ms`);
    if (turn.started) this.#writer.run("rollback", []).catch(() => undefined);
    this.#release(turn);
  }
}

function changesSchema(sql: string): boolean {
  return /^\s*(create|alter|drop|reindex|vacuum)\b/i.test(sql);
}

class SqliteConnection implements DatabaseConnection {
  readonly #session: SqliteSession;
  turn: Turn | undefined;

  constructor(session: SqliteSession) {
    this.#session = session;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const results = await this.#run(query.query, toStatement(query));
    return toQueryResult<Row>(query.query, results[0]);
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator; this one only refuses.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new DatabaseFault("broken", "streaming is not in the portable subset: read page by page, by key");
  }

  #run(node: RootOperationNode, statement: StatementText): Promise<readonly StatementResult[]> {
    if (this.turn !== undefined) return this.#session.runInside(this.turn, statement);
    switch (node.kind) {
      case "SelectQueryNode":
        return this.#session.read(statement);
      case "InsertQueryNode":
      case "UpdateQueryNode":
      case "DeleteQueryNode":
        return this.#session.write("single", [statement]);
      default:
        if (/^\s*select\b/i.test(statement.sql)) return this.#session.read(statement);
        return this.#session.write("alone", [statement]);
    }
  }
}

export function toStatement(query: CompiledQuery): StatementText {
  return { sql: query.sql, parameters: query.parameters.map(bindSqliteValue) };
}

export function toQueryResult<Row>(node: RootOperationNode, result: StatementResult | undefined): QueryResult<Row> {
  const rows: Row[] = [];
  if (result?.columns !== undefined && result.values !== undefined) {
    const { columns, values } = result;
    for (let at = 0; at < values.length; at += columns.length) {
      const row: Record<string, unknown> = {};
      for (let column = 0; column < columns.length; column += 1) row[columns[column] ?? ""] = values[at + column];
      rows.push(row as Row);
    }
  }
  const changing =
    node.kind === "InsertQueryNode" || node.kind === "UpdateQueryNode" || node.kind === "DeleteQueryNode";
  return changing ? { rows, numAffectedRows: BigInt(result?.changes ?? 0) } : { rows };
}

class SqliteDriver implements Driver {
  readonly #session: SqliteSession;

  constructor(session: SqliteSession) {
    this.#session = session;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#session);
  }

  /** "Read uncommitted" marks writes that a power cut may lose: tables made from the journal. */
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    ownConnection(connection).turn = await this.#session.begin(settings.isolationLevel === "read uncommitted");
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#end(connection, "commit");
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#end(connection, "rollback");
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]): Promise<void> {
    await connection.executeQuery(compile(savepointCommand("savepoint", name), createQueryId()));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]) {
    await connection.executeQuery(compile(savepointCommand("rollback to", name), createQueryId()));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]) {
    await connection.executeQuery(compile(savepointCommand("release", name), createQueryId()));
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#session.close();
  }

  async #end(connection: DatabaseConnection, mode: "commit" | "rollback"): Promise<void> {
    const own = ownConnection(connection);
    const { turn } = own;
    own.turn = undefined;
    if (turn !== undefined) await this.#session.end(turn, mode);
  }
}

function ownConnection(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new DatabaseFault("broken", "this connection belongs to another driver");
}

function savepointCommand(command: string, name: string): RawNode {
  // The name goes through an identifier node, which quotes it.
  return RawNode.createWithChildren([RawNode.createWithSql(`${command} `), IdentifierNode.create(name)]);
}

class ManyThreadsAdapter extends SqliteAdapter {
  // Otherwise Kysely lets one query or transaction at a time through; the session orders writers better itself.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export function sqliteDialect(session: SqliteSession): Dialect {
  return {
    createDriver: () => new SqliteDriver(session),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ManyThreadsAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}
