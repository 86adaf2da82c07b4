// Owns the map from a pair of small integers to a record, by open addressing in one table. Entries are never removed.
import { Table } from "./table.ts";

// Entry: 0 first key, 1 second key, 2 value (0 = empty), 3 unused.
const STRIDE = 4;
const SHIFT = 2;
const FIRST_SIZE = 256;

/** The start of a probe; the constants only need to spread neighbouring pairs. */
export function mix(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 12);
}

export class PairIndex {
  /** `count` of the table is its whole capacity: empty entries are part of the state. */
  readonly table: Table;
  /** Entries in use are counted in word 3 of entry 0. The first size is fixed, because it is part of the state. */
  constructor(name: string, capacity = 0) {
    this.table = new Table(name, STRIDE, Math.max(FIRST_SIZE, capacity));
    this.table.count = FIRST_SIZE;
  }

  find(a: number, b: number): number {
    const words = this.table.i32;
    const mask = this.table.count - 1;
    let at = mix(a, b) & mask;
    for (;;) {
      const value = words[(at << SHIFT) | 2] as number;
      if (value === 0 || (words[at << SHIFT] === a && words[(at << SHIFT) | 1] === b)) return value;
      at = (at + 1) & mask;
    }
  }

  /** The pair must not be there yet. */
  insert(a: number, b: number, value: number): void {
    const used = (this.table.i32[3] as number) + 1;
    if (used * 2 > this.table.count) this.#rehash();
    // Places given anew begin with no count.
    this.table.i32[3] = used;
    this.#put(a, b, value);
  }

  #put(a: number, b: number, value: number): void {
    const words = this.table.i32;
    const mask = this.table.count - 1;
    let at = mix(a, b) & mask;
    while (words[(at << SHIFT) | 2] !== 0) at = (at + 1) & mask;
    words[at << SHIFT] = a;
    words[(at << SHIFT) | 1] = b;
    words[(at << SHIFT) | 2] = value;
  }

  #rehash(): void {
    const old = this.table.i32.slice(0, this.table.usedWords);
    const size = this.table.count * 2;
    // Room may have been made beforehand; the size that counts is the state's.
    if (size * STRIDE > this.table.i32.length) this.table.grow(size);
    this.table.count = size;
    this.table.i32.fill(0, 0, size * STRIDE);
    for (let i = 0; i < old.length; i += STRIDE) {
      const value = old[i + 2] as number;
      if (value !== 0) this.#put(old[i] as number, old[i + 1] as number, value);
    }
  }
}
