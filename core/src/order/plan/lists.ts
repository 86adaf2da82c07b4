// Owns order lists: OCO (a limit and a stop, one cancels the other) and brackets (an entry whose exits are armed
// fill by fill). A list is a slot that knows its legs; legs know their list. Lists are worked off between matches.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { R_LOTS } from "../../book/book.ts";
import {
  EVENT_FLAGS,
  EXTRA_SHIFT,
  FLAG_IN_QUOTE,
  FLAG_LIVE,
  FLAG_MARKET,
  FLAG_ROLE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  ORDER_SHIFT,
  ROLE_LIST,
  X_CONDITIONAL,
  X_ENTRY,
  X_LIST,
  X_PROFIT,
  X_PROFIT_PRICE,
  X_ROLE,
  X_SLICE,
  X_SLIPPAGE,
  X_SOURCE,
  X_STOP,
  X_STOP_PRICE,
  X_TRIGGER,
  XF_HELD,
} from "../../book/orders.ts";
import { ACCOUNT_FEE_IN_QUOTE } from "../../ledger/ledger.ts";
import { AM_ACCOUNT, AM_FLAGS, AM_LISTS, AM_TAKER_RATE } from "../../market/account-markets.ts";
import { M_LIST_MAX, M_SLIPPAGE_BPS, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES, END_REASONS, LIST_TYPES } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import { writeId } from "../end/cancel-all.ts";
import { endOrder, holdCell } from "../end/finish.ts";
import { LEG_ENTRY, LEG_PROFIT, LEG_STOP, LIST_PROFIT_FILLED } from "../end/list-fills.ts";
import { SOURCE_LAST, sourcePrice } from "../end/prices.ts";
import { checkOrder, codeOf, R_NEED, R_RESERVE } from "../entry/checks.ts";
import { submitOrder } from "../entry/place.ts";
import { addPlan, checkPlan } from "./conditional.ts";
import { armExits } from "./exits.ts";
import { emitLeg, releaseSurplus, setDouble, setWord, stopPlan, submitLeg, word } from "./list-record.ts";

const LIST_CREATED = eventPlaces("listCreated");
const LIST_ENDED = eventPlaces("listEnded");

const REASON_SIBLING = END_REASONS.indexOf("LIST_SIBLING");
const REASON_DONE = END_REASONS.indexOf("LIST_DONE");
const REASON_USER = END_REASONS.indexOf("USER");
const BUSINESS_TRADE = BUSINESSES.indexOf("trade");
const TYPE_OCO = LIST_TYPES.indexOf("oco");
const TYPE_BRACKET = LIST_TYPES.indexOf("bracket");

