// Owns what leans on a position and must follow it down: reducing orders are trimmed, newest first, and take-profit and
// stop-loss orders end with it. Runs when no match is under way. Never opens anything.
import { hiddenLots, levelLots, openLots, setHiddenLots, shrinkOrder } from "../../book/book.ts";
import {
  EXTRA_SHIFT,
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
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  X_POSITION,
  X_POSITION_GENERATION,
} from "../../book/orders.ts";
import { endOrder, holdCell } from "../../order/end/finish.ts";
import { EVENTS } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { isDemo } from "../margin/demo-orders.ts";
import { leanOrder } from "../margin/exposure.ts";
import {
  PO_GENERATION,
  ST_FLAGS,
  ST_LONG,
  ST_MARKET,
  ST_SEAT,
  ST_SHORT,
  ST_STOPS,
  ST_TOUCHED,
  STAND_DOUBLE_SHIFT,
  STAND_HEDGE,
  STAND_SPLIT,
  STF_REDUCE_BUY,
  STF_REDUCE_SELL,
} from "../state/records.ts";

const REASON_REDUCED = END_REASONS.indexOf("POSITION_REDUCED");
const REASON_CLOSED = END_REASONS.indexOf("POSITION_CLOSED");
const KIND_AMENDED = EVENTS.orderAmended.kind;

/** Works off every stand whose position shrank. */
export function trimTouched(core: Core): void {
  const { perps } = core;
  while (perps.touched.length > 0) {
    const stand = perps.touched.shift() as number;
    perps.setStand(stand, ST_TOUCHED, 0);
    trimStand(core, stand);
  }
}

function trimStand(core: Core, stand: number): void {
  const { perps } = core;
  const flags = perps.stand(stand, ST_FLAGS);
  const base = stand << STAND_DOUBLE_SHIFT;
  if ((flags & STAND_SPLIT) !== 0) trimSplits(core, stand);
  else {
    const long = perps.lots(perps.stand(stand, ST_LONG));
    const short = (flags & STAND_HEDGE) !== 0 ? perps.lots(perps.stand(stand, ST_SHORT)) : Math.min(0, long);
    const sellExcess = (perps.standDoubles[base | STF_REDUCE_SELL] as number) - Math.max(0, long);
    const buyExcess = (perps.standDoubles[base | STF_REDUCE_BUY] as number) + short;
    if (sellExcess > 0) trimSide(core, restingReducers(core, stand, FLAG_SELL, 0), sellExcess);
    if (buyExcess > 0) trimSide(core, restingReducers(core, stand, 0, 0), buyExcess);
  }
  if (perps.stand(stand, ST_STOPS) !== 0) endStops(core, stand);
}

/** Reducing orders of a side, newest first; in split layout those of one position. */
function restingReducers(core: Core, stand: number, sell: number, position: number): number[] {
  const seat = core.perps.stand(stand, ST_SEAT);
  const orders = core.books.orders;
  const slots = core.seats.roster(seat).filter((slot) => {
    const flags = orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] as number;
    if ((flags & FLAG_RESTING) === 0 || (flags & FLAG_REDUCE_ONLY) === 0 || (flags & FLAG_SELL) !== sell) return false;
    return position === 0 || leansOn(core, slot, position);
  });
  const age = (slot: number): number => orders.table.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] as number;
  return slots.sort((a, b) => age(b) - age(a) || orders.id(b) - orders.id(a));
}

function leansOn(core: Core, slot: number, position: number): boolean {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  return extra !== 0 && core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_POSITION] === position;
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
  const base = slot << ORDER_SHIFT;
  const flags = orders.i32[base | O_FLAGS] as number;
  const market = flags >>> 16;
  const price = orders.i32[base | O_PRICE] as number;
  const hidden = (flags & FLAG_ICEBERG) !== 0 ? hiddenLots(core.books, slot) : 0;
  const cut = open - wanted;
  const demo = isDemo(core, market);
  if (demo) orders.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = wanted;
  if (hidden > 0) setHiddenLots(core.books, slot, hidden - Math.min(hidden, cut));
  if (cut > hidden && !demo) shrinkOrder(core.books, slot, open - hidden - (cut - hidden));
  const seat = orders.i32[base + 4] as number;
  leanOrder(core, seat, market, flags, price, 0 - cut);
  core.emitOrder(KIND_AMENDED, 1, slot, core.seats.word(seat, 0), holdCell(core, seat, flags), wanted, 0);
  if (cut > hidden && !demo)
    core.emitDepth(market, flags & FLAG_SELL, price, levelLots(core.books, orders.i32[base | O_LEVEL] as number));
}

/** Split layout: every reducing order names its position, and ends or shrinks with it. */
function trimSplits(core: Core, stand: number): void {
  const { perps } = core;
  const open = new Map<number, number>();
  for (const sell of [0, FLAG_SELL]) {
    for (const slot of restingReducers(core, stand, sell, 0)) {
      const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
      const position = core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_POSITION] as number;
      if (isOver(core, slot)) endOrder(core, slot, REASON_CLOSED);
      else open.set(position, (open.get(position) ?? 0) + openLots(core.books, slot));
    }
  }
  for (const [position, lots] of open) {
    const held = perps.lots(position);
    const sell = held > 0 ? FLAG_SELL : 0;
    if (lots > Math.abs(held)) trimSide(core, restingReducers(core, stand, sell, position), lots - Math.abs(held));
  }
}

/** Whether the position an order leans on has ended. */
export function isOver(core: Core, slot: number): boolean {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  const extras = core.books.orders.extras.i32;
  const position = extras[(extra << EXTRA_SHIFT) | X_POSITION] as number;
  return core.perps.position(position, PO_GENERATION) !== extras[(extra << EXTRA_SHIFT) | X_POSITION_GENERATION];
}

/** Take-profit and stop-loss orders whose position has ended. */
function endStops(core: Core, stand: number): void {
  const { perps } = core;
  const seat = perps.stand(stand, ST_SEAT);
  let waiting = 0;
  for (const slot of core.seats.roster(seat)) {
    const base = slot << ORDER_SHIFT;
    const flags = core.books.orderWords[base | O_FLAGS] as number;
    if ((flags & FLAG_CONDITIONAL) === 0 || flags >>> 16 !== perps.stand(stand, ST_MARKET)) continue;
    const extra = core.books.orderWords[base | O_EXTRA] as number;
    if (core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_POSITION] === 0) continue;
    if (isOver(core, slot)) endOrder(core, slot, REASON_CLOSED);
    else waiting++;
  }
  perps.setStand(stand, ST_STOPS, waiting);
}
