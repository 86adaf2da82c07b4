// Owns the bytes of an archived segment: what of it cannot be computed again, in compressed pieces, and the stub that is left
// in the journal's folder. Must give back the segment byte for byte: its hash chain is what an audit checks.
import { createHash } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import {
  CHAIN_BYTES,
  encodeRecord,
  FRAMES_BYTES_MAX,
  HEADER_BYTES,
  KIND_BATCH,
  KIND_SEAL,
  PAGE_BYTES,
  recordBytes,
  SEAL_BYTES,
} from "./journal-format.ts";
import { type ScannedRecord, type ScanStop, scanSegment } from "./journal-scan.ts";

// Object: pieces back to back, each a zstd frame of at most PIECE_BYTES of the content, so that one at a time is fetched.
// Content: checksums, chain values, padding and the zeros behind the seal are left out, since they follow from the rest.
//   0 magic "CWARCH01" | 8 u32 format | 12 u32 records | then of each record in turn: u32 counts | u32 frame bytes |
//   f64 times, ms | and the frames back to back
// Stub `segment-NNNNNNNN.archived`: the segment's header page, then JSON of ArchivedObject.
const FORMAT = 1;
const MAGIC = new TextEncoder().encode("CWARCH01");
const HEAD_BYTES = 16;
const RECORD_BYTES = 16;
export const PIECE_BYTES = 1 << 20;

/** What a stub knows of its object. */
export interface ArchivedObject {
  readonly name: string;
  /** Of the whole object, in hexadecimal. */
  readonly sha256: string;
  readonly contentBytes: number;
  /** Bytes of each compressed piece. */
  readonly pieces: readonly number[];
}

export function objectName(identity: string, index: number): string {
  return `${identity}-${String(index).padStart(8, "0")}.zst`;
}

export function stubName(index: number): string {
  return `segment-${String(index).padStart(8, "0")}.archived`;
}

export function parseStubName(name: string): number | undefined {
  const match = /^segment-(\d{8})\.archived$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** The content of a whole, sealed segment, and where its records end. */
export function packSegment(bytes: Uint8Array, firstSequence: number): { content: Uint8Array; stop: ScanStop } {
  const records: ScannedRecord[] = [];
  const scan = scanSegment(bytes, firstSequence);
  let step = scan.next();
  for (; !step.done; step = scan.next()) records.push(step.value);
  const framesBytes = records.reduce((sum, { header }) => sum + header.frameBytes, 0);
  const content = new Uint8Array(HEAD_BYTES + records.length * RECORD_BYTES + framesBytes);
  const view = new DataView(content.buffer);
  content.set(MAGIC);
  view.setUint32(8, FORMAT, true);
  view.setUint32(12, records.length, true);
  const { countsAt, bytesAt, timesAt, framesAt } = placesOf(records.length);
  let at = framesAt;
  for (const [index, { header, frames }] of records.entries()) {
    view.setUint32(countsAt + index * 4, header.count, true);
    view.setUint32(bytesAt + index * 4, header.frameBytes, true);
    view.setFloat64(timesAt + index * 8, header.timeMs, true);
    content.set(frames, at);
    at += frames.length;
  }
  return { content, stop: step.value };
}

/** The segment again, in `reused` where that is as long; a sentence where the content is none. */
export function unpackSegment(
  page: Uint8Array,
  { firstSequence, segmentBytes }: { readonly firstSequence: number; readonly segmentBytes: number },
  content: Uint8Array,
  reused?: Uint8Array,
): Uint8Array | string {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (content.length < HEAD_BYTES || !MAGIC.every((byte, index) => content[index] === byte)) return "is no archive";
  if (view.getUint32(8, true) !== FORMAT) return `format ${view.getUint32(8, true)} is not known to this release`;
  const records = view.getUint32(12, true);
  const { countsAt, bytesAt, timesAt, framesAt } = placesOf(records);
  if (framesAt > content.length) return "is shorter than its list of records";
  const out = reused?.length === segmentBytes ? reused : new Uint8Array(segmentBytes);
  out.set(page);
  let offset = PAGE_BYTES;
  let sequence = firstSequence;
  let from = framesAt;
  for (let index = 0; index < records; index++) {
    const frameBytes = view.getUint32(bytesAt + index * 4, true);
    const total = recordBytes(frameBytes);
    if (frameBytes > FRAMES_BYTES_MAX || from + frameBytes > content.length || offset + total > segmentBytes)
      return `has a record of ${frameBytes} bytes that does not fit`;
    const count = view.getUint32(countsAt + index * 4, true);
    const timeMs = view.getFloat64(timesAt + index * 8, true);
    out.set(content.subarray(from, from + frameBytes), offset + HEADER_BYTES);
    // The chain value before it lies just there, as in the file.
    const record = { kind: KIND_BATCH, firstSequence: sequence, count, frameBytes, timeMs };
    encodeRecord(out.subarray(offset - CHAIN_BYTES), record);
    from += frameBytes;
    offset += total;
    sequence += count;
  }
  if (from !== content.length || offset + SEAL_BYTES > segmentBytes) return "does not end with its last record";
  const seal = { kind: KIND_SEAL, firstSequence: sequence, count: 0, frameBytes: 0, timeMs: 0 };
  encodeRecord(out.subarray(offset - CHAIN_BYTES), seal);
  out.fill(0, offset + SEAL_BYTES);
  return out;
}

function placesOf(records: number) {
  const countsAt = HEAD_BYTES;
  const bytesAt = countsAt + records * 4;
  const timesAt = bytesAt + records * 4;
  return { countsAt, bytesAt, timesAt, framesAt: timesAt + records * 8 };
}

/** The pieces of a content, one compressed at each step. */
export function* compressPieces(content: Uint8Array, level: number): Generator<Uint8Array> {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  for (let at = 0; at < content.length; at += PIECE_BYTES)
    yield zstdCompressSync(content.subarray(at, at + PIECE_BYTES), { params });
}

/** Puts a content together again from pieces that are given in order. */
export class ContentReader {
  readonly #object: ArchivedObject;
  readonly #content: Uint8Array;
  readonly #digest = createHash("sha256");
  #at = 0;

  constructor(object: ArchivedObject) {
    this.#object = object;
    this.#content = new Uint8Array(object.contentBytes);
  }

  add(piece: Uint8Array): void {
    this.#digest.update(piece);
    const bytes = zstdDecompressSync(piece, { maxOutputLength: PIECE_BYTES });
    this.#content.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** The whole content; a sentence where it is not what was archived. */
  finish(): Uint8Array | string {
    if (this.#at !== this.#content.length) return `holds ${this.#at} bytes instead of ${this.#content.length}`;
    if (this.#digest.digest("hex") !== this.#object.sha256) return "checksum of the object is wrong";
    return this.#content;
  }
}
