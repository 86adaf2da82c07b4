// Checks the verdict on a segment's bytes at its edges: an unacknowledged torn write, or damage. Whole journals with
// damage in them are in journal-fault.test.ts.
import { allOf } from "@clockwork/kit/all-of";
import { crc32c } from "@clockwork/kit/hash";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { encodeRecord, FRAMES_BYTES_MAX, KIND_BATCH, KIND_SEAL, recordBytes } from "./journal-format.ts";
import { type ScannedRecord, type ScanStop, scanSegment } from "./journal-scan.ts";

const PAGE = 4_096;

interface Planned {
  readonly kind?: number;
  readonly first: number;
  readonly count?: number;
  readonly frames: number;
}

/** A segment with these records in sequence; a scan does not read the page before them. */
function segmentOf(bytes: number, records: readonly Planned[]): Uint8Array {
  const segment = new Uint8Array(bytes);
  let at = PAGE;
  let chain = new Uint8Array(32).fill(5);
  segment.set(chain, at - 32);
  for (const { kind = KIND_BATCH, first, count = 3, frames } of records) {
    const staging = new Uint8Array(32 + recordBytes(frames));
    staging.set(chain);
    staging.fill(170, 96, 96 + frames);
    const record = encodeRecord(staging, { kind, firstSequence: first, count, frameBytes: frames, timeMs: first * 10 });
    segment.set(record, at);
    chain = record.slice(-32);
    at += record.length;
  }
  return segment;
}

function scan(segment: Uint8Array, first = 1): { found: ScannedRecord[]; stop: ScanStop } {
  const steps = scanSegment(segment, first);
  const found: ScannedRecord[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done) return { found, stop: step.value };
    found.push(step.value);
  }
}

const THREE = [
  { first: 1, frames: 100 },
  { first: 4, count: 5, frames: 1_500 },
  { first: 9, frames: 700 },
];
/** Their places: 256, 1600 and 832 bytes long. */
const AT = [PAGE, PAGE + 256, PAGE + 1_856, PAGE + 2_688];
const END = AT[3] as number;

test("[JOURNAL-1] good records are returned one by one, with place, length, header and frames, up to the end", () => {
  const { found, stop } = scan(segmentOf(8_192, THREE));
  expect(found.map(({ offset, bytes, frames }) => [offset, bytes, frames.length])).toEqual([
    [AT[0], 256, 100],
    [AT[1], 1_600, 1_500],
    [AT[2], 832, 700],
  ]);
  expect(allOf(found, ({ frames }) => allOf(frames, (byte) => byte === 170))).toBe(true);
  expect(found[1]?.header).toMatchObject({
    kind: KIND_BATCH,
    firstSequence: 4,
    count: 5,
    frameBytes: 1_500,
    timeMs: 40,
  });
  expect(stop).toEqual({ kind: "clean", offset: END, sequence: 12, reason: "only zeros follow" });
});

test("[JOURNAL-7] a seal ends the scan, and so does the last byte of a full segment", () => {
  const sealed = scan(segmentOf(8_192, [...THREE, { kind: KIND_SEAL, first: 12, count: 0, frames: 0 }]));
  expect(sealed.stop).toEqual({ kind: "sealed", offset: END, sequence: 12, reason: "a next segment exists" });
  expect(sealed.found).toHaveLength(3);
  const full = segmentOf(END, THREE);
  expect(scan(full).stop).toEqual({ kind: "clean", offset: END, sequence: 12, reason: "the segment is full" });
  // Exactly a header's length after the last record: a record is looked for in it.
  expect(scan(segmentOf(END + 64, THREE)).stop.reason).toBe("only zeros follow");
});

