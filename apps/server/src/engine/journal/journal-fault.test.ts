// Checks what the journal does with every kind of damage: it returns all acknowledged commands, or it refuses to open
// with the exact place.
import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultyFiles, systemError } from "./fault-files.ts";
import type { FileJournal } from "./file-journal.ts";
import { faultOf, fill, ScratchJournal, SMALL_SEGMENT_BYTES } from "./journal-fixture.ts";

let scratch = new ScratchJournal();
beforeEach(() => {
  scratch = new ScratchJournal();
});
afterEach(() => scratch.clear());

describe("a torn tail is cut", () => {
  const tear = (from: number, to?: number): void => {
    const last = scratch.records(1).at(-1);
    if (last === undefined) throw new Error("no record");
    scratch.edit(1, (bytes) => bytes.fill(0, last.offset + from, last.offset + (to ?? last.bytes)));
  };

  test.each([0, 1, 63, 64, 200, 511, 512, 1024, 1500])("[JOURNAL-4] a last record cut after %i bytes", (kept) => {
    const journal = scratch.open();
    fill(journal, 5, 1500);
    journal.close();
    const { offset } = scratch.record(1, -1);
    tear(kept);
    let line = "";
    const reopened = scratch.open({
      onTornTail: (text) => {
        line = text;
      },
    });
    expect(reopened.durableSequence).toBe(12);
    const where = `${scratch.path(1)} at byte ${offset}, sequence 13`;
    if (kept > 0) expect(line).toContain(`bytes of an unfinished write: ${where}: `);
    // Behind the header no byte of it is zero.
    if (kept >= 64) expect(line).toMatch(new RegExp(`^cut ${kept} bytes `));
    // Shorter than what was cut, none of which may remain after it.
    fill(reopened, 1, 100);
    reopened.close();
    expect(scratch.readAll()).toBe(15);
    expect(scratch.open().durableSequence).toBe(15);
  });

  test("[JOURNAL-4] a last record that lacks a sector in the middle, or its first", () => {
    for (const [from, to] of [
      [1024 - 64, 1536 - 64],
      [0, 448],
    ]) {
      scratch.clear();
      const journal = scratch.open();
      fill(journal, 1, 3900);
      journal.close();
      // The only record starts on a sector, so tear whole sectors of it.
      const base = 4096;
      scratch.edit(1, (bytes) =>
        bytes.fill(0, base + Math.ceil((from ?? 0) / 512) * 512, base + Math.ceil((to ?? 0) / 512) * 512),
      );
      expect(scratch.open().durableSequence).toBe(0);
    }
  });

  test("[JOURNAL-4] stray bits in the blank rest lose nothing", () => {
    const journal = scratch.open();
    fill(journal, 5);
    journal.close();
    scratch.edit(1, (bytes) => bytes.writeUInt8(4, 40_000));
    const reopened = scratch.open();
    expect(reopened.durableSequence).toBe(15);
    fill(reopened, 100);
    expect(scratch.readAll()).toBe(315);
  });
});

