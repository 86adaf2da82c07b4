// Owns the fast paths: plain spot limit orders and their cancels, which are nearly all of a busy day, and the views bound
// to matching and fills. A fast path does exactly what the general one does (place.ts, cancel.ts) with every table's view
// bound as a constant, or it does nothing and answers false: whatever is refused, rare or special takes the general
// path. Views are replaced when a table grows; the core then drops its fast paths and makes new ones.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { R_LOTS, T_ASK, TOP_SHIFT, takeBookViews } from "../book/book.ts";
import { matchTaker } from "../book/match.ts";
import {
  EVENT_FLAGS,
  FLAG_ICEBERG,
  FLAG_LIVE,
  FLAG_RESTING,
  FLAG_SELL,
  GENERATION_MAX,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_GROUP,
  O_LEVEL,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_SHIFT,
  STP_NONE,
  STP_SHIFT,
  TIF_GTC,
  TIF_SHIFT,
} from "../book/orders.ts";
import { ACCOUNT_ALLOW_SELF_TRADE, CELL_SHIFT } from "../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_ACCOUNT,
  AM_FLAGS,
  AM_GROUP,
  AM_MARKET,
  AM_OPEN_HOLE,
  AM_OPEN_SIZE,
  AM_OPEN_USED,
  AM_QUOTE_CELL,
  AM_RESTING,
} from "../market/account-markets.ts";
import {
  KIND_SPOT,
  M_BAND_STALE,
  M_BUY_MAX,
  M_BUY_MIN,
  M_KIND,
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
} from "../market/markets.ts";
import { mix } from "../memory/pair-index.ts";
import { takeFrom } from "../order/entry/place.ts";
import { endPlain, restPlain } from "../order/entry/resting.ts";
import { FILL_RECORDS_MAX, takeFillViews } from "../order/fill/fills.ts";
import { fillSpotSteps } from "../order/fill/spot-fills.ts";
import { EVENTS } from "../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../protocol/event-log.ts";
import { END_REASONS } from "../protocol/names.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../state/core.ts";
import type { FastPaths, PerpFastPaths } from "../state/fast-paths.ts";

const KIND_ACCEPTED = EVENTS.orderAccepted.kind;
const KIND_ENDED = EVENTS.orderEnded.kind;
const REASON_USER = END_REASONS.indexOf("USER");
/** Bits of the order's shape that a plain limit order leaves zero: all but side, GTC or IOC, and self-trade mode. */
const SHAPE_UNUSUAL = 0x00fefffe;
const STP_MODE_SHIFT = 24;
/** Post-only and inQuote; slippage means nothing to a limit order. */
const SHAPE_REST_UNUSUAL = 0xffff;

const POSITIVE = 0x7fffffff;
/** Keeps the accounts of one market apart from those of the next among the account markets last found. */
const MARKET_SPREAD = 1031;

