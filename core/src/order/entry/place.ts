// Owns the placing of one order, from checks to match to rest. Every kind of order ends here: plans when they
// fire, slices, list legs and batches all submit through the same door.
import { levelLots, R_BUDGET, R_LOTS, R_SEQUENCE, R_UNIT, restOrder, T_ASK, TOP_SHIFT } from "../../book/book.ts";
import { canFillWhole, matchTaker, TAKER_OPEN, TAKER_PAUSED } from "../../book/match.ts";
import {
  EXTRA_DOUBLE_SHIFT,
  EXTRA_SHIFT,
  FLAG_ICEBERG,
  FLAG_IN_QUOTE,
  FLAG_LIVE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_GROUP,
  O_LEVEL,
  O_OPEN_PLACE,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  STP_SHIFT,
  TIF_FOK,
  TIF_GTD,
  TIF_IOC,
  TIF_SHIFT,
  X_LEG,
  X_LIST,
  X_POSITION,
  X_POSITION_GENERATION,
  XF_HELD,
  XF_HIDDEN,
  XF_SLICE,
} from "../../book/orders.ts";
import { ACCOUNT_MARKET_SHIFT, AM_ACCOUNT, AM_GROUP, AM_RESTING } from "../../market/account-markets.ts";
import { MARKET_DOUBLE_SHIFT, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { demoLots, takeDemo } from "../../perp/demo/fills.ts";
import { isDemo, leaseTops, restDemo, returnTops } from "../../perp/margin/demo-orders.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { trimTouched } from "../../perp/order/trim.ts";
import { canFillPerpWhole } from "../../perp/order/whole.ts";
import { PO_GENERATION } from "../../perp/state/records.ts";
import { EVENTS } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import { recordClientId } from "../end/client-ids.ts";
import { heldBeyond, holdCell, holdUnits, leaveExtra, releaseReserve } from "../end/finish.ts";
import { checkOrder, codeOf, crosses, R_EXPIRES, R_NEED, R_RESERVE, R_VISIBLE } from "./checks.ts";
import { isUsedUp, settleSteps } from "./settle-steps.ts";

const KIND_ACCEPTED = EVENTS.orderAccepted.kind;
const KIND_ENDED = EVENTS.orderEnded.kind;
const REASON_IOC = END_REASONS.indexOf("IOC_REST");
const REASON_FOK = END_REASONS.indexOf("FOK_UNFILLED");
const REASON_MARKET = END_REASONS.indexOf("MARKET_REST");
const REASON_SPENT = END_REASONS.indexOf("QUOTE_SPENT");
const REASON_STP = END_REASONS.indexOf("STP_TAKER");
const REASON_DECREMENT = END_REASONS.indexOf("STP_DECREMENT");

/**
 * Checks and places an order: lots (or quote units) in R_LOTS, expiry and visible lots in their registers; as `leg` of
 * `list` where it belongs to one, in `reused`, the slot of the plan that fired, where it comes from one, and under the
 * client id read from the word `text`, −1 for none; `position` is the split one it closes.
 * Returns 0, or the code of the check that failed with nothing changed.
 */
export function submitOrder(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  list = 0,
  leg = 0,
  reused = 0,
  text = -1,
  position = 0,
): number {
  core.placedSlot = 0;
  const demo = isDemo(core, market);
  if (demo) leaseTops(core, market);
  const limit = checkOrder(core, accountMarket, market, flags, price, slippageBps, position);
  if (demo) returnTops(core, market);
  if (limit < 0) return codeOf(limit);
  const slot = acceptOrder(core, accountMarket, market, flags, limit, list, leg, reused, text, position);
  core.placed[1] = 0;
  run(core, market, slot, accountMarket, flags, limit);
  return 0;
}

/** Places an order the house sends on a symbol margin's behalf: no checks. */
export function placeForced(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  limit: number,
  position: number,
): void {
  core.placed[1] = 0;
  const slot = acceptOrder(core, accountMarket, market, flags, limit, 0, 0, 0, -1, position);
  run(core, market, slot, accountMarket, flags, limit);
}

/** Matches what crosses, then lets the remainder rest or end; R_LOTS holds the open lots. */
export function run(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  limit: number,
): void {
  if (isDemo(core, market)) runDemo(core, market, slot, accountMarket, flags, limit);
  else if (crosses(core, market, flags, limit)) takeFrom(core, market, slot, accountMarket, flags, limit);
  else if (
    (flags & FLAG_MARKET) !== 0 ||
    (((flags >> TIF_SHIFT) & 3) !== 0 && ((flags >> TIF_SHIFT) & 3) !== TIF_GTD)
  ) {
    endTaker(core, slot, accountMarket, restReason(flags), core.books.registers[R_LOTS] as number);
  } else rest(core, market, slot, accountMarket, flags, limit, core.books.registers[R_LOTS] as number);
}

/** The same in a demo market, where the copy of a real book stands for the book. */
function runDemo(core: Core, market: number, slot: number, accountMarket: number, flags: number, limit: number): void {
  const { books } = core;
  const lots = books.registers[R_LOTS] as number;
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const kills = timeInForce === TIF_FOK && demoLots(core, market, accountMarket, flags & FLAG_SELL, limit) < lots;
  const filled = kills ? 0 : takeDemo(core, market, slot, accountMarket, flags, limit);
  const at = (slot << ORDER_DOUBLE_SHIFT) | OF_FILLED;
  books.orderDoubles[at] = (books.orderDoubles[at] as number) + filled;
  core.placed[1] = filled;
  const left = lots - filled;
  if (left === 0) finishTaker(core, slot, accountMarket);
  else if ((flags & FLAG_MARKET) !== 0 || timeInForce === TIF_IOC || timeInForce === TIF_FOK)
    endTaker(core, slot, accountMarket, restReason(flags), left);
  else {
    books.orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = left;
    restDemo(core, market, slot, limit, flags & FLAG_SELL);
    books.orderWords[(slot << ORDER_SHIFT) | O_OPEN_PLACE] = core.accountMarkets.addOpenOrder(accountMarket, slot);
    core.accountMarkets.bump(accountMarket, AM_RESTING, 1);
  }
}

function restReason(flags: number): number {
  if ((flags & FLAG_MARKET) !== 0) return REASON_MARKET;
  return ((flags >> TIF_SHIFT) & 3) === TIF_FOK ? REASON_FOK : REASON_IOC;
}

/** Gives the order its slot, freezes what it needs and reports it. */
function acceptOrder(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  limit: number,
  list: number,
  leg: number,
  reused: number,
  text: number,
  position: number,
): number {
  const registers = core.books.registers;
  const slot = reused !== 0 ? reused : core.books.orders.take();
  const orders = core.books.orderWords;
  const lots = registers[R_LOTS] as number;
  const base = slot << ORDER_SHIFT;
  orders[base | O_PRICE] = limit;
  orders[base | O_LEVEL] = 0;
  orders[base | O_ACCOUNT_MARKET] = accountMarket;
  orders[base | O_FLAGS] = (market << 16) | flags | FLAG_LIVE;
  orders[base | O_GROUP] = core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_GROUP] as number;
  const f64 = core.books.orderDoubles;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = lots;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_FILLED] = 0;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = core.clock[G_SEQUENCE] as number;
  const units = (registers[R_NEED] as number) + (registers[R_RESERVE] as number);
  const cell = holdCell(core, accountMarket, flags);
  if (core.perps.isPerp(market)) addExposure(core, accountMarket, market, flags, limit, lots);
  else core.ledger.freeze(cell, units);
  core.placedSlot = slot;
  core.placed[0] = core.books.orders.id(slot);
  core.emitOrder(
    KIND_ACCEPTED,
    0,
    slot,
    core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    cell,
    lots,
    units,
  );
  if (list !== 0 || text >= 0 || (registers[R_RESERVE] as number) !== 0 || position !== 0)
    join(core, slot, list, leg, text, position);
  if ((flags & FLAG_ICEBERG) !== 0) publishOnce(core, EVENTS.icebergShown.kind, slot, accountMarket, R_VISIBLE);
  if (((flags >> TIF_SHIFT) & 3) === TIF_GTD) publishOnce(core, EVENTS.expirySet.kind, slot, accountMarket, R_EXPIRES);
  return slot;
}

