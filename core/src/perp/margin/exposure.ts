// Owns what open orders ask of a symbol margin: value and lots by side, lots that may only reduce, and the margin that
// follows. An order adds to its symbol margin from acceptance to its end, lot by lot; nothing is frozen for it. Never
// moves money.
import { assert } from "@clockwork/kit/assert";
import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../../book/orders.ts";
import { ACCOUNT_MARKET_SHIFT, AM_SYMBOL_MARGIN, AM_TAKER_RATE } from "../../market/account-markets.ts";
import { M_MARK, MARKET_SHIFT } from "../../market/markets.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import {
  MA_STALE,
  MAF_REQUIRED,
  MARGIN_ACCOUNT_DOUBLE_SHIFT,
  MARGIN_ACCOUNT_SHIFT,
  MODE_HEDGE,
  MODE_HOUSE,
  MODE_ISOLATED,
  POF_COST,
  POF_LOTS,
  POSITION_DOUBLE_SHIFT,
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
  SMF_REDUCE_SELL,
  SMF_REQUIRED,
  SMF_SELL_LOTS,
  SMF_SELL_VALUE,
  SYMBOL_MARGIN_DOUBLE_SHIFT,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";
import { initialMargin, worthOfLotCeil } from "../state/values.ts";

export function symbolMarginOf(core: Core, accountMarket: number): number {
  return core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_SYMBOL_MARGIN] as number;
}

/** Adds lots of an order, or, negative, takes them off. */
export function addExposure(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  lots: number,
): void {
  const { perps } = core;
  const symbolMargin = symbolMarginOf(core, accountMarket);
  const f64 = perps.symbolMarginDoubles;
  const base = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
  const sells = (flags & FLAG_SELL) !== 0;
  if ((flags & FLAG_REDUCE_ONLY) !== 0) {
    const at = base + (sells ? SMF_REDUCE_SELL : SMF_REDUCE_BUY);
    f64[at] = (f64[at] as number) + lots;
    assert((f64[at] as number) >= 0, "PERP-12", "reducing orders of less than nothing");
    return;
  }
  const value = base + (sells ? SMF_SELL_VALUE : SMF_BUY_VALUE);
  f64[value] = (f64[value] as number) + lots * worthOfLotCeil(perps, market, price);
  const count = base + (sells ? SMF_SELL_LOTS : SMF_BUY_LOTS);
  f64[count] = (f64[count] as number) + lots;
  assert((f64[value] as number) >= 0 && (f64[count] as number) >= 0, "PERP-12", "open orders of less than nothing");
  markStale(core, symbolMargin);
}

/**
 * Notes that what a symbol margin asks has changed. One of a margin account waits, the one that changed last: what it
 * asks is measured whenever somebody wants to know. The one that waited before is measured now, at the mark of now.
 */
