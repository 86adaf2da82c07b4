// Owns the compact form of stamped commands inside a journal batch, about a third of their size in memory. Must return
// exactly the bytes given to the core, and never interpret a command.
import { COMMAND_HEADER_BYTES, COMMAND_LENGTH_MAX } from "@clockwork/core/protocol/command";
import { EngineFault } from "../memory/fault.ts";

// One frame:
//   u8 count of 8-byte words after the command's header, 255 meaning that a u16 with it follows
//   u8 kind | u8 code of the account, + 16 when time moved | account
//   when time moved: varint of the milliseconds since the command before
//   each word: u8 codes of its low and high half (4 bits each) | low half | high half
// A half is a 32-bit number of which only some bytes are kept: code 0 none, 1–4 that many low ones (whole numbers are
// small), 5–7 one to three high ones (doubles of whole numbers end in zeros). Reading and writing need no branches:
// four bytes are always touched and the place moves by the code's length. Length and sequence are not written: they
// follow from the count of words and the place in the batch.
const KEPT_BYTES = Uint8Array.of(0, 1, 2, 3, 4, 1, 2, 3);
const SHIFT_BITS = Uint8Array.of(0, 0, 0, 0, 0, 24, 16, 8);
const MASK = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, 0xff, 0xffff, 0xffffff);
/** Bytes of both halves of a word, by its code byte: gives the start of the next word directly. */
const KEPT_BOTH = Uint8Array.from(
  { length: 256 },
  (_, both) => (KEPT_BYTES[both & 7] as number) + (KEPT_BYTES[(both >> 4) & 7] as number),
);
const TIME_MOVED = 16;
const WORDS_ESCAPE = 255;
const HEADER_WORDS = COMMAND_HEADER_BYTES / 4;
/** Bytes after the last frame that reading and writing may touch. */
const SLACK_BYTES = 8;
const VARINT_BYTES_MAX = 8;
/** Commands unpacked at once on the thread that uses them: few enough for the processor's cache. */
export const GROUP_BYTES = 8 << 10;

/** Room a command of `bytes` may need: a code byte per word and a head of at most 3 + 2 + 4 + 8 bytes. */
export function frameBytesMax(bytes: number): number {
  return bytes + (bytes >> 3) + 17;
}

/** How a half is kept shortest; by the place of its highest and lowest bit that is set. Zero has none, and takes none. */
function codeOf(half: number): number {
  const low = (39 - Math.clz32(half)) >> 3;
  const high = 4 - ((31 - Math.clz32(half & -half)) >> 3);
  return high < low ? 4 + high : low;
}

