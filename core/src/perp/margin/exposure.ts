// Owns what open orders ask of a symbol margin: value and lots by side, lots that may only reduce, and the margin that
// follows. An order adds to its symbol margin from acceptance to its end, lot by lot; nothing is frozen for it. Never
// moves money.

import { assert } from "@clockwork/kit/assert";
import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../../book/orders.ts";
import { AM_SYMBOL_MARGIN, AM_TAKER_RATE, atAccountMarket } from "../../market/account-markets.ts";
import { atMarket, M_MARK } from "../../market/markets.ts";
import { addDouble, type Double, getDouble, getWord, setDouble, setWord } from "../../memory/record.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import type { Views } from "../../state/views.ts";
import {
  atContract,
  atMarginAccount,
  atPosition,
  atSymbolMargin,
  CT_KIND,
  CTF_FACTOR,
  MA_STALE,
  MAF_REQUIRED,
  MODE_HEDGE,
  MODE_HOUSE,
  MODE_ISOLATED,
  POF_COST,
  POF_LOTS,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_MARKET,
  SM_SHORT,
  SM_STALE,
  SMF_BUY_LOTS,
  SMF_BUY_VALUE,
  SMF_REDUCE_BUY,
  SMF_REQUIRED,
  SMF_SELL_LOTS,
  SMF_SELL_VALUE,
} from "../state/records.ts";
import { initialMargin, worthOfLotCeil } from "../state/values.ts";

const LINEAR = 1;
/** From a symbol margin's buys to its sells, in doubles. */
const SELLS = SMF_SELL_VALUE - SMF_BUY_VALUE;

export function symbolMarginOf(core: Core, accountMarket: number): number {
  return getWord(core.accountMarkets.words, atAccountMarket(accountMarket), AM_SYMBOL_MARGIN);
}

/** Adds lots of an order, or, negative, takes them off. */
export function addExposure(
  v: Views,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  lots: number,
): void {
  const { perps, symbolMarginDoubles: sums } = v;
  const symbolMargin = getWord(
    v.accountMarkets,
    atAccountMarket(accountMarket) & v.accountMarketMask,
    AM_SYMBOL_MARGIN,
  );
  const at = atSymbolMargin(symbolMargin) & v.symbolMarginMask;
  const sell = flags & FLAG_SELL;
  if ((flags & FLAG_REDUCE_ONLY) !== 0) {
    const reducing: Double<"symbolMargin"> = SMF_REDUCE_BUY + sell;
    addDouble(sums, at, reducing, lots);
    assert(getDouble(sums, at, reducing) >= 0, "PERP-12", "reducing orders of less than nothing");
    return;
  }
  const value: Double<"symbolMargin"> = SMF_BUY_VALUE + sell * SELLS;
  const count: Double<"symbolMargin"> = SMF_BUY_LOTS + sell * SELLS;
  const contractAt = atContract(market) & v.contractMask;
  const one =
    getWord(v.contractWords, contractAt, CT_KIND) === LINEAR
      ? price * getDouble(v.contractDoubles, contractAt, CTF_FACTOR)
      : worthOfLotCeil(perps, market, price);
  addDouble(sums, at, value, lots * one);
  addDouble(sums, at, count, lots);
  assert(
    getDouble(sums, at, value) >= 0 && getDouble(sums, at, count) >= 0,
    "PERP-12",
    "open orders of less than nothing",
  );
  if (getWord(v.symbolMarginWords, at, SM_STALE) === 0) markStale(v.core, symbolMargin);
}

/**
 * Notes that what a symbol margin asks has changed. One of a margin account waits, the one that changed last: what it
 * asks is measured whenever somebody wants to know. The one that waited before is measured now, at the mark of now.
 */
export function markStale(core: Core, symbolMargin: number): void {
  const { perps } = core;
  const at = atSymbolMargin(symbolMargin);
  const words = perps.symbolMarginWords;
  if (getWord(words, at, SM_STALE) !== 0) return;
  setWord(words, at, SM_STALE, 1);
  const marginAccount = getWord(words, at, SM_MARGIN_ACCOUNT);
  const head = atMarginAccount(marginAccount) | MA_STALE;
  const waiting = perps.marginAccountWords[head] as number;
  perps.marginAccountWords[head] = symbolMargin;
  if (waiting === 0) return;
  measureSymbolMargin(core, marginAccount, waiting);
  setWord(words, atSymbolMargin(waiting), SM_STALE, 0);
}

