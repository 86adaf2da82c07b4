// A consistent copy of the embedded database while the server continues to write. For the command line: it blocks its
// thread, so the server itself must never call it. Must never leave a half-written file under the target's name.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { touchPrivate } from "@clockwork/host/private-files";
import { DATABASE_FILE } from "./database.ts";
import { DatabaseFault } from "./fault.ts";

const BUSY_TIMEOUT_MS = 10_000;

/** Copies the folder's database to a new file, checks the copy and returns its size in bytes. */
export function backupDatabase(folder: string, target: string): number {
  return copyDatabase(join(folder, DATABASE_FILE), target);
}

/** Any SQLite file, also while it is written. */
export function copyDatabase(source: string, target: string): number {
  if (!existsSync(source)) throw new DatabaseFault("broken", `there is no database at ${source}`);
  if (existsSync(target)) throw new DatabaseFault("broken", `${target} exists already: choose a new name`);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  try {
    touchPrivate(partial);
    // Only reads, so it needs no folder lock; one read transaction sees one moment, and writers do not wait for it.
    const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      database.prepare("VACUUM INTO ?").run(partial);
    } finally {
      database.close();
    }
    checkCopy(partial);
    syncPath(partial);
    renameSync(partial, target);
    syncPath(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return statSync(target).size;
}

function checkCopy(path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const row = copy.prepare("PRAGMA integrity_check").get();
    if (row?.integrity_check !== "ok") {
      throw new DatabaseFault("broken", `the copy failed its check: ${String(row?.integrity_check)}`);
    }
  } finally {
    copy.close();
  }
}

function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
