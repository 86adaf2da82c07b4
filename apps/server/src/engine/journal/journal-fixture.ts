// Owns the scratch journals of the journal's tests and what reads its feed: batches whose bytes can be checked, and edits of the files.
// Must never be used by the running server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { EngineFault } from "../memory/fault.ts";
import { FileJournal, type FileJournalOptions } from "./file-journal.ts";
import { localFiles, readWhole } from "./files.ts";
import { FrameWriter } from "./frame.ts";
import type { FeedTarget } from "./journal-feed.ts";
import { scanSegment } from "./journal-scan.ts";
import { listSegments, readBatches } from "./segments.ts";

export const SMALL_SEGMENT_BYTES = 64 << 10;

export interface PlacedRecord {
  readonly offset: number;
  readonly bytes: number;
  readonly first: number;
}

/** Frames whose bytes say which batch they are, never zero. */
export function makeFrames(sequence: number, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => ((sequence * 31 + index * 7) % 255) + 1);
}

/** Appends batches of three commands each. */
export function fill(journal: FileJournal, batches: number, bytes = 100): void {
  for (let index = 0; index < batches; index++) {
    const firstSequence = journal.durableSequence + 1;
    journal.append({ firstSequence, count: 3, timeMs: 1_000 + index, frames: makeFrames(firstSequence, bytes) });
  }
}

/** Appends batches of real orders, the first one at `timeMs` and each a little later than the one before. */
export function fillOrders(
  journal: FileJournal,
  batches: number,
  count: number,
  { timeMs = 1_000, stepMs = 1 } = {},
): void {
  const bytes = new Uint8Array(256);
  const [view, i32, f64] = [new DataView(bytes.buffer), new Int32Array(bytes.buffer), new Float64Array(bytes.buffer)];
  const writer = new FrameWriter(journal.framesBytesMax);
  for (let batch = 0; batch < batches; batch++) {
    writer.reset();
    for (let index = 0; index < count; index++) {
      const sequence = journal.durableSequence + 1 + index;
      const account = 16 + (sequence % 500);
      const length = encodeCommand(
        { kind: "placeOrder", account, market: 1, price: 500 + (sequence % 97), quantity: sequence, side: "buy" },
        bytes,
      );
      stampCommand(view, 0, sequence, timeMs + sequence * stepMs);
      writer.pack(i32, f64, 0, length, sequence);
    }
    const { firstSequence, timeMs: firstMs } = writer;
    journal.append({ firstSequence, count, timeMs: firstMs, frames: writer.bytes.slice(0, writer.length) });
  }
}

export class ScratchJournal {
  readonly folder = mkdtempSync(join(tmpdir(), "cw-journal-"));

  open(options: Partial<FileJournalOptions> = {}): FileJournal {
    const journal = new FileJournal({
      folder: this.folder,
      release: "test-1",
      segmentBytes: SMALL_SEGMENT_BYTES,
      ...options,
    });
    journal.begin();
    return journal;
  }

  /** Reads every batch in order and compares it with what `fill` wrote; returns the last sequence. */
  readAll(): number {
    let next = 1;
    for (const batch of readBatches(localFiles, listSegments(localFiles, this.folder), 1)) {
      const expected = makeFrames(next, batch.frames.length);
      if (batch.firstSequence !== next || Buffer.compare(batch.frames, expected) !== 0) {
        throw new Error(`batch ${batch.firstSequence} is not the one that was written at ${next}`);
      }
      next += batch.count;
    }
    return next - 1;
  }

  path(index: number): string {
    return join(this.folder, `segment-${String(index).padStart(8, "0")}.journal`);
  }

  records(index: number): PlacedRecord[] {
    const bytes = readWhole(localFiles, this.path(index));
    const segment = listSegments(localFiles, this.folder)[index - 1];
    const scan = scanSegment(bytes, segment?.header.firstSequence ?? 1);
    return [...scan].map(({ offset, bytes: total, header }) => ({ offset, bytes: total, first: header.firstSequence }));
  }

  record(index: number, at: number): PlacedRecord {
    const found = this.records(index).at(at);
    if (found === undefined) throw new Error(`segment ${index} has no record ${at}`);
    return found;
  }

  edit(index: number, change: (bytes: Buffer) => void): void {
    const bytes = readFileSync(this.path(index));
    change(bytes);
    writeFileSync(this.path(index), bytes);
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The fault that `action` stops with; anything else is a failed test. */
export function faultOf(action: () => unknown): EngineFault {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineFault) return error;
    throw error;
  }
  throw new Error("it went on");
}

/** Takes the sequence, time and account of each command instead of packing it. */
export class FeedList implements FeedTarget {
  readonly found: [sequence: number, timeMs: number, account: number][] = [];

  get count(): number {
    return this.found.length;
  }

  pack(i32: Int32Array, f64: Float64Array, from: number, to: number, sequence: number): number {
    let at = from;
    for (let next = sequence; at < to; next++) {
      const length = (i32[at >> 2] as number) & 0xffff;
      if (length === 0 || f64[(at >> 3) + 1] !== next) break;
      this.found.push([next, f64[(at >> 3) + 2] as number, i32[(at >> 2) + 1] as number]);
      at += length;
    }
    return at;
  }
}
