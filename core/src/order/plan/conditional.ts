// Owns conditional orders until they are due: checking plans and making them wait. Never fires one.
// A sell that stands alone freezes what it protects; every other plan freezes nothing and may fail when due.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { CALLBACK_MAX_BPS, CALLBACK_MIN_BPS } from "@clockwork/kit/order-bounds";
import { R_LOTS } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  EVENT_FLAGS,
  FLAG_CONDITIONAL,
  FLAG_IN_QUOTE,
  FLAG_LIVE,
  FLAG_MARKET,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_OPEN_PLACE,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  POST_ONLY_SHIFT,
  STP_NONE,
  STP_SHIFT,
  TIF_SHIFT,
  X_CALLBACK,
  X_CONDITIONAL,
  X_DIRECTION,
  X_LEG,
  X_LIST,
  X_PEAK,
  X_SLIPPAGE,
  X_SOURCE,
  X_TRIGGER,
} from "../../book/orders.ts";
import { ACCOUNT_ALLOW_SELF_TRADE, ACCOUNT_BLOCK_TRADING } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_CONDITIONALS, AM_FLAGS, AM_SYMBOL_MARGIN } from "../../market/account-markets.ts";
import {
  M_CONDITIONAL_MAX,
  M_STATUS,
  MF_HOLD_BASE,
  MF_MAX_LOTS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_CANCEL_ONLY,
  STATUS_TRADING,
} from "../../market/markets.ts";
import { getWord, type Opened, setDouble, setWord } from "../../memory/record.ts";
import { SM_STOPS } from "../../perp/state/records.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { EVENTS, eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES, CONDITIONAL_TYPES, TRIGGER_DIRECTIONS, TRIGGER_SOURCES } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import {
  CONDITIONAL_STOP_LIMIT,
  CONDITIONAL_STOP_MARKET,
  CONDITIONAL_TRAILING,
  DIRECTION_RISES,
} from "../../trigger/triggers.ts";
import { writeId } from "../end/cancel-all.ts";
import { recordClientId } from "../end/client-ids.ts";
import { conditionalHold, holdCell } from "../end/finish.ts";
import { sourcePrice } from "../end/prices.ts";

/** A plan that waits, in conditionalAccepted and conditionalAmended. */
const PLAN = eventPlaces("conditionalAccepted");

const PLACE_CONDITIONAL = commandPlaces("placeConditional");

/** Stops of positions count apart; see perp/stops. */
const LEG_STOPS = 3;
const BUSINESS_TRADE = BUSINESSES.indexOf("trade");

/** Members of a plan, read from a command or set by a list. */
export interface Plan {
  readonly type: number;
  readonly source: number;
  readonly direction: number;
  readonly trigger: number;
  readonly callbackBps: number;
  readonly slippageBps: number;
  readonly list: number;
  readonly leg: number;
}

function countStops(core: Core, accountMarket: number): number {
  const symbolMargin = core.accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
  return symbolMargin === 0 ? 0 : core.perps.symbolMargin(symbolMargin, SM_STOPS);
}

export function placeConditional(
  core: Core,
  accountMarket: number,
  market: number,
  givenFlags: number,
  price: number,
  text: number,
): number {
  const type = core.readByte(PLACE_CONDITIONAL.conditional);
  const flags =
    type === CONDITIONAL_STOP_MARKET
      ? givenFlags | FLAG_MARKET
      : type === CONDITIONAL_STOP_LIMIT
        ? givenFlags & ~FLAG_MARKET
        : givenFlags;
  const sell = (flags & FLAG_SELL) !== 0;
  const plan: Plan = {
    type,
    source: core.readByte(PLACE_CONDITIONAL.source),
    // A trailing sell waits for a rise to its activation; the direction given does not matter.
    direction: type === CONDITIONAL_TRAILING ? (sell ? 0 : 1) : core.readByte(PLACE_CONDITIONAL.direction),
    trigger: core.readWord(PLACE_CONDITIONAL.trigger),
    callbackBps: core.readWord(PLACE_CONDITIONAL.callbackBps),
    slippageBps: core.readHalf(PLACE_CONDITIONAL.slippageBps),
    list: 0,
    leg: 0,
  };
  const code = checkPlan(core, accountMarket, market, flags, price, plan);
  if (code !== 0) return code;
  const slot = addPlan(core, accountMarket, market, flags, price, plan, text);
  core.placedSlot = slot;
  return 0;
}

