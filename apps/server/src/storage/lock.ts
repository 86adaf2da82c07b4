// One process per data folder. Owns the folder's lock; must never trust a pid file, which outlives a killed process.
// The lock is the operating system's record lock on `clockwork.lock`, taken through SQLite because Node has no flock:
// the kernel drops it with the process, however that ends, and it holds across containers that share the folder.

import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivate, touchPrivate } from "@clockwork/host/private-files";

const HOLDER_FILE = "clockwork.pid";

export interface FolderLock {
  release(): void;
}

/** The folder belongs to another running process (or to another thread of this one). */
export class FolderInUseError extends Error {
  /** Its holder is stopping. */
  readonly isStopping: boolean;

  constructor(folder: string, answer: string | undefined) {
    const [holder, state] = answer?.split(" ") ?? [];
    const by = holder === undefined ? "another process" : `another process (pid ${holder})`;
    super(`The data folder ${folder} is in use by ${by}. Stop it, or choose another folder with CW_DATA.`);
    this.name = "FolderInUseError";
    this.isStopping = state === STOPPING;
  }
}

const STOPPING = "stopping";
const POLL_MS = 100;
/** Longer than a stop may take. */
const WAIT_MS_MAX = 180_000;

/** Signals a start that waits for the folder that it will be free soon. */
export function noteStopping(folder: string): void {
  writeFileSync(join(folder, HOLDER_FILE), `${process.pid} ${STOPPING}\n`, { mode: 0o600 });
}

/** The same as lockFolder, but waits for a holder that is stopping; it is named once. */
export async function awaitFolder(folder: string, onWait: (reason: string) => void): Promise<FolderLock> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || !error.isStopping || waitedMs >= WAIT_MS_MAX) throw error;
      if (waitedMs === 0) onWait(error.message);
      await sleep(POLL_MS);
    }
  }
}

// Several parts of one process may hold the same folder: the first takes the lock, the last gives it back.
const held = new Map<string, { database: DatabaseSync; holders: number }>();

/** Creates the folder when missing and takes its lock, or throws FolderInUseError at once. */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = realpathSync(folder);
  let entry = held.get(path);
  if (entry === undefined) {
    entry = { database: takeLock(path), holders: 0 };
    held.set(path, entry);
  }
  entry.holders += 1;
  const mine = entry;
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      mine.holders -= 1;
      if (mine.holders > 0) return;
      held.delete(path);
      mine.database.close();
    },
  };
}

function takeLock(path: string): DatabaseSync {
  // Nothing else in this process may open this file: closing any descriptor of it would drop the lock.
  const database = openLock(join(path, "clockwork.lock"));
  const holderPath = join(path, HOLDER_FILE);
  try {
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    makePrivate(path);
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new FolderInUseError(path, readHolder(holderPath));
    throw error;
  }
  // Only displayed, never trusted: the record lock is authoritative.
  writeFileSync(holderPath, `${process.pid}\n`, { mode: 0o600 });
  return database;
}

function openLock(path: string): DatabaseSync {
  if (!existsSync(path)) touchPrivate(path);
  return new DatabaseSync(path, { timeout: 0 });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function readHolder(holderPath: string): string | undefined {
  try {
    return readFileSync(holderPath, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
