// Owns what a fill does to a position: lots and exact cost, realised profit, fees and isolated margin. Never matches,
// never decides whether a fill may happen.
import { assert } from "@clockwork/kit/assert";
import { ACCOUNT_MARKET_SHIFT, AM_LISTS, AM_MAKER_RATE, AM_TAKER_RATE } from "../../market/account-markets.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CT_CLEARING_CELL,
  CTF_OPEN_LOTS,
  MODE_HEDGE,
  MODE_ISOLATED,
  MODE_WATCHED,
  PO_FLAGS,
  PO_GENERATION,
  PO_LEVERAGE,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_LOTS,
  POF_MARGIN,
  POF_OPENED,
  POF_REALIZED,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  POSITION_SPLIT,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_MARGIN_ACCOUNT,
  SM_MARKET,
  SM_STOPS,
  SM_TOUCHED,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
  SYMBOL_MARGIN_DOUBLE_SHIFT,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";
import { delistPosition, dropSplit, listPosition } from "../state/symbol-margins.ts";
import { costLeaving, fillValue, gainSign, initialMargin } from "../state/values.ts";
import { chargeFee, giveBack, marginStaying, payFromClearing, setAside, takeDebt } from "./cash.ts";
import { emitPosition } from "./emit.ts";
import { markStale } from "./exposure.ts";
import { unwatch } from "./heap.ts";
import { noteClose, noteOpen } from "./lead.ts";

const OPEN_FEE = BUSINESSES.indexOf("openFee");
const CLOSE_FEE = BUSINESSES.indexOf("closeFee");
const REALIZED = BUSINESSES.indexOf("realized");

/** Which rate a side pays: the maker's, the taker's, or none when the house arranges it. */
export const RATE_MAKER = 0;
export const RATE_TAKER = 1;
export const RATE_NONE = 2;

/**
 * A fill of `delta` lots (positive bought) at a price: what goes against the position closes it, the rest opens.
 * Returns the value it counted with, which the other side's must match.
 */
export function fillPosition(
  core: Core,
  position: number,
  delta: number,
  price: number,
  rateKind: number,
  reference: number,
): number {
  const { perps } = core;
  const symbolMargin = perps.positionWords[(position << POSITION_SHIFT) | PO_SYMBOL_MARGIN] as number;
  const market = perps.symbolMarginWords[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_MARKET] as number;
  const held = perps.positionDoubles[(position << POSITION_DOUBLE_SHIFT) | POF_LOTS] as number;
  const sells = delta < 0;
  const rate = rateOf(core, symbolMargin, rateKind);
  let total = 0;
  let left = sells ? 0 - delta : delta;
  let realized = 0;
  if (held !== 0 && held > 0 === sells) {
    const size = held > 0 ? held : 0 - held;
    const lots = left < size ? left : size;
    const value = fillValue(perps, market, lots, price, sells);
    realized = reducePosition(core, position, lots, value, rate, REALIZED, reference);
    total += value;
    left -= lots;
    if (left > 0) {
      // Crossing zero ends one position and begins another.
      assert(
        ((perps.symbolMarginWords[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_FLAGS] as number) & MODE_HEDGE) === 0,
        "PERP-1",
        "a reducing fill would open a position",
      );
      emitPosition(core, position, realized);
      endPosition(
        core,
        position,
        symbolMargin,
        perps.symbolMarginWords[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_MARGIN_ACCOUNT] as number,
      );
      realized = 0;
    }
  }
  if (left > 0) {
    const value = fillValue(perps, market, left, price, sells);
    growPosition(core, position, sells ? 0 - left : left, value, rate, reference);
    total += value;
  }
  finishFill(core, position, symbolMargin, realized);
  return total;
}

