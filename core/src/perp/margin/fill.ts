// Owns what a fill does to a position: lots and exact cost, realised profit, fees and isolated margin. Never matches,
// never decides whether a fill may happen.

import { assert } from "@clockwork/kit/assert";
import {
  EXACT_SLACK,
  keepExact,
  splitCost,
  X_COST,
  X_EXCESS,
  X_LEAVING,
  X_LEAVING_EXCESS,
  X_LEFT,
  X_LOTS,
  X_MOVED,
  X_REMAINING,
  X_REMAINING_EXCESS,
  X_WHOLE,
} from "@clockwork/kit/exact-cost";
import { AM_LISTS, AM_MAKER_RATE, AM_TAKER_RATE, atAccountMarket } from "../../market/account-markets.ts";
import { addDouble, type Begin, getDouble, getWord, setDouble, setWord } from "../../memory/record.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import type { Views } from "../../state/views.ts";
import {
  atContract,
  atMarginAccount,
  atPosition,
  atSymbolMargin,
  CT_CLEARING_CELL,
  CT_ROUNDING_CELL,
  CTF_OPEN_LOTS,
  CTF_REMAINDER,
  CTF_ROUNDED,
  MA_DIRTY,
  MODE_HEDGE,
  MODE_ISOLATED,
  MODE_WATCHED,
  PO_FLAGS,
  PO_GENERATION,
  PO_LEVERAGE,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
  POF_OPENED,
  POF_REALIZED,
  POSITION_SPLIT,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_MARGIN_ACCOUNT,
  SM_MARKET,
  SM_STALE,
  SM_STOPS,
  SM_TOUCHED,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
} from "../state/records.ts";
import { delistPosition, dropSplit, listPosition } from "../state/symbol-margins.ts";
import { gainSign, initialMargin, worthCeil, worthExcess } from "../state/values.ts";
import { chargeFee, giveBack, marginRemaining, post, setAside, settleProfit } from "./cash.ts";
import { emitPosition } from "./emit.ts";
import { markStale } from "./exposure.ts";
import { unwatch } from "./heap.ts";
import { noteClose, noteOpen } from "./lead.ts";

const OPEN_FEE = BUSINESSES.indexOf("openFee");
const CLOSE_FEE = BUSINESSES.indexOf("closeFee");
const REALIZED = BUSINESSES.indexOf("realized");
const ROUNDING = BUSINESSES.indexOf("rounding");

/** Which rate a side pays: the maker's, the taker's, or none when the house arranges it. */
export const RATE_MAKER = 0;
export const RATE_TAKER = 1;
export const RATE_NONE = 2;

/**
 * A fill of `delta` lots (positive bought) at a price: what goes against the position closes it, the rest opens.
 * Returns its value, rounded up.
 */
export function fillPosition(
  v: Views,
  position: number,
  delta: number,
  price: number,
  rateKind: number,
  reference: number,
): number {
  const symbolMargin = getWord(v.positionWords, atPosition(position) & v.positionMask, PO_SYMBOL_MARGIN);
  const at = atSymbolMargin(symbolMargin) & v.symbolMarginMask;
  const market = getWord(v.symbolMarginWords, at, SM_MARKET);
  const held = getDouble(v.positionDoubles, atPosition(position) & v.positionMask, POF_LOTS);
  const sells = delta < 0;
  const rate = rateOf(v, getWord(v.symbolMarginWords, at, SM_ACCOUNT_MARKET), rateKind);
  let left = sells ? 0 - delta : delta;
  const total = worthCeil(v, market, left, price);
  let value = total;
  let excess = worthExcess(v, market, left, price);
  let realized = 0;
  if (held !== 0 && held > 0 === sells) {
    const size = held > 0 ? held : 0 - held;
    const lots = left < size ? left : size;
    left -= lots;
    const closed = left === 0 ? value : worthCeil(v, market, lots, price);
    const closedExcess = left === 0 ? excess : worthExcess(v, market, lots, price);
    realized = reducePosition(v, position, lots, closed, closedExcess, rate, REALIZED, reference);
    if (left > 0) {
      // Both parts together are the value of the whole fill, which is the other side's too.
      excess -= closedExcess;
      const shift = excess < 0 - EXACT_SLACK ? 1 : 0;
      value += shift - closed;
      excess += shift;
      // Crossing zero ends one position and begins another.
      assert(
        (getWord(v.symbolMarginWords, at, SM_FLAGS) & MODE_HEDGE) === 0,
        "PERP-1",
        "a reducing fill would open a position",
      );
      emitPosition(v, position, realized);
      endPosition(v.core, position, symbolMargin, getWord(v.symbolMarginWords, at, SM_MARGIN_ACCOUNT));
      realized = 0;
    }
  }
  if (left > 0) growPosition(v, position, sells ? 0 - left : left, value, excess, rate, reference);
  finishFill(v, position, symbolMargin, realized);
  return total;
}

