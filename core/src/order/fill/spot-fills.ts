// Owns the fills of a spot taker: each trade, what moves between buyer, seller and house, and the fees it costs.
// Fees come from the asset received, except for books that pay in quote. What is paid rounds up; the fee book gets
// the exact part rounded down and the rounding book the rest, so every entry sums to zero.

import { assert } from "@clockwork/kit/assert";
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
} from "../../book/book.ts";
import { FLAG_IN_QUOTE, FLAG_SELL, O_ACCOUNT_MARKET, O_PRICE, ORDER_SHIFT } from "../../book/orders.ts";
import { ACCOUNT_FEE_IN_QUOTE, ACCOUNT_WATCHED, C_ACCOUNT, CELL_SHIFT } from "../../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_ACCOUNT,
  AM_BASE_CELL,
  AM_FLAGS,
  AM_MAKER_RATE,
  AM_QUOTE_CELL,
  AM_TAKER_RATE,
} from "../../market/account-markets.ts";
import {
  M_BASE,
  M_BASE_FEES_CELL,
  M_BASE_ROUNDING_CELL,
  M_QUOTE,
  M_QUOTE_FEES_CELL,
  M_QUOTE_ROUNDING_CELL,
  MARKET_SHIFT,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
} from "../../market/markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../../protocol/event-log.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import { chargeReserved, feeCeil, feeFloor } from "../../spot/settle.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import { canWrite, type Views, writeDepth } from "../../state/views.ts";
import { afterFill, beforeFill, finishTrade, writeTrade } from "./fills.ts";

const POSITIVE = 0x7fffffff;
const KIND_POSTING = EVENTS.posting.kind;
const HEAD_TRADE = KIND_POSTING | (BUSINESSES.indexOf("trade") << 8);
const HEAD_FEE = KIND_POSTING | (BUSINESSES.indexOf("fee") << 8);
const HEAD_ROUNDING = KIND_POSTING | (BUSINESSES.indexOf("rounding") << 8);

/**
 * Settles a taker's trades and depth from step `first` on; returns the step it stopped at. `open` holds the lots the
 * taker still has.
 */
