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
import { atTop, R_LOTS, T_ASK, T_BID } from "../../book/book.ts";
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
  atCell,
  CF_AVAILABLE,
} from "../../ledger/ledger.ts";
import { AM_FLAGS, AM_QUOTE_CELL, AM_RESTING, AM_TAKER_RATE, atAccountMarket } from "../../market/account-markets.ts";
import {
  atMarket,
  KIND_SPOT,
  M_BAND_STALE,
  M_BUY_MAX,
  M_BUY_MIN,
  M_KIND,
  M_RESTING_MAX,
  M_SELL_MAX,
  M_SELL_MIN,
  M_SLIPPAGE_BPS,
  M_STATUS,
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
import { type Double, getDouble, getWord, setDouble } from "../../memory/record.ts";
import { checkPerpOrder } from "../../perp/order/checks.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import type { Views } from "../../state/views.ts";
import { unitsOf } from "../end/finish.ts";

/** Registers beyond the book's own: expiry and visible lots of the order at hand, units it needs and fee reserve. */
export const R_EXPIRES: Double<"registers"> = 4;
export const R_VISIBLE: Double<"registers"> = 5;
export const R_NEED: Double<"registers"> = 6;
export const R_RESERVE: Double<"registers"> = 7;

const POST_ONLY_REJECT = 1;
/** What only some orders are: shaped by more than side, price, quantity, self-trade mode and taking at once. */
const FLAGS_SHAPED = FLAG_MARKET | FLAG_IN_QUOTE | FLAG_ICEBERG | (3 << POST_ONLY_SHIFT);
/** Accounts that may not do everything. */
const ACCOUNT_BOUND = ACCOUNT_BLOCK_TRADING | ACCOUNT_COPY_BOOK | ACCOUNT_BOT | ACCOUNT_INDEBTED;

/**
 * Runs every check, of an order that closes the split `position` or none. Returns the limit to match at, or the code of
 * the check that failed, below zero. Leaves the need in R_NEED and R_RESERVE.
 */
export function checkOrder(
  v: Views,
  accountMarket: number,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  position: number,
): number {
  const { core, limits, sizes, accountMarkets, registers } = v;
  const marketAt = atMarket(market) & v.marketMask;
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  const accountFlags = getWord(accountMarkets, accountMarketAt, AM_FLAGS);
  const status = getWord(limits, marketAt, M_STATUS);
  if (status !== STATUS_TRADING || (accountFlags & ACCOUNT_BOUND) !== 0) {
    const code = checkStatus(core, accountMarket, market, flags, price, status);
    if (code !== 0) return 0 - code;
  }
  const isLimit = (flags & FLAG_MARKET) === 0;
  const lots = getDouble(registers, 0, R_LOTS);
  if (isLimit && (price <= 0 || price > PRICE_TICKS_MAX)) return 0 - REJECT.INVALID_PRICE;
  if (!(lots >= 1 && lots <= Number.MAX_SAFE_INTEGER && Math.floor(lots) === lots)) return 0 - REJECT.INVALID_QUANTITY;
  let limit = price;
  if (
    (flags & FLAGS_SHAPED) !== 0 ||
    ((flags >> TIF_SHIFT) & 3) === TIF_GTD ||
    (accountFlags & ACCOUNT_INDEBTED) !== 0
  ) {
    limit = checkShape(core, market, flags, price, slippageBps, accountFlags);
    if (limit < 0) return limit;
  }
  // Sides are as good as drawn by lot: what differs between them is computed, because a branch would be guessed wrong.
  const sell = flags & FLAG_SELL;
  if ((flags & FLAG_IN_QUOTE) !== 0) {
    const code = checkBudget(core, market, lots);
    if (code !== 0) return 0 - code;
  } else {
    const least = getDouble(sizes, marketAt, MF_MIN_LOTS);
    if (lots < least) return refuse(core, REJECT.QUANTITY_TOO_SMALL, least);
    const most = getDouble(sizes, marketAt, isLimit ? MF_MAX_LOTS : MF_MAX_MARKET_LOTS);
    if (lots > most) return refuse(core, REJECT.QUANTITY_TOO_LARGE, most);
    const notional = limit * lots * getDouble(sizes, marketAt, MF_TICK_LOT_UNITS);
    const smallest = getDouble(sizes, marketAt, MF_MIN_NOTIONAL);
    if (notional < smallest) return refuse(core, REJECT.NOTIONAL_TOO_SMALL, smallest);
    const base = lots * getDouble(sizes, marketAt, MF_STEP_UNITS);
    if (notional > Number.MAX_SAFE_INTEGER || base > Number.MAX_SAFE_INTEGER)
      return refuse(core, REJECT.NOTIONAL_TOO_LARGE, Number.MAX_SAFE_INTEGER);
  }
  if (isLimit) {
    if (getWord(limits, marketAt, M_BAND_STALE) !== 0 || core.now >= getDouble(sizes, marketAt, MF_BUCKET_END))
      v.markets.refreshBand(market, core.now);
    const high = getWord(limits, marketAt, M_BUY_MAX + sell * (M_SELL_MAX - M_BUY_MAX));
    if (high !== 0 && price > high) return refuse(core, REJECT.PRICE_TOO_HIGH, high);
    const low = getWord(limits, marketAt, M_BUY_MIN + sell * (M_SELL_MIN - M_BUY_MIN));
    if (price < low) return refuse(core, REJECT.PRICE_TOO_LOW, low);
    const timeInForce = (flags >> TIF_SHIFT) & 3;
    if (timeInForce === TIF_GTC || timeInForce === TIF_GTD) {
      const most = getWord(limits, marketAt, M_RESTING_MAX);
      if (getWord(accountMarkets, accountMarketAt, AM_RESTING) >= most)
        return refuse(core, REJECT.TOO_MANY_ORDERS, most);
    }
  }
  if (getWord(limits, marketAt, M_KIND) !== KIND_SPOT) {
    setDouble(registers, 0, R_NEED, 0);
    setDouble(registers, 0, R_RESERVE, 0);
    limit = checkPerpOrder(v, accountMarket, market, flags, limit, position);
    if (limit < 0) return limit;
  } else {
    // What the order freezes: base to sell, quote to buy, and for books that pay in quote the taker fee on top.
    const need = (flags & FLAG_IN_QUOTE) !== 0 ? lots : unitsOf(sizes, marketAt, sell, limit, lots);
    const reserve =
      (accountFlags & ACCOUNT_FEE_IN_QUOTE) !== 0 && sell === 0
        ? feeCeil(need, getWord(accountMarkets, accountMarketAt, AM_TAKER_RATE))
        : 0;
    setDouble(registers, 0, R_NEED, need);
    setDouble(registers, 0, R_RESERVE, reserve);
    const cell = getWord(accountMarkets, accountMarketAt, AM_QUOTE_CELL - sell);
    const available = getDouble(v.cellDoubles, atCell(cell) & v.cellMask, CF_AVAILABLE);
    if (available < need + reserve) return refuse(core, REJECT.INSUFFICIENT_BALANCE, available);
  }
  if (((flags >> POST_ONLY_SHIFT) & 3) !== 0 && crosses(v, market, flags, limit)) {
    limit = reprice(core, accountMarket, market, flags, limit, position);
    if (limit < 0) return limit;
  }
  const mode = (flags >> STP_SHIFT) & 7;
  const isAllowed = mode < STP_NONE || (mode === STP_NONE && (accountFlags & ACCOUNT_ALLOW_SELF_TRADE) !== 0);
  return isAllowed ? limit : 0 - REJECT.SELF_TRADE_MODE_FORBIDDEN;
}

/** Notes the bound a refusal names; returns its code below zero. */
function refuse(core: Core, code: number, limit: number): number {
  return 0 - core.refuse(code, limit);
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
      return rests && !crosses(core.views, market, flags, price) ? 0 : REJECT.MARKET_AUCTION;
    }
    default:
      return REJECT.MARKET_NOT_TRADING;
  }
}

