// Tables that are gone while the journal of the same exchange exists: reported before anything is written, since a
// start would create them anew without users, sessions and everything else the journal does not hold.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { DATABASE_FILE } from "./database.ts";
import { hasTables } from "./migrations.ts";

function hasJournal(folder: string): boolean {
  const journal = join(folder, "journal");
  return existsSync(journal) && readdirSync(journal).some((name) => name.endsWith(".journal"));
}

function lost(folder: string, what: string): Error {
  return new Error(
    `${what}, but ${join(folder, "journal")} is there: users, sessions and all else that only the tables hold would be lost. ` +
      "Nothing was written. Restore the database from a copy; to go on without it, run clockwork rebuild first",
  );
}

/** Before the file is opened, and so made. */
export function requireDatabaseFile(folder: string, url: string | undefined): void {
  const path = join(folder, DATABASE_FILE);
  if ((url === undefined || url === "") && hasJournal(folder) && !existsSync(path)) {
    throw lost(folder, `${path} is missing`);
  }
}

/** Before the first table is made. */
export async function requireTables(folder: string, url: string | undefined, kysely: Kysely<unknown>): Promise<void> {
  if (!hasJournal(folder) || (await hasTables(kysely))) return;
  throw lost(
    folder,
    url === undefined || url === "" ? `${join(folder, DATABASE_FILE)} is empty` : "the database is empty",
  );
}
