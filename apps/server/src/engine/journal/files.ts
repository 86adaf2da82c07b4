// Owns every touch of the file system by journal and snapshots, behind an interface so that tests can inject faults.
// Must never swallow an error nor retry a failed write or sync.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { describeCause, EngineFault } from "../memory/fault.ts";

export interface OpenFile {
  readonly path: string;
  size(): number;
  /** Reads up to bytes.length at position; returns how many were read. */
  read(bytes: Uint8Array, position: number): number;
  /** Writes at position; returns how many bytes were taken, which may be fewer on a full disk. */
  write(bytes: Uint8Array, position: number): number;
  /** fdatasync: contents and the size, not the times. */
  syncData(): void;
  close(): void;
}

export interface Files {
  /** Names in order; none when there is no such folder. */
  list(folder: string): string[];
  makeFolder(folder: string): void;
  open(path: string, mode: "read" | "write" | "create"): OpenFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** fsync of a folder, so that created, renamed and removed names survive a power cut. */
  syncFolder(folder: string): void;
}

// Orders and balances are private, whatever the process's umask.
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const FLAGS = { read: "r", write: "r+", create: "w+" } as const;

class LocalFile implements OpenFile {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
  }

  size(): number {
    return fstatSync(this.#descriptor).size;
  }

  read(bytes: Uint8Array, position: number): number {
    let total = 0;
    while (total < bytes.length) {
      const count = readSync(this.#descriptor, bytes, total, bytes.length - total, position + total);
      if (count === 0) break;
      total += count;
    }
    return total;
  }

  write(bytes: Uint8Array, position: number): number {
    return writeSync(this.#descriptor, bytes, 0, bytes.length, position);
  }

  syncData(): void {
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

export const localFiles: Files = {
  list: (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []),
  makeFolder: (folder) => {
    // Each parent that had to be created is synced, or a power cut could remove the whole folder.
    const first = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (first === undefined) return;
    for (let made = folder; ; made = dirname(made)) {
      syncFolder(dirname(made));
      if (made === first || made === dirname(made)) break;
    }
  },
  open: (path, mode) => new LocalFile(path, openSync(path, FLAGS[mode], FILE_MODE)),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { force: true }),
  syncFolder,
};

function syncFolder(folder: string): void {
  // Windows cannot open a folder; its file system journals names.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all of it or throws: a short write is a full disk, which shows itself first by not throwing. */
export function writeWhole(file: OpenFile, bytes: Uint8Array, position: number): void {
  let written: number;
  try {
    written = file.write(bytes, position);
  } catch (error) {
    const cause = describeCause(error);
    const code = cause === "ENOSPC" || cause === "EDQUOT" ? "DISK_FULL" : "WRITE_FAILED";
    throw new EngineFault(code, `write of ${bytes.length} bytes failed: ${cause}`, place(file, position), error);
  }
  if (written !== bytes.length) {
    const reason = `only ${written} of ${bytes.length} bytes were written: the disk is full`;
    throw new EngineFault("DISK_FULL", reason, place(file, position));
  }
}

/** Syncs or throws; after a failed sync the disk's content is unknown, so the caller must stop. */
export function syncWhole(file: OpenFile): void {
  try {
    file.syncData();
  } catch (error) {
    throw new EngineFault("SYNC_FAILED", `fdatasync failed: ${describeCause(error)}`, { file: file.path }, error);
  }
}

/** The whole content of a file; in `reused` where that is as long. */
export function readWhole(files: Files, path: string, reused?: Uint8Array): Uint8Array {
  const file = files.open(path, "read");
  try {
    const size = file.size();
    const bytes = reused?.length === size ? reused : new Uint8Array(size);
    const count = file.read(bytes, 0);
    if (count !== bytes.length) {
      throw new EngineFault("READ_FAILED", `only ${count} of ${bytes.length} bytes could be read`, { file: path });
    }
    return bytes;
  } finally {
    file.close();
  }
}

function place(file: OpenFile, offset: number): { file: string; offset: number } {
  return { file: file.path, offset };
}