/**
 * The combinations that make no sense. Returns the limit: the price given, or the protective one of a market order, or
 * what an indebted account may trade at; a code below zero where there is none.
 */
function checkShape(
  core: Core,
  market: number,
  flags: number,
  price: number,
  slippageBps: number,
  accountFlags: number,
): number {
  const { registers } = core.books;
  const quantity = getDouble(registers, 0, R_LOTS);
  const isMarket = (flags & FLAG_MARKET) !== 0;
  const inQuote = (flags & FLAG_IN_QUOTE) !== 0;
  const iceberg = (flags & FLAG_ICEBERG) !== 0;
  const postOnly = ((flags >> POST_ONLY_SHIFT) & 3) !== 0;
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const immediate = isMarket || timeInForce === TIF_IOC || timeInForce === TIF_FOK;
  if (
    (immediate && (postOnly || iceberg)) ||
    (isMarket && timeInForce !== TIF_GTC && timeInForce !== TIF_IOC) ||
    (inQuote && (!isMarket || (flags & FLAG_SELL) !== 0))
  )
    return 0 - REJECT.INVALID_COMBINATION;
  if (timeInForce === TIF_GTD) {
    const ahead = getDouble(registers, 0, R_EXPIRES) - core.now;
    if (!(ahead >= EXPIRY_MIN_MS && ahead <= EXPIRY_MAX_MS)) return 0 - REJECT.INVALID_EXPIRY;
  }
  if (iceberg) {
    const visible = getDouble(registers, 0, R_VISIBLE);
    const whole = Math.floor(visible) === visible && visible >= 1 && visible <= quantity;
    if (!whole || visible * ICEBERG_PARTS_MAX < quantity || visible * ICEBERG_SLICES_MAX < quantity)
      return 0 - REJECT.INVALID_ICEBERG;
  }
  const limit = isMarket ? findProtectiveLimit(core, market, flags, slippageBps) : price;
  return limit >= 0 && (accountFlags & ACCOUNT_INDEBTED) !== 0 ? checkRepaying(core, market, flags, limit) : limit;
}

