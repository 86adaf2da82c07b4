// Owns the short road of perpetuals: plain limit orders of one-way cross stands on linear contracts and their cancels,
// as checks.ts, exposure.ts and finish.ts do it, with every table's view bound as a constant; see machine/roads.ts.
// Answers false and changes nothing when anything is refused, rare or special.
import { emptyLevel, R_LOTS, T_ASK, T_BID, TF_SEQUENCE, TOP_SHIFT } from "../../book/book.ts";
import type { BoundBook } from "../../book/bound-book.ts";
import { LEVEL_SHIFT, LEVEL_WORDS, PRICE_TICKS_MAX } from "../../book/ladder.ts";
import {
  EVENT_FLAGS,
  FLAG_LIVE,
  FLAG_REDUCE_ONLY,
  FLAG_RESTING,
  FLAG_SELL,
  O_FLAGS,
  O_GENERATION,
  O_GROUP,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  O_PRICE,
  O_ROSTER,
  O_SEAT,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_SHIFT,
  STP_SHIFT,
  TIF_GTC,
  TIF_SHIFT,
} from "../../book/orders.ts";
import { CELL_SHIFT } from "../../ledger/ledger.ts";
import {
  ROSTER_SHIFT,
  SE_GROUP,
  SE_PERP,
  SE_QUOTE_CELL,
  SE_RESTING,
  SE_ROSTER,
  SE_ROSTER_HOLE,
  SE_ROSTER_SIZE,
  SE_ROSTER_USED,
  SEAT_SHIFT,
} from "../../market/account-markets.ts";
import {
  M_BAND_STALE,
  M_BUY_MAX,
  M_BUY_MIN,
  M_MARK,
  M_RESTING_MAX,
  M_SELL_MAX,
  M_STATUS,
  MARKET_SHIFT,
  MF_BUCKET_END,
  MF_MAX_LOTS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_TRADING,
} from "../../market/markets.ts";
import { takeFrom } from "../../order/entry/place.ts";
import { EVENTS } from "../../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../../protocol/event-log.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../../state/core.ts";
import type { PerpRoads } from "../../state/fast-paths.ts";
import { soilStand } from "../margin/exposure.ts";
import { CONTRACT_SHIFT, CT_TIERS, ST_FLAGS, ST_STALE, STAND_AUTO_APPEND, STAND_SHIFT } from "../state/records.ts";
import { bindPerpAmend } from "./amend.ts";
import { bindLean, type Lean, W_LOTS } from "./exposure.ts";
import { bindPerpFills } from "./fills.ts";