/** What an order was placed with and no later event repeats, from its register. */
function publishOnce(core: Core, kind: number, slot: number, accountMarket: number, register: number): void {
  const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const record = core.events.openClean(kind, 0, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = slot;
  core.events.i32[(record << 4) | 5] = core.books.orderWords[(slot << ORDER_SHIFT) | O_GENERATION] as number;
  core.events.i32[(record << 4) | 6] = (core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number) >>> 16;
  core.events.f64[(record << 3) | 4] = core.books.registers[register] as number;
}

/** What makes the order more than ordinary: a list, a client order id, a fee reserve, a position. */
function join(core: Core, slot: number, list: number, leg: number, text: number, position: number): void {
  const reserve = core.books.registers[R_RESERVE] as number;
  if (list !== 0 || reserve !== 0) {
    const extra = core.books.orders.extra(slot);
    core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_LIST] = list;
    core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_LEG] = leg;
    core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HELD] = reserve;
  }
  if (position !== 0) joinPosition(core, slot, position);
  if (text >= 0) recordClientId(core, slot, text);
}

/** In split layout a reducing order names its position. */
function joinPosition(core: Core, slot: number, position: number): void {
  const extra = core.books.orders.extra(slot);
  core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_POSITION] = position;
  core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_POSITION_GENERATION] = core.perps.position(
    position,
    PO_GENERATION,
  );
}

