// Owns changing what waits, in place and in one command: plans that stand alone, both legs of an OCO, and the exits of a
// bracket. A refused change leaves everything as it was, so that nothing is unprotected for a moment.

import { assert } from "@clockwork/kit/assert";
import { openLots, R_LOTS } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  FLAG_CONDITIONAL,
  FLAG_MARKET,
  FLAG_ROLE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_PRICE,
  OF_LOTS,
  OF_SEQUENCE,
  X_CALLBACK,
  X_CONDITIONAL,
  X_DIRECTION,
  X_ENTRY,
  X_LEG,
  X_LIST,
  X_PEAK,
  X_PROFIT,
  X_PROFIT_PRICE,
  X_SLICE,
  X_SLIPPAGE,
  X_SOURCE,
  X_STOP,
  X_STOP_PRICE,
  X_TRIGGER,
  XF_HELD,
} from "../../book/orders.ts";
import { AM_CONDITIONALS, AM_RESTING } from "../../market/account-markets.ts";
import { getDouble, getWord, setDouble, setWord } from "../../memory/record.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { EVENTS } from "../../protocol/event.ts";
import { BUSINESSES, LIST_TYPES } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { CONDITIONAL_TRAILING } from "../../trigger/triggers.ts";
import { conditionalHold, heldBeyond, holdCell, holdUnits } from "../end/finish.ts";
import { LEG_ENTRY, LEG_PROFIT, LEG_STOP, LIST_PROFIT_FILLED } from "../end/list-fills.ts";
import { SOURCE_LAST, sourcePrice } from "../end/prices.ts";
import { changeResting, findOrder, unknown } from "../entry/cancel.ts";
import { checkOrder, codeOf, R_NEED, R_RESERVE } from "../entry/checks.ts";
import { checkPlan, emitPlan, type Plan } from "./conditional.ts";
import {
  double,
  emitLeg,
  listHeldCell,
  releaseSurplus,
  setDouble as setListDouble,
  setWord as setListWord,
  word,
} from "./list-record.ts";
import { stopSurplus } from "./lists.ts";

const AMEND_PLAN = commandPlaces("amendPlan");

const BUSINESS_TRADE = BUSINESSES.indexOf("trade");
const TYPE_OCO = LIST_TYPES.indexOf("oco");
const KIND_AMENDED = EVENTS.conditionalAmended.kind;

/** What is asked for; 0 keeps what there is. */
export interface Change {
  readonly price: number;
  readonly quantity: number;
  readonly trigger: number;
  readonly callbackBps: number;
}

/** A plan as it is to be. */
interface NextPlan {
  readonly slot: number;
  readonly price: number;
  readonly lots: number;
  readonly plan: Plan;
}

export function amendPlan(core: Core, account: number): number {
  const slot = findOrder(core, account, 56);
  if (slot === 0) return unknown(core, account);
  const change: Change = {
    price: core.readWord(AMEND_PLAN.price),
    quantity: core.readDouble(AMEND_PLAN.quantity),
    trigger: core.readWord(AMEND_PLAN.trigger),
    callbackBps: core.readWord(AMEND_PLAN.callbackBps),
  };
  const base = atOrder(slot);
  const flags = getWord(core.books.orderWords, base, O_FLAGS);
  // Slicers are withdrawn, not changed; lists and switches are no orders.
  if ((flags & FLAG_ROLE) !== 0) return REJECT.AMEND_NOT_ALLOWED;
  const waits = (flags & FLAG_CONDITIONAL) !== 0;
  // One that is due has left its waiting place.
  if (waits && getWord(core.books.orderWords, base, O_LEVEL) === 0) return REJECT.AMEND_NOT_ALLOWED;
  if (!(change.quantity >= 0) || change.quantity > Number.MAX_SAFE_INTEGER || !Number.isInteger(change.quantity))
    return REJECT.INVALID_QUANTITY;
  const list = word(core, slot, X_LIST);
  if (list === 0) return waits ? amendAlone(core, slot, change) : REJECT.AMEND_NOT_ALLOWED;
  const leg = word(core, slot, X_LEG);
  if (leg !== LEG_PROFIT && leg !== LEG_STOP) return REJECT.AMEND_NOT_ALLOWED;
  if (leg === LEG_PROFIT && (change.trigger !== 0 || change.callbackBps !== 0)) return REJECT.INVALID_COMBINATION;
  if (word(core, list, X_CONDITIONAL) === TYPE_OCO) return amendOco(core, list, leg, change);
  return amendExit(core, list, slot, leg, change);
}

