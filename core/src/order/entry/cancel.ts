// Owns withdrawing and amending orders on request. Never ends an order its owner did not name.
import { isIndebted } from "../../account/debts.ts";
import { hiddenLots, levelLots, openLots, R_LOTS, removeOrder, setHiddenLots, shrinkOrder } from "../../book/book.ts";
import {
  EXTRA_DOUBLE_SHIFT,
  EXTRA_SHIFT,
  FLAG_CONDITIONAL,
  FLAG_ICEBERG,
  FLAG_LIVE,
  FLAG_RESTING,
  FLAG_ROLE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_LEVEL,
  O_OPEN_PLACE,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  ROLE_TWAP,
  TIF_GTD,
  TIF_SHIFT,
  X_LEG,
  X_LIST,
  X_POSITION,
  XF_HELD,
  XF_SLICE,
  XF_TIME,
} from "../../book/orders.ts";
import { ACCOUNT_MARKET_SHIFT, AM_ACCOUNT, AM_RESTING } from "../../market/account-markets.ts";
import {
  M_STATUS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_TICK_LOT_UNITS,
  STATUS_AUCTION,
  STATUS_CANCEL_ONLY,
  STATUS_REDUCE_ONLY,
  STATUS_TRADING,
} from "../../market/markets.ts";
import { isDemo } from "../../perp/margin/demo-orders.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { EVENTS } from "../../protocol/event.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { isBotBook } from "../../state/access.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import { roleOf } from "../end/cancel-all.ts";
import { findOpenByClientId } from "../end/client-ids.ts";
import { endConditional, endResting, heldBeyond, holdCell, holdUnits } from "../end/finish.ts";
import { LEG_ENTRY } from "../end/list-fills.ts";
import { endTwap } from "../end/twap-end.ts";
import { checkOrder, codeOf, R_EXPIRES, R_NEED, R_RESERVE, R_VISIBLE } from "./checks.ts";
import { run } from "./place.ts";

const REASON_USER = END_REASONS.indexOf("USER");
const KIND_AMENDED = EVENTS.orderAmended.kind;

/** The live slot the command names by id, or by client id at byte `textByte`; 0 when the account has none such. */
export function findOrder(core: Core, account: number, textByte: number): number {
  const slot = core.inputWord(24);
  const orders = core.books.orders.table;
  // No order has the empty id.
  if (slot <= 0) return findOpenByClientId(core, account, core.inputAt + (textByte >> 2));
  if (slot >= orders.count) return 0;
  const base = slot << ORDER_SHIFT;
  const flags = orders.i32[base | O_FLAGS] as number;
  if ((flags & FLAG_LIVE) === 0 || orders.i32[base | O_GENERATION] !== core.inputWord(28)) return 0;
  const accountMarket = orders.i32[base | O_ACCOUNT_MARKET] as number;
  return core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] === account ? slot : 0;
}

export function unknown(core: Core, account: number): number {
  return core.ledger.isUserAccount(account) ? REJECT.UNKNOWN_ORDER : REJECT.UNKNOWN_ACCOUNT;
}

export function cancelOrder(core: Core, account: number): number {
  const slot = findOrder(core, account, 32);
  if (slot === 0) return unknown(core, account);
  const flags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  if ((flags & FLAG_RESTING) !== 0) endResting(core, slot, REASON_USER);
  else if ((flags & FLAG_CONDITIONAL) !== 0) endConditional(core, slot, REASON_USER);
  else if (roleOf(core, slot) === ROLE_TWAP) endTwap(core, slot, REASON_USER);
  else return REJECT.UNKNOWN_ORDER;
  return 0;
}

export function amendOrder(core: Core, account: number): number {
  const slot = findOrder(core, account, 48);
  if (slot === 0) return unknown(core, account);
  if (isBotBook(core, account)) return REJECT.AMEND_NOT_ALLOWED;
  const orders = core.books.orders.table;
  const base = slot << ORDER_SHIFT;
  const flags = orders.i32[base | O_FLAGS] as number;
  if (!core.perps.isPerp(flags >>> 16) && isIndebted(core, account)) return REJECT.IN_DEBT;
  // Lists and switches lend their ids from the same stock, but are no orders.
  if ((flags & FLAG_ROLE) !== 0)
    return roleOf(core, slot) === ROLE_TWAP ? REJECT.AMEND_NOT_ALLOWED : REJECT.UNKNOWN_ORDER;
  if ((flags & FLAG_RESTING) === 0 || isExit(core, slot) || isDemo(core, flags >>> 16)) return REJECT.AMEND_NOT_ALLOWED;
  return changeResting(core, slot, core.inputWord(32), core.inputDouble(40));
}

