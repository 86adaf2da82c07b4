// Owns account markets: what one account has in one market. An account market knows its cells and fee rates, counts its
// open orders and lists them, so that an order needs one lookup and a cancel none. Never moves money.

import { assert } from "@clockwork/kit/assert";
import { PairIndex } from "../memory/pair-index.ts";
import { type Begin, getWord, setWord, type Word, type Words } from "../memory/record.ts";
import { Table } from "../memory/table.ts";

export const ACCOUNT_MARKET_WORDS = 32;
export const ACCOUNT_MARKET_SHIFT = 5;
export function atAccountMarket(accountMarket: number): Begin<"accountMarket"> {
  return accountMarket << ACCOUNT_MARKET_SHIFT;
}
export const AM_ACCOUNT: Word<"accountMarket"> = 0;
export const AM_MARKET: Word<"accountMarket"> = 1;
export const AM_BASE_CELL: Word<"accountMarket"> = 2;
export const AM_QUOTE_CELL: Word<"accountMarket"> = 3;
export const AM_RESTING: Word<"accountMarket"> = 4;
export const AM_CONDITIONALS: Word<"accountMarket"> = 5;
export const AM_LISTS: Word<"accountMarket"> = 6;
export const AM_MAKER_RATE: Word<"accountMarket"> = 7;
export const AM_TAKER_RATE: Word<"accountMarket"> = 8;
/** Open orders: block of the pool, its size, first hole + 1, entries used from the start. */
export const AM_OPEN_ORDERS: Word<"accountMarket"> = 9;
export const AM_OPEN_SIZE: Word<"accountMarket"> = 10;
export const AM_OPEN_HOLE: Word<"accountMarket"> = 11;
export const AM_OPEN_USED: Word<"accountMarket"> = 12;
/** Copy of the account's flags and group, so that the hot path reads one record. */
export const AM_FLAGS: Word<"accountMarket"> = 13;
export const AM_GROUP: Word<"accountMarket"> = 14;
/** The symbol margin of a perpetual market, 0 on spot. */
export const AM_SYMBOL_MARGIN: Word<"accountMarket"> = 15;
export const AM_DEAD_MAN: Word<"accountMarket"> = 16;
export const AM_NEXT: Word<"accountMarket"> = 17;
/** The bot that trades here; 0 for none. */
export const AM_BOT: Word<"accountMarket"> = 18;

/** Keeps the accounts of one market apart from those of the next among the account markets found last. */
const MARKET_SPREAD = 1031;
const OPEN_ORDERS_BLOCK = 8;
export const OPEN_ORDERS_SHIFT = 3;

export class AccountMarkets {
  readonly table: Table<"accountMarket">;
  readonly index: PairIndex;
  /** Blocks of open orders of 8 entries; a list larger than one block takes a run of them, doubling. */
  readonly openOrders: Table;
  /** Free runs by size: word n heads the chain of runs of 2^n blocks. */
  readonly runs = new Table("open-order-runs", 32, 2);

  words: Words<"accountMarket">;
  /** Those found last, by account and market; never trusted, because each says whose it is. Scratch. */
  #found: Int32Array;

  constructor(capacity: number, orders: number) {
    this.table = new Table("account-markets", ACCOUNT_MARKET_WORDS, capacity);
    this.words = this.table.i32;
    this.#found = new Int32Array(this.words.length >> ACCOUNT_MARKET_SHIFT);
    this.table.onGrow = () => {
      this.words = this.table.i32;
      this.#found = new Int32Array(this.words.length >> ACCOUNT_MARKET_SHIFT);
    };
    this.index = new PairIndex("account-market-index", capacity * 4);
    this.openOrders = new Table("open-orders", OPEN_ORDERS_BLOCK, Math.max(capacity, orders));
  }

  find(account: number, market: number): number {
    const found = this.#found;
    const at = (account + Math.imul(market, MARKET_SPREAD)) & (found.length - 1);
    const known = atAccountMarket(found[at] as number);
    if (getWord(this.words, known, AM_ACCOUNT) === account && getWord(this.words, known, AM_MARKET) === market)
      return found[at] as number;
    const accountMarket = this.index.find(account, market);
    found[at] = accountMarket;
    return accountMarket;
  }

  add(account: number, market: number): number {
    const accountMarket = this.table.take();
    setWord(this.words, atAccountMarket(accountMarket), AM_ACCOUNT, account);
    setWord(this.words, atAccountMarket(accountMarket), AM_MARKET, market);
    this.index.insert(account, market, accountMarket);
    return accountMarket;
  }

  word(accountMarket: number, word: Word<"accountMarket">): number {
    return getWord(this.words, atAccountMarket(accountMarket), word);
  }

