// Owns the journal in local files: preallocated segments, one record per group commit, fdatasync before the cursor
// moves. Must never report a batch as durable before the disk has it, nor continue after a failed write or sync.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { wallMs } from "@clockwork/host/time/measure";
import { EngineFault } from "../memory/fault.ts";
import { type Files, localFiles, type OpenFile, readWhole, syncWhole, writeWhole } from "./files.ts";
import type { Journal, JournalBatch, SegmentSummary } from "./journal.ts";
import {
  CHAIN_BYTES,
  encodeRecord,
  encodeSegmentHeader,
  FORMAT,
  FRAMES_BYTES_MAX,
  firstChain,
  HEADER_BYTES,
  KIND_BATCH,
  KIND_SEAL,
  PAGE_BYTES,
  recordBytes,
  SEAL_BYTES,
  segmentName,
} from "./journal-format.ts";
import { type ScannedRecord, type ScanStop, scanSegment } from "./journal-scan.ts";
import { damageAt, listSegments, readBatches, SEAL_MISSING, type Segment } from "./segments.ts";

export const SEGMENT_BYTES_DEFAULT = 16 << 20;
const SEGMENT_BYTES_MIN = 64 << 10;
const ZEROS = new Uint8Array(512 << 10);

/** Blank, synced files made ahead of need by someone else, so that a rotation costs no more than a rename. */
export interface SpareSource {
  take(): string | undefined;
}

export interface FileJournalOptions {
  readonly folder: string;
  readonly release: string;
  readonly segmentBytes?: number;
  readonly files?: Files;
  readonly spares?: SpareSource;
  readonly nowMs?: () => number;
  /** Called with what was cut from the end at opening. */
  readonly onTornTail?: (line: string) => void;
}

/**
 * Writes a file of zeros and syncs it: later writes then change no metadata and sync twice as fast. With `pause` it is
 * synced piece by piece with a pause after each: a concurrent commit waits behind one piece, not behind the whole file.
 */
export function writeBlank(files: Files, path: string, bytes: number, pause?: () => void): void {
  const file = files.open(path, "create");
  try {
    for (let at = 0; at < bytes; at += ZEROS.length) {
      writeWhole(file, ZEROS.subarray(0, Math.min(ZEROS.length, bytes - at)), at);
      if (pause === undefined) continue;
      syncWhole(file);
      pause();
    }
    syncWhole(file);
  } finally {
    file.close();
  }
}

/** A segment that a crash has kept the seal from. */
interface Unsealed {
  readonly segment: Segment;
  readonly bytes: Uint8Array;
  readonly stop: ScanStop;
}

/** The newest segment as found on disk. */
interface Found {
  readonly bytes: Uint8Array;
  readonly stop: ScanStop;
  readonly unsealed: Unsealed | undefined;
}

export class FileJournal implements Journal {
  readonly identity: string;
  readonly #options: FileJournalOptions;
  readonly #files: Files;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  // Layout of encodeRecord: chain value, header, frames, padding, chain value.
  readonly #staging = new Uint8Array(CHAIN_BYTES + recordBytes(FRAMES_BYTES_MAX));
  #file: OpenFile | undefined;
  #fileBytes = 0;
  #offset = 0;
  #durable = 0;
  #rules = 0;
  #failure: EngineFault | undefined;
  /** What opening has found; gone once it is written on. */
  #found: Found | undefined;

  constructor(options: FileJournalOptions) {
    this.#options = options;
    this.#files = options.files ?? localFiles;
    const wanted = Math.max(SEGMENT_BYTES_MIN, options.segmentBytes ?? SEGMENT_BYTES_DEFAULT);
    this.#segmentBytes = Math.ceil(wanted / PAGE_BYTES) * PAGE_BYTES;
    this.#segments = listSegments(this.#files, options.folder);
    const last = this.#segments.at(-1);
    this.identity = last?.header.identity ?? randomBytes(16).toString("hex");
    this.#found = last === undefined ? undefined : this.#survey(last);
  }

  /**
   * From here on it is written: a torn end is cut, a first or a further segment created. Before, nothing in the folder is
   * changed, so that a refused start leaves it unchanged. What is written is decided by rules of that number.
   */
  begin(rules = 0): void {
    this.#rules = rules;
    const { folder, release } = this.#options;
    this.#files.makeFolder(folder);
    for (const name of this.#files.list(folder)) {
      if (name.endsWith(".tmp")) this.#files.remove(join(folder, name));
    }
    const last = this.#segments.at(-1);
    if (last === undefined || this.#found === undefined) {
      this.#staging.set(firstChain(this.identity));
      this.#createSegment();
      return;
    }
    this.#resume(last, this.#found);
    this.#found = undefined;
    if (last.header.release !== release || last.header.rules !== rules) this.#rotate();
  }

