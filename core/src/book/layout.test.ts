// Where snapshots of layout 11 have every field of orders and books, and what their words mean. Whoever moves one makes a
// new layout: see machine/snapshot.ts.
import { describe, expect, it } from "vitest";
import * as book from "./book.ts";
import * as ladder from "./ladder.ts";
import * as orders from "./orders.ts";

const ORDERS_11 = {
  EVENT_FLAGS: 8191,
  EXTRA_DOUBLE_SHIFT: 4,
  EXTRA_SHIFT: 5,
  EXTRA_WORDS: 32,
  FLAG_CONDITIONAL: 4096,
  FLAG_ICEBERG: 1024,
  FLAG_IN_QUOTE: 2048,
  FLAG_LIVE: 32768,
  FLAG_MARKET: 2,
  FLAG_REDUCE_ONLY: 512,
  FLAG_RESTING: 16384,
  FLAG_ROLE: 8192,
  FLAG_SELL: 1,
  GENERATION_MAX: 536870911,
  OF_FILLED: 5,
  OF_LOTS: 4,
  OF_SEQUENCE: 6,
  ORDER_DOUBLE_SHIFT: 3,
  ORDER_SHIFT: 4,
  ORDER_WORDS: 16,
  O_ACCOUNT_MARKET: 4,
  O_EXTRA: 7,
  O_FLAGS: 5,
  O_GENERATION: 6,
  O_GROUP: 15,
  O_LEVEL: 3,
  O_NEXT: 0,
  O_OPEN_PLACE: 14,
  O_PREV: 1,
  O_PRICE: 2,
  POST_ONLY_SHIFT: 4,
  ROLE_DEAD_MAN: 3,
  ROLE_LIST: 1,
  ROLE_TWAP: 2,
  STP_DECREMENT: 3,
  STP_EXPIRE_BOTH: 2,
  STP_EXPIRE_MAKER: 1,
  STP_EXPIRE_TAKER: 0,
  STP_NONE: 4,
  STP_SHIFT: 6,
  TIF_FOK: 2,
  TIF_GTC: 0,
  TIF_GTD: 3,
  TIF_IOC: 1,
  TIF_SHIFT: 2,
  XF_HELD: 14,
  XF_HIDDEN: 11,
  XF_LEFT: 15,
  XF_MIRRORS: 10,
  XF_SLICE: 12,
  XF_TIME: 13,
  X_CALLBACK: 9,
  X_CONDITIONAL: 5,
  X_DIRECTION: 7,
  X_ENTRY: 12,
  X_INTERVALS: 18,
  X_INTERVAL_MS: 19,
  X_LEG: 3,
  X_LIST: 2,
  X_MARKET: 21,
  X_PAIR: 12,
  X_PEAK: 10,
  X_POSITION: 1,
  X_POSITION_GENERATION: 18,
  X_PROFIT: 13,
  X_PROFIT_PRICE: 17,
  X_ROLE: 11,
  X_SLICE: 20,
  X_SLIPPAGE: 16,
  X_SOURCE: 6,
  X_STOP: 14,
  X_STOP_KIND: 13,
  X_STOP_PRICE: 15,
  X_TIMER: 4,
  X_TRIGGER: 8,
};

const TOPS_11 = {
  TF_SEQUENCE: 2,
  TF_TRADES: 3,
  TOP_SHIFT: 3,
  TOP_WORDS: 8,
  T_ASK: 1,
  T_BID: 0,
  T_LAST: 2,
};

const LEVELS_11 = {
  LEVEL_SHIFT: 2,
  LEVEL_WORDS: 4,
};

const numbersOf = (module: object, names: RegExp): object =>
  Object.fromEntries(Object.entries(module).filter(([name, value]) => typeof value === "number" && names.test(name)));

/** Words that are not zero, by their place. */
const wordsOf = (words: Int32Array): object =>
  Object.fromEntries([...words.entries()].filter(([, word]) => word !== 0));

/** Rests one lot a slot, at each of the prices. */
function restAt(books: book.Books, market: number, prices: readonly number[]): number[] {
  return prices.map((price) => {
    const slot = books.orders.take();
    books.orderWords[(slot << orders.ORDER_SHIFT) | orders.O_FLAGS] = orders.FLAG_LIVE | orders.FLAG_SELL;
    books.orderDoubles[(slot << orders.ORDER_DOUBLE_SHIFT) | orders.OF_LOTS] = 1;
    book.restOrder(books, market, slot, price, books.ladder(market).reserve(price));
    return slot;
  });
}

describe("layout 11", () => {
  it("[SNAPSHOT-7] has every field of orders, tops and levels where it is", () => {
    expect(numbersOf(orders, /./)).toEqual(ORDERS_11);
    expect(numbersOf(book, /^TF?_|^TOP/)).toEqual(TOPS_11);
    expect(numbersOf(ladder, /./)).toEqual(LEVELS_11);
  });

  it("[SNAPSHOT-7] has a page of levels with its bits, and pages by their numbers with theirs", () => {
    const books = new book.Books(1, 1);
    books.open(1);
    const page = 41;
    const [low, high] = restAt(books, 1, [page * 1_024 + 5, page * 1_024 + 1_023]);
    expect(wordsOf(books.levelWords)).toMatchObject({
      [4_096 + 5 * 4]: low,
      [4_096 + 5 * 4 + 1]: low,
      [4_096 + 1_023 * 4]: high,
      [4_096 + 1_023 * 4 + 1]: high,
    });
    expect([books.levelDoubles[2_048 + 5 * 2 + 1], books.levelDoubles[2_048 + 1_023 * 2 + 1]]).toEqual([1, 1]);
    expect(wordsOf(books.pool.bitWords)).toEqual({ 64: 1 << 5, [64 + 31]: 1 << 31, [64 + 32]: 1 | (1 << 31) });
    const [directory, pages, summary] = books
      .ladder(1)
      .tables()
      .map(({ i32 }) => wordsOf(i32));
    expect([directory, pages, summary]).toEqual([{ [page]: 1 }, { 1: 1 << 9 }, { 0: 1 << 1 }]);
    expect(wordsOf(books.topWords)).toEqual({ [8 + 1]: page * 1_024 + 5 });
    expect(books.tops.count).toBe(2);
  });

  it("[SNAPSHOT-7] has its tables by these names, with records of these sizes", () => {
    const books = new book.Books(1, 1);
    books.open(1);
    const tables = [books.orders.table, books.orders.extras, books.orders.rounds, books.pool.levels, books.pool.bits];
    expect([...tables, books.tops, ...books.ladder(1).tables()].map(({ name, stride }) => `${name} ${stride}`)).toEqual(
      [
        "orders 16",
        "extras 32",
        "order-rounds 4",
        "book-levels 4096",
        "book-bits 64",
        "tops 8",
        "book-1-directory 2",
        "book-1-pages 2",
        "book-1-summary 2",
      ],
    );
  });

  it("[SNAPSHOT-7] has the round of slots in one record, and free slots chained through their first word", () => {
    const made = new orders.Orders(1);
    const slot = made.take();
    expect(wordsOf(made.rounds.i32)).toEqual({ 5: 257, 6: 257 });
    expect([slot, made.table.freeHead, made.table.i32[2 * 16], made.table.i32[256 * 16]]).toEqual([1, 2, 3, 0]);
    made.give(slot);
    expect(wordsOf(made.table.i32.subarray(16, 32))).toEqual({ 0: 2, 6: 1 });
  });
});
