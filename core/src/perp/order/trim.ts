// Owns what depends on a position and must follow it down: reducing orders are trimmed, newest first, and take-profit
// and stop-loss orders end with it. Runs when no match is under way. Never opens anything.

import { hiddenLots, levelLots, openLots, setHiddenLots, shrinkOrder } from "../../book/book.ts";
import {
  atExtra,
  atOrder,
  FLAG_CONDITIONAL,
  FLAG_ICEBERG,
  FLAG_REDUCE_ONLY,
  FLAG_RESTING,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_PRICE,
  OF_LOTS,
  OF_SEQUENCE,
  X_CONDITIONAL,
  X_LIST,
  X_POSITION,
  X_POSITION_GENERATION,
  X_PROFIT_PRICE,
} from "../../book/orders.ts";
import { AM_CONDITIONALS } from "../../market/account-markets.ts";
import { getDouble, getWord, setDouble } from "../../memory/record.ts";
import { endOrder, holdCell } from "../../order/end/finish.ts";
import { EVENTS } from "../../protocol/event.ts";
import { END_REASONS, LIST_TYPES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { isDemo } from "../margin/demo-orders.ts";
import { addExposure } from "../margin/exposure.ts";
import {
  atSymbolMargin,
  MODE_HEDGE,
  MODE_SPLIT,
  PO_GENERATION,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_LONG,
  SM_MARKET,
  SM_SHORT,
  SM_STOPS,
  SM_TOUCHED,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
} from "../state/records.ts";

const REASON_REDUCED = END_REASONS.indexOf("POSITION_REDUCED");
const REASON_CLOSED = END_REASONS.indexOf("POSITION_CLOSED");
const TYPE_BRACKET = LIST_TYPES.indexOf("bracket");
const KIND_AMENDED = EVENTS.orderAmended.kind;

/** Works off every symbol margin whose position shrank. */
export function trimTouched(core: Core): void {
  const { perps } = core;
  while (perps.touched.length > 0) {
    const symbolMargin = perps.touched.shift() as number;
    perps.setSymbolMargin(symbolMargin, SM_TOUCHED, 0);
    trimSymbolMargin(core, symbolMargin);
  }
}

function trimSymbolMargin(core: Core, symbolMargin: number): void {
  const { perps } = core;
  const flags = perps.symbolMargin(symbolMargin, SM_FLAGS);
  const base = atSymbolMargin(symbolMargin);
  if ((flags & MODE_SPLIT) !== 0) trimSplits(core, symbolMargin);
  else {
    const [forSells, forBuys] = [reducible(core, symbolMargin, FLAG_SELL), reducible(core, symbolMargin, 0)];
    const sellExcess = getDouble(perps.symbolMarginDoubles, base, SMF_REDUCE_SELL) - forSells;
    const buyExcess = getDouble(perps.symbolMarginDoubles, base, SMF_REDUCE_BUY) - forBuys;
    if (sellExcess > 0) trimSide(core, restingReducers(core, symbolMargin, FLAG_SELL, 0), sellExcess);
    if (buyExcess > 0) trimSide(core, restingReducers(core, symbolMargin, 0, 0), buyExcess);
  }
  if (perps.symbolMargin(symbolMargin, SM_STOPS) !== 0) endStops(core, symbolMargin);
  endExits(core, symbolMargin);
}

/** Lots that orders of a side may take off what is held; in split layout each order names its position instead. */
export function reducible({ perps }: Core, symbolMargin: number, sell: number): number {
  const long = perps.lots(perps.symbolMargin(symbolMargin, SM_LONG));
  if (sell !== 0) return Math.max(0, long);
  const isHedge = (perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_HEDGE) !== 0;
  return Math.max(0, 0 - (isHedge ? perps.lots(perps.symbolMargin(symbolMargin, SM_SHORT)) : long));
}

/** Reducing orders of a side, newest first; in split layout those of one position. */
function restingReducers(core: Core, symbolMargin: number, sell: number, position: number): number[] {
  const accountMarket = core.perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET);
  const orders = core.books.orders;
  const slots = core.accountMarkets.openOrdersOf(accountMarket).filter((slot) => {
    const flags = getWord(orders.table.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_RESTING) === 0 || (flags & FLAG_REDUCE_ONLY) === 0 || (flags & FLAG_SELL) !== sell) return false;
    return position === 0 || reducesPosition(core, slot, position);
  });
  const age = (slot: number): number => getDouble(orders.table.f64, atOrder(slot), OF_SEQUENCE);
  return slots.sort((a, b) => age(b) - age(a) || orders.id(b) - orders.id(a));
}

/** Lots of resting orders that reduce one position of split layout; of one that is being replaced, none. */
export function lotsReducing(core: Core, symbolMargin: number, sell: number, position: number): number {
  let lots = core.perps.symbolMarginDouble(symbolMargin, sell !== 0 ? SMF_REDUCE_SELL : SMF_REDUCE_BUY);
  for (const slot of restingReducers(core, symbolMargin, sell, 0))
    if (!reducesPosition(core, slot, position)) lots -= openLots(core.books, slot);
  return lots;
}

function reducesPosition(core: Core, slot: number, position: number): boolean {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  return extra !== 0 && getWord(core.books.orders.extras.i32, atExtra(extra), X_POSITION) === position;
}

