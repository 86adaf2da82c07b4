// Owns the fast path of a plain spot order's fills with plain makers: each trade, its ten postings and the end of a
// maker, as settle-steps.ts and spot/settle.ts do it, with every table's view bound as a constant and what is the same
// for the whole sweep read once. Stops before the first step that is special; see fast-paths.ts.

import { RATE_ONE } from "@clockwork/kit/money";
import {
  S_DONE,
  S_KIND,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DEPTH,
  STEP_DOUBLE_SHIFT,
  STEP_SHIFT,
  STEP_TRADE,
  T_LAST,
  TF_SEQUENCE,
  TF_TRADES,
  TOP_SHIFT,
} from "../book/book.ts";
import {
  FLAG_IN_QUOTE,
  FLAG_SELL,
  GENERATION_MAX,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  O_PRICE,
  ORDER_SHIFT,
} from "../book/orders.ts";
import { cellOfOrder, noteBotFill } from "../bot/note/fills.ts";
import { ACCOUNT_BOT, ACCOUNT_FEE_IN_QUOTE, ACCOUNT_WATCHED, C_ACCOUNT, CELL_SHIFT } from "../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_ACCOUNT,
  AM_BASE_CELL,
  AM_FLAGS,
  AM_MAKER_RATE,
  AM_OPEN_HOLE,
  AM_OPEN_ORDERS,
  AM_QUOTE_CELL,
  AM_RESTING,
  AM_TAKER_RATE,
  OPEN_ORDERS_SHIFT,
} from "../market/account-markets.ts";
import {
  BUCKET_DOUBLES,
  KIND_SPOT,
  M_BAND_STALE,
  M_BASE,
  M_BASE_FEES_CELL,
  M_BASE_ROUNDING_CELL,
  M_BUCKET,
  M_KIND,
  M_QUOTE,
  M_QUOTE_FEES_CELL,
  M_QUOTE_ROUNDING_CELL,
  MARKET_SHIFT,
  MF_BUCKET_END,
  MF_STEP_UNITS,
  MF_SUM_LOTS,
  MF_SUM_NOTIONAL,
  MF_TICK_LOT_UNITS,
  SUM_MAX,
} from "../market/markets.ts";
import { observePrice, SOURCE_LAST } from "../order/end/prices.ts";
import { EVENTS } from "../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../protocol/event-log.ts";
import { BUSINESSES } from "../protocol/names.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../state/core.ts";
import type { Fills } from "../state/fast-paths.ts";

const KIND_DEPTH = EVENTS.depth.kind;
const KIND_TRADE = EVENTS.trade.kind;
const KIND_POSTING = EVENTS.posting.kind;
const HEAD_TRADE = KIND_POSTING | (BUSINESSES.indexOf("trade") << 8);
const HEAD_FEE = KIND_POSTING | (BUSINESSES.indexOf("fee") << 8);
const HEAD_ROUNDING = KIND_POSTING | (BUSINESSES.indexOf("rounding") << 8);
/** One trade, four legs, two fees of three legs, a pair that a bot has closed. */
const RECORDS_MAX = 12;
const POSITIVE = 0x7fffffff;

