// Owns the placing of one order, from checks to match to rest. Every kind of order ends here: plans when they
// fire, slices, list legs and batches all submit through the same door.
import { atTop, levelLots, R_BUDGET, R_LOTS, R_SEQUENCE, R_UNIT, restOrder, T_ASK } from "../../book/book.ts";
import type { Ladder } from "../../book/ladder.ts";
import { canFillWhole, matchTaker, TAKER_OPEN, TAKER_PAUSED } from "../../book/match.ts";
import {
  atExtra,
  atOrder,
  FLAG_ICEBERG,
  FLAG_IN_QUOTE,
  FLAG_LIVE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GENERATION,
  O_GROUP,
  O_LEVEL,
  O_NEXT,
  O_OPEN_PLACE,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
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
import { freeze } from "../../ledger/ledger.ts";
import {
  AM_ACCOUNT,
  AM_GROUP,
  AM_OPEN_HOLE,
  AM_OPEN_ORDERS,
  AM_OPEN_SIZE,
  AM_OPEN_USED,
  AM_QUOTE_CELL,
  AM_RESTING,
  atAccountMarket,
  OPEN_ORDERS_SHIFT,
} from "../../market/account-markets.ts";
import { MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import {
  addDouble,
  addWord,
  type Double,
  getDouble,
  getWord,
  type Opened,
  setDouble,
  setWord,
} from "../../memory/record.ts";
import { demoLots, takeDemo } from "../../perp/demo/fills.ts";
import { isDemo, leaseTops, restDemo, returnTops } from "../../perp/margin/demo-orders.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { trimTouched } from "../../perp/order/trim.ts";
import { canFillPerpWhole } from "../../perp/order/whole.ts";
import { PO_GENERATION } from "../../perp/state/records.ts";
import { EVENTS, eventPlaces } from "../../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { type Core, PLACED_FILLED, PLACED_ID } from "../../state/core.ts";
import { enter } from "../../state/paths.ts";
import { canWrite, STEP_RECORDS_MAX, type Views, writeDepth, writeOrder } from "../../state/views.ts";
import { recordClientId } from "../end/client-ids.ts";
import { giveSlot, heldBeyond, holdCell, holdUnits, isPerp, releaseHold, releaseReserve } from "../end/finish.ts";
import { checkOrder, R_EXPIRES, R_NEED, R_RESERVE, R_VISIBLE } from "./checks.ts";
import { isUsedUp, settleSteps } from "./settle-steps.ts";

/** Both have the same members in the same places. */
const EXPIRY_SET = eventPlaces("expirySet");
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
  const { views } = core;
  return submitIn(views, accountMarket, market, flags, price, slippageBps, list, leg, reused, text, position);
}

/** The text of it. */
export function submitIn(
  v: Views,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  list: number,
  leg: number,
  reused: number,
  text: number,
  position: number,
): number {
  const { core } = v;
  core.placedSlot = 0;
  const limit =
    isPerp(v, market) && isDemo(core, market)
      ? checkDemo(core, accountMarket, market, flags, price, slippageBps, position)
      : checkOrder(v, accountMarket, market, flags, price, slippageBps, position);
  if (limit < 0) return 0 - limit;
  if (isReady(v, reused)) admit(v, accountMarket, market, flags, limit, list, leg, reused, text, position);
  else admit(makeReady(core, reused), accountMarket, market, flags, limit, list, leg, reused, text, position);
  return 0;
}

/** A demo market shows the best prices of the real one to its checks. */
function checkDemo(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  position: number,
): number {
  leaseTops(core, market);
  const limit = checkOrder(core.views, accountMarket, market, flags, price, slippageBps, position);
  returnTops(core, market);
  return limit;
}

/** Whether the views are good, and there are a slot and room for events. */
function isReady(v: Views, reused: number): boolean {
  return (reused !== 0 || (v.orderTable.freeHead !== 0 && v.owner.orders.hasRounds)) && canWrite(v);
}

function makeReady(core: Core, reused: number): Views {
  if (reused === 0) core.books.orders.makeReady();
  core.events.reserve(STEP_RECORDS_MAX);
  return core.views;
}

/** Accepts an order that passed its checks, matches it and lets it rest. */
function admit(
  v: Views,
  accountMarket: number,
  market: number,
  flags: number,
  limit: number,
  list: number,
  leg: number,
  reused: number,
  text: number,
  position: number,
): void {
  const slot = acceptOrder(v, accountMarket, market, flags, limit, list, leg, reused, text, position);
  setDouble(v.core.placed, 0, PLACED_FILLED, 0);
  run(v, market, slot, accountMarket, flags, limit);
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
  admit(makeReady(core, 0), accountMarket, market, flags, limit, 0, 0, 0, -1, position);
}

/** Matches what crosses, then lets the remainder rest or end; R_LOTS holds the open lots. */
export function run(v: Views, market: number, slot: number, accountMarket: number, flags: number, limit: number): void {
  const { core } = v;
  // As for the checks: computed, not guessed.
  const sell = flags & FLAG_SELL;
  const best = getWord(v.topWords, atTop(market) & v.topMask, T_ASK - sell);
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  if (isPerp(v, market) && isDemo(core, market)) runDemo(core, market, slot, accountMarket, flags, limit);
  else if (best !== 0 && ((best - limit) ^ (0 - sell)) + sell <= 0)
    takeFrom(core, market, slot, accountMarket, flags, limit);
  else if ((flags & FLAG_MARKET) !== 0 || timeInForce === TIF_IOC || timeInForce === TIF_FOK)
    endTaker(core, slot, accountMarket, restReason(flags), getDouble(v.registers, 0, R_LOTS));
  else rest(v, market, slot, accountMarket, flags, limit, getDouble(v.registers, 0, R_LOTS));
}

/** The same in a demo market, where the copy of a real book stands for the book. */
function runDemo(core: Core, market: number, slot: number, accountMarket: number, flags: number, limit: number): void {
  const { books } = core;
  const lots = getDouble(books.registers, 0, R_LOTS);
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const kills = timeInForce === TIF_FOK && demoLots(core, market, accountMarket, flags & FLAG_SELL, limit) < lots;
  const filled = kills ? 0 : takeDemo(core, market, slot, accountMarket, flags, limit);
  addDouble(books.orderDoubles, atOrder(slot), OF_FILLED, filled);
  setDouble(core.placed, 0, PLACED_FILLED, filled);
  const left = lots - filled;
  if (left === 0) finishTaker(core, slot, accountMarket);
  else if ((flags & FLAG_MARKET) !== 0 || timeInForce === TIF_IOC || timeInForce === TIF_FOK)
    endTaker(core, slot, accountMarket, restReason(flags), left);
  else {
    setDouble(books.orderDoubles, atOrder(slot), OF_LOTS, left);
    restDemo(core, market, slot, limit, flags & FLAG_SELL);
    setWord(books.orderWords, atOrder(slot), O_OPEN_PLACE, core.accountMarkets.addOpenOrder(accountMarket, slot));
    core.accountMarkets.bump(accountMarket, AM_RESTING, 1);
  }
}

function restReason(flags: number): number {
  if ((flags & FLAG_MARKET) !== 0) return REASON_MARKET;
  return ((flags >> TIF_SHIFT) & 3) === TIF_FOK ? REASON_FOK : REASON_IOC;
}

/** Gives the order its slot, freezes what it needs and reports it. */
function acceptOrder(
  v: Views,
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
  const { core, orderTable, orderWords, orderDoubles, accountMarkets, registers } = v;
  const slot = reused !== 0 ? reused : orderTable.freeHead;
  const at = atOrder(slot) & v.orderMask;
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  if (reused === 0) orderTable.freeHead = getWord(orderWords, at, O_NEXT);
  const lots = getDouble(registers, 0, R_LOTS);
  setWord(orderWords, at, O_PRICE, limit);
  setWord(orderWords, at, O_LEVEL, 0);
  setWord(orderWords, at, O_ACCOUNT_MARKET, accountMarket);
  setWord(orderWords, at, O_FLAGS, (market << 16) | flags | FLAG_LIVE);
  setWord(orderWords, at, O_GROUP, getWord(accountMarkets, accountMarketAt, AM_GROUP));
  setDouble(orderDoubles, at, OF_LOTS, lots);
  setDouble(orderDoubles, at, OF_FILLED, 0);
  setDouble(orderDoubles, at, OF_SEQUENCE, core.sequence);
  const reserve = getDouble(registers, 0, R_RESERVE);
  const units = getDouble(registers, 0, R_NEED) + reserve;
  const cell = getWord(accountMarkets, accountMarketAt, AM_QUOTE_CELL - (flags & FLAG_SELL));
  if (isPerp(v, market)) addExposure(v, accountMarket, market, flags, limit, lots);
  else freeze(v, cell, units);
  core.placedSlot = slot;
  setDouble(core.placed, 0, PLACED_ID, slot + getWord(orderWords, at, O_GENERATION) * ORDER_SLOT_COUNT);
  writeOrder(v, KIND_ACCEPTED, 0, slot, getWord(accountMarkets, accountMarketAt, AM_ACCOUNT), cell, lots, units);
  if (list !== 0 || text >= 0 || reserve !== 0 || position !== 0) join(core, slot, list, leg, text, position);
  if ((flags & FLAG_ICEBERG) !== 0 || ((flags >> TIF_SHIFT) & 3) === TIF_GTD)
    publishShape(core, slot, accountMarket, flags);
  return slot;
}

/** What an order was placed with and no later event repeats: the slice it shows, and when it ends. */
function publishShape(core: Core, slot: number, accountMarket: number, flags: number): void {
  if ((flags & FLAG_ICEBERG) !== 0) publishOnce(core, EVENTS.icebergShown.kind, slot, accountMarket, R_VISIBLE);
  if (((flags >> TIF_SHIFT) & 3) === TIF_GTD) publishOnce(core, EVENTS.expirySet.kind, slot, accountMarket, R_EXPIRES);
}

function publishOnce(
  core: Core,
  kind: number,
  slot: number,
  accountMarket: number,
  register: Double<"registers">,
): void {
  const orders = core.books.orderWords;
  const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const record: Opened<"expirySet"> = core.events.openClean(kind, 0, 0, account, core.sequence);
  core.events.setId(record, EXPIRY_SET.orderId, slot, getWord(orders, atOrder(slot), O_GENERATION));
  core.events.setWord(record, EXPIRY_SET.market, getWord(orders, atOrder(slot), O_FLAGS) >>> 16);
  core.events.setDouble(record, EXPIRY_SET.expiresAt, getDouble(core.books.registers, 0, register));
}

/** What makes the order more than ordinary: a list, a client order id, a fee reserve, a position. */
function join(core: Core, slot: number, list: number, leg: number, text: number, position: number): void {
  const { orders, registers } = core.books;
  const reserve = getDouble(registers, 0, R_RESERVE);
  if (list !== 0 || reserve !== 0 || position !== 0) {
    const at = atExtra(orders.extra(slot));
    const { i32, f64 } = orders.extras;
    if (list !== 0 || reserve !== 0) {
      setWord(i32, at, X_LIST, list);
      setWord(i32, at, X_LEG, leg);
      setDouble(f64, at, XF_HELD, reserve);
    }
    if (position !== 0) {
      // In split layout a reducing order names its position.
      setWord(i32, at, X_POSITION, position);
      setWord(i32, at, X_POSITION_GENERATION, core.perps.position(position, PO_GENERATION));
    }
  }
  if (text >= 0) recordClientId(core, slot, text);
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
  const lots = getDouble(registers, 0, R_LOTS);
  const group = core.accountMarkets.word(accountMarket, AM_GROUP);
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
  registers[R_SEQUENCE] = core.sequence;
  books.stepCount = 0;
  if (inQuote) {
    registers[R_BUDGET] = lots;
    registers[R_UNIT] = core.markets.double(market, MF_TICK_LOT_UNITS);
  }
  books.pauseMask = perp ? FLAG_REDUCE_ONLY : 0;
  // An earlier order of the same command may have taken what a reducing maker reduces.
  if (core.perps.touched.length !== 0) trimTouched(core);
  const { bound } = core;
  let outcome =
    bound !== undefined && !inQuote
      ? enter(bound.match, market, flags & FLAG_SELL, limit, group, mode)
      : matchTaker(books, market, flags & FLAG_SELL, limit, group, mode, inQuote);
  let left = getDouble(registers, 0, R_LOTS);
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
    left = getDouble(registers, 0, R_LOTS);
    lost += settleSteps(core, market, slot, accountMarket, flags, mode, before);
  }
  const filled = lots - left - lost;
  addDouble(books.orderDoubles, atOrder(slot), OF_FILLED, filled);
  setDouble(core.placed, 0, PLACED_FILLED, filled);
  if (outcome !== TAKER_OPEN) endTaker(core, slot, accountMarket, REASON_STP, left);
  else if (left === 0) {
    if (isUsedUp()) endTaker(core, slot, accountMarket, REASON_DECREMENT, 0);
    else finishTaker(core, slot, accountMarket);
  } else if (timeInForce === TIF_IOC || timeInForce === TIF_FOK || (flags & FLAG_MARKET) !== 0) {
    endTaker(core, slot, accountMarket, restReason(flags), left);
  } else rest(core.views, market, slot, accountMarket, flags, limit, left);
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
  const left = getDouble(registers, 0, R_BUDGET);
  const lost = settleSteps(core, market, slot, accountMarket, flags, mode, budget);
  // Whatever is left was too little for one more lot unless the book itself gave out or nothing was bought at all.
  const ask = getWord(core.books.topWords, atTop(market), T_ASK);
  const spent = lost === 0 && left < budget && (left === 0 || (ask !== 0 && ask <= limit));
  const reason = outcome !== TAKER_OPEN ? REASON_STP : spent ? REASON_SPENT : REASON_MARKET;
  endTaker(core, slot, accountMarket, reason, left);
}