/** As many lots as a budget could buy at most, at the best price there is. A product beyond all whole numbers is above any amount. */
function checkBudget(core: Core, market: number, budget: number): number {
  const sizes = core.markets.doubles;
  const at = atMarket(market);
  const least = getDouble(sizes, at, MF_MIN_NOTIONAL);
  if (budget < least) return core.refuse(REJECT.NOTIONAL_TOO_SMALL, least);
  const best = getWord(core.books.topWords, atTop(market), T_ASK);
  const most = getDouble(sizes, at, MF_MAX_MARKET_LOTS);
  const beyond = best * getDouble(sizes, at, MF_TICK_LOT_UNITS) * (most + 1);
  return budget >= beyond ? core.refuse(REJECT.QUANTITY_TOO_LARGE, most) : 0;
}

/** Best opposite price plus the slippage allowed, inside the band; a code below zero where there is none. */
function findProtectiveLimit(core: Core, market: number, flags: number, slippageBps: number): number {
  const words = core.markets.words;
  const at = atMarket(market);
  if (slippageBps > SLIPPAGE_MAX_BPS) return refuse(core, REJECT.INVALID_SLIPPAGE, SLIPPAGE_MAX_BPS);
  const slippage = slippageBps !== 0 ? slippageBps : getWord(words, at, M_SLIPPAGE_BPS);
  core.markets.refreshBand(market, core.now);
  const sells = (flags & FLAG_SELL) !== 0;
  const best = getWord(core.books.topWords, atTop(market), sells ? T_BID : T_ASK);
  if (best === 0) return 0 - REJECT.NO_LIQUIDITY;
  if (sells) {
    const limit = Math.max(1, Math.ceil((best * (10_000 - slippage)) / 10_000));
    return Math.max(limit, getWord(words, at, M_SELL_MIN));
  }
  const limit = Math.min(PRICE_TICKS_MAX, Math.floor((best * (10_000 + slippage)) / 10_000));
  const high = getWord(words, at, M_BUY_MAX);
  return high !== 0 ? Math.min(limit, high) : limit;
}

function crosses(v: Views, market: number, flags: number, price: number): boolean {
  const topAt = atTop(market) & v.topMask;
  if ((flags & FLAG_SELL) !== 0) return getWord(v.topWords, topAt, T_BID) >= price;
  const ask = getWord(v.topWords, topAt, T_ASK);
  return ask !== 0 && ask <= price;
}

/** A post-only order that would take is refused, or moves one tick behind the best opposite price. */
function reprice(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  given: number,
  position: number,
): number {
  if (((flags >> POST_ONLY_SHIFT) & 3) === POST_ONLY_REJECT) return 0 - REJECT.POST_ONLY_WOULD_CROSS;
  const tops = core.books.topWords;
  let limit = given;
  if ((flags & FLAG_SELL) !== 0) limit = getWord(tops, atTop(market), T_BID) + 1;
  else {
    limit = getWord(tops, atTop(market), T_ASK) - 1;
    if (limit <= 0) return 0 - REJECT.POST_ONLY_WOULD_CROSS;
    const { registers } = core.books;
    const lots = getDouble(registers, 0, R_LOTS);
    setDouble(registers, 0, R_NEED, limit * lots * core.markets.double(market, MF_HOLD_QUOTE));
  }
  // Spot needs less at the new price, or the same coins; a perpetual may ask for more margin, or lie in another tier.
  return core.perps.isPerp(market) ? checkPerpOrder(core.views, accountMarket, market, flags, limit, position) : limit;
}
