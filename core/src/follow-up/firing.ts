// Owns the firing of a due plan: turning it into a fresh order that keeps its id.
// Never decides what a plan is.
import { R_LOTS } from "../book/book.ts";
import {
  EVENT_FLAGS,
  EXTRA_SHIFT,
  FLAG_CONDITIONAL,
  FLAG_MARKET,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  O_PRICE,
  OF_LOTS,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
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
import { writeId } from "../order/end/cancel-all.ts";
import { conditionalHold, endOrder, holdCell } from "../order/end/finish.ts";
import { sourcePrice } from "../order/end/prices.ts";
import { submitOrder } from "../order/entry/place.ts";
import { releaseByTrigger } from "../order/plan/lists.ts";
import { prepareFire } from "../perp/account/stops.ts";
import { EVENTS } from "../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { BUSINESSES, END_REASONS } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

const BUSINESS_TRADE = BUSINESSES.indexOf("trade");
const REASON_SIBLING = END_REASONS.indexOf("LIST_SIBLING");

function accountOf(core: Core, slot: number): number {
  return core.accountMarkets.word(
    core.books.orderWords[(slot << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number,
    AM_ACCOUNT,
  );
}

/** The list a waiting plan belongs to, 0 for none. */
export function listOfPlan(core: Core, slot: number): number {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  return core.books.orders.extras.i32[(extra << EXTRA_SHIFT) + X_LIST] as number;
}

/** A due plan becomes an order under its own id, or is refused and gone. */
export function firePlan(core: Core, id: number): void {
  const orders = core.books.orders;
  const slot = id % ORDER_SLOT_COUNT;
  const base = slot << ORDER_SHIFT;
  const flags = orders.table.i32[base | O_FLAGS] as number;
  // It may have been withdrawn since it became due, and its slot may be another's by now.
  if (orders.id(slot) !== id || (flags & FLAG_CONDITIONAL) === 0) return;
  const market = flags >>> 16;
  const isPerp = core.perps.isPerp(market);
  if (isPerp && isLeftToLeader(core, slot)) {
    endOrder(core, slot, REASON_SIBLING);
    return;
  }
  const accountMarket = orders.table.i32[base | O_ACCOUNT_MARKET] as number;
  const account = accountOf(core, slot);
  const extra = orders.table.i32[base | O_EXTRA] as number;
  const at = extra << EXTRA_SHIFT;
  const source = orders.extras.i32[at + X_SOURCE] as number;
  const slippageBps = orders.extras.i32[at + X_SLIPPAGE] as number;
  const record = core.events.openClean(EVENTS.conditionalTriggered.kind, 0, 0, account, core.sequence);
  writeId(core, record, 4, slot);
  core.events.i32[(record << 4) | 6] = market;
  core.events.i32[(record << 4) | 7] = orders.extras.i32[at + X_TRIGGER] as number;
  core.events.i32[(record << 4) | 8] = sourcePrice(core, market, source);
  const units = conditionalHold(core, slot);
  if (units !== 0) {
    const cell = holdCell(core, accountMarket, flags);
    core.ledger.unfreeze(cell, units);
    core.emitFrozen(BUSINESS_TRADE, cell, -units, orders.id(slot));
  }
  const list = orders.extras.i32[at + X_LIST] as number;
  if (list !== 0) releaseByTrigger(core, list);
  const waiting = orders.table.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
  const lots = isPerp ? prepareFire(core, slot, accountMarket, waiting) : waiting;
  // A position's stop, a bracket's or a plan's: whatever it closes at the market was closed by a stop.
  const isStop = (orders.extras.i32[at + X_POSITION] as number) !== 0 || (flags & FLAG_MARKET) !== 0;
  core.copies.isStopping = isPerp && isStop;
  const mirrored = isPerp ? mirroringFollow(core, slot) : 0;
  core.accountMarkets.removeOpenOrder(accountMarket, orders.table.i32[base | O_OPEN_PLACE] as number);
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  orders.giveExtra(extra);
  orders.table.i32[base | O_EXTRA] = 0;
  core.books.registers[R_LOTS] = lots;
  const orderFlags = flags & EVENT_FLAGS & ~FLAG_CONDITIONAL;
  const plain = (orderFlags & FLAG_MARKET) !== 0 ? orderFlags & ~(3 << TIF_SHIFT) : orderFlags;
  core.checkLimit[0] = 0;
  const code = submitOrder(
    core,
    accountMarket,
    market,
    plain,
    orders.table.i32[base | O_PRICE] as number,
    slippageBps,
    0,
    0,
    slot,
  );
  core.copies.isStopping = false;
  if (code === 0) {
    if (mirrored !== 0) emitMirrored(core, mirrored, market, lots);
    return;
  }
  core.emitRejected(code, account, market, 0, core.checkLimit[0] as number);
  const refused = core.events.count - 1;
  core.events.i32[refused * 16 + 6] = slot;
  core.events.i32[refused * 16 + 7] = orders.table.i32[base | O_GENERATION] as number;
  orders.give(slot);
}
