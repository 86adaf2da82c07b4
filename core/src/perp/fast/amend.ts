// Owns the margin side of the short road of a new price for a plain resting order on a linear contract; what every order
// must pass is checked already, see machine/amend-road.ts. Answers false and changes nothing when anything is special.
import type { BoundBook } from "../../book/bound-book.ts";
import type { Ladder } from "../../book/ladder.ts";
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
} from "../../book/orders.ts";
import { bindRoadEvents } from "../../fast/events.ts";
import { SE_PERP, SE_QUOTE_CELL, SEAT_SHIFT } from "../../market/account-markets.ts";
import { M_MARK, MARKET_DOUBLE_SHIFT, MARKET_SHIFT, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import type { PerpAmend } from "../../state/fast-paths.ts";
import { soilStand } from "../margin/exposure.ts";
import { CONTRACT_SHIFT, CT_TIERS, ST_FLAGS, ST_STALE, STAND_AUTO_APPEND, STAND_SHIFT } from "../state/records.ts";
import { type Lean, W_LOTS } from "./exposure.ts";

const KIND_AMENDED = EVENTS.orderAmended.kind;
const LINEAR = 1;

export function bindPerpAmend(core: Core, lean: Lean, book: BoundBook): PerpAmend {
  const { books, events, markets, clock, perps } = core;
  const seats = core.seats.words;
  const limits = markets.words;
  const sizes = markets.doubles;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const contracts = perps.contractWords;
  const stands = perps.standWords;
  const f64 = events.f64;
  const { writeDepth, writeOrder } = bindRoadEvents(core);
  const { wide, admits, add, take } = lean;
  const { rest, remove } = book;
  const ladders = books.ladders;

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
    wide[W_LOTS] = lots;
    take(stand, market, sell, oldPrice);
    add(stand, market, sell, price);
    if (!admits(stand, market, seat, sell, price)) {
      take(stand, market, sell, price);
      add(stand, market, sell, oldPrice);
      return false;
    }
    if (stands[(stand << STAND_SHIFT) | ST_STALE] === 0) soilStand(core, stand);
    const record = events.count;
    const level = orders[order | O_LEVEL] as number;
    remove(market, slot);
    orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = clock[G_SEQUENCE] as number;
    const cell = seats[(seat << SEAT_SHIFT) | SE_QUOTE_CELL] as number;
    writeOrder(record, KIND_AMENDED | ((flags & EVENT_FLAGS) << 16), account, slot, price, cell);
    f64[(record << 3) | 4] = lots;
    f64[(record << 3) | 5] = 0;
    writeDepth(record + 1, market, sell, oldPrice, level);
    // Its page may just have gone with the old price; it then comes back first, so that no table grows.
    const target = (ladders[market] as Ladder).reserve(price);
    rest(market, slot, price, target);
    writeDepth(record + 2, market, sell, price, target);
    events.count = record + 3;
    return true;
  };
}