// Every index is masked by its table, which changes nothing and spares the compiler to look whether it lies inside.
export function bindFills(core: Core): Fills {
  const { books, events, ledger, markets, clock } = core;
  const accountMarkets = core.accountMarkets.words;
  const accountMarketMask = core.accountMarkets.table.mask;
  const openOrders = core.accountMarkets.openOrders.i32;
  const limits = markets.words;
  const marketMask = markets.table.mask;
  const sizes = markets.doubles;
  const buckets = markets.buckets.f64;
  const cells = ledger.cellDoubles;
  const cellMask = ledger.cells.mask;
  const cellWords = ledger.cellWords;
  const orders = books.orderWords;
  const orderMask = books.orders.table.mask;
  const tops = books.topWords;
  const topMask = books.tops.mask;
  const topDoubles = books.topDoubles;
  const i32 = events.i32;
  const f64 = events.f64;
  /** The last word at which a fill's records can begin. */
  const roomWords = i32.length - RECORDS_MAX * EVENT_WORDS;

  /** One leg of `account` against `other`; its cell already holds the balance after it. */
  function post(
    word: number,
    head: number,
    account: number,
    other: number,
    asset: number,
    market: number,
    cellAt: number,
    units: number,
    trade: number,
  ): void {
    const double = word >> 1;
    const cell = cellAt >> 1;
    i32[word] = head;
    i32[word + 1] = account;
    f64[double + 1] = clock[G_SEQUENCE] as number;
    i32[word + 4] = asset;
    i32[word + 5] = other;
    f64[double + 3] = units;
    f64[double + 4] = trade;
    i32[word + 10] = market;
    i32[word + 11] = 0;
    f64[double + 6] = cells[cell] as number;
    f64[double + 7] = cells[cell + 1] as number;
  }

  /** What a level that was left shows now. */
  function publishDepth(market: number, flags: number, price: number, lots: number): void {
    const record = events.count;
    const sequenceAt = (((market << TOP_SHIFT) & topMask) >> 1) + TF_SEQUENCE;
    const bookSequence = (topDoubles[sequenceAt] as number) + 1;
    topDoubles[sequenceAt] = bookSequence;
    const word = Math.min((record << EVENT_SHIFT) & POSITIVE, roomWords);
    const double = word >> 1;
    i32[word] = KIND_DEPTH | (((flags & FLAG_SELL) ^ FLAG_SELL) << 16);
    i32[word + 1] = 0;
    f64[double + 1] = clock[G_SEQUENCE] as number;
    i32[word + 4] = market;
    i32[word + 5] = price;
    f64[double + 3] = lots;
    f64[double + 4] = bookSequence;
    f64[double + 5] = 0;
    f64[double + 6] = 0;
    f64[double + 7] = 0;
    events.count = record + 1;
  }

  return function fills(market, slot, accountMarket, flags, first, open): number {
    const takerAt = (slot << ORDER_SHIFT) & orderMask;
    const marketAt = (market << MARKET_SHIFT) & marketMask;
    const sizeAt = marketAt >> 1;
    const takerSells = flags & FLAG_SELL;
    const takerAccountMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    if (orders[takerAt + O_EXTRA] !== 0) return first;
    if (((accountMarkets[takerAccountMarketAt + AM_FLAGS] as number) & ACCOUNT_WATCHED) !== 0) return first;
    if (limits[marketAt + M_KIND] !== KIND_SPOT || (flags & FLAG_IN_QUOTE) !== 0) return first;
    // The average of prices: no new bucket.
    if ((clock[G_NOW] as number) >= (sizes[sizeAt + MF_BUCKET_END] as number)) return first;
    const taker = accountMarkets[takerAccountMarketAt + AM_ACCOUNT] as number;
    const takerGeneration = orders[takerAt + O_GENERATION] as number;
    const takerPrice = orders[takerAt + O_PRICE] as number;
    const takerRate = accountMarkets[takerAccountMarketAt + AM_TAKER_RATE] as number;
    const unit = sizes[sizeAt + MF_TICK_LOT_UNITS] as number;
    const stepUnits = sizes[sizeAt + MF_STEP_UNITS] as number;
    const quoteAsset = limits[marketAt + M_QUOTE] as number;
    const baseAsset = limits[marketAt + M_BASE] as number;
    const bucket = market * BUCKET_DOUBLES + (limits[marketAt + M_BUCKET] as number) * 2;
    const topAt = (market << TOP_SHIFT) & topMask;
    // The first trade begins the market's valuation.
    if (tops[topAt + T_LAST] === 0) return first;
    const tradeAt = (topAt >> 1) + TF_TRADES;
    const steps = books.steps;
    const stepDoubles = books.stepDoubles;
    const count = books.stepCount;
    for (let step = first; step < count; step++) {
      const record = events.count;
      if (record + RECORDS_MAX > events.capacity) return step;
      const kind = steps[(step << STEP_SHIFT) + S_KIND] as number;
      const price = steps[(step << STEP_SHIFT) + S_PRICE] as number;
      const lots = stepDoubles[(step << STEP_DOUBLE_SHIFT) + SF_LOTS] as number;
      if (kind === STEP_DEPTH) {
        publishDepth(market, flags, price, lots);
        continue;
      }
      if (kind !== STEP_TRADE) return step;
      const maker = steps[(step << STEP_SHIFT) + S_MAKER] as number;
      const done = steps[(step << STEP_SHIFT) + S_DONE] as number;
      const makerAt = (maker << ORDER_SHIFT) & orderMask;
      if (orders[makerAt + O_EXTRA] !== 0) return step;
      const makerAccountMarketAt =
        ((orders[makerAt + O_ACCOUNT_MARKET] as number) << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
      const buyerAt = takerSells !== 0 ? makerAccountMarketAt : takerAccountMarketAt;
      const sellerAt = takerSells !== 0 ? takerAccountMarketAt : makerAccountMarketAt;
      const makerFlags = accountMarkets[makerAccountMarketAt + AM_FLAGS] as number;
      // A bot's own fills are told to it below; what leaders and followers trade needs more.
      if ((makerFlags & (ACCOUNT_WATCHED | ACCOUNT_BOT)) === ACCOUNT_WATCHED) return step;
      if (((accountMarkets[buyerAt + AM_FLAGS] as number) & ACCOUNT_FEE_IN_QUOTE) !== 0) return step;
      const generation = orders[makerAt + O_GENERATION] as number;
      const makerRate = accountMarkets[makerAccountMarketAt + AM_MAKER_RATE] as number;
      const notional = price * lots * unit;
      const base = lots * stepUnits;
      const buyerRate = takerSells !== 0 ? makerRate : takerRate;
      const sellerRate = takerSells !== 0 ? takerRate : makerRate;
      // Sums that need not be halved.
      const sum = (sizes[sizeAt + MF_SUM_NOTIONAL] as number) + price * lots;
      if (sum > SUM_MAX || (takerRate | makerRate) < 0 || generation >= GENERATION_MAX) return step;
      const baseProduct = base * buyerRate;
      const quoteProduct = notional * sellerRate;
      if (!(quoteProduct <= Number.MAX_SAFE_INTEGER && baseProduct <= Number.MAX_SAFE_INTEGER)) return step;
      const buyerQuote = ((accountMarkets[buyerAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask;
      const buyerBase = ((accountMarkets[buyerAt + AM_BASE_CELL] as number) << CELL_SHIFT) & cellMask;
      const sellerQuote = ((accountMarkets[sellerAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask;
      const sellerBase = ((accountMarkets[sellerAt + AM_BASE_CELL] as number) << CELL_SHIFT) & cellMask;
      // A buying taker's money is frozen at his own limit: what the price is better by comes back.
      const better = takerSells !== 0 ? 0 : (takerPrice - price) * lots * unit;
      const buyerFrozen = (cells[(buyerQuote >> 1) + 1] as number) - better - notional;
      const sellerFrozen = (cells[(sellerBase >> 1) + 1] as number) - base;
      if (buyerFrozen < 0 || sellerFrozen < 0 || better < 0) return step;
      // Nothing stops it any more. Only a maker who sells is a bot here.
      const botCell =
        (makerFlags & ACCOUNT_BOT) === 0 ? -1 : cellOfOrder(core, makerAccountMarketAt >> ACCOUNT_MARKET_SHIFT, maker);
      const makerBefore = (cells[sellerQuote >> 1] as number) + (cells[(sellerQuote >> 1) + 1] as number);
      const left = (open[0] as number) - lots;
      open[0] = left;
      const trade = (topDoubles[tradeAt] as number) + 1;
      topDoubles[tradeAt] = trade;
      const makerAccount = accountMarkets[makerAccountMarketAt + AM_ACCOUNT] as number;
      const word = Math.min((record << EVENT_SHIFT) & POSITIVE, roomWords);
      const double = word >> 1;
      i32[word] = KIND_TRADE | ((takerSells | (done << 1) | (left === 0 ? 4 : 0)) << 16);
      i32[word + 1] = taker;
      f64[double + 1] = clock[G_SEQUENCE] as number;
      i32[word + 4] = slot;
      i32[word + 5] = takerGeneration;
      i32[word + 6] = maker;
      i32[word + 7] = generation;
      f64[double + 4] = lots;
      f64[double + 5] = trade;
      i32[word + 12] = market;
      i32[word + 13] = price;
      i32[word + 14] = makerAccount;
      i32[word + 15] = 0;
      const buyer = takerSells !== 0 ? makerAccount : taker;
      const seller = takerSells !== 0 ? taker : makerAccount;
      cells[(buyerQuote >> 1) + 1] = buyerFrozen;
      cells[buyerQuote >> 1] = (cells[buyerQuote >> 1] as number) + better;
      cells[sellerQuote >> 1] = (cells[sellerQuote >> 1] as number) + notional;
      post(word + 16, HEAD_TRADE, buyer, seller, quoteAsset, market, buyerQuote, -notional, trade);
      post(word + 32, HEAD_TRADE, seller, buyer, quoteAsset, market, sellerQuote, notional, trade);
      cells[(sellerBase >> 1) + 1] = sellerFrozen;
      cells[buyerBase >> 1] = (cells[buyerBase >> 1] as number) + base;
      post(word + 48, HEAD_TRADE, seller, buyer, baseAsset, market, sellerBase, -base, trade);
      post(word + 64, HEAD_TRADE, buyer, seller, baseAsset, market, buyerBase, base, trade);
      let next = word + 80;
      if (buyerRate !== 0) {
        // The fee, rounded up, leaves what the buyer just received.
        const floor = Math.floor(baseProduct / RATE_ONE);
        const rest = floor * RATE_ONE === baseProduct ? 0 : 1;
        const fees = ((limits[marketAt + M_BASE_FEES_CELL] as number) << CELL_SHIFT) & cellMask;
        const house = cellWords[fees + C_ACCOUNT] as number;
        cells[buyerBase >> 1] = (cells[buyerBase >> 1] as number) - floor - rest;
        post(next, HEAD_FEE, buyer, house, baseAsset, market, buyerBase, 0 - floor - rest, trade);
        next += 16;
        if (floor !== 0) {
          cells[fees >> 1] = (cells[fees >> 1] as number) + floor;
          post(next, HEAD_FEE, house, buyer, baseAsset, market, fees, floor, trade);
          next += 16;
        }
        if (rest !== 0) {
          const rounding = ((limits[marketAt + M_BASE_ROUNDING_CELL] as number) << CELL_SHIFT) & cellMask;
          const keeper = cellWords[rounding + C_ACCOUNT] as number;
          cells[rounding >> 1] = (cells[rounding >> 1] as number) + 1;
          post(next, HEAD_ROUNDING, keeper, buyer, baseAsset, market, rounding, 1, trade);
          next += 16;
        }
      }
      if (sellerRate !== 0) {
        const floor = Math.floor(quoteProduct / RATE_ONE);
        const rest = floor * RATE_ONE === quoteProduct ? 0 : 1;
        const fees = ((limits[marketAt + M_QUOTE_FEES_CELL] as number) << CELL_SHIFT) & cellMask;
        const house = cellWords[fees + C_ACCOUNT] as number;
        cells[sellerQuote >> 1] = (cells[sellerQuote >> 1] as number) - floor - rest;
        post(next, HEAD_FEE, seller, house, quoteAsset, market, sellerQuote, 0 - floor - rest, trade);
        next += 16;
        if (floor !== 0) {
          cells[fees >> 1] = (cells[fees >> 1] as number) + floor;
          post(next, HEAD_FEE, house, seller, quoteAsset, market, fees, floor, trade);
          next += 16;
        }
        if (rest !== 0) {
          const rounding = ((limits[marketAt + M_QUOTE_ROUNDING_CELL] as number) << CELL_SHIFT) & cellMask;
          const keeper = cellWords[rounding + C_ACCOUNT] as number;
          cells[rounding >> 1] = (cells[rounding >> 1] as number) + 1;
          post(next, HEAD_ROUNDING, keeper, seller, quoteAsset, market, rounding, 1, trade);
          next += 16;
        }
      }
      events.count = next >> EVENT_SHIFT;
      if ((makerFlags & ACCOUNT_BOT) !== 0)
        noteBotFill(
          core,
          makerAccountMarketAt >> ACCOUNT_MARKET_SHIFT,
          maker,
          false,
          price,
          lots,
          makerBefore,
          botCell,
        );
      buckets[bucket] = (buckets[bucket] as number) + price * lots;
      buckets[bucket + 1] = (buckets[bucket + 1] as number) + lots;
      sizes[sizeAt + MF_SUM_NOTIONAL] = sum;
      sizes[sizeAt + MF_SUM_LOTS] = (sizes[sizeAt + MF_SUM_LOTS] as number) + lots;
      limits[marketAt + M_BAND_STALE] = 1;
      if (tops[topAt + T_LAST] !== price) {
        tops[topAt + T_LAST] = price;
        observePrice(core, market, SOURCE_LAST);
      }
      if (done !== 0) {
        // The maker is filled: out of the open orders, and its slot is free.
        const openPlace = orders[makerAt + O_OPEN_PLACE] as number;
        openOrders[
          ((accountMarkets[makerAccountMarketAt + AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT) + openPlace
        ] = 0 - (accountMarkets[makerAccountMarketAt + AM_OPEN_HOLE] as number);
        accountMarkets[makerAccountMarketAt + AM_OPEN_HOLE] = openPlace + 1;
        accountMarkets[makerAccountMarketAt + AM_RESTING] =
          (accountMarkets[makerAccountMarketAt + AM_RESTING] as number) - 1;
        orders[makerAt + O_FLAGS] = 0;
        orders[makerAt + O_GENERATION] = generation + 1;
      }
      // Whatever the price has moved may have let a table grow, and these views are of the old one.
      if (core.fastPaths === undefined) return step + 1;
    }
    return count;
  };
}
