// Owns where archived segments are kept: a folder or an S3-compatible store, behind one small interface, and the list of places
// of a journal. An object is never changed once a stub names it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EngineFault } from "../memory/fault.ts";
import { type Files, localFiles, syncWhole, writeWhole } from "./files.ts";
import { S3Store } from "./s3-store.ts";

export interface ArchiveStore {
  /** Resolves when the object would survive a power cut. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** So many bytes of it; undefined where there is no such object. */
  read(name: string, from: number, length: number): Promise<Uint8Array | undefined>;
}

export interface S3Place {
  readonly kind: "s3";
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before the name of each object; empty or ending in a slash. */
  readonly prefix: string;
  /** A file with `aws_access_key_id` and `aws_secret_access_key`. */
  readonly credentials: string;
}

/** A folder is absolute, or beside the journal. */
export type ArchivePlace = { readonly kind: "folder"; readonly path: string } | S3Place;

export const PLACES_FILE = "archive.json";

export function describePlace(place: ArchivePlace): string {
  return place.kind === "folder" ? place.path : `s3://${place.bucket}/${place.prefix} at ${place.endpoint}`;
}

export function openStore(place: ArchivePlace, journalFolder: string, files: Files = localFiles): ArchiveStore {
  if (place.kind === "s3") return new S3Store(place);
  return new FolderStore(resolve(dirname(journalFolder), place.path), files);
}

/** The places of a journal's objects, the one that is written first. */
export function readPlaces(journalFolder: string): readonly ArchivePlace[] {
  const path = join(journalFolder, PLACES_FILE);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, "utf8")) as { places: readonly ArchivePlace[] }).places;
}

/** Remembers where objects are written from now on; places of before are still read. */
export function notePlace(files: Files, journalFolder: string, place: ArchivePlace): void {
  const before = readPlaces(journalFolder);
  const text = JSON.stringify(place);
  if (before[0] !== undefined && JSON.stringify(before[0]) === text) return;
  const places = [place, ...before.filter((one) => JSON.stringify(one) !== text)];
  replaceFile(files, journalFolder, PLACES_FILE, new TextEncoder().encode(`${JSON.stringify({ places })}\n`));
}

/** Writes a file so that it is there whole or as it was. */
export function replaceFile(files: Files, folder: string, name: string, bytes: Uint8Array): void {
  const aside = join(folder, `${name}.tmp`);
  const file = files.open(aside, "create");
  try {
    writeWhole(file, bytes, 0);
    syncWhole(file);
  } finally {
    file.close();
  }
  files.rename(aside, join(folder, name));
  files.syncFolder(folder);
}

class FolderStore implements ArchiveStore {
  readonly #folder: string;
  readonly #files: Files;

  constructor(folder: string, files: Files) {
    this.#folder = folder;
    this.#files = files;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#files.makeFolder(this.#folder);
    replaceFile(this.#files, this.#folder, name, bytes);
  }

  async read(name: string, from: number, length: number): Promise<Uint8Array | undefined> {
    return readFromFolder(join(this.#folder, name), from, length);
  }
}

/** Undefined where there is no such file. */
export function readFromFolder(path: string, from: number, length: number): Uint8Array | undefined {
  if (!existsSync(path)) return undefined;
  const file = localFiles.open(path, "read");
  try {
    const bytes = new Uint8Array(length);
    const count = file.read(bytes, from);
    if (count === length) return bytes;
    throw new EngineFault("READ_FAILED", `ends at ${from + count}, before ${from + length}`, { file: path });
  } finally {
    file.close();
  }
}
