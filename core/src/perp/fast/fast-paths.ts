// Owns the fast path of perpetuals: plain limit orders of one-way cross symbol margins on linear contracts and their
// cancels, as checks.ts, exposure.ts and finish.ts do it, with every table's view bound as a constant; see
// fast/fast-paths.ts. Answers false and changes nothing when anything is refused, rare or special.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { R_LOTS, T_ASK, TOP_SHIFT } from "../../book/book.ts";
import {
  EVENT_FLAGS,
  FLAG_LIVE,
  FLAG_REDUCE_ONLY,
  FLAG_RESTING,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GENERATION,
  O_GROUP,
  O_LEVEL,
  O_PRICE,
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
  ACCOUNT_MARKET_SHIFT,
  AM_GROUP,
  AM_OPEN_HOLE,
  AM_OPEN_SIZE,
  AM_OPEN_USED,
  AM_QUOTE_CELL,
  AM_RESTING,
  AM_SYMBOL_MARGIN,
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
import { endPlain, restPlain } from "../../order/entry/resting.ts";
import { takeFillViews } from "../../order/fill/fills.ts";
import { EVENTS } from "../../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../../protocol/event-log.ts";
import { END_REASONS } from "../../protocol/names.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../../state/core.ts";
import type { PerpFastPaths } from "../../state/fast-paths.ts";
import { fillPerpSteps, takePerpFillViews } from "../fill/steps.ts";
import { markStale } from "../margin/exposure.ts";
import {
  CONTRACT_SHIFT,
  CT_TIERS,
  MODE_AUTO_APPEND,
  SM_FLAGS,
  SM_STALE,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";
import { bindExposure, type FastExposure, W_LOTS } from "./exposure.ts";
import { bindPlainSide } from "./fills.ts";

const KIND_ACCEPTED = EVENTS.orderAccepted.kind;
const KIND_ENDED = EVENTS.orderEnded.kind;
const REASON_USER = END_REASONS.indexOf("USER");
const LINEAR = 1;
const STP_MODE_SHIFT = 24;
const POSITIVE = 0x7fffffff;

export function bindPerpFastPaths(core: Core): PerpFastPaths {
  const { books, events, markets, clock, perps } = core;
  const accountMarkets = core.accountMarkets.words;
  const limits = markets.words;
  const sizes = markets.doubles;
  const orderTable = books.orders.table;
  const orders = books.orderWords;
  const orderDoubles = books.orderDoubles;
  const tops = books.topWords;
  const registers = books.registers;
  const ladders = books.ladders;
  const contracts = perps.contractWords;
  const symbolMargins = perps.symbolMarginWords;
  const cells = core.ledger.cellDoubles;
  const i32 = events.i32;
  const f64 = events.f64;
  // Every index is masked by its table: see memory/table.ts.
  const accountMarketMask = core.accountMarkets.table.mask;
  const marketMask = markets.table.mask;
  const cellMask = core.ledger.cells.mask;
  const orderMask = orderTable.mask;
  const topMask = books.tops.mask;
  const contractMask = perps.contracts.mask;
  const symbolMarginMask = perps.symbolMargins.mask;
  const views = takeFillViews(core);
  /** The last word at which a command's two events can begin. */
  const roomWords = i32.length - 2 * EVENT_WORDS;
  const exposure: FastExposure = bindExposure(core);
  const { wide, admits, add, take } = exposure;

  function place(
    doubles: Float64Array,
    at: number,
    account: number,
    shape: number,
    market: number,
    price: number,
    accountMarket: number,
  ): boolean {
    const accountMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    const symbolMargin = accountMarkets[accountMarketAt + AM_SYMBOL_MARGIN] as number;
    const symbolMarginAt = (symbolMargin << SYMBOL_MARGIN_SHIFT) & symbolMarginMask;
    const marketAt = (market << MARKET_SHIFT) & marketMask;
    const contractAt = (market << CONTRACT_SHIFT) & contractMask;
    if (((symbolMargins[symbolMarginAt + SM_FLAGS] as number) & ~MODE_AUTO_APPEND) !== 0) return false;
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
    const resting = accountMarkets[accountMarketAt + AM_RESTING] as number;
    if (timeInForce === TIF_GTC ? resting >= (limits[marketAt + M_RESTING_MAX] as number) : !takes) return false;
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
    // Tier and margin with this order among the open ones.
    wide[W_LOTS] = lots;
    add(symbolMargin, market, sell, price);
    if (!admits(symbolMargin, market, accountMarket, sell, price)) {
      take(symbolMargin, market, sell, price);
      return false;
    }
    // Nothing can refuse it any more.
    if (symbolMargins[symbolMarginAt + SM_STALE] === 0) markStale(core, symbolMargin);
    const slot = orderTable.freeHead;
    const record = events.count;
    const order = (slot << ORDER_SHIFT) & orderMask;
    const orderDouble = order >> 1;
    orderTable.freeHead = orders[order] as number;
    const sequence = clock[G_SEQUENCE] as number;
    const flags = sell | (timeInForce << TIF_SHIFT) | ((shape >>> STP_MODE_SHIFT) << STP_SHIFT);
    orders[order + O_PRICE] = price;
    orders[order + O_LEVEL] = level;
    orders[order + O_ACCOUNT_MARKET] = accountMarket;
    orders[order + O_GROUP] = accountMarkets[accountMarketAt + AM_GROUP] as number;
    orderDoubles[orderDouble + OF_LOTS] = lots;
    orderDoubles[orderDouble + OF_FILLED] = 0;
    orderDoubles[orderDouble + OF_SEQUENCE] = sequence;
    const cellAt = (((accountMarkets[accountMarketAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask) >> 1;
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
      takeFrom(core, market, slot, accountMarket, flags, price);
      return true;
    }
    orders[order + O_FLAGS] = (market << 16) | flags | FLAG_LIVE | FLAG_RESTING;
    events.count = record + 1;
    restPlain(views, market, slot, level, price, sell, lots, accountMarketAt);
    return true;
  }

  function cancel(slot: number, account: number): boolean {
    const record = events.count;
    const order = (slot << ORDER_SHIFT) & orderMask;
    const flags = orders[order + O_FLAGS] as number;
    const accountMarketAt = ((orders[order + O_ACCOUNT_MARKET] as number) << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    const market = flags >>> 16;
    const symbolMargin = accountMarkets[accountMarketAt + AM_SYMBOL_MARGIN] as number;
    const symbolMarginAt = (symbolMargin << SYMBOL_MARGIN_SHIFT) & symbolMarginMask;
    if ((flags & FLAG_REDUCE_ONLY) !== 0 || contracts[(market << CONTRACT_SHIFT) & contractMask] !== LINEAR)
      return false;
    if (((symbolMargins[symbolMarginAt + SM_FLAGS] as number) & ~MODE_AUTO_APPEND) !== 0) return false;
    const sell = flags & FLAG_SELL;
    const price = orders[order + O_PRICE] as number;
    const lots = orderDoubles[(order >> 1) + OF_LOTS] as number;
    wide[W_LOTS] = lots;
    take(symbolMargin, market, sell, price);
    if (symbolMargins[symbolMarginAt + SM_STALE] === 0) markStale(core, symbolMargin);
    const cellAt = (((accountMarkets[accountMarketAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask) >> 1;
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
    events.count = record + 1;
    endPlain(views, market, order, price, sell, lots, accountMarketAt);
    return true;
  }

  const perpViews = takePerpFillViews(core, bindPlainSide(core, exposure));
  const fills: PerpFastPaths["fills"] = (market, slot, accountMarket, flags, first, open) =>
    fillPerpSteps(perpViews, market, slot, accountMarket, flags, first, open);
  return { place, cancel, fills };
}
