// Owns the orders that rest in a demo market and what demo takers have taken. A demo market follows the book of a real
// one and has none itself: resting orders stand in two chains, best price first, each with the volume that was ahead of
// it in the real book; what a symbol margin took from a price comes back to it over a minute. Fills nothing.

import { atTop, levelLots, T_ASK, T_BID } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  FLAG_RESTING,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  O_PRICE,
  XF_HIDDEN,
} from "../../book/orders.ts";
import { type Double, getDouble, getWord, setDouble, setWord, type Word } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import { CT_DEMO_BUYS, CT_DEMO_SELLS, CT_MIRROR, SM_TAKES } from "../state/records.ts";

const RECOVERY_MS = 60_000;
/** Of a take: the symbol margin's next one and the price in words, lots and time in doubles. */
const TK_NEXT: Word<"take"> = 1;
const TK_PRICE: Word<"take"> = 2;
const TKF_LOTS: Double<"take"> = 2;
const TKF_TIME: Double<"take"> = 3;

export function isDemo(core: Core, market: number): boolean {
  return core.perps.contract(market, CT_MIRROR) !== 0;
}

/** The checks of an order look at the best prices of its market: a demo market shows those of the real one. */
export function leaseTops(core: Core, market: number): void {
  const tops = core.books.topWords;
  const real = atTop(core.perps.contract(market, CT_MIRROR));
  setWord(tops, atTop(market), T_BID, getWord(tops, real, T_BID));
  setWord(tops, atTop(market), T_ASK, getWord(tops, real, T_ASK));
}

export function returnTops(core: Core, market: number): void {
  setWord(core.books.topWords, atTop(market), T_BID, 0);
  setWord(core.books.topWords, atTop(market), T_ASK, 0);
}

/** Lets an order rest behind all the real book shows at its price now. */
export function restDemo(core: Core, market: number, slot: number, price: number, sell: number): void {
  const { books, perps } = core;
  const orders = books.orderWords;
  const head = sell !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS;
  let before = 0;
  let at = perps.contract(market, head);
  const isAhead = (other: number): boolean => {
    const ticks = getWord(orders, atOrder(other), O_PRICE);
    return sell !== 0 ? ticks <= price : ticks >= price;
  };
  while (at !== 0 && isAhead(at)) {
    before = at;
    at = getWord(orders, atOrder(at), O_NEXT);
  }
  const base = atOrder(slot);
  setWord(orders, base, O_PRICE, price);
  setWord(orders, base, O_LEVEL, 0);
  setWord(orders, base, O_NEXT, at);
  setWord(orders, base, O_PREV, before);
  setWord(orders, base, O_FLAGS, getWord(orders, base, O_FLAGS) | FLAG_RESTING);
  if (at !== 0) setWord(orders, atOrder(at), O_PREV, slot);
  if (before !== 0) setWord(orders, atOrder(before), O_NEXT, slot);
  else perps.setContract(market, head, slot);
  setAhead(core, slot, shownAt(core, perps.contract(market, CT_MIRROR), price, sell));
}

/** Lots the real book shows on one side at a price. */
function shownAt(core: Core, real: number, price: number, sell: number): number {
  const { books } = core;
  const ladder = books.ladder(real);
  const best = getWord(books.topWords, atTop(real), sell !== 0 ? T_ASK : T_BID);
  if (best === 0 || (sell !== 0 ? price < best : price > best) || ladder.peek(price) === 0) return 0;
  return levelLots(books, ladder.levelAt(price));
}

export function aheadOf(core: Core, slot: number): number {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  return getDouble(core.books.orders.extras.f64, atExtra(extra), XF_HIDDEN);
}

export function setAhead(core: Core, slot: number, lots: number): void {
  setDouble(core.books.orders.extras.f64, atExtra(core.books.orders.extra(slot)), XF_HIDDEN, lots);
}

/** Takes a resting demo order out of its chain. */
export function unlinkDemo(core: Core, slot: number): void {
  const orders = core.books.orderWords;
  const base = atOrder(slot);
  const flags = getWord(orders, base, O_FLAGS);
  const next = getWord(orders, base, O_NEXT);
  const prev = getWord(orders, base, O_PREV);
  if (next !== 0) setWord(orders, atOrder(next), O_PREV, prev);
  if (prev !== 0) setWord(orders, atOrder(prev), O_NEXT, next);
  else core.perps.setContract(flags >>> 16, (flags & FLAG_SELL) !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS, next);
  setWord(orders, base, O_FLAGS, flags & ~FLAG_RESTING);
}

/** Notes lots a symbol margin has taken from the copy at a price. */
export function noteTake(core: Core, symbolMargin: number, price: number, lots: number): void {
  const { takes } = core.perps;
  const take = takes.table.take();
  takes.setWord(take, TK_NEXT, core.perps.symbolMargin(symbolMargin, SM_TAKES));
  takes.setWord(take, TK_PRICE, price);
  takes.setDouble(take, TKF_LOTS, lots);
  takes.setDouble(take, TKF_TIME, core.now);
  core.perps.setSymbolMargin(symbolMargin, SM_TAKES, take);
}

/** Forgets takes that have come back whole. */
export function clearTakes(core: Core, symbolMargin: number): void {
  const { takes } = core.perps;
  let before = 0;
  for (let take = core.perps.symbolMargin(symbolMargin, SM_TAKES); take !== 0; ) {
    const next = takes.word(take, TK_NEXT);
    if (core.now - takes.double(take, TKF_TIME) < RECOVERY_MS) before = take;
    else {
      if (before === 0) core.perps.setSymbolMargin(symbolMargin, SM_TAKES, next);
      else takes.setWord(before, TK_NEXT, next);
      takes.table.give(take);
    }
    take = next;
  }
}

/** Lots of a price a symbol margin has taken and that have not come back yet, rounded up. */
export function takenAt(core: Core, symbolMargin: number, price: number): number {
  const { takes } = core.perps;
  let lots = 0;
  for (let take = core.perps.symbolMargin(symbolMargin, SM_TAKES); take !== 0; take = takes.word(take, TK_NEXT)) {
    if (takes.word(take, TK_PRICE) !== price) continue;
    const left = RECOVERY_MS - (core.now - takes.double(take, TKF_TIME));
    if (left > 0) lots += Math.ceil((takes.double(take, TKF_LOTS) * left) / RECOVERY_MS);
  }
  return lots;
}