function openList(core: Core, accountMarket: number, market: number, flags: number, type: number): number {
  const orders = core.books.orders;
  const list = orders.take();
  orders.extra(list);
  orders.table.i32[(list << ORDER_SHIFT) | O_FLAGS] = (market << 16) | (flags & EVENT_FLAGS) | FLAG_ROLE | FLAG_LIVE;
  orders.table.i32[(list << ORDER_SHIFT) | O_ACCOUNT_MARKET] = accountMarket;
  setWord(core, list, X_ROLE, ROLE_LIST);
  setWord(core, list, X_CONDITIONAL, type);
  core.accountMarkets.bump(accountMarket, AM_LISTS, 1);
  const record = core.events.openClean(
    LIST_CREATED.kind,
    type,
    0,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  writeId(core, record, LIST_CREATED.list, list);
  core.events.setWord(record, LIST_CREATED.market, market);
  return list;
}

/** What a buying stop leg would need beyond its limit leg, fees included; a selling one needs the same base. */
export function stopSurplus(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  held: number,
  trigger: number,
  stopPrice: number,
  lots: number,
): number {
  // Perpetuals freeze nothing for an order: the stop asks for its margin when it fires.
  if ((flags & FLAG_SELL) !== 0 || core.perps.isPerp(market)) return 0;
  const slippage = core.markets.word(market, M_SLIPPAGE_BPS);
  const worst =
    stopPrice !== 0 ? stopPrice : Math.min(PRICE_TICKS_MAX, Math.floor((trigger * (10_000 + slippage)) / 10_000));
  const need = worst * lots * core.markets.double(market, MF_TICK_LOT_UNITS);
  const paysInQuote = (core.accountMarkets.word(accountMarket, AM_FLAGS) & ACCOUNT_FEE_IN_QUOTE) !== 0;
  const reserve = paysInQuote ? feeCeil(need, core.accountMarkets.word(accountMarket, AM_TAKER_RATE)) : 0;
  return Math.max(0, need + reserve - held);
}

function checkLists(core: Core, accountMarket: number, market: number): number {
  const limit = core.markets.word(market, M_LIST_MAX);
  return core.accountMarkets.word(accountMarket, AM_LISTS) >= limit ? core.refuse(REJECT.TOO_MANY_LISTS, limit) : 0;
}

export function placeOco(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  text: number,
): number {
  const registers = core.books.registers;
  const lots = registers[R_LOTS] as number;
  const source = core.inputByte(48);
  const trigger = core.inputWord(52);
  const stopPrice = core.inputWord(56);
  const sell = (flags & FLAG_SELL) !== 0;
  if ((flags & (FLAG_MARKET | FLAG_IN_QUOTE)) !== 0) return REJECT.INVALID_COMBINATION;
  const last = sourcePrice(core, market, SOURCE_LAST);
  if (last === 0) return REJECT.NO_REFERENCE_PRICE;
  if (sell ? !(price > last && trigger < last) : !(price < last && trigger > last)) return REJECT.INVALID_OCO_PRICES;
  const stopFlags = stopPrice !== 0 ? flags : flags | FLAG_MARKET;
  const plan = stopPlan(-1, sell, source, trigger, stopPrice, 0);
  let code = checkPlan(core, accountMarket, market, stopFlags & ~(3 << 4), stopPrice, plan);
  if (code === 0) code = codeOf(checkOrder(core.views, accountMarket, market, flags, price, 0, 0));
  if (code === 0) code = checkLists(core, accountMarket, market);
  if (code !== 0) return code;
  const held = (registers[R_NEED] as number) + (registers[R_RESERVE] as number);
  const surplus = stopSurplus(core, accountMarket, market, flags, held, trigger, stopPrice, lots);
  const cell = holdCell(core, accountMarket, flags);
  const available = core.ledger.available(cell);
  if (available < held + surplus) return core.refuse(REJECT.INSUFFICIENT_BALANCE, available);
  const list = openList(core, accountMarket, market, flags, TYPE_OCO);
  // The stop leg waits first, so that a limit leg that trades at once finds it to cancel.
  const stop = addPlan(core, accountMarket, market, stopFlags & ~(3 << 4), stopPrice, { ...plan, list });
  setWord(core, list, X_STOP, stop);
  emitLeg(core, list, LEG_STOP, core.books.orders.id(stop));
  if (surplus !== 0) {
    core.ledger.freeze(cell, surplus);
    setDouble(core, list, XF_HELD, surplus);
    core.emitFrozen(BUSINESS_TRADE, cell, surplus, core.books.orders.id(list));
  }
  registers[R_LOTS] = lots;
  submitLeg(core, accountMarket, market, flags, price, list, LEG_PROFIT, text);
  return 0;
}

export function placeBracket(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  text: number,
): number {
  const source = core.inputByte(48);
  const profit = core.inputWord(52);
  const trigger = core.inputWord(56);
  const stopPrice = core.inputWord(60);
  const sell = (flags & FLAG_SELL) !== 0;
  const bad = (ticks: number): boolean => ticks < 0 || ticks > PRICE_TICKS_MAX;
  if (bad(profit) || bad(trigger) || bad(stopPrice) || source > 2 || (profit === 0 && trigger === 0))
    return REJECT.INVALID_BRACKET_PRICES;
  const anchor = (flags & FLAG_MARKET) !== 0 ? sourcePrice(core, market, SOURCE_LAST) : price;
  const profitWrong = profit !== 0 && (sell ? profit >= anchor : profit <= anchor);
  const stopWrong = trigger !== 0 && (sell ? trigger <= anchor : trigger >= anchor);
  if (profitWrong || stopWrong) return REJECT.INVALID_BRACKET_PRICES;
  const lots = core.books.registers[R_LOTS] as number;
  const code =
    codeOf(checkOrder(core.views, accountMarket, market, flags, price, slippageBps, 0)) ||
    checkLists(core, accountMarket, market);
  if (code !== 0) return code;
  const list = openList(core, accountMarket, market, flags, TYPE_BRACKET);
  setWord(core, list, X_SOURCE, source);
  setWord(core, list, X_PROFIT_PRICE, profit);
  setWord(core, list, X_TRIGGER, trigger);
  setWord(core, list, X_STOP_PRICE, stopPrice);
  setWord(core, list, X_SLIPPAGE, slippageBps);
  core.books.registers[R_LOTS] = lots;
  submitOrder(core, accountMarket, market, flags, price, slippageBps, list, LEG_ENTRY, 0, text);
  setWord(core, list, X_ENTRY, core.placedSlot);
  emitLeg(core, list, LEG_ENTRY, core.placed[0] as number);
  core.touchedLists.push(list);
  return 0;
}

/** Whether a slot is a list's still: what is over has no second record, and so no role. */
function isList(core: Core, slot: number): boolean {
  return word(core, slot, X_ROLE) === ROLE_LIST;
}

/** Works off what happened to a list's legs since it was last looked at. */
export function settleList(core: Core, list: number): void {
  if (!isList(core, list)) return;
  if ((word(core, list, X_SLICE) & LIST_PROFIT_FILLED) !== 0) resolvePair(core, list);
  else if (needsBoth(core, list) && (word(core, list, X_PROFIT) === 0) !== (word(core, list, X_STOP) === 0))
    resolvePair(core, list);
  // Whatever the list froze was for its stop leg.
  if (word(core, list, X_STOP) === 0) releaseSurplus(core, list);
  if (word(core, list, X_CONDITIONAL) === TYPE_BRACKET) armExits(core, list);
  const idle = word(core, list, X_ENTRY) === 0 && word(core, list, X_PROFIT) === 0 && word(core, list, X_STOP) === 0;
  if (idle) endList(core, list, REASON_DONE);
}

/** Whether the list's exits come as a pair: always for OCO, for a bracket when it has both prices. */
function needsBoth(core: Core, list: number): boolean {
  if (word(core, list, X_CONDITIONAL) === TYPE_OCO) return true;
  return word(core, list, X_PROFIT_PRICE) !== 0 && word(core, list, X_TRIGGER) !== 0;
}

/** One leg is decided: the stop is withdrawn, a limit leg that is filling goes on alone, one that is gone takes all. */
function resolvePair(core: Core, list: number): void {
  const filled = (word(core, list, X_SLICE) & LIST_PROFIT_FILLED) !== 0;
  setWord(core, list, X_SLICE, word(core, list, X_SLICE) & ~LIST_PROFIT_FILLED);
  const stop = word(core, list, X_STOP);
  const profit = word(core, list, X_PROFIT);
  setWord(core, list, X_PROFIT, 0);
  endOrder(core, stop, REASON_SIBLING);
  if (filled && profit !== 0) detach(core, profit);
  else endOrder(core, profit, REASON_SIBLING);
}

function detach(core: Core, slot: number): void {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_LIST] = 0;
}