describe("damage is refused with the exact place", () => {
  test("[JOURNAL-5] every single flipped bit of a committed record, the last one included", () => {
    const journal = scratch.open();
    fill(journal, 3, 150);
    journal.close();
    const pristine = readFileSync(scratch.path(1));
    for (const record of scratch.records(1)) {
      for (let at = record.offset; at < record.offset + record.bytes; at += 1) {
        const bytes = Buffer.from(pristine);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
        writeFileSync(scratch.path(1), bytes);
        const fault = faultOf(() => scratch.open());
        expect(fault.code).toBe("JOURNAL_DAMAGED");
        expect(fault.place).toEqual({ file: scratch.path(1), offset: record.offset, sequence: record.first });
      }
    }
  });

  test("[JOURNAL-5] a flipped bit in the segment header", () => {
    fill(scratch.open(), 1);
    scratch.edit(1, (bytes) => bytes.writeUInt8((bytes[20] ?? 0) ^ 8, 20));
    expect(faultOf(() => scratch.open()).message).toContain("checksum of the segment header is wrong");
  });

  test("[JOURNAL-5] a blanked record in the middle", () => {
    fill(scratch.open(), 5);
    const middle = scratch.records(1)[2];
    scratch.edit(1, (bytes) => bytes.fill(0, middle?.offset, (middle?.offset ?? 0) + (middle?.bytes ?? 0)));
    expect(faultOf(() => scratch.open()).place).toEqual({
      file: scratch.path(1),
      offset: middle?.offset,
      sequence: middle?.first,
    });
  });

  test("[JOURNAL-6] two records swapped", () => {
    fill(scratch.open(), 6);
    const [, second, third] = scratch.records(1);
    if (second === undefined || third === undefined) throw new Error("too few records");
    scratch.edit(1, (bytes) => {
      const copy = Buffer.from(bytes.subarray(second.offset, second.offset + second.bytes));
      bytes.copyWithin(second.offset, third.offset, third.offset + third.bytes);
      copy.copy(bytes, third.offset);
    });
    expect(faultOf(() => scratch.open()).message).toMatch(/sequence 4: found sequence 7 where 4 belongs/);
  });

  test("[JOURNAL-6] a record repeated at the end, and one put over its neighbour", () => {
    fill(scratch.open(), 3);
    const pristine = readFileSync(scratch.path(1));
    const last = scratch.records(1)[2];
    if (last === undefined) throw new Error("too few records");
    scratch.edit(1, (bytes) => bytes.copyWithin(last.offset + last.bytes, last.offset, last.offset + last.bytes));
    expect(faultOf(() => scratch.open()).message).toMatch(/found sequence 7 where 10 belongs: a record is repeated/);
    writeFileSync(scratch.path(1), pristine);
    scratch.edit(1, (bytes) => bytes.copyWithin(last.offset, last.offset - last.bytes, last.offset));
    expect(faultOf(() => scratch.open()).message).toMatch(/found sequence 4 where 7 belongs/);
  });

  test("[JOURNAL-6] a record of another journal with the right sequence and checksums breaks the chain", () => {
    fill(scratch.open(), 3);
    const last = scratch.records(1)[2];
    const own = readFileSync(scratch.path(1));
    scratch.clear();
    fill(scratch.open(), 3);
    const foreign = readFileSync(scratch.path(1));
    foreign.copy(own, last?.offset, last?.offset, (last?.offset ?? 0) + (last?.bytes ?? 0));
    writeFileSync(scratch.path(1), own);
    expect(faultOf(() => scratch.open()).message).toContain("hash chain is broken");
  });
});

describe("segments", () => {
  beforeEach(() => {
    const journal = scratch.open();
    fill(journal, 250, 900);
    journal.close();
  });

  test("[JOURNAL-7] a truncated segment is refused, whichever it is", () => {
    const count = readdirSync(scratch.folder).length;
    for (const index of [1, count]) {
      const pristine = readFileSync(scratch.path(index));
      for (const bytes of [0, 100, 4096, 30_000, SMALL_SEGMENT_BYTES - 1]) {
        truncateSync(scratch.path(index), bytes);
        expect(faultOf(() => scratch.open()).place?.file).toBe(scratch.path(index));
        writeFileSync(scratch.path(index), pristine);
      }
    }
  });

  test("[JOURNAL-7] a missing segment is refused: the first, one in the middle, the last", () => {
    const count = readdirSync(scratch.folder).length;
    for (const index of [1, 2, count]) {
      const pristine = readFileSync(scratch.path(index));
      rmSync(scratch.path(index));
      expect(faultOf(() => scratch.open()).code).toBe("JOURNAL_SEGMENT_MISSING");
      writeFileSync(scratch.path(index), pristine);
    }
  });

  test("[JOURNAL-7] a duplicated segment is refused under every name", () => {
    const count = readdirSync(scratch.folder).length;
    for (const name of [scratch.path(count + 1), join(scratch.folder, "segment-00000002 copy.journal")]) {
      copyFileSync(scratch.path(2), name);
      expect(faultOf(() => scratch.open()).code).toBe("JOURNAL_SEGMENT_REPEATED");
      rmSync(name);
    }
    copyFileSync(scratch.path(2), scratch.path(3));
    expect(faultOf(() => scratch.open()).message).toContain("is a copy of segment 2 under another name");
  });

  test("[JOURNAL-5] damage in an old segment is found by its reader, with the place", () => {
    const record = scratch.records(1)[7];
    scratch.edit(1, (bytes) =>
      bytes.writeUInt8((bytes[(record?.offset ?? 0) + 80] ?? 0) ^ 1, (record?.offset ?? 0) + 80),
    );
    expect(faultOf(() => scratch.readAll()).place).toEqual({
      file: scratch.path(1),
      offset: record?.offset,
      sequence: record?.first,
    });
  });

  test("[JOURNAL-7] a crash between making a segment and sealing the one before is mended", () => {
    const count = readdirSync(scratch.folder).length;
    let syncs = 0;
    const armed = { on: false };
    const files = faultyFiles({
      onSync: () => (armed.on && ++syncs === 3 ? systemError("EIO") : undefined),
    });
    const journal = scratch.open({ files });
    const before = journal.durableSequence;
    // Blank, header, then the seal: the third sync after arming at a full segment is the seal's.
    fillUntilFull(journal);
    const acknowledged = journal.durableSequence;
    armed.on = true;
    expect(() => fill(journal, 1, 900)).toThrow("SYNC_FAILED");
    journal.close();
    expect(readdirSync(scratch.folder).length).toBe(count + 1);
    const reopened = scratch.open();
    expect(reopened.durableSequence).toBe(acknowledged);
    expect(acknowledged).toBeGreaterThanOrEqual(before);
    fill(reopened, 3);
    expect(scratch.readAll()).toBe(acknowledged + 9);
  });

  /** Appends until one more batch of 900 bytes would need a new segment. */
  function fillUntilFull(journal: FileJournal): void {
    const recordSize = 1024;
    const used = scratch.records(readdirSync(scratch.folder).length).length * recordSize;
    const room = Math.floor((SMALL_SEGMENT_BYTES - 4096 - 128 - used) / recordSize);
    fill(journal, room, 900);
  }
});

