// Owns the firing of a due plan: turning it into a fresh order that keeps its id.
// Never decides what a plan is.

import { R_LOTS } from "../book/book.ts";
import {
  atExtra,
  atOrder,
  EVENT_FLAGS,
  FLAG_CONDITIONAL,
  FLAG_MARKET,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  O_PRICE,
  OF_LOTS,
  TIF_SHIFT,
  X_LIST,
  X_POSITION,
  X_SLIPPAGE,
  X_SOURCE,
  X_TRIGGER,
} from "../book/orders.ts";
import { emitMirrored } from "../copy/emit.ts";
import { isLeftToLeader, mirroringFollow } from "../copy/stops.ts";
import { AM_ACCOUNT, AM_CONDITIONALS } from "../market/account-markets.ts";
import { getDouble, getWord, setWord } from "../memory/record.ts";
import { writeId } from "../order/end/cancel-all.ts";
import { conditionalHold, endOrder, holdCell } from "../order/end/finish.ts";
import { sourcePrice } from "../order/end/prices.ts";
import { submitOrder } from "../order/entry/place.ts";
import { releaseByTrigger } from "../order/plan/lists.ts";
import { closedBy, prepareFire } from "../perp/account/stops.ts";
import { eventPlaces } from "../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { BUSINESSES, END_REASONS } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

const REJECTED = eventPlaces("rejected");
const CONDITIONAL_TRIGGERED = eventPlaces("conditionalTriggered");

const BUSINESS_TRADE = BUSINESSES.indexOf("trade");
const REASON_SIBLING = END_REASONS.indexOf("LIST_SIBLING");

function accountOf(core: Core, slot: number): number {
  return core.accountMarkets.word(getWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET), AM_ACCOUNT);
}

/** The list a waiting plan belongs to, 0 for none. */
export function listOfPlan(core: Core, slot: number): number {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  return getWord(core.books.orders.extras.i32, atExtra(extra), X_LIST);
}

/** A due plan becomes an order under its own id, or is refused and gone. */
export function firePlan(core: Core, id: number): void {
  const orders = core.books.orders;
  const slot = id % ORDER_SLOT_COUNT;
  const base = atOrder(slot);
  const flags = getWord(orders.table.i32, base, O_FLAGS);
  // It may have been withdrawn since it became due, and its slot may be another's by now.
  if (orders.id(slot) !== id || (flags & FLAG_CONDITIONAL) === 0) return;
  const market = flags >>> 16;
  const isPerp = core.perps.isPerp(market);
  if (isPerp && isLeftToLeader(core, slot)) {
    endOrder(core, slot, REASON_SIBLING);
    return;
  }
  const accountMarket = getWord(orders.table.i32, base, O_ACCOUNT_MARKET);
  const account = accountOf(core, slot);
  const extra = getWord(orders.table.i32, base, O_EXTRA);
  const at = atExtra(extra);
  const source = getWord(orders.extras.i32, at, X_SOURCE);
  const slippageBps = getWord(orders.extras.i32, at, X_SLIPPAGE);
  const record = core.events.openClean(CONDITIONAL_TRIGGERED.kind, 0, 0, account, core.sequence);
  writeId(core, record, CONDITIONAL_TRIGGERED.orderId, slot);
  core.events.setWord(record, CONDITIONAL_TRIGGERED.market, market);
  core.events.setWord(record, CONDITIONAL_TRIGGERED.trigger, getWord(orders.extras.i32, at, X_TRIGGER));
  core.events.setWord(record, CONDITIONAL_TRIGGERED.observed, sourcePrice(core, market, source));
  const units = conditionalHold(core, slot);
  if (units !== 0) {
    const cell = holdCell(core, accountMarket, flags);
    core.ledger.unfreeze(cell, units);
    core.emitFrozen(BUSINESS_TRADE, cell, -units, orders.id(slot));
  }
  const list = getWord(orders.extras.i32, at, X_LIST);
  if (list !== 0) releaseByTrigger(core, list);
  const waiting = getDouble(orders.table.f64, atOrder(slot), OF_LOTS);
  const lots = isPerp ? prepareFire(core, slot, accountMarket, waiting) : waiting;
  const closed = isPerp ? closedBy(core, slot) : 0;
  // A position's stop, a bracket's or a plan's: whatever it closes at the market was closed by a stop.
  const isStop = getWord(orders.extras.i32, at, X_POSITION) !== 0 || (flags & FLAG_MARKET) !== 0;
  core.copies.isStopping = isPerp && isStop;
  const mirrored = isPerp ? mirroringFollow(core, slot) : 0;
  core.accountMarkets.removeOpenOrder(accountMarket, getWord(orders.table.i32, base, O_OPEN_PLACE));
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  orders.giveExtra(extra);
  setWord(orders.table.i32, base, O_EXTRA, 0);
  core.books.registers[R_LOTS] = lots;
  const orderFlags = flags & EVENT_FLAGS & ~FLAG_CONDITIONAL;
  const plain = (orderFlags & FLAG_MARKET) !== 0 ? orderFlags & ~(3 << TIF_SHIFT) : orderFlags;
  core.checkLimit[0] = 0;
  const price = getWord(orders.table.i32, base, O_PRICE);
  const code = submitOrder(core, accountMarket, market, plain, price, slippageBps, 0, 0, slot, -1, closed);
  core.copies.isStopping = false;
  if (code === 0) {
    if (mirrored !== 0) emitMirrored(core, mirrored, market, lots);
    return;
  }
  core.emitRejected(code, account, market, 0, core.checkLimit[0] as number);
  core.events.setId(core.events.count - 1, REJECTED.orderId, slot, getWord(orders.table.i32, base, O_GENERATION));
  orders.give(slot);
}
