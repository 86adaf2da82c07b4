// Owns the bytes of a journal segment: its header page and the record around each batch (docs in the comments here).
// Must never change a layout without a new FORMAT number: releases read what earlier ones wrote.
import { createHash, hash } from "node:crypto";
import { crc32c } from "@clockwork/kit/hash";

// Segment: one header page, then records back to back, then zeros up to the fixed size.
//   0 magic "CWJRNL01" | 8 u32 format | 12 u32 segment index | 16 f64 first sequence | 24 f64 segment size
//  32 identity, 16 bytes | 48 f64 created, ms | 56 u32 release length | 60 release, UTF-8, ≤ 64 bytes
//  124 u32 number of the rules its commands are decided by, zero before rules were numbered
//  4060 u32 CRC-32C of the page with this field zero | 4064 chain value before the first record, 32 bytes
// Record: 64-byte header, frames, zeros, 32-byte chain value; a multiple of 64 bytes, so a header never straddles
// a disk sector and is therefore written whole or not at all.
//   0 u32 magic "CWB1" | 4 u32 kind | 8 f64 first sequence | 16 u32 count | 20 u32 frame bytes | 24 f64 time, ms
//  32 u32 CRC-32C of the frames | 36 zeros | 60 u32 CRC-32C of bytes 0–59
// Chain value = SHA-256(previous chain value ‖ header ‖ frames ‖ zeros). The previous value is the 32 bytes just
// before the record, so the hash runs over one contiguous piece of the file.
export const FORMAT = 1;
export const PAGE_BYTES = 4096;
export const HEADER_BYTES = 64;
export const CHAIN_BYTES = 32;
export const SEAL_BYTES = 128;
export const SECTOR_BYTES = 512;
export const FRAMES_BYTES_MAX = 1 << 20;
export const RELEASE_BYTES_MAX = 64;
/** A batch of commands, and the mark of an existing next segment. */
export const KIND_BATCH = 1;
export const KIND_SEAL = 2;

const SEGMENT_MAGIC = new TextEncoder().encode("CWJRNL01");
const RECORD_MAGIC = 0x31425743;
const RULES_AT = 124;
const PAGE_CRC_AT = 4060;
const PAGE_CHAIN_AT = 4064;
const RECORD_CRC_AT = 60;

export interface SegmentHeader {
  readonly format: number;
  readonly index: number;
  readonly firstSequence: number;
  readonly segmentBytes: number;
  readonly identity: string;
  readonly createdMs: number;
  readonly release: string;
  /** Rules its commands are decided by; the first of them may set these. 0 before rules were numbered. */
  readonly rules: number;
  readonly chain: Uint8Array;
}

export interface RecordHeader {
  readonly kind: number;
  readonly firstSequence: number;
  readonly count: number;
  readonly frameBytes: number;
  readonly timeMs: number;
  readonly crc: number;
}

/** Bytes a record takes on disk, its padding and chain value included. */
export function recordBytes(frameBytes: number): number {
  return (HEADER_BYTES + frameBytes + CHAIN_BYTES + 63) & ~63;
}

/** Chain value before the first record of a new journal. */
export function firstChain(identity: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(`clockwork journal ${identity}`).digest());
}

export function segmentName(index: number): string {
  return `segment-${String(index).padStart(8, "0")}.journal`;
}

