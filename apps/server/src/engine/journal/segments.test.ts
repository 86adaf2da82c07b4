// Checks the reading side of a journal: the list of its segments with every header that does not belong, any part of it
// from any sequence to any, and what must not be between two segments. On a disk in memory.
import { allOf } from "@clockwork/kit/all-of";
import { expect, test } from "vitest";
import { FileJournal, SEGMENT_BYTES_DEFAULT } from "./file-journal.ts";
import { readWhole } from "./files.ts";
import { faultOf, makeFrames } from "./journal-fixture.ts";
import {
  decodeRecordHeader,
  decodeSegmentHeader,
  encodeSegmentHeader,
  type SegmentHeader,
  segmentName,
} from "./journal-format.ts";
import { LossyDisk } from "./lossy-disk-fixture.ts";
import { listSegments, type ReadEnd, readBatches } from "./segments.ts";

const FOLDER = "/disk/journal";
const BYTES = 64 << 10;
const path = (index: number): string => `${FOLDER}/${segmentName(index)}`;

/** Batches of three commands and 9 000 bytes: six to a segment, so that this many fill three and start a fourth. */
const BATCHES = 20;
const LAST = 3 * BATCHES;
/** First sequences of the segments, and where the last record of a full one ends. */
const FIRSTS = [1, 19, 37, 55];
const FULL_END = 4_096 + 6 * 9_152;

function openOn(disk: LossyDisk): FileJournal {
  const journal = new FileJournal({ folder: FOLDER, release: "test-1", segmentBytes: BYTES, files: disk });
  journal.begin();
  return journal;
}

function makeJournal(batches = BATCHES): LossyDisk {
  const disk = new LossyDisk();
  const journal = openOn(disk);
  for (let batch = 0; batch < batches; batch++) {
    const firstSequence = journal.durableSequence + 1;
    journal.append({ firstSequence, count: 3, timeMs: 1_000 + batch, frames: makeFrames(firstSequence, 9_000) });
  }
  journal.close();
  return disk;
}

function put(disk: LossyDisk, index: number, bytes: Uint8Array, at = 0): void {
  const file = disk.open(path(index), "write");
  file.write(bytes, at);
  file.close();
}

/** Another header with right checksums. */
function retitle(disk: LossyDisk, index: number, change: Partial<SegmentHeader>): void {
  const header = decodeSegmentHeader(readWhole(disk, path(index)));
  if (typeof header === "string") throw new Error(header);
  put(disk, index, encodeSegmentHeader({ ...header, ...change }));
}

const blank = (disk: LossyDisk, index: number, from: number, to = BYTES): void =>
  put(disk, index, new Uint8Array(to - from), from);

const refusalOf = (disk: LossyDisk): { code: string; message: string; place: unknown } => {
  const before = disk.opened;
  const { code, message, place } = faultOf(() => listSegments(disk, FOLDER));
  expect(disk.opened).toBe(before);
  return { code, message: message.slice(message.lastIndexOf(": ") + 2), place };
};

test("[JOURNAL-3] segments are listed in order with their headers; other files are ignored", () => {
  const disk = makeJournal();
  disk.open(`${FOLDER}/spare.tmp`, "create").close();
  const found = listSegments(disk, FOLDER);
  expect(found.map(({ path: at, header }) => [at, header.index, header.firstSequence, header.segmentBytes])).toEqual(
    FIRSTS.map((first, at) => [path(at + 1), at + 1, first, BYTES]),
  );
  expect(found[0]?.header.identity).toMatch(/^[0-9a-f]{32}$/);
  expect(disk.opened).toBe(0);
  expect(listSegments(disk, "/disk/none")).toEqual([]);
});

