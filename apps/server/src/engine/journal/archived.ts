// Owns the way from a stub to the segment it stands for: its object found in the places of the journal, fetched piece by piece,
// unpacked and checked. Waits for the store where it is called, since a replay reads segments one after the other.
import { dirname, join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { describeCause, EngineFault } from "../memory/fault.ts";
import { type ArchivedObject, ContentReader, PIECE_BYTES, unpackSegment } from "./archive-format.ts";
import { type ArchivePlace, describePlace, readFromFolder, readPlaces } from "./archive-store.ts";
import { type Files, readWhole } from "./files.ts";
import { decodeSegmentHeader, PAGE_BYTES } from "./journal-format.ts";

// Written out in full: the build looks for this and places the worker next to the caller's file.
const ARCHIVE_WORKER = new URL("./archive-worker.ts", import.meta.url);
/** The store is tried several times within it. */
const WAIT_MS_MAX = 360_000;
/** A piece that does not get smaller is a little longer than its content. */
const ANSWER_BYTES_MAX = PIECE_BYTES + (PIECE_BYTES >> 3);

export interface ArchiveRequest {
  readonly place: ArchivePlace;
  readonly journalFolder: string;
  readonly name: string;
  readonly from: number;
  readonly length: number;
}

/** Shared with the thread that asks the store: state, length of the answer. */
export interface ArchiveAnswer {
  readonly control: Int32Array;
  readonly bytes: Uint8Array;
}
export const ANSWER_WAITING = 0;
export const ANSWER_BYTES = 1;
export const ANSWER_NONE = 2;
export const ANSWER_FAILED = 3;

/** The stub's header page and what it knows of its object. */
export function decodeStub(path: string, bytes: Uint8Array): { page: Uint8Array; object: ArchivedObject } {
  const page = bytes.subarray(0, PAGE_BYTES);
  try {
    const object = JSON.parse(new TextDecoder().decode(bytes.subarray(PAGE_BYTES))) as ArchivedObject;
    if (Array.isArray(object.pieces) && typeof object.sha256 === "string") return { page, object };
  } catch {
    // Said below.
  }
  throw new EngineFault("JOURNAL_DAMAGED", "the stub of an archived segment is broken: restore it from a copy", {
    file: path,
    offset: PAGE_BYTES,
  });
}

export function encodeStub(page: Uint8Array, object: ArchivedObject): Uint8Array {
  return Uint8Array.from(Buffer.concat([page.subarray(0, PAGE_BYTES), Buffer.from(`${JSON.stringify(object)}\n`)]));
}

/** The bytes of a segment: of its file, or of its object where it was archived, since the list was made too. */
export function readSegment(files: Files, path: string, reused?: Uint8Array): Uint8Array {
  if (path.endsWith(".archived")) return readArchived(files, path, reused);
  try {
    return readWhole(files, path, reused);
  } catch (error) {
    const stub = path.replace(/\.journal$/, ".archived");
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || !files.list(dirname(path)).includes(nameIn(stub)))
      throw error;
    return readArchived(files, stub, reused);
  }
}

const nameIn = (path: string): string => path.slice(dirname(path).length + 1);

function readArchived(files: Files, path: string, reused?: Uint8Array): Uint8Array {
  const { page, object } = decodeStub(path, readWhole(files, path));
  const header = decodeSegmentHeader(page);
  if (typeof header === "string") throw new EngineFault("JOURNAL_DAMAGED", header, { file: path, offset: 0 });
  const journalFolder = dirname(path);
  const reader = new ContentReader(object);
  let from = 0;
  for (const length of object.pieces) {
    addPiece(reader, fetchPiece({ journalFolder, name: object.name, from, length }, path), path);
    from += length;
  }
  const content = reader.finish();
  const bytes = typeof content === "string" ? content : unpackSegment(page, header, content, reused);
  if (typeof bytes !== "string") return bytes;
  throw new EngineFault("JOURNAL_DAMAGED", `its archived object ${object.name} ${bytes}`, { file: path });
}

function addPiece(reader: ContentReader, piece: Uint8Array, path: string): void {
  try {
    reader.add(piece);
  } catch (error) {
    const reason = `its archived object cannot be unpacked: ${describeCause(error)}`;
    throw new EngineFault("JOURNAL_DAMAGED", reason, { file: path }, error);
  }
}

/** From the first place that has it; one that cannot be asked keeps nobody from asking the next. */
function fetchPiece(request: Omit<ArchiveRequest, "place">, stub: string): Uint8Array {
  const places = readPlaces(request.journalFolder);
  const looked: string[] = [];
  let failure: unknown;
  for (const place of places) {
    try {
      const bytes = readPlace({ ...request, place });
      if (bytes !== undefined) return bytes;
      looked.push(describePlace(place));
    } catch (error) {
      failure = error;
      looked.push(`${describePlace(place)}: ${describeCause(error)}`);
    }
  }
  const where = looked.length === 0 ? "no place is known" : looked.join("; ");
  const reason = `its archived object ${request.name} is missing (${where}): name the place that has it in CW_ARCHIVE`;
  const code = failure === undefined ? "JOURNAL_SEGMENT_MISSING" : "READ_FAILED";
  throw new EngineFault(code, reason, { file: stub }, failure);
}

function readPlace(request: ArchiveRequest): Uint8Array | undefined {
  const { place, journalFolder, name, from, length } = request;
  if (place.kind === "folder")
    return readFromFolder(join(resolve(dirname(journalFolder), place.path), name), from, length);
  shared ??= startThread();
  return ask(shared, request);
}

interface Thread {
  readonly worker: Worker;
  readonly answer: ArchiveAnswer;
}

let shared: Thread | undefined;

function startThread(): Thread {
  const answer = {
    control: new Int32Array(new SharedArrayBuffer(8)),
    bytes: new Uint8Array(new SharedArrayBuffer(ANSWER_BYTES_MAX)),
  };
  const worker = new Worker(ARCHIVE_WORKER, { workerData: answer, name: "archive" });
  worker.on("error", () => undefined);
  worker.unref();
  return { worker, answer };
}

/** Waits here for what the thread is answered. */
function ask({ worker, answer: { control, bytes } }: Thread, request: ArchiveRequest): Uint8Array | undefined {
  Atomics.store(control, 0, ANSWER_WAITING);
  worker.postMessage(request);
  if (Atomics.wait(control, 0, ANSWER_WAITING, WAIT_MS_MAX) === "timed-out") {
    shared = undefined;
    void worker.terminate();
    throw new Error(`no answer within ${WAIT_MS_MAX / 1000} s`);
  }
  const found = bytes.slice(0, Atomics.load(control, 1));
  const state = Atomics.load(control, 0);
  if (state === ANSWER_NONE) return undefined;
  if (state === ANSWER_FAILED) throw new Error(new TextDecoder().decode(found));
  return found;
}