/** The plan with its changes; a code when they do not fit its kind. */
export function nextPlan(core: Core, slot: number, change: Change): NextPlan | number {
  const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
  const extras = core.books.orders.extras.i32;
  const at = atExtra(getWord(core.books.orderWords, atOrder(slot), O_EXTRA));
  const type = getWord(extras, at, X_CONDITIONAL);
  const trails = type === CONDITIONAL_TRAILING;
  if (change.price !== 0 && (flags & FLAG_MARKET) !== 0) return REJECT.INVALID_COMBINATION;
  if (change.callbackBps !== 0 && !trails) return REJECT.INVALID_COMBINATION;
  // A stop that follows the price already has no activation any more.
  if (trails && change.trigger !== 0 && getWord(extras, at, X_PEAK) !== 0) return REJECT.AMEND_NOT_ALLOWED;
  const plan: Plan = {
    type,
    source: getWord(extras, at, X_SOURCE),
    direction: getWord(extras, at, X_DIRECTION),
    trigger: change.trigger === 0 ? getWord(extras, at, X_TRIGGER) : change.trigger,
    callbackBps: change.callbackBps === 0 ? getWord(extras, at, X_CALLBACK) : change.callbackBps,
    slippageBps: getWord(extras, at, X_SLIPPAGE),
    list: getWord(extras, at, X_LIST),
    leg: getWord(extras, at, X_LEG),
  };
  const oldPrice = getWord(core.books.orderWords, atOrder(slot), O_PRICE);
  const oldLots = getDouble(core.books.orderDoubles, atOrder(slot), OF_LOTS);
  return {
    slot,
    plan,
    price: change.price === 0 ? oldPrice : change.price,
    lots: change.quantity === 0 ? oldLots : change.quantity,
  };
}

export function isSame(core: Core, { slot, price, lots, plan }: NextPlan): boolean {
  return (
    price === getWord(core.books.orderWords, atOrder(slot), O_PRICE) &&
    lots === getDouble(core.books.orderDoubles, atOrder(slot), OF_LOTS) &&
    plan.trigger === word(core, slot, X_TRIGGER) &&
    plan.callbackBps === word(core, slot, X_CALLBACK)
  );
}

/** The checks of a new plan, with this one's own place in the count free. */
export function checkNext(core: Core, next: NextPlan): number {
  const { slot, price, plan } = next;
  const base = atOrder(slot);
  const flags = getWord(core.books.orderWords, base, O_FLAGS);
  const accountMarket = getWord(core.books.orderWords, base, O_ACCOUNT_MARKET);
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, -1);
  core.books.registers[R_LOTS] = next.lots;
  const code = checkPlan(core, accountMarket, flags >>> 16, flags & 0xffff & ~FLAG_CONDITIONAL, price, plan);
  core.accountMarkets.bump(accountMarket, AM_CONDITIONALS, 1);
  return code === 0 ? checkFollowed(core, next) : code;
}

/** A stop that follows must not be due by its new callback. */
function checkFollowed(core: Core, { slot, plan }: NextPlan): number {
  const peak = word(core, slot, X_PEAK);
  if (plan.type !== CONDITIONAL_TRAILING || peak === 0) return 0;
  const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
  const now = sourcePrice(core, flags >>> 16, plan.source);
  const isDue =
    (flags & FLAG_SELL) !== 0
      ? now * 10_000 <= peak * (10_000 - plan.callbackBps)
      : now * 10_000 >= peak * (10_000 + plan.callbackBps);
  return isDue ? core.refuse(REJECT.TRIGGER_ALREADY_TRUE, now) : 0;
}