export class FrameWriter {
  readonly bytes: Uint8Array;
  length = 0;
  count = 0;
  firstSequence = 0;
  /** Time of the first command. */
  timeMs = 0;
  #previousMs = 0;
  readonly #view: DataView;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.bytes = new Uint8Array(bytesMax + SLACK_BYTES);
    this.#view = new DataView(this.bytes.buffer);
  }

  reset(): void {
    this.length = 0;
    this.count = 0;
  }

  /**
   * Packs consecutive stamped commands in the buffer behind the two views, from byte `from` (a multiple of 8) up to
   * byte `to`, a word of zero, one whose sequence is not the next, or one that may not fit; returns where it stopped.
   */
  pack(i32: Int32Array, f64: Float64Array, from: number, to: number, sequence: number): number {
    const view = this.#view;
    const bytesMax = this.#bytesMax;
    let next = sequence;
    let out = this.length;
    let at = from;
    let previousMs = this.#previousMs;
    for (; at < to; next++) {
      const word = at >> 2;
      const head = i32[word] as number;
      const length = head & 0xffff;
      if (length === 0 || f64[(at >> 3) + 1] !== next || out + frameBytesMax(length) > bytesMax) break;
      const timeMs = f64[(at >> 3) + 2] as number;
      at += length;
      if (out === 0) {
        this.firstSequence = next;
        this.timeMs = timeMs;
        previousMs = timeMs;
      }
      const words = (length - COMMAND_HEADER_BYTES) >> 3;
      const account = i32[word + 1] as number;
      const accountCode = codeOf(account);
      const elapsed = timeMs - previousMs;
      const codes = elapsed === 0 ? accountCode : accountCode | TIME_MOVED;
      if (words < WORDS_ESCAPE) {
        // One store for three bytes; the fourth is the account's first.
        view.setInt32(out, words | ((head >>> 8) & 0xff00) | (codes << 16), true);
        out += 3;
      } else out = writeLongHead(view, out, words, (head >>> 16) & 255, codes);
      view.setInt32(out, account >>> (SHIFT_BITS[accountCode] as number), true);
      out += KEPT_BYTES[accountCode] as number;
      if (elapsed !== 0) {
        previousMs = timeMs;
        out = writeVarint(this.bytes, out, elapsed);
      }
      const end = at >> 2;
      for (let index = word + HEADER_WORDS; index < end; index += 2) {
        const low = i32[index] as number;
        const high = i32[index + 1] as number;
        const lowCode = codeOf(low);
        const highCode = codeOf(high);
        const both = lowCode | (highCode << 4);
        view.setUint8(out, both);
        view.setInt32(out + 1, low >>> (SHIFT_BITS[lowCode] as number), true);
        view.setInt32(out + 1 + (KEPT_BYTES[lowCode] as number), high >>> (SHIFT_BITS[highCode] as number), true);
        out += 1 + (KEPT_BOTH[both] as number);
      }
    }
    this.#previousMs = previousMs;
    this.count += next - sequence;
    this.length = out;
    return at;
  }
}

function writeLongHead(view: DataView, out: number, words: number, kind: number, codes: number): number {
  view.setUint8(out, WORDS_ESCAPE);
  view.setUint16(out + 1, words, true);
  view.setUint8(out + 3, kind);
  view.setUint8(out + 4, codes);
  return out + 5;
}

