// Owns the settlement of a book trade between two symbol margins: whose position it reaches and what rounding leaves
// over. Never matches and never asks whether there is margin.

import {
  atExtra,
  atOrder,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  O_FLAGS,
  O_PRICE,
  X_POSITION,
  X_POSITION_GENERATION,
} from "../../book/orders.ts";
import { getWord, setDouble, setWord } from "../../memory/record.ts";
import { type Core, G_NOW } from "../../state/core.ts";
import {
  atContract,
  atSymbolMargin,
  CTF_LAST_TRADE,
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
import { fillPosition, RATE_MAKER, RATE_NONE, RATE_TAKER } from "./fill.ts";

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

/** Settles `lots` of a trade between the taker in `slot` and the maker. */
export function settlePerp(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  maker: number,
  makerAccountMarket: number,
  price: number,
  lots: number,
  tradeNumber: number,
): void {
  const orders = core.books.orderWords;
  const takerFlags = getWord(orders, atOrder(slot), O_FLAGS);
  const bought = (takerFlags & FLAG_SELL) !== 0 ? 0 - lots : lots;
  settleApart(core, market, slot, accountMarket, maker, makerAccountMarket, bought, price, tradeNumber);
  setDouble(core.perps.contractDoubles, atContract(market), CTF_LAST_TRADE, core.clock[G_NOW] as number);
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
  addExposure(core, accountMarket, market, flags, orderPrice, delta < 0 ? delta : 0 - delta);
  const position = positionOf(core, symbolMarginOf(core, accountMarket), slot, flags);
  core.copies.orderSlot = slot;
  const value = fillPosition(core, position, delta, price, rateKind, tradeNumber);
  core.copies.orderSlot = 0;
  return value;
}

/** Both sides on the general path. */
function settleApart(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  maker: number,
  makerAccountMarket: number,
  bought: number,
  price: number,
  tradeNumber: number,
): void {
  const makerFlags = getWord(core.books.orderWords, atOrder(maker), O_FLAGS);
  const takerFlags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
  fillSide(core, market, maker, makerAccountMarket, makerFlags, 0 - bought, price, RATE_MAKER, tradeNumber);
  // What the house sends pays the liquidation fee instead, by value.
  const forced = core.perps.registers[PR_FORCED] !== 0;
  const rate = forced ? RATE_NONE : RATE_TAKER;
  const took = fillSide(core, market, slot, accountMarket, takerFlags, bought, price, rate, tradeNumber);
  if (forced) core.perps.registers[PR_FORCED_VALUE] = (core.perps.registers[PR_FORCED_VALUE] as number) + took;
}
