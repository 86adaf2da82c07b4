// Owns the end of an order's life: what it still holds goes back, its places in queues, open orders and timers are
// given up, and the end is reported. Never decides that an order should end.

import { assert } from "@clockwork/kit/assert";
import { hiddenLots, levelLots, removeOrder } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  FLAG_CONDITIONAL,
  FLAG_ICEBERG,
  FLAG_RESTING,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_LEVEL,
  O_OPEN_PLACE,
  O_PRICE,
  OF_LOTS,
  X_ENTRY,
  X_LEG,
  X_LIST,
  XF_HELD,
} from "../../book/orders.ts";
import { unfreeze } from "../../ledger/ledger.ts";
import {
  AM_ACCOUNT,
  AM_CONDITIONALS,
  AM_OPEN_HOLE,
  AM_OPEN_ORDERS,
  AM_QUOTE_CELL,
  AM_RESTING,
  atAccountMarket,
  OPEN_ORDERS_SHIFT,
} from "../../market/account-markets.ts";
import { atMarket, KIND_SPOT, M_KIND, MF_HOLD_BASE, MF_HOLD_QUOTE } from "../../market/markets.ts";
import { addWord, type Begin, type Doubles, getDouble, getWord, setWord, type Word } from "../../memory/record.ts";
import { isDemo, unlinkDemo } from "../../perp/margin/demo-orders.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { noteStopEnd } from "../../perp/margin/lead.ts";
import { EVENTS } from "../../protocol/event.ts";
import { BUSINESSES, END_REASONS } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { enter } from "../../state/paths.ts";
import { type Views, writeDepth, writeOrder } from "../../state/views.ts";

const TRADE = BUSINESSES.indexOf("trade");
const KIND_ENDED = EVENTS.orderEnded.kind;
/** Copies of a stop that ends so see to it themselves: another takes its place, or there is no position any more. */
const SEEN_TO: readonly number[] = [END_REASONS.indexOf("AMEND_REPLACED"), END_REASONS.indexOf("POSITION_CLOSED")];

/** The cell an order's money is frozen in. */
export function holdCell(core: Core, accountMarket: number, flags: number): number {
  return getWord(core.accountMarkets.words, atAccountMarket(accountMarket), holdMember(flags));
}

/** Sides are as good as drawn by lot: what differs between them is computed, because a branch would be guessed wrong. */
function holdMember(flags: number): Word<"accountMarket"> {
  return AM_QUOTE_CELL - (flags & FLAG_SELL);
}

/** Units frozen for `lots` of an order at a price: base of a sell, quote of a buy, nothing on a perpetual. */
export function holdUnits(core: Core, market: number, flags: number, price: number, lots: number): number {
  return unitsOf(core.markets.doubles, atMarket(market), flags & FLAG_SELL, price, lots);
}

export function unitsOf(sizes: Doubles<"market">, at: Begin<"market">, sell: number, price: number, lots: number) {
  const perTick = price - ((price - 1) & (0 - sell));
  return lots * getDouble(sizes, at, MF_HOLD_QUOTE - sell) * perTick;
}

/** Gives back what lots of an order hold: units of spot, margin of a perpetual. */
export function releaseHold(
  v: Views,
  accountMarket: number,
  flags: number,
  price: number,
  lots: number,
  units: number,
): void {
  const market = flags >>> 16;
  if (isPerp(v, market)) {
    addExposure(v, accountMarket, market, flags, price, 0 - lots);
    return;
  }
  const cell = getWord(v.accountMarkets, atAccountMarket(accountMarket) & v.accountMarketMask, holdMember(flags));
  unfreeze(v, cell, units);
}

export function isPerp(v: Views, market: number): boolean {
  return getWord(v.limits, atMarket(market) & v.marketMask, M_KIND) !== KIND_SPOT;
}

