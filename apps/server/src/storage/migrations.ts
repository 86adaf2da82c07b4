// Brings the database's schema forward: numbered SQL files, applied once, in order, under a lock, never changed later.
// Must never start on a database it does not fully understand: changed, missing or late files are refused by name.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wallMs } from "@clockwork/host/time/measure";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "./database.ts";
import { type DialectName, resolveTokens } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";
import { createMarks } from "./marks.ts";

/** One file: `ops/001-statistics.sql` belongs to slice `ops` and is its first. */
export interface MigrationSource {
  readonly name: string;
  readonly sql: string;
}

export interface MigrationProgress {
  readonly name: string;
  /** Of the files still to apply: 1 for the first. */
  readonly index: number;
  readonly total: number;
}

/** The schema cannot be migrated; the message names the file and what to do. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "MigrationError";
  }
}

// A type, not an interface: only a type fits Kysely's table record.
type MigrationTables = {
  storage_migrations: { name: string; checksum: string; applied_at_ms: number };
};

// Any number no other program uses on the same server; both processes of a rolling start take it.
const ADVISORY_LOCK = 7_265_310_824_401n;
// How long a migrating process may pause between two statements before its transaction is given up.
const PAUSE_MAX_MS = 60_000;
const NAME = /^([a-z][a-z0-9]*)\/(\d{3})-[a-z0-9-]+\.sql$/;

/**
 * Reads every migration below the repository's root: `areas/<area>/src/<slice>/NNN-*.sql` and the projection's own, which
 * count as slice `engine`. The files are read at start, never bundled; a package ships them at the same paths below its root.
 */
export function collectMigrations(rootFolder: string): MigrationSource[] {
  const slices = foldersBelow(join(rootFolder, "areas")).flatMap((area) =>
    foldersBelow(join(area.folder, "src")).map(({ name, folder }) => ({ slice: name, folder })),
  );
  slices.push({ slice: "engine", folder: join(rootFolder, "apps", "server", "src", "projectors") });
  return slices.flatMap(({ slice, folder }) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => file.endsWith(".sql"))
      .map((file) => ({ name: `${slice}/${file}`, sql: readFileSync(join(folder, file), "utf8") })),
  );
}

const foldersBelow = (path: string): readonly { readonly name: string; readonly folder: string }[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: join(path, name) }));

/**
 * Applies what is missing, all of it or nothing, and returns how many files that was: where one fails, or the process is killed,
 * the tables are as the release before left them. Safe to call from several processes at once.
 */
export async function migrate(
  database: Database,
  sources: readonly MigrationSource[],
  report: (progress: MigrationProgress) => void = () => undefined,
): Promise<number> {
  const ordered = orderSources(sources);
  return database.kysely.connection().execute(async (connection) => {
    const tables = connection.$extendTables<MigrationTables>();
    await lock(tables, database.dialect);
    try {
      await createTable(tables, database.dialect);
      await createMarks(connection, database.dialect);
      const applied = await tables.selectFrom("storage_migrations").select(["name", "checksum"]).execute();
      const pending = choosePending(ordered, applied);
      if (pending.length === 0) return 0;
      await tables.transaction().execute(async (transaction) => {
        for (const [at, source] of pending.entries()) {
          report({ name: source.name, index: at + 1, total: pending.length });
          await apply(transaction, database.dialect, source);
        }
      });
      return pending.length;
    } finally {
      await unlock(tables, database.dialect);
    }
  });
}

/** Whether anything was ever stored here by us. */
export async function hasTables(kysely: Kysely<unknown>): Promise<boolean> {
  const tables = kysely.$extendTables<MigrationTables>();
  try {
    return (await tables.selectFrom("storage_migrations").select("name").limit(1).execute()).length > 0;
  } catch (error) {
    if (error instanceof DatabaseFault && error.kind === "broken") return false;
    throw error;
  }
}

async function lock(tables: Kysely<MigrationTables>, dialect: DialectName): Promise<void> {
  // SQLite's folder has one process, and each file is applied in a transaction that excludes other writers.
  if (dialect === "sqlite") return;
  // Waiting for another process's migrations may take longer than a statement may.
  await sql`set statement_timeout = 0`.execute(tables);
  // Between two statements a process on a busy machine may pause for longer than other transactions may,
  // but one that hangs must not keep the rest from starting for ever.
  await sql`set idle_in_transaction_session_timeout = ${sql.lit(PAUSE_MAX_MS)}`.execute(tables);
  await sql`select pg_advisory_lock(${ADVISORY_LOCK})`.execute(tables);
}

