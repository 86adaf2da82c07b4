// Owns seats: what one account has in one market. A seat knows its cells and fee rates, counts its open orders
// and lists them (the roster), so that an order needs one lookup and a cancel none. Never moves money.
import { PairIndex } from "../memory/pair-index.ts";
import { Table } from "../memory/table.ts";

export const SEAT_WORDS = 32;
export const SEAT_SHIFT = 5;
export const SE_ACCOUNT = 0;
export const SE_MARKET = 1;
export const SE_BASE_CELL = 2;
export const SE_QUOTE_CELL = 3;
export const SE_RESTING = 4;
export const SE_CONDITIONALS = 5;
export const SE_LISTS = 6;
export const SE_MAKER_RATE = 7;
export const SE_TAKER_RATE = 8;
/** Roster: block of the pool, its size, first hole + 1, entries used from the start. */
export const SE_ROSTER = 9;
export const SE_ROSTER_SIZE = 10;
export const SE_ROSTER_HOLE = 11;
export const SE_ROSTER_USED = 12;
/** Copy of the account's flags and group, so that the hot path reads one record. */
export const SE_FLAGS = 13;
export const SE_GROUP = 14;
/** The stand of a perpetual market, 0 on spot. */
export const SE_PERP = 15;
export const SE_DEAD_MAN = 16;
export const SE_NEXT = 17;

const ROSTER_BLOCK = 8;
export const ROSTER_SHIFT = 3;

export class Seats {
  readonly table: Table;
  readonly index: PairIndex;
  /** Roster blocks of 8 entries; a roster larger than one block takes a run of them, doubling. */
  readonly rosters: Table;
  /** Free runs by size: word n heads the chain of runs of 2^n blocks. */
  readonly runs = new Table("roster-runs", 32, 2);

  words: Int32Array;

  constructor(capacity: number, orders: number) {
    this.table = new Table("seats", SEAT_WORDS, capacity);
    this.words = this.table.i32;
    this.table.onGrow = () => {
      this.words = this.table.i32;
    };
    this.index = new PairIndex("seat-index", capacity * 4);
    this.rosters = new Table("rosters", ROSTER_BLOCK, Math.max(capacity, orders));
  }

  find(account: number, market: number): number {
    return this.index.find(account, market);
  }

  add(account: number, market: number): number {
    const seat = this.table.take();
    this.words[(seat << SEAT_SHIFT) | SE_ACCOUNT] = account;
    this.words[(seat << SEAT_SHIFT) | SE_MARKET] = market;
    this.index.insert(account, market, seat);
    return seat;
  }

  word(seat: number, word: number): number {
    return this.words[(seat << SEAT_SHIFT) + word] as number;
  }

  setWord(seat: number, word: number, value: number): void {
    this.words[(seat << SEAT_SHIFT) + word] = value;
  }

  bump(seat: number, word: number, by: number): void {
    this.words[(seat << SEAT_SHIFT) + word] = (this.words[(seat << SEAT_SHIFT) + word] as number) + by;
  }

  /** Notes an open order and returns its place. Holes are reused first; no other order is touched. */
  enroll(seat: number, slot: number): number {
    const words = this.words;
    const base = seat << SEAT_SHIFT;
    const hole = words[base | SE_ROSTER_HOLE] as number;
    if (hole !== 0) {
      const at = ((words[base | SE_ROSTER] as number) << ROSTER_SHIFT) + hole - 1;
      words[base | SE_ROSTER_HOLE] = 0 - (this.rosters.i32[at] as number);
      this.rosters.i32[at] = slot;
      return hole - 1;
    }
    const place = words[base | SE_ROSTER_USED] as number;
    if (place === words[base | SE_ROSTER_SIZE]) this.#widen(seat);
    words[base | SE_ROSTER_USED] = place + 1;
    this.rosters.i32[((words[base | SE_ROSTER] as number) << ROSTER_SHIFT) + place] = slot;
    return place;
  }

  strike(seat: number, place: number): void {
    const words = this.words;
    const base = seat << SEAT_SHIFT;
    this.rosters.i32[((words[base | SE_ROSTER] as number) << ROSTER_SHIFT) + place] =
      0 - (words[base | SE_ROSTER_HOLE] as number);
    words[base | SE_ROSTER_HOLE] = place + 1;
  }

  /** Slots of all open orders of a seat, oldest place first. */
  roster(seat: number): number[] {
    const start = this.word(seat, SE_ROSTER) * ROSTER_BLOCK;
    const slots: number[] = [];
    for (let i = 0; i < this.word(seat, SE_ROSTER_USED); i++) {
      const slot = this.rosters.i32[start + i] as number;
      if (slot > 0) slots.push(slot);
    }
    return slots;
  }

  #widen(seat: number): void {
    const words = this.words;
    const base = seat << SEAT_SHIFT;
    const size = words[base | SE_ROSTER_SIZE] as number;
    const wanted = size === 0 ? ROSTER_BLOCK : size * 2;
    const run = this.#takeRun(wanted);
    if (size > 0) {
      const from = (words[base | SE_ROSTER] as number) << ROSTER_SHIFT;
      this.rosters.i32.copyWithin(run * ROSTER_BLOCK, from, from + size);
      this.#giveRun(words[base | SE_ROSTER] as number, size);
    }
    words[base | SE_ROSTER] = run;
    words[base | SE_ROSTER_SIZE] = wanted;
  }

  #class(size: number): number {
    return 31 - Math.clz32(size / ROSTER_BLOCK);
  }

  #takeRun(size: number): number {
    const head = this.runs.i32[this.#class(size)] as number;
    if (head !== 0) {
      this.runs.i32[this.#class(size)] = this.rosters.i32[head * ROSTER_BLOCK] as number;
      return head;
    }
    const run = this.rosters.count;
    this.rosters.count += size / ROSTER_BLOCK;
    if (this.rosters.count * ROSTER_BLOCK > this.rosters.i32.length) this.rosters.grow(this.rosters.count);
    return run;
  }

  #giveRun(run: number, size: number): void {
    this.rosters.i32[run * ROSTER_BLOCK] = this.runs.i32[this.#class(size)] as number;
    this.runs.i32[this.#class(size)] = run;
  }

  tables(): readonly Table[] {
    return [this.table, this.index.table, this.rosters, this.runs];
  }
}