export function bindFastPaths(core: Core, perp: PerpFastPaths): FastPaths {
  const { books, events, ledger, markets, clock } = core;
  const accountMarkets = core.accountMarkets.words;
  const accountMarketIndex = core.accountMarkets.index.table;
  const accountMarketKeys = accountMarketIndex.i32;
  const limits = markets.words;
  const sizes = markets.doubles;
  const cells = ledger.cellDoubles;
  const orderTable = books.orders.table;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const tops = books.topWords;
  const registers = books.registers;
  const ladders = books.ladders;
  const i32 = events.i32;
  const f64 = events.f64;
  // Every index is masked by its table: see memory/table.ts.
  const accountMarketMask = core.accountMarkets.table.mask;
  const marketMask = markets.table.mask;
  const cellMask = ledger.cells.mask;
  const orderMask = orderTable.mask;
  const topMask = books.tops.mask;
  const views = takeFillViews(core);
  /** The last word at which a command's two events can begin. */
  const roomWords = i32.length - 2 * EVENT_WORDS;

  /**
   * Account markets last found, by account and market; never trusted, because each account market says whose it is.
   * Scratch, not state.
   */
  const found = new Int32Array(accountMarkets.length >> ACCOUNT_MARKET_SHIFT);

  function findAccountMarket(account: number, market: number): number {
    const mask = accountMarketIndex.count - 1;
    let at = mix(account, market) & mask;
    for (;;) {
      const accountMarket = accountMarketKeys[(at << 2) | 2] as number;
      if (
        accountMarket === 0 ||
        (accountMarketKeys[at << 2] === account && accountMarketKeys[(at << 2) | 1] === market)
      )
        return accountMarket;
      at = (at + 1) & mask;
    }
  }

  function place(
    words: Int32Array,
    doubles: Float64Array,
    at: number,
    account: number,
    shape: number,
    rest: number,
  ): boolean {
    if ((shape & SHAPE_UNUSUAL) !== 0 || (rest & SHAPE_REST_UNUSUAL) !== 0) return false;
    const market = words[at + 6] as number;
    const price = words[at + 7] as number;
    const foundAt = (account + Math.imul(market, MARKET_SPREAD)) & (found.length - 1);
    let accountMarket = found[foundAt] as number;
    let accountMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    if (
      accountMarkets[accountMarketAt + AM_ACCOUNT] !== account ||
      accountMarkets[accountMarketAt + AM_MARKET] !== market
    ) {
      accountMarket = findAccountMarket(account, market);
      accountMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
      found[foundAt] = accountMarket;
    }
    const slot = orderTable.freeHead;
    const record = events.count;
    if (accountMarket === 0 || slot === 0 || record + FILL_RECORDS_MAX > events.capacity) return false;
    const mode = shape >>> STP_MODE_SHIFT;
    // Of all flags only the leave to trade with oneself keeps an order plain; without it the mode must be another.
    const accountMarketFlags = accountMarkets[accountMarketAt + AM_FLAGS] as number;
    if (
      accountMarketFlags !== ACCOUNT_ALLOW_SELF_TRADE ? accountMarketFlags !== 0 || mode >= STP_NONE : mode > STP_NONE
    )
      return false;
    const marketAt = (market << MARKET_SHIFT) & marketMask;
    if (limits[marketAt + M_KIND] !== KIND_SPOT)
      return perp.place(doubles, at, account, shape, market, price, accountMarket);
    if (limits[marketAt + M_STATUS] !== STATUS_TRADING) return false;
    const sizeAt = marketAt >> 1;
    const lots = doubles[(at >> 1) + 4] as number;
    if (!(lots >= 1) || Math.floor(lots) !== lots || price <= 0 || price > PRICE_TICKS_MAX) return false;
    if (lots < (sizes[sizeAt + MF_MIN_LOTS] as number) || lots > (sizes[sizeAt + MF_MAX_LOTS] as number)) return false;
    const notional = price * lots * (sizes[sizeAt + MF_TICK_LOT_UNITS] as number);
    if (notional < (sizes[sizeAt + MF_MIN_NOTIONAL] as number) || notional > Number.MAX_SAFE_INTEGER) return false;
    if (lots * (sizes[sizeAt + MF_STEP_UNITS] as number) > Number.MAX_SAFE_INTEGER) return false;
    if (limits[marketAt + M_BAND_STALE] !== 0 || (clock[G_NOW] as number) >= (sizes[sizeAt + MF_BUCKET_END] as number))
      markets.refreshBand(market, clock[G_NOW] as number);
    // Sides are as good as drawn by lot: what differs between them is reckoned, because a branch would be guessed
    // wrong.
    const sell = shape & 1;
    const high = limits[marketAt + M_BUY_MAX + sell * (M_SELL_MAX - M_BUY_MAX)] as number;
    if (price < (limits[marketAt + M_BUY_MIN + sell] as number) || (high !== 0 && price > high)) return false;
    const timeInForce = (shape >>> 16) & 1;
    const topAt = (market << TOP_SHIFT) & topMask;
    const best = tops[topAt + T_ASK - sell] as number;
    const takes = best !== 0 && ((best - price) ^ (0 - sell)) + sell <= 0;
    const resting = accountMarkets[accountMarketAt + AM_RESTING] as number;
    if (timeInForce === TIF_GTC ? resting >= (limits[marketAt + M_RESTING_MAX] as number) : !takes) return false;
    const need = lots * (sizes[sizeAt + MF_TICK_LOT_UNITS - sell] as number) * (price - ((price - 1) & (0 - sell)));
    const cell = accountMarkets[accountMarketAt + AM_QUOTE_CELL - sell] as number;
    const cellAt = ((cell << CELL_SHIFT) & cellMask) >> 1;
    const available = (cells[cellAt] as number) - need;
    if (available < 0) return false;
    let level = 0;
    if (!takes) {
      // The page of its price must be there, and room among the open orders.
      const hole = accountMarkets[accountMarketAt + AM_OPEN_HOLE] as number;
      if (
        hole === 0 &&
        accountMarkets[accountMarketAt + AM_OPEN_USED] === accountMarkets[accountMarketAt + AM_OPEN_SIZE]
      )
        return false;
      level = (ladders[market] as (typeof ladders)[number]).peek(price);
      if (level === 0) return false;
    }
    // Nothing can refuse it any more.
    const order = (slot << ORDER_SHIFT) & orderMask;
    const orderDouble = order >> 1;
    orderTable.freeHead = orders[order] as number;
    const flags = sell | (timeInForce << TIF_SHIFT) | (mode << STP_SHIFT);
    const sequence = clock[G_SEQUENCE] as number;
    const frozen = (cells[cellAt + 1] as number) + need;
    orders[order + O_PRICE] = price;
    orders[order + O_LEVEL] = level;
    orders[order + O_ACCOUNT_MARKET] = accountMarket;
    orders[order + O_GROUP] = accountMarkets[accountMarketAt + AM_GROUP] as number;
    orderDoubles[orderDouble + OF_LOTS] = lots;
    orderDoubles[orderDouble + OF_FILLED] = 0;
    orderDoubles[orderDouble + OF_SEQUENCE] = sequence;
    cells[cellAt] = available;
    cells[cellAt + 1] = frozen;
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
    f64[double + 5] = need;
    f64[double + 6] = available;
    f64[double + 7] = frozen;
    if (takes) {
      orders[order + O_FLAGS] = (market << 16) | flags | FLAG_LIVE;
      events.count = record + 1;
      registers[R_LOTS] = lots;
      takeFrom(core, market, slot, accountMarket, flags, price);
      return true;
    }
    orders[order + O_FLAGS] = (market << 16) | flags | FLAG_LIVE | FLAG_RESTING;
    events.count = record + 1;
    restPlain(views, market, slot, level, price, sell, lots, accountMarketAt);
    return true;
  }

  function cancel(words: Int32Array, at: number, account: number): boolean {
    const slot = words[at + 6] as number;
    const record = events.count;
    if (slot <= 0 || slot >= orderTable.count || record + FILL_RECORDS_MAX > events.capacity) return false;
    const order = (slot << ORDER_SHIFT) & orderMask;
    const flags = orders[order + O_FLAGS] as number;
    const wanted = FLAG_LIVE | FLAG_RESTING;
    if ((flags & (wanted | FLAG_ICEBERG)) !== wanted || orders[order + O_EXTRA] !== 0) return false;
    const generation = orders[order + O_GENERATION] as number;
    if (generation !== words[at + 7] || generation >= GENERATION_MAX) return false;
    const accountMarketAt = ((orders[order + O_ACCOUNT_MARKET] as number) << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    const market = flags >>> 16;
    const marketAt = (market << MARKET_SHIFT) & marketMask;
    if (accountMarkets[accountMarketAt + AM_ACCOUNT] !== account) return false;
    if (limits[marketAt + M_KIND] !== KIND_SPOT) return perp.cancel(slot, account);
    const sell = flags & FLAG_SELL;
    const price = orders[order + O_PRICE] as number;
    const lots = orderDoubles[(order >> 1) + OF_LOTS] as number;
    const unit = sizes[(marketAt >> 1) + MF_TICK_LOT_UNITS - sell] as number;
    const units = lots * unit * (price - ((price - 1) & (0 - sell)));
    const cell = accountMarkets[accountMarketAt + AM_QUOTE_CELL - sell] as number;
    const cellAt = ((cell << CELL_SHIFT) & cellMask) >> 1;
    const frozen = (cells[cellAt + 1] as number) - units;
    if (frozen < 0) return false;
    const available = (cells[cellAt] as number) + units;
    const sequence = clock[G_SEQUENCE] as number;
    cells[cellAt + 1] = frozen;
    cells[cellAt] = available;
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
    f64[double + 5] = units;
    f64[double + 6] = available;
    f64[double + 7] = frozen;
    events.count = record + 1;
    endPlain(views, market, order, price, sell, lots, accountMarketAt);
    return true;
  }

  // The one text of matching and of fills: the compiler takes it into this function, with its views as constants.
  const bookViews = takeBookViews(books);
  const match: FastPaths["match"] = (market, sell, limit, group, mode) =>
    matchTaker(bookViews, market, sell, limit, group, mode, false);
  const fills: FastPaths["fills"] = (market, slot, accountMarket, flags, first, open) =>
    fillSpotSteps(views, market, slot, accountMarket, flags, first, open);
  return { place, cancel, match, fills, perpFills: perp.fills };
}