async function unlock(tables: Kysely<MigrationTables>, dialect: DialectName): Promise<void> {
  if (dialect === "sqlite") return;
  // A lost connection has released the lock, and its own error is the one to report.
  await sql`select pg_advisory_unlock(${ADVISORY_LOCK})`.execute(tables).catch(() => undefined);
  await sql`reset statement_timeout`.execute(tables).catch(() => undefined);
  await sql`reset idle_in_transaction_session_timeout`.execute(tables).catch(() => undefined);
}

async function createTable(tables: Kysely<MigrationTables>, dialect: DialectName): Promise<void> {
  const create = `CREATE TABLE IF NOT EXISTS storage_migrations (
    name {{text}} PRIMARY KEY, checksum {{text}} NOT NULL, applied_at_ms {{integer}} NOT NULL)`;
  await sql.raw(resolveTokens(create, dialect)).execute(tables);
}

async function apply(
  transaction: Transaction<MigrationTables>,
  dialect: DialectName,
  source: MigrationSource,
): Promise<void> {
  for (const statement of splitStatements(resolveTokens(source.sql, dialect))) {
    try {
      await sql.raw(statement.text).execute(transaction);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationError(`${source.name} line ${statement.line}: ${reason}`, error);
    }
  }
  const row = { name: source.name, checksum: checksum(source.sql), applied_at_ms: wallMs() };
  await transaction.insertInto("storage_migrations").values(row).execute();
}

/** Which files a start would apply; changes nothing. Throws as a start would. */
export async function listPending(kysely: Kysely<unknown>, sources: readonly MigrationSource[]): Promise<string[]> {
  const tables = kysely.$extendTables<MigrationTables>();
  const applied = (await hasTables(kysely))
    ? await tables.selectFrom("storage_migrations").select(["name", "checksum"]).execute()
    : [];
  return choosePending(orderSources(sources), applied).map(({ name }) => name);
}

/** By slice, then by number; a name that does not fit or a number used twice is refused. */
export function orderSources(sources: readonly MigrationSource[]): MigrationSource[] {
  const seen = new Map<string, string>();
  for (const { name } of sources) {
    const match = NAME.exec(name);
    if (match === null) throw new MigrationError(`${name} is no migration name: use <slice>/NNN-<words>.sql`);
    const place = `${match[1]}/${match[2]}`;
    const other = seen.get(place);
    if (other !== undefined) throw new MigrationError(`${name} and ${other} have the same number`);
    seen.set(place, name);
  }
  return [...sources].sort((left, right) => (left.name < right.name ? -1 : 1));
}

export function choosePending(
  ordered: readonly MigrationSource[],
  applied: readonly { readonly name: string; readonly checksum: string }[],
): MigrationSource[] {
  const checksums = new Map(applied.map((row) => [row.name, row.checksum]));
  const names = new Set(ordered.map((source) => source.name));
  const lastApplied = new Map<string, string>();
  for (const { name } of applied) {
    if (!names.has(name)) {
      throw new MigrationError(
        `the database has ${name}, which this release does not have: a newer release has migrated it. Start that release; downgrades are not possible (docs/releases.json lists the releases)`,
      );
    }
    const slice = sliceOf(name);
    if (name > (lastApplied.get(slice) ?? "")) lastApplied.set(slice, name);
  }
  const pending: MigrationSource[] = [];
  for (const source of ordered) {
    const known = checksums.get(source.name);
    if (known === undefined) {
      const last = lastApplied.get(sliceOf(source.name));
      if (last !== undefined && source.name < last) {
        throw new MigrationError(
          `${source.name} comes before ${last}, which is already applied: give it a later number`,
        );
      }
      pending.push(source);
    } else if (known !== checksum(source.sql)) {
      throw new MigrationError(
        `${source.name} was changed after it was applied: restore it and add a new file instead`,
      );
    }
  }
  return pending;
}

function sliceOf(name: string): string {
  return name.slice(0, name.indexOf("/"));
}

/** Of the text as written, so that the same file has one checksum on both databases and with either line ending. */
export function checksum(source: string): string {
  return createHash("sha256").update(source.replaceAll("\r\n", "\n")).digest("hex");
}

/** Cuts a script at semicolons outside quotes and comments. Triggers and dollar quotes are not in the subset. */
export function splitStatements(script: string): { readonly text: string; readonly line: number }[] {
  const statements: { text: string; line: number }[] = [];
  let text = "";
  let start = -1;
  const push = (): void => {
    if (text.trim() !== "") statements.push({ text: text.trim(), line: script.slice(0, start).split("\n").length });
    text = "";
    start = -1;
  };
  for (const match of script.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^;'"/-]+|[/-]/g)) {
    const [piece] = match;
    if (piece === ";") {
      push();
      continue;
    }
    if (piece.startsWith("--") || piece.startsWith("/*")) continue;
    if (start === -1 && piece.trim() !== "") start = match.index + piece.search(/\S/);
    text += piece;
  }
  push();
  return statements;
}