/** Matches a crossing order and lets the remainder rest or end. */
export function takeFrom(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  limit: number,
): void {
  const books = core.books;
  const registers = books.registers;
  const lots = registers[R_LOTS] as number;
  const group = core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_GROUP] as number;
  const mode = (flags >> STP_SHIFT) & 7;
  const inQuote = (flags & FLAG_IN_QUOTE) !== 0;
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const perp = core.perps.isPerp(market);
  if (timeInForce === TIF_FOK) {
    if (core.perps.touched.length !== 0) trimTouched(core);
    const sell = flags & FLAG_SELL;
    const whole = perp
      ? canFillPerpWhole(core, market, sell, limit, group, mode)
      : canFillWhole(books, market, sell, limit, group, mode);
    if (!whole) {
      endTaker(core, slot, accountMarket, REASON_FOK, lots);
      return;
    }
  }
  registers[R_SEQUENCE] = core.clock[G_SEQUENCE] as number;
  books.stepCount = 0;
  if (inQuote) {
    registers[R_BUDGET] = lots;
    registers[R_UNIT] = core.markets.doubles[(market << MARKET_DOUBLE_SHIFT) | MF_TICK_LOT_UNITS] as number;
  }
  books.pauseMask = perp ? FLAG_REDUCE_ONLY : 0;
  // An earlier order of the same command may have taken what a reducing maker reduces.
  if (core.perps.touched.length !== 0) trimTouched(core);
  const match = core.fastPaths?.match;
  let outcome =
    match !== undefined && !inQuote
      ? match(market, flags & FLAG_SELL, limit, group, mode)
      : matchTaker(books, market, flags & FLAG_SELL, limit, group, mode, inQuote);
  let left = registers[R_LOTS] as number;
  if (inQuote) {
    finishQuoteTaker(core, market, slot, accountMarket, flags, mode, lots, limit, outcome);
    return;
  }
  let lost = settleSteps(core, market, slot, accountMarket, flags, mode, lots);
  while (outcome === TAKER_PAUSED) {
    // A reducing maker may have lost what it reduces to the fills before it.
    trimTouched(core);
    registers[R_LOTS] = left;
    const before = left;
    books.stepCount = 0;
    outcome = matchTaker(books, market, flags & FLAG_SELL, limit, group, mode, inQuote);
    left = registers[R_LOTS] as number;
    lost += settleSteps(core, market, slot, accountMarket, flags, mode, before);
  }
  const filled = lots - left - lost;
  const f64 = books.orderDoubles;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_FILLED] = (f64[(slot << ORDER_DOUBLE_SHIFT) | OF_FILLED] as number) + filled;
  core.placed[1] = filled;
  if (outcome !== TAKER_OPEN) endTaker(core, slot, accountMarket, REASON_STP, left);
  else if (left === 0) {
    if (isUsedUp()) endTaker(core, slot, accountMarket, REASON_DECREMENT, 0);
    else finishTaker(core, slot, accountMarket);
  } else if (timeInForce === TIF_IOC || timeInForce === TIF_FOK || (flags & FLAG_MARKET) !== 0) {
    endTaker(core, slot, accountMarket, restReason(flags), left);
  } else rest(core, market, slot, accountMarket, flags, limit, left);
}

