// Owns the orders that rest in a demo market and what demo takers have taken. A demo market follows the book of a real
// one and has none itself: resting orders stand in two chains, best price first, each with the volume that was ahead of
// it in the real book; what a symbol margin took from a price comes back to it over a minute. Fills nothing.
import { levelLots, T_ASK, T_BID, TOP_SHIFT } from "../../book/book.ts";
import {
  EXTRA_DOUBLE_SHIFT,
  FLAG_RESTING,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  O_PRICE,
  ORDER_SHIFT,
  XF_HIDDEN,
} from "../../book/orders.ts";
import type { Core } from "../../state/core.ts";
import { CT_DEMO_BUYS, CT_DEMO_SELLS, CT_MIRROR, SM_TAKES } from "../state/records.ts";

const RECOVERY_MS = 60_000;
/** Of a take: the symbol margin's next one and the price in words, lots and time in doubles. */
const TAKE_WORDS = 8;
const TK_NEXT = 1;
const TK_PRICE = 2;
const TKF_LOTS = 2;
const TKF_TIME = 3;

export function isDemo(core: Core, market: number): boolean {
  return core.perps.contract(market, CT_MIRROR) !== 0;
}

/** The checks of an order look at the best prices of its market: a demo market shows those of the real one. */
export function lendTops(core: Core, market: number): void {
  const tops = core.books.topWords;
  const real = core.perps.contract(market, CT_MIRROR) << TOP_SHIFT;
  tops[(market << TOP_SHIFT) | T_BID] = tops[real | T_BID] as number;
  tops[(market << TOP_SHIFT) | T_ASK] = tops[real | T_ASK] as number;
}

export function returnTops(core: Core, market: number): void {
  core.books.topWords[(market << TOP_SHIFT) | T_BID] = 0;
  core.books.topWords[(market << TOP_SHIFT) | T_ASK] = 0;
}

/** Lets an order rest behind all the real book shows at its price now. */
export function restDemo(core: Core, market: number, slot: number, price: number, sell: number): void {
  const { books, perps } = core;
  const orders = books.orderWords;
  const head = sell !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS;
  let before = 0;
  let at = perps.contract(market, head);
  const isAhead = (other: number): boolean => {
    const ticks = orders[(other << ORDER_SHIFT) | O_PRICE] as number;
    return sell !== 0 ? ticks <= price : ticks >= price;
  };
  while (at !== 0 && isAhead(at)) {
    before = at;
    at = orders[(at << ORDER_SHIFT) | O_NEXT] as number;
  }
  const base = slot << ORDER_SHIFT;
  orders[base | O_PRICE] = price;
  orders[base | O_LEVEL] = 0;
  orders[base | O_NEXT] = at;
  orders[base | O_PREV] = before;
  orders[base | O_FLAGS] = (orders[base | O_FLAGS] as number) | FLAG_RESTING;
  if (at !== 0) orders[(at << ORDER_SHIFT) | O_PREV] = slot;
  if (before !== 0) orders[(before << ORDER_SHIFT) | O_NEXT] = slot;
  else perps.setContract(market, head, slot);
  setAhead(core, slot, shownAt(core, perps.contract(market, CT_MIRROR), price, sell));
}

/** Lots the real book shows on one side at a price. */
function shownAt(core: Core, real: number, price: number, sell: number): number {
  const { books } = core;
  const ladder = books.ladder(real);
  const best = books.topWords[(real << TOP_SHIFT) | (sell !== 0 ? T_ASK : T_BID)] as number;
  if (best === 0 || (sell !== 0 ? price < best : price > best) || ladder.peek(price) === 0) return 0;
  return levelLots(books, ladder.levelAt(price));
}

export function aheadOf(core: Core, slot: number): number {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  return core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] as number;
}

export function setAhead(core: Core, slot: number, lots: number): void {
  core.books.orders.extras.f64[(core.books.orders.extra(slot) << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] = lots;
}

/** Takes a resting demo order out of its chain. */
export function unlinkDemo(core: Core, slot: number): void {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  const flags = orders[base | O_FLAGS] as number;
  const next = orders[base | O_NEXT] as number;
  const prev = orders[base | O_PREV] as number;
  if (next !== 0) orders[(next << ORDER_SHIFT) | O_PREV] = prev;
  if (prev !== 0) orders[(prev << ORDER_SHIFT) | O_NEXT] = next;
  else core.perps.setContract(flags >>> 16, (flags & FLAG_SELL) !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS, next);
  orders[base | O_FLAGS] = flags & ~FLAG_RESTING;
}

/** Notes lots a symbol margin has taken from the copy at a price. */
export function noteTake(core: Core, symbolMargin: number, price: number, lots: number): void {
  const { takes } = core.perps;
  const take = takes.take();
  takes.i32[take * TAKE_WORDS + TK_NEXT] = core.perps.symbolMargin(symbolMargin, SM_TAKES);
  takes.i32[take * TAKE_WORDS + TK_PRICE] = price;
  takes.f64[take * (TAKE_WORDS / 2) + TKF_LOTS] = lots;
  takes.f64[take * (TAKE_WORDS / 2) + TKF_TIME] = core.now;
  core.perps.setSymbolMargin(symbolMargin, SM_TAKES, take);
}

/** Forgets takes that have come back whole. */
export function forgetTakes(core: Core, symbolMargin: number): void {
  const { takes } = core.perps;
  let before = 0;
  for (let take = core.perps.symbolMargin(symbolMargin, SM_TAKES); take !== 0; ) {
    const next = takes.i32[take * TAKE_WORDS + TK_NEXT] as number;
    if (core.now - (takes.f64[take * (TAKE_WORDS / 2) + TKF_TIME] as number) < RECOVERY_MS) before = take;
    else {
      if (before === 0) core.perps.setSymbolMargin(symbolMargin, SM_TAKES, next);
      else takes.i32[before * TAKE_WORDS + TK_NEXT] = next;
      takes.give(take);
    }
    take = next;
  }
}

/** Lots of a price a symbol margin has taken and that have not come back yet, rounded up. */
export function takenAt(core: Core, symbolMargin: number, price: number): number {
  const { takes } = core.perps;
  let lots = 0;
  for (
    let take = core.perps.symbolMargin(symbolMargin, SM_TAKES);
    take !== 0;
    take = takes.i32[take * TAKE_WORDS + TK_NEXT] as number
  ) {
    if (takes.i32[take * TAKE_WORDS + TK_PRICE] !== price) continue;
    const left = RECOVERY_MS - (core.now - (takes.f64[take * (TAKE_WORDS / 2) + TKF_TIME] as number));
    if (left > 0) lots += Math.ceil(((takes.f64[take * (TAKE_WORDS / 2) + TKF_LOTS] as number) * left) / RECOVERY_MS);
  }
  return lots;
}
