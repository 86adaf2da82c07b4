// Owns the resting orders of every market: queues per price, the best prices, iceberg slices.
// Never imports ledger, market rules or perpetuals: what a fill costs is not its business.

import { assert } from "@clockwork/kit/assert";
import type { Begin, Double, Word } from "../memory/record.ts";
import { Table } from "../memory/table.ts";
import { Ladder, LEVEL_SHIFT, LevelPool } from "./ladder.ts";
import {
  EXTRA_DOUBLE_SHIFT,
  FLAG_ICEBERG,
  FLAG_RESTING,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  O_PRICE,
  OF_LOTS,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  Orders,
  XF_HIDDEN,
  XF_SLICE,
} from "./orders.ts";

/** Top of a market: best bid, best ask and last price in ticks (0 = none), then two counters. */
export const TOP_WORDS = 8;
export const TOP_SHIFT = 3;
export function atTop(top: number): Begin<"top"> {
  return top << TOP_SHIFT;
}
export const T_BID: Word<"top"> = 0;
export const T_ASK: Word<"top"> = 1;
export const T_LAST: Word<"top"> = 2;
export const TF_SEQUENCE: Double<"top"> = 2;
export const TF_TRADES: Double<"top"> = 3;

/** What a match did, in order: 32 bytes each, read by whoever settles. */
export const STEP_WORDS = 8;
export const STEP_SHIFT = 3;
export const STEP_DOUBLE_SHIFT = 2;
export const S_KIND: Word<"step"> = 0;
export const S_MAKER: Word<"step"> = 1;
export const S_PRICE: Word<"step"> = 2;
/** The maker is done with this step. */
export const S_DONE: Word<"step"> = 3;
export const SF_LOTS: Double<"step"> = 2;
export const STEP_TRADE = 1;
/** Lots that would have met the taker's own order. */
export const STEP_PREVENTED = 2;
/** Level at S_PRICE now shows SF_LOTS. */
export const STEP_DEPTH = 3;
/** The iceberg S_MAKER shows SF_LOTS again, at the back. */
export const STEP_REFILL = 4;

/** Registers for numbers too wide for an unboxed argument. */
export const R_LOTS = 0;
export const R_BUDGET = 1;
export const R_UNIT = 2;
export const R_SEQUENCE = 3;
/**
 * What the moves of the book read and write: its views, which are replaced where a table has grown, and whose they are.
 * Books are their own; state/views.ts has them as constants.
 */
export interface BookViews {
  readonly owner: Books;
  readonly ladders: Ladder[];
  readonly registers: Float64Array;
  readonly orderWords: Int32Array;
  readonly orderDoubles: Float64Array;
  readonly levelWords: Int32Array;
  readonly levelDoubles: Float64Array;
  readonly topWords: Int32Array;
}

/** A literal, because its fields are constants to the compiler then; good until a table grows. */
export function takeBookViews(books: Books): BookViews {
  const { ladders, registers, orderWords, orderDoubles, levelWords, levelDoubles, topWords } = books;
  return { owner: books, ladders, registers, orderWords, orderDoubles, levelWords, levelDoubles, topWords };
}

export class Books implements BookViews {
  readonly owner = this;
  readonly orders: Orders;
  readonly pool: LevelPool;
  readonly tops: Table;
  readonly ladders: Ladder[] = [];
  /** The hot tables' views, one step away. */
  orderWords: Int32Array;
  orderDoubles: Float64Array;
  levelWords: Int32Array;
  levelDoubles: Float64Array;
  topWords: Int32Array;
  topDoubles: Float64Array;
  readonly registers = new Float64Array(16);
  /** Steps of the match under way; scratch, not state. */
  steps = new Int32Array(STEP_WORDS * 1024);
  stepDoubles = new Float64Array(this.steps.buffer);
  stepCount = 0;
  /** Flags of makers a match stops before once it has steps, so that what it did is settled first. Scratch. */
  pauseMask = 0;

  constructor(orderCapacity: number, pageCapacity: number) {
    this.orders = new Orders(orderCapacity);
    this.pool = new LevelPool("book", pageCapacity);
    this.tops = new Table("tops", TOP_WORDS, 8);
    this.orderWords = this.orders.table.i32;
    this.orderDoubles = this.orders.table.f64;
    this.levelWords = this.pool.levels.i32;
    this.levelDoubles = this.pool.levels.f64;
    this.topWords = this.tops.i32;
    this.topDoubles = this.tops.f64;
    const refresh = (): void => this.#refresh();
    this.orders.table.onGrow = refresh;
    this.pool.levels.onGrow = refresh;
    this.tops.onGrow = refresh;
  }

  #refresh(): void {
    this.orderWords = this.orders.table.i32;
    this.orderDoubles = this.orders.table.f64;
    this.levelWords = this.pool.levels.i32;
    this.levelDoubles = this.pool.levels.f64;
    this.topWords = this.tops.i32;
    this.topDoubles = this.tops.f64;
  }

  /** Opens the book of the next market; markets count from 1. */
  open(market: number): void {
    while (this.tops.count <= market) this.tops.take();
    this.ladders[market] = new Ladder(`book-${market}`, this.pool);
  }

  ladder(market: number): Ladder {
    return this.ladders[market] as Ladder;
  }

  addStep(kind: number, maker: number, price: number, done: number, lots: number): void {
    const at = this.stepCount++;
    if (at << STEP_SHIFT >= this.steps.length) this.growSteps();
    const base = at << STEP_SHIFT;
    this.steps[base + S_KIND] = kind;
    this.steps[base + S_MAKER] = maker;
    this.steps[base + S_PRICE] = price;
    this.steps[base + S_DONE] = done;
    this.stepDoubles[(at << STEP_DOUBLE_SHIFT) | SF_LOTS] = lots;
  }

  growSteps(): void {
    const steps = new Int32Array(this.steps.length * 2);
    steps.set(this.steps);
    this.steps = steps;
    this.stepDoubles = new Float64Array(steps.buffer);
  }
}

