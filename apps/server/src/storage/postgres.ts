// Kysely on PostgreSQL: a bounded pool whose every wait has a limit, and one error type for what goes wrong.
// Must never put the URL's password in a message.

import { readingCaller } from "@clockwork/host/reading";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import { ConnectionShare } from "./connection-share.ts";
import { checkParameter, classifyPostgresError, parsePostgresValue } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";

const CONNECTIONS_MAX = 10;
/** Of one caller at once: the others are for all other callers. */
const CONNECTIONS_EACH = 3;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
// Longer than the server's own limit: it only fires when the server or the network no longer answers at all.
const ANSWER_TIMEOUT_MS = 20_000;
const SERVER_VERSION_MIN = 130_000;

export interface PoolLimits {
  readonly transactionMaxMs: number;
  readonly answerMaxMs?: number;
  readonly connectMaxMs?: number;
}

export function openPool(
  url: string,
  { transactionMaxMs, answerMaxMs = ANSWER_TIMEOUT_MS, connectMaxMs = CONNECT_TIMEOUT_MS }: PoolLimits,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: Math.min(connectMaxMs, answerMaxMs),
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: answerMaxMs,
    idle_in_transaction_session_timeout: transactionMaxMs,
    application_name: "clockwork",
    keepAlive: true,
    // Statements of a batch go out together instead of each waiting for the answer to the one before.
    pipeline: true,
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        parsePostgresValue(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A connection lost while idle is only dropped from the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  // The same for one that is lost while a transaction holds it between two statements; the next statement reports it.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Verifies that the server is reachable and can store our data; the fault states the problem in one line. */
export async function checkServer(pool: pg.Pool, url: string): Promise<void> {
  try {
    const { rows } = await pool.query(
      "select current_setting('server_version_num') v, current_setting('server_encoding') e",
    );
    const row = rows[0] as { v: string; e: string } | undefined;
    if (Number(row?.v) < SERVER_VERSION_MIN) throw new DatabaseFault("broken", "version 13 or later is needed");
    if (row?.e !== "UTF8") throw new DatabaseFault("broken", `its encoding is ${row?.e}, UTF8 is needed`);
  } catch (error) {
    const fault = classifyPostgresError(error);
    throw new DatabaseFault(fault.kind, `cannot use ${nameServer(url)}: ${fault.message}`, error);
  }
}

function nameServer(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `PostgreSQL at ${hostname || "the local socket"}${port ? `:${port}` : ""}${pathname}`;
  } catch {
    return "PostgreSQL at DATABASE_URL (not a valid URL)";
  }
}

/** Kysely's own driver, with every failure turned into a DatabaseFault. */
class FaultingDriver implements Driver {
  readonly #inner: Required<Driver>;
  readonly #share: ConnectionShare;
  // One wrapper per inner connection, so that begin, execute and release see the same object.
  readonly #wrappers = new WeakMap<DatabaseConnection, FaultingConnection>();

  constructor(pool: pg.Pool) {
    this.#inner = new PostgresDriver({ pool });
    // As long as the pool itself waits for a connection.
    this.#share = new ConnectionShare(CONNECTIONS_MAX, CONNECTIONS_EACH, CONNECT_TIMEOUT_MS);
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const giveBack = await this.#share.enter(readingCaller()?.key);
    try {
      const inner = await faulting(this.#inner.acquireConnection());
      let wrapper = this.#wrappers.get(inner);
      if (wrapper === undefined) {
        wrapper = new FaultingConnection(inner, (query) => this.#readElsewhere(query));
        this.#wrappers.set(inner, wrapper);
      }
      wrapper.giveBack = giveBack;
      return wrapper;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Reads again on other connections: after a restart of the server the pool may still hold many dead ones. */
  async #readElsewhere<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (let left = CONNECTIONS_MAX; ; left -= 1) {
      const inner = await faulting(this.#inner.acquireConnection());
      try {
        return await faulting(inner.executeQuery<Row>(query));
      } catch (error) {
        if (left === 0 || !isLost(error)) throw error;
      } finally {
        await this.#inner.releaseConnection(inner);
      }
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await faulting(this.#inner.beginTransaction(unwrap(connection), settings));
    ownConnection(connection).isInTransaction = true;
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    ownConnection(connection).isInTransaction = false;
    return faulting(this.#inner.commitTransaction(unwrap(connection)));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    ownConnection(connection).isInTransaction = false;
    // The driver discards a connection that cannot roll back, and with it the transaction. The caller's own error is
    // more specific than this one.
    await this.#inner.rollbackTransaction(unwrap(connection)).catch(() => undefined);
  }

  savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]): Promise<void> {
    return faulting(this.#inner.savepoint(unwrap(connection), name, compile));
  }

  rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]) {
    return faulting(this.#inner.rollbackToSavepoint(unwrap(connection), name, compile));
  }

  releaseSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler["compileQuery"]) {
    return faulting(this.#inner.releaseSavepoint(unwrap(connection), name, compile));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { inner, giveBack } = ownConnection(connection);
    try {
      await this.#inner.releaseConnection(inner);
    } finally {
      giveBack();
    }
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

class FaultingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #readElsewhere: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;
  isInTransaction = false;
  /** Ends its holder's hold on it. */
  giveBack: () => void = () => undefined;

  constructor(inner: DatabaseConnection, readElsewhere: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>) {
    this.inner = inner;
    this.#readElsewhere = readElsewhere;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (const value of query.parameters) checkParameter(value);
    try {
      return await faulting(this.inner.executeQuery<Row>(query));
    } catch (error) {
      // Only a read outside a transaction may be repeated: what became of a write is unknown.
      if (this.isInTransaction || query.query.kind !== "SelectQueryNode" || !isLost(error)) throw error;
      return this.#readElsewhere<Row>(query);
    }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator; this one only refuses.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new DatabaseFault("broken", "streaming is not in the portable subset: read page by page, by key");
  }
}

async function faulting<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw classifyPostgresError(error);
  }
}

function isLost(error: unknown): boolean {
  return error instanceof DatabaseFault && error.kind === "unavailable";
}

function ownConnection(connection: DatabaseConnection): FaultingConnection {
  if (connection instanceof FaultingConnection) return connection;
  throw new DatabaseFault("broken", "this connection belongs to another driver");
}

function unwrap(connection: DatabaseConnection): DatabaseConnection {
  return ownConnection(connection).inner;
}

export function postgresDialect(pool: pg.Pool): Dialect {
  return {
    createDriver: () => new FaultingDriver(pool),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  };
}
