// Owns running packed operations on the core's book alone, with its views bound as the core's hot functions have them:
// what "match" measures. No money, no rules, no events.
import { type Books, R_LOTS, removeOrder, restOrder, T_ASK, TOP_SHIFT, takeBookViews } from "@clockwork/core/book/book";
import type { Ladder } from "@clockwork/core/book/ladder";
import { matchTaker } from "@clockwork/core/book/match";
import {
  FLAG_LIVE,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GENERATION,
  O_GROUP,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  STP_NONE,
} from "@clockwork/core/book/orders";
import { giveMakers } from "./core-match.ts";
import { OP_CANCEL, OP_PLACE } from "./core-workload.ts";

/** One operation of the packed file: kind, market, side, price, lots, immediate, slot, ordinal. */
export const PACKED_WORDS = 8;

/** Runs packed operations with the book's views bound, as the core's hot functions have them. */
export function bindMatch(books: Books, packed: Int32Array): (from: number, to: number) => number {
  const views = takeBookViews(books);
  const table = books.orders.table;
  const orders = books.orderWords;
  const lotsOf = books.orderDoubles;
  const tops = books.topWords;
  const ladders = books.ladders;

  function give(slot: number): void {
    const order = slot << ORDER_SHIFT;
    orders[order | O_FLAGS] = 0;
    orders[order | O_GENERATION] = (orders[order | O_GENERATION] as number) + 1;
  }

  function rest(market: number, slot: number, price: number): void {
    restOrder(views, market, slot, price, (ladders[market] as Ladder).reserve(price));
  }

  function place(word: number, market: number): number {
    const sell = packed[word + 2] as number;
    const price = packed[word + 3] as number;
    const lots = packed[word + 4] as number;
    const immediate = packed[word + 5] as number;
    const best = tops[(market << TOP_SHIFT) + T_ASK - sell] as number;
    const slot = table.freeHead !== 0 ? table.freeHead : books.orders.take();
    const order = slot << ORDER_SHIFT;
    if (slot === table.freeHead) table.freeHead = orders[order] as number;
    orders[order | O_FLAGS] = (market << 16) | sell | FLAG_LIVE;
    orders[order | O_ACCOUNT_MARKET] = packed[word + 7] as number;
    orders[order | O_GROUP] = 0;
    const orderDouble = slot << ORDER_DOUBLE_SHIFT;
    lotsOf[orderDouble | OF_LOTS] = lots;
    lotsOf[orderDouble | OF_FILLED] = 0;
    lotsOf[orderDouble | OF_SEQUENCE] = 0;
    // Sides come in random order: computed without a branch, because a branch would be mispredicted.
    if (best === 0 || ((best - price) ^ (0 - sell)) + sell > 0) {
      if (immediate !== 0) give(slot);
      else rest(market, slot, price);
      return 0;
    }
    books.stepCount = 0;
    books.registers[R_LOTS] = lots;
    matchTaker(views, market, sell, price, 0, STP_NONE, false);
    const left = books.registers[R_LOTS] as number;
    if (left === 0 || immediate !== 0) give(slot);
    else {
      lotsOf[orderDouble | OF_LOTS] = left;
      rest(market, slot, price);
    }
    // Makers after the taker, as slots were given out when the file was made.
    return giveMakers(books);
  }

  return function run(from, to): number {
    let trades = 0;
    for (let word = from * PACKED_WORDS; word < to * PACKED_WORDS; word += PACKED_WORDS) {
      const kind = packed[word] as number;
      const market = packed[word + 1] as number;
      const slot = packed[word + 6] as number;
      if (kind === OP_PLACE) trades += place(word, market);
      else {
        removeOrder(views, market, slot);
        if (kind === OP_CANCEL) give(slot);
        else rest(market, slot, packed[word + 3] as number);
      }
    }
    return trades;
  };
}
