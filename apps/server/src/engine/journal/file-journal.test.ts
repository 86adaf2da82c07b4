// Checks the journal in local files without faults: what is written is read back, in order, in fixed segments.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32c } from "@clockwork/kit/hash";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Files, localFiles } from "./files.ts";
import { fill, makeFrames, ScratchJournal, SMALL_SEGMENT_BYTES } from "./journal-fixture.ts";

let scratch = new ScratchJournal();
beforeEach(() => {
  scratch = new ScratchJournal();
});
afterEach(() => scratch.clear());

test("[JOURNAL-1] the checksum in the files is CRC-32C: published vectors", () => {
  expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e);
});

describe("a healthy journal", () => {
  test("[JOURNAL-2] returns every batch after reopening and continues from there", () => {
    const first = scratch.open();
    fill(first, 10);
    first.close();
    const second = scratch.open();
    expect(second.durableSequence).toBe(30);
    expect(second.identity).toBe(first.identity);
    fill(second, 5);
    second.close();
    expect(scratch.readAll()).toBe(45);
    expect([...scratch.open().read(31)].map((batch) => batch.firstSequence)).toEqual([31, 34, 37, 40, 43]);
  });

  test("[JOURNAL-3] rotates through preallocated segments of one size, each sealed but the last", () => {
    const journal = scratch.open();
    fill(journal, 400, 900);
    journal.close();
    const names = readdirSync(scratch.folder);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(readFileSync(join(scratch.folder, name)).length).toBe(SMALL_SEGMENT_BYTES);
    expect(scratch.readAll()).toBe(1200);
    expect(scratch.open().durableSequence).toBe(1200);
  });

  test("[JOURNAL-3] a new segment's name is on the disk before anything is written under it", () => {
    const steps: string[] = [];
    const files: Files = {
      ...localFiles,
      open: (path, mode) => {
        if (mode !== "read" && path.endsWith(".journal")) steps.push("opened");
        return localFiles.open(path, mode);
      },
      rename: (from, to) => {
        if (to.endsWith(".journal")) steps.push("named");
        localFiles.rename(from, to);
      },
      syncFolder: (folder) => {
        if (folder === scratch.folder) steps.push("folder synced");
        localFiles.syncFolder(folder);
      },
    };
    const journal = scratch.open({ files });
    fill(journal, 40, 4_000);
    journal.close();
    const named = steps.flatMap((step, at) => (step === "named" ? [at] : []));
    expect(named.length).toBeGreaterThan(2);
    for (const at of named) expect(steps.slice(at, at + 3)).toEqual(["named", "folder synced", "opened"]);
  });

  test("[JOURNAL-3] names the release in the header and starts a new segment for another release", () => {
    fill(scratch.open(), 2);
    const next = scratch.open({ release: "test-2" });
    fill(next, 2);
    expect(next.segments().map((segment) => [segment.release, segment.firstSequence])).toEqual([
      ["test-1", 1],
      ["test-2", 7],
    ]);
    expect(scratch.readAll()).toBe(12);
  });

  test("[JOURNAL-2] refuses a batch out of order, an empty one and one too large", () => {
    const journal = scratch.open();
    const batch = { count: 1, timeMs: 0, frames: makeFrames(1, 8) };
    expect(() => journal.append({ ...batch, firstSequence: 2 })).toThrow(RangeError);
    expect(() => journal.append({ ...batch, firstSequence: 1, frames: new Uint8Array(0) })).toThrow(RangeError);
    expect(() => journal.append({ ...batch, firstSequence: 1, frames: makeFrames(1, SMALL_SEGMENT_BYTES) })).toThrow(
      RangeError,
    );
    journal.append({ ...batch, firstSequence: 1, frames: makeFrames(1, journal.framesBytesMax) });
    expect(journal.durableSequence).toBe(1);
  });

  test("[JOURNAL-2] takes a prepared spare at rotation instead of writing a blank itself", () => {
    const blank = join(scratch.folder, "spare.tmp");
    let taken = 0;
    const take = (): string | undefined => {
      if (taken++ !== 1) return undefined;
      writeFileSync(blank, new Uint8Array(SMALL_SEGMENT_BYTES));
      return blank;
    };
    const journal = scratch.open({ spares: { take } });
    fill(journal, 100, 900);
    expect(taken).toBe(2);
    expect(readdirSync(scratch.folder)).not.toContain("spare.tmp");
    expect(scratch.readAll()).toBe(300);
  });
});
