// Opens the one database of this process: SQLite in the data folder, or PostgreSQL by URL. Owns its life and health.
// Slices get the Kysely and nothing else; they never learn which database it is.

import { join } from "node:path";
import { touchPrivate } from "@clockwork/host/private-files";
import { type CompiledQuery, Kysely, type QueryResult, sql } from "kysely";
import type { DialectName } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";
import { lockFolder } from "./lock.ts";
import type { PoolLimits } from "./postgres.ts";
import type { Claim } from "./postgres-claim.ts";
import { checkSqlite, nameDamage } from "./sqlite-check.ts";
import { BUSY_TIMEOUT_MS, SqliteSession, sqliteDialect, toQueryResult, toStatement } from "./sqlite-driver.ts";
import type { ThreadSetup } from "./sqlite-messages.ts";
import type { StartWorker } from "./sqlite-thread.ts";

export interface Database {
  readonly dialect: DialectName;
  /** A slice's store adds its own tables: `kysely.$extendTables<OpsTables>()`. */
  readonly kysely: Kysely<unknown>;
  /**
   * Runs compiled queries as one transaction in one exchange with the database: all happen or none does. For many rows
   * of one table, one insert of many `values` is faster still, up to 32 000 values on SQLite.
   */
  batch(queries: readonly CompiledQuery[]): Promise<readonly QueryResult<unknown>[]>;
  /** Absent where the database is a separate process, and writing costs this one little. */
  readonly aside?: Aside;
  /** Takes the database for this process until it is closed; waits so long for another to end, then rejects with a
   *  DatabaseFault that names it. The embedded one is its folder's. */
  claim(waitMs: number): Promise<void>;
  /** Resolves when the database answers; rejects with a DatabaseFault that names the reason. */
  health(): Promise<void>;
  close(): Promise<void>;
}

/** How another thread of this process writes tables: where, and when it may. */
export interface Aside {
  /** For `openAside` of that thread. */
  readonly setup: ThreadSetup;
  /** Exclusive: no other writer runs during it. */
  turn<Result>(write: () => Promise<Result>): Promise<Result>;
}

export interface DatabaseOptions {
  /** A PostgreSQL URL; undefined or empty means SQLite in the folder. */
  readonly url: string | undefined;
  readonly folder: string;
  /** A transaction open for longer is rolled back, so that a leaked one cannot block every writer. */
  readonly transactionMaxMs?: number;
  /** Called for damage found in the embedded database's file after it was opened; left out, the file is not scanned. */
  readonly onDamage?: (reason: string) => void;
  /** The embedded database's threads; left out, real ones. */
  readonly startWorker?: StartWorker | undefined;
  /** How long PostgreSQL may be silent before a statement has failed. */
  readonly answerMaxMs?: number;
  /** How long a statement may wait for a connection to PostgreSQL, a new one or one that others have. */
  readonly connectMaxMs?: number;
}

/** The SQLite file inside the data folder. */
export const DATABASE_FILE = "clockwork.sqlite";
const TRANSACTION_MAX_MS = 30_000;
/** A heavy writer keeps the pages it returns to, and copies them to the database less often. */
const ASIDE_SIZES = { cacheKb: 64_000, checkpointPages: 2_000 };

export function openDatabase(options: DatabaseOptions): Promise<Database> {
  const transactionMaxMs = options.transactionMaxMs ?? TRANSACTION_MAX_MS;
  if (options.url === undefined || options.url === "") {
    return openSqlite(options, transactionMaxMs);
  }
  return openPostgres(options.url, { ...options, transactionMaxMs });
}

async function openSqlite(
  { folder, onDamage, startWorker }: DatabaseOptions,
  transactionMaxMs: number,
): Promise<Database> {
  const lock = lockFolder(folder);
  const path = join(folder, DATABASE_FILE);
  let session: SqliteSession;
  try {
    touchPrivate(path);
    session = await SqliteSession.open(path, transactionMaxMs, startWorker);
    if (onDamage !== undefined) {
      await checkSqlite(path, onDamage, startWorker).catch(async (error: unknown) => {
        await session.close();
        throw error;
      });
    }
  } catch (error) {
    lock.release();
    throw nameDamage(path, error);
  }
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect(session) });
  return {
    dialect: "sqlite",
    kysely,
    async batch(queries) {
      const results = await session.write("atomic", queries.map(toStatement));
      return queries.map((query, index) => toQueryResult(query.query, results[index]));
    },
    aside: {
      setup: { path, role: "write", busyTimeoutMs: BUSY_TIMEOUT_MS, ...ASIDE_SIZES },
      turn: (write) => session.lease(write),
    },
    claim: async () => undefined,
    health: () => session.ping(),
    async close() {
      await kysely.destroy();
      await session.close();
      lock.release();
    },
  };
}

async function openPostgres(url: string, limits: PoolLimits): Promise<Database> {
  // Loaded on demand: the embedded default starts faster and smaller without it.
  const { checkServer, openPool, postgresDialect } = await import("./postgres.ts");
  const { claimPostgres } = await import("./postgres-claim.ts");
  const pool = openPool(url, limits);
  try {
    await checkServer(pool, url);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const kysely = new Kysely<unknown>({ dialect: postgresDialect(pool) });
  let closed = false;
  let claim: Claim | undefined;
  return {
    dialect: "postgres",
    kysely,
    async claim(waitMs) {
      claim ??= await claimPostgres(url, waitMs);
    },
    batch: (queries) =>
      kysely.transaction().execute(async (transaction) => {
        // Sent without waiting in between; the connection answers in order.
        const results = await Promise.allSettled(queries.map((query) => transaction.executeQuery(query)));
        return results.map((result) => {
          if (result.status === "rejected") throw result.reason;
          return result.value;
        });
      }),
    async health() {
      if (closed) throw new DatabaseFault("unavailable", "the database is closed");
      if (claim?.fault !== undefined) throw claim.fault;
      await kysely.selectNoFrom(sql<number>`1`.as("alive")).execute();
    },
    async close() {
      closed = true;
      await claim?.release();
      await kysely.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}
