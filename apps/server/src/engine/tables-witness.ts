// A file next to the journal with the tables' last sequence: tables that are older at a start come from an older copy,
// which nothing else would detect. Never decides anything; a missing or broken file is ignored.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { every, inBackground } from "@clockwork/host/time/background";

const FILE = "tables.seen";
/** Longer than a disk keeps what was written to the tables without a sync. */
const EVERY_MS = 60_000;

interface Seen {
  readonly journal: string;
  readonly sequence: number;
}

function readSeen(folder: string): Seen | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), "utf8")) as Seen;
  } catch {
    return undefined;
  }
}

function writeSeen(folder: string, seen: Seen): void {
  const path = join(folder, FILE);
  const file = openSync(`${path}.tmp`, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(seen)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.tmp`, path);
}

/** What is wrong with tables of this journal that reach so far; nothing when nothing is. */
export function findOlderTables(folder: string, journal: string, sequence: number): string | undefined {
  const seen = readSeen(folder);
  if (seen === undefined || seen.journal !== journal || seen.sequence <= sequence) return undefined;
  return (
    `the tables hold events up to ${sequence}, but had reached ${seen.sequence}: they come from an older copy. ` +
    "What the journal holds is written again; what only the tables held since then (users, sessions, settings) is not there"
  );
}

/** Notes how far the tables are, now and then; the answer ends it. */
export function keepWitness(folder: string, read: () => Seen, everyMs = EVERY_MS): { close(isSynced: boolean): void } {
  let before = read();
  const timer = every(
    "engine.witness",
    () => {
      const now = read();
      // What was reached a while ago is on the disk by now; what was reached just now may not be.
      if (before.sequence > 0 && before.sequence !== readSeen(folder)?.sequence) writeSeen(folder, before);
      before = now;
    },
    everyMs,
  );
  timer.unref();
  return {
    close(isSynced) {
      clearInterval(timer);
      // Without it the next start can report a little less.
      inBackground("engine.witness", () => isSynced && read().sequence > 0 && writeSeen(folder, read()));
    },
  };
}