function writeVarint(out: Uint8Array, at: number, value: number): number {
  let to = at;
  let rest = value;
  // Division, not shifts: a time may be wider than 32 bits.
  while (rest >= 128) {
    out[to++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  out[to++] = rest;
  return to;
}

/**
 * Returns the commands of one batch in its buffer: one at a time at byte 0, zeros after it (`next`), or many
 * consecutively wherever the caller needs them (`fill`). A batch is read in one way or the other.
 */
export class FrameReader {
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  /** Of the command that was unpacked last. */
  sequence = 0;
  #view: DataView = new DataView(new ArrayBuffer(SLACK_BYTES));
  #end = 0;
  #at = 0;
  #left = 0;
  #timeMs = 0;
  /** Bytes of the buffer that may not be zero. */
  #used = 0;

  constructor(buffer: ArrayBufferLike = new ArrayBuffer(GROUP_BYTES + COMMAND_LENGTH_MAX)) {
    this.bytes = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  open(batch: { firstSequence: number; count: number; timeMs: number; frames: Uint8Array }): void {
    let { frames } = batch;
    this.#end = frames.length;
    if (frames.byteOffset + frames.length + SLACK_BYTES > frames.buffer.byteLength) {
      const padded = new Uint8Array(frames.length + SLACK_BYTES);
      padded.set(frames);
      frames = padded;
    }
    this.#view = new DataView(frames.buffer, frames.byteOffset, this.#end + SLACK_BYTES);
    this.#at = 0;
    this.#left = batch.count;
    this.#timeMs = batch.timeMs;
    this.sequence = batch.firstSequence - 1;
  }

  /** Unpacks the next command and returns its length; 0 at the end of the batch. */
  next(): number {
    const used = this.#used;
    const length = this.fill(0, this.bytes.length, this.sequence + 1);
    // What a shorter command leaves out must read as zero, whatever the buffer held before.
    if (length < used) this.bytes.fill(0, length, used);
    this.#used = length;
    return length;
  }

  /** Whether this batch has more commands up to that one. */
  hasMore(lastSequence: number): boolean {
    return this.#left > 0 && this.sequence < lastSequence;
  }

  /** Passes over commands up to this one, each unpacked to byte `at`. */
  skip(sequence: number, at: number): void {
    while (this.hasMore(sequence)) this.fill(at, at + COMMAND_LENGTH_MAX, this.sequence + 1);
  }

  /**
   * Unpacks commands on end from byte `from` until the batch or the last wanted one ends, or one of the greatest length
   * would no longer fit before `to`; returns where they end.
   */
  fill(from: number, to: number, lastSequence: number): number {
    const view = this.#view;
    const { i32, f64 } = this;
    const batchEnd = this.#end;
    const roomEnd = to - COMMAND_LENGTH_MAX;
    let end = from;
    let at = this.#at;
    const first = this.sequence;
    let timeMs = this.#timeMs;
    // Small from here on, for any sequence: counted up as a whole number, added once.
    const countMax = Math.min(this.#left, lastSequence - first);
    let count = 0;
    while (count < countMax && end <= roomEnd) {
      if (at >= batchEnd) this.#refuse(first + count, "a command is missing");
      count++;
      let words = view.getUint8(at++);
      if (words === WORDS_ESCAPE) {
        words = view.getUint16(at, true);
        at += 2;
      }
      const length = COMMAND_HEADER_BYTES + words * 8;
      if (length > COMMAND_LENGTH_MAX) this.#refuse(first + count, `a command of ${length} bytes`);
      const word = end >> 2;
      i32[word] = length | (view.getUint8(at) << 16);
      const codes = view.getUint8(at + 1);
      const code = codes & 7;
      i32[word + 1] = (view.getInt32(at + 2, true) & (MASK[code] as number)) << (SHIFT_BITS[code] as number);
      at += 2 + (KEPT_BYTES[code] as number);
      if ((codes & TIME_MOVED) !== 0) {
        at = this.#moveTime(at, first + count);
        timeMs = this.#timeMs;
      }
      f64[(end >> 3) + 1] = first + count;
      f64[(end >> 3) + 2] = timeMs;
      end += length;
      const last = end >> 2;
      for (let index = word + HEADER_WORDS; index < last; index += 2) {
        // The reads here remain inside the slack; a frame that ends within its last word is caught below.
        if (at >= batchEnd) this.#refuse(first + count, "a command runs over the end of its batch");
        const both = view.getUint8(at);
        const low = both & 7;
        const high = (both >> 4) & 7;
        i32[index] = (view.getInt32(at + 1, true) & (MASK[low] as number)) << (SHIFT_BITS[low] as number);
        const highAt = at + 1 + (KEPT_BYTES[low] as number);
        i32[index + 1] = (view.getInt32(highAt, true) & (MASK[high] as number)) << (SHIFT_BITS[high] as number);
        at += 1 + (KEPT_BOTH[both] as number);
      }
      if (at > batchEnd) this.#refuse(first + count, "a command runs over the end of its batch");
    }
    this.sequence = first + count;
    this.#left -= count;
    this.#at = at;
    if (this.#left === 0 && at !== batchEnd) this.#refuse(this.sequence, "bytes are left over after the last command");
    this.#used = Math.max(this.#used, end);
    return end;
  }

  #moveTime(from: number, sequence: number): number {
    let at = from;
    let scale = 1;
    for (let count = 0; count < VARINT_BYTES_MAX && at < this.#end; count++) {
      const byte = this.#view.getUint8(at++);
      this.#timeMs += (byte & 127) * scale;
      if (byte < 128) return at;
      scale *= 128;
    }
    return this.#refuse(sequence, "a time runs over the end of its batch");
  }

  #refuse(sequence: number, reason: string): never {
    // The checksums agreed, so the writer was wrong, not the disk; replay still cannot continue.
    throw new EngineFault("JOURNAL_DAMAGED", `sequence ${sequence}: ${reason}`);
  }
}
