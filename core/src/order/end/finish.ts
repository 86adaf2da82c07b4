// Owns the end of an order's life: what it still holds goes back, its places in queues, open orders and timers are
// given up, and the end is reported. Never decides that an order should end.
import { assert } from "@clockwork/kit/assert";
import { hiddenLots, levelLots, removeOrder } from "../../book/book.ts";
import {
  EXTRA_DOUBLE_SHIFT,
  EXTRA_SHIFT,
  FLAG_CONDITIONAL,
  FLAG_ICEBERG,
  FLAG_RESTING,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_OPEN_PLACE,
  O_PRICE,
  OF_LOTS,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  X_ENTRY,
  X_LEG,
  X_LIST,
  XF_HELD,
} from "../../book/orders.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_ACCOUNT,
  AM_BASE_CELL,
  AM_CONDITIONALS,
  AM_QUOTE_CELL,
  AM_RESTING,
} from "../../market/account-markets.ts";
import { MARKET_DOUBLE_SHIFT, MF_HOLD_BASE, MF_HOLD_QUOTE } from "../../market/markets.ts";
import { isDemo, unlinkDemo } from "../../perp/margin/demo-orders.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { noteStopEnd } from "../../perp/margin/lead.ts";
import { EVENTS } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";

const KIND_ENDED = EVENTS.orderEnded.kind;
/** Copies of a stop that ends so see to it themselves: another takes its place, or there is no position any more. */
const SEEN_TO: readonly number[] = [END_REASONS.indexOf("AMEND_REPLACED"), END_REASONS.indexOf("POSITION_CLOSED")];

/** The cell an order's money is frozen in. */
export function holdCell(core: Core, accountMarket: number, flags: number): number {
  return core.accountMarkets.words[
    (accountMarket << ACCOUNT_MARKET_SHIFT) + ((flags & FLAG_SELL) !== 0 ? AM_BASE_CELL : AM_QUOTE_CELL)
  ] as number;
}

/** Units frozen for `lots` of an order at a price. */
export function holdUnits(core: Core, market: number, flags: number, price: number, lots: number): number {
  const f64 = core.markets.doubles;
  if ((flags & FLAG_SELL) !== 0) return lots * (f64[(market << MARKET_DOUBLE_SHIFT) | MF_HOLD_BASE] as number);
  return price * lots * (f64[(market << MARKET_DOUBLE_SHIFT) | MF_HOLD_QUOTE] as number);
}

/** What an order set aside beyond price × lots, such as a fee reserve. */
export function heldBeyond(core: Core, slot: number): number {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  return extra === 0 ? 0 : (core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HELD] as number);
}

/** Ends a resting order: out of the book, money back, told. */
export function endResting(core: Core, slot: number, reason: number): void {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  const flags = orders[base | O_FLAGS] as number;
  const market = flags >>> 16;
  if (isDemo(core, market)) {
    unlinkDemo(core, slot);
    endOffBook(core, slot, reason);
    return;
  }
  const level = orders[base | O_LEVEL] as number;
  const price = orders[base | O_PRICE] as number;
  removeOrder(core.books, market, slot);
  const lots = levelLots(core.books, level);
  endOffBook(core, slot, reason);
  core.emitDepth(market, flags & FLAG_SELL, price, lots);
}

/** Ends an order that is already out of its queue but still among the open orders. */
export function endOffBook(core: Core, slot: number, reason: number): void {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  const flags = orders[base | O_FLAGS] as number;
  const accountMarket = orders[base | O_ACCOUNT_MARKET] as number;
  let lots = core.books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
  if ((flags & FLAG_ICEBERG) !== 0) lots += hiddenLots(core.books, slot);
  let units = holdUnits(core, flags >>> 16, flags, orders[base | O_PRICE] as number, lots);
  if (orders[base | O_EXTRA] !== 0) units += heldBeyond(core, slot);
  assert(lots >= 0 && units >= 0, "ORDER-32", "an order ends with less than nothing left");
  const cell = holdCell(core, accountMarket, flags);
  if (core.perps.isPerp(flags >>> 16))
    addExposure(core, accountMarket, flags >>> 16, flags, orders[base | O_PRICE] as number, 0 - lots);
  else core.ledger.unfreeze(cell, units);
  core.emitOrder(
    KIND_ENDED,
    reason,
    slot,
    core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    cell,
    lots,
    units,
  );
  leaveBook(core, slot, accountMarket);
}

/** Gives up the open orders place, the timer and the slot of an order that rested. */
export function leaveBook(core: Core, slot: number, accountMarket: number): void {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  core.accountMarkets.removeOpenOrder(accountMarket, orders[base | O_OPEN_PLACE] as number);
  core.accountMarkets.bump(accountMarket, AM_RESTING, -1);
  if (orders[base | O_EXTRA] !== 0) leaveExtra(core, slot);
  core.books.orders.give(slot);
}

/** Timer and list ties of an order that is about to lose its slot. */
export function leaveExtra(core: Core, slot: number): void {
  core.timers.remove(slot);
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  const extras = core.books.orders.extras.i32;
  const list = extras[(extra << EXTRA_SHIFT) | X_LIST] as number;
  if (list === 0) return;
  // The slot may be someone else's before the list is worked off, so the list forgets it now.
  const listExtra = core.books.orderWords[(list << ORDER_SHIFT) | O_EXTRA] as number;
  extras[((listExtra << EXTRA_SHIFT) | X_ENTRY) + (extras[(extra << EXTRA_SHIFT) | X_LEG] as number)] = 0;
  core.touchedLists.push(list);
}

/** Units a waiting conditional order has frozen: base of a sell that stands alone, nothing else. */
export function conditionalHold(core: Core, slot: number): number {
  const orders = core.books.orderWords;
  const flags = orders[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  const extra = orders[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  if ((flags & FLAG_SELL) === 0 || core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_LIST] !== 0) return 0;
  const lots = core.books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
  return lots * core.markets.double(flags >>> 16, MF_HOLD_BASE);
}

/** Ends a waiting conditional order. */
export function endConditional(core: Core, slot: number, reason: number): void {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  const flags = orders[base | O_FLAGS] as number;
  const accountMarket = orders[base | O_ACCOUNT_MARKET] as number;
  core.triggers.remove(flags >>> 16, slot);
  if (core.perps.isPerp(flags >>> 16) && !SEEN_TO.includes(reason)) noteStopEnd(core, slot);
  const units = conditionalHold(core, slot);
  const cell = holdCell(core, accountMarket, flags);
  if (units !== 0) core.ledger.unfreeze(cell, units);
  const lots = core.books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
  core.emitOrder(KIND_ENDED, reason, slot, core.accountMarkets.word(accountMarket, AM_ACCOUNT), cell, lots, units);
  leaveTriggers(core, slot, accountMarket);
}

export function leaveTriggers(core: Core, slot: number, accountMarket: number): void {
  core.accountMarkets.removeOpenOrder(
    accountMarket,
    core.books.orderWords[(slot << ORDER_SHIFT) | O_OPEN_PLACE] as number,
  );
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  leaveExtra(core, slot);
  core.books.orders.give(slot);
}

/** Ends whatever kind of order a slot holds, and nothing where there is none; its list forgets it. */
export function endOrder(core: Core, slot: number, reason: number): void {
  const flags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  if ((flags & FLAG_CONDITIONAL) !== 0) endConditional(core, slot, reason);
  else if ((flags & FLAG_RESTING) !== 0) endResting(core, slot, reason);
}