export function parseSegmentName(name: string): number | undefined {
  const match = /^segment-(\d{8})\.journal$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

export function encodeSegmentHeader(header: SegmentHeader): Uint8Array {
  const page = new Uint8Array(PAGE_BYTES);
  const view = viewOf(page);
  const release = new TextEncoder().encode(header.release);
  if (release.length > RELEASE_BYTES_MAX) throw new RangeError(`release name longer than ${RELEASE_BYTES_MAX} bytes`);
  page.set(SEGMENT_MAGIC, 0);
  view.setUint32(8, header.format, true);
  view.setUint32(12, header.index, true);
  view.setFloat64(16, header.firstSequence, true);
  view.setFloat64(24, header.segmentBytes, true);
  page.set(Buffer.from(header.identity, "hex"), 32);
  view.setFloat64(48, header.createdMs, true);
  view.setUint32(56, release.length, true);
  page.set(release, 60);
  view.setUint32(RULES_AT, header.rules, true);
  page.set(header.chain, PAGE_CHAIN_AT);
  view.setUint32(PAGE_CRC_AT, crc32c(page), true);
  return page;
}

/** The header, or what is wrong with it. */
export function decodeSegmentHeader(page: Uint8Array): SegmentHeader | string {
  if (page.length < PAGE_BYTES) return "shorter than a segment header";
  const view = viewOf(page);
  if (!SEGMENT_MAGIC.every((byte, index) => page[index] === byte)) return "not a journal segment";
  // A Buffer's own slice would be the same bytes.
  const copy = Uint8Array.from(page.subarray(0, PAGE_BYTES));
  viewOf(copy).setUint32(PAGE_CRC_AT, 0, true);
  if (view.getUint32(PAGE_CRC_AT, true) !== crc32c(copy)) return "checksum of the segment header is wrong";
  const format = view.getUint32(8, true);
  if (format !== FORMAT) return `format ${format} is not known to this release`;
  return {
    format,
    index: view.getUint32(12, true),
    firstSequence: view.getFloat64(16, true),
    segmentBytes: view.getFloat64(24, true),
    identity: Buffer.from(page.subarray(32, 48)).toString("hex"),
    createdMs: view.getFloat64(48, true),
    release: new TextDecoder().decode(page.subarray(60, 60 + view.getUint32(56, true))),
    rules: view.getUint32(RULES_AT, true),
    chain: Uint8Array.from(page.subarray(PAGE_CHAIN_AT, PAGE_BYTES)),
  };
}

/**
 * Completes a record in place: `staging` holds the previous chain value at 0, space for a header at 32 and the frames
 * at 96. Returns the record's bytes (a view starting at 32), the last 32 of which are the new chain value.
 */
export function encodeRecord(staging: Uint8Array, header: Omit<RecordHeader, "crc">): Uint8Array {
  const total = recordBytes(header.frameBytes);
  const record = staging.subarray(CHAIN_BYTES, CHAIN_BYTES + total);
  const framesEnd = HEADER_BYTES + header.frameBytes;
  record.fill(0, 0, HEADER_BYTES);
  record.fill(0, framesEnd);
  const view = viewOf(record);
  view.setUint32(0, RECORD_MAGIC, true);
  view.setUint32(4, header.kind, true);
  view.setFloat64(8, header.firstSequence, true);
  view.setUint32(16, header.count, true);
  view.setUint32(20, header.frameBytes, true);
  view.setFloat64(24, header.timeMs, true);
  view.setUint32(32, crc32c(record, HEADER_BYTES, framesEnd), true);
  view.setUint32(RECORD_CRC_AT, crc32c(record, 0, RECORD_CRC_AT), true);
  record.set(hashChain(staging, CHAIN_BYTES, total), total - CHAIN_BYTES);
  return record;
}

/** Reads the header at `offset` if its own checksum agrees. */
export function decodeRecordHeader(bytes: Uint8Array, offset: number): RecordHeader | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, HEADER_BYTES);
  if (view.getUint32(0, true) !== RECORD_MAGIC) return undefined;
  if (view.getUint32(RECORD_CRC_AT, true) !== crc32c(bytes, offset, offset + RECORD_CRC_AT)) return undefined;
  return {
    kind: view.getUint32(4, true),
    firstSequence: view.getFloat64(8, true),
    count: view.getUint32(16, true),
    frameBytes: view.getUint32(20, true),
    timeMs: view.getFloat64(24, true),
    crc: view.getUint32(32, true),
  };
}

/** Chain value of the record of `total` bytes at `offset`, from the 32 bytes before it and its own. */
export function hashChain(bytes: Uint8Array, offset: number, total: number): Uint8Array {
  return hash("sha256", bytes.subarray(offset - CHAIN_BYTES, offset + total - CHAIN_BYTES), "buffer");
}

/** Whether one part of a segment is blank; both bounds are multiples of four, as all places are. */
export function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  // Word by word, since most of a young segment is blank.
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, (end - start) >> 2);
  for (let word = 0; word < words.length; word++) if (words[word] !== 0) return false;
  return true;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