function trimSide(core: Core, slots: readonly number[], excess: number): void {
  let left = excess;
  for (const slot of slots) {
    if (left <= 0) return;
    const open = openLots(core.books, slot);
    if (open <= left) endOrder(core, slot, REASON_REDUCED);
    else shrinkReducer(core, slot, open, open - left);
    left -= open;
  }
}

/** Less of the same order keeps its place; hidden lots go first. */
function shrinkReducer(core: Core, slot: number, open: number, wanted: number): void {
  const orders = core.books.orders.table;
  const base = atOrder(slot);
  const flags = getWord(orders.i32, base, O_FLAGS);
  const market = flags >>> 16;
  const price = getWord(orders.i32, base, O_PRICE);
  const hidden = (flags & FLAG_ICEBERG) !== 0 ? hiddenLots(core.books, slot) : 0;
  const cut = open - wanted;
  const demo = isDemo(core, market);
  if (demo) setDouble(orders.f64, atOrder(slot), OF_LOTS, wanted);
  if (hidden > 0) setHiddenLots(core.books, slot, hidden - Math.min(hidden, cut));
  if (cut > hidden && !demo) shrinkOrder(core.books, slot, open - hidden - (cut - hidden));
  const accountMarket = orders.i32[base + 4] as number;
  addExposure(core.views, accountMarket, market, flags, price, 0 - cut);
  core.emitOrder(
    KIND_AMENDED,
    1,
    slot,
    core.accountMarkets.word(accountMarket, 0),
    holdCell(core, accountMarket, flags),
    wanted,
    0,
  );
  if (cut > hidden && !demo)
    core.emitDepth(market, flags & FLAG_SELL, price, levelLots(core.books, getWord(orders.i32, base, O_LEVEL)));
}

/** Split layout: every reducing order names its position, and ends or shrinks with it. */
function trimSplits(core: Core, symbolMargin: number): void {
  const { perps } = core;
  const open = new Map<number, number>();
  for (const sell of [0, FLAG_SELL]) {
    for (const slot of restingReducers(core, symbolMargin, sell, 0)) {
      const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
      const position = getWord(core.books.orders.extras.i32, atExtra(extra), X_POSITION);
      if (isOver(core, slot)) endOrder(core, slot, REASON_CLOSED);
      else open.set(position, (open.get(position) ?? 0) + openLots(core.books, slot));
    }
  }
  for (const [position, lots] of open) {
    const held = perps.lots(position);
    const sell = held > 0 ? FLAG_SELL : 0;
    if (lots > Math.abs(held))
      trimSide(core, restingReducers(core, symbolMargin, sell, position), lots - Math.abs(held));
  }
}

/** Whether the position an order depends on has ended. */
export function isOver(core: Core, slot: number): boolean {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  const extras = core.books.orders.extras.i32;
  const position = getWord(extras, atExtra(extra), X_POSITION);
  return core.perps.position(position, PO_GENERATION) !== getWord(extras, atExtra(extra), X_POSITION_GENERATION);
}

/** Stops that came alone with an order and have nothing left to close; one beside a profit leg goes with that. */
function endExits(core: Core, symbolMargin: number): void {
  const { perps, accountMarkets, books } = core;
  const accountMarket = perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET);
  if (accountMarkets.word(accountMarket, AM_CONDITIONALS) === 0) return;
  const isHeld = [0, FLAG_SELL].map((sell) => reducible(core, symbolMargin, sell) > 0);
  if (isHeld.every(Boolean)) return;
  for (const slot of accountMarkets.openOrdersOf(accountMarket)) {
    const base = atOrder(slot);
    const flags = getWord(books.orderWords, base, O_FLAGS);
    if ((flags & FLAG_CONDITIONAL) === 0 || (flags & FLAG_REDUCE_ONLY) === 0) continue;
    const extra = getWord(books.orderWords, base, O_EXTRA);
    const list = getWord(books.orders.extras.i32, atExtra(extra), X_LIST);
    if (list === 0 || !standsAlone(core, list)) continue;
    if (isHeld[(flags & FLAG_SELL) === 0 ? 0 : 1] === false) endOrder(core, slot, REASON_CLOSED);
  }
}

function standsAlone({ books }: Core, list: number): boolean {
  const at = atExtra(getWord(books.orderWords, atOrder(list), O_EXTRA));
  const words = books.orders.extras.i32;
  return getWord(words, at, X_CONDITIONAL) === TYPE_BRACKET && getWord(words, at, X_PROFIT_PRICE) === 0;
}

/** Take-profit and stop-loss orders whose position has ended. */
function endStops(core: Core, symbolMargin: number): void {
  const { perps } = core;
  const accountMarket = perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET);
  let waiting = 0;
  for (const slot of core.accountMarkets.openOrdersOf(accountMarket)) {
    const base = atOrder(slot);
    const flags = getWord(core.books.orderWords, base, O_FLAGS);
    if ((flags & FLAG_CONDITIONAL) === 0 || flags >>> 16 !== perps.symbolMargin(symbolMargin, SM_MARKET)) continue;
    const extra = getWord(core.books.orderWords, base, O_EXTRA);
    if (getWord(core.books.orders.extras.i32, atExtra(extra), X_POSITION) === 0) continue;
    if (isOver(core, slot)) endOrder(core, slot, REASON_CLOSED);
    else waiting++;
  }
  perps.setSymbolMargin(symbolMargin, SM_STOPS, waiting);
}
