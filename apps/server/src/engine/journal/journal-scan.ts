// Owns the verdict on a segment's bytes: which records are good, and whether what follows is a clean end, an
// unacknowledged torn write, or damage. Must never classify damage as a torn write: that would lose a commitment.
import { crc32c } from "@clockwork/kit/hash";
import {
  CHAIN_BYTES,
  decodeRecordHeader,
  FRAMES_BYTES_MAX,
  HEADER_BYTES,
  hashChain,
  isZero,
  KIND_BATCH,
  KIND_SEAL,
  PAGE_BYTES,
  type RecordHeader,
  recordBytes,
  SECTOR_BYTES,
} from "./journal-format.ts";

export interface ScannedRecord {
  readonly offset: number;
  readonly bytes: number;
  readonly header: RecordHeader;
  readonly frames: Uint8Array;
}

/** Why a scan stopped, and where. `torn` is only valid in the newest segment. */
export interface ScanStop {
  readonly kind: "clean" | "sealed" | "torn" | "damaged";
  readonly offset: number;
  readonly sequence: number;
  readonly reason: string;
}

/** Walks the records of a whole segment in order, yielding the good ones and returning why it stopped. */
export function* scanSegment(bytes: Uint8Array, firstSequence: number): Generator<ScannedRecord, ScanStop> {
  let offset = PAGE_BYTES;
  let sequence = firstSequence;
  for (;;) {
    const header = judgeRecord(bytes, offset, sequence);
    if ("reason" in header) return header;
    if (header.kind === KIND_SEAL) return { kind: "sealed", offset, sequence, reason: "a next segment exists" };
    const total = recordBytes(header.frameBytes);
    const frames = bytes.subarray(offset + HEADER_BYTES, offset + HEADER_BYTES + header.frameBytes);
    yield { offset, bytes: total, header, frames };
    offset += total;
    sequence += header.count;
  }
}

/** The header when a good record with this sequence is at `offset`; otherwise why not. */
function judgeRecord(bytes: Uint8Array, offset: number, sequence: number): RecordHeader | ScanStop {
  const stop = (kind: ScanStop["kind"], reason: string): ScanStop => ({ kind, offset, sequence, reason });
  const headerEnd = offset + HEADER_BYTES;
  if (headerEnd > bytes.length) return stop("clean", "the segment is full");
  const header = decodeRecordHeader(bytes, offset);
  if (header === undefined) {
    if (isZero(bytes, offset, bytes.length)) return stop("clean", "only zeros follow");
    const later = findLaterRecord(bytes, offset + 64, sequence);
    if (later !== undefined) return stop("damaged", `record header is broken, yet a good record follows at ${later}`);
    // A header is inside one sector: it is there or it is not. Half a header exists only in a truncated file; then
    // nothing follows the half, while a damaged record still has its chain value.
    if (isZero(bytes, offset, headerEnd)) return stop("torn", "the record's first sector was never written");
    if (isZero(bytes, headerEnd, bytes.length)) return stop("torn", "the record ends inside its header");
    return stop("damaged", "record header is broken");
  }
  return judgeBody(bytes, offset, sequence, header, stop) ?? header;
}

function judgeBody(
  bytes: Uint8Array,
  offset: number,
  sequence: number,
  header: RecordHeader,
  stop: (kind: ScanStop["kind"], reason: string) => ScanStop,
): ScanStop | undefined {
  const total = recordBytes(header.frameBytes);
  const end = offset + total;
  if (header.firstSequence !== sequence) {
    const how = header.firstSequence < sequence ? "repeated or moved" : "missing or moved";
    return stop("damaged", `found sequence ${header.firstSequence} where ${sequence} belongs: a record is ${how}`);
  }
  if (header.kind !== KIND_BATCH && header.kind !== KIND_SEAL) return stop("damaged", `unknown kind ${header.kind}`);
  if (header.frameBytes > FRAMES_BYTES_MAX || end > bytes.length) {
    return stop("damaged", `length ${header.frameBytes} does not fit the segment`);
  }
  // The chain value covers all that the checksum does, several times faster; the checksum locates the fault.
  if (chainAgrees(bytes, offset, total)) return undefined;
  const framesEnd = offset + HEADER_BYTES + header.frameBytes;
  const crcGood = header.crc === crc32c(bytes, offset + HEADER_BYTES, framesEnd);
  const what = crcGood ? "hash chain is broken" : "checksum of the record is wrong";
  const later = findLaterRecord(bytes, end, sequence);
  if (later !== undefined) return stop("damaged", `${what}, and a good record follows at ${later}`);
  if (isTorn(bytes, offset, end)) return stop("torn", "the record was not written to its end");
  return stop("damaged", `${what}, though it was written to its end`);
}

function chainAgrees(bytes: Uint8Array, offset: number, total: number): boolean {
  const expected = hashChain(bytes, offset, total);
  const at = offset + total - CHAIN_BYTES;
  for (let index = 0; index < CHAIN_BYTES; index++) if (bytes[at + index] !== expected[index]) return false;
  return true;
}

/**
 * A write that the machine did not finish leaves whole sectors of the zeros that were there before. The record ends in
 * a hash, never in zeros, so blank ends and blank sectors distinguish a torn write from a flipped bit.
 */
function isTorn(bytes: Uint8Array, offset: number, end: number): boolean {
  if (isZero(bytes, end - CHAIN_BYTES, end)) return true;
  for (let sector = offset - (offset % SECTOR_BYTES) + SECTOR_BYTES; sector < end; sector += SECTOR_BYTES) {
    if (isZero(bytes, sector, Math.min(sector + SECTOR_BYTES, end))) return true;
  }
  return false;
}

/** A record with its checksums right and a later sequence. One batch is in flight at a time, so it proves a commit. */
function findLaterRecord(bytes: Uint8Array, from: number, sequence: number): number | undefined {
  for (let offset = from; offset + HEADER_BYTES <= bytes.length; offset += 64) {
    const header = decodeRecordHeader(bytes, offset);
    if (header === undefined || header.firstSequence < sequence) continue;
    const framesEnd = offset + HEADER_BYTES + header.frameBytes;
    if (framesEnd <= bytes.length && crc32c(bytes, offset + HEADER_BYTES, framesEnd) === header.crc) return offset;
  }
  return undefined;
}
