// Owns which position an order's fill reaches and how one side of a perpetual trade is filled. Never matches and never
// checks margin.

import {
  atExtra,
  atOrder,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  O_PRICE,
  X_POSITION,
  X_POSITION_GENERATION,
} from "../../book/orders.ts";
import { getWord, setWord } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import {
  atSymbolMargin,
  MODE_HEDGE,
  MODE_SPLIT,
  PO_GENERATION,
  PO_SYMBOL_MARGIN,
  POSITION_IDS,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_SHORT,
} from "../state/records.ts";
import { addSplit } from "../state/symbol-margins.ts";
import { addExposure, symbolMarginOf } from "./exposure.ts";
import { fillPosition } from "./fill.ts";

/** Registers of Perps: whether the taker is the house acting for a symbol margin, and the value it has traded. */
export const PR_FORCED = 2;
export const PR_FORCED_VALUE = 3;

/** The position an order's fill reaches: the only one, the side's, or in split layout the order's own. */
export function positionOf(core: Core, symbolMargin: number, slot: number, flags: number): number {
  const { perps } = core;
  const modes = getWord(perps.symbolMarginWords, atSymbolMargin(symbolMargin), SM_FLAGS);
  if ((modes & MODE_HEDGE) === 0) return getWord(perps.symbolMarginWords, atSymbolMargin(symbolMargin), SM_LONG);
  const long = ((flags & FLAG_SELL) !== 0) === ((flags & FLAG_REDUCE_ONLY) !== 0);
  if ((modes & MODE_SPLIT) === 0)
    return getWord(perps.symbolMarginWords, atSymbolMargin(symbolMargin), long ? SM_LONG : SM_SHORT);
  const extra = core.books.orders.extra(slot);
  const at = atExtra(extra) | X_POSITION;
  const extras = core.books.orders.extras.i32;
  const known = extras[at] as number;
  // A position the owner closed meanwhile is over; what still fills begins another.
  if (known !== 0 && perps.position(known, PO_GENERATION) === getWord(extras, atExtra(extra), X_POSITION_GENERATION))
    return known;
  const position = addSplit(
    perps,
    symbolMargin,
    perps.symbolMargin(symbolMargin, long ? SM_LEVERAGE_LONG : SM_LEVERAGE_SHORT),
  );
  extras[at] = position;
  setWord(extras, atExtra(extra), X_POSITION_GENERATION, perps.position(position, PO_GENERATION));
  return position;
}

/** A split position by its id, 0 when the symbol margin has none such open. */
export function findPosition(core: Core, symbolMargin: number, id: number): number {
  const { perps } = core;
  const position = id % POSITION_IDS;
  if (position <= 0 || position >= perps.positions.count || perps.position(position, PO_SYMBOL_MARGIN) !== symbolMargin)
    return 0;
  if (perps.position(position, PO_GENERATION) !== Math.floor(id / POSITION_IDS)) return 0;
  return perps.lots(position) === 0 ? 0 : position;
}

/**
 * One side on the general path: its order adds less exposure, its position is filled. Returns its value, rounded up.
 */
export function fillSide(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  delta: number,
  price: number,
  rateKind: number,
  tradeNumber: number,
): number {
  const orderPrice = getWord(core.books.orderWords, atOrder(slot), O_PRICE);
  addExposure(core.views, accountMarket, market, flags, orderPrice, delta < 0 ? delta : 0 - delta);
  const position = positionOf(core, symbolMarginOf(core, accountMarket), slot, flags);
  core.copies.orderSlot = slot;
  const value = fillPosition(core, position, delta, price, rateKind, tradeNumber);
  core.copies.orderSlot = 0;
  return value;
}