function rateOf(core: Core, symbolMargin: number, rateKind: number): number {
  if (rateKind === RATE_NONE) return 0;
  const accountMarket = core.perps.symbolMarginWords[
    (symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_ACCOUNT_MARKET
  ] as number;
  return core.accountMarkets.words[
    (accountMarket << ACCOUNT_MARKET_SHIFT) + (rateKind === RATE_MAKER ? AM_MAKER_RATE : AM_TAKER_RATE)
  ] as number;
}

/** Lots come in at a value; an isolated position sets its initial margin aside. */
export function growPosition(
  core: Core,
  position: number,
  delta: number,
  value: number,
  rate: number,
  reference: number,
): void {
  const { perps } = core;
  const symbolMargin = perps.positionWords[(position << POSITION_SHIFT) | PO_SYMBOL_MARGIN] as number;
  const at = symbolMargin << SYMBOL_MARGIN_SHIFT;
  const market = perps.symbolMarginWords[at | SM_MARKET] as number;
  const marginAccount = perps.symbolMarginWords[at | SM_MARGIN_ACCOUNT] as number;
  const f64 = perps.positionDoubles;
  const base = position << POSITION_DOUBLE_SHIFT;
  const held = f64[base | POF_LOTS] as number;
  assert(delta !== 0 && (held === 0 || held > 0 === delta > 0), "PERP-10", "a position grows against itself");
  if (((perps.symbolMarginWords[at | SM_FLAGS] as number) & MODE_WATCHED) !== 0) noteOpen(core, position, delta, value);
  if (held === 0) {
    f64[base | POF_OPENED] = core.now;
    f64[base | POF_REALIZED] = 0;
    listPosition(perps, marginAccount, position);
  }
  f64[base | POF_LOTS] = held + delta;
  f64[base | POF_COST] = (f64[base | POF_COST] as number) + value;
  if (delta > 0) addOpenLots(core, market, delta);
  chargeFee(core, marginAccount, 0, market, value, rate, OPEN_FEE, reference);
  if (((perps.symbolMarginWords[at | SM_FLAGS] as number) & MODE_ISOLATED) !== 0)
    setAside(core, marginAccount, position, initialMargin(value, perps.position(position, PO_LEVERAGE)));
}

function addOpenLots(core: Core, market: number, lots: number): void {
  const at = (market << CONTRACT_DOUBLE_SHIFT) | CTF_OPEN_LOTS;
  core.perps.contractDoubles[at] = (core.perps.contractDoubles[at] as number) + lots;
}

/** Lots leave at a value: profit is paid, a loss is taken, margin that covered them comes back. Returns the profit. */
export function reducePosition(
  core: Core,
  position: number,
  lots: number,
  value: number,
  rate: number,
  business: number,
  reference: number,
): number {
  const { perps } = core;
  const symbolMargin = perps.positionWords[(position << POSITION_SHIFT) | PO_SYMBOL_MARGIN] as number;
  const at = symbolMargin << SYMBOL_MARGIN_SHIFT;
  const market = perps.symbolMarginWords[at | SM_MARKET] as number;
  const marginAccount = perps.symbolMarginWords[at | SM_MARGIN_ACCOUNT] as number;
  const f64 = perps.positionDoubles;
  const base = position << POSITION_DOUBLE_SHIFT;
  const held = f64[base | POF_LOTS] as number;
  const size = held > 0 ? held : 0 - held;
  assert(lots > 0 && lots <= size && value >= 0, "PERP-10", "a position shrinks by more than it is");
  const sign = gainSign(perps, market, held);
  if (((perps.symbolMarginWords[at | SM_FLAGS] as number) & MODE_WATCHED) !== 0) noteClose(core, position, lots, value);
  const cost = f64[base | POF_COST] as number;
  const leaving = costLeaving(cost, lots, size, sign);
  const profit = sign > 0 ? value - leaving : leaving - value;
  f64[base | POF_LOTS] = held > 0 ? held - lots : held + lots;
  f64[base | POF_COST] = cost - leaving;
  f64[base | POF_REALIZED] = (f64[base | POF_REALIZED] as number) + profit;
  if (held > 0) addOpenLots(core, market, 0 - lots);
  const isolated = ((perps.symbolMarginWords[at | SM_FLAGS] as number) & MODE_ISOLATED) !== 0;
  const margin = f64[base | POF_MARGIN] as number;
  if (profit > 0) payFromClearing(core, marginAccount, market, profit, business, reference);
  else if (profit < 0) {
    takeDebt(
      core,
      marginAccount,
      position,
      market,
      perps.contract(market, CT_CLEARING_CELL),
      0 - profit,
      business,
      reference,
    );
  }
  if (isolated) {
    const staying = marginStaying(margin, size - lots, size);
    giveBack(core, marginAccount, position, (f64[base | POF_MARGIN] as number) - staying);
  }
  chargeFee(core, marginAccount, 0, market, value, rate, CLOSE_FEE, reference);
  const words = perps.symbolMarginWords;
  const doubles = perps.symbolMarginDoubles;
  const from = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
  const hasReducers =
    (words[at | SM_STOPS] as number) !== 0 ||
    core.accountMarkets.word(words[at | SM_ACCOUNT_MARKET] as number, AM_LISTS) !== 0 ||
    doubles[from | SMF_REDUCE_BUY] !== 0 ||
    doubles[from | SMF_REDUCE_SELL] !== 0;
  if (hasReducers && words[at | SM_TOUCHED] === 0) {
    words[at | SM_TOUCHED] = 1;
    perps.touched.push(symbolMargin);
  }
  return profit;
}

/** Reports the position, ends one that is flat, and brings margin up to date. */
export function finishFill(core: Core, position: number, symbolMargin: number, realized: number): void {
  const { perps } = core;
  emitPosition(core, position, realized);
  const marginAccount = perps.symbolMarginWords[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_MARGIN_ACCOUNT] as number;
  if (perps.positionDoubles[(position << POSITION_DOUBLE_SHIFT) | POF_LOTS] === 0)
    endPosition(core, position, symbolMargin, marginAccount);
  markStale(core, symbolMargin);
  perps.markDirty(marginAccount);
}

function endPosition(core: Core, position: number, symbolMargin: number, marginAccount: number): void {
  const { perps } = core;
  unwatch(core, position);
  delistPosition(perps, marginAccount, position);
  perps.setPosition(position, PO_GENERATION, perps.position(position, PO_GENERATION) + 1);
  if ((perps.position(position, PO_FLAGS) & POSITION_SPLIT) !== 0) dropSplit(perps, symbolMargin, position);
}