describe("the disk fails", () => {
  test("[JOURNAL-8] a short write is a full disk: fatal, clear, nothing acknowledged is lost", () => {
    const armed = { on: false };
    const journal = scratch.open({ files: faultyFiles({ onWrite: () => (armed.on ? 700 : undefined) }) });
    fill(journal, 4, 1500);
    armed.on = true;
    expect(() => fill(journal, 1, 1500)).toThrow(/DISK_FULL: .*only 700 of 1600 bytes were written/);
    armed.on = false;
    expect(() => fill(journal, 1, 1500)).toThrow("DISK_FULL");
    expect(journal.durableSequence).toBe(12);
    journal.close();
    expect(scratch.open().durableSequence).toBe(12);
  });

  test("[JOURNAL-8] ENOSPC while a new segment is made", () => {
    const armed = { on: false };
    const files = faultyFiles({
      onWrite: (path) => (armed.on && path.endsWith(".tmp") ? systemError("ENOSPC") : undefined),
    });
    const journal = scratch.open({ files });
    armed.on = true;
    expect(() => fill(journal, 100, 900)).toThrow("DISK_FULL");
    const acknowledged = journal.durableSequence;
    expect(acknowledged).toBeGreaterThan(100);
    journal.close();
    expect(scratch.open().durableSequence).toBe(acknowledged);
  });

  test("[JOURNAL-9] a failed sync is fatal and never retried; what was acknowledged before is there", () => {
    let fails = false;
    let syncs = 0;
    const files = faultyFiles({
      onSync: () => {
        syncs++;
        return fails ? systemError("EIO") : undefined;
      },
    });
    const journal = scratch.open({ files });
    fill(journal, 4);
    fails = true;
    expect(() => fill(journal, 1)).toThrow(/SYNC_FAILED: .*fdatasync failed: EIO/);
    const requested = syncs;
    fails = false;
    expect(() => fill(journal, 1)).toThrow("SYNC_FAILED");
    expect(syncs).toBe(requested);
    expect(journal.durableSequence).toBe(12);
    journal.close();
    // The unacknowledged batch may or may not be there: it was whole in the page cache.
    expect([12, 15]).toContain(scratch.open().durableSequence);
  });

  test("[JOURNAL-9] opening writes the last record again and syncs before anything is called durable", () => {
    fill(scratch.open(), 4);
    const writes: number[] = [];
    let synced = false;
    const files = faultyFiles({
      onWrite: (_path, _bytes, position) => {
        writes.push(position);
        return undefined;
      },
      onSync: () => {
        synced = true;
        return undefined;
      },
    });
    scratch.open({ files }).close();
    expect(writes).toEqual([scratch.records(1)[3]?.offset]);
    expect(synced).toBe(true);
  });

  test("[JOURNAL-9] opening writes the last record and nothing else, however many segments there are", () => {
    const written = (): string[] => {
      const found: string[] = [];
      const files = faultyFiles({
        onWrite: (path, bytes, position) => {
          found.push(`${path} ${bytes.length} at ${position}`);
          return undefined;
        },
      });
      scratch.open({ files }).close();
      return found;
    };
    scratch.open().close();
    expect(written()).toEqual([]);
    fill(scratch.open(), 150, 900);
    const { bytes, offset } = scratch.record(3, -1);
    expect(written()).toEqual([`${scratch.path(3)} ${bytes} at ${offset}`]);
  });
});
