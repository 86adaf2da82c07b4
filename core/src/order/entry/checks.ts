// Owns the fixed order of checks an order passes, each with its own code. Changes nothing.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import {
  EXPIRY_MAX_MS,
  EXPIRY_MIN_MS,
  ICEBERG_PARTS_MAX,
  ICEBERG_SLICES_MAX,
  SLIPPAGE_MAX_BPS,
} from "@clockwork/kit/order-bounds";
import { checkRepaying, repays } from "../../account/debts.ts";
import { R_LOTS, T_ASK, T_BID, TOP_SHIFT } from "../../book/book.ts";
import {
  FLAG_ICEBERG,
  FLAG_IN_QUOTE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  POST_ONLY_SHIFT,
  STP_NONE,
  STP_SHIFT,
  TIF_FOK,
  TIF_GTC,
  TIF_GTD,
  TIF_IOC,
  TIF_SHIFT,
} from "../../book/orders.ts";
import {
  ACCOUNT_ALLOW_SELF_TRADE,
  ACCOUNT_BLOCK_TRADING,
  ACCOUNT_BOT,
  ACCOUNT_COPY_BOOK,
  ACCOUNT_FEE_IN_QUOTE,
  ACCOUNT_INDEBTED,
  CELL_DOUBLE_SHIFT,
} from "../../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_BASE_CELL,
  AM_FLAGS,
  AM_QUOTE_CELL,
  AM_RESTING,
  AM_TAKER_RATE,
} from "../../market/account-markets.ts";
import {
  M_BAND_STALE,
  M_BUY_MAX,
  M_BUY_MIN,
  M_RESTING_MAX,
  M_SELL_MAX,
  M_SELL_MIN,
  M_SLIPPAGE_BPS,
  M_STATUS,
  MARKET_DOUBLE_SHIFT,
  MARKET_SHIFT,
  MF_BUCKET_END,
  MF_HOLD_QUOTE,
  MF_MAX_LOTS,
  MF_MAX_MARKET_LOTS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
  STATUS_AUCTION,
  STATUS_CANCEL_ONLY,
  STATUS_REDUCE_ONLY,
  STATUS_TRADING,
} from "../../market/markets.ts";
import { checkPerpOrder } from "../../perp/order/checks.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";

/** Registers beyond the book's own: expiry and visible lots of the order at hand, units it needs and fee reserve. */
export const R_EXPIRES = 4;
export const R_VISIBLE = 5;
export const R_NEED = 6;
export const R_RESERVE = 7;

const POST_ONLY_REJECT = 1;

/**
 * Runs every check, of an order that closes the split `position` or none. Returns the limit to match at, or the code of
 * the check that failed, below zero. Leaves the need in R_NEED.
 */
export function checkOrder(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  position = 0,
): number {
  const status = core.markets.words[(market << MARKET_SHIFT) | M_STATUS] as number;
  const accountFlags = core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_FLAGS] as number;
  if (
    status !== STATUS_TRADING ||
    (accountFlags & (ACCOUNT_BLOCK_TRADING | ACCOUNT_COPY_BOOK | ACCOUNT_BOT | ACCOUNT_INDEBTED)) !== 0
  ) {
    const code = checkStatus(core, accountMarket, market, flags, price, status);
    if (code !== 0) return 0 - code;
  }
  let code = checkShape(core, flags, price);
  if (code !== 0) return 0 - code;
  let limit = (flags & FLAG_MARKET) !== 0 ? findProtectiveLimit(core, market, flags, slippageBps) : price;
  if (limit >= 0 && (accountFlags & ACCOUNT_INDEBTED) !== 0) limit = checkRepaying(core, market, flags, limit);
  if (limit < 0) return limit;
  code = checkSize(core, market, flags, limit);
  if (code !== 0) return 0 - code;
  if ((flags & FLAG_MARKET) === 0) {
    code = checkBand(core, market, flags, price);
    if (code !== 0) return 0 - code;
    const timeInForce = (flags >> TIF_SHIFT) & 3;
    if (timeInForce === TIF_GTC || timeInForce === TIF_GTD) {
      const most = core.markets.words[(market << MARKET_SHIFT) | M_RESTING_MAX] as number;
      if ((core.accountMarkets.words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_RESTING] as number) >= most)
        return 0 - core.refuse(REJECT.TOO_MANY_ORDERS, most);
    }
  }
  limit = checkBalance(core, accountMarket, market, flags, limit, position);
  return limit < 0 ? limit : checkCrossing(core, accountMarket, market, flags, limit, position);
}

