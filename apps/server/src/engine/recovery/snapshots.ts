// Owns snapshot files: written to a temporary file, checksummed, synced, renamed; kept are the two newest, and the
// newest one that a replay for the tables can start from. Must never replace a good snapshot by an unfinished one, nor
// return one whose bytes do not agree.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { crc32c } from "@clockwork/kit/hash";
import { type Files, readWhole, syncWhole, writeWhole } from "../journal/files.ts";
import { PAGE_BYTES, RELEASE_BYTES_MAX } from "../journal/journal-format.ts";
import { EngineFault } from "../memory/fault.ts";

// File: one header page, then the machine's parts back to back.
//   0 magic "CWSNAP01" | 8 u32 format | 12 u32 CRC-32C of the page with this field zero | 16 f64 sequence
//  24 f64 journal time, ms | 32 identity of the journal, 16 bytes | 48 SHA-256 of all parts, 32 bytes
//  80 state hash, u8 length + ASCII, ≤ 80 bytes | 168 release, u8 length + UTF-8, ≤ 64 bytes
//  240 f64 bytes of state
const FORMAT = 1;
const MAGIC = new TextEncoder().encode("CWSNAP01");
const STATE_HASH_BYTES_MAX = 80;
const WRITE_BYTES = 4 << 20;
export const SNAPSHOTS_KEPT = 2;

export interface SnapshotHeader {
  readonly sequence: number;
  readonly timeMs: number;
  readonly identity: string;
  readonly stateHash: string;
  readonly release: string;
}

export interface Snapshot extends SnapshotHeader {
  readonly path: string;
  /** The machine's parts joined; starts on a page, so that views of any kind fit. */
  readonly state: Uint8Array;
}

function snapshotName(sequence: number): string {
  return `snapshot-${String(sequence).padStart(16, "0")}.state`;
}

/** Paths of all finished snapshots with the sequence in their name, newest first. */
export function listSnapshots(files: Files, folder: string): { path: string; sequence: number }[] {
  const found: { path: string; sequence: number }[] = [];
  for (const name of files.list(folder)) {
    const match = /^snapshot-(\d{16})\.state$/.exec(name);
    if (match !== null) found.push({ path: join(folder, name), sequence: Number(match[1]) });
  }
  return found.sort((left, right) => right.sequence - left.sequence);
}

export interface SnapshotRate {
  /** Called when only the rename is left. */
  readonly ready?: () => void;
  /**
   * Called after every piece, which is then synced separately: a concurrent commit waits behind one piece, not behind
   * all.
   */
  readonly pause?: () => void;
  /** The tables' durable cursor; left out, no consumer stores events. */
  readonly tablesSequence?: number;
}

/** Writes a snapshot so that it is there whole or not at all. */
export function writeSnapshot(
  files: Files,
  folder: string,
  header: SnapshotHeader,
  parts: readonly Uint8Array[],
  { ready, pause, tablesSequence = Number.POSITIVE_INFINITY }: SnapshotRate = {},
): string {
  files.makeFolder(folder);
  const aside = join(folder, "snapshot.tmp");
  const path = join(folder, snapshotName(header.sequence));
  const file = files.open(aside, "create");
  try {
    const digest = createHash("sha256");
    let at = PAGE_BYTES;
    for (const part of parts) {
      for (let from = 0; from < part.length; from += WRITE_BYTES) {
        const piece = part.subarray(from, Math.min(from + WRITE_BYTES, part.length));
        digest.update(piece);
        writeWhole(file, piece, at);
        at += piece.length;
        if (pause === undefined || piece.length < WRITE_BYTES) continue;
        syncWhole(file);
        pause();
      }
    }
    writeWhole(file, encodeHeader(header, at - PAGE_BYTES, digest.digest()), 0);
    syncWhole(file);
  } finally {
    file.close();
  }
  ready?.();
  files.rename(aside, path);
  files.syncFolder(folder);
  prune(files, folder, tablesSequence);
  return path;
}

function prune(files: Files, folder: string, tablesSequence: number): void {
  const found = listSnapshots(files, folder);
  const needed = found.find(({ sequence }) => sequence <= tablesSequence);
  for (const one of found.slice(SNAPSHOTS_KEPT)) if (one !== needed) files.remove(one.path);
}

