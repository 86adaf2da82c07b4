// Owns the reading side of the journal's files: the list of segments with their headers checked, and the verified
// batches in them. Must never write; the writer is file-journal.ts.
import { join } from "node:path";
import { EngineFault } from "../memory/fault.ts";
import { parseStubName } from "./archive-format.ts";
import { readSegment } from "./archived.ts";
import type { Files } from "./files.ts";
import type { JournalBatch } from "./journal.ts";
import {
  CHAIN_BYTES,
  decodeSegmentHeader,
  PAGE_BYTES,
  parseSegmentName,
  type SegmentHeader,
} from "./journal-format.ts";
import { type ScanStop, scanSegment } from "./journal-scan.ts";

export const SEAL_MISSING = "the segment's seal is missing though the next segment is in use";

export interface Segment {
  /** Its file, or the stub of an archived one. */
  readonly path: string;
  readonly name: string;
  readonly header: SegmentHeader;
  readonly isArchived: boolean;
}

/** Every segment in order, or a fault naming the first file that is missing, repeated, foreign, cut or broken. */
export function listSegments(files: Files, folder: string): Segment[] {
  const found: Segment[] = [];
  const names = files.list(folder);
  const isThere = new Set(names);
  for (const name of names) {
    const isArchived = name.endsWith(".archived");
    if (!name.endsWith(".journal") && !isArchived) continue;
    // Until the file of an archived segment is removed, it counts and not the stub.
    if (isArchived && isThere.has(name.replace(/archived$/, "journal"))) continue;
    const path = join(folder, name);
    const index = isArchived ? parseStubName(name) : parseSegmentName(name);
    if (index === undefined) {
      throw new EngineFault("JOURNAL_SEGMENT_REPEATED", "is not a name the journal gives", { file: path });
    }
    if (index !== found.length + 1) {
      const reason = `segment ${found.length + 1} is missing before it`;
      throw new EngineFault("JOURNAL_SEGMENT_MISSING", reason, { file: path });
    }
    found.push({ path, name, header: readHeader(files, path, index, found.at(-1)), isArchived });
  }
  return found;
}

function readHeader(files: Files, path: string, index: number, before: Segment | undefined): SegmentHeader {
  const file = files.open(path, "read");
  try {
    const page = new Uint8Array(PAGE_BYTES);
    const header = decodeSegmentHeader(page.subarray(0, file.read(page, 0)));
    const refuse = (code: "JOURNAL_DAMAGED" | "JOURNAL_SEGMENT_REPEATED", reason: string): never => {
      throw new EngineFault(code, reason, { file: path, offset: 0 });
    };
    if (typeof header === "string") return refuse("JOURNAL_DAMAGED", header);
    if (header.index !== index) {
      return refuse("JOURNAL_SEGMENT_REPEATED", `is a copy of segment ${header.index} under another name`);
    }
    if (!path.endsWith(".archived") && file.size() !== header.segmentBytes) {
      return refuse("JOURNAL_DAMAGED", `is ${file.size()} bytes long but was made with ${header.segmentBytes}`);
    }
    if (before !== undefined && before.header.identity !== header.identity) {
      return refuse("JOURNAL_SEGMENT_REPEATED", "belongs to another journal");
    }
    if (before !== undefined && header.firstSequence < before.header.firstSequence) {
      return refuse("JOURNAL_DAMAGED", `begins at ${header.firstSequence}, before the segment it follows`);
    }
    if (index === 1 && header.firstSequence !== 1) {
      return refuse("JOURNAL_DAMAGED", `first segment begins at ${header.firstSequence}`);
    }
    return header;
  } finally {
    file.close();
  }
}

export function damageAt(segment: Segment, stop: ScanStop): EngineFault {
  return new EngineFault("JOURNAL_DAMAGED", stop.reason, {
    file: segment.path,
    offset: stop.offset,
    sequence: stop.sequence,
  });
}

/** The end of a walk over batches: the last good sequence, and what follows it. */
export interface ReadEnd {
  readonly lastSequence: number;
  readonly stop: ScanStop | undefined;
}

