// Owns the naive order book: one array a side, best price first, then oldest first. Knows nothing of money:
// what a meeting of two orders means is told to the counter.
import type { Side } from "@clockwork/core/protocol/names";
import { type Exchange, type Market, type Order, opposite, ordersOf, shownAt } from "./state.ts";

export function insert(order: Order): void {
  const queue = ordersOf(order.market, order.side);
  const isBehind = (other: Order): boolean =>
    order.side === "buy" ? other.price < order.price : other.price > order.price;
  const place = queue.findIndex(isBehind);
  queue.splice(place === -1 ? queue.length : place, 0, order);
  order.state = "resting";
}

export function remove(order: Order): void {
  const queue = ordersOf(order.market, order.side);
  queue.splice(queue.indexOf(order), 1);
}

/** The best price an order of this side would meet, 0 when there is none. */
export function bestAgainst(market: Market, side: Side): number {
  return ordersOf(market, opposite(side))[0]?.price ?? 0;
}

export function crosses(market: Market, side: Side, limit: number): boolean {
  const best = bestAgainst(market, side);
  return best !== 0 && (side === "buy" ? best <= limit : best >= limit);
}

/** What the match tells its owner, in order. */
export interface Counter {
  /** Lots the taker would still take at this price. */
  wanted(price: number): number;
  trade(maker: Order, price: number, lots: number, makerDone: boolean): void;
  prevented(maker: Order, price: number, lots: number, makerDone: boolean): void;
  refilled(maker: Order, lots: number): void;
}

/** Walks the other side up to the limit; true when a prevented self-trade ends the taker. */
export function match(exchange: Exchange, taker: Order, limit: number, counter: Counter): boolean {
  const { market, side } = taker;
  const queue = ordersOf(market, opposite(side));
  while (crosses(market, side, limit)) {
    const price = queue[0]?.price as number;
    const shownBefore = shownAt(market, opposite(side), price);
    let stopped = false;
    while (!stopped && queue[0]?.price === price && counter.wanted(price) > 0)
      stopped = meet(exchange, taker, queue[0], counter);
    if (shownAt(market, opposite(side), price) !== shownBefore) exchange.depth(market, opposite(side), price);
    if (stopped) return true;
    if (queue[0]?.price === price || counter.wanted(price) === 0) return false;
  }
  return false;
}

/** One meeting at the front of a queue; true when it ends the taker. */
function meet(exchange: Exchange, taker: Order, maker: Order, counter: Counter): boolean {
  const { price } = maker;
  const lots = Math.min(counter.wanted(price), maker.lots);
  const own = maker.account.group === taker.account.group && taker.selfTrade !== "NONE";
  if (own && taker.selfTrade === "EXPIRE_TAKER") {
    counter.prevented(maker, price, lots, false);
    return true;
  }
  if (own && taker.selfTrade !== "DECREMENT") {
    remove(maker);
    counter.prevented(maker, price, lots, true);
    return taker.selfTrade === "EXPIRE_BOTH";
  }
  maker.lots -= lots;
  const slice = maker.lots === 0 ? Math.min(maker.hidden, maker.slice) : 0;
  const makerDone = maker.lots === 0 && slice === 0;
  if (makerDone) remove(maker);
  if (own) counter.prevented(maker, price, lots, makerDone);
  else counter.trade(maker, price, lots, makerDone);
  if (slice > 0) {
    // A fresh slice goes to the back of its price.
    remove(maker);
    maker.hidden -= slice;
    maker.lots = slice;
    maker.since = exchange.sequence;
    insert(maker);
    counter.refilled(maker, slice);
  }
  return false;
}

/** Whether an order would be filled whole, its owner's orders in the way considered. */
export function canFillWhole(taker: Order, limit: number): boolean {
  let left = taker.lots;
  for (const maker of ordersOf(taker.market, opposite(taker.side))) {
    if (taker.side === "buy" ? maker.price > limit : maker.price < limit) break;
    const own = maker.account.group === taker.account.group && taker.selfTrade !== "NONE";
    if (own && taker.selfTrade !== "EXPIRE_MAKER") return false;
    if (!own) left -= maker.lots + maker.hidden;
    if (left <= 0) return true;
  }
  return false;
}
