// Owns the moving of old segments into the archive: which may go, and the order that loses nothing wherever it is killed. The
// object is stored and read back, then the stub is written, then the file removed; until then the file counts.
import { createHash } from "node:crypto";
import {
  type ArchivedObject,
  ContentReader,
  compressPieces,
  objectName,
  packSegment,
  stubName,
  unpackSegment,
} from "../journal/archive-format.ts";
import { type ArchiveStore, replaceFile } from "../journal/archive-store.ts";
import { encodeStub } from "../journal/archived.ts";
import { type Files, readWhole } from "../journal/files.ts";
import { CHAIN_BYTES, PAGE_BYTES } from "../journal/journal-format.ts";
import { damageAt, listSegments, type Segment } from "../journal/segments.ts";
import { EngineFault } from "../memory/fault.ts";
import { listSnapshots, readSnapshot, SNAPSHOTS_KEPT } from "./snapshots.ts";

export interface ArchiverOptions {
  readonly files: Files;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  readonly store: ArchiveStore;
  /** Between two pieces: others go first. */
  readonly pause?: () => Promise<void>;
}

export interface Archived {
  readonly name: string;
  readonly segmentBytes: number;
  readonly objectBytes: number;
}

/** A start reads the newest segment and the one before it, whatever the snapshots say. */
const SEGMENTS_KEPT = 2;
const LEVEL = 19;
/** With more than these waiting, room is worth more than what the best compression saves. */
const WAITING_MAX = 4;
const QUICK_LEVEL = 3;

/** Moves the oldest segment that every kept snapshot stands behind; undefined when there is none. */
export async function archiveOldest(options: ArchiverOptions): Promise<Archived | undefined> {
  const { files, journalFolder } = options;
  const segments = listSegments(files, journalFolder);
  const snapshots = listSnapshots(files, options.snapshotFolder);
  const border = snapshots.length < SNAPSHOTS_KEPT ? 0 : Math.min(...snapshots.map(({ sequence }) => sequence));
  const waiting = segments.slice(0, -SEGMENTS_KEPT).filter((segment, index) => {
    const next = segments[index + 1] as Segment;
    return !segment.isArchived && next.header.firstSequence - 1 <= border;
  });
  const [segment] = waiting;
  if (segment === undefined) return undefined;
  // They replace what is archived at a start: a broken one replaces nothing.
  for (const { path } of snapshots) readSnapshot(files, path);
  const next = segments[segment.header.index] as Segment;
  return moveSegment(options, segment, next, waiting.length > WAITING_MAX ? QUICK_LEVEL : LEVEL);
}

async function moveSegment(
  { files, journalFolder, store, pause }: ArchiverOptions,
  segment: Segment,
  next: Segment,
  level: number,
): Promise<Archived> {
  const bytes = readWhole(files, segment.path);
  const { content, stop } = packSegment(bytes, segment.header.firstSequence);
  const isJoined =
    stop.kind === "sealed" &&
    stop.sequence === next.header.firstSequence &&
    next.header.chain.every((byte, at) => bytes[stop.offset - CHAIN_BYTES + at] === byte);
  if (!isJoined) throw damageAt(segment, stop);
  const pieces: Uint8Array[] = [];
  for (const piece of compressPieces(content, level)) {
    pieces.push(piece);
    await pause?.();
  }
  const whole = Buffer.concat(pieces);
  const object: ArchivedObject = {
    name: objectName(segment.header.identity, segment.header.index),
    sha256: createHash("sha256").update(whole).digest("hex"),
    contentBytes: content.length,
    pieces: pieces.map(({ length }) => length),
  };
  await store.put(object.name, whole);
  await requireSame(store, object, segment, bytes);
  replaceFile(files, journalFolder, stubName(segment.header.index), encodeStub(bytes, object));
  files.remove(segment.path);
  files.syncFolder(journalFolder);
  return { name: segment.name, segmentBytes: bytes.length, objectBytes: whole.length };
}

/** What the store gives back must be the segment, byte for byte. */
async function requireSame(
  store: ArchiveStore,
  object: ArchivedObject,
  segment: Segment,
  bytes: Uint8Array,
): Promise<void> {
  const reader = new ContentReader(object);
  let from = 0;
  for (const length of object.pieces) {
    const piece = await store.read(object.name, from, length);
    if (piece === undefined) break;
    reader.add(piece);
    from += length;
  }
  const content = reader.finish();
  const again =
    typeof content === "string" ? content : unpackSegment(bytes.subarray(0, PAGE_BYTES), segment.header, content);
  if (typeof again !== "string" && Buffer.compare(again, bytes) === 0) return;
  const reason = typeof again === "string" ? again : "holds other bytes than the segment";
  throw new EngineFault("READ_FAILED", `its object ${object.name} in the archive ${reason}: the segment remains here`, {
    file: segment.path,
  });
}
