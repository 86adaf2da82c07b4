// Throwaway databases for tests: SQLite in a temporary folder and a database of its own on a real PostgreSQL. Must
// never skip: without PostgreSQL the suite fails and prints how to get one.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
// biome-ignore lint/correctness/noUndeclaredDependencies: the repository's root declares its test runner
import { afterAll, beforeAll, describe } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import type { DialectName } from "./dialect.ts";
import { copyTables, templateOn } from "./test-template.ts";

export interface TestDatabase {
  readonly dialect: DialectName;
  /** The open database; a test may close it and open another with `options`. */
  database(): Database;
  /** Opens the same database once more (after closing it, for SQLite). */
  open(overrides?: Partial<DatabaseOptions>): Promise<Database>;
  readonly options: () => DatabaseOptions;
}

/** What a test finds in it: nothing, or every table of the exchange. */
type Begins = "empty" | "migrated";
type Define = (test: TestDatabase) => void;
/** Tests request more at once than there are connections, in parallel with others: none may time out. */
const TIMEOUT_MS = 60_000;
const DIALECTS = ["sqlite", "postgres"] as const;

/** Runs the same tests on both databases, each on a fresh one that is gone afterwards. */
export function forEachDatabase(name: string, define: Define): void {
  for (const dialect of DIALECTS) forDatabase(dialect, name, define);
}

export function forDatabase(dialect: DialectName, name: string, define: Define): void {
  describeOn(dialect, name, "empty", define);
}

/** The same with every table created: starting an exchange on it, or migrating it, has nothing left to do. */
export function forEachMigrated(name: string, define: Define): void {
  for (const dialect of DIALECTS) forMigrated(dialect, name, define);
}

export function forMigrated(dialect: DialectName, name: string, define: Define): void {
  describeOn(dialect, name, "migrated", define);
}

function describeOn(dialect: DialectName, name: string, begins: Begins, define: Define): void {
  describe(`${name} on ${dialect}`, () => {
    let place: { options: DatabaseOptions; remove(): Promise<void> };
    let database: Database;
    beforeAll(async () => {
      place = dialect === "sqlite" ? await createFolder(begins) : await createDatabase(begins);
      database = await openDatabase(place.options);
    });
    afterAll(async () => {
      await database?.close();
      await place?.remove();
    });
    define({
      dialect,
      database: () => database,
      options: () => place.options,
      open: async (overrides = {}) => {
        database = await openDatabase({ ...place.options, ...overrides });
        return database;
      },
    });
  });
}

async function createFolder(begins: Begins): Promise<{ options: DatabaseOptions; remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-test-"));
  if (begins === "migrated") await copyTables(folder);
  return {
    options: { url: undefined, folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createDatabase(begins: Begins): Promise<{ options: DatabaseOptions; remove(): Promise<void> }> {
  const url = testServerUrl();
  const name = `cw_test_${randomBytes(8).toString("hex")}`;
  const template = begins === "migrated" ? await templateOn(url) : "template0";
  await onServer(url, `create database ${name} encoding 'UTF8' template ${template}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    options: { url: own.href, folder: tmpdir(), connectMaxMs: TIMEOUT_MS, answerMaxMs: TIMEOUT_MS },
    remove: () => onServer(url, `drop database if exists ${name} with (force)`),
  };
}

/** A PostgreSQL the tests may create databases on. */
export function testServerUrl(): string {
  // biome-ignore lint/style/noProcessEnv: tests have no config file; only the test runner sets this
  const url = process.env.CW_TEST_DATABASE_URL;
  if (url === undefined || url === "") {
    throw new Error(
      "CW_TEST_DATABASE_URL is not set: slice tests need a PostgreSQL on which they may create databases " +
        "(`npm test` starts one, or point it at your own, such as postgres://postgres@127.0.0.1:5432/postgres)",
    );
  }
  return url;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