function rateOf(v: Views, accountMarket: number, rateKind: number): number {
  if (rateKind === RATE_NONE) return 0;
  const at = atAccountMarket(accountMarket) & v.accountMarketMask;
  return getWord(v.accountMarkets, at, rateKind === RATE_MAKER ? AM_MAKER_RATE : AM_TAKER_RATE);
}

/** Lots come in at a value less an excess; an isolated position sets its initial margin aside. */
export function growPosition(
  v: Views,
  position: number,
  delta: number,
  value: number,
  excess: number,
  rate: number,
  reference: number,
): void {
  const { core, perps } = v;
  const base = atPosition(position) & v.positionMask;
  const at = atSymbolMargin(getWord(v.positionWords, base, PO_SYMBOL_MARGIN)) & v.symbolMarginMask;
  const market = getWord(v.symbolMarginWords, at, SM_MARKET);
  const marginAccount = getWord(v.symbolMarginWords, at, SM_MARGIN_ACCOUNT);
  const modes = getWord(v.symbolMarginWords, at, SM_FLAGS);
  const held = getDouble(v.positionDoubles, base, POF_LOTS);
  assert(delta !== 0 && (held === 0 || held > 0 === delta > 0), "PERP-10", "a position grows against itself");
  if ((modes & MODE_WATCHED) !== 0) noteOpen(core, position, delta, value);
  if (held === 0) {
    setDouble(v.positionDoubles, base, POF_OPENED, core.now);
    setDouble(v.positionDoubles, base, POF_REALIZED, 0);
    listPosition(perps, marginAccount, position);
  }
  setDouble(v.positionDoubles, base, POF_LOTS, held + delta);
  if (excess === 0) addDouble(v.positionDoubles, base, POF_COST, value);
  else growExactly(core, position, market, delta, value, excess);
  if (delta > 0) addOpenLots(v, market, delta);
  chargeFee(v, marginAccount, market, value, excess, rate, OPEN_FEE, reference);
  if ((modes & MODE_ISOLATED) !== 0)
    setAside(core, marginAccount, position, initialMargin(value, perps.position(position, PO_LEVERAGE)));
}

/** Adds a cost that is not whole. */
function growExactly(core: Core, position: number, market: number, delta: number, value: number, excess: number): void {
  const { perps } = core;
  const { exact, positionDoubles } = perps;
  const base = atPosition(position);
  exact[X_REMAINING] = getDouble(positionDoubles, base, POF_COST) + value;
  exact[X_REMAINING_EXCESS] = getDouble(positionDoubles, base, POF_EXCESS) + excess;
  keepExact(exact);
  setDouble(positionDoubles, base, POF_COST, getDouble(exact, 0, X_REMAINING));
  setDouble(positionDoubles, base, POF_EXCESS, getDouble(exact, 0, X_REMAINING_EXCESS));
  exact[X_LEFT] = gainSign(perps, market, delta) * getDouble(exact, 0, X_MOVED);
  leaveRemainder(core, market);
}

/** The part of a unit in X_LEFT stays in the clearing book, until whole units of it go to the rounding book. */
export function leaveRemainder(core: Core, market: number): void {
  const { contractDoubles, exact } = core.perps;
  if (exact[X_LEFT] === 0) return;
  const at = atContract(market);
  const sum = getDouble(contractDoubles, at, CTF_REMAINDER) + (exact[X_LEFT] as number);
  const whole = Math.floor(sum);
  setDouble(contractDoubles, at, CTF_REMAINDER, sum - whole);
  addDouble(contractDoubles, at, CTF_ROUNDED, whole);
}

/** Moves what rounding left in the clearing book to the rounding book, in whole units. */
export function sweepRemainder(core: Core, market: number): void {
  const { perps } = core;
  const isNearlyOne = perps.contractDouble(market, CTF_REMAINDER) > 1 - EXACT_SLACK;
  const whole = perps.contractDouble(market, CTF_ROUNDED);
  const units = isNearlyOne ? whole + 1 : whole;
  if (units <= 0) return;
  perps.setContractDouble(market, CTF_ROUNDED, whole - units);
  const rounding = perps.contract(market, CT_ROUNDING_CELL);
  post(core.views, perps.contract(market, CT_CLEARING_CELL), rounding, units, ROUNDING, 0, market);
}

function addOpenLots(v: Views, market: number, lots: number): void {
  addDouble(v.contractDoubles, atContract(market) & v.contractMask, CTF_OPEN_LOTS, lots);
}

/**
 * Lots leave at a value less an excess: profit, rounded down once, is paid, a loss is taken, margin that covered them
 * comes back. Returns the profit.
 */
