// Owns the margin side of the fast path of a new price for a plain resting order on a linear contract; what every order
// must pass is checked already, see fast/amend.ts. Answers false and changes nothing when anything is special.
import type { BoundBook } from "../../book/bound-book.ts";
import type { Ladder } from "../../book/ladder.ts";
import {
  EVENT_FLAGS,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_LEVEL,
  O_PRICE,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
} from "../../book/orders.ts";
import { bindFastEvents } from "../../fast/events.ts";
import { ACCOUNT_MARKET_SHIFT, AM_QUOTE_CELL, AM_SYMBOL_MARGIN } from "../../market/account-markets.ts";
import { M_MARK, MARKET_DOUBLE_SHIFT, MARKET_SHIFT, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import type { PerpAmend } from "../../state/fast-paths.ts";
import { markStale } from "../margin/exposure.ts";
import {
  CONTRACT_SHIFT,
  CT_TIERS,
  MODE_AUTO_APPEND,
  SM_FLAGS,
  SM_STALE,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";
import { type FastExposure, W_LOTS } from "./exposure.ts";

const KIND_AMENDED = EVENTS.orderAmended.kind;
const LINEAR = 1;

export function bindPerpAmend(core: Core, exposure: FastExposure, book: BoundBook): PerpAmend {
  const { books, events, markets, clock, perps } = core;
  const accountMarkets = core.accountMarkets.words;
  const limits = markets.words;
  const sizes = markets.doubles;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const contracts = perps.contractWords;
  const symbolMargins = perps.symbolMarginWords;
  const f64 = events.f64;
  const { writeDepth, writeOrder } = bindFastEvents(core);
  const { wide, admits, add, take } = exposure;
  const { rest, remove } = book;
  const ladders = books.ladders;

  return function amendPerp(slot, account, price): boolean {
    const order = slot << ORDER_SHIFT;
    const flags = orders[order | O_FLAGS] as number;
    const market = flags >>> 16;
    const contractAt = market << CONTRACT_SHIFT;
    const accountMarket = orders[order | O_ACCOUNT_MARKET] as number;
    const symbolMargin = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_SYMBOL_MARGIN] as number;
    if (contracts[contractAt] !== LINEAR || contracts[contractAt | CT_TIERS] === 0) return false;
    if (limits[(market << MARKET_SHIFT) | M_MARK] === 0) return false;
    if (((symbolMargins[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_FLAGS] as number) & ~MODE_AUTO_APPEND) !== 0)
      return false;
    const oldPrice = orders[order | O_PRICE] as number;
    const lots = orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
    const unit = sizes[(market << MARKET_DOUBLE_SHIFT) | MF_TICK_LOT_UNITS] as number;
    const value = price * lots * unit;
    if (value > Number.MAX_SAFE_INTEGER / 4) return false;
    // What it asked already makes room for what it asks now.
    const sell = flags & FLAG_SELL;
    wide[W_LOTS] = lots;
    take(symbolMargin, market, sell, oldPrice);
    add(symbolMargin, market, sell, price);
    if (!admits(symbolMargin, market, accountMarket, sell, price)) {
      take(symbolMargin, market, sell, price);
      add(symbolMargin, market, sell, oldPrice);
      return false;
    }
    if (symbolMargins[(symbolMargin << SYMBOL_MARGIN_SHIFT) | SM_STALE] === 0) markStale(core, symbolMargin);
    const record = events.count;
    const level = orders[order | O_LEVEL] as number;
    remove(market, slot);
    orderDoubles[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = clock[G_SEQUENCE] as number;
    const cell = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_QUOTE_CELL] as number;
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