export function markStale(core: Core, symbolMargin: number): void {
  const { perps } = core;
  const at = symbolMargin << SYMBOL_MARGIN_SHIFT;
  const words = perps.symbolMarginWords;
  if (words[at | SM_STALE] !== 0) return;
  words[at | SM_STALE] = 1;
  const marginAccount = words[at | SM_MARGIN_ACCOUNT] as number;
  const head = (marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_STALE;
  const waiting = perps.marginAccountWords[head] as number;
  perps.marginAccountWords[head] = symbolMargin;
  if (waiting === 0) return;
  measureSymbolMargin(core, marginAccount, waiting);
  words[(waiting << SYMBOL_MARGIN_SHIFT) | SM_STALE] = 0;
}

/** Margin all symbol margins of a margin account ask, the waiting one at the mark of now. */
export function requiredOf(core: Core, marginAccount: number): number {
  const { perps } = core;
  const sum = perps.marginAccountDoubles[(marginAccount << MARGIN_ACCOUNT_DOUBLE_SHIFT) | MAF_REQUIRED] as number;
  const waiting = perps.marginAccountWords[(marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_STALE] as number;
  if (waiting === 0) return sum;
  return (
    sum +
    askedNow(core, waiting) -
    (perps.symbolMarginDoubles[(waiting << SYMBOL_MARGIN_DOUBLE_SHIFT) | SMF_REQUIRED] as number)
  );
}

/** What a symbol margin counts for in the sum above. */
export function askedOf(core: Core, symbolMargin: number): number {
  if (core.perps.symbolMarginWords[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_STALE] !== 0)
    return askedNow(core, symbolMargin);
  return core.perps.symbolMarginDoubles[(symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT) | SMF_REQUIRED] as number;
}

/** Margin a symbol margin asks at the mark of now. */
export function askedNow(core: Core, symbolMargin: number): number {
  const f64 = core.perps.symbolMarginDoubles;
  const base = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
  return marginAsked(
    core,
    symbolMargin,
    f64[base | SMF_BUY_VALUE] as number,
    f64[base | SMF_BUY_LOTS] as number,
    f64[base | SMF_SELL_VALUE] as number,
    f64[base | SMF_SELL_LOTS] as number,
  );
}

function measureSymbolMargin(core: Core, marginAccount: number, symbolMargin: number): void {
  const { perps } = core;
  const base = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
  const before = perps.symbolMarginDoubles[base | SMF_REQUIRED] as number;
  const required = askedNow(core, symbolMargin);
  perps.symbolMarginDoubles[base | SMF_REQUIRED] = required;
  const sum = (marginAccount << MARGIN_ACCOUNT_DOUBLE_SHIFT) | MAF_REQUIRED;
  perps.marginAccountDoubles[sum] = (perps.marginAccountDoubles[sum] as number) + required - before;
}

/**
 * Margin a symbol margin asks with the given open orders: the initial margin of the larger of both ways, the taker fee
 * on what would open and the loss orders would open with. An isolated position's own margin is paid already.
 */
export function marginAsked(
  core: Core,
  symbolMargin: number,
  buyValue: number,
  buyLots: number,
  sellValue: number,
  sellLots: number,
): number {
  const { perps } = core;
  const words = perps.symbolMarginWords;
  const base = symbolMargin << SYMBOL_MARGIN_SHIFT;
  const flags = words[base | SM_FLAGS] as number;
  if ((flags & MODE_HOUSE) !== 0) return 0;
  const market = words[base | SM_MARKET] as number;
  const isolated = (flags & MODE_ISOLATED) !== 0;
  const positions = perps.positionDoubles;
  const long = (words[base | SM_LONG] as number) << POSITION_DOUBLE_SHIFT;
  const longCost = positions[long + POF_COST] as number;
  const leverage = words[base | SM_LEVERAGE_LONG] as number;
  let margin: number;
  let growth: number;
  if ((flags & MODE_HEDGE) !== 0) {
    const shortCost = positions[((words[base | SM_SHORT] as number) << POSITION_DOUBLE_SHIFT) + POF_COST] as number;
    const shortLeverage = words[base | SM_LEVERAGE_SHORT] as number;
    margin =
      initialMargin(isolated ? buyValue : longCost + buyValue, leverage) +
      initialMargin(isolated ? sellValue : shortCost + sellValue, shortLeverage);
    growth = buyValue + sellValue;
  } else {
    const lots = positions[long + POF_LOTS] as number;
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
  const rate = core.accountMarkets.words[
    ((words[base | SM_ACCOUNT_MARKET] as number) << ACCOUNT_MARKET_SHIFT) | AM_TAKER_RATE
  ] as number;
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
  const mark = core.markets.words[(market << MARKET_SHIFT) | M_MARK] as number;
  if (mark === 0) return 0;
  const one = worthOfLotCeil(core.perps, market, mark);
  const sign = core.perps.isInverse(market) ? -1 : 1;
  const buys = sign * (buyValue - buyLots * one);
  const sells = sign * (sellLots * one - sellValue);
  return (buys > 0 ? buys : 0) + (sells > 0 ? sells : 0);
}