/** The code in what checkOrder returned, 0 where every check passed. */
export function codeOf(checked: number): number {
  return checked < 0 ? 0 - checked : 0;
}

function checkStatus(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  status: number,
): number {
  const accountFlags = core.accountMarkets.word(accountMarket, AM_FLAGS);
  if ((accountFlags & ACCOUNT_BLOCK_TRADING) !== 0) return REJECT.ACCOUNT_BLOCKED;
  const closes = (flags & (core.perps.isPerp(market) ? FLAG_REDUCE_ONLY : FLAG_SELL)) !== 0;
  if ((accountFlags & ACCOUNT_COPY_BOOK) !== 0 && !closes && !core.copies.isCopying)
    return REJECT.COPY_BOOK_CLOSES_ONLY;
  if ((accountFlags & ACCOUNT_INDEBTED) !== 0 && !repays(core, accountMarket, market, flags)) return REJECT.IN_DEBT;
  if ((accountFlags & ACCOUNT_BOT) !== 0 && !core.bots.isPlacing) return REJECT.BOT_BOOK_CLOSED;
  switch (status) {
    case STATUS_TRADING:
      return 0;
    case STATUS_CANCEL_ONLY:
      return REJECT.MARKET_CANCEL_ONLY;
    case STATUS_REDUCE_ONLY:
      // On spot, holdings can still be sold; perpetuals ask for orders that say they reduce.
      return closes ? 0 : REJECT.REDUCE_ONLY_REJECTED;
    case STATUS_AUCTION: {
      // Orders gather before the opening, but nothing may trade yet.
      const timeInForce = (flags >> TIF_SHIFT) & 3;
      const rests = (flags & FLAG_MARKET) === 0 && (timeInForce === TIF_GTC || timeInForce === TIF_GTD);
      return rests && !crosses(core, market, flags, price) ? 0 : REJECT.MARKET_AUCTION;
    }
    default:
      return REJECT.MARKET_NOT_TRADING;
  }
}

/** Precision and the combinations that make no sense. */
function checkShape(core: Core, flags: number, price: number): number {
  const quantity = core.books.registers[R_LOTS] as number;
  if ((flags & FLAG_MARKET) === 0 && (price <= 0 || price > PRICE_TICKS_MAX)) return REJECT.INVALID_PRICE;
  if (!(quantity >= 1 && quantity <= Number.MAX_SAFE_INTEGER && Math.floor(quantity) === quantity)) {
    return REJECT.INVALID_QUANTITY;
  }
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const postOnly = (flags >> POST_ONLY_SHIFT) & 3;
  const iceberg = (flags & FLAG_ICEBERG) !== 0;
  if (timeInForce === TIF_GTC && postOnly === 0 && !iceberg && (flags & FLAG_IN_QUOTE) === 0) return 0;
  const immediate = (flags & FLAG_MARKET) !== 0 || timeInForce === TIF_IOC || timeInForce === TIF_FOK;
  if (immediate && (postOnly !== 0 || iceberg)) return REJECT.INVALID_COMBINATION;
  if ((flags & FLAG_MARKET) !== 0 && timeInForce !== TIF_GTC && timeInForce !== TIF_IOC)
    return REJECT.INVALID_COMBINATION;
  if ((flags & FLAG_IN_QUOTE) !== 0 && ((flags & FLAG_MARKET) === 0 || (flags & FLAG_SELL) !== 0)) {
    return REJECT.INVALID_COMBINATION;
  }
  if (timeInForce === TIF_GTD) {
    const ahead = (core.books.registers[R_EXPIRES] as number) - core.now;
    if (!(ahead >= EXPIRY_MIN_MS && ahead <= EXPIRY_MAX_MS)) return REJECT.INVALID_EXPIRY;
  }
  if (iceberg) {
    const visible = core.books.registers[R_VISIBLE] as number;
    const whole = Math.floor(visible) === visible && visible >= 1 && visible <= quantity;
    if (!whole || visible * ICEBERG_PARTS_MAX < quantity || visible * ICEBERG_SLICES_MAX < quantity)
      return REJECT.INVALID_ICEBERG;
  }
  return 0;
}

