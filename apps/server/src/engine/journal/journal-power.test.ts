// Checks power cuts on a disk that loses everything unsynced: at every single step of a journal's life, and with any
// part of the unsynced surviving, everything acknowledged is there afterwards, whole, once and in order.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { FileJournal, type FileJournalOptions, writeBlank } from "./file-journal.ts";
import { SMALL_SEGMENT_BYTES } from "./journal-fixture.ts";
import { LossyDisk, PowerCut } from "./lossy-disk-fixture.ts";

const FOLDER = "/disk/journal";

function openOn(disk: LossyDisk, more: Partial<FileJournalOptions> = {}): FileJournal {
  const journal = new FileJournal({
    folder: FOLDER,
    release: "test-1",
    segmentBytes: SMALL_SEGMENT_BYTES,
    files: disk,
    nowMs: () => 77,
    ...more,
  });
  journal.begin();
  return journal;
}

/** Frames that say which batch they are. */
const framesOf = (sequence: number, bytes: number): Uint8Array => new Uint8Array(bytes).fill(1 + (sequence % 251));

/** Every batch in order as it was written; the last sequence. */
function readAll(journal: FileJournal): number {
  let next = 1;
  for (const batch of journal.read(1)) {
    expect(batch.firstSequence).toBe(next);
    expect(Buffer.compare(batch.frames, framesOf(next, batch.frames.length))).toBe(0);
    next += batch.count;
  }
  return next - 1;
}

/** Appends batches of all sizes; reports each that was acknowledged. */
function append(journal: FileJournal, batches: number, seed: number, onDone: (sequence: number) => void): void {
  const random = createRandom(seed);
  for (let left = batches; left > 0; left--) {
    const firstSequence = journal.durableSequence + 1;
    const frames = framesOf(firstSequence, random.between(1, 9_000));
    journal.append({ firstSequence, count: random.between(1, 4), timeMs: 5, frames });
    onDone(journal.durableSequence);
  }
}

/** Lives until the power is cut in that step; then what comes back must hold. False when the cut came too late. */
function liveAndCut(cutAt: number, seed: number): boolean {
  const disk = new LossyDisk();
  // Every other seed has its blanks written by another owner.
  const take = (): string => {
    const path = `${FOLDER}/spare-${disk.steps}.tmp`;
    writeBlank(disk, path, SMALL_SEGMENT_BYTES);
    return path;
  };
  const more: Partial<FileJournalOptions> = seed % 2 === 0 ? {} : { spares: { take } };
  let answer = 0;
  const note = (sequence: number): void => {
    answer = sequence;
  };
  disk.cutAt = cutAt;
  try {
    append(openOn(disk, more), 14, seed, note);
    // Another release starts its own segment.
    append(openOn(disk, { ...more, release: "test-2" }), 8, seed + 1, note);
    return false;
  } catch (error) {
    if (!(error instanceof Error) || !(error instanceof PowerCut || error.cause instanceof PowerCut)) throw error;
    expect(error instanceof PowerCut ? "SYNC_FAILED" : error.message).toMatch(/^(WRITE|SYNC)_FAILED/);
  }
  disk.restart(seed);
  const again = openOn(disk, { ...more, release: "test-2" });
  const found = again.durableSequence;
  // One batch was in flight, of at most four commands.
  expect([0, 1, 2, 3, 4]).toContain(found - answer);
  expect(readAll(again)).toBe(found);
  append(again, 9, seed + 2, note);
  again.close();
  expect(disk.opened).toBe(0);
  disk.restart(seed + 1);
  const last = openOn(disk, { ...more, release: "test-2" });
  expect(readAll(last)).toBe(answer);
  last.close();
  expect(disk.opened).toBe(0);
  return true;
}

test("[JOURNAL-10] the power cut at any step, with any unsynced part surviving, loses nothing acknowledged", () => {
  let cuts = 0;
  for (let cutAt = 1; cutAt <= 75; cutAt++)
    for (let seed = 1; seed <= 2; seed++) if (liveAndCut(cutAt, cutAt * 1_000 + seed)) cuts++;
  expect(cuts).toBeGreaterThan(120);
});

test("[JOURNAL-10] two cuts on end, the second while the first is mended", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const disk = new LossyDisk();
    let answer = 0;
    for (let life = 0; life < 3; life++) {
      // The last ones are cut within the first few steps: at mending what the one before left behind.
      disk.cutAt = disk.steps + createRandom(seed * 10 + life).between(1, life === 0 ? 60 : 8);
      try {
        append(openOn(disk), 40, seed, (sequence) => {
          answer = sequence;
        });
      } catch (error) {
        if (!(error instanceof Error) || !(error instanceof PowerCut || error.cause instanceof PowerCut)) throw error;
      }
      disk.restart(seed * 10 + life);
    }
    const last = openOn(disk);
    expect(last.durableSequence).toBeGreaterThanOrEqual(answer);
    expect(readAll(last)).toBe(last.durableSequence);
  }
});