/** A taker that is filled whole. */
function finishTaker(core: Core, slot: number, accountMarket: number): void {
  releaseReserve(core, slot, accountMarket);
  core.placedSlot = 0;
  giveSlot(core.views, slot, atOrder(slot));
}

/** A taker whose remainder does not rest: the money for it goes back. */
function endTaker(core: Core, slot: number, accountMarket: number, reason: number, left: number): void {
  const orders = core.books.orderWords;
  const at = atOrder(slot);
  const flags = getWord(orders, at, O_FLAGS);
  const price = getWord(orders, at, O_PRICE);
  const units =
    ((flags & FLAG_IN_QUOTE) !== 0 ? left : holdUnits(core, flags >>> 16, flags, price, left)) + heldBeyond(core, slot);
  const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  releaseHold(core.views, accountMarket, flags, price, left, units);
  core.emitOrder(KIND_ENDED, reason, slot, account, holdCell(core, accountMarket, flags), left, units);
  core.placedSlot = 0;
  giveSlot(core.views, slot, at);
}

/** Puts what is open into the book. */
function rest(
  v: Views,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  price: number,
  lots: number,
): void {
  const { core, accountMarkets, openOrders } = v;
  const level = (v.ladders[market] as Ladder).peek(price);
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  const hole = getWord(accountMarkets, accountMarketAt, AM_OPEN_HOLE);
  const used = getWord(accountMarkets, accountMarketAt, AM_OPEN_USED);
  if (level === 0 || (hole === 0 && used === getWord(accountMarkets, accountMarketAt, AM_OPEN_SIZE))) {
    core.books.ladder(market).reserve(price);
    core.accountMarkets.makeRoom(accountMarket);
    rest(core.views, market, slot, accountMarket, flags, price, lots);
    return;
  }
  const at = atOrder(slot) & v.orderMask;
  const isHidden = (flags & FLAG_ICEBERG) !== 0;
  setDouble(v.orderDoubles, at, OF_LOTS, isHidden ? hideRest(core, slot, lots) : lots);
  restOrder(v, market, slot, price, level);
  // Its place among the open orders: a hole where there is one.
  const start = getWord(accountMarkets, accountMarketAt, AM_OPEN_ORDERS) << OPEN_ORDERS_SHIFT;
  const place = hole !== 0 ? hole - 1 : used;
  if (hole !== 0) setWord(accountMarkets, accountMarketAt, AM_OPEN_HOLE, 0 - (openOrders[start + place] as number));
  else setWord(accountMarkets, accountMarketAt, AM_OPEN_USED, place + 1);
  openOrders[start + place] = slot;
  setWord(v.orderWords, at, O_OPEN_PLACE, place);
  addWord(accountMarkets, accountMarketAt, AM_RESTING, 1);
  if (((flags >> TIF_SHIFT) & 3) === TIF_GTD) core.timers.add(slot, getDouble(v.registers, 0, R_EXPIRES));
  writeDepth(v, market, flags & FLAG_SELL, price, levelLots(v, level));
}

/** Splits an iceberg's open lots into the slice shown, which is returned, and the part hidden. */
function hideRest(core: Core, slot: number, lots: number): number {
  const { orders, registers } = core.books;
  const at = atExtra(orders.extra(slot));
  const slice = getDouble(registers, 0, R_VISIBLE);
  const visible = Math.min(slice, lots);
  setDouble(orders.extras.f64, at, XF_SLICE, slice);
  setDouble(orders.extras.f64, at, XF_HIDDEN, lots - visible);
  return visible;
}
