// Owns price levels: a paged ladder of ticks with bitmaps over it, so that the next price is found with clz32.
// Knows no sides, no orders beyond the two ends of a level's queue, and nothing of money.
import { assert } from "@clockwork/kit/assert";
import { Table } from "../memory/table.ts";

const PAGE_SHIFT = 10;
const PAGE_LEVELS = 1 << PAGE_SHIFT;
/** A level is 16 bytes: word 0 head, word 1 tail, double 1 the visible lots. */
export const LEVEL_WORDS = 4;
export const LEVEL_SHIFT = 2;
/** A page's bitmap: 32 words of 32 ticks, then one word telling which of them are not zero; word 33 pads. */
const PAGE_BIT_WORDS = 64;
const PAGE_BIT_SHIFT = 6;
const PAGE_SUMMARY = 32;

/** Pages of levels and their bitmaps, shared by all ladders of a machine. An empty page is all zero. */
export class LevelPool {
  readonly levels: Table;
  readonly bits: Table;
  bitWords: Int32Array;

  constructor(name: string, pages: number) {
    this.levels = new Table(`${name}-levels`, PAGE_LEVELS << LEVEL_SHIFT, pages);
    this.bits = new Table(`${name}-bits`, PAGE_BIT_WORDS, pages);
    this.bitWords = this.bits.i32;
    this.bits.onGrow = () => {
      this.bitWords = this.bits.i32;
    };
  }

  takePage(): number {
    const page = this.levels.take();
    // The free chain borrows word 0, the head of the page's first level.
    this.levels.i32[page * this.levels.stride] = 0;
    while (this.bits.count <= page) this.bits.take();
    return page;
  }
}

const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);
const highestBit = (word: number): number => 31 - Math.clz32(word);

/** One side of trading or triggering: ticks that hold something, in price order. */
export class Ladder {
  readonly pool: LevelPool;
  /** Page number → page record, 0 for none; then bits of pages in use, then bits of those words. */
  readonly directory: Table;
  readonly pageBits: Table;
  readonly pageSummary: Table;
  directoryWords: Int32Array;
  /** Pages the directory can name. */
  pages = 0;

  constructor(name: string, pool: LevelPool) {
    this.pool = pool;
    this.directory = new Table(`${name}-directory`, 2, 16);
    this.pageBits = new Table(`${name}-pages`, 2, 2);
    this.pageSummary = new Table(`${name}-summary`, 2, 2);
    // These three are plain arrays of words: count is their size in pairs, whatever is used.
    this.directory.count = 16;
    this.pageBits.count = 2;
    this.pageSummary.count = 2;
    this.directoryWords = this.directory.i32;
    this.directory.onGrow = () => this.refresh();
    this.refresh();
  }

  /** Follows the directory when it has been replaced or loaded. */
  refresh(): void {
    this.directoryWords = this.directory.i32;
    this.pages = this.directory.count * 2;
  }

