// Checks the one place that touches the file system: what is written, what is synced, who may read it, and in which words
// an error of the system comes out. Names that no sync keeps are lost with the power.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemError } from "./fault-files.ts";
import { type Files, localFiles, type OpenFile, readWhole, syncWhole, writeWhole } from "./files.ts";
import { faultOf } from "./journal-fixture.ts";

let folder = "";
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "cw-files-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What was synced while it ran, by path, and how many files it left open. */
function watch(action: () => void): { synced: string[]; open: number } {
  const { openSync, closeSync, fsyncSync, fdatasyncSync } = fs;
  const paths = new Map<number, string>();
  const synced: string[] = [];
  const note = (descriptor: number): void => void synced.push(paths.get(descriptor) ?? "unknown");
  Object.assign(fs, {
    openSync: (...of: Parameters<typeof openSync>) => {
      const descriptor = openSync(...of);
      paths.set(descriptor, String(of[0]));
      return descriptor;
    },
    closeSync: (descriptor: number) => {
      paths.delete(descriptor);
      closeSync(descriptor);
    },
    fsyncSync: (descriptor: number) => {
      note(descriptor);
      fsyncSync(descriptor);
    },
    fdatasyncSync: (descriptor: number) => {
      note(descriptor);
      fdatasyncSync(descriptor);
    },
  });
  syncBuiltinESMExports();
  try {
    action();
  } finally {
    Object.assign(fs, { openSync, closeSync, fsyncSync, fdatasyncSync });
    syncBuiltinESMExports();
  }
  return { synced, open: paths.size };
}

test("[JOURNAL-10] a folder is made with its parents, each name of them kept, and none is synced where all are there", () => {
  const made = join(folder, "a", "b", "c");
  const first = watch(() => localFiles.makeFolder(made));
  expect(first).toEqual({ synced: [join(folder, "a", "b"), join(folder, "a"), folder], open: 0 });
  expect(watch(() => localFiles.makeFolder(made))).toEqual({ synced: [], open: 0 });
  expect(fs.statSync(made).mode & 0o777).toBe(0o700);
  expect(watch(() => localFiles.syncFolder(made))).toEqual({ synced: [made], open: 0 });
});

test("[JOURNAL-2] names are listed in order, none where there is no folder; renamed and removed ones are gone", () => {
  for (const name of ["c", "a", "b"]) fs.writeFileSync(join(folder, name), name);
  expect(localFiles.list(folder)).toEqual(["a", "b", "c"]);
  expect(localFiles.list(join(folder, "none"))).toEqual([]);
  localFiles.rename(join(folder, "a"), join(folder, "d"));
  localFiles.remove(join(folder, "b"));
  localFiles.remove(join(folder, "b"));
  expect(localFiles.list(folder)).toEqual(["c", "d"]);
});

test("[JOURNAL-2] a file is read and written at any place, synced itself, and readable by its owner only", () => {
  const path = join(folder, "file");
  const seen = watch(() => {
    const file = localFiles.open(path, "create");
    writeWhole(file, Uint8Array.of(1, 2, 3, 4), 2);
    writeWhole(file, Uint8Array.of(9), 4);
    expect(file.size()).toBe(6);
    const bytes = new Uint8Array(4);
    expect([file.read(bytes, 3), [...bytes]]).toEqual([3, [2, 9, 4, 0]]);
    expect(file.read(bytes, 6)).toBe(0);
    syncWhole(file);
    file.close();
  });
  expect(seen).toEqual({ synced: [path], open: 0 });
  expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  expect([...readWhole(localFiles, path)]).toEqual([0, 0, 1, 2, 9, 4]);
  // Writing into a file keeps the rest of it, making one does not.
  const again = localFiles.open(path, "write");
  writeWhole(again, Uint8Array.of(7), 0);
  again.close();
  expect([...readWhole(localFiles, path)]).toEqual([7, 0, 1, 2, 9, 4]);
  localFiles.open(path, "create").close();
  expect(readWhole(localFiles, path)).toHaveLength(0);
  expect(() => localFiles.open(join(folder, "none"), "write")).toThrow("ENOENT");
});

test("[JOURNAL-2] a whole file is read into the memory that is given where that is as long, and closed in any case", () => {
  const path = join(folder, "file");
  fs.writeFileSync(path, Uint8Array.of(1, 2, 3));
  const seen = watch(() => {
    const same = new Uint8Array(3);
    expect(readWhole(localFiles, path, same)).toBe(same);
    expect([...same]).toEqual([1, 2, 3]);
    for (const other of [new Uint8Array(2), new Uint8Array(4), undefined]) {
      const found = readWhole(localFiles, path, other);
      expect(found).not.toBe(other);
      expect([...found]).toEqual([1, 2, 3]);
    }
    // It became shorter while it was read.
    const shrinking: Files = {
      ...localFiles,
      open: (name, mode) => {
        const file = localFiles.open(name, mode);
        const read = (bytes: Uint8Array, at: number) => file.read(bytes, at) - 1;
        return {
          path: name,
          size: () => file.size(),
          read,
          write: () => 0,
          syncData: () => undefined,
          close: () => file.close(),
        };
      },
    };
    const fault = faultOf(() => readWhole(shrinking, path));
    expect(fault.message).toBe(`READ_FAILED: ${path}: only 2 of 3 bytes could be read`);
  });
  expect(seen).toEqual({ synced: [], open: 0 });
});

test("[JOURNAL-8] a failed write or sync is reported under the system's code, with the place and the cause", () => {
  const fileThat = (does: () => number): OpenFile => ({
    path: "/disk/f",
    size: () => 0,
    read: () => 0,
    close: () => undefined,
    write: does,
    syncData: () => void does(),
  });
  const failing = (code: string): OpenFile =>
    fileThat(() => {
      throw systemError(code);
    });
  const bytes = new Uint8Array(5);
  for (const [code, answer] of [
    ["ENOSPC", "DISK_FULL"],
    ["EDQUOT", "DISK_FULL"],
    ["EIO", "WRITE_FAILED"],
  ] as const) {
    const fault = faultOf(() => writeWhole(failing(code), bytes, 64));
    expect(fault.message).toBe(`${answer}: /disk/f at byte 64: write of 5 bytes failed: ${code}`);
    expect([fault.code, fault.place, fault.cause]).toMatchObject([answer, { file: "/disk/f", offset: 64 }, { code }]);
    const unsynced = faultOf(() => syncWhole(failing(code)));
    expect([unsynced.code, unsynced.message]).toEqual([
      "SYNC_FAILED",
      `SYNC_FAILED: /disk/f: fdatasync failed: ${code}`,
    ]);
    expect(unsynced.cause).toMatchObject({ code });
  }
  expect(
    faultOf(() =>
      writeWhole(
        fileThat(() => 4),
        bytes,
        8,
      ),
    ).message,
  ).toBe("DISK_FULL: /disk/f at byte 8: only 4 of 5 bytes were written: the disk is full");
  writeWhole(
    fileThat(() => 5),
    bytes,
    8,
  );
});
