// Owns take-profit, stop-loss and trailing orders of positions, and what any plan on a perpetual market does as it
// fires. They are ordinary plans that only reduce; they end with their position. Never watches a price itself.

import { R_LOTS } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  FLAG_CONDITIONAL,
  FLAG_LIVE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_RESTING,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  X_PAIR,
  X_POSITION,
  X_POSITION_GENERATION,
  X_STOP_KIND,
} from "../../book/orders.ts";
import { getWord } from "../../memory/record.ts";
import { endAll } from "../../order/end/cancel-all.ts";
import { endOrder } from "../../order/end/finish.ts";
import { SOURCE_MARK } from "../../order/end/prices.ts";
import { addPlan, checkPlan, type Plan } from "../../order/plan/conditional.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { CONDITIONAL_STOP_LIMIT, CONDITIONAL_STOP_MARKET, CONDITIONAL_TRAILING } from "../../trigger/triggers.ts";
import { symbolMarginOf } from "../margin/exposure.ts";
import { noteStops } from "../margin/lead.ts";
import { namedPosition } from "../margin/named.ts";
import { findPosition } from "../margin/settle.ts";
import { isOver } from "../order/trim.ts";
import {
  PO_FLAGS,
  PO_GENERATION,
  PO_SYMBOL_MARGIN,
  POSITION_SPLIT,
  SM_ACCOUNT,
  SM_ACCOUNT_MARKET,
  SM_MARKET,
  SM_STOPS,
} from "../state/records.ts";
import { commandSymbolMargin } from "./settings.ts";

const SET_POSITION_STOPS = commandPlaces("setPositionStops");
const PLACE_CONDITIONAL = commandPlaces("placeConditional");

const POSITION_STOP = eventPlaces("positionStop");

/** What a plan's firing means: follow the whole position, a fixed part of it, or free margin for a close. */
export const KIND_WHOLE = 1;
export const KIND_PART = 2;
const KIND_CLOSE = 3;
/** Tells checkPlan that the plan belongs to a position and counts apart from other plans. */
export const LEG_STOPS = 3;
const PARTIAL_PAIRS_MAX = 20;
const REASON_SIBLING = END_REASONS.indexOf("LIST_SIBLING");
const REASON_REPLACED = END_REASONS.indexOf("AMEND_REPLACED");
const REASON_CLOSE = END_REASONS.indexOf("CLOSE_ON_TRIGGER");

interface Leg {
  readonly plan: Plan;
  readonly price: number;
}

/** The plans a command asks for, profit first. */
function readLegs(core: Core, long: boolean): Leg[] {
  const source = core.readByte(SET_POSITION_STOPS.source);
  const leg = (trigger: number, price: number, rises: boolean): Leg => ({
    price,
    plan: {
      type: price === 0 ? CONDITIONAL_STOP_MARKET : CONDITIONAL_STOP_LIMIT,
      source,
      direction: rises ? 0 : 1,
      trigger,
      callbackBps: 0,
      slippageBps: 0,
      list: 0,
      leg: LEG_STOPS,
    },
  });
  const legs: Leg[] = [];
  if (core.readWord(SET_POSITION_STOPS.profitTrigger) !== 0)
    legs.push(
      leg(core.readWord(SET_POSITION_STOPS.profitTrigger), core.readWord(SET_POSITION_STOPS.profitPrice), long),
    );
  if (core.readWord(SET_POSITION_STOPS.stopTrigger) !== 0)
    legs.push(leg(core.readWord(SET_POSITION_STOPS.stopTrigger), core.readWord(SET_POSITION_STOPS.stopPrice), !long));
  if (core.readWord(SET_POSITION_STOPS.trailBps) !== 0) {
    const trail = leg(core.readWord(SET_POSITION_STOPS.trailFrom), 0, long);
    legs.push({
      price: 0,
      plan: { ...trail.plan, type: CONDITIONAL_TRAILING, callbackBps: core.readWord(SET_POSITION_STOPS.trailBps) },
    });
  }
  return legs;
}