/** A buy for a quote amount always tells its end: no trade can know that it was the last. */
function finishQuoteTaker(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  mode: number,
  budget: number,
  limit: number,
  outcome: number,
): void {
  const registers = core.books.registers;
  const left = registers[R_BUDGET] as number;
  const lost = settleSteps(core, market, slot, accountMarket, flags, mode, budget);
  // Whatever is left was too little for one more lot unless the book itself gave out or nothing was bought at all.
  const ask = core.books.topWords[(market << TOP_SHIFT) | T_ASK] as number;
  const spent = lost === 0 && left < budget && (left === 0 || (ask !== 0 && ask <= limit));
  const reason = outcome !== TAKER_OPEN ? REASON_STP : spent ? REASON_SPENT : REASON_MARKET;
  endTaker(core, slot, accountMarket, reason, left);
}

/** A taker that is filled whole. */
function finishTaker(core: Core, slot: number, accountMarket: number): void {
  if (core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] !== 0) {
    releaseReserve(core, slot, accountMarket);
    leaveExtra(core, slot);
  }
  core.placedSlot = 0;
  core.books.orders.give(slot);
}

/** A taker whose remainder does not rest: the money for it goes back. */
function endTaker(core: Core, slot: number, accountMarket: number, reason: number, left: number): void {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  const flags = orders[base | O_FLAGS] as number;
  let units =
    (flags & FLAG_IN_QUOTE) !== 0 ? left : holdUnits(core, flags >>> 16, flags, orders[base | O_PRICE] as number, left);
  if (orders[base | O_EXTRA] !== 0) units += heldBeyond(core, slot);
  const cell = holdCell(core, accountMarket, flags);
  if (core.perps.isPerp(flags >>> 16))
    addExposure(core, accountMarket, flags >>> 16, flags, orders[base | O_PRICE] as number, 0 - left);
  else core.ledger.unfreeze(cell, units);
  core.emitOrder(
    KIND_ENDED,
    reason,
    slot,
    core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    cell,
    left,
    units,
  );
  if (orders[base | O_EXTRA] !== 0) leaveExtra(core, slot);
  core.placedSlot = 0;
  core.books.orders.give(slot);
}

/** Puts what is open into the book. */
export function rest(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  price: number,
  lots: number,
): void {
  const books = core.books;
  const orders = books.orders.table;
  let visible = lots;
  if ((flags & FLAG_ICEBERG) !== 0) visible = hideRest(core, slot, lots);
  orders.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = visible;
  restOrder(books, market, slot, price, books.ladder(market).reserve(price));
  orders.i32[(slot << ORDER_SHIFT) | O_OPEN_PLACE] = core.accountMarkets.addOpenOrder(accountMarket, slot);
  const accountMarkets = core.accountMarkets.words;
  accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_RESTING] =
    (accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_RESTING] as number) + 1;
  if (((flags >> TIF_SHIFT) & 3) === TIF_GTD) core.timers.add(slot, books.registers[R_EXPIRES] as number);
  core.emitDepth(
    market,
    flags & FLAG_SELL,
    price,
    levelLots(books, orders.i32[(slot << ORDER_SHIFT) | O_LEVEL] as number),
  );
}

/** Splits an iceberg's open lots into the slice shown and the part hidden. */
function hideRest(core: Core, slot: number, lots: number): number {
  const extra = core.books.orders.extra(slot);
  const slice = core.books.registers[R_VISIBLE] as number;
  const visible = Math.min(slice, lots);
  core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_SLICE] = slice;
  core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HIDDEN] = lots - visible;
  return visible;
}