/** Another price or another total, filled part included; 0 keeps what there is. */
export function changeResting(core: Core, slot: number, wantedPrice: number, total: number): number {
  const orders = core.books.orders.table;
  const oldPrice = orders.i32[(slot << ORDER_SHIFT) | O_PRICE] as number;
  const price = wantedPrice === 0 ? oldPrice : wantedPrice;
  const open = openLots(core.books, slot);
  const filled = orders.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_FILLED] as number;
  const wanted = total === 0 ? open : total - filled;
  if (!(total >= 0 && total <= Number.MAX_SAFE_INTEGER && Math.floor(total) === total)) return REJECT.INVALID_QUANTITY;
  if (wanted <= 0) {
    core.checkLimit[0] = filled;
    return REJECT.AMEND_BELOW_FILLED;
  }
  if (price === oldPrice && wanted === open) return REJECT.AMEND_NO_CHANGE;
  if (price === oldPrice && wanted < open) return shrink(core, slot, open, wanted);
  return replace(core, slot, price, open, wanted);
}

/** An exit of a list is bound to its sibling's quantity and money; it is withdrawn, not changed. */
function isExit(core: Core, slot: number): boolean {
  const extra = core.books.orderWords[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  const extras = core.books.orders.extras.i32;
  // The record of none, which most orders have, names no list.
  return extras[(extra << EXTRA_SHIFT) | X_LIST] !== 0 && extras[(extra << EXTRA_SHIFT) | X_LEG] !== LEG_ENTRY;
}

/** Less at the same price keeps the place in the queue; an iceberg gives up hidden lots first. */
function shrink(core: Core, slot: number, open: number, wanted: number): number {
  const orders = core.books.orders.table;
  const base = slot << ORDER_SHIFT;
  const flags = orders.i32[base | O_FLAGS] as number;
  const market = flags >>> 16;
  const price = orders.i32[base | O_PRICE] as number;
  const status = core.markets.word(market, M_STATUS);
  if (status === STATUS_CANCEL_ONLY) return REJECT.MARKET_CANCEL_ONLY;
  if (status !== STATUS_TRADING && status !== STATUS_AUCTION && status !== STATUS_REDUCE_ONLY)
    return REJECT.MARKET_NOT_TRADING;
  const total = wanted + (orders.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_FILLED] as number);
  const minLots = core.markets.double(market, MF_MIN_LOTS);
  if (total < minLots) return core.refuse(REJECT.QUANTITY_TOO_SMALL, minLots);
  const minNotional = core.markets.double(market, MF_MIN_NOTIONAL);
  if (price * total * core.markets.double(market, MF_TICK_LOT_UNITS) < minNotional)
    return core.refuse(REJECT.NOTIONAL_TOO_SMALL, minNotional);
  const hidden = (flags & FLAG_ICEBERG) !== 0 ? hiddenLots(core.books, slot) : 0;
  const cut = open - wanted;
  if (hidden > 0) setHiddenLots(core.books, slot, hidden - Math.min(hidden, cut));
  if (cut > hidden) shrinkOrder(core.books, slot, open - hidden - (cut - hidden));
  const accountMarket = orders.i32[base | O_ACCOUNT_MARKET] as number;
  const units = holdUnits(core, market, flags, price, cut);
  const cell = holdCell(core, accountMarket, flags);
  if (core.perps.isPerp(market)) addExposure(core.views, accountMarket, market, flags, price, 0 - cut);
  else core.ledger.unfreeze(cell, units);
  core.emitOrder(KIND_AMENDED, 1, slot, core.accountMarkets.word(accountMarket, AM_ACCOUNT), cell, wanted, 0 - units);
  if (cut > hidden)
    core.emitDepth(market, flags & FLAG_SELL, price, levelLots(core.books, orders.i32[base | O_LEVEL] as number));
  return 0;
}