test("[JOURNAL-7] each header that does not belong to its place is refused with its file and the reason", () => {
  const answer = (change: (disk: LossyDisk) => void) => {
    const disk = makeJournal();
    change(disk);
    return refusalOf(disk);
  };
  const at = (index: number) => ({ file: path(index), offset: 0 });
  expect(answer((disk) => disk.rename(path(2), `${FOLDER}/segment-2.journal`))).toEqual({
    code: "JOURNAL_SEGMENT_MISSING",
    message: "segment 2 is missing before it",
    place: { file: path(3) },
  });
  expect(answer((disk) => disk.rename(path(4), `${FOLDER}/segment-4.journal`))).toEqual({
    code: "JOURNAL_SEGMENT_REPEATED",
    message: "is not a name the journal gives",
    place: { file: `${FOLDER}/segment-4.journal` },
  });
  expect(answer((disk) => retitle(disk, 3, { index: 5 }))).toEqual({
    code: "JOURNAL_SEGMENT_REPEATED",
    message: "is a copy of segment 5 under another name",
    place: at(3),
  });
  expect(answer((disk) => retitle(disk, 2, { segmentBytes: BYTES + 1 }))).toEqual({
    code: "JOURNAL_DAMAGED",
    message: `is ${BYTES} bytes long but was made with ${BYTES + 1}`,
    place: at(2),
  });
  expect(answer((disk) => retitle(disk, 3, { identity: "ab".repeat(16) }))).toEqual({
    code: "JOURNAL_SEGMENT_REPEATED",
    message: "belongs to another journal",
    place: at(3),
  });
  expect(answer((disk) => retitle(disk, 2, { identity: "ab".repeat(16) }))).toMatchObject({ place: at(2) });
  expect(answer((disk) => retitle(disk, 4, { firstSequence: 36 }))).toMatchObject({ place: at(4) });
  expect(answer((disk) => retitle(disk, 3, { firstSequence: 18 }))).toEqual({
    code: "JOURNAL_DAMAGED",
    message: "begins at 18, before the segment it follows",
    place: at(3),
  });
  expect(answer((disk) => retitle(disk, 1, { firstSequence: 2 }))).toEqual({
    code: "JOURNAL_DAMAGED",
    message: "first segment begins at 2",
    place: at(1),
  });
  expect(answer((disk) => put(disk, 4, Uint8Array.of(0)))).toEqual({
    code: "JOURNAL_DAMAGED",
    message: "not a journal segment",
    place: at(4),
  });
  // A segment that starts where the previous one does follows a segment without a record.
  const empty = makeJournal();
  retitle(empty, 2, { firstSequence: 1 });
  expect(listSegments(empty, FOLDER)).toHaveLength(4);
});

function walk(disk: LossyDisk, from: number, to?: number, reuse?: boolean): { firsts: number[]; end: ReadEnd } {
  const batches = readBatches(disk, listSegments(disk, FOLDER), from, to, reuse);
  const firsts: number[] = [];
  for (;;) {
    const step = batches.next();
    if (step.done) return { firsts, end: step.value };
    const { firstSequence, count, timeMs, frames } = step.value;
    expect([count, timeMs]).toEqual([3, 1_000 + (firstSequence - 1) / 3]);
    expect(Buffer.compare(frames, makeFrames(firstSequence, 9_000))).toBe(0);
    firsts.push(firstSequence);
  }
}

test("[JOURNAL-2] any part is given from the batch that holds its first command to the one that holds its last", () => {
  const disk = makeJournal();
  const all = Array.from({ length: BATCHES }, (_, at) => 1 + 3 * at);
  for (const from of [0, 1, 2, 3, 4, 18, 19, 20, 36, 37, 54, 55, 59, 60, 61, 90]) {
    for (const to of [undefined, 1, 3, 4, 18, 19, 36, 54, 55, 57, 58, 60, 61]) {
      const { firsts, end } = walk(disk, from, to, from % 2 === 0);
      expect(firsts).toEqual(all.filter((first) => first + 2 >= from && first <= (to ?? LAST)));
      const isAll = to === undefined || to > LAST;
      // Where reading started after the requested place, nothing is checked.
      const started = FIRSTS.findLast((first) => first <= from) ?? 1;
      const last = isAll ? LAST : Math.max(started - 1, Math.ceil(to / 3) * 3);
      expect(end.lastSequence).toBe(last);
      expect(end.stop?.kind).toBe(isAll ? "clean" : undefined);
    }
  }
  expect(walk(new LossyDisk(), 1)).toEqual({ firsts: [], end: { lastSequence: 0, stop: undefined } });
  expect(disk.opened).toBe(0);
});

test("[JOURNAL-2] a batch names its segment and place, and outlives the next segment unless memory is reused", () => {
  const disk = makeJournal();
  for (const reuse of [undefined, false, true]) {
    const batches = readBatches(disk, listSegments(disk, FOLDER), 1, undefined, reuse);
    const found = [...batches];
    expect(found.map(({ segment, offset }) => [segment.header.index, offset]).slice(5, 8)).toEqual([
      [1, FULL_END - 9_152],
      [2, 4_096],
      [2, 4_096 + 9_152],
    ]);
    const kept = found.filter(
      ({ firstSequence, frames }) => Buffer.compare(frames, makeFrames(firstSequence, 9_000)) === 0,
    );
    expect(kept).toHaveLength(reuse === true ? 2 : BATCHES);
  }
});

/** What reading all of it stops with. */
const stopOf = (disk: LossyDisk): { code: string; message: string; place: unknown } => {
  const { code, message, place } = faultOf(() => walk(disk, 1));
  return { code, message: message.slice(message.lastIndexOf(": ") + 2), place };
};
/** What opening it stops with, before anything is written. */
const openingOf = (disk: LossyDisk): { code: string; message: string; place: unknown } => {
  const { code, message, place } = faultOf(() => openOn(disk));
  expect(disk.opened).toBe(0);
  return { code, message: message.slice(message.lastIndexOf(": ") + 2), place };
};

