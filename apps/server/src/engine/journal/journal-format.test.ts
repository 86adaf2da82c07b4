// Checks the bytes of segments and records against their description, field by field and by the hash of the whole: releases
// read what earlier ones wrote, so that none of these figures may ever change without a new format.
import { createHash } from "node:crypto";
import { crc32c } from "@clockwork/kit/hash";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import {
  decodeRecordHeader,
  decodeSegmentHeader,
  encodeRecord,
  encodeSegmentHeader,
  firstChain,
  isZero,
  KIND_BATCH,
  parseSegmentName,
  recordBytes,
  type SegmentHeader,
  segmentName,
} from "./journal-format.ts";

const sha = (...parts: Uint8Array[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
const IDENTITY = "00112233445566778899aabbccddeeff";
const HEADER: SegmentHeader = {
  format: 1,
  index: 0x01020304,
  firstSequence: 2 ** 40 + 3,
  segmentBytes: 65_536,
  identity: IDENTITY,
  createdMs: 1_762_000_000_123.5,
  release: "1.2.3-ä",
  rules: 0,
  chain: Uint8Array.from({ length: 32 }, (_, at) => 200 - at),
};

test("[JOURNAL-1] the header page of a segment has every field in its place, and comes back as it was", () => {
  const page = encodeSegmentHeader(HEADER);
  const view = new DataView(page.buffer);
  expect(page.length).toBe(4_096);
  expect(Buffer.from(page.subarray(0, 8)).toString()).toBe("CWJRNL01");
  expect([view.getUint32(8, true), view.getUint32(12, true)]).toEqual([1, 0x01020304]);
  expect([view.getFloat64(16, true), view.getFloat64(24, true)]).toEqual([2 ** 40 + 3, 65_536]);
  expect(Buffer.from(page.subarray(32, 48)).toString("hex")).toBe(IDENTITY);
  expect(view.getFloat64(48, true)).toBe(1_762_000_000_123.5);
  expect(view.getUint32(56, true)).toBe(8);
  expect(Buffer.from(page.subarray(60, 68)).toString()).toBe("1.2.3-ä");
  expect([...page.subarray(4_064)]).toEqual([...HEADER.chain]);
  const blank = page.slice();
  blank.fill(0, 4_060, 4_064);
  expect(view.getUint32(4_060, true)).toBe(crc32c(blank));
  expect(sha(page)).toBe("b138e09de35fbdccb4196ef5d5edb76f928f00e930e7ac5b9554c33d56aa46de");
  expect(decodeSegmentHeader(page)).toEqual(HEADER);
  // The number of rules came later, where the pages before it are blank.
  const numbered = encodeSegmentHeader({ ...HEADER, rules: 0x01020304 });
  expect(new DataView(numbered.buffer).getUint32(124, true)).toBe(0x01020304);
  expect(decodeSegmentHeader(numbered)).toEqual({ ...HEADER, rules: 0x01020304 });
  // In the middle of a larger memory, and with more behind it.
  const larger = new Uint8Array(9_000).fill(7);
  larger.set(page, 11);
  expect(decodeSegmentHeader(larger.subarray(11))).toEqual(HEADER);
  // Readers leave it unchanged, in any memory.
  const own = Buffer.from(page);
  expect([decodeSegmentHeader(own), decodeSegmentHeader(own)]).toEqual([HEADER, HEADER]);
});

test("[JOURNAL-5] a page that is short, foreign, damaged or of a later format is reported as that", () => {
  const page = encodeSegmentHeader(HEADER);
  expect(decodeSegmentHeader(page.subarray(0, 4_095))).toBe("shorter than a segment header");
  expect(decodeSegmentHeader(new Uint8Array(4_096))).toBe("not a journal segment");
  for (let at = 0; at < page.length; at += at < 8 || at > 4_050 ? 1 : 37) {
    const flipped = page.slice();
    flipped[at] = (flipped[at] ?? 0) ^ 16;
    const answer = at < 8 ? "not a journal segment" : "checksum of the segment header is wrong";
    expect(decodeSegmentHeader(flipped)).toBe(answer);
  }
  expect(decodeSegmentHeader(encodeSegmentHeader({ ...HEADER, format: 2 }))).toBe(
    "format 2 is not known to this release",
  );
});

test("[JOURNAL-3] a release's name has 64 bytes and not one more", () => {
  const longest = { ...HEADER, release: "r".repeat(64) };
  expect(decodeSegmentHeader(encodeSegmentHeader(longest))).toEqual(longest);
  expect(() => encodeSegmentHeader({ ...HEADER, release: "r".repeat(65) })).toThrow(RangeError);
});

test("[JOURNAL-1] a record is header, frames, zeros and chain value, each in its place, whatever was there before", () => {
  expect([0, 1, 32, 33, 96, 97, 1 << 20].map(recordBytes)).toEqual([128, 128, 128, 192, 192, 256, 1_048_704]);
  const chain = firstChain(IDENTITY);
  expect(Buffer.from(chain).toString("hex")).toBe(sha(Buffer.from(`clockwork journal ${IDENTITY}`)));
  const frames = Uint8Array.from({ length: 45 }, (_, at) => at + 1);
  const staging = new Uint8Array(32 + 192 + 40).fill(0xee);
  staging.set(chain);
  staging.set(frames, 96);
  const header = {
    kind: KIND_BATCH,
    firstSequence: 2 ** 33 + 7,
    count: 300,
    frameBytes: 45,
    timeMs: 1_762_000_000_000.25,
  };
  const record = encodeRecord(staging, header);
  const view = new DataView(record.buffer, record.byteOffset);
  expect([record.length, record.byteOffset]).toEqual([192, 32]);
  expect(Buffer.from(record.subarray(0, 4)).toString()).toBe("CWB1");
  expect([view.getUint32(4, true), view.getFloat64(8, true)]).toEqual([1, 2 ** 33 + 7]);
  expect([view.getUint32(16, true), view.getUint32(20, true), view.getFloat64(24, true)]).toEqual([
    300,
    45,
    header.timeMs,
  ]);
  expect(view.getUint32(32, true)).toBe(crc32c(frames));
  expect([...record.subarray(36, 60)]).toEqual(Array(24).fill(0));
  expect(view.getUint32(60, true)).toBe(crc32c(record, 0, 60));
  expect([...record.subarray(64, 109)]).toEqual([...frames]);
  expect([...record.subarray(109, 160)]).toEqual(Array(51).fill(0));
  expect(Buffer.from(record.subarray(160)).toString("hex")).toBe(sha(chain, record.subarray(0, 160)));
  expect([...staging.subarray(224)]).toEqual(Array(40).fill(0xee));
  expect(sha(record)).toBe("1898c8a9935a4e0eb08bf8c04de6abeb7ea5111dde9949b2d82bf6f510f24867");
  expect(decodeRecordHeader(staging, 32)).toEqual({ ...header, crc: crc32c(frames) });
});

test("[JOURNAL-5] a header is read where all of it is there and agrees with its checksum, and nowhere else", () => {
  const staging = new Uint8Array(32 + 128);
  const record = encodeRecord(staging, { kind: 2, firstSequence: 9, count: 0, frameBytes: 0, timeMs: 0 }).slice(0, 64);
  expect(decodeRecordHeader(record, 0)?.firstSequence).toBe(9);
  expect(decodeRecordHeader(record.subarray(0, 63), 0)).toBeUndefined();
  expect(decodeRecordHeader(record, 64)).toBeUndefined();
  for (let at = 0; at < 64; at++) {
    const flipped = record.slice();
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(decodeRecordHeader(flipped, 0)).toBeUndefined();
  }
  // A right checksum of something else.
  const foreign = record.slice();
  foreign[0] = 1;
  new DataView(foreign.buffer).setUint32(60, crc32c(foreign, 0, 60), true);
  expect(decodeRecordHeader(foreign, 0)).toBeUndefined();
});

test("[JOURNAL-3] segments have numbered names of one length, and no other name is one", () => {
  expect([1, 12_345_678].map(segmentName)).toEqual(["segment-00000001.journal", "segment-12345678.journal"]);
  expect(["segment-00000001.journal", "segment-12345678.journal"].map(parseSegmentName)).toEqual([1, 12_345_678]);
  for (const name of ["segment-0000001.journal", "segment-000000001.journal", "segment-00000001.journal~", "x.journal"])
    expect(parseSegmentName(name)).toBeUndefined();
});

test("[JOURNAL-4] blank means no bit set, from any word to any word, at any place in memory", () => {
  const random = createRandom(5);
  for (let round = 0; round < 1_000; round++) {
    const bytes = new Uint8Array(64).subarray(4 * random.below(3), 52 + 4 * random.below(3));
    const start = 4 * random.below(6);
    const end = start + 4 * random.below(6);
    const marked = random.below(bytes.length);
    bytes[marked] = 1 << random.below(8);
    expect(isZero(bytes, start, end)).toBe(marked < start || marked >= end);
  }
});