/**
 * The order's own weight is free for its new form; in split layout it still reduces the position it named, which is
 * returned.
 */
function releasePerp(core: Core, slot: number, accountMarket: number, open: number): number {
  const orders = core.books.orderWords;
  const base = slot << ORDER_SHIFT;
  const flags = orders[base | O_FLAGS] as number;
  addExposure(core.views, accountMarket, flags >>> 16, flags, orders[base | O_PRICE] as number, 0 - open);
  // It is asked for only of an order that reduces.
  const extra = orders[base | O_EXTRA] as number;
  return core.books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_POSITION] as number;
}

/** Any other change is a new order under the old id: checked as one, at the back of the queue. */
function replace(core: Core, slot: number, price: number, open: number, wanted: number): number {
  const orders = core.books.orders.table;
  const base = slot << ORDER_SHIFT;
  const flags = orders.i32[base | O_FLAGS] as number;
  const market = flags >>> 16;
  const accountMarket = orders.i32[base | O_ACCOUNT_MARKET] as number;
  const oldPrice = orders.i32[base | O_PRICE] as number;
  const registers = core.books.registers;
  const cell = holdCell(core, accountMarket, flags);
  const extra = orders.i32[base | O_EXTRA] as number;
  const released = holdUnits(core, market, flags, oldPrice, open) + heldBeyond(core, slot);
  // Its own money and its own place in the count are free for the new form; both return when a check fails.
  const perp = core.perps.isPerp(market);
  const position = perp ? releasePerp(core, slot, accountMarket, open) : 0;
  if (!perp) core.ledger.unfreeze(cell, released);
  core.accountMarkets.bump(accountMarket, AM_RESTING, -1);
  registers[R_LOTS] = wanted;
  const slice = core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_SLICE] as number;
  if ((flags & FLAG_ICEBERG) !== 0) registers[R_VISIBLE] = Math.min(wanted, slice);
  const limit = checkOrder(core.views, accountMarket, market, flags & 0xffff & ~(3 << TIF_SHIFT), price, 0, position);
  if (limit < 0) {
    if (perp) addExposure(core.views, accountMarket, market, flags, oldPrice, open);
    else core.ledger.freeze(cell, released);
    core.accountMarkets.bump(accountMarket, AM_RESTING, 1);
    return codeOf(limit);
  }
  // Fewer lots than a slice are all shown; the slice stays what it was told to be.
  if ((flags & FLAG_ICEBERG) !== 0) registers[R_VISIBLE] = slice;
  const placed = registers[R_LOTS] as number;
  const level = orders.i32[base | O_LEVEL] as number;
  removeOrder(core.books, market, slot);
  core.accountMarkets.removeOpenOrder(accountMarket, orders.i32[base | O_OPEN_PLACE] as number);
  if (((flags >> TIF_SHIFT) & 3) === TIF_GTD) {
    registers[R_EXPIRES] = core.books.orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_TIME] as number;
    core.timers.remove(slot);
  }
  const held = (registers[R_NEED] as number) + (registers[R_RESERVE] as number);
  if (perp) addExposure(core.views, accountMarket, market, flags, limit, placed);
  else core.ledger.freeze(cell, held);
  // A fee that came after the order was placed makes a reserve where there was none.
  if (extra !== 0 || (registers[R_RESERVE] as number) !== 0) {
    const kept = core.books.orders.extra(slot);
    core.books.orders.extras.f64[(kept << EXTRA_DOUBLE_SHIFT) | XF_HELD] = registers[R_RESERVE] as number;
  }
  orders.i32[base | O_PRICE] = limit;
  orders.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = placed;
  orders.f64[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = core.clock[G_SEQUENCE] as number;
  core.emitOrder(
    KIND_AMENDED,
    0,
    slot,
    core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    cell,
    placed,
    held - released,
  );
  core.emitDepth(market, flags & FLAG_SELL, oldPrice, levelLots(core.books, level));
  run(core.views, market, slot, accountMarket, flags & 0xffff & ~FLAG_RESTING, limit);
  return 0;
}