/** Reads and verifies one snapshot; a fault names what is wrong with it. */
export function readSnapshot(files: Files, path: string): Snapshot {
  const refuse = (reason: string): never => {
    throw new EngineFault("SNAPSHOT_DAMAGED", reason, { file: path });
  };
  const bytes = readWhole(files, path);
  const decoded = decodeHeader(bytes);
  if (typeof decoded === "string") return refuse(decoded);
  const { header, digest, stateBytes } = decoded;
  const found = bytes.length - PAGE_BYTES;
  if (found !== stateBytes) return refuse(`holds ${found} bytes of state instead of ${stateBytes}`);
  const state = bytes.subarray(PAGE_BYTES);
  if (!createHash("sha256").update(state).digest().equals(digest)) return refuse("checksum of the state is wrong");
  return { ...header, path, state };
}

/**
 * The newest good snapshot of this journal at or below `sequenceMax`; damaged ones are reported and passed over, since
 * the older one and a longer replay give the same state.
 */
export function loadSnapshot(
  files: Files,
  folder: string,
  wanted: { readonly identity: string; readonly sequenceMax: number },
  onDamaged: (fault: EngineFault) => void,
): Snapshot | undefined {
  for (const { path, sequence } of listSnapshots(files, folder)) {
    if (sequence > wanted.sequenceMax) continue;
    try {
      const snapshot = readSnapshot(files, path);
      if (snapshot.sequence !== sequence) {
        throw new EngineFault("SNAPSHOT_DAMAGED", `is a copy of the snapshot at ${snapshot.sequence}`, { file: path });
      }
      if (snapshot.identity !== wanted.identity) {
        throw new EngineFault("SNAPSHOT_DAMAGED", "belongs to another journal", { file: path });
      }
      return snapshot;
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error;
      onDamaged(error);
    }
  }
  return undefined;
}

/** Who wrote the newest snapshot and how its state begins, for callers that ask before it is read as a whole. */
export function readNewestHeader(
  files: Files,
  folder: string,
): { path: string; sequence: number; release: string; state: Uint8Array } | undefined {
  for (const { path } of listSnapshots(files, folder)) {
    const file = files.open(path, "read");
    try {
      const bytes = new Uint8Array(PAGE_BYTES * 2);
      const decoded = decodeHeader(bytes.subarray(0, file.read(bytes, 0)));
      if (typeof decoded === "string") continue;
      const { sequence, release } = decoded.header;
      return { path, sequence, release, state: bytes.subarray(PAGE_BYTES) };
    } finally {
      file.close();
    }
  }
  return undefined;
}

function encodeHeader(header: SnapshotHeader, stateBytes: number, digest: Uint8Array): Uint8Array {
  const page = new Uint8Array(PAGE_BYTES);
  const view = new DataView(page.buffer);
  page.set(MAGIC, 0);
  view.setUint32(8, FORMAT, true);
  view.setFloat64(16, header.sequence, true);
  view.setFloat64(24, header.timeMs, true);
  page.set(Buffer.from(header.identity, "hex"), 32);
  page.set(digest, 48);
  writeText(page, 80, header.stateHash, STATE_HASH_BYTES_MAX);
  writeText(page, 168, header.release, RELEASE_BYTES_MAX);
  view.setFloat64(240, stateBytes, true);
  view.setUint32(12, crc32c(page), true);
  return page;
}

function decodeHeader(bytes: Uint8Array): { header: SnapshotHeader; digest: Buffer; stateBytes: number } | string {
  if (bytes.length < PAGE_BYTES) return "shorter than a snapshot header";
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) return "not a snapshot";
  // A Buffer's own slice would be the same bytes.
  const page = Uint8Array.from(bytes.subarray(0, PAGE_BYTES));
  const view = new DataView(page.buffer);
  const crc = view.getUint32(12, true);
  view.setUint32(12, 0, true);
  if (crc !== crc32c(page)) return "checksum of the header is wrong";
  if (view.getUint32(8, true) !== FORMAT) return `format ${view.getUint32(8, true)} is not known to this release`;
  const stateBytes = view.getFloat64(240, true);
  const header: SnapshotHeader = {
    sequence: view.getFloat64(16, true),
    timeMs: view.getFloat64(24, true),
    identity: Buffer.from(page.subarray(32, 48)).toString("hex"),
    stateHash: readText(page, 80),
    release: readText(page, 168),
  };
  return { header, digest: Buffer.from(page.subarray(48, 80)), stateBytes };
}

function writeText(page: Uint8Array, at: number, text: string, bytesMax: number): void {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > bytesMax) throw new RangeError(`"${text}" is longer than ${bytesMax} bytes`);
  page[at] = bytes.length;
  page.set(bytes, at + 1);
}

function readText(page: Uint8Array, at: number): string {
  return new TextDecoder().decode(page.subarray(at + 1, at + 1 + (page[at] ?? 0)));
}
