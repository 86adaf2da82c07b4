// Owns the margin side of the short road of a new price for a plain resting order on a linear contract; what every order
// must pass is checked already, see machine/amend-road.ts. Answers false and changes nothing when anything is special.
import { removeOrder, restOrder } from "../book/book.ts";
import {
  EVENT_FLAGS,
  FLAG_SELL,
  O_FLAGS,
  O_LEVEL,
  O_PRICE,
  O_SEAT,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
} from "../book/orders.ts";
import { EVENTS } from "../event.ts";
import { type Core, G_SEQUENCE } from "../machine/core.ts";
import { bindRoadEvents } from "../machine/road-events.ts";
import { M_MARK, MARKET_DOUBLE_SHIFT, MARKET_SHIFT, MF_TICK_LOT_UNITS } from "../market/markets.ts";
import { SE_PERP, SE_QUOTE_CELL, SEAT_SHIFT } from "../market/seats.ts";
import { type Lean, W_BUY_LOTS, W_BUY_VALUE, W_LOTS, W_SELL_LOTS, W_SELL_VALUE } from "./lean-road.ts";
import {
  CONTRACT_SHIFT,
  CT_TIERS,
  ST_FLAGS,
  STAND_AUTO_APPEND,
  STAND_DOUBLE_SHIFT,
  STAND_SHIFT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "./state.ts";

const KIND_AMENDED = EVENTS.orderAmended.kind;
const LINEAR = 1;

/** Gives an order another price at the same quantity; the price crosses nothing and its page is there. */
export type PerpAmend = (slot: number, account: number, price: number) => boolean;

export function bindPerpAmend(core: Core, lean: Lean): PerpAmend {
  const { books, events, markets, clock, perps } = core;
  const seats = core.seats.words;
  const limits = markets.words;
  const sizes = markets.doubles;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const contracts = perps.contractWords;
  const stands = perps.standWords;
  const standDoubles = perps.standDoubles;
  const f64 = events.f64;
  const { writeDepth, writeOrder } = bindRoadEvents(core);
  const { wide, admits, commit } = lean;

  return function amendPerp(slot, account, price): boolean {
    const order = slot << ORDER_SHIFT;
    const flags = orders[order | O_FLAGS] as number;
    const market = flags >>> 16;
    const contractAt = market << CONTRACT_SHIFT;
    const seat = orders[order | O_SEAT] as number;
    const stand = seats[(seat << SEAT_SHIFT) | SE_PERP] as number;
    if (contracts[contractAt] !== LINEAR || contracts[contractAt | CT_TIERS] === 0) return false;
    if (limits[(market << MARKET_SHIFT) | M_MARK] === 0) return false;
    if (((stands[(stand << STAND_SHIFT) | ST_FLAGS] as number) & ~STAND_AUTO_APPEND) !== 0) return false;
    const oldPrice = orders[order | O_PRICE] as number;
    const lots = orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
    const unit = sizes[(market << MARKET_DOUBLE_SHIFT) | MF_TICK_LOT_UNITS] as number;
    const value = price * lots * unit;
    if (value > Number.MAX_SAFE_INTEGER / 4) return false;
    // What it asked already makes room for what it asks now.
    const sell = flags & FLAG_SELL;
    const standDouble = stand << STAND_DOUBLE_SHIFT;
    const change = value - oldPrice * lots * unit;
    wide[W_LOTS] = lots;
    wide[W_BUY_VALUE] = (standDoubles[standDouble | STF_BUY_VALUE] as number) + (sell !== 0 ? 0 : change);
    wide[W_BUY_LOTS] = standDoubles[standDouble | STF_BUY_LOTS] as number;
    wide[W_SELL_VALUE] = (standDoubles[standDouble | STF_SELL_VALUE] as number) + (sell !== 0 ? change : 0);
    wide[W_SELL_LOTS] = standDoubles[standDouble | STF_SELL_LOTS] as number;
    if (!admits(stand, market, seat, sell, price)) return false;
    commit(stand);
    const record = events.count;
    const level = orders[order | O_LEVEL] as number;
    removeOrder(books, market, slot);
    orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = clock[G_SEQUENCE] as number;
    const cell = seats[(seat << SEAT_SHIFT) | SE_QUOTE_CELL] as number;
    writeOrder(record, KIND_AMENDED | ((flags & EVENT_FLAGS) << 16), account, slot, price, cell);
    f64[(record << 3) + 4] = lots;
    f64[(record << 3) + 5] = 0;
    writeDepth(record + 1, market, sell, oldPrice, level);
    restOrder(books, market, slot, price);
    writeDepth(record + 2, market, sell, price, orders[order | O_LEVEL] as number);
    events.count = record + 3;
    return true;
  };
}