test("[JOURNAL-6] a segment that does not continue the one before it is refused, by who reads and by who opens", () => {
  const other = makeJournal();
  retitle(other, 3, { chain: new Uint8Array(32).fill(1) });
  expect(stopOf(other)).toEqual({
    code: "JOURNAL_DAMAGED",
    message: `does not continue the hash chain of ${segmentName(2)}`,
    place: { file: path(3), offset: 0, sequence: 37 },
  });
  const later = makeJournal();
  retitle(later, 3, { firstSequence: 40 });
  expect(stopOf(later)).toEqual({
    code: "JOURNAL_DAMAGED",
    message: `begins at 40 but ${segmentName(2)} ends at 36`,
    place: { file: path(3), offset: 0, sequence: 37 },
  });
  for (const change of [{ chain: new Uint8Array(32).fill(1) }, { firstSequence: 54 }]) {
    const last = makeJournal(18);
    // An empty fourth segment, which is joined by its header alone.
    const journal = new FileJournal({ folder: FOLDER, release: "test-2", segmentBytes: BYTES, files: last });
    journal.begin();
    journal.close();
    retitle(last, 4, change);
    expect(openingOf(last)).toMatchObject({
      message: `does not continue the end of ${segmentName(3)}`,
      place: { file: path(4) },
    });
  }
});

test("[JOURNAL-7] a seal contains only the start of the next segment", () => {
  const seal = decodeRecordHeader(readWhole(makeJournal(), path(2)), FULL_END);
  expect(seal).toEqual({ kind: 2, firstSequence: 37, count: 0, frameBytes: 0, timeMs: 0, crc: 0 });
});

test("[JOURNAL-7] a seal without a segment behind it, and a segment in use behind one without a seal, are refused", () => {
  const gone = makeJournal();
  gone.remove(path(4));
  const missing = {
    code: "JOURNAL_SEGMENT_MISSING",
    message: "segment 4 existed and is missing",
    place: { file: path(3), sequence: 55 },
  };
  expect(stopOf(gone)).toEqual(missing);
  expect(openingOf(gone)).toEqual(missing);
  const unsealed = makeJournal();
  blank(unsealed, 3, FULL_END);
  const use = "the segment's seal is missing though the next segment is in use";
  const place = { file: path(3), offset: FULL_END, sequence: 55 };
  expect(stopOf(unsealed)).toEqual({ code: "JOURNAL_DAMAGED", message: use, place });
  expect(openingOf(unsealed)).toEqual({ code: "JOURNAL_DAMAGED", message: use, place });
  const earlier = makeJournal();
  blank(earlier, 2, FULL_END);
  expect(stopOf(earlier)).toEqual({
    code: "JOURNAL_DAMAGED",
    message: "records are missing at the end of the segment (only zeros follow)",
    place: { file: path(2), offset: FULL_END, sequence: 37 },
  });
  const shorter = makeJournal();
  blank(shorter, 3, FULL_END - 9_152);
  const cut = "records are missing at the end of the segment (only zeros follow)";
  expect(stopOf(shorter)).toMatchObject({ message: cut, place: { file: path(3), sequence: 52 } });
  const damaged = makeJournal();
  put(damaged, 3, Uint8Array.of(1, 2, 3), 4_096 + 100);
  expect(openingOf(damaged)).toMatchObject({
    code: "JOURNAL_DAMAGED",
    place: { file: path(3), offset: 4_096, sequence: 37 },
  });
  expect(stopOf(damaged)).toMatchObject({
    code: "JOURNAL_DAMAGED",
    place: { file: path(3), offset: 4_096, sequence: 37 },
  });
});