  setWord(accountMarket: number, word: Word<"accountMarket">, value: number): void {
    setWord(this.words, atAccountMarket(accountMarket), word, value);
  }

  bump(accountMarket: number, word: Word<"accountMarket">, by: number): void {
    const count = this.word(accountMarket, word) + by;
    assert(count >= 0, "ORDER-30", "an account market counts fewer orders than none");
    setWord(this.words, atAccountMarket(accountMarket), word, count);
  }

  /** Notes an open order and returns its place. Holes are reused first; no other order is touched. */
  addOpenOrder(accountMarket: number, slot: number): number {
    const words = this.words;
    const base = atAccountMarket(accountMarket);
    const hole = getWord(words, base, AM_OPEN_HOLE);
    if (hole !== 0) {
      const at = (getWord(words, base, AM_OPEN_ORDERS) << OPEN_ORDERS_SHIFT) + hole - 1;
      setWord(words, base, AM_OPEN_HOLE, 0 - (this.openOrders.i32[at] as number));
      this.openOrders.i32[at] = slot;
      return hole - 1;
    }
    const place = getWord(words, base, AM_OPEN_USED);
    this.makeRoom(accountMarket);
    setWord(words, base, AM_OPEN_USED, place + 1);
    this.openOrders.i32[(getWord(words, base, AM_OPEN_ORDERS) << OPEN_ORDERS_SHIFT) + place] = slot;
    return place;
  }

  /** Makes room for another open order. */
  makeRoom(accountMarket: number): void {
    const base = atAccountMarket(accountMarket);
    if (getWord(this.words, base, AM_OPEN_HOLE) !== 0) return;
    if (getWord(this.words, base, AM_OPEN_USED) === getWord(this.words, base, AM_OPEN_SIZE)) this.#widen(accountMarket);
  }

  removeOpenOrder(accountMarket: number, place: number): void {
    const words = this.words;
    const base = atAccountMarket(accountMarket);
    const at = (getWord(words, base, AM_OPEN_ORDERS) << OPEN_ORDERS_SHIFT) + place;
    assert((this.openOrders.i32[at] as number) > 0, "ORDER-31", "an open order leaves its place twice");
    this.openOrders.i32[at] = 0 - getWord(words, base, AM_OPEN_HOLE);
    setWord(words, base, AM_OPEN_HOLE, place + 1);
  }

  /** Slots of all open orders of an account market, oldest place first. */
  openOrdersOf(accountMarket: number): number[] {
    const start = this.word(accountMarket, AM_OPEN_ORDERS) * OPEN_ORDERS_BLOCK;
    const slots: number[] = [];
    for (let i = 0; i < this.word(accountMarket, AM_OPEN_USED); i++) {
      const slot = this.openOrders.i32[start + i] as number;
      if (slot > 0) slots.push(slot);
    }
    return slots;
  }

  #widen(accountMarket: number): void {
    const words = this.words;
    const base = atAccountMarket(accountMarket);
    const size = getWord(words, base, AM_OPEN_SIZE);
    const wanted = size === 0 ? OPEN_ORDERS_BLOCK : size * 2;
    const run = this.#takeRun(wanted);
    if (size > 0) {
      const from = getWord(words, base, AM_OPEN_ORDERS) << OPEN_ORDERS_SHIFT;
      this.openOrders.i32.copyWithin(run * OPEN_ORDERS_BLOCK, from, from + size);
      this.#giveRun(getWord(words, base, AM_OPEN_ORDERS), size);
    }
    setWord(words, base, AM_OPEN_ORDERS, run);
    setWord(words, base, AM_OPEN_SIZE, wanted);
  }

  #class(size: number): number {
    return 31 - Math.clz32(size / OPEN_ORDERS_BLOCK);
  }

  #takeRun(size: number): number {
    const head = this.runs.i32[this.#class(size)] as number;
    if (head !== 0) {
      this.runs.i32[this.#class(size)] = this.openOrders.i32[head * OPEN_ORDERS_BLOCK] as number;
      return head;
    }
    const run = this.openOrders.count;
    this.openOrders.count += size / OPEN_ORDERS_BLOCK;
    if (this.openOrders.count * OPEN_ORDERS_BLOCK > this.openOrders.i32.length)
      this.openOrders.grow(this.openOrders.count);
    return run;
  }

  #giveRun(run: number, size: number): void {
    this.openOrders.i32[run * OPEN_ORDERS_BLOCK] = this.runs.i32[this.#class(size)] as number;
    this.runs.i32[this.#class(size)] = run;
  }

  tables(): readonly Table[] {
    return [this.table, this.index.table, this.openOrders, this.runs];
  }
}