test("[JOURNAL-6] a record of an impossible sequence, kind or length is damage, with a text that names it", () => {
  const stopOf = (last: Planned, bytes = 8_192): ScanStop => scan(segmentOf(bytes, [...THREE.slice(0, 2), last])).stop;
  const place = { kind: "damaged", offset: AT[2], sequence: 9 };
  expect(stopOf({ first: 8, frames: 10 })).toEqual({
    ...place,
    reason: "found sequence 8 where 9 belongs: a record is repeated or moved",
  });
  expect(stopOf({ first: 10, frames: 10 })).toEqual({
    ...place,
    reason: "found sequence 10 where 9 belongs: a record is missing or moved",
  });
  for (const kind of [0, 3])
    expect(stopOf({ kind, first: 9, frames: 10 })).toEqual({ ...place, reason: `unknown kind ${kind}` });
  // One that the file has no room for, and one greater than any.
  const cut = segmentOf(8_192, THREE).slice(0, END - 64);
  expect(scan(cut).stop).toEqual({ ...place, reason: "length 700 does not fit the segment" });
  expect(scan(segmentOf(2 << 20, [{ first: 1, frames: FRAMES_BYTES_MAX }])).stop.kind).toBe("clean");
  const greatest = scan(segmentOf(2 << 20, [{ first: 1, frames: FRAMES_BYTES_MAX + 1 }])).stop;
  expect(greatest).toMatchObject({ kind: "damaged", reason: "length 1048577 does not fit the segment" });
});

test("[JOURNAL-4] of the last record any sectors may be missing: as long as one is, it is torn, and no record before it is", () => {
  const random = createRandom(3);
  const whole = segmentOf(8_192, THREE);
  const sectors = [Math.floor((AT[2] as number) / 512), Math.floor((END - 1) / 512)];
  for (let round = 0; round < 64; round++) {
    const segment = whole.slice();
    let isTorn = false;
    for (let sector = sectors[0] as number; sector <= (sectors[1] as number); sector++) {
      if (random.below(2) === 0) continue;
      segment.fill(0, Math.max(AT[2] as number, sector * 512), Math.min(END, sector * 512 + 512));
      isTorn = true;
    }
    const { found, stop } = scan(segment);
    expect(found).toHaveLength(isTorn ? 2 : 3);
    expect([stop.kind, stop.offset]).toEqual(
      isTorn ? [allOf(segment.subarray(AT[2], END), (byte) => byte === 0) ? "clean" : "torn", AT[2]] : ["clean", END],
    );
  }
});

test("[JOURNAL-4] each torn write is described by its missing part", () => {
  const publish = (change: (bytes: Uint8Array) => void): readonly [string, string] => {
    const bytes = segmentOf(8_192, THREE);
    change(bytes);
    const { stop } = scan(bytes);
    expect([stop.offset, stop.sequence]).toEqual([AT[2], 9]);
    return [stop.kind, stop.reason];
  };
  const at = AT[2] as number;
  expect(publish((bytes) => bytes.fill(0, at, at + 64))).toEqual([
    "torn",
    "the record's first sector was never written",
  ]);
  expect(publish((bytes) => bytes.fill(0, at + 63, END))).toEqual(["torn", "the record ends inside its header"]);
  expect(publish((bytes) => bytes.fill(0, at + 60, at + 64))).toEqual(["damaged", "record header is broken"]);
  expect(publish((bytes) => bytes.fill(0, END - 32, END))).toEqual(["torn", "the record was not written to its end"]);
  // Sectors start at 5,632 … 6,656: the record's first ends at 6,144, its last starts at 6,656.
  expect(publish((bytes) => bytes.fill(0, 6_144, 6_656))).toEqual(["torn", "the record was not written to its end"]);
  expect(publish((bytes) => bytes.fill(0, 6_656, END))).toEqual(["torn", "the record was not written to its end"]);
  // Less than a sector was never a write that was cut.
  const written = "checksum of the record is wrong, though it was written to its end";
  expect(publish((bytes) => bytes.fill(0, 6_144, 6_652))).toEqual(["damaged", written]);
  expect(publish((bytes) => bytes.fill(0, 6_148, 6_656))).toEqual(["damaged", written]);
  expect(publish((bytes) => bytes.fill(0, at + 64, 6_144))).toEqual(["damaged", written]);
  expect(publish((bytes) => bytes.fill(0, END - 32, END - 1))).toEqual([
    "damaged",
    "hash chain is broken, though it was written to its end",
  ]);
});

