// Owns the record behind an order list: its legs, what it holds beyond them, and how a leg joins it.
// Never decides when a list changes.
import {
  EXTRA_DOUBLE_SHIFT,
  EXTRA_SHIFT,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  ORDER_SHIFT,
  X_CONDITIONAL,
  X_ENTRY,
  X_PROFIT_PRICE,
  X_STOP_PRICE,
  X_TRIGGER,
  XF_HELD,
} from "../../book/orders.ts";
import { AM_ACCOUNT } from "../../market/account-markets.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES, LIST_TYPES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { CONDITIONAL_STOP_LIMIT, CONDITIONAL_STOP_MARKET } from "../../trigger/triggers.ts";
import { writeId } from "../end/cancel-all.ts";
import { holdCell } from "../end/finish.ts";
import { LEG_ENTRY, LEG_STOP } from "../end/list-fills.ts";
import { submitOrder } from "../entry/place.ts";
import type { Plan } from "./conditional.ts";

const LIST_LEG = eventPlaces("listLeg");

const TYPE_BRACKET = LIST_TYPES.indexOf("bracket");
const BUSINESS_TRADE = BUSINESSES.indexOf("trade");

export function word(core: Core, list: number, which: number): number {
  const extra = core.books.orderWords[(list << ORDER_SHIFT) | O_EXTRA] as number;
  return core.books.orders.extras.i32[(extra << EXTRA_SHIFT) + which] as number;
}

export function setWord(core: Core, list: number, which: number, value: number): void {
  const extra = core.books.orderWords[(list << ORDER_SHIFT) | O_EXTRA] as number;
  core.books.orders.extras.i32[(extra << EXTRA_SHIFT) + which] = value;
}

export function double(core: Core, list: number, which: number): number {
  const extra = core.books.orderWords[(list << ORDER_SHIFT) | O_EXTRA] as number;
  return core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) + which] as number;
}

export function setDouble(core: Core, list: number, which: number, value: number): void {
  const extra = core.books.orderWords[(list << ORDER_SHIFT) | O_EXTRA] as number;
  core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) + which] = value;
}

/** Tells that an order is now this leg; `orderId` because the order may already be gone. */
export function emitLeg(core: Core, list: number, leg: number, orderId: number): void {
  const accountMarket = core.books.orderWords[(list << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number;
  const record = core.events.openClean(
    LIST_LEG.kind,
    leg,
    0,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  writeId(core, record, LIST_LEG.list, list);
  core.events.setId(record, LIST_LEG.orderId, orderId % 0x1000000, Math.floor(orderId / 0x1000000));
  core.events.setWord(
    record,
    LIST_LEG.market,
    (core.books.orderWords[(list << ORDER_SHIFT) | O_FLAGS] as number) >>> 16,
  );
  if (leg !== LEG_ENTRY) return;
  core.events.setWord(record, LIST_LEG.profitPrice, word(core, list, X_PROFIT_PRICE));
  core.events.setWord(record, LIST_LEG.stopTrigger, word(core, list, X_TRIGGER));
  core.events.setWord(record, LIST_LEG.stopPrice, word(core, list, X_STOP_PRICE));
}

export function stopPlan(
  list: number,
  sell: boolean,
  source: number,
  trigger: number,
  stopPrice: number,
  slippageBps: number,
): Plan {
  const type = stopPrice !== 0 ? CONDITIONAL_STOP_LIMIT : CONDITIONAL_STOP_MARKET;
  // A selling stop falls to its trigger, a buying one rises to it.
  return { type, source, direction: sell ? 1 : 0, trigger, callbackBps: 0, slippageBps, list, leg: LEG_STOP };
}

/** Submits an order as a leg; false when it was refused, which has then been reported. */
export function submitLeg(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  list: number,
  leg: number,
  text = -1,
): boolean {
  core.checkLimit[0] = 0;
  const code = submitOrder(core, accountMarket, market, flags, price, 0, list, leg, 0, text);
  if (code !== 0) {
    core.emitRejected(
      code,
      core.accountMarkets.word(accountMarket, AM_ACCOUNT),
      market,
      0,
      core.checkLimit[0] as number,
    );
    return false;
  }
  setWord(core, list, X_ENTRY + leg, core.placedSlot);
  emitLeg(core, list, leg, core.placed[0] as number);
  return true;
}

export function releaseSurplus(core: Core, list: number): void {
  const held = double(core, list, XF_HELD);
  if (held === 0) return;
  const cell = listHeldCell(core, list);
  setDouble(core, list, XF_HELD, 0);
  core.ledger.unfreeze(cell, held);
  core.emitFrozen(BUSINESS_TRADE, cell, -held, core.books.orders.id(list));
}

/** The cell a list freezes in beyond its legs: a bracket's exits trade against its entry's side. */
export function listHeldCell(core: Core, list: number): number {
  const orders = core.books.orderWords;
  const flags = orders[(list << ORDER_SHIFT) | O_FLAGS] as number;
  const side = word(core, list, X_CONDITIONAL) === TYPE_BRACKET ? flags ^ FLAG_SELL : flags;
  return holdCell(core, orders[(list << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number, side);
}

export function listHeldUnits(core: Core, list: number): number {
  return double(core, list, XF_HELD);
}
