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
import { atCell, CF_AVAILABLE } from "../../ledger/ledger.ts";
import { AM_SYMBOL_MARGIN, atAccountMarket } from "../../market/account-markets.ts";
import { getDouble, getWord, setWord, type Word } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import { canWrite, type Views } from "../../state/views.ts";
import {
  atContract,
  atMarginAccount,
  atPosition,
  atSymbolMargin,
  CT_KIND,
  CTF_FACTOR,
  MA_CELL,
  MODE_AUTO_APPEND,
  MODE_HEDGE,
  MODE_SPLIT,
  PO_GENERATION,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_LOTS,
  POSITION_IDS,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_SHORT,
} from "../state/records.ts";
import { addSplit } from "../state/symbol-margins.ts";
import { isOwnMoney } from "./cash.ts";
import { addExposure } from "./exposure.ts";
import { fillPosition } from "./fill.ts";

/** Registers of Perps: whether the taker is the house acting for a symbol margin, and the value it has traded. */
export const PR_FORCED = 2;
export const PR_FORCED_VALUE = 3;

const LINEAR = 1;
/** One part of a rate, rounded, and units no rounding of a bound exceeds. */
const RATE_UNIT = 1e-8;
const SLACK_UNITS = 16;

/** The position an order's fill reaches: the only one, the side's, or in split layout the order's own. */
export function positionOf(v: Views, symbolMargin: number, slot: number, flags: number): number {
  const { core, perps } = v;
  const symbolMarginAt = atSymbolMargin(symbolMargin) & v.symbolMarginMask;
  const modes = getWord(v.symbolMarginWords, symbolMarginAt, SM_FLAGS);
  if ((modes & MODE_HEDGE) === 0) return getWord(v.symbolMarginWords, symbolMarginAt, SM_LONG);
  const long = ((flags & FLAG_SELL) !== 0) === ((flags & FLAG_REDUCE_ONLY) !== 0);
  if ((modes & MODE_SPLIT) === 0) return getWord(v.symbolMarginWords, symbolMarginAt, long ? SM_LONG : SM_SHORT);
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

/** One side of a trade: its order adds less exposure, its position is filled. Returns its value, rounded up. */
export function fillSide(
  v: Views,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  delta: number,
  price: number,
  rateKind: number,
  tradeNumber: number,
): number {
  const { copies } = v.core;
  const orderPrice = getWord(v.orderWords, atOrder(slot) & v.orderMask, O_PRICE);
  addExposure(v, accountMarket, market, flags, orderPrice, delta < 0 ? delta : 0 - delta);
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  const symbolMargin = getWord(v.accountMarkets, accountMarketAt, AM_SYMBOL_MARGIN);
  copies.orderSlot = slot;
  const value = fillPosition(v, positionOf(v, symbolMargin, slot, flags), delta, price, rateKind, tradeNumber);
  copies.orderSlot = 0;
  return value;
}

/**
 * Whether a side of so many lots may be filled on bound views: nothing about it may make room for more than a step's
 * events, or a table grow. Its account is an ordinary one, and its wallet pays loss and fees.
 */
export function isOrdinarySide(
  v: Views,
  market: number,
  accountMarket: number,
  lots: number,
  price: number,
  rateMember: Word<"accountMarket">,
): boolean {
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  const at = atSymbolMargin(getWord(v.accountMarkets, accountMarketAt, AM_SYMBOL_MARGIN)) & v.symbolMarginMask;
  const marginAccountAt = atMarginAccount(getWord(v.symbolMarginWords, at, SM_MARGIN_ACCOUNT)) & v.marginAccountMask;
  const contractAt = atContract(market) & v.contractMask;
  const rate = getWord(v.accountMarkets, accountMarketAt, rateMember);
  if (
    !canWrite(v) ||
    (getWord(v.symbolMarginWords, at, SM_FLAGS) & ~MODE_AUTO_APPEND) !== 0 ||
    getWord(v.contractWords, contractAt, CT_KIND) !== LINEAR ||
    rate < 0 ||
    !isOwnMoney(v, marginAccountAt)
  )
    return false;
  const positionAt = atPosition(getWord(v.symbolMarginWords, at, SM_LONG)) & v.positionMask;
  const held = Math.abs(getDouble(v.positionDoubles, positionAt, POF_LOTS));
  const one = price * getDouble(v.contractDoubles, contractAt, CTF_FACTOR);
  // From above: all it holds at a loss, whichever way it is.
  const loss = Math.abs(held * one - getDouble(v.positionDoubles, positionAt, POF_COST));
  const cellAt = atCell(getWord(v.marginAccountWords, marginAccountAt, MA_CELL)) & v.cellMask;
  const product = lots * one * rate;
  return (
    product <= Number.MAX_SAFE_INTEGER &&
    getDouble(v.cellDoubles, cellAt, CF_AVAILABLE) - loss >= product * RATE_UNIT + SLACK_UNITS
  );
}