/** Margin all symbol margins of a margin account ask, the waiting one at the mark of now. */
export function requiredOf(core: Core, marginAccount: number): number {
  const { perps } = core;
  const sum = getDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_REQUIRED);
  const waiting = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_STALE);
  if (waiting === 0) return sum;
  return (
    sum + requestedNow(core, waiting) - getDouble(perps.symbolMarginDoubles, atSymbolMargin(waiting), SMF_REQUIRED)
  );
}

/** What a symbol margin counts for in the sum above. */
export function requestedOf(core: Core, symbolMargin: number): number {
  if (getWord(core.perps.symbolMarginWords, atSymbolMargin(symbolMargin), SM_STALE) !== 0)
    return requestedNow(core, symbolMargin);
  return getDouble(core.perps.symbolMarginDoubles, atSymbolMargin(symbolMargin), SMF_REQUIRED);
}

/** Margin a symbol margin asks at the mark of now. */
export function requestedNow(core: Core, symbolMargin: number): number {
  const f64 = core.perps.symbolMarginDoubles;
  const base = atSymbolMargin(symbolMargin);
  return marginRequired(
    core,
    symbolMargin,
    getDouble(f64, base, SMF_BUY_VALUE),
    getDouble(f64, base, SMF_BUY_LOTS),
    getDouble(f64, base, SMF_SELL_VALUE),
    getDouble(f64, base, SMF_SELL_LOTS),
  );
}

function measureSymbolMargin(core: Core, marginAccount: number, symbolMargin: number): void {
  const { perps } = core;
  const base = atSymbolMargin(symbolMargin);
  const before = getDouble(perps.symbolMarginDoubles, base, SMF_REQUIRED);
  const required = requestedNow(core, symbolMargin);
  setDouble(perps.symbolMarginDoubles, base, SMF_REQUIRED, required);
  addDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_REQUIRED, required - before);
}

/**
 * Margin a symbol margin asks with the given open orders: the initial margin of the larger of both ways, the taker fee
 * on what would open and the loss orders would open with. An isolated position's own margin is paid already.
 */
export function marginRequired(
  core: Core,
  symbolMargin: number,
  buyValue: number,
  buyLots: number,
  sellValue: number,
  sellLots: number,
): number {
  const { perps } = core;
  const words = perps.symbolMarginWords;
  const base = atSymbolMargin(symbolMargin);
  const flags = getWord(words, base, SM_FLAGS);
  if ((flags & MODE_HOUSE) !== 0) return 0;
  const market = getWord(words, base, SM_MARKET);
  const isolated = (flags & MODE_ISOLATED) !== 0;
  const positions = perps.positionDoubles;
  const long = atPosition(getWord(words, base, SM_LONG));
  const longCost = getDouble(positions, long, POF_COST);
  const leverage = getWord(words, base, SM_LEVERAGE_LONG);
  let margin: number;
  let growth: number;
  if ((flags & MODE_HEDGE) !== 0) {
    const shortCost = getDouble(positions, atPosition(getWord(words, base, SM_SHORT)), POF_COST);
    const shortLeverage = getWord(words, base, SM_LEVERAGE_SHORT);
    margin =
      initialMargin(isolated ? buyValue : longCost + buyValue, leverage) +
      initialMargin(isolated ? sellValue : shortCost + sellValue, shortLeverage);
    growth = buyValue + sellValue;
  } else {
    const lots = getDouble(positions, long, POF_LOTS);
    const signed = lots < 0 ? 0 - longCost : longCost;
    const up = Math.abs(signed + buyValue);
    const down = Math.abs(signed - sellValue);
    const most = up > down ? up : down;
    margin = initialMargin(most, leverage);
    growth = most > longCost ? most - longCost : 0;
    if (isolated) {
      const paid = initialMargin(longCost, leverage);
      margin = margin > paid ? margin - paid : 0;
    }
  }
  if (growth === 0) return margin;
  const rate = getWord(
    core.accountMarkets.words,
    atAccountMarket(getWord(words, base, SM_ACCOUNT_MARKET)),
    AM_TAKER_RATE,
  );
  return margin + feeCeil(growth, rate) + openLoss(core, market, buyValue, buyLots, sellValue, sellLots);
}

/** What buys above and sells below the mark would lose at once. For inverse contracts the coin's side turns. */
export function openLoss(
  core: Core,
  market: number,
  buyValue: number,
  buyLots: number,
  sellValue: number,
  sellLots: number,
): number {
  const mark = getWord(core.markets.words, atMarket(market), M_MARK);
  if (mark === 0) return 0;
  const one = worthOfLotCeil(core.perps, market, mark);
  const sign = core.perps.isInverse(market) ? -1 : 1;
  const buys = sign * (buyValue - buyLots * one);
  const sells = sign * (sellLots * one - sellValue);
  return (buys > 0 ? buys : 0) + (sells > 0 ? sells : 0);
}