/** The checks of an order, as far as they can be made before it is due. */
export function checkPlan(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  plan: Plan,
): number {
  const status = core.markets.word(market, M_STATUS);
  if ((core.accountMarkets.word(accountMarket, AM_FLAGS) & ACCOUNT_BLOCK_TRADING) !== 0) return REJECT.ACCOUNT_BLOCKED;
  if (status === STATUS_CANCEL_ONLY) return REJECT.MARKET_CANCEL_ONLY;
  if (status !== STATUS_TRADING) return REJECT.MARKET_NOT_TRADING;
  const code =
    checkPlanShape(core, flags, price, plan) ||
    checkPlanTrigger(core, market, plan) ||
    checkPlanSize(core, market, flags, price, plan);
  if (code !== 0) return code;
  const limit = core.markets.word(market, M_CONDITIONAL_MAX);
  if (
    plan.leg !== LEG_STOPS &&
    core.accountMarkets.word(accountMarket, AM_CONDITIONALS) >= limit + countStops(core, accountMarket)
  ) {
    core.checkLimit[0] = limit;
    return REJECT.TOO_MANY_CONDITIONALS;
  }
  if (plan.list === 0 && (flags & FLAG_SELL) !== 0) {
    const cell = holdCell(core, accountMarket, flags);
    if (
      core.ledger.available(cell) <
      (core.books.registers[R_LOTS] as number) * core.markets.double(market, MF_HOLD_BASE)
    ) {
      core.checkLimit[0] = core.ledger.available(cell);
      return REJECT.INSUFFICIENT_BALANCE;
    }
  }
  const allowed = (core.accountMarkets.word(accountMarket, AM_FLAGS) & ACCOUNT_ALLOW_SELF_TRADE) !== 0;
  return ((flags >> STP_SHIFT) & 7) >= STP_NONE && !allowed ? REJECT.SELF_TRADE_MODE_FORBIDDEN : 0;
}

function checkPlanShape(core: Core, flags: number, price: number, plan: Plan): number {
  const lots = core.books.registers[R_LOTS] as number;
  if (
    plan.type >= CONDITIONAL_TYPES.length ||
    plan.source >= TRIGGER_SOURCES.length ||
    plan.direction >= TRIGGER_DIRECTIONS.length
  ) {
    return REJECT.MALFORMED_COMMAND;
  }
  if ((flags & FLAG_MARKET) === 0 && (price <= 0 || price > PRICE_TICKS_MAX)) return REJECT.INVALID_PRICE;
  if (!(lots >= 1) || !Number.isSafeInteger(lots)) return REJECT.INVALID_QUANTITY;
  const inQuote = (flags & FLAG_IN_QUOTE) !== 0;
  if (inQuote && ((flags & FLAG_MARKET) === 0 || (flags & FLAG_SELL) !== 0)) return REJECT.INVALID_COMBINATION;
  if ((flags & FLAG_MARKET) !== 0 && ((flags >> POST_ONLY_SHIFT) & 3) !== 0) return REJECT.INVALID_COMBINATION;
  if (((flags >> TIF_SHIFT) & 3) === 3) return REJECT.INVALID_COMBINATION;
  return 0;
}

function checkPlanTrigger(core: Core, market: number, plan: Plan): number {
  const now = sourcePrice(core, market, plan.source);
  if (plan.type === CONDITIONAL_TRAILING) {
    if (plan.callbackBps < CALLBACK_MIN_BPS || plan.callbackBps > CALLBACK_MAX_BPS) return REJECT.INVALID_CALLBACK;
    if (plan.trigger < 0 || plan.trigger > PRICE_TICKS_MAX) return REJECT.INVALID_TRIGGER;
    return plan.trigger === 0 && now === 0 ? REJECT.NO_REFERENCE_PRICE : 0;
  }
  if (plan.trigger <= 0 || plan.trigger > PRICE_TICKS_MAX) return REJECT.INVALID_TRIGGER;
  if (now === 0) return REJECT.NO_REFERENCE_PRICE;
  const already = plan.direction === DIRECTION_RISES ? now >= plan.trigger : now <= plan.trigger;
  return already ? core.refuse(REJECT.TRIGGER_ALREADY_TRUE, now) : 0;
}