  #reach(page: number): void {
    let wanted = this.pages;
    while (wanted <= page) wanted *= 2;
    assert(wanted <= 1 << 20, "BOOK-1", `page ${page} is beyond the ladder`);
    resize(this.directory, wanted / 2);
    resize(this.pageBits, Math.max(2, wanted / 64));
    resize(this.pageSummary, Math.max(2, wanted / 2048));
    this.refresh();
  }

  /** The level of a price that may not exist yet. */
  reserve(price: number): number {
    const page = price >> PAGE_SHIFT;
    if (page >= this.pages) this.#reach(page);
    let record = this.directoryWords[page] as number;
    if (record === 0) {
      record = this.pool.takePage();
      this.directoryWords[page] = record;
      const bits = this.pageBits.i32;
      bits[page >> 5] = (bits[page >> 5] as number) | (1 << (page & 31));
      const summary = this.pageSummary.i32;
      summary[page >> 10] = (summary[page >> 10] as number) | (1 << ((page >> 5) & 31));
    }
    return (record << PAGE_SHIFT) | (price & (PAGE_LEVELS - 1));
  }

  /** The level of a price known to hold something. */
  levelAt(price: number): number {
    const record = this.directoryWords[price >> PAGE_SHIFT] as number;
    return (record << PAGE_SHIFT) | (price & (PAGE_LEVELS - 1));
  }

  /** The level of a price, or 0 when its page does not exist. */
  peek(price: number): number {
    const page = price >> PAGE_SHIFT;
    if (page >= this.pages) return 0;
    const record = this.directoryWords[page] as number;
    return record === 0 ? 0 : (record << PAGE_SHIFT) | (price & (PAGE_LEVELS - 1));
  }

  /** Says that a level now holds something. */
  mark(level: number): void {
    const bits = this.pool.bitWords;
    const base = (level >> PAGE_SHIFT) << PAGE_BIT_SHIFT;
    const word = (level >> 5) & 31;
    bits[base + word] = (bits[base + word] as number) | (1 << (level & 31));
    bits[base + PAGE_SUMMARY] = (bits[base + PAGE_SUMMARY] as number) | (1 << word);
  }

  /** Says that a level is empty; its page returns to the pool with its last level. */
  clear(level: number, price: number): void {
    const bits = this.pool.bitWords;
    const base = (level >> PAGE_SHIFT) << PAGE_BIT_SHIFT;
    const word = (level >> 5) & 31;
    const left = (bits[base + word] as number) & ~(1 << (level & 31));
    bits[base + word] = left;
    if (left !== 0) return;
    const summary = (bits[base + PAGE_SUMMARY] as number) & ~(1 << word);
    bits[base + PAGE_SUMMARY] = summary;
    if (summary === 0) this.#dropPage(price >> PAGE_SHIFT);
  }

  #dropPage(page: number): void {
    this.pool.levels.give(this.directoryWords[page] as number);
    this.directoryWords[page] = 0;
    const bits = this.pageBits.i32;
    const left = (bits[page >> 5] as number) & ~(1 << (page & 31));
    bits[page >> 5] = left;
    if (left === 0) {
      const summary = this.pageSummary.i32;
      summary[page >> 10] = (summary[page >> 10] as number) & ~(1 << ((page >> 5) & 31));
    }
  }

  /** The lowest held price above `price`, or 0. */
  nextAbove(price: number): number {
    const page = price >> PAGE_SHIFT;
    const record = page < this.pages ? (this.directoryWords[page] as number) : 0;
    if (record !== 0) {
      const bits = this.pool.bitWords;
      const base = record << PAGE_BIT_SHIFT;
      const word = (price >> 5) & 31;
      const near = (bits[base + word] as number) & (-2 << (price & 31));
      if (near !== 0) return (price & ~31) | lowestBit(near);
      const far = (bits[base + PAGE_SUMMARY] as number) & (-2 << word);
      if (far !== 0) {
        const next = lowestBit(far);
        return (page << PAGE_SHIFT) | (next << 5) | lowestBit(bits[base + next] as number);
      }
    }
    return this.#pageAbove(page);
  }

  /** The highest held price below `price`, or 0. */
  nextBelow(price: number): number {
    const page = price >> PAGE_SHIFT;
    const record = page < this.pages ? (this.directoryWords[page] as number) : 0;
    if (record !== 0) {
      const bits = this.pool.bitWords;
      const base = record << PAGE_BIT_SHIFT;
      const word = (price >> 5) & 31;
      const near = (bits[base + word] as number) & ((1 << (price & 31)) - 1);
      if (near !== 0) return (price & ~31) | highestBit(near);
      const far = (bits[base + PAGE_SUMMARY] as number) & ((1 << word) - 1);
      if (far !== 0) {
        const next = highestBit(far);
        return (page << PAGE_SHIFT) | (next << 5) | highestBit(bits[base + next] as number);
      }
    }
    return this.#pageBelow(page);
  }

  #pageAbove(page: number): number {
    const bits = this.pageBits.i32;
    if (page >= this.pages) return 0;
    let found = (bits[page >> 5] as number) & (-2 << (page & 31));
    let word = page >> 5;
    if (found === 0) {
      const summary = this.pageSummary.i32;
      let group = word >> 5;
      let groups = (summary[group] as number) & (-2 << (word & 31));
      while (groups === 0) {
        group++;
        if (group >= summary.length) return 0;
        groups = summary[group] as number;
      }
      word = (group << 5) | lowestBit(groups);
      found = bits[word] as number;
    }
    const target = (word << 5) | lowestBit(found);
    const base = (this.directoryWords[target] as number) << PAGE_BIT_SHIFT;
    const first = lowestBit(this.pool.bitWords[base + PAGE_SUMMARY] as number);
    return (target << PAGE_SHIFT) | (first << 5) | lowestBit(this.pool.bitWords[base + first] as number);
  }

  #pageBelow(from: number): number {
    const bits = this.pageBits.i32;
    const page = Math.min(from, this.pages);
    let word = page >> 5;
    let found = word < bits.length ? (bits[word] as number) & ((1 << (page & 31)) - 1) : 0;
    if (found === 0) {
      const summary = this.pageSummary.i32;
      let group = word >> 5;
      let groups = group < summary.length ? (summary[group] as number) & ((1 << (word & 31)) - 1) : 0;
      while (groups === 0) {
        group--;
        if (group < 0) return 0;
        groups = summary[group] as number;
      }
      word = (group << 5) | highestBit(groups);
      found = bits[word] as number;
    }
    const target = (word << 5) | highestBit(found);
    const base = (this.directoryWords[target] as number) << PAGE_BIT_SHIFT;
    const last = highestBit(this.pool.bitWords[base + PAGE_SUMMARY] as number);
    return (target << PAGE_SHIFT) | (last << 5) | highestBit(this.pool.bitWords[base + last] as number);
  }

  tables(): readonly Table[] {
    return [this.directory, this.pageBits, this.pageSummary];
  }
}

function resize(table: Table, pairs: number): void {
  if (pairs <= table.count) return;
  table.grow(pairs);
  table.count = pairs;
}