/** Writes the plan and tells it. Another trigger is another waiting place, behind those already there. */
export function keepPlan(core: Core, { slot, price, lots, plan }: NextPlan, units: number): void {
  const { orders } = core.books;
  const base = atOrder(slot);
  const market = getWord(orders.table.i32, base, O_FLAGS) >>> 16;
  const moves = plan.trigger !== word(core, slot, X_TRIGGER) && plan.type !== CONDITIONAL_TRAILING;
  if (moves) core.triggers.remove(market, slot);
  setWord(orders.table.i32, base, O_PRICE, price);
  setDouble(orders.table.f64, atOrder(slot), OF_LOTS, lots);
  setListWord(core, slot, X_TRIGGER, plan.trigger);
  setListWord(core, slot, X_CALLBACK, plan.callbackBps);
  if (moves) {
    setDouble(orders.table.f64, atOrder(slot), OF_SEQUENCE, core.sequence);
    core.triggers.add(market, slot);
  }
  emitPlan(core, KIND_AMENDED, slot, getWord(orders.table.i32, base, O_ACCOUNT_MARKET), market, plan, lots, units);
}

function amendAlone(core: Core, slot: number, change: Change): number {
  const next = nextPlan(core, slot, change);
  if (typeof next === "number") return next;
  // Stops of positions have a command of their own.
  if (next.plan.leg !== 0) return REJECT.AMEND_NOT_ALLOWED;
  if (isSame(core, next)) return REJECT.AMEND_NO_CHANGE;
  const base = atOrder(slot);
  const flags = getWord(core.books.orderWords, base, O_FLAGS);
  const cell = holdCell(core, getWord(core.books.orderWords, base, O_ACCOUNT_MARKET), flags);
  const held = conditionalHold(core, slot);
  // Its own money is free for its new form, and returns when a check fails.
  core.ledger.unfreeze(cell, held);
  const code = checkNext(core, next);
  core.ledger.freeze(cell, held);
  if (code !== 0) return code;
  setDouble(core.books.orderDoubles, atOrder(slot), OF_LOTS, next.lots);
  const units = conditionalHold(core, slot);
  keepPlan(core, next, units);
  // Less than before gives the rest back.
  core.ledger.freeze(cell, units - held);
  if (units !== held) core.emitFrozen(BUSINESS_TRADE, cell, units - held, core.books.orders.id(slot));
  return 0;
}

/** An exit of a bracket keeps the quantity its entry brought in; what is still to be armed gets the new prices too. */
function amendExit(core: Core, list: number, slot: number, leg: number, change: Change): number {
  if (change.quantity !== 0) return REJECT.AMEND_NOT_ALLOWED;
  if (leg === LEG_PROFIT) {
    const code = changeResting(core, slot, change.price, 0);
    if (code !== 0) return code;
    setListWord(core, list, X_PROFIT_PRICE, change.price);
  } else {
    const next = nextPlan(core, slot, change);
    if (typeof next === "number") return next;
    if (isSame(core, next)) return REJECT.AMEND_NO_CHANGE;
    const code = checkNext(core, next);
    if (code !== 0) return code;
    keepPlan(core, next, 0);
    setListWord(core, list, X_TRIGGER, next.plan.trigger);
    setListWord(core, list, X_STOP_PRICE, next.price);
  }
  const entry = word(core, list, X_ENTRY);
  if (entry !== 0) emitLeg(core, list, LEG_ENTRY, core.books.orders.id(entry));
  return 0;
}

