// Owns how a plain order comes to rest and how it ends again: its queue, its place among the open orders, the depth.
// Written against the views of fills.ts; places and cancels of the fast paths bind them.
import { emptyLevel, T_ASK, T_BID, TOP_SHIFT } from "../../book/book.ts";
import { type Ladder, LEVEL_SHIFT } from "../../book/ladder.ts";
import { O_LEVEL, O_NEXT, O_OPEN_PLACE, O_PREV, ORDER_SHIFT } from "../../book/orders.ts";
import {
  AM_OPEN_HOLE,
  AM_OPEN_ORDERS,
  AM_OPEN_USED,
  AM_RESTING,
  OPEN_ORDERS_SHIFT,
} from "../../market/account-markets.ts";
import { type FillViews, giveSlot, leaveOpenOrders, publishDepth } from "../fill/fills.ts";

/** Puts an accepted order at the back of its level; there is room among the open orders. */
export function restPlain(
  v: FillViews,
  market: number,
  slot: number,
  level: number,
  price: number,
  sell: number,
  lots: number,
  accountMarketAt: number,
): void {
  const { orders, levels, levelDoubles, tops, accountMarkets, openOrders } = v;
  const order = (slot << ORDER_SHIFT) & v.orderMask;
  const levelAt = (level << LEVEL_SHIFT) & v.levelMask;
  const shownAt = (levelAt >> 1) + 1;
  const tail = levels[levelAt + 1] as number;
  let shown = lots;
  orders[order + O_NEXT] = 0;
  orders[order + O_PREV] = tail;
  levels[levelAt + 1] = slot;
  if (tail !== 0) {
    orders[((tail << ORDER_SHIFT) & v.orderMask) + O_NEXT] = slot;
    shown += levelDoubles[shownAt] as number;
  } else {
    levels[levelAt] = slot;
    (v.ladders[market] as Ladder).mark(level);
    const topAt = (market << TOP_SHIFT) & v.topMask;
    if (sell !== 0) {
      const ask = tops[topAt + T_ASK] as number;
      if (ask === 0 || price < ask) tops[topAt + T_ASK] = price;
    } else if (price > (tops[topAt + T_BID] as number)) tops[topAt + T_BID] = price;
  }
  levelDoubles[shownAt] = shown;
  // Its place among the open orders: a hole where there is one.
  const openStart = (accountMarkets[accountMarketAt + AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT;
  const hole = accountMarkets[accountMarketAt + AM_OPEN_HOLE] as number;
  let openPlace = hole - 1;
  if (hole !== 0) accountMarkets[accountMarketAt + AM_OPEN_HOLE] = 0 - (openOrders[openStart + openPlace] as number);
  else {
    openPlace = accountMarkets[accountMarketAt + AM_OPEN_USED] as number;
    accountMarkets[accountMarketAt + AM_OPEN_USED] = openPlace + 1;
  }
  openOrders[openStart + openPlace] = slot;
  orders[order + O_OPEN_PLACE] = openPlace;
  accountMarkets[accountMarketAt + AM_RESTING] = (accountMarkets[accountMarketAt + AM_RESTING] as number) + 1;
  publishDepth(v, market, sell, price, shown);
}

/** Takes an order whose end is reported out of its queue and the open orders, and gives its slot up. */
export function endPlain(
  v: FillViews,
  market: number,
  order: number,
  price: number,
  sell: number,
  lots: number,
  accountMarketAt: number,
): void {
  const { orders, levels, levelDoubles, orderMask } = v;
  // Out of its queue, without a branch: see book/book.ts.
  const level = orders[order + O_LEVEL] as number;
  const next = orders[order + O_NEXT] as number;
  const prev = orders[order + O_PREV] as number;
  const levelAt = (level << LEVEL_SHIFT) & v.levelMask;
  const hasNext = (next | (0 - next)) >> 31;
  const hasPrev = (prev | (0 - prev)) >> 31;
  orders[((next << ORDER_SHIFT) & orderMask) + O_PREV] = prev;
  orders[((prev << ORDER_SHIFT) & orderMask) + O_NEXT] = next;
  orders[O_PREV] = 0;
  orders[O_NEXT] = 0;
  levels[levelAt + 1] = ((levels[levelAt + 1] as number) & hasNext) | (prev & ~hasNext);
  levels[levelAt] = ((levels[levelAt] as number) & hasPrev) | (next & ~hasPrev);
  const shown = (levelDoubles[(levelAt >> 1) + 1] as number) - lots;
  levelDoubles[(levelAt >> 1) + 1] = shown;
  publishDepth(v, market, sell, price, shown);
  if ((next | prev) === 0) emptyLevel(v.books, market, level, price, sell);
  leaveOpenOrders(v, accountMarketAt, order);
  giveSlot(v, order);
}