/**
 * Verified batches from the one that holds `fromSequence` up to `toSequence` (default: the end). Stops before reading
 * past `toSequence`, so a reader may follow a live writer up to its durable cursor. With `reuse` a batch is invalid
 * when the next is requested: segments are read into the same memory, whose pages need not be allocated anew.
 */
export function* readBatches(
  files: Files,
  segments: readonly Segment[],
  fromSequence: number,
  toSequence = Number.MAX_SAFE_INTEGER,
  reuse = false,
): Generator<JournalBatch & { readonly segment: Segment; readonly offset: number }, ReadEnd> {
  let start = segments.findLastIndex((segment) => segment.header.firstSequence <= fromSequence);
  if (start < 0) start = 0;
  let next = segments[start]?.header.firstSequence ?? 1;
  let stop: ScanStop | undefined;
  let chain: Uint8Array | undefined;
  let bytes: Uint8Array | undefined;
  for (let at = start; at < segments.length && next <= toSequence; at++) {
    const segment = segments[at] as Segment;
    bytes = readSegment(files, segment.path, reuse ? bytes : undefined);
    if (chain !== undefined) checkJoin(segments[at - 1] as Segment, segment, next, chain);
    const unsealed = stop !== undefined && stop.kind !== "sealed" ? stop : undefined;
    const scan = scanSegment(bytes, segment.header.firstSequence);
    for (;;) {
      if (next > toSequence) return { lastSequence: next - 1, stop: undefined };
      const step = scan.next();
      if (step.done) {
        stop = step.value;
        break;
      }
      if (unsealed !== undefined) throw damageAt(segments[at - 1] as Segment, { ...unsealed, reason: SEAL_MISSING });
      const { header, frames, offset } = step.value;
      next = header.firstSequence + header.count;
      if (next > fromSequence) {
        const { firstSequence, count, timeMs } = header;
        yield { firstSequence, count, timeMs, frames, segment, offset };
      }
    }
    checkStop(segments, at, stop);
    chain = bytes.slice(stop.offset - CHAIN_BYTES, stop.offset);
  }
  return { lastSequence: next - 1, stop };
}

/** The last command that can be read; only the last segment is looked through. */
export function readLastSequence(files: Files, segments: readonly Segment[]): number {
  const batches = readBatches(files, segments, segments.at(-1)?.header.firstSequence ?? 1);
  let step = batches.next();
  while (!step.done) step = batches.next();
  return step.value.lastSequence;
}

function checkJoin(before: Segment, segment: Segment, next: number, chain: Uint8Array): void {
  const { firstSequence } = segment.header;
  if (firstSequence === next && chain.every((byte, index) => segment.header.chain[index] === byte)) return;
  const reason =
    firstSequence === next
      ? `does not continue the hash chain of ${before.name}`
      : `begins at ${firstSequence} but ${before.name} ends at ${next - 1}`;
  throw new EngineFault("JOURNAL_DAMAGED", reason, { file: segment.path, offset: 0, sequence: next });
}

function checkStop(segments: readonly Segment[], at: number, stop: ScanStop): void {
  const segment = segments[at] as Segment;
  if (stop.kind === "damaged") throw damageAt(segment, stop);
  const isLast = at === segments.length - 1;
  if (isLast && stop.kind === "sealed") {
    const reason = `segment ${segment.header.index + 1} existed and is missing`;
    throw new EngineFault("JOURNAL_SEGMENT_MISSING", reason, { file: segment.path, sequence: stop.sequence });
  }
  // The seal is written after the next segment exists and before anything is written there, so a crash between the
  // two leaves an unsealed segment before an empty last one, and nothing else can.
  const beforeEmptyLast = at === segments.length - 2 && segments[at + 1]?.header.firstSequence === stop.sequence;
  if (!isLast && stop.kind !== "sealed" && !beforeEmptyLast) {
    throw damageAt(segment, { ...stop, reason: `records are missing at the end of the segment (${stop.reason})` });
  }
}
