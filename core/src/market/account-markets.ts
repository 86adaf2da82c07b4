// Owns account markets: what one account has in one market. An account market knows its cells and fee rates, counts its
// open orders and lists them, so that an order needs one lookup and a cancel none. Never moves money.
import { assert } from "@clockwork/kit/assert";
import { PairIndex } from "../memory/pair-index.ts";
import { Table } from "../memory/table.ts";

export const ACCOUNT_MARKET_WORDS = 32;
export const ACCOUNT_MARKET_SHIFT = 5;
export const AM_ACCOUNT = 0;
export const AM_MARKET = 1;
export const AM_BASE_CELL = 2;
export const AM_QUOTE_CELL = 3;
export const AM_RESTING = 4;
export const AM_CONDITIONALS = 5;
export const AM_LISTS = 6;
export const AM_MAKER_RATE = 7;
export const AM_TAKER_RATE = 8;
/** Open orders: block of the pool, its size, first hole + 1, entries used from the start. */
export const AM_OPEN_ORDERS = 9;
export const AM_OPEN_SIZE = 10;
export const AM_OPEN_HOLE = 11;
export const AM_OPEN_USED = 12;
/** Copy of the account's flags and group, so that the hot path reads one record. */
export const AM_FLAGS = 13;
export const AM_GROUP = 14;
/** The symbol margin of a perpetual market, 0 on spot. */
export const AM_SYMBOL_MARGIN = 15;
export const AM_DEAD_MAN = 16;
export const AM_NEXT = 17;
/** The bot that trades here; 0 for none. */
export const AM_BOT = 18;

const OPEN_ORDERS_BLOCK = 8;
export const OPEN_ORDERS_SHIFT = 3;

export class AccountMarkets {
  readonly table: Table;
  readonly index: PairIndex;
  /** Blocks of open orders of 8 entries; a list larger than one block takes a run of them, doubling. */
  readonly openOrders: Table;
  /** Free runs by size: word n heads the chain of runs of 2^n blocks. */
  readonly runs = new Table("open-order-runs", 32, 2);

  words: Int32Array;

  constructor(capacity: number, orders: number) {
    this.table = new Table("account-markets", ACCOUNT_MARKET_WORDS, capacity);
    this.words = this.table.i32;
    this.table.onGrow = () => {
      this.words = this.table.i32;
    };
    this.index = new PairIndex("account-market-index", capacity * 4);
    this.openOrders = new Table("open-orders", OPEN_ORDERS_BLOCK, Math.max(capacity, orders));
  }

  find(account: number, market: number): number {
    return this.index.find(account, market);
  }

  add(account: number, market: number): number {
    const accountMarket = this.table.take();
    this.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] = account;
    this.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_MARKET] = market;
    this.index.insert(account, market, accountMarket);
    return accountMarket;
  }

  word(accountMarket: number, word: number): number {
    return this.words[(accountMarket << ACCOUNT_MARKET_SHIFT) + word] as number;
  }

  setWord(accountMarket: number, word: number, value: number): void {
    this.words[(accountMarket << ACCOUNT_MARKET_SHIFT) + word] = value;
  }

  bump(accountMarket: number, word: number, by: number): void {
    const count = (this.words[(accountMarket << ACCOUNT_MARKET_SHIFT) + word] as number) + by;
    assert(count >= 0, "ORDER-30", "an account market counts fewer orders than none");
    this.words[(accountMarket << ACCOUNT_MARKET_SHIFT) + word] = count;
  }

  /** Notes an open order and returns its place. Holes are reused first; no other order is touched. */
  addOpenOrder(accountMarket: number, slot: number): number {
    const words = this.words;
    const base = accountMarket << ACCOUNT_MARKET_SHIFT;
    const hole = words[base | AM_OPEN_HOLE] as number;
    if (hole !== 0) {
      const at = ((words[base | AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT) + hole - 1;
      words[base | AM_OPEN_HOLE] = 0 - (this.openOrders.i32[at] as number);
      this.openOrders.i32[at] = slot;
      return hole - 1;
    }
    const place = words[base | AM_OPEN_USED] as number;
    if (place === words[base | AM_OPEN_SIZE]) this.#widen(accountMarket);
    words[base | AM_OPEN_USED] = place + 1;
    this.openOrders.i32[((words[base | AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT) + place] = slot;
    return place;
  }

  removeOpenOrder(accountMarket: number, place: number): void {
    const words = this.words;
    const base = accountMarket << ACCOUNT_MARKET_SHIFT;
    const at = ((words[base | AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT) + place;
    assert((this.openOrders.i32[at] as number) > 0, "ORDER-31", "an open order leaves its place twice");
    this.openOrders.i32[at] = 0 - (words[base | AM_OPEN_HOLE] as number);
    words[base | AM_OPEN_HOLE] = place + 1;
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
    const base = accountMarket << ACCOUNT_MARKET_SHIFT;
    const size = words[base | AM_OPEN_SIZE] as number;
    const wanted = size === 0 ? OPEN_ORDERS_BLOCK : size * 2;
    const run = this.#takeRun(wanted);
    if (size > 0) {
      const from = (words[base | AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT;
      this.openOrders.i32.copyWithin(run * OPEN_ORDERS_BLOCK, from, from + size);
      this.#giveRun(words[base | AM_OPEN_ORDERS] as number, size);
    }
    words[base | AM_OPEN_ORDERS] = run;
    words[base | AM_OPEN_SIZE] = wanted;
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
