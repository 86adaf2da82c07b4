// A data folder is readable only by its owner, whatever it was like before the start.
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSecretKey } from "@clockwork/identity/accounts/secret-key";
import { afterEach, expect, test } from "vitest";
import { backupDatabase } from "./backup.ts";
import { openDatabase } from "./database.ts";
import { lockFolder } from "./lock.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** Every file below with its mode, links left out. */
function modesOf(folder: string): Record<string, string> {
  const modes: Record<string, string> = { ".": (lstatSync(folder).mode & 0o777).toString(8) };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const known = lstatSync(join(folder, name));
    if (!known.isSymbolicLink()) modes[name] = `${known.isDirectory() ? "d" : ""}${(known.mode & 0o777).toString(8)}`;
  }
  return modes;
}

test.each([0o022, 0o000])(
  "[OPS-4] every file of a new folder is the owner's alone, whatever the mask (%o)",
  async (mask) => {
    const root = mkdtempSync(join(tmpdir(), "clockwork-modes-"));
    roots.push(root);
    const before = trySetMask(mask);
    try {
      const folder = join(root, "data");
      const lock = lockFolder(folder);
      const database = await openDatabase({ url: undefined, folder });
      await database.health();
      loadSecretKey(folder, "");
      backupDatabase(folder, join(folder, "copy.sqlite"));
      const modes = modesOf(folder);
      expect(Object.keys(modes)).toEqual(expect.arrayContaining(["clockwork.sqlite", "clockwork.lock", "secret.key"]));
      expect(new Set(Object.values(modes))).toEqual(new Set(["700", "600"]));
      await database.close();
      lock.release();
    } finally {
      trySetMask(before);
    }
  },
);

/** Only the main thread of a process may; elsewhere the mask is unchanged. */
function trySetMask(mask: number): number {
  try {
    return process.umask(mask);
  } catch {
    return mask;
  }
}

test("[OPS-4] what others could read is corrected at the start; nothing that is not ours is touched", () => {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-modes-"));
  const elsewhere = mkdtempSync(join(tmpdir(), "clockwork-modes-"));
  roots.push(folder, elsewhere);
  const open = (path: string) => {
    writeFileSync(path, "x");
    chmodSync(path, 0o644);
  };
  for (const name of ["clockwork.sqlite", "clockwork.sqlite-wal", "clockwork.sqlite-shm", "secret.key", "notes.txt"]) {
    open(join(folder, name));
  }
  for (const name of ["journal", "snapshots", "photos"]) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o755);
    open(join(folder, name, "1"));
  }
  open(join(elsewhere, "target"));
  symlinkSync(join(elsewhere, "target"), join(folder, "journal", "linked"));
  chmodSync(folder, 0o755);
  lockFolder(folder).release();
  expect(modesOf(folder)).toMatchObject({
    ".": "700",
    "clockwork.sqlite": "600",
    "clockwork.sqlite-wal": "600",
    "clockwork.sqlite-shm": "600",
    "secret.key": "600",
    "notes.txt": "644",
    journal: "d700",
    "journal/1": "600",
    snapshots: "d700",
    "snapshots/1": "600",
    photos: "d755",
    "photos/1": "644",
  });
  expect((lstatSync(join(elsewhere, "target")).mode & 0o777).toString(8)).toBe("644");
});