test("[JOURNAL-5] a good record behind a broken one proves that it had been committed, also one of the same sequence", () => {
  const stopOf = (change: (bytes: Uint8Array) => void, length = 8_192): ScanStop => {
    const bytes = segmentOf(length, THREE);
    change(bytes);
    return scan(bytes).stop;
  };
  const [first, second, third] = AT as [number, number, number, number];
  expect(stopOf((bytes) => bytes.fill(0, first, second))).toEqual({
    kind: "damaged",
    offset: first,
    sequence: 1,
    reason: `record header is broken, yet a good record follows at ${second}`,
  });
  expect(stopOf((bytes) => bytes.fill(0, second + 512, second + 1_600))).toEqual({
    kind: "damaged",
    offset: second,
    sequence: 4,
    reason: `checksum of the record is wrong, and a good record follows at ${third}`,
  });
  // The last record, written 64 bytes too late, to the very end of the segment.
  const moved = (bytes: Uint8Array) => bytes.copyWithin(third + 64, third, END).fill(0, third, third + 64);
  for (const length of [8_192, END + 64])
    expect(stopOf(moved, length)).toMatchObject({
      kind: "damaged",
      reason: `record header is broken, yet a good record follows at ${third + 64}`,
    });
  // Behind it an older one, one whose frames are broken, or one cut by the end of the segment proves nothing.
  const old = (bytes: Uint8Array) => bytes.copyWithin(third + 64, first, second).fill(0, third, third + 64);
  expect(stopOf(old).kind).toBe("torn");
  const broken = (bytes: Uint8Array) => moved(bytes).fill(0, third + 64 + 70, third + 64 + 80);
  expect(stopOf(broken).kind).toBe("torn");
  const cut = (bytes: Uint8Array): void =>
    void bytes.copyWithin(third + 128, third, third + 704).fill(0, third, third + 128);
  expect(stopOf(cut, END)).toMatchObject({ kind: "torn" });
});

test("[JOURNAL-5] a sector lost in the middle of a committed record is damage once another record follows", () => {
  const bytes = segmentOf(16_384, [...THREE, { first: 12, frames: 40 }]);
  bytes.fill(0, 6_144, 6_656);
  expect(scan(bytes).stop).toMatchObject({ kind: "damaged", sequence: 9 });
  // Its checksum is right and its chain value is not: it was never written behind the record before it.
  const foreign = segmentOf(8_192, THREE);
  foreign.fill(9, END - 32, END);
  expect(scan(foreign).stop.reason).toBe("hash chain is broken, though it was written to its end");
  expect(crc32c(foreign, (AT[2] as number) + 64, (AT[2] as number) + 764)).toBeGreaterThan(0);
});

test("[JOURNAL-5] a record that fills its sectors to the last byte and is broken in them is damaged, not torn", () => {
  // 512 bytes from the first sector on, and 1 024 over two.
  for (const frames of [416, 928]) {
    const bytes = segmentOf(8_192, [{ first: 1, frames }]);
    bytes[PAGE + 300] = 1;
    expect(scan(bytes).stop).toMatchObject({ kind: "damaged", offset: PAGE });
  }
  // The first sector of a record is the one that contains its header, at any offset.
  const late = segmentOf(8_192, [
    { first: 1, frames: 288 },
    { first: 4, frames: 416 },
  ]);
  late.fill(0, PAGE + 384 + 64, PAGE + 512);
  expect(scan(late).stop).toMatchObject({ kind: "damaged", offset: PAGE + 384 });
});
