// Kysely on a SQLite connection of the calling thread, for tables that can be rebuilt: their commits do not wait for
// the disk unless requested. Must only write in a write slot of the process's session, and never be used on the main
// thread: every statement is synchronous.

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { classifySqliteError } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";
import { toQueryResult, toStatement } from "./sqlite-driver.ts";
import type { SqliteValue, StatementResult, ThreadCall, ThreadSetup } from "./sqlite-messages.ts";
import { openConnection, SqliteRunner } from "./sqlite-runner.ts";

const STATEMENTS_MAX = 500;

export interface AsideConnection {
  readonly kysely: Kysely<unknown>;
  /**
   * Runs a statement that returns no rows, inside the open transaction, if any: for very many rows, whose values must
   * be whole numbers, bigints, text without NUL or null, and are bound without another check.
   */
  run(sql: string, values: readonly unknown[]): void;
}

/** `durable`: an answered commit is on disk, as one of the session's is. */
export function openAside(setup: ThreadSetup, commits: "derived" | "durable" = "derived"): AsideConnection {
  const driver = new AsideDriver(setup, commits === "durable" ? "begin" : "beginDerived");
  const kysely = new Kysely<unknown>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
  return { kysely, run: (sql, values) => driver.run(sql, values) };
}

class AsideDriver implements Driver {
  readonly #runner: SqliteRunner;
  readonly #connection: AsideSession;
  readonly #begin: "begin" | "beginDerived";

  constructor(setup: ThreadSetup, begin: "begin" | "beginDerived") {
    this.#begin = begin;
    this.#runner = new SqliteRunner(openConnection(setup));
    this.#connection = new AsideSession(this.#runner);
  }

  run(sql: string, values: readonly unknown[]): void {
    try {
      this.#runner.runPlain(sql, values as readonly SqliteValue[]);
    } catch (error) {
      const { kind, message } = classifySqliteError(error);
      throw new DatabaseFault(kind, message);
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#connection.run(this.#begin);
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run("commit");
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.run("rollback");
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#runner.close();
  }
}

class AsideSession implements DatabaseConnection {
  readonly #runner: SqliteRunner;
  readonly #numbers = new Map<string, number>();
  #last = 0;

  constructor(runner: SqliteRunner) {
    this.#runner = runner;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return toQueryResult<Row>(query.query, this.run("inside", query));
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator; this one only refuses.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new DatabaseFault("broken", "streaming is not in the portable subset: read page by page, by key");
  }

  run(mode: ThreadCall["mode"], query?: CompiledQuery): StatementResult | undefined {
    const statements = query === undefined ? [] : [this.#number(query)];
    const calls = [{ call: 0, mode, statements }];
    const remove = this.#numbers.size > STATEMENTS_MAX ? [...this.#numbers.values()] : [];
    if (remove.length > 0) this.#numbers.clear();
    const [reply] = this.#runner.handle({ calls, remove, schemaChanged: false });
    if (reply?.fault !== undefined) throw new DatabaseFault(reply.fault.kind, reply.fault.message);
    return reply?.results?.[0];
  }

  #number(query: CompiledQuery): ThreadCall["statements"][number] {
    const { sql, parameters } = toStatement(query);
    const known = this.#numbers.get(sql);
    if (known !== undefined) return { statement: known, parameters };
    this.#last += 1;
    this.#numbers.set(sql, this.#last);
    return { statement: this.#last, sql, parameters };
  }
}