/** Minimum and maximum quantity, then the notional's bounds. */
function checkSize(core: Core, market: number, flags: number, limit: number): number {
  const f64 = core.markets.doubles;
  const at = market << MARKET_DOUBLE_SHIFT;
  const quantity = core.books.registers[R_LOTS] as number;
  const limits = core.checkLimit;
  if ((flags & FLAG_IN_QUOTE) !== 0) {
    const least = f64[at + MF_MIN_NOTIONAL] as number;
    if (quantity < least) return core.refuse(REJECT.NOTIONAL_TOO_SMALL, least);
    // As many lots as it could buy at most, at the best price there is. A product beyond all whole numbers is above any amount.
    const best = core.books.topWords[(market << TOP_SHIFT) | T_ASK] as number;
    const most = f64[at + MF_MAX_MARKET_LOTS] as number;
    const beyond = best * (f64[at + MF_TICK_LOT_UNITS] as number) * (most + 1);
    return quantity >= beyond ? core.refuse(REJECT.QUANTITY_TOO_LARGE, most) : 0;
  }
  if (quantity < (f64[at + MF_MIN_LOTS] as number)) {
    limits[0] = f64[at + MF_MIN_LOTS] as number;
    return REJECT.QUANTITY_TOO_SMALL;
  }
  const max = f64[at + ((flags & FLAG_MARKET) !== 0 ? MF_MAX_MARKET_LOTS : MF_MAX_LOTS)] as number;
  if (quantity > max) {
    limits[0] = max;
    return REJECT.QUANTITY_TOO_LARGE;
  }
  const notional = limit * quantity * (f64[at + MF_TICK_LOT_UNITS] as number);
  if (notional < (f64[at + MF_MIN_NOTIONAL] as number)) {
    limits[0] = f64[at + MF_MIN_NOTIONAL] as number;
    return REJECT.NOTIONAL_TOO_SMALL;
  }
  if (notional > Number.MAX_SAFE_INTEGER || quantity * (f64[at + MF_STEP_UNITS] as number) > Number.MAX_SAFE_INTEGER) {
    limits[0] = Number.MAX_SAFE_INTEGER;
    return REJECT.NOTIONAL_TOO_LARGE;
  }
  return 0;
}

function checkBand(core: Core, market: number, flags: number, price: number): number {
  const words = core.markets.words;
  const at = market << MARKET_SHIFT;
  const stale = words[at + M_BAND_STALE] !== 0;
  if (stale || core.now >= (core.markets.doubles[(market << MARKET_DOUBLE_SHIFT) | MF_BUCKET_END] as number)) {
    core.markets.refreshBand(market, core.now);
  }
  const sell = (flags & FLAG_SELL) !== 0;
  const high = words[at + (sell ? M_SELL_MAX : M_BUY_MAX)] as number;
  if (high !== 0 && price > high) {
    core.checkLimit[0] = high;
    return REJECT.PRICE_TOO_HIGH;
  }
  const low = words[at + (sell ? M_SELL_MIN : M_BUY_MIN)] as number;
  if (price < low) {
    core.checkLimit[0] = low;
    return REJECT.PRICE_TOO_LOW;
  }
  return 0;
}

/** Best opposite price plus the slippage allowed, inside the band; a code below zero where there is none. */
function findProtectiveLimit(core: Core, market: number, flags: number, slippageBps: number): number {
  const words = core.markets.words;
  const at = market << MARKET_SHIFT;
  if (slippageBps > SLIPPAGE_MAX_BPS) return 0 - core.refuse(REJECT.INVALID_SLIPPAGE, SLIPPAGE_MAX_BPS);
  const slippage = slippageBps !== 0 ? slippageBps : (words[at + M_SLIPPAGE_BPS] as number);
  core.markets.refreshBand(market, core.now);
  if ((flags & FLAG_SELL) !== 0) {
    const best = core.books.topWords[(market << TOP_SHIFT) | T_BID] as number;
    if (best === 0) return 0 - REJECT.NO_LIQUIDITY;
    const limit = Math.max(1, Math.ceil((best * (10_000 - slippage)) / 10_000));
    return Math.max(limit, words[at + M_SELL_MIN] as number);
  }
  const best = core.books.topWords[(market << TOP_SHIFT) | T_ASK] as number;
  if (best === 0) return 0 - REJECT.NO_LIQUIDITY;
  const limit = Math.min(PRICE_TICKS_MAX, Math.floor((best * (10_000 + slippage)) / 10_000));
  const high = words[at + M_BUY_MAX] as number;
  return high !== 0 ? Math.min(limit, high) : limit;
}

