// Owns the memory by which a thread that reads the journal ahead passes commands to the one that applies them: a ring
// of chunks, one writer and one reader, which wake each other by the chunk and not by the command. Independent of
// files.
import { measureMs } from "@clockwork/host/time/measure";

// Control words: chunks written, chunks released (both wrapping at 2^32), whether the reader is done, and how many
// commands it has applied without this ring.
const WRITTEN = 0;
const TAKEN = 1;
const STOPPED = 2;
const PASSED = 3;
const CONTROL_BYTES = 64;
// A chunk: u32 where its commands end | u32 kind | commands from byte 8, or the text of an end.
const HEADER_BYTES = 8;
const COMMANDS = 0;
const LAST = 1;

/** Enough for 15 ms of applying: a descheduled writer is back before they are used up. */
const CHUNKS = 64;
const CHUNK_BYTES = 64 << 10;
const CHUNK_WORDS = CHUNK_BYTES / 4;
const HALF = CHUNKS / 2;
const STOP_CHECK_MS = 1_000;

export interface ChunkBuffers {
  readonly control: SharedArrayBuffer;
  readonly chunks: SharedArrayBuffer;
}

export function allocateChunks(): ChunkBuffers {
  return {
    control: new SharedArrayBuffer(CONTROL_BYTES),
    chunks: new SharedArrayBuffer(CHUNKS * CHUNK_BYTES),
  };
}

/** The side of the thread that reads files. */
export class ChunkWriter {
  readonly #words: Int32Array;
  readonly #i32: Int32Array;
  readonly #bytes: Uint8Array;
  #written = 0;

  constructor(buffers: ChunkBuffers) {
    this.#words = new Int32Array(buffers.control);
    this.#i32 = new Int32Array(buffers.chunks);
    this.#bytes = new Uint8Array(buffers.chunks);
  }

  /** Leading commands that are no longer needed. */
  get passed(): number {
    return Atomics.load(this.#words, PASSED);
  }

  /** Where the next chunk's commands start, once one is free; −1 when the reader is done. */
  open(): number {
    for (;;) {
      if (Atomics.load(this.#words, STOPPED) !== 0) return -1;
      const taken = Atomics.load(this.#words, TAKEN);
      if (((this.#written - taken) | 0) < CHUNKS) return this.#at() + HEADER_BYTES;
      Atomics.wait(this.#words, TAKEN, taken, STOP_CHECK_MS);
    }
  }

  /** Where the chunk that was opened ends. */
  get roomEnd(): number {
    return this.#at() + CHUNK_BYTES;
  }

  /** Hands the opened chunk over, its commands ending at byte `end`. */
  publish(end: number): void {
    this.#publish(COMMANDS, end);
  }

  /** Marks the end, with its reason. */
  finish(text: string): void {
    const from = this.open();
    if (from < 0) return;
    const bytes = new TextEncoder().encode(text);
    this.#bytes.set(bytes, from);
    this.#publish(LAST, from + bytes.length);
  }

  #at(): number {
    return (this.#written & (CHUNKS - 1)) * CHUNK_BYTES;
  }

  #publish(kind: number, end: number): void {
    const word = this.#at() >> 2;
    this.#i32[word] = end;
    this.#i32[word + 1] = kind;
    this.#written = (this.#written + 1) | 0;
    Atomics.store(this.#words, WRITTEN, this.#written);
    Atomics.notify(this.#words, WRITTEN);
  }
}

/** The side of the thread that applies commands; the chunk taken last belongs to it until it requests the next. */
export class ChunkReader {
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  at = 0;
  end = 0;
  /** Time that went by waiting for the writer. */
  waitedMs = 0;
  /** The writer's reason at its end. */
  text: string | undefined;
  readonly #words: Int32Array;
  #taken = 0;
  #holds = false;

  constructor(buffers: ChunkBuffers) {
    this.#words = new Int32Array(buffers.control);
    this.i32 = new Int32Array(buffers.chunks);
    this.f64 = new Float64Array(buffers.chunks);
    this.bytes = new Uint8Array(buffers.chunks);
  }

  /** Whether the writer is far enough ahead to remain so. */
  get isHalfFull(): boolean {
    return ((Atomics.load(this.#words, WRITTEN) - this.#taken) | 0) >= HALF;
  }

  /** Spares the writer that many commands from the first on. */
  pass(count: number): void {
    Atomics.store(this.#words, PASSED, count);
  }

  /** Gives the chunk before back and takes the next; false when none comes for that long. */
  take(timeoutMs: number): boolean {
    if (this.#holds) this.#giveBack();
    if (Atomics.load(this.#words, WRITTEN) === this.#taken && !this.#wait(timeoutMs)) return false;
    this.#holds = true;
    const word = (this.#taken & (CHUNKS - 1)) * CHUNK_WORDS;
    this.at = word * 4 + HEADER_BYTES;
    this.end = this.i32[word] as number;
    if (this.i32[word + 1] !== LAST) return true;
    this.text = new TextDecoder().decode(this.bytes.slice(this.at, this.end));
    this.end = this.at;
    return true;
  }

  /** Lets the writer end. */
  stop(): void {
    Atomics.store(this.#words, STOPPED, 1);
    Atomics.notify(this.#words, TAKEN);
  }

  #wait(timeoutMs: number): boolean {
    const before = measureMs();
    const outcome = Atomics.wait(this.#words, WRITTEN, this.#taken, timeoutMs);
    this.waitedMs += measureMs() - before;
    return outcome !== "timed-out";
  }

  /** A writer waits only when the ring is full; this wakes it when half of it is free, long before it is empty. */
  #giveBack(): void {
    this.#holds = false;
    this.#taken = (this.#taken + 1) | 0;
    Atomics.store(this.#words, TAKEN, this.#taken);
    if (this.#taken % HALF === 0) Atomics.notify(this.#words, TAKEN);
  }
}