/** What an order set aside beyond price × lots, such as a fee reserve. */
export function heldBeyond(core: Core, slot: number): number {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  return extra === 0 ? 0 : getDouble(core.books.orders.extras.f64, atExtra(extra), XF_HELD);
}

/** Gives back what is left of a fee reserve when an order is filled, right before its slot is given up. Only buys have one. */
export function releaseReserve(core: Core, slot: number, accountMarket: number): void {
  const held = heldBeyond(core, slot);
  if (held === 0) return;
  const cell = core.accountMarkets.word(accountMarket, AM_QUOTE_CELL);
  core.ledger.unfreeze(cell, held);
  core.emitFrozen(TRADE, cell, -held, core.books.orders.id(slot));
}

/** Ends a resting order: out of the book, money back, published. */
export function endResting(core: Core, slot: number, reason: number): void {
  const { paths } = core;
  if (paths !== undefined) enter(paths.endResting, slot, reason);
  else endRestingIn(core.views, slot, reason);
}

/** The text of it. */
export function endRestingIn(v: Views, slot: number, reason: number): void {
  const orderAt = atOrder(slot) & v.orderMask;
  const flags = getWord(v.orderWords, orderAt, O_FLAGS);
  const market = flags >>> 16;
  if (isPerp(v, market) && isDemo(v.core, market)) {
    unlinkDemo(v.core, slot);
    endOffBook(v, slot, reason);
    return;
  }
  const level = getWord(v.orderWords, orderAt, O_LEVEL);
  const price = getWord(v.orderWords, orderAt, O_PRICE);
  removeOrder(v, market, slot);
  const lots = levelLots(v, level);
  endOffBook(v, slot, reason);
  writeDepth(v, market, flags & FLAG_SELL, price, lots);
}

/** Ends an order that is already out of its queue but still among the open orders. */
export function endOffBook(v: Views, slot: number, reason: number): void {
  const { core, orderWords } = v;
  const orderAt = atOrder(slot) & v.orderMask;
  const flags = getWord(orderWords, orderAt, O_FLAGS);
  const market = flags >>> 16;
  const price = getWord(orderWords, orderAt, O_PRICE);
  const accountMarket = getWord(orderWords, orderAt, O_ACCOUNT_MARKET);
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  let lots = getDouble(v.orderDoubles, orderAt, OF_LOTS);
  if ((flags & FLAG_ICEBERG) !== 0) lots += hiddenLots(core.books, slot);
  let units = unitsOf(v.sizes, atMarket(market) & v.marketMask, flags & FLAG_SELL, price, lots);
  if (getWord(orderWords, orderAt, O_EXTRA) !== 0) units += heldBeyond(core, slot);
  assert(lots >= 0 && units >= 0, "ORDER-32", "an order ends with less than nothing left");
  releaseHold(v, accountMarket, flags, price, lots, units);
  const account = getWord(v.accountMarkets, accountMarketAt, AM_ACCOUNT);
  const cell = getWord(v.accountMarkets, accountMarketAt, holdMember(flags));
  writeOrder(v, KIND_ENDED, reason, slot, account, cell, lots, units);
  leaveOpenOrders(v, accountMarketAt, orderAt);
  giveSlot(v, slot, orderAt);
}

/** Gives up an order's place among the open orders. */
export function leaveOpenOrders(v: Views, accountMarketAt: Begin<"accountMarket">, orderAt: Begin<"order">): void {
  const { accountMarkets, openOrders } = v;
  const openPlace = getWord(v.orderWords, orderAt, O_OPEN_PLACE);
  const at = (getWord(accountMarkets, accountMarketAt, AM_OPEN_ORDERS) << OPEN_ORDERS_SHIFT) + openPlace;
  assert((openOrders[at] as number) > 0, "ORDER-31", "an open order leaves its place twice");
  openOrders[at] = 0 - getWord(accountMarkets, accountMarketAt, AM_OPEN_HOLE);
  setWord(accountMarkets, accountMarketAt, AM_OPEN_HOLE, openPlace + 1);
  addWord(accountMarkets, accountMarketAt, AM_RESTING, -1);
}