/** Both legs as they are to be: checked as a new OCO with their own money free, then changed one after the other. */
function amendOco(core: Core, list: number, leg: number, change: Change): number {
  const stop = word(core, list, X_STOP);
  const profit = word(core, list, X_PROFIT);
  // Decided already, though its list may still wait for its turn.
  const isDecided = (word(core, list, X_SLICE) & LIST_PROFIT_FILLED) !== 0;
  if (stop === 0 || profit === 0 || isDecided) return REJECT.AMEND_NOT_ALLOWED;
  const oldPrice = getWord(core.books.orderWords, atOrder(profit), O_PRICE);
  const open = openLots(core.books, profit);
  const price = leg === LEG_PROFIT && change.price !== 0 ? change.price : oldPrice;
  const next = nextPlan(core, stop, leg === LEG_PROFIT ? { ...change, price: 0 } : change);
  if (typeof next === "number") return next;
  const profitMoves = price !== oldPrice || next.lots !== open;
  if (!profitMoves && isSame(core, next)) return REJECT.AMEND_NO_CHANGE;
  const code = checkOco(core, list, profit, price, next);
  if (code !== 0) return code;
  const surplus = core.checkLimit[0] as number;
  core.checkLimit[0] = 0;
  if (surplus !== double(core, list, XF_HELD)) releaseSurplus(core, list);
  if (!isSame(core, next)) keepPlan(core, next, 0);
  if (profitMoves) {
    const changed = changeResting(core, profit, price, next.lots);
    assert(changed === 0, "LIST-1", "a limit leg that was checked was refused");
  }
  if (surplus !== double(core, list, XF_HELD)) {
    const cell = listHeldCell(core, list);
    core.ledger.freeze(cell, surplus);
    setListDouble(core, list, XF_HELD, surplus);
    core.emitFrozen(BUSINESS_TRADE, cell, surplus, core.books.orders.id(list));
  }
  return 0;
}

function accountMarketOf(core: Core, slot: number): number {
  return getWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET);
}

/** As a new OCO is checked. When all is well the surplus the stop leg needs is left in `checkLimit`. */
function checkOco(core: Core, list: number, profit: number, price: number, next: NextPlan): number {
  const flags = getWord(core.books.orderWords, atOrder(profit), O_FLAGS);
  const market = flags >>> 16;
  const sell = (flags & FLAG_SELL) !== 0;
  const last = sourcePrice(core, market, SOURCE_LAST);
  const { trigger } = next.plan;
  if (sell ? !(price > last && trigger < last) : !(price < last && trigger > last)) return REJECT.INVALID_OCO_PRICES;
  const planned = checkNext(core, next);
  if (planned !== 0) return planned;
  const accountMarket = accountMarketOf(core, profit);
  const cell = holdCell(core, accountMarket, flags);
  const oldPrice = getWord(core.books.orderWords, atOrder(profit), O_PRICE);
  const open = openLots(core.books, profit);
  const perp = core.perps.isPerp(market);
  const freed =
    (perp ? 0 : holdUnits(core, market, flags, oldPrice, open) + heldBeyond(core, profit)) +
    double(core, list, XF_HELD);
  if (perp) addExposure(core.views, accountMarket, market, flags, oldPrice, 0 - open);
  core.ledger.unfreeze(cell, freed);
  core.accountMarkets.bump(accountMarket, AM_RESTING, -1);
  core.books.registers[R_LOTS] = next.lots;
  let code = codeOf(checkOrder(core.views, accountMarket, market, flags & 0xffff, price, 0, 0));
  const held = (core.books.registers[R_NEED] as number) + (core.books.registers[R_RESERVE] as number);
  const surplus = stopSurplus(core, accountMarket, market, flags, held, trigger, next.price, next.lots);
  const available = core.ledger.available(cell);
  if (code === 0 && !perp && available < held + surplus) code = core.refuse(REJECT.INSUFFICIENT_BALANCE, available);
  if (perp) addExposure(core.views, accountMarket, market, flags, oldPrice, open);
  core.ledger.freeze(cell, freed);
  core.accountMarkets.bump(accountMarket, AM_RESTING, 1);
  if (code === 0) core.checkLimit[0] = surplus;
  return code;
}