/** The stop leg fires: its limit leg is withdrawn before the stop takes the money. */
export function releaseByTrigger(core: Core, list: number): void {
  const profit = word(core, list, X_PROFIT);
  setWord(core, list, X_STOP, 0);
  setWord(core, list, X_SLICE, word(core, list, X_SLICE) & ~LIST_PROFIT_FILLED);
  endOrder(core, profit, REASON_SIBLING);
  releaseSurplus(core, list);
  core.touchedLists.push(list);
}

export function endList(core: Core, list: number, reason: number): void {
  const orders = core.books.orders;
  const accountMarket = orders.table.i32[(list << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number;
  releaseSurplus(core, list);
  const record = core.events.openClean(
    LIST_ENDED.kind,
    reason,
    0,
    core.accountMarkets.word(accountMarket, AM_ACCOUNT),
    core.sequence,
  );
  writeId(core, record, LIST_ENDED.list, list);
  core.events.setWord(record, LIST_ENDED.market, (orders.table.i32[(list << ORDER_SHIFT) | O_FLAGS] as number) >>> 16);
  core.accountMarkets.bump(accountMarket, AM_LISTS, -1);
  orders.give(list);
}

/** Withdraws a list with every leg that still waits or rests. */
export function cancelList(core: Core, account: number): number {
  const list = core.inputWord(24);
  const orders = core.books.orders.table;
  if (
    list <= 0 ||
    list >= orders.count ||
    orders.i32[(list << ORDER_SHIFT) + 6] !== core.inputWord(28) ||
    !isList(core, list)
  )
    return REJECT.UNKNOWN_LIST;
  if (core.accountMarkets.word(orders.i32[(list << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number, AM_ACCOUNT) !== account)
    return REJECT.UNKNOWN_LIST;
  for (const leg of [X_ENTRY, X_PROFIT, X_STOP]) endOrder(core, word(core, list, leg), REASON_USER);
  endList(core, list, REASON_USER);
  return 0;
}
