// Owns what open orders ask of a stand: value and lots by side, lots that may only reduce, and the margin that follows.
// An order leans on its stand from acceptance to its end, lot by lot; nothing is frozen for it. Never moves money.
import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../../book/orders.ts";
import { SE_PERP, SE_TAKER_RATE, SEAT_SHIFT } from "../../market/account-markets.ts";
import { M_MARK, MARKET_SHIFT } from "../../market/markets.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import {
  POF_COST,
  POF_LOTS,
  POSITION_DOUBLE_SHIFT,
  PU_STALE,
  PUF_REQUIRED,
  PURSE_DOUBLE_SHIFT,
  PURSE_SHIFT,
  ST_FLAGS,
  ST_LEVERAGE_LONG,
  ST_LEVERAGE_SHORT,
  ST_LONG,
  ST_MARKET,
  ST_PURSE,
  ST_SEAT,
  ST_SHORT,
  ST_STALE,
  STAND_DOUBLE_SHIFT,
  STAND_HEDGE,
  STAND_HOUSE,
  STAND_ISOLATED,
  STAND_SHIFT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_REDUCE_BUY,
  STF_REDUCE_SELL,
  STF_REQUIRED,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "../state/records.ts";
import { initialMargin, worthOfLotCeil } from "../state/values.ts";

export function standOf(core: Core, seat: number): number {
  return core.seats.words[(seat << SEAT_SHIFT) | SE_PERP] as number;
}

/** Adds lots of an order, or, negative, takes them off. */
export function leanOrder(core: Core, seat: number, market: number, flags: number, price: number, lots: number): void {
  const { perps } = core;
  const stand = standOf(core, seat);
  const f64 = perps.standDoubles;
  const base = stand << STAND_DOUBLE_SHIFT;
  const sells = (flags & FLAG_SELL) !== 0;
  if ((flags & FLAG_REDUCE_ONLY) !== 0) {
    const at = base + (sells ? STF_REDUCE_SELL : STF_REDUCE_BUY);
    f64[at] = (f64[at] as number) + lots;
    return;
  }
  const value = base + (sells ? STF_SELL_VALUE : STF_BUY_VALUE);
  f64[value] = (f64[value] as number) + lots * worthOfLotCeil(perps, market, price);
  const count = base + (sells ? STF_SELL_LOTS : STF_BUY_LOTS);
  f64[count] = (f64[count] as number) + lots;
  soilStand(core, stand);
}

/**
 * Notes that what a stand asks has changed. One stand of a purse waits, the one that changed last: what it asks is
 * measured whenever somebody wants to know. The one that waited before is measured now, at the mark of now.
 */
export function soilStand(core: Core, stand: number): void {
  const { perps } = core;
  const at = stand << STAND_SHIFT;
  const words = perps.standWords;
  if (words[at | ST_STALE] !== 0) return;
  words[at | ST_STALE] = 1;
  const purse = words[at | ST_PURSE] as number;
  const head = (purse << PURSE_SHIFT) | PU_STALE;
  const waiting = perps.purseWords[head] as number;
  perps.purseWords[head] = stand;
  if (waiting === 0) return;
  measureStand(core, purse, waiting);
  words[(waiting << STAND_SHIFT) | ST_STALE] = 0;
}

/** Margin all stands of a purse ask, the waiting one at the mark of now. */
export function requiredOf(core: Core, purse: number): number {
  const { perps } = core;
  const sum = perps.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_REQUIRED] as number;
  const waiting = perps.purseWords[(purse << PURSE_SHIFT) | PU_STALE] as number;
  if (waiting === 0) return sum;
  return sum + askedNow(core, waiting) - (perps.standDoubles[(waiting << STAND_DOUBLE_SHIFT) | STF_REQUIRED] as number);
}

/** What a stand counts for in the sum above. */
export function askedOf(core: Core, stand: number): number {
  if (core.perps.standWords[(stand << STAND_SHIFT) | ST_STALE] !== 0) return askedNow(core, stand);
  return core.perps.standDoubles[(stand << STAND_DOUBLE_SHIFT) | STF_REQUIRED] as number;
}

/** Margin a stand asks at the mark of now. */
export function askedNow(core: Core, stand: number): number {
  const f64 = core.perps.standDoubles;
  const base = stand << STAND_DOUBLE_SHIFT;
  return marginAsked(
    core,
    stand,
    f64[base | STF_BUY_VALUE] as number,
    f64[base | STF_BUY_LOTS] as number,
    f64[base | STF_SELL_VALUE] as number,
    f64[base | STF_SELL_LOTS] as number,
  );
}

function measureStand(core: Core, purse: number, stand: number): void {
  const { perps } = core;
  const base = stand << STAND_DOUBLE_SHIFT;
  const before = perps.standDoubles[base | STF_REQUIRED] as number;
  const required = askedNow(core, stand);
  perps.standDoubles[base | STF_REQUIRED] = required;
  const sum = (purse << PURSE_DOUBLE_SHIFT) | PUF_REQUIRED;
  perps.purseDoubles[sum] = (perps.purseDoubles[sum] as number) + required - before;
}

/**
 * Margin a stand asks with the given open orders: the initial margin of the larger of both ways, the taker fee on what
 * would open and the loss orders would open with. An isolated position's own margin is paid already.
 */
export function marginAsked(
  core: Core,
  stand: number,
  buyValue: number,
  buyLots: number,
  sellValue: number,
  sellLots: number,
): number {
  const { perps } = core;
  const words = perps.standWords;
  const base = stand << STAND_SHIFT;
  const flags = words[base | ST_FLAGS] as number;
  if ((flags & STAND_HOUSE) !== 0) return 0;
  const market = words[base | ST_MARKET] as number;
  const isolated = (flags & STAND_ISOLATED) !== 0;
  const positions = perps.positionDoubles;
  const long = (words[base | ST_LONG] as number) << POSITION_DOUBLE_SHIFT;
  const longCost = positions[long + POF_COST] as number;
  const leverage = words[base | ST_LEVERAGE_LONG] as number;
  let margin: number;
  let growth: number;
  if ((flags & STAND_HEDGE) !== 0) {
    const shortCost = positions[((words[base | ST_SHORT] as number) << POSITION_DOUBLE_SHIFT) + POF_COST] as number;
    const shortLeverage = words[base | ST_LEVERAGE_SHORT] as number;
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
  const rate = core.seats.words[((words[base | ST_SEAT] as number) << SEAT_SHIFT) | SE_TAKER_RATE] as number;
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