export function setPositionStops(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const position = namedPosition(core, symbolMargin);
  if (position === 0) return REJECT.UNKNOWN_POSITION;
  // A position's stops follow what it trades at or is margined at; the index is neither.
  if (core.readByte(SET_POSITION_STOPS.source) > SOURCE_MARK) return REJECT.INVALID_TRIGGER;
  const { perps } = core;
  const held = perps.lots(position);
  const lots = core.readDouble(SET_POSITION_STOPS.lots);
  const whole = lots === 0;
  const legs = readLegs(core, held > 0);
  if (whole && legs.some(({ price }) => price !== 0)) return REJECT.INVALID_COMBINATION;
  // Of a part one ends the other; three could not.
  if (!whole && legs.length > 2) return REJECT.INVALID_COMBINATION;
  if (!whole && (!(lots >= 1) || !Number.isSafeInteger(lots) || legs.length === 0)) return REJECT.INVALID_QUANTITY;
  if (lots > Math.abs(held)) return core.refuse(REJECT.QUANTITY_TOO_LARGE, Math.abs(held));
  const old = stopsOf(core, position);
  const parts = old.filter((slot) => stopKind(core, slot) === KIND_PART).length;
  if (!whole && parts + legs.length > PARTIAL_PAIRS_MAX * 2)
    return core.refuse(REJECT.TOO_MANY_STOPS, PARTIAL_PAIRS_MAX);
  const accountMarket = perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET);
  const market = perps.symbolMargin(symbolMargin, SM_MARKET);
  const flags = (held > 0 ? FLAG_SELL : 0) | FLAG_REDUCE_ONLY;
  for (const { plan, price } of legs) {
    core.books.registers[R_LOTS] = whole ? Math.abs(held) : lots;
    const code = checkPlan(core, accountMarket, market, price === 0 ? flags | FLAG_MARKET : flags, price, plan);
    if (code !== 0) return code;
  }
  // A whole pair replaces the one before; with no trigger at all it only takes it back.
  if (whole) for (const slot of old) if (stopKind(core, slot) === KIND_WHOLE) endOrder(core, slot, REASON_REPLACED);
  let pair = 0;
  for (const { plan, price } of legs) {
    core.books.registers[R_LOTS] = whole ? Math.abs(held) : lots;
    const slot = addPlan(core, accountMarket, market, price === 0 ? flags | FLAG_MARKET : flags, price, plan);
    bind(core, slot, position, whole ? KIND_WHOLE : KIND_PART, pair);
    if (pair !== 0) setExtra(core, pair, X_PAIR, slot);
    emitStop(core, slot, position, whole, pair);
    pair = slot;
  }
  perps.setSymbolMargin(symbolMargin, SM_STOPS, perps.symbolMargin(symbolMargin, SM_STOPS) + legs.length);
  noteStops(core, position);
  return 0;
}

function extraWord(core: Core, slot: number, word: number): number {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  return core.books.orders.extras.i32[atExtra(extra) | word] as number;
}

function setExtra(core: Core, slot: number, word: number, value: number): void {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  core.books.orders.extras.i32[atExtra(extra) | word] = value;
}

export function stopKind(core: Core, slot: number): number {
  return extraWord(core, slot, X_STOP_KIND);
}

function bind(core: Core, slot: number, position: number, kind: number, pair: number): void {
  setExtra(core, slot, X_POSITION, position);
  setExtra(core, slot, X_POSITION_GENERATION, core.perps.position(position, PO_GENERATION));
  setExtra(core, slot, X_STOP_KIND, kind);
  setExtra(core, slot, X_PAIR, pair);
}

function emitStop(core: Core, slot: number, position: number, whole: boolean, pair: number): void {
  const { perps } = core;
  const account = perps.symbolMargin(perps.position(position, PO_SYMBOL_MARGIN), SM_ACCOUNT);
  const record = core.events.openClean(POSITION_STOP.kind, 0, whole ? 1 : 0, account, core.sequence);
  core.events.setId(record, POSITION_STOP.position, position, perps.position(position, PO_GENERATION));
  core.events.setId(record, POSITION_STOP.orderId, slot, getWord(core.books.orderWords, atOrder(slot), O_GENERATION));
  if (pair === 0) return;
  core.events.setId(record, POSITION_STOP.pair, pair, getWord(core.books.orderWords, atOrder(pair), O_GENERATION));
}

