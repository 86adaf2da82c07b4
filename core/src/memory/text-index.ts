// Owns the map from (scope, short text) to what was decided for it, with a first-in-first-out end of life.
// Client order ids and money references live here. Texts are compared in full: a hash only finds the chain.
import { Table } from "./table.ts";

/** Words of a text inside a record: one length byte and up to 36 characters, padded to 40 bytes. */
export const TEXT_WORDS = 10;
const STRIDE = 24;
const NEXT = 0;
const SCOPE = 1;
const HASH = 2;
const LIVE = 3;
const TEXT = 4;
/** Doubles at the end of the record, free for the owner: time, fingerprint, and two more. */
const TIME_DOUBLE = 7;
export const ENTRY_FINGERPRINT = 8;
export const ENTRY_SEQUENCE = 9;
export const ENTRY_VALUE = 10;
const NEWER = 22;

export class TextIndex {
  readonly entries: Table;
  readonly buckets: Table;
  /** Word 0 of the null record chains nothing, so words 1 and 2 keep oldest and newest, word 3 the live count. */
  constructor(name: string, capacity: number) {
    let size = 16;
    while (size < capacity) size *= 2;
    this.entries = new Table(name, STRIDE, capacity);
    this.buckets = new Table(`${name}-buckets`, 2, size / 2);
    this.buckets.count = size / 2;
  }

  #hash(scope: number, words: Int32Array, at: number): number {
    let hash = Math.imul(scope, 0x9e3779b1);
    for (let i = 0; i < TEXT_WORDS; i++) {
      hash = Math.imul(hash ^ (words[at + i] as number), 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    return hash ^ (hash >>> 16);
  }

  #bucket(hash: number): number {
    return hash & (this.buckets.count * 2 - 1);
  }

  /** The record for the text at word `at` of `words`, or 0. */
  find(scope: number, words: Int32Array, at: number): number {
    const hash = this.#hash(scope, words, at);
    const e = this.entries.i32;
    let record = this.buckets.i32[this.#bucket(hash)] as number;
    while (record !== 0) {
      const base = record * STRIDE;
      if (e[base + HASH] === hash && e[base + SCOPE] === scope && this.#same(base + TEXT, words, at)) return record;
      record = e[base + NEXT] as number;
    }
    return 0;
  }

  #same(base: number, words: Int32Array, at: number): boolean {
    const e = this.entries.i32;
    for (let i = 0; i < TEXT_WORDS; i++) if (e[base + i] !== words[at + i]) return false;
    return true;
  }

  /** Adds a text that is not there. The caller fills the owner's doubles. */
  insert(scope: number, words: Int32Array, at: number, time: number): number {
    const live = (this.entries.i32[3] as number) + 1;
    if (live > this.buckets.count * 2) this.#rehash();
    const hash = this.#hash(scope, words, at);
    const record = this.entries.take();
    const e = this.entries.i32;
    e[3] = live;
    const base = record * STRIDE;
    for (let i = 0; i < TEXT_WORDS; i++) e[base + TEXT + i] = words[at + i] as number;
    e[base + SCOPE] = scope;
    e[base + HASH] = hash;
    e[base + LIVE] = 1;
    this.#link(base, record, hash);
    this.entries.f64[record * (STRIDE / 2) + TIME_DOUBLE] = time;
    this.#append(record);
    return record;
  }

  #link(base: number, record: number, hash: number): void {
    const bucket = this.#bucket(hash);
    this.entries.i32[base + NEXT] = this.buckets.i32[bucket] as number;
    this.buckets.i32[bucket] = record;
  }

  #append(record: number): void {
    const e = this.entries.i32;
    const newest = e[2] as number;
    e[record * STRIDE + NEWER] = 0;
    if (newest === 0) e[1] = record;
    else e[newest * STRIDE + NEWER] = record;
    e[2] = record;
  }

  double(record: number, which: number): number {
    return this.entries.f64[record * (STRIDE / 2) + which] as number;
  }

  setDouble(record: number, which: number, value: number): void {
    this.entries.f64[record * (STRIDE / 2) + which] = value;
  }

  time(record: number): number {
    return this.double(record, TIME_DOUBLE);
  }

  /** Word offset of the record's text, for copying it into an event. */
  textAt(record: number): number {
    return record * STRIDE + TEXT;
  }

  setTime(record: number, time: number): void {
    this.setDouble(record, TIME_DOUBLE, time);
  }

  oldest(): number {
    return this.entries.i32[1] as number;
  }

  newerThan(record: number): number {
    return this.entries.i32[record * STRIDE + NEWER] as number;
  }

  scope(record: number): number {
    return this.entries.i32[record * STRIDE + SCOPE] as number;
  }

  /** Gives the oldest record a new life at the end, for texts that must outlive their time. */
  renewOldest(time: number): void {
    const record = this.#shift();
    this.setDouble(record, TIME_DOUBLE, time);
    this.#append(record);
  }

  removeOldest(): void {
    const record = this.#shift();
    const e = this.entries.i32;
    const base = record * STRIDE;
    const bucket = this.#bucket(e[base + HASH] as number);
    let before = 0;
    let current = this.buckets.i32[bucket] as number;
    while (current !== record) {
      before = current;
      current = e[current * STRIDE + NEXT] as number;
    }
    const next = e[base + NEXT] as number;
    if (before === 0) this.buckets.i32[bucket] = next;
    else e[before * STRIDE + NEXT] = next;
    e[base + LIVE] = 0;
    e[3] = (e[3] as number) - 1;
    this.entries.give(record);
  }

  #shift(): number {
    const e = this.entries.i32;
    const record = e[1] as number;
    const newer = e[record * STRIDE + NEWER] as number;
    e[1] = newer;
    if (newer === 0) e[2] = 0;
    return record;
  }

  #rehash(): void {
    const size = this.buckets.count * 2;
    this.buckets.grow(size);
    this.buckets.count = size;
    this.buckets.i32.fill(0);
    const e = this.entries.i32;
    for (let record = 1; record < this.entries.count; record++) {
      const base = record * STRIDE;
      if (e[base + LIVE] === 1) this.#link(base, record, e[base + HASH] as number);
    }
  }
}