const KIND_ACCEPTED = EVENTS.orderAccepted.kind;
const KIND_DEPTH = EVENTS.depth.kind;
const KIND_ENDED = EVENTS.orderEnded.kind;
const REASON_USER = END_REASONS.indexOf("USER");
const LINEAR = 1;
const STP_MODE_SHIFT = 24;
const POSITIVE = 0x7fffffff;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the roads share what is bound here.
export function bindPerpRoads(core: Core, book: BoundBook): PerpRoads {
  const { books, events, markets, clock, perps } = core;
  const seats = core.seats.words;
  const rosters = core.seats.rosters.i32;
  const limits = markets.words;
  const sizes = markets.doubles;
  const orderTable = books.orders.table;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const levels = books.levelWords;
  const levelDoubles = books.levelDoubles;
  const tops = books.topWords;
  const registers = books.registers;
  const ladders = books.ladders;
  const contracts = perps.contractWords;
  const stands = perps.standWords;
  const cells = core.ledger.cellDoubles;
  const topDoubles = books.topDoubles;
  const i32 = events.i32;
  const f64 = events.f64;
  // Every index is masked by its table: see memory/table.ts.
  const seatMask = core.seats.table.mask;
  const marketMask = markets.table.mask;
  const cellMask = core.ledger.cells.mask;
  const orderMask = orderTable.mask;
  const levelMask = levels.length - LEVEL_WORDS;
  const topMask = books.tops.mask;
  const contractMask = perps.contracts.mask;
  const standMask = perps.stands.mask;
  /** The last word at which a command's two events can begin. */
  const roomWords = i32.length - 2 * EVENT_WORDS;
  const lean: Lean = bindLean(core);
  const { wide, admits, add, take } = lean;

  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: the hottest road; a call per part costs more than the part.
  function place(
    doubles: Float64Array,
    at: number,
    account: number,
    shape: number,
    market: number,
    price: number,
    seat: number,
  ): boolean {
    const seatAt = (seat << SEAT_SHIFT) & seatMask;
    const stand = seats[seatAt + SE_PERP] as number;
    const standAt = (stand << STAND_SHIFT) & standMask;
    const marketAt = (market << MARKET_SHIFT) & marketMask;
    const contractAt = (market << CONTRACT_SHIFT) & contractMask;
    if (((stands[standAt + ST_FLAGS] as number) & ~STAND_AUTO_APPEND) !== 0) return false;
    if (limits[marketAt + M_STATUS] !== STATUS_TRADING || contracts[contractAt] !== LINEAR) return false;
    if (limits[marketAt + M_MARK] === 0 || contracts[contractAt + CT_TIERS] === 0) return false;
    const sizeAt = marketAt >> 1;
    const lots = doubles[(at >> 1) + 4] as number;
    if (!(lots >= 1) || Math.floor(lots) !== lots || price <= 0 || price > PRICE_TICKS_MAX) return false;
    if (lots < (sizes[sizeAt + MF_MIN_LOTS] as number) || lots > (sizes[sizeAt + MF_MAX_LOTS] as number)) return false;
    const value = price * lots * (sizes[sizeAt + MF_TICK_LOT_UNITS] as number);
    if (value < (sizes[sizeAt + MF_MIN_NOTIONAL] as number) || value > Number.MAX_SAFE_INTEGER / 4) return false;
    if (lots * (sizes[sizeAt + MF_STEP_UNITS] as number) > Number.MAX_SAFE_INTEGER) return false;
    if (limits[marketAt + M_BAND_STALE] !== 0 || (clock[G_NOW] as number) >= (sizes[sizeAt + MF_BUCKET_END] as number))
      markets.refreshBand(market, clock[G_NOW] as number);
    const sell = shape & 1;
    const high = limits[marketAt + M_BUY_MAX + sell * (M_SELL_MAX - M_BUY_MAX)] as number;
    if (price < (limits[marketAt + M_BUY_MIN + sell] as number) || (high !== 0 && price > high)) return false;
    const timeInForce = (shape >>> 16) & 1;
    const topAt = (market << TOP_SHIFT) & topMask;
    const best = tops[topAt + T_ASK - sell] as number;
    const takes = best !== 0 && ((best - price) ^ (0 - sell)) + sell <= 0;
    const resting = seats[seatAt + SE_RESTING] as number;
    if (timeInForce === TIF_GTC ? resting >= (limits[marketAt + M_RESTING_MAX] as number) : !takes) return false;
    let level = 0;
    if (!takes) {
      // The page of its price must be there, and room in the roster.
      const hole = seats[seatAt + SE_ROSTER_HOLE] as number;
      if (hole === 0 && seats[seatAt + SE_ROSTER_USED] === seats[seatAt + SE_ROSTER_SIZE]) return false;
      level = (ladders[market] as (typeof ladders)[number]).peek(price);
      if (level === 0) return false;
    }
    // Tier and margin with this order among the open ones.
    wide[W_LOTS] = lots;
    add(stand, market, sell, price);
    if (!admits(stand, market, seat, sell, price)) {
      take(stand, market, sell, price);
      return false;
    }
    // Nothing can refuse it any more.
    if (stands[standAt + ST_STALE] === 0) soilStand(core, stand);
    const slot = orderTable.freeHead;
    const record = events.count;
    const order = (slot << ORDER_SHIFT) & orderMask;
    const orderDouble = order >> 1;
    orderTable.freeHead = orders[order] as number;
    const sequence = clock[G_SEQUENCE] as number;
    const flags = sell | (timeInForce << TIF_SHIFT) | ((shape >>> STP_MODE_SHIFT) << STP_SHIFT);
    orders[order + O_PRICE] = price;
    orders[order + O_LEVEL] = level;
    orders[order + O_SEAT] = seat;
    orders[order + O_GROUP] = seats[seatAt + SE_GROUP] as number;
    orderDoubles[orderDouble + OF_LOTS] = lots;
    orderDoubles[orderDouble + OF_FILLED] = 0;
    orderDoubles[orderDouble + OF_SEQUENCE] = sequence;
    const cellAt = (((seats[seatAt + SE_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask) >> 1;
    const word = Math.min((record << EVENT_SHIFT) & POSITIVE, roomWords);
    const double = word >> 1;
    i32[word] = KIND_ACCEPTED | (flags << 16);
    i32[word + 1] = account;
    f64[double + 1] = sequence;
    i32[word + 4] = slot;
    i32[word + 5] = orders[order + O_GENERATION] as number;
    i32[word + 6] = market;
    i32[word + 7] = price;
    f64[double + 4] = lots;
    f64[double + 5] = 0;
    f64[double + 6] = cells[cellAt] as number;
    f64[double + 7] = cells[cellAt + 1] as number;
    if (takes) {
      orders[order + O_FLAGS] = (market << 16) | flags | FLAG_LIVE;
      events.count = record + 1;
      registers[R_LOTS] = lots;
      takeFrom(core, market, slot, seat, flags, price);
      return true;
    }
    // The back of its price's queue.
    const levelAt = (level << LEVEL_SHIFT) & levelMask;
    const shownAt = (levelAt >> 1) + 1;
    const tail = levels[levelAt + 1] as number;
    let shown = lots;
    orders[order + O_FLAGS] = (market << 16) | flags | FLAG_LIVE | FLAG_RESTING;
    orders[order + O_NEXT] = 0;
    orders[order + O_PREV] = tail;
    levels[levelAt + 1] = slot;
    if (tail !== 0) {
      orders[((tail << ORDER_SHIFT) & orderMask) + O_NEXT] = slot;
      shown += levelDoubles[shownAt] as number;
    } else {
      levels[levelAt] = slot;
      (ladders[market] as (typeof ladders)[number]).mark(level);
      if (sell !== 0) {
        const ask = tops[topAt + T_ASK] as number;
        if (ask === 0 || price < ask) tops[topAt + T_ASK] = price;
      } else if (price > (tops[topAt + T_BID] as number)) tops[topAt + T_BID] = price;
    }
    levelDoubles[shownAt] = shown;
    // Its place in the roster: a hole where there is one.
    const roster = (seats[seatAt + SE_ROSTER] as number) << ROSTER_SHIFT;
    const hole = seats[seatAt + SE_ROSTER_HOLE] as number;
    let seatPlace = hole - 1;
    if (hole !== 0) seats[seatAt + SE_ROSTER_HOLE] = 0 - (rosters[roster + seatPlace] as number);
    else {
      seatPlace = seats[seatAt + SE_ROSTER_USED] as number;
      seats[seatAt + SE_ROSTER_USED] = seatPlace + 1;
    }
    rosters[roster + seatPlace] = slot;
    orders[order + O_ROSTER] = seatPlace;
    seats[seatAt + SE_RESTING] = resting + 1;
    const sequenceAt = (topAt >> 1) + TF_SEQUENCE;
    const bookSequence = (topDoubles[sequenceAt] as number) + 1;
    topDoubles[sequenceAt] = bookSequence;
    i32[word + 16] = KIND_DEPTH | (sell << 16);
    i32[word + 17] = 0;
    f64[double + 9] = sequence;
    i32[word + 20] = market;
    i32[word + 21] = price;
    f64[double + 11] = shown;
    f64[double + 12] = bookSequence;
    f64[double + 13] = 0;
    f64[double + 14] = 0;
    f64[double + 15] = 0;
    events.count = record + 2;
    return true;
  }

  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: the other hot road, as above.
  function cancel(slot: number, account: number): boolean {
    const record = events.count;
    const order = (slot << ORDER_SHIFT) & orderMask;
    const flags = orders[order + O_FLAGS] as number;
    const seatAt = ((orders[order + O_SEAT] as number) << SEAT_SHIFT) & seatMask;
    const market = flags >>> 16;
    const stand = seats[seatAt + SE_PERP] as number;
    const standAt = (stand << STAND_SHIFT) & standMask;
    if ((flags & FLAG_REDUCE_ONLY) !== 0 || contracts[(market << CONTRACT_SHIFT) & contractMask] !== LINEAR)
      return false;
    if (((stands[standAt + ST_FLAGS] as number) & ~STAND_AUTO_APPEND) !== 0) return false;
    const sell = flags & FLAG_SELL;
    const price = orders[order + O_PRICE] as number;
    const lots = orderDoubles[(order >> 1) + OF_LOTS] as number;
    wide[W_LOTS] = lots;
    take(stand, market, sell, price);
    if (stands[standAt + ST_STALE] === 0) soilStand(core, stand);
    const cellAt = (((seats[seatAt + SE_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask) >> 1;
    const sequence = clock[G_SEQUENCE] as number;
    const generation = orders[order + O_GENERATION] as number;
    const word = Math.min((record << EVENT_SHIFT) & POSITIVE, roomWords);
    const double = word >> 1;
    i32[word] = KIND_ENDED | (REASON_USER << 8) | ((flags & EVENT_FLAGS) << 16);
    i32[word + 1] = account;
    f64[double + 1] = sequence;
    i32[word + 4] = slot;
    i32[word + 5] = generation;
    i32[word + 6] = market;
    i32[word + 7] = price;
    f64[double + 4] = lots;
    f64[double + 5] = 0;
    f64[double + 6] = cells[cellAt] as number;
    f64[double + 7] = cells[cellAt + 1] as number;
    // Out of its queue, without a branch: see book/bound-book.ts.
    const level = orders[order + O_LEVEL] as number;
    const next = orders[order + O_NEXT] as number;
    const prev = orders[order + O_PREV] as number;
    const levelAt = (level << LEVEL_SHIFT) & levelMask;
    const hasNext = (next | (0 - next)) >> 31;
    const hasPrev = (prev | (0 - prev)) >> 31;
    orders[((next << ORDER_SHIFT) & orderMask) + O_PREV] = prev;
    orders[((prev << ORDER_SHIFT) & orderMask) + O_NEXT] = next;
    orders[O_PREV] = 0;
    orders[O_NEXT] = 0;
    levels[levelAt + 1] = ((levels[levelAt + 1] as number) & hasNext) | (prev & ~hasNext);
    levels[levelAt] = ((levels[levelAt] as number) & hasPrev) | (next & ~hasPrev);
    const shown = (levelDoubles[(levelAt >> 1) + 1] as number) - lots;
    levelDoubles[(levelAt >> 1) + 1] = shown;
    const sequenceAt = (((market << TOP_SHIFT) & topMask) >> 1) + TF_SEQUENCE;
    const bookSequence = (topDoubles[sequenceAt] as number) + 1;
    topDoubles[sequenceAt] = bookSequence;
    i32[word + 16] = KIND_DEPTH | (sell << 16);
    i32[word + 17] = 0;
    f64[double + 9] = sequence;
    i32[word + 20] = market;
    i32[word + 21] = price;
    f64[double + 11] = shown;
    f64[double + 12] = bookSequence;
    f64[double + 13] = 0;
    f64[double + 14] = 0;
    f64[double + 15] = 0;
    events.count = record + 2;
    if ((next | prev) === 0) emptyLevel(books, market, level, price, sell);
    // Out of the roster, and its slot is free.
    const seatPlace = orders[order + O_ROSTER] as number;
    rosters[((seats[seatAt + SE_ROSTER] as number) << ROSTER_SHIFT) + seatPlace] =
      0 - (seats[seatAt + SE_ROSTER_HOLE] as number);
    seats[seatAt + SE_ROSTER_HOLE] = seatPlace + 1;
    seats[seatAt + SE_RESTING] = (seats[seatAt + SE_RESTING] as number) - 1;
    orders[order + O_FLAGS] = 0;
    orders[order + O_GENERATION] = generation + 1;
    orders[order] = orderTable.freeHead;
    orderTable.freeHead = slot;
    return true;
  }

  return { place, cancel, amend: bindPerpAmend(core, lean, book), fills: bindPerpFills(core, lean) };
}
