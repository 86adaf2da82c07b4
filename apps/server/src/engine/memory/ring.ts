// Owns the rings and bells over shared memory by which the engine's threads pass bytes without copying messages.
// One writer and one reader each; must never block a writer (a full ring is the caller's business).

/** Wakes one sleeping thread; costs nothing while that thread is awake. */
export class Bell {
  readonly #words: Int32Array;
  readonly #at: number;

  /** Uses two words of `words` from `at`: whether a thread sleeps, and a count of rings. */
  constructor(words: Int32Array, at: number) {
    this.#words = words;
    this.#at = at;
  }

  ring(): void {
    if (Atomics.load(this.#words, this.#at) === 0) return;
    Atomics.store(this.#words, this.#at, 0);
    Atomics.add(this.#words, this.#at + 1, 1);
    Atomics.notify(this.#words, this.#at + 1);
  }

  /** Sleeps until rung or timed out, unless `ready` reports pending work. */
  wait(ready: () => boolean, timeoutMs: number): void {
    const count = this.#announce();
    if (!ready()) Atomics.wait(this.#words, this.#at + 1, count, timeoutMs);
    Atomics.store(this.#words, this.#at, 0);
  }

  /** The same for a thread that must not block; the promise never rejects. */
  async waitAsync(ready: () => boolean, timeoutMs: number): Promise<void> {
    const count = this.#announce();
    if (!ready()) {
      const waiting = Atomics.waitAsync(this.#words, this.#at + 1, count, timeoutMs);
      if (waiting.async) await waiting.value;
    }
    Atomics.store(this.#words, this.#at, 0);
  }

  /** Announces that this thread is about to sleep, before its last check for work: no ring can be lost in between. */
  #announce(): number {
    const count = Atomics.load(this.#words, this.#at + 1);
    Atomics.store(this.#words, this.#at, 1);
    return count;
  }
}

/**
 * The memory of one ring: of `words`, `head` is the writer's position and `tail` the reader's (bytes, wrapping at
 * 2^32); `buffer` holds the records. A reader's tail may be the head of the next: records then pass through several
 * readers in place.
 */
export interface RingMemory {
  readonly words: Int32Array;
  readonly head: number;
  readonly tail: number;
  readonly buffer: SharedArrayBuffer;
}

/** The part of a ring that is near: it is not turned over before, so that a reader may always be that far behind. */
const NEAR_SHIFT = 3;

// Records are multiples of 8 bytes and contiguous; the first 32-bit word of a record is never zero. Where the rest
// of the buffer is too short for a record, a zero word sends the reader back to the start.
export class RingWriter {
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  readonly capacity: number;
  readonly #words: Int32Array;
  readonly #headAt: number;
  readonly #tailAt: number;
  #head: number;
  #tail: number;

  constructor(memory: RingMemory) {
    this.bytes = new Uint8Array(memory.buffer);
    this.i32 = new Int32Array(memory.buffer);
    this.f64 = new Float64Array(memory.buffer);
    this.capacity = memory.buffer.byteLength;
    this.#words = memory.words;
    this.#headAt = memory.head;
    this.#tailAt = memory.tail;
    this.#head = Atomics.load(this.#words, this.#headAt) >>> 0;
    this.#tail = Atomics.load(this.#words, this.#tailAt) >>> 0;
  }

  /** Position up to which records were committed; to be given to publish. */
  get head(): number {
    return this.#head;
  }

  /** Byte offset with room for `bytes`, or −1 when the ring is full. Nothing moves until `commit`. */
  reserve(bytes: number): number {
    const offset = this.#head & (this.capacity - 1);
    const skip = offset + bytes > this.capacity ? this.capacity - offset : 0;
    if (this.#free() < bytes + skip) {
      this.#tail = Atomics.load(this.#words, this.#tailAt) >>> 0;
      if (this.#free() < bytes + skip) return -1;
    }
    if (skip === 0) return offset;
    this.#turn(offset);
    return 0;
  }

  /**
   * The same, but returns to the start when an eighth is full, most of it was read and the unread part fits before it:
   * while the reader keeps up, the writer remains in a small part of the ring, near the processor.
   */
  reserveNear(bytes: number): number {
    const offset = this.#head & (this.capacity - 1);
    const near = this.capacity >> NEAR_SHIFT;
    if (offset >= near) {
      this.#tail = Atomics.load(this.#words, this.#tailAt) >>> 0;
      const waiting = (this.#head - this.#tail) >>> 0;
      const read = offset - waiting;
      if (read >= waiting && read >= near >> 1 && read >= bytes) this.#turn(offset);
    }
    return this.reserve(bytes);
  }

  /** Sends the reader and the next record back to the start. */
  #turn(offset: number): void {
    this.i32[offset >> 2] = 0;
    this.#head = (this.#head + this.capacity - offset) >>> 0;
  }

  /** Whether `reserve` would find room now. */
  hasRoom(bytes: number): boolean {
    this.#tail = Atomics.load(this.#words, this.#tailAt) >>> 0;
    const offset = this.#head & (this.capacity - 1);
    const skip = offset + bytes > this.capacity ? this.capacity - offset : 0;
    return this.#free() >= bytes + skip;
  }

  commit(bytes: number): void {
    this.#head = (this.#head + bytes) >>> 0;
  }

  /** Lets the reader see all committed records, or those before an earlier head. */
  publish(head = this.#head): void {
    Atomics.store(this.#words, this.#headAt, head | 0);
  }

  #free(): number {
    return this.capacity - ((this.#head - this.#tail) >>> 0);
  }
}

export class RingReader {
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  readonly #mask: number;
  readonly #words: Int32Array;
  readonly #headAt: number;
  readonly #tailAt: number;
  #head: number;
  #tail: number;

  constructor(memory: RingMemory) {
    this.bytes = new Uint8Array(memory.buffer);
    this.i32 = new Int32Array(memory.buffer);
    this.f64 = new Float64Array(memory.buffer);
    this.#mask = memory.buffer.byteLength - 1;
    this.#words = memory.words;
    this.#headAt = memory.head;
    this.#tailAt = memory.tail;
    this.#head = Atomics.load(this.#words, this.#headAt) >>> 0;
    this.#tail = Atomics.load(this.#words, this.#tailAt) >>> 0;
  }

  /** Byte offset of the next record, or −1 when there is none. */
  peek(): number {
    if (this.#tail === this.#head) {
      this.#head = Atomics.load(this.#words, this.#headAt) >>> 0;
      if (this.#tail === this.#head) return -1;
    }
    const offset = this.#tail & this.#mask;
    if (this.i32[offset >> 2] !== 0) return offset;
    this.#tail = (this.#tail + this.#mask + 1 - offset) >>> 0;
    return this.peek();
  }

  /** Bytes from the record that `peek` found to the last that can be seen without a turn; a zero word may end them. */
  get span(): number {
    return Math.min((this.#head - this.#tail) >>> 0, this.#mask + 1 - (this.#tail & this.#mask));
  }

  advance(bytes: number): void {
    this.#tail = (this.#tail + bytes) >>> 0;
  }

  /** Gives the room of all records advanced over back to the writer. */
  release(): void {
    Atomics.store(this.#words, this.#tailAt, this.#tail | 0);
  }

  /** Whether more than a quarter was taken before the last release: the writer may be waiting for room. */
  isCrowded(): boolean {
    const released = Atomics.load(this.#words, this.#tailAt) >>> 0;
    const head = Atomics.load(this.#words, this.#headAt) >>> 0;
    return (head - released) >>> 0 > (this.#mask + 1) >>> 2;
  }

  isEmpty(): boolean {
    return Atomics.load(this.#words, this.#headAt) >>> 0 === this.#tail;
  }
}