test("[JOURNAL-9] what opening calls durable is kept from then on, though the process before left it unsynced", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const disk = new LossyDisk();
    const journal = openOn(disk);
    append(journal, 5, seed, () => undefined);
    // Killed after the write and before the sync: the next opener sees all of it, none of it is on the disk.
    disk.cutAt = disk.steps + 2;
    expect(() => append(journal, 1, seed + 1, () => undefined)).toThrow("SYNC_FAILED");
    disk.cutAt = Number.POSITIVE_INFINITY;
    const found = new FileJournal({
      folder: FOLDER,
      release: "test-1",
      segmentBytes: SMALL_SEGMENT_BYTES,
      files: disk,
    });
    const answer = found.durableSequence;
    expect(answer).toBeGreaterThan(journal.durableSequence);
    disk.restart(seed);
    const again = openOn(disk);
    expect(again.durableSequence).toBe(answer);
    expect(readAll(again)).toBe(answer);
  }
});

/** One process is killed in that step, the power is cut in the life of the next. */
function killAndCut(killedAt: number, seed: number): void {
  const disk = new LossyDisk();
  let answer = 0;
  const note = (sequence: number): void => {
    answer = sequence;
  };
  disk.cutAt = killedAt;
  try {
    append(openOn(disk), 14, killedAt, note);
  } catch (error) {
    if (!(error instanceof Error) || !(error instanceof PowerCut || error.cause instanceof PowerCut)) throw error;
  }
  // The machine lives on: what was written is seen, and nothing more is kept than was.
  disk.cutAt = Number.POSITIVE_INFINITY;
  const next = openOn(disk);
  expect(next.durableSequence).toBeGreaterThanOrEqual(answer);
  answer = next.durableSequence;
  append(next, seed % 3, killedAt, note);
  disk.restart(seed);
  const last = openOn(disk);
  expect(last.durableSequence).toBe(answer);
  expect(readAll(last)).toBe(answer);
}

test("[JOURNAL-9] a process killed at any step, and the power cut in the next one's life: what either acknowledged is there", () => {
  for (let killedAt = 1; killedAt <= 45; killedAt++)
    for (let seed = 1; seed <= 4; seed++) killAndCut(killedAt, seed * 7 + killedAt);
});

test("[JOURNAL-7] a refused start has changed no byte, and a read-only one writes the last record unchanged", () => {
  const disk = new LossyDisk();
  append(openOn(disk), 20, 3, () => undefined);
  const before = disk.list(FOLDER).map((name) => contentOf(disk, name));
  disk.open(`${FOLDER}/left.tmp`, "create").close();
  new FileJournal({ folder: FOLDER, release: "test-9", segmentBytes: SMALL_SEGMENT_BYTES, files: disk }).close();
  expect(disk.list(FOLDER)).toContain("left.tmp");
  const segments = disk.list(FOLDER).filter((name) => name !== "left.tmp");
  expect(segments.map((name) => contentOf(disk, name)).join() === before.join()).toBe(true);
  openOn(disk);
  expect(disk.list(FOLDER)).not.toContain("left.tmp");
});

function contentOf(disk: LossyDisk, name: string): string {
  const file = disk.open(`${FOLDER}/${name}`, "read");
  const bytes = new Uint8Array(file.size());
  file.read(bytes, 0);
  file.close();
  return Buffer.from(bytes).toString("base64");
}

test("[JOURNAL-3] a blank is zeros of that length and synced: at its end, or with a pause after every piece of it", () => {
  const piece = 512 << 10;
  for (const bytes of [0, 4_096, piece, piece + 1, 2 * piece + 4_096]) {
    const disk = new LossyDisk();
    writeBlank(disk, "/disk/blank", bytes);
    disk.syncFolder("/disk");
    const pieces = Math.ceil(bytes / piece);
    // Made, pieces, sync, and the folder here.
    expect(disk.steps).toBe(pieces + 3);
    disk.restart(4);
    const file = disk.open("/disk/blank", "read");
    expect(file.size()).toBe(bytes);
    const found = new Uint8Array(bytes).fill(9);
    expect(file.read(found, 0)).toBe(bytes);
    expect(found.some((byte) => byte !== 0)).toBe(false);
    let pauses = 0;
    const before = disk.steps;
    writeBlank(disk, "/disk/other", bytes, () => pauses++);
    expect([pauses, disk.steps - before]).toEqual([pieces, 2 * pieces + 2]);
    file.close();
    expect(disk.opened).toBe(0);
  }
});