/** Ends the slot's life of an order that is off every list. */
export function giveSlot(v: Views, slot: number, orderAt: Begin<"order">): void {
  if (getWord(v.orderWords, orderAt, O_EXTRA) !== 0) {
    leaveExtra(v.core, slot);
    v.core.books.orders.give(slot);
    return;
  }
  setWord(v.orderWords, orderAt, O_FLAGS, 0);
  addWord(v.orderWords, orderAt, O_GENERATION, 1);
}

/** Gives up the open orders place, the timer and the slot of an order that rested. */
export function leaveBook(core: Core, slot: number, accountMarket: number): void {
  leaveOpenOrders(core.views, atAccountMarket(accountMarket), atOrder(slot));
  giveSlot(core.views, slot, atOrder(slot));
}

/** Timer and list ties of an order that is about to lose its slot. */
export function leaveExtra(core: Core, slot: number): void {
  core.timers.remove(slot);
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  const extras = core.books.orders.extras.i32;
  const list = getWord(extras, atExtra(extra), X_LIST);
  if (list === 0) return;
  // The slot may be someone else's before the list is worked off, so the list forgets it now.
  const listExtra = getWord(core.books.orderWords, atOrder(list), O_EXTRA);
  setWord(extras, atExtra(listExtra), X_ENTRY + getWord(extras, atExtra(extra), X_LEG), 0);
  core.touchedLists.push(list);
}

/** Units a waiting conditional order has frozen: base of a sell that stands alone, nothing else. */
export function conditionalHold(core: Core, slot: number): number {
  const orders = core.books.orderWords;
  const flags = getWord(orders, atOrder(slot), O_FLAGS);
  const extra = getWord(orders, atOrder(slot), O_EXTRA);
  if ((flags & FLAG_SELL) === 0 || getWord(core.books.orders.extras.i32, atExtra(extra), X_LIST) !== 0) return 0;
  const lots = getDouble(core.books.orderDoubles, atOrder(slot), OF_LOTS);
  return lots * core.markets.double(flags >>> 16, MF_HOLD_BASE);
}

/** Ends a waiting conditional order. */
export function endConditional(core: Core, slot: number, reason: number): void {
  const orders = core.books.orderWords;
  const base = atOrder(slot);
  const flags = getWord(orders, base, O_FLAGS);
  const accountMarket = getWord(orders, base, O_ACCOUNT_MARKET);
  core.triggers.remove(flags >>> 16, slot);
  if (core.perps.isPerp(flags >>> 16) && !SEEN_TO.includes(reason)) noteStopEnd(core, slot);
  const units = conditionalHold(core, slot);
  const cell = holdCell(core, accountMarket, flags);
  if (units !== 0) core.ledger.unfreeze(cell, units);
  const lots = getDouble(core.books.orderDoubles, atOrder(slot), OF_LOTS);
  core.emitOrder(KIND_ENDED, reason, slot, core.accountMarkets.word(accountMarket, AM_ACCOUNT), cell, lots, units);
  leaveTriggers(core, slot, accountMarket);
}

export function leaveTriggers(core: Core, slot: number, accountMarket: number): void {
  core.accountMarkets.removeOpenOrder(accountMarket, getWord(core.books.orderWords, atOrder(slot), O_OPEN_PLACE));
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  leaveExtra(core, slot);
  core.books.orders.give(slot);
}

/** Ends whatever kind of order a slot holds, and nothing where there is none; its list forgets it. */
export function endOrder(core: Core, slot: number, reason: number): void {
  const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
  if ((flags & FLAG_CONDITIONAL) !== 0) endConditional(core, slot, reason);
  else if ((flags & FLAG_RESTING) !== 0) endResting(core, slot, reason);
}