function checkPlanSize(core: Core, market: number, flags: number, price: number, plan: Plan): number {
  const lots = core.books.registers[R_LOTS] as number;
  const minNotional = core.markets.double(market, MF_MIN_NOTIONAL);
  if ((flags & FLAG_IN_QUOTE) !== 0)
    return lots < minNotional ? core.refuse(REJECT.NOTIONAL_TOO_SMALL, minNotional) : 0;
  const minLots = core.markets.double(market, MF_MIN_LOTS);
  if (lots < minLots) return core.refuse(REJECT.QUANTITY_TOO_SMALL, minLots);
  const maxLots = core.markets.double(market, MF_MAX_LOTS);
  if (lots > maxLots) return core.refuse(REJECT.QUANTITY_TOO_LARGE, maxLots);
  const at =
    (flags & FLAG_MARKET) === 0 ? price : plan.trigger === 0 ? sourcePrice(core, market, plan.source) : plan.trigger;
  const notional = at * lots * core.markets.double(market, MF_TICK_LOT_UNITS);
  if (notional < minNotional) return core.refuse(REJECT.NOTIONAL_TOO_SMALL, minNotional);
  const tooLarge =
    notional > Number.MAX_SAFE_INTEGER || lots * core.markets.double(market, MF_STEP_UNITS) > Number.MAX_SAFE_INTEGER;
  return tooLarge ? core.refuse(REJECT.NOTIONAL_TOO_LARGE, Number.MAX_SAFE_INTEGER) : 0;
}

/** Makes the plan wait, under the client id read from the word `text`, −1 for none; returns its slot. */
export function addPlan(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  plan: Plan,
  text = -1,
): number {
  const orders = core.books.orders;
  const lots = core.books.registers[R_LOTS] as number;
  const slot = orders.take();
  const base = atOrder(slot);
  const extra = orders.extra(slot);
  setWord(orders.table.i32, base, O_FLAGS, (market << 16) | (flags & EVENT_FLAGS) | FLAG_CONDITIONAL | FLAG_LIVE);
  setWord(orders.table.i32, base, O_PRICE, price);
  setWord(orders.table.i32, base, O_ACCOUNT_MARKET, accountMarket);
  setDouble(orders.table.f64, atOrder(slot), OF_LOTS, lots);
  setDouble(orders.table.f64, atOrder(slot), OF_FILLED, 0);
  setDouble(orders.table.f64, atOrder(slot), OF_SEQUENCE, core.sequence);
  const at = atExtra(extra);
  const extras = orders.extras.i32;
  setWord(extras, at, X_CONDITIONAL, plan.type);
  setWord(extras, at, X_SOURCE, plan.source);
  setWord(extras, at, X_DIRECTION, plan.direction);
  setWord(extras, at, X_TRIGGER, plan.trigger);
  setWord(extras, at, X_CALLBACK, plan.callbackBps);
  setWord(extras, at, X_SLIPPAGE, plan.slippageBps);
  setWord(extras, at, X_LIST, plan.list);
  setWord(extras, at, X_LEG, plan.leg);
  if (plan.type === CONDITIONAL_TRAILING && plan.trigger === 0)
    setWord(extras, at, X_PEAK, sourcePrice(core, market, plan.source));
  setWord(orders.table.i32, base, O_OPEN_PLACE, core.accountMarkets.addOpenOrder(accountMarket, slot));
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, 1);
  core.triggers.add(market, slot);
  const units = conditionalHold(core, slot);
  const cell = holdCell(core, accountMarket, flags);
  if (units !== 0) core.ledger.freeze(cell, units);
  emitPlan(core, EVENTS.conditionalAccepted.kind, slot, accountMarket, market, plan, lots, units);
  if (units !== 0) core.emitFrozen(BUSINESS_TRADE, cell, units, orders.id(slot));
  if (text >= 0) recordClientId(core, slot, text);
  return slot;
}

/** Tells a plan as it is now: newly accepted or changed. */
export function emitPlan(
  core: Core,
  kind: number,
  slot: number,
  accountMarket: number,
  market: number,
  plan: Plan,
  lots: number,
  units: number,
): void {
  const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
  const record: Opened<"conditionalAccepted"> = core.events.openClean(
    kind,
    plan.type,
    flags & EVENT_FLAGS,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  const { events, books } = core;
  writeId(core, record, PLAN.orderId, slot);
  events.setWord(record, PLAN.market, market);
  events.setWord(record, PLAN.price, getWord(books.orderWords, atOrder(slot), O_PRICE));
  events.setDouble(record, PLAN.quantity, lots);
  events.setWord(record, PLAN.trigger, plan.trigger);
  events.setWord(record, PLAN.callbackBps, plan.callbackBps);
  events.setByte(record, PLAN.source, plan.source);
  events.setByte(record, PLAN.direction, plan.direction);
  const extra = getWord(books.orderWords, atOrder(slot), O_EXTRA);
  events.setWord(record, PLAN.peak, getWord(books.orders.extras.i32, atExtra(extra), X_PEAK));
  events.setDouble(record, PLAN.heldUnits, units);
}
