// Owns growable tables of fixed-size records in one ArrayBuffer, seen as 32-bit words and as doubles.
// Record 0 is the null record. All machine state lives in such tables, so a snapshot is a copy and a hash is a walk.
import { assert } from "@clockwork/kit/assert";
import type { Doubles, Words } from "./record.ts";

const nothing = (): void => {};

/**
 * Large buffers begin 16 bytes into a line of the cache, behind the allocator's own head. Records begin where the next
 * line does, so that one of 64 bytes lies in one line and not in two.
 */
const BEGIN_BYTES = 48;

export class Table<R = unknown> {
  readonly name: string;
  /** 32-bit words in a record; even, so that doubles align. */
  readonly stride: number;
  i32: Words<R>;
  f64: Doubles<R>;
  /** Records ever used, the null record included. */
  count = 1;
  /** First free record; free records chain through their word 0. */
  freeHead = 0;
  /** Called when the views were replaced, for owners that keep them within one step's reach of the hot path. */
  onGrow: () => void = nothing;

  constructor(name: string, stride: number, capacity: number) {
    assert(stride % 2 === 0, "TABLE-1", `${name} has an odd stride`);
    this.name = name;
    this.stride = stride;
    // A power of two, which growing keeps: see mask.
    const words = (1 << (32 - Math.clz32(Math.max(capacity, 2) - 1))) * stride;
    const buffer = new ArrayBuffer(BEGIN_BYTES + words * 4);
    this.i32 = new Int32Array(buffer, BEGIN_BYTES, words);
    this.f64 = new Float64Array(buffer, BEGIN_BYTES, words >> 1);
  }

  /** A record from the free chain, as its last user left it, or a zeroed one from the end. */
  take(): number {
    const free = this.freeHead;
    if (free !== 0) {
      this.freeHead = this.i32[free * this.stride] as number;
      return free;
    }
    const record = this.count++;
    if (record * this.stride >= this.i32.length) this.grow(record + 1);
    return record;
  }

  give(record: number): void {
    assert(record > 0 && record < this.count, "TABLE-4", "a record that was never taken comes back");
    this.i32[record * this.stride] = this.freeHead;
    this.freeHead = record;
  }

  /** Makes room for `records` records; views are replaced, so never keep them across a call that may grow. */
  grow(records: number): void {
    let capacity = this.i32.length / this.stride;
    while (capacity < records) capacity *= 2;
    assert(capacity * this.stride < 0x40000000, "TABLE-2", `${this.name} has outgrown its index`);
    const words = capacity * this.stride;
    const buffer = new ArrayBuffer(BEGIN_BYTES + words * 4);
    const i32 = new Int32Array(buffer, BEGIN_BYTES, words);
    i32.set(this.i32);
    this.i32 = i32;
    this.f64 = new Float64Array(buffer, BEGIN_BYTES, words >> 1);
    this.onGrow();
  }

  /**
   * Where the stride is a power of two: what leaves the first word of every record as it is. Whoever binds the views
   * as constants masks with it, and the compiler then knows that all of the record lies inside.
   */
  get mask(): number {
    return this.i32.length - this.stride;
  }

  /** Words in use, for hashing and copying. */
  get usedWords(): number {
    return this.count * this.stride;
  }

  load(words: Int32Array, count: number, freeHead: number): void {
    // Records from the end are taken to be zero, whatever this table held before.
    if (this.usedWords > words.length) this.i32.fill(0, words.length, this.usedWords);
    this.count = count;
    this.freeHead = freeHead;
    if (this.i32.length < words.length) this.grow(Math.ceil(words.length / this.stride));
    this.i32.set(words);
    this.onGrow();
  }
}