/** Puts an order at the back of `level`, the level of `price`; its lots must be set. */
export function restOrder(books: BookViews, market: number, slot: number, price: number, level: number): void {
  const levels = books.levelWords;
  const orders = books.orderWords;
  const base = slot << ORDER_SHIFT;
  const at = level << LEVEL_SHIFT;
  const tail = levels[at + 1] as number;
  const flags = orders[base | O_FLAGS] as number;
  const lots = books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
  assert(lots > 0, "BOOK-30", "an order of nothing rests");
  orders[base | O_PRICE] = price;
  orders[base | O_LEVEL] = level;
  orders[base | O_NEXT] = 0;
  orders[base | O_PREV] = tail;
  orders[base | O_FLAGS] = flags | FLAG_RESTING;
  levels[at + 1] = slot;
  const doubles = books.levelDoubles;
  if (tail !== 0) {
    orders[(tail << ORDER_SHIFT) | O_NEXT] = slot;
    doubles[(level << 1) | 1] = (doubles[(level << 1) | 1] as number) + lots;
    return;
  }
  levels[at] = slot;
  doubles[(level << 1) | 1] = lots;
  (books.ladders[market] as Ladder).mark(level);
  const tops = books.topWords;
  const top = market << TOP_SHIFT;
  if ((flags & FLAG_SELL) !== 0) {
    const ask = tops[top | T_ASK] as number;
    if (ask === 0 || price < ask) tops[top | T_ASK] = price;
  } else if (price > (tops[top | T_BID] as number)) tops[top | T_BID] = price;
}

/** Takes a resting order out of its queue; hidden lots leave with it. */
export function removeOrder(books: BookViews, market: number, slot: number): void {
  const orders = books.orderWords;
  const levels = books.levelWords;
  const base = slot << ORDER_SHIFT;
  const level = orders[base | O_LEVEL] as number;
  const next = orders[base | O_NEXT] as number;
  const prev = orders[base | O_PREV] as number;
  const flags = orders[base | O_FLAGS] as number;
  const at = level << LEVEL_SHIFT;
  assert((flags & FLAG_RESTING) !== 0, "BOOK-31", "an order leaves a queue it is not in");
  orders[base | O_FLAGS] = flags & ~FLAG_RESTING;
  // Who its neighbours are is as good as drawn by lot, and a branch would be guessed wrong: where there is none, the
  // null record stands in, which stays zero.
  const hasNext = (next | (0 - next)) >> 31;
  const hasPrev = (prev | (0 - prev)) >> 31;
  orders[(next << ORDER_SHIFT) | O_PREV] = prev;
  orders[(prev << ORDER_SHIFT) | O_NEXT] = next;
  orders[O_PREV] = 0;
  orders[O_NEXT] = 0;
  levels[at + 1] = ((levels[at + 1] as number) & hasNext) | (prev & ~hasNext);
  levels[at] = ((levels[at] as number) & hasPrev) | (next & ~hasPrev);
  const doubles = books.levelDoubles;
  doubles[(level << 1) | 1] =
    (doubles[(level << 1) | 1] as number) - (books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number);
  if ((next | prev) === 0) emptyLevel(books, market, level, orders[base | O_PRICE] as number, flags & FLAG_SELL);
}

/** Clears a level whose queue has become empty and moves the best price on when it was the best. */
export function emptyLevel(books: BookViews, market: number, level: number, price: number, sell: number): void {
  const ladder = books.ladders[market] as Ladder;
  const tops = books.topWords;
  const top = market << TOP_SHIFT;
  if (sell !== 0) {
    if (tops[top + T_ASK] === price) tops[top + T_ASK] = ladder.nextAbove(price);
  } else if (tops[top + T_BID] === price) tops[top + T_BID] = ladder.nextBelow(price);
  ladder.clear(level, price);
}

/** Shrinks a resting order in place: it keeps its priority. */
export function shrinkOrder(books: BookViews, slot: number, lots: number): void {
  const level = books.orderWords[(slot << ORDER_SHIFT) | O_LEVEL] as number;
  const orders = books.orderDoubles;
  const doubles = books.levelDoubles;
  const at = (slot << ORDER_DOUBLE_SHIFT) | OF_LOTS;
  doubles[(level << 1) | 1] = (doubles[(level << 1) | 1] as number) - ((orders[at] as number) - lots);
  orders[at] = lots;
}

/** Visible lots at a price's level. */
export function levelLots(books: BookViews, level: number): number {
  return books.levelDoubles[(level << 1) | 1] as number;
}

/** Open lots of an order, hidden ones included. */
export function openLots(books: Books, slot: number): number {
  const visible = books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
  const base = slot << ORDER_SHIFT;
  if (((books.orderWords[base | O_FLAGS] as number) & FLAG_ICEBERG) === 0) return visible;
  return visible + hiddenLots(books, slot);
}

export function hiddenLots(books: Books, slot: number): number {
  const extra = books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  return books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] as number;
}

export function setHiddenLots(books: Books, slot: number, lots: number): void {
  const extra = books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] = lots;
}

/** Shows the next slice of an iceberg whose visible part is used up, and returns it; 0 when nothing is hidden. */
export function refillIceberg(books: Books, slot: number): number {
  const extra = books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  const extras = books.orders.extras.f64;
  const hidden = extras[(extra << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] as number;
  const slice = Math.min(hidden, extras[(extra << EXTRA_DOUBLE_SHIFT) | XF_SLICE] as number);
  extras[(extra << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] = hidden - slice;
  return slice;
}
