// Owns the question a fill-or-kill order asks of a perpetual book: would all of it be filled? Makers that may only
// reduce are trimmed when an earlier fill of the same match shrinks their position, so they count for less. Changes
// nothing.

import { atTop, hiddenLots, R_LOTS, T_ASK, T_BID } from "../../book/book.ts";
import { LEVEL_SHIFT } from "../../book/ladder.ts";
import {
  atOrder,
  FLAG_ICEBERG,
  FLAG_REDUCE_ONLY,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GROUP,
  O_NEXT,
  OF_LOTS,
  STP_EXPIRE_MAKER,
  STP_NONE,
} from "../../book/orders.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import { symbolMarginOf } from "../margin/exposure.ts";
import { MODE_HEDGE, SM_FLAGS } from "../state/records.ts";

/** Whether a taker of R_LOTS would certainly be filled whole up to `limit`. */
export function canFillPerpWhole(
  core: Core,
  market: number,
  sell: number,
  limit: number,
  group: number,
  mode: number,
): boolean {
  const { books } = core;
  const orders = books.orderWords;
  const ladder = books.ladder(market);
  // Lots by which each symbol margin's reducing orders may have been trimmed before they are met.
  const trims = new Map<number, number>();
  let left = books.registers[R_LOTS] as number;
  let price = getWord(books.topWords, atTop(market), sell !== 0 ? T_BID : T_ASK);
  while (price !== 0 && (sell !== 0 ? price >= limit : price <= limit)) {
    let maker = books.levelWords[ladder.levelAt(price) << LEVEL_SHIFT] as number;
    for (; maker !== 0; maker = getWord(orders, atOrder(maker), O_NEXT)) {
      const own = getWord(orders, atOrder(maker), O_GROUP) === group && mode !== STP_NONE;
      if (own && mode !== STP_EXPIRE_MAKER) return false;
      if (own) continue;
      left -= certainLots(core, maker, left, trims);
      if (left <= 0) return true;
    }
    price = sell !== 0 ? ladder.nextBelow(price) : ladder.nextAbove(price);
  }
  return false;
}

/** Lots of a maker that are there for sure when the match comes to it. */
function certainLots(core: Core, maker: number, left: number, trims: Map<number, number>): number {
  const { books } = core;
  const flags = getWord(books.orderWords, atOrder(maker), O_FLAGS);
  const symbolMargin = symbolMarginOf(core, getWord(books.orderWords, atOrder(maker), O_ACCOUNT_MARKET));
  let lots = getDouble(books.orderDoubles, atOrder(maker), OF_LOTS);
  if ((flags & FLAG_ICEBERG) !== 0) lots += hiddenLots(books, maker);
  const trimmed = trims.get(symbolMargin) ?? 0;
  if ((flags & FLAG_REDUCE_ONLY) === 0) {
    // In hedge mode an order that opens never shrinks the other side.
    if ((core.perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_HEDGE) === 0)
      trims.set(symbolMargin, trimmed + Math.min(lots, left));
    return lots;
  }
  const certain = Math.max(0, lots - trimmed);
  trims.set(symbolMargin, Math.max(0, trimmed - lots));
  return certain;
}