/**
 * What the order freezes: base to sell, quote to buy, and for books that pay in quote the taker fee on top. Returns the limit, which
 * a perpetual may move, or a code below zero.
 */
function checkBalance(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  limit: number,
  position: number,
): number {
  const registers = core.books.registers;
  const quantity = registers[R_LOTS] as number;
  const f64 = core.markets.doubles;
  const accountMarkets = core.accountMarkets.words;
  let need: number;
  let cell: number;
  registers[R_RESERVE] = 0;
  if (core.perps.isPerp(market)) {
    registers[R_NEED] = 0;
    return checkPerpOrder(core, accountMarket, market, flags, limit, position);
  }
  if ((flags & FLAG_SELL) !== 0) {
    need = quantity * (f64[(market << MARKET_DOUBLE_SHIFT) | MF_STEP_UNITS] as number);
    cell = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_BASE_CELL] as number;
  } else {
    need =
      (flags & FLAG_IN_QUOTE) !== 0
        ? quantity
        : limit * quantity * (f64[(market << MARKET_DOUBLE_SHIFT) | MF_TICK_LOT_UNITS] as number);
    cell = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_QUOTE_CELL] as number;
    if (((accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_FLAGS] as number) & ACCOUNT_FEE_IN_QUOTE) !== 0) {
      registers[R_RESERVE] = feeCeil(
        need,
        accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_TAKER_RATE] as number,
      );
    }
  }
  registers[R_NEED] = need;
  const wanted = need + (registers[R_RESERVE] as number);
  if ((core.ledger.cellDoubles[cell << CELL_DOUBLE_SHIFT] as number) < wanted) {
    const available = core.ledger.cellDoubles[cell << CELL_DOUBLE_SHIFT] as number;
    return 0 - core.refuse(REJECT.INSUFFICIENT_BALANCE, available);
  }
  return limit;
}

export function crosses(core: Core, market: number, flags: number, price: number): boolean {
  const tops = core.books.topWords;
  if ((flags & FLAG_SELL) !== 0) return (tops[(market << TOP_SHIFT) | T_BID] as number) >= price;
  const ask = tops[(market << TOP_SHIFT) | T_ASK] as number;
  return ask !== 0 && ask <= price;
}

/**
 * Post-only, then the self-trade mode. Returns the limit, which a reprice moves one tick behind the best opposite price,
 * or a code below zero.
 */
function checkCrossing(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  given: number,
  position: number,
): number {
  const postOnly = (flags >> POST_ONLY_SHIFT) & 3;
  let limit = given;
  if (postOnly !== 0 && crosses(core, market, flags, limit)) {
    if (postOnly === POST_ONLY_REJECT) return 0 - REJECT.POST_ONLY_WOULD_CROSS;
    const tops = core.books.topWords;
    if ((flags & FLAG_SELL) !== 0) limit = (tops[(market << TOP_SHIFT) | T_BID] as number) + 1;
    else {
      limit = (tops[(market << TOP_SHIFT) | T_ASK] as number) - 1;
      if (limit <= 0) return 0 - REJECT.POST_ONLY_WOULD_CROSS;
      const registers = core.books.registers;
      registers[R_NEED] = limit * (registers[R_LOTS] as number) * core.markets.double(market, MF_HOLD_QUOTE);
    }
    // Spot needs less at the new price, or the same coins; a perpetual may ask for more margin, or lie in another tier.
    if (core.perps.isPerp(market)) limit = checkPerpOrder(core, accountMarket, market, flags, limit, position);
    if (limit < 0) return limit;
  }
  if (((flags >> STP_SHIFT) & 7) < STP_NONE) return limit;
  const allowed = (core.accountMarkets.word(accountMarket, AM_FLAGS) & ACCOUNT_ALLOW_SELF_TRADE) !== 0;
  return allowed && ((flags >> STP_SHIFT) & 7) === STP_NONE ? limit : 0 - REJECT.SELF_TRADE_MODE_FORBIDDEN;
}
