// Owns the compact form of stamped commands inside a journal batch, about a third of their size in memory.
// Must give back exactly the bytes that the core was given, and never look at what a command means.
import { COMMAND_HEADER_BYTES, COMMAND_LENGTH_MAX } from "@clockwork/core/command";
import { EngineFault } from "./fault.ts";

// One frame: varint (words × 2 + time changed), [varint ms since the command before], kind byte, varint account,
// then each 8-byte word after the header as a tag byte (bit n: byte n is not zero) and its bytes that are not zero.
// Length and sequence follow from the count of words and the place in the batch; time is a delta.
/** Room a command of `bytes` may need: a tag per word, and a head of at most 3 + 8 + 1 + 5 bytes. */
export function frameBytesMax(bytes: number): number {
  return bytes + (bytes >> 3) + 17;
}

const TIME_VARINT_BYTES_MAX = 8;

export class FrameWriter {
  readonly bytes: Uint8Array;
  length = 0;
  count = 0;
  firstSequence = 0;
  /** Time of the first command. */
  timeMs = 0;
  #previousMs = 0;

  constructor(bytesMax: number) {
    this.bytes = new Uint8Array(bytesMax);
  }

  reset(): void {
    this.length = 0;
    this.count = 0;
  }

  /** Whether a command of that many bytes surely fits. */
  fits(commandBytes: number): boolean {
    return this.length + frameBytesMax(commandBytes) <= this.bytes.length;
  }

  /** Packs the stamped command at byte `at` (a multiple of 8) of the buffer behind the two views. */
  add(i32: Int32Array, f64: Float64Array, at: number): void {
    const out = this.bytes;
    const word = at >> 2;
    const head = i32[word] as number;
    const end = (at + (head & 0xffff)) >> 2;
    const timeMs = f64[(at >> 3) + 2] as number;
    if (this.count === 0) {
      this.firstSequence = f64[(at >> 3) + 1] as number;
      this.timeMs = timeMs;
      this.#previousMs = timeMs;
    }
    let to = this.length;
    const words = (end - word - COMMAND_HEADER_BYTES / 4) >> 1;
    const elapsed = timeMs - this.#previousMs;
    to = writeVarint(out, to, words * 2 + (elapsed === 0 ? 0 : 1));
    if (elapsed !== 0) {
      this.#previousMs = timeMs;
      to = writeVarint(out, to, elapsed);
    }
    out[to++] = (head >>> 16) & 255;
    to = writeVarint(out, to, (i32[word + 1] as number) >>> 0);
    for (let index = word + COMMAND_HEADER_BYTES / 4; index < end; index += 2) {
      const tagAt = to++;
      let tag = 0;
      const low = i32[index] as number;
      if (low !== 0) {
        if (low & 0xff) {
          tag |= 1;
          out[to++] = low;
        }
        if (low & 0xff00) {
          tag |= 2;
          out[to++] = low >>> 8;
        }
        if (low & 0xff0000) {
          tag |= 4;
          out[to++] = low >>> 16;
        }
        if (low >>> 24) {
          tag |= 8;
          out[to++] = low >>> 24;
        }
      }
      const high = i32[index + 1] as number;
      if (high !== 0) {
        if (high & 0xff) {
          tag |= 16;
          out[to++] = high;
        }
        if (high & 0xff00) {
          tag |= 32;
          out[to++] = high >>> 8;
        }
        if (high & 0xff0000) {
          tag |= 64;
          out[to++] = high >>> 16;
        }
        if (high >>> 24) {
          tag |= 128;
          out[to++] = high >>> 24;
        }
      }
      out[tagAt] = tag;
    }
    this.length = to;
    this.count++;
  }
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

/** Gives back the commands of one batch, one at a time, at byte 0 of its own buffer. */
export class FrameReader {
  readonly bytes = new Uint8Array(COMMAND_LENGTH_MAX);
  readonly i32 = new Int32Array(this.bytes.buffer);
  readonly f64 = new Float64Array(this.bytes.buffer);
  sequence = 0;
  #frames: Uint8Array = new Uint8Array(0);
  #at = 0;
  #left = 0;
  #timeMs = 0;
  #lengthBefore = 0;

  open(batch: { firstSequence: number; count: number; timeMs: number; frames: Uint8Array }): void {
    this.#frames = batch.frames;
    this.#at = 0;
    this.#left = batch.count;
    this.#timeMs = batch.timeMs;
    this.sequence = batch.firstSequence - 1;
  }

  /** Unpacks the next command and returns its length; 0 at the end of the batch. */
  next(): number {
    if (this.#left === 0) {
      if (this.#at !== this.#frames.length) this.#refuse("bytes are left over after the last command");
      return 0;
    }
    this.#left--;
    this.sequence++;
    const head = this.#readVarint();
    if (head & 1) this.#timeMs += this.#readVarint();
    const length = COMMAND_HEADER_BYTES + (head >>> 1) * 8;
    if (length > COMMAND_LENGTH_MAX) this.#refuse(`a command of ${length} bytes`);
    // What a shorter command leaves out must read as zero, whatever stood here before.
    if (length < this.#lengthBefore) this.bytes.fill(0, length, this.#lengthBefore);
    this.#lengthBefore = length;
    this.i32[0] = length | ((this.#frames[this.#at++] as number) << 16);
    this.i32[1] = this.#readVarint() | 0;
    this.f64[1] = this.sequence;
    this.f64[2] = this.#timeMs;
    this.#readWords(length);
    return length;
  }

  #readWords(length: number): void {
    const frames = this.#frames;
    const bytes = this.bytes;
    let at = this.#at;
    for (let to = COMMAND_HEADER_BYTES; to < length; to += 8) {
      const tag = frames[at++] as number;
      if (tag === 0) {
        this.f64[to >> 3] = 0;
        continue;
      }
      for (let index = 0; index < 8; index++) bytes[to + index] = tag & (1 << index) ? (frames[at++] as number) : 0;
    }
    this.#at = at;
    if (at > frames.length) this.#refuse("a command runs over the end of its batch");
  }

  #readVarint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < TIME_VARINT_BYTES_MAX; count++) {
      const byte = this.#frames[this.#at++];
      if (byte === undefined) return this.#refuse("a command runs over the end of its batch");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    return this.#refuse("a number is too long");
  }

  #refuse(reason: string): never {
    // The checksums agreed, so the writer was wrong, not the disk; still nothing to go on with.
    throw new EngineFault("JOURNAL_DAMAGED", `sequence ${this.sequence}: ${reason}`);
  }
}