/** Waiting stops of a position. */
export function stopsOf(core: Core, position: number): number[] {
  const { perps } = core;
  const accountMarket = perps.symbolMargin(perps.position(position, PO_SYMBOL_MARGIN), SM_ACCOUNT_MARKET);
  return core.accountMarkets.openOrdersOf(accountMarket).filter((slot) => {
    const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
    return (flags & FLAG_CONDITIONAL) !== 0 && extraWord(core, slot, X_POSITION) === position && !isOver(core, slot);
  });
}

/** Flags of a plain plan on a perpetual market. */
export function readPlanFlags(core: Core, flags: number): number {
  const reduces =
    core.readByte(PLACE_CONDITIONAL.reduceOnly) !== 0 || core.readByte(PLACE_CONDITIONAL.closeOnTrigger) !== 0;
  return reduces ? flags | FLAG_REDUCE_ONLY : flags;
}

/** The split position a plan names, 0 when the account has none such. */
export function namedByPlan(core: Core, accountMarket: number): number {
  return findPosition(core, symbolMarginOf(core, accountMarket), core.readId(PLACE_CONDITIONAL.position));
}

/** What a plain plan on a perpetual market remembers beyond a spot one, and the split position it closes, if any. */
export function bindPlan(core: Core, slot: number, position: number): void {
  if (position !== 0) {
    const symbolMargin = core.perps.position(position, PO_SYMBOL_MARGIN);
    bind(core, slot, position, KIND_PART, 0);
    core.perps.setSymbolMargin(symbolMargin, SM_STOPS, core.perps.symbolMargin(symbolMargin, SM_STOPS) + 1);
  }
  if (core.readByte(PLACE_CONDITIONAL.closeOnTrigger) !== 0) setExtra(core, slot, X_STOP_KIND, KIND_CLOSE);
}

/**
 * Before a plan becomes an order: its pair ends, a whole one takes the position's size, a close frees margin. Returns the
 * lots it fires with.
 */
export function prepareFire(core: Core, slot: number, accountMarket: number, lots: number): number {
  const { perps } = core;
  const position = extraWord(core, slot, X_POSITION);
  const kind = stopKind(core, slot);
  const pair = extraWord(core, slot, X_PAIR);
  if (pair !== 0 && isPair(core, slot, pair)) endOrder(core, pair, REASON_SIBLING);
  if (kind === KIND_CLOSE) freeMarginOf(core, accountMarket, slot);
  if (position === 0 || isOver(core, slot)) return lots;
  return kind === KIND_WHOLE ? Math.abs(perps.lots(position)) : lots;
}

/** The split position a plan closes when it fires, 0 for none. */
export function closedBy(core: Core, slot: number): number {
  const position = extraWord(core, slot, X_POSITION);
  if (position === 0 || isOver(core, slot)) return 0;
  return (core.perps.position(position, PO_FLAGS) & POSITION_SPLIT) !== 0 ? position : 0;
}

export function isPair(core: Core, slot: number, pair: number): boolean {
  const flags = getWord(core.books.orderWords, atOrder(pair), O_FLAGS);
  if ((flags & FLAG_LIVE) === 0 || (flags & FLAG_CONDITIONAL) === 0) return false;
  return (
    extraWord(core, pair, X_PAIR) === slot && extraWord(core, pair, X_POSITION) === extraWord(core, slot, X_POSITION)
  );
}

/** Takes back the symbol margin's resting orders: what they ask, and what they would reduce, is the close's. */
function freeMarginOf(core: Core, accountMarket: number, firing: number): void {
  const slots = core.accountMarkets.openOrdersOf(accountMarket).filter((slot) => {
    const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
    return slot !== firing && (flags & FLAG_RESTING) !== 0;
  });
  endAll(core, slots, REASON_CLOSE);
}