test("[JOURNAL-7] what a crash left between making a segment and sealing the one before is read and mended: no seal, or a torn record", () => {
  for (const tear of [0, 640]) {
    const disk = makeJournal(18);
    const journal = new FileJournal({ folder: FOLDER, release: "test-2", segmentBytes: BYTES, files: disk });
    journal.begin();
    journal.close();
    blank(disk, 3, FULL_END);
    // The unfinished batch that made a new segment needed: without its last sectors, or only with one in the blank.
    if (tear > 0) put(disk, 3, new Uint8Array(512).fill(3), FULL_END + tear);
    expect(walk(disk, 1).end.lastSequence).toBe(54);
    const lines: string[] = [];
    const again = new FileJournal({
      folder: FOLDER,
      release: "test-2",
      segmentBytes: BYTES,
      files: disk,
      onTornTail: (line) => lines.push(line),
    });
    again.begin();
    expect(again.durableSequence).toBe(54);
    again.append({ firstSequence: 55, count: 3, timeMs: 1_018, frames: makeFrames(55, 9_000) });
    again.close();
    expect(disk.opened).toBe(0);
    const place = `${path(3)} at byte ${FULL_END}, sequence 55: the record's first sector was never written`;
    expect(lines).toEqual(tear === 0 ? [] : [`cut ${tear + 512} bytes of an unfinished write: ${place}`]);
    expect(walk(disk, 1)).toMatchObject({ end: { lastSequence: 57, stop: { kind: "clean" } } });
    // Behind the seal nothing is left of it.
    const bytes = readWhole(disk, path(3));
    expect(allOf(bytes.subarray(FULL_END + 128), (byte) => byte === 0)).toBe(true);
  }
});

test("[JOURNAL-3] a segment has the requested size in whole pages, 64 KiB at least and 16 MiB by default", () => {
  expect(SEGMENT_BYTES_DEFAULT).toBe(16_777_216);
  const sizeOf = (segmentBytes?: number) => {
    const disk = new LossyDisk();
    const more = segmentBytes === undefined ? {} : { segmentBytes };
    const journal = new FileJournal({ folder: FOLDER, release: "test-1", files: disk, nowMs: () => 123, ...more });
    journal.begin();
    expect(listSegments(disk, FOLDER)[0]?.header.createdMs).toBe(123);
    return [journal.segments()[0]?.bytes, readWhole(disk, path(1)).length, journal.framesBytesMax];
  };
  const room = 4_096 + 128 + 64 + 32 + 64;
  expect(sizeOf(1)).toEqual([65_536, 65_536, 65_536 - room]);
  expect(sizeOf(65_537)).toEqual([69_632, 69_632, 69_632 - room]);
  expect(sizeOf()).toEqual([16_777_216, 16_777_216, 1_048_576]);
});

test("[JOURNAL-3] a batch goes where it fits with the seal behind it, to the byte, and into a new segment where it does not", () => {
  // After five batches of 9 152 bytes this much is left for a record and the seal.
  const left = BYTES - 4_096 - 5 * 9_152 - 128;
  for (const [frames, segments] of [
    [left - 96, 1],
    [left - 95, 2],
  ] as const) {
    const disk = makeJournal(5);
    const journal = openOn(disk);
    journal.append({ firstSequence: 16, count: 1, timeMs: 1, frames: makeFrames(16, frames) });
    expect(
      journal.segments().map(({ name, index, release, firstSequence }) => [name, index, release, firstSequence]),
    ).toEqual(
      [
        [segmentName(1), 1, "test-1", 1],
        [segmentName(2), 2, "test-1", 16],
      ].slice(0, segments),
    );
    journal.append({ firstSequence: 17, count: 1, timeMs: 1, frames: makeFrames(17, 9_000) });
    expect(journal.segments()).toHaveLength(2);
    journal.close();
    expect(() => journal.append({ firstSequence: 18, count: 1, timeMs: 1, frames: makeFrames(18, 9) })).toThrow(
      "JOURNAL_CLOSED",
    );
    expect([...openOn(disk).read(16)].map(({ firstSequence }) => firstSequence)).toEqual([16, 17]);
  }
});

test("[JOURNAL-2] the largest batch there is comes back whole, and none without a command or a byte is taken", () => {
  const disk = new LossyDisk();
  const journal = new FileJournal({ folder: FOLDER, release: "test-1", segmentBytes: 4 << 20, files: disk });
  journal.begin();
  const frames = new Uint8Array(1 << 20).fill(7);
  for (const firstSequence of [1, 2]) journal.append({ firstSequence, count: 1, timeMs: 1, frames });
  const next = { firstSequence: 3, count: 1, timeMs: 1, frames: frames.subarray(0, 1) };
  expect(() => journal.append({ ...next, count: 0 })).toThrow(RangeError);
  expect(() => journal.append({ ...next, frames: frames.subarray(0, 0) })).toThrow(RangeError);
  expect(() => journal.append({ ...next, frames: new Uint8Array((1 << 20) + 1) })).toThrow(RangeError);
  for (const firstSequence of [2, 4]) expect(() => journal.append({ ...next, firstSequence })).toThrow(RangeError);
  // A batch that was refused has harmed nothing.
  journal.append(next);
  const found = [...journal.read(1)];
  expect(found.map(({ frames: read }) => read.length)).toEqual([1 << 20, 1 << 20, 1]);
  expect(allOf(found, ({ frames: read }) => allOf(read, (byte) => byte === 7))).toBe(true);
});