export function reducePosition(
  v: Views,
  position: number,
  lots: number,
  value: number,
  excess: number,
  rate: number,
  business: number,
  reference: number,
): number {
  const { core, perps } = v;
  const { exact } = perps;
  const base = atPosition(position) & v.positionMask;
  const symbolMargin = getWord(v.positionWords, base, PO_SYMBOL_MARGIN);
  const at = atSymbolMargin(symbolMargin) & v.symbolMarginMask;
  const market = getWord(v.symbolMarginWords, at, SM_MARKET);
  const marginAccount = getWord(v.symbolMarginWords, at, SM_MARGIN_ACCOUNT);
  const modes = getWord(v.symbolMarginWords, at, SM_FLAGS);
  const held = getDouble(v.positionDoubles, base, POF_LOTS);
  const size = held > 0 ? held : 0 - held;
  assert(lots > 0 && lots <= size && value >= 0, "PERP-10", "a position shrinks by more than it is");
  const sign = gainSign(v, market, held);
  if ((modes & MODE_WATCHED) !== 0) noteClose(core, position, lots, value);
  exact[X_COST] = getDouble(v.positionDoubles, base, POF_COST);
  exact[X_EXCESS] = getDouble(v.positionDoubles, base, POF_EXCESS);
  exact[X_LOTS] = lots;
  exact[X_WHOLE] = size;
  splitCost(exact);
  const part = sign * (getDouble(exact, 0, X_LEAVING_EXCESS) - excess);
  const down = Math.floor(part + EXACT_SLACK);
  const profit = sign * (value - getDouble(exact, 0, X_LEAVING)) + down;
  setDouble(v.positionDoubles, base, POF_LOTS, held > 0 ? held - lots : held + lots);
  setDouble(v.positionDoubles, base, POF_COST, getDouble(exact, 0, X_REMAINING));
  setDouble(v.positionDoubles, base, POF_EXCESS, getDouble(exact, 0, X_REMAINING_EXCESS));
  exact[X_LEFT] = part - down + sign * getDouble(exact, 0, X_MOVED);
  if (exact[X_LEFT] !== 0) leaveRemainder(core, market);
  addDouble(v.positionDoubles, base, POF_REALIZED, profit);
  if (held > 0) addOpenLots(v, market, 0 - lots);
  const margin = getDouble(v.positionDoubles, base, POF_MARGIN);
  if (profit !== 0) settleProfit(v, marginAccount, position, market, profit, business, reference);
  if ((modes & MODE_ISOLATED) !== 0) {
    const locked = marginRemaining(margin, size - lots, size);
    giveBack(core, marginAccount, position, getDouble(v.positionDoubles, base, POF_MARGIN) - locked);
  }
  chargeFee(v, marginAccount, market, value, excess, rate, CLOSE_FEE, reference);
  if (hasReducers(v, at) && getWord(v.symbolMarginWords, at, SM_TOUCHED) === 0) {
    setWord(v.symbolMarginWords, at, SM_TOUCHED, 1);
    perps.touched.push(symbolMargin);
  }
  return profit;
}

/** Whether orders depend on what a symbol margin holds: stops, legs of lists, and those that only reduce. */
function hasReducers(v: Views, at: Begin<"symbolMargin">): boolean {
  const accountMarket = getWord(v.symbolMarginWords, at, SM_ACCOUNT_MARKET);
  return (
    getWord(v.symbolMarginWords, at, SM_STOPS) !== 0 ||
    getWord(v.accountMarkets, atAccountMarket(accountMarket) & v.accountMarketMask, AM_LISTS) !== 0 ||
    getDouble(v.symbolMarginDoubles, at, SMF_REDUCE_BUY) !== 0 ||
    getDouble(v.symbolMarginDoubles, at, SMF_REDUCE_SELL) !== 0
  );
}

/** Reports the position, ends one that is flat, and brings margin up to date. */
export function finishFill(v: Views, position: number, symbolMargin: number, realized: number): void {
  const { core } = v;
  const at = atSymbolMargin(symbolMargin) & v.symbolMarginMask;
  emitPosition(v, position, realized);
  const marginAccount = getWord(v.symbolMarginWords, at, SM_MARGIN_ACCOUNT);
  if (getDouble(v.positionDoubles, atPosition(position) & v.positionMask, POF_LOTS) === 0)
    endPosition(core, position, symbolMargin, marginAccount);
  if (getWord(v.symbolMarginWords, at, SM_STALE) === 0) markStale(core, symbolMargin);
  if (getWord(v.marginAccountWords, atMarginAccount(marginAccount) & v.marginAccountMask, MA_DIRTY) === 0)
    v.perps.markDirty(marginAccount);
}

function endPosition(core: Core, position: number, symbolMargin: number, marginAccount: number): void {
  const { perps } = core;
  unwatch(core, position);
  delistPosition(perps, marginAccount, position);
  perps.setPosition(position, PO_GENERATION, perps.position(position, PO_GENERATION) + 1);
  if ((perps.position(position, PO_FLAGS) & POSITION_SPLIT) !== 0) dropSplit(perps, symbolMargin, position);
}