  get durableSequence(): number {
    return this.#durable;
  }

  /** Largest `frames` a batch may have with this segment size. */
  get framesBytesMax(): number {
    return Math.min(FRAMES_BYTES_MAX, this.#segmentBytes - PAGE_BYTES - SEAL_BYTES - HEADER_BYTES - CHAIN_BYTES - 64);
  }

  append(batch: JournalBatch): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (batch.firstSequence !== this.#durable + 1) {
      throw new RangeError(`batch begins at ${batch.firstSequence}, the journal ends at ${this.#durable}`);
    }
    if (batch.count < 1 || batch.frames.length === 0 || batch.frames.length > this.framesBytesMax) {
      throw new RangeError(`a batch of ${batch.count} commands and ${batch.frames.length} bytes cannot be written`);
    }
    try {
      if (this.#offset + recordBytes(batch.frames.length) + SEAL_BYTES > this.#fileBytes) this.#rotate();
      this.#staging.set(batch.frames, CHAIN_BYTES + HEADER_BYTES);
      this.#commit(KIND_BATCH, batch.count, batch.frames.length, batch.timeMs);
    } catch (error) {
      this.#failure =
        error instanceof EngineFault ? error : new EngineFault("WRITE_FAILED", String(error), undefined, error);
      throw this.#failure;
    }
    this.#durable += batch.count;
  }

  read(fromSequence: number): Iterable<JournalBatch> {
    return readBatches(this.#files, this.#segments, fromSequence, this.#durable);
  }

  segments(): readonly SegmentSummary[] {
    return this.#segments.map(({ name, header }) => ({
      name,
      index: header.index,
      release: header.release,
      firstSequence: header.firstSequence,
      bytes: header.segmentBytes,
    }));
  }

  close(): void {
    this.#failure ??= new EngineFault("JOURNAL_CLOSED", "the journal is closed");
    this.#file?.close();
    this.#file = undefined;
  }

  /** Writes and syncs one record from staging, then makes its chain value the previous one. */
  #commit(kind: number, count: number, frameBytes: number, timeMs: number): void {
    const file = this.#file;
    if (file === undefined) throw new EngineFault("JOURNAL_CLOSED", "the journal is closed");
    const firstSequence = this.#durable + 1;
    const record = encodeRecord(this.#staging, { kind, firstSequence, count, frameBytes, timeMs });
    writeWhole(file, record, this.#offset);
    syncWhole(file);
    this.#offset += record.length;
    this.#staging.copyWithin(0, record.length, record.length + CHAIN_BYTES);
  }

  /** The next segment first, then the seal in this one: a seal always means that a next segment exists. */
  #rotate(): void {
    const before = this.#file;
    const offset = this.#offset;
    const chain = this.#staging.slice(0, CHAIN_BYTES);
    this.#createSegment();
    if (before !== undefined) {
      this.#seal(before, offset, chain);
      before.close();
    }
  }

  #seal(file: OpenFile, offset: number, chain: Uint8Array): void {
    const staging = new Uint8Array(CHAIN_BYTES + SEAL_BYTES);
    staging.set(chain);
    const firstSequence = this.#durable + 1;
    const seal = encodeRecord(staging, { kind: KIND_SEAL, firstSequence, count: 0, frameBytes: 0, timeMs: 0 });
    writeWhole(file, seal, offset);
    syncWhole(file);
  }

  #createSegment(): void {
    const { folder, release } = this.#options;
    const index = this.#segments.length + 1;
    const header = {
      format: FORMAT,
      index,
      firstSequence: this.#durable + 1,
      segmentBytes: this.#segmentBytes,
      identity: this.identity,
      createdMs: this.#options.nowMs?.() ?? wallMs(),
      release,
      rules: this.#rules,
      chain: this.#staging.slice(0, CHAIN_BYTES),
    };
    let blank = this.#options.spares?.take();
    if (blank === undefined) {
      blank = join(folder, "segment.tmp");
      writeBlank(this.#files, blank, this.#segmentBytes);
    }
    const name = segmentName(index);
    const path = join(folder, name);
    const file = this.#files.open(blank, "write");
    try {
      writeWhole(file, encodeSegmentHeader(header), 0);
      syncWhole(file);
    } finally {
      file.close();
    }
    this.#files.rename(blank, path);
    this.#files.syncFolder(folder);
    this.#file = this.#files.open(path, "write");
    this.#fileBytes = this.#segmentBytes;
    this.#offset = PAGE_BYTES;
    this.#segments.push({ path, name, header, isArchived: false });
  }

  /** Finds the end of the newest segment and makes sure that everything before it is on the disk. */
  #survey(last: Segment): Found {
    const before = this.#segments.at(-2);
    const bytes = readWhole(this.#files, last.path);
    const { record, stop } = scanToEnd(bytes, last.header.firstSequence);
    if (stop.kind === "damaged") throw damageAt(last, stop);
    if (stop.kind === "sealed") {
      const reason = `segment ${last.header.index + 1} existed and is missing`;
      throw new EngineFault("JOURNAL_SEGMENT_MISSING", reason, { file: last.path, sequence: stop.sequence });
    }
    const unsealed = before === undefined ? undefined : this.#findUnsealed(before, last, stop);
    this.#keep(last, bytes, record?.offset ?? 0, record?.bytes ?? 0);
    this.#files.syncFolder(this.#options.folder);
    this.#durable = stop.sequence - 1;
    return { bytes, stop, unsealed };
  }

  /** A kill or a failed sync may have left what was written last in the page cache only: writes the same again, then syncs. */
  #keep(segment: Segment, bytes: Uint8Array, offset: number, count: number): void {
    const file = this.#files.open(segment.path, "write");
    try {
      if (count > 0) writeWhole(file, bytes.subarray(offset, offset + count), offset);
      syncWhole(file);
    } finally {
      file.close();
    }
  }

  /** Cuts a torn record, seals what a crash left unsealed, and resumes after the last record. */
  #resume(last: Segment, { bytes, stop, unsealed }: Found): void {
    if (unsealed !== undefined) this.#sealLate(unsealed, last);
    const file = this.#files.open(last.path, "write");
    this.#file = file;
    this.#fileBytes = bytes.length;
    if (stop.kind === "torn") {
      this.#cut(file, bytes, stop);
      syncWhole(file);
    }
    this.#offset = stop.offset;
    this.#staging.set(bytes.subarray(stop.offset - CHAIN_BYTES, stop.offset));
  }

  #cut(file: OpenFile, bytes: Uint8Array, stop: ScanStop): void {
    let end = bytes.length;
    while (end > stop.offset && bytes[end - 1] === 0) end--;
    writeWhole(file, new Uint8Array(end - stop.offset), stop.offset);
    const where = `${file.path} at byte ${stop.offset}, sequence ${stop.sequence}`;
    this.#options.onTornTail?.(`cut ${end - stop.offset} bytes of an unfinished write: ${where}: ${stop.reason}`);
  }

  /** The segment before the newest must be whole and joined to it; a crash may only have kept its seal from it. */
  #findUnsealed(before: Segment, last: Segment, lastStop: ScanStop): Unsealed | undefined {
    const bytes = readWhole(this.#files, before.path);
    const { stop } = scanToEnd(bytes, before.header.firstSequence);
    if (stop.kind === "damaged") throw damageAt(before, stop);
    const joined =
      stop.sequence === last.header.firstSequence &&
      last.header.chain.every((byte, index) => bytes[stop.offset - CHAIN_BYTES + index] === byte);
    if (!joined) {
      throw damageAt(last, { ...lastStop, offset: 0, reason: `does not continue the end of ${before.name}` });
    }
    const lastIsEmpty = lastStop.sequence === last.header.firstSequence;
    if (stop.kind === "sealed") {
      // Lost with the power after a record was written behind it, the seal would be missing for good.
      if (lastIsEmpty) this.#keep(before, bytes, stop.offset, SEAL_BYTES);
      return undefined;
    }
    if (!lastIsEmpty) throw damageAt(before, { ...stop, reason: SEAL_MISSING });
    return { segment: before, bytes, stop };
  }

  #sealLate({ segment, bytes, stop }: Unsealed, last: Segment): void {
    const file = this.#files.open(segment.path, "write");
    try {
      if (stop.kind === "torn") this.#cut(file, bytes, stop);
      this.#seal(file, stop.offset, last.header.chain);
    } finally {
      file.close();
    }
  }
}

function scanToEnd(bytes: Uint8Array, firstSequence: number): { record: ScannedRecord | undefined; stop: ScanStop } {
  const scan = scanSegment(bytes, firstSequence);
  let record: ScannedRecord | undefined;
  for (;;) {
    const step = scan.next();
    if (step.done) return { record, stop: step.value };
    record = step.value;
  }
}