export function fillSpotSteps(
  v: Views,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  first: number,
  open: Float64Array,
): number {
  const {
    core,
    owner: books,
    events,
    limits,
    sizes,
    cellDoubles: cells,
    accountMarkets,
    accountMarketMask,
    cellMask,
    orderWords: orders,
  } = v;
  const marketAt = (market << MARKET_SHIFT) & v.marketMask;
  const takerSells = flags & FLAG_SELL;
  const takerMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
  const takerFlags = accountMarkets[takerMarketAt + AM_FLAGS] as number;
  const taker = accountMarkets[takerMarketAt + AM_ACCOUNT] as number;
  const takerRate = accountMarkets[takerMarketAt + AM_TAKER_RATE] as number;
  const unit = sizes[(marketAt >> 1) + MF_TICK_LOT_UNITS] as number;
  const stepUnits = sizes[(marketAt >> 1) + MF_STEP_UNITS] as number;
  const quoteAsset = limits[marketAt + M_QUOTE] as number;
  const baseAsset = limits[marketAt + M_BASE] as number;
  const inQuote = flags & FLAG_IN_QUOTE;
  const takerPrice = orders[((slot << ORDER_SHIFT) & v.orderMask) + O_PRICE] as number;
  const { steps, stepDoubles, stepCount } = books;
  const { growths, i32 } = v;
  for (let step = first; step < stepCount; step++) {
    if (!canWrite(v)) return step;
    const kind = steps[(step << STEP_SHIFT) + S_KIND] as number;
    const price = steps[(step << STEP_SHIFT) + S_PRICE] as number;
    const lots = stepDoubles[(step << STEP_DOUBLE_SHIFT) + SF_LOTS] as number;
    if (kind === STEP_DEPTH) {
      writeDepth(v, market, takerSells ^ FLAG_SELL, price, lots);
      continue;
    }
    if (kind !== STEP_TRADE) return step;
    const maker = steps[(step << STEP_SHIFT) + S_MAKER] as number;
    const done = steps[(step << STEP_SHIFT) + S_DONE] as number;
    const makerMarket = orders[((maker << ORDER_SHIFT) & v.orderMask) + O_ACCOUNT_MARKET] as number;
    const makerMarketAt = (makerMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    const makerAccount = accountMarkets[makerMarketAt + AM_ACCOUNT] as number;
    const makerRate = accountMarkets[makerMarketAt + AM_MAKER_RATE] as number;
    const watched = ((accountMarkets[makerMarketAt + AM_FLAGS] as number) | takerFlags) & ACCOUNT_WATCHED;
    const before = watched === 0 ? undefined : beforeFill(core, slot, accountMarket, maker, makerMarket);
    const buyerAt = takerSells !== 0 ? makerMarketAt : takerMarketAt;
    const sellerAt = takerSells !== 0 ? takerMarketAt : makerMarketAt;
    const buyer = takerSells !== 0 ? makerAccount : taker;
    const seller = takerSells !== 0 ? taker : makerAccount;
    const buyerRate = takerSells !== 0 ? makerRate : takerRate;
    const sellerRate = takerSells !== 0 ? takerRate : makerRate;
    const buyerQuote = ((accountMarkets[buyerAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask;
    const buyerBase = ((accountMarkets[buyerAt + AM_BASE_CELL] as number) << CELL_SHIFT) & cellMask;
    const sellerQuote = ((accountMarkets[sellerAt + AM_QUOTE_CELL] as number) << CELL_SHIFT) & cellMask;
    const sellerBase = ((accountMarkets[sellerAt + AM_BASE_CELL] as number) << CELL_SHIFT) & cellMask;
    const notional = price * lots * unit;
    const base = lots * stepUnits;
    // A buying taker's money is frozen at his own limit: what the price is better by comes back.
    const better = (takerSells | inQuote) !== 0 ? 0 : (takerPrice - price) * lots * unit;
    const buyerFrozen = (cells[(buyerQuote >> 1) + 1] as number) - better - notional;
    const sellerFrozen = (cells[(sellerBase >> 1) + 1] as number) - base;
    assert(lots > 0 && better >= 0, "SPOT-30", "a buyer pays more than his limit, or for nothing");
    assert(buyerFrozen >= 0 && sellerFrozen >= 0, "LEDGER-2", "frozen would go negative");
    const left = (open[0] as number) - lots;
    open[0] = left;
    const word = Math.min((events.count << EVENT_SHIFT) & POSITIVE, v.roomWords);
    const eventFlags = takerSells | (done << 1) | (left === 0 && inQuote === 0 ? 4 : 0);
    const trade = writeTrade(v, word, market, taker, slot, maker, makerAccount, eventFlags, price, lots);
    cells[(buyerQuote >> 1) + 1] = buyerFrozen;
    cells[buyerQuote >> 1] = (cells[buyerQuote >> 1] as number) + better;
    cells[sellerQuote >> 1] = (cells[sellerQuote >> 1] as number) + notional;
    post(v, word + 16, HEAD_TRADE, buyer, seller, quoteAsset, market, buyerQuote, -notional, trade);
    post(v, word + 32, HEAD_TRADE, seller, buyer, quoteAsset, market, sellerQuote, notional, trade);
    cells[(sellerBase >> 1) + 1] = sellerFrozen;
    cells[buyerBase >> 1] = (cells[buyerBase >> 1] as number) + base;
    post(v, word + 48, HEAD_TRADE, seller, buyer, baseAsset, market, sellerBase, -base, trade);
    post(v, word + 64, HEAD_TRADE, buyer, seller, baseAsset, market, buyerBase, base, trade);
    if (watched !== 0) noteOwing(core, buyerQuote, sellerQuote, sellerBase, buyerBase);
    let next = word + 5 * EVENT_WORDS;
    if (((accountMarkets[buyerAt + AM_FLAGS] as number) & ACCOUNT_FEE_IN_QUOTE) !== 0) {
      events.count = next >> EVENT_SHIFT;
      const buyerSlot = takerSells !== 0 ? maker : slot;
      chargeReserved(core, market, buyerSlot, buyerQuote >> CELL_SHIFT, notional, buyerRate, trade);
      next = events.count << EVENT_SHIFT;
    } else if (buyerRate !== 0) {
      const fees = limits[marketAt + M_BASE_FEES_CELL] as number;
      const rounding = limits[marketAt + M_BASE_ROUNDING_CELL] as number;
      next = charge(v, next, buyer, buyerBase, fees, rounding, baseAsset, market, base, buyerRate, trade);
    }
    if (sellerRate !== 0) {
      const fees = limits[marketAt + M_QUOTE_FEES_CELL] as number;
      const rounding = limits[marketAt + M_QUOTE_ROUNDING_CELL] as number;
      next = charge(v, next, seller, sellerQuote, fees, rounding, quoteAsset, market, notional, sellerRate, trade);
    }
    events.count = next >> EVENT_SHIFT;
    if (before === undefined) finishTrade(v, market, slot, accountMarket, maker, makerMarket, price, lots, done);
    else {
      if (buyerRate !== 0) noteOwing(core, buyerBase);
      if (sellerRate !== 0) noteOwing(core, sellerQuote);
      afterFill(core, before, takerSells !== 0, price, lots, notional);
      finishTrade(core.views, market, slot, accountMarket, maker, makerMarket, price, lots, done);
    }
    if (core.growths !== growths || events.i32 !== i32) return step + 1;
  }
  return stepCount;
}

/** One leg of `account` against `other`; its cell already holds the balance after it. */
function post(
  v: Views,
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
  const { i32, f64, cellDoubles: cells } = v;
  const double = word >> 1;
  const cell = cellAt >> 1;
  i32[word] = head;
  i32[word + 1] = account;
  f64[double + 1] = v.clock[G_SEQUENCE] as number;
  i32[word + 4] = asset;
  i32[word + 5] = other;
  f64[double + 3] = units;
  f64[double + 4] = trade;
  i32[word + 10] = market;
  i32[word + 11] = 0;
  f64[double + 6] = cells[cell] as number;
  f64[double + 7] = cells[cell + 1] as number;
}

/** Takes a fee, rounded up, from what was just received, so it is always there. Returns the word after its legs. */
function charge(
  v: Views,
  word: number,
  payer: number,
  payerAt: number,
  fees: number,
  rounding: number,
  asset: number,
  market: number,
  units: number,
  rate: number,
  trade: number,
): number {
  const { cellDoubles: cells, cellWords, cellMask } = v;
  let next = word;
  const product = units * rate;
  const isExact = product <= Number.MAX_SAFE_INTEGER;
  const floor = isExact ? Math.floor(product / RATE_ONE) : feeFloor(units, rate);
  const rest = isExact ? (floor * RATE_ONE === product ? 0 : 1) : feeCeil(units, rate) - floor;
  const feesAt = (fees << CELL_SHIFT) & cellMask;
  const house = cellWords[feesAt + C_ACCOUNT] as number;
  cells[payerAt >> 1] = (cells[payerAt >> 1] as number) - floor - rest;
  post(v, next, HEAD_FEE, payer, house, asset, market, payerAt, 0 - floor - rest, trade);
  next += EVENT_WORDS;
  if (floor !== 0) {
    cells[feesAt >> 1] = (cells[feesAt >> 1] as number) + floor;
    post(v, next, HEAD_FEE, house, payer, asset, market, feesAt, floor, trade);
    next += EVENT_WORDS;
  }
  if (rest !== 0) {
    const roundingAt = (rounding << CELL_SHIFT) & cellMask;
    cells[roundingAt >> 1] = (cells[roundingAt >> 1] as number) + rest;
    const keeper = cellWords[roundingAt + C_ACCOUNT] as number;
    post(v, next, HEAD_ROUNDING, keeper, payer, asset, market, roundingAt, rest, trade);
    next += EVENT_WORDS;
  }
  return next;
}

/** Whoever owes pays from what moved; the fees leave the same cells. */
function noteOwing(core: Core, ...cellsAt: readonly number[]): void {
  for (const at of cellsAt) core.ledger.note(at >> CELL_SHIFT);
}
