// Owns a bracket's exits: armed for what the entry has brought in, fill by fill, and re-armed as it grows.
// Never places or ends the entry.

import { R_LOTS } from "../../book/book.ts";
import {
  atOrder,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  OF_LOTS,
  STP_SHIFT,
  X_ENTRY,
  X_PROFIT,
  X_PROFIT_PRICE,
  X_SLIPPAGE,
  X_SOURCE,
  X_STOP,
  X_STOP_PRICE,
  X_TRIGGER,
  XF_HELD,
  XF_LEFT,
} from "../../book/orders.ts";
import {
  M_STATUS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_DELISTED,
} from "../../market/markets.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import { symbolMarginOf } from "../../perp/margin/exposure.ts";
import { reducible } from "../../perp/order/trim.ts";
import { BUSINESSES, END_REASONS, TRIGGER_SOURCES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { endOrder, holdCell } from "../end/finish.ts";
import { LEG_PROFIT, LEG_STOP } from "../end/list-fills.ts";
import { observePrice } from "../end/prices.ts";
import { addPlan } from "./conditional.ts";
import {
  double,
  emitLeg,
  releaseSurplus,
  setDouble as setListDouble,
  setWord as setListWord,
  stopPlan,
  submitLeg,
  word,
} from "./list-record.ts";

const REASON_SIBLING = END_REASONS.indexOf("LIST_SIBLING");
const BUSINESS_TRADE = BUSINESSES.indexOf("trade");

/** Arms exits for what the entry has brought in and no exit covers yet. */
export function armExits(core: Core, list: number): void {
  const orders = core.books.orderWords;
  const flags = getWord(orders, atOrder(list), O_FLAGS);
  const market = flags >>> 16;
  // Its market may have ended while the list waited for its turn.
  if (core.markets.word(market, M_STATUS) === STATUS_DELISTED) return;
  const step = core.markets.double(market, MF_STEP_UNITS);
  const fresh = Math.floor(double(core, list, XF_LEFT) / step);
  if (fresh < 1 || isTooSmallYet(core, list, market, fresh)) return;
  setListDouble(core, list, XF_LEFT, double(core, list, XF_LEFT) - fresh * step);
  const accountMarket = getWord(orders, atOrder(list), O_ACCOUNT_MARKET);
  const exit = (flags & FLAG_SELL) ^ FLAG_SELL;
  // On a perpetual market an exit only ever closes what its entry opened.
  const closes = core.perps.isPerp(market) ? FLAG_REDUCE_ONLY : 0;
  // An entry that only took off what was held the other way has opened nothing.
  if (closes !== 0 && reducible(core, symbolMarginOf(core, accountMarket), exit) === 0) return;
  const exitFlags = exit | (flags & (7 << STP_SHIFT)) | closes;
  // Exits already waiting give way to exits for the whole, at the back of their queue.
  const lots = fresh + withdrawExits(core, list);
  const trigger = word(core, list, X_TRIGGER);
  const profit = word(core, list, X_PROFIT_PRICE);
  if (profit !== 0) {
    core.books.registers[R_LOTS] = lots;
    // A refused exit is reported and given up; the stop then protects alone.
    if (!submitLeg(core, accountMarket, market, exitFlags, profit, list, LEG_PROFIT))
      setListWord(core, list, X_PROFIT_PRICE, 0);
  }
  if (trigger !== 0)
    armStop(core, list, accountMarket, market, exitFlags, lots, word(core, list, X_PROFIT_PRICE) === 0);
}

/** While the entry is still working, fills too small for an order of their own are gathered. */
function isTooSmallYet(core: Core, list: number, market: number, fresh: number): boolean {
  if (word(core, list, X_ENTRY) === 0) return false;
  const one = word(core, list, X_PROFIT) !== 0 ? word(core, list, X_PROFIT) : word(core, list, X_STOP);
  const lots = fresh + (one === 0 ? 0 : getDouble(core.books.orderDoubles, atOrder(one), OF_LOTS));
  const prices = [word(core, list, X_PROFIT_PRICE), word(core, list, X_TRIGGER)].filter((ticks) => ticks !== 0);
  const notional = Math.min(...prices) * lots * core.markets.double(market, MF_TICK_LOT_UNITS);
  return lots < core.markets.double(market, MF_MIN_LOTS) || notional < core.markets.double(market, MF_MIN_NOTIONAL);
}

/** Takes back the exits that wait, which their list then forgets; returns the lots they covered. */
function withdrawExits(core: Core, list: number): number {
  const stop = word(core, list, X_STOP);
  const profit = word(core, list, X_PROFIT);
  const one = profit !== 0 ? profit : stop;
  if (one === 0) return 0;
  const lots = getDouble(core.books.orderDoubles, atOrder(one), OF_LOTS);
  endOrder(core, stop, REASON_SIBLING);
  endOrder(core, profit, REASON_SIBLING);
  releaseSurplus(core, list);
  return lots;
}

function armStop(
  core: Core,
  list: number,
  accountMarket: number,
  market: number,
  exitFlags: number,
  lots: number,
  alone: boolean,
): void {
  const trigger = word(core, list, X_TRIGGER);
  const stopPrice = word(core, list, X_STOP_PRICE);
  const sell = (exitFlags & FLAG_SELL) !== 0;
  const flags = stopPrice !== 0 ? exitFlags : exitFlags | FLAG_MARKET;
  const source = word(core, list, X_SOURCE);
  const plan = stopPlan(list, sell, source, trigger, stopPrice, word(core, list, X_SLIPPAGE));
  core.books.registers[R_LOTS] = lots;
  if (alone) freezeAlone(core, list, accountMarket, market, flags, lots);
  const stop = addPlan(core, accountMarket, market, flags, stopPrice, plan);
  setListWord(core, list, X_STOP, stop);
  emitLeg(core, list, LEG_STOP, core.books.orders.id(stop));
  // It may be due at once.
  for (let each = 0; each < TRIGGER_SOURCES.length; each++) observePrice(core, market, each);
}

/** A stop that is the only exit protects what came in, as far as it is still there. */
function freezeAlone(
  core: Core,
  list: number,
  accountMarket: number,
  market: number,
  flags: number,
  lots: number,
): void {
  if ((flags & FLAG_SELL) === 0 || core.perps.isPerp(market)) return;
  const cell = holdCell(core, accountMarket, flags);
  const units = Math.min(core.ledger.available(cell), lots * core.markets.double(market, MF_STEP_UNITS));
  if (units === 0) return;
  core.ledger.freeze(cell, units);
  setListDouble(core, list, XF_HELD, units);
  core.emitFrozen(BUSINESS_TRADE, cell, units, core.books.orders.id(list));
}
