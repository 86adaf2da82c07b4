// Owns the short road of a fill between two plain spot orders: the trade, its ten postings and the end of a maker, as
// settle-steps.ts and spot/settle.ts do it, with every table's view bound as a constant. Answers false and changes
// nothing when either side is special; see roads.ts.

import { RATE_ONE } from "@clockwork/kit/money";
import {
  S_DONE,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DOUBLE_SHIFT,
  STEP_SHIFT,
  T_LAST,
  TF_TRADES,
  TOP_DOUBLE_SHIFT,
  TOP_SHIFT,
} from "../book/book.ts";
import {
  FLAG_IN_QUOTE,
  FLAG_SELL,
  GENERATION_MAX,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_PRICE,
  O_ROSTER,
  O_SEAT,
  ORDER_SHIFT,
} from "../book/orders.ts";
import { EVENTS } from "../event.ts";
import { ACCOUNT_FEE_IN_QUOTE, C_ACCOUNT, CELL_DOUBLE_SHIFT, CELL_SHIFT } from "../ledger/ledger.ts";
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
  MARKET_DOUBLE_SHIFT,
  MARKET_SHIFT,
  MF_BUCKET_END,
  MF_STEP_UNITS,
  MF_SUM_LOTS,
  MF_SUM_NOTIONAL,
  MF_TICK_LOT_UNITS,
  SUM_MAX,
} from "../market/markets.ts";
import {
  ROSTER_SHIFT,
  SE_ACCOUNT,
  SE_BASE_CELL,
  SE_FLAGS,
  SE_MAKER_RATE,
  SE_QUOTE_CELL,
  SE_RESTING,
  SE_ROSTER,
  SE_ROSTER_HOLE,
  SE_TAKER_RATE,
  SEAT_SHIFT,
} from "../market/seats.ts";
import { BUSINESSES } from "../names.ts";
import { type Core, G_NOW, G_SEQUENCE } from "./core.ts";
import { observePrice, SOURCE_LAST } from "./prices.ts";

const KIND_TRADE = EVENTS.trade.kind;
const KIND_POSTING = EVENTS.posting.kind;
const HEAD_TRADE = KIND_POSTING | (BUSINESSES.indexOf("trade") << 8);
const HEAD_FEE = KIND_POSTING | (BUSINESSES.indexOf("fee") << 8);
const HEAD_ROUNDING = KIND_POSTING | (BUSINESSES.indexOf("rounding") << 8);
/** One trade, four legs, two fees of three legs. */
const RECORDS_MAX = 11;

/** Registers of the fill at hand, for what is too wide to be an argument: the units of a leg. */
const DELTA = 0;

/** Settles trade step `step` of a taker; `lots` it still had before are in `open`, which is brought up to date. */
export type Fill = (
  market: number,
  slot: number,
  seat: number,
  flags: number,
  step: number,
  open: Float64Array,
) => boolean;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one road with what is bound for it.
export function bindFill(core: Core): Fill {
  const { books, events, ledger, markets, clock } = core;
  const seats = core.seats.words;
  const rosters = core.seats.rosters.i32;
  const limits = markets.words;
  const sizes = markets.doubles;
  const buckets = markets.buckets.f64;
  const cells = ledger.cellDoubles;
  const cellWords = ledger.cellWords;
  const orderTable = books.orders.table;
  const orders = books.orderWords;
  const tops = books.topWords;
  const topDoubles = books.topDoubles;
  const i32 = events.i32;
  const f64 = events.f64;
  const wide = new Float64Array(2);

  /** One leg of `account` against `other`; its units are in `wide`, its cell already holds the balance after it. */
  function post(
    record: number,
    head: number,
    account: number,
    other: number,
    cell: number,
    asset: number,
    market: number,
  ): void {
    const word = record << 4;
    const double = record << 3;
    i32[word] = head;
    i32[word + 1] = account;
    f64[double + 1] = clock[G_SEQUENCE] as number;
    i32[word + 4] = asset;
    i32[word + 5] = other;
    f64[double + 3] = wide[DELTA] as number;
    f64[double + 4] = topDoubles[(market << TOP_DOUBLE_SHIFT) | TF_TRADES] as number;
    i32[word + 10] = market;
    i32[word + 11] = 0;
    f64[double + 6] = cells[cell << CELL_DOUBLE_SHIFT] as number;
    f64[double + 7] = cells[(cell << CELL_DOUBLE_SHIFT) + 1] as number;
  }

  /** A fee on `units` in `wide`, taken from what `payer` just received; returns the next record. */
  function charge(
    first: number,
    account: number,
    payer: number,
    fees: number,
    rounding: number,
    rate: number,
    asset: number,
    market: number,
  ): number {
    let record = first;
    const house = cellWords[(fees << CELL_SHIFT) | C_ACCOUNT] as number;
    const product = (wide[DELTA] as number) * rate;
    const floor = Math.floor(product / RATE_ONE);
    const rest = floor * RATE_ONE === product ? 0 : 1;
    cells[payer << CELL_DOUBLE_SHIFT] = (cells[payer << CELL_DOUBLE_SHIFT] as number) - floor - rest;
    cells[fees << CELL_DOUBLE_SHIFT] = (cells[fees << CELL_DOUBLE_SHIFT] as number) + floor;
    cells[rounding << CELL_DOUBLE_SHIFT] = (cells[rounding << CELL_DOUBLE_SHIFT] as number) + rest;
    wide[DELTA] = 0 - floor - rest;
    post(record++, HEAD_FEE, account, house, payer, asset, market);
    if (floor !== 0) {
      wide[DELTA] = floor;
      post(record++, HEAD_FEE, house, account, fees, asset, market);
    }
    if (rest !== 0) {
      wide[DELTA] = 1;
      const keeper = cellWords[(rounding << CELL_SHIFT) | C_ACCOUNT] as number;
      post(record++, HEAD_ROUNDING, keeper, account, rounding, asset, market);
    }
    return record;
  }

  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: a call per part costs more than the part.
  return function fill(market, slot, seat, flags, step, open): boolean {
    const steps = books.steps;
    const maker = steps[(step << STEP_SHIFT) + S_MAKER] as number;
    const price = steps[(step << STEP_SHIFT) + S_PRICE] as number;
    const done = steps[(step << STEP_SHIFT) + S_DONE] as number;
    const lots = books.stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number;
    const makerAt = maker << ORDER_SHIFT;
    const takerAt = slot << ORDER_SHIFT;
    if (((orders[makerAt | O_EXTRA] as number) | (orders[takerAt | O_EXTRA] as number)) !== 0) return false;
    const marketAt = market << MARKET_SHIFT;
    if (limits[marketAt | M_KIND] !== KIND_SPOT || (flags & FLAG_IN_QUOTE) !== 0) return false;
    const takerSells = flags & FLAG_SELL;
    const makerSeat = orders[makerAt | O_SEAT] as number;
    const buyerAt = (takerSells !== 0 ? makerSeat : seat) << SEAT_SHIFT;
    const sellerAt = (takerSells !== 0 ? seat : makerSeat) << SEAT_SHIFT;
    let record = events.count;
    if (((seats[buyerAt | SE_FLAGS] as number) & ACCOUNT_FEE_IN_QUOTE) !== 0) return false;
    if (record + RECORDS_MAX > events.capacity) return false;
    const generation = orders[makerAt | O_GENERATION] as number;
    const sizeAt = market << MARKET_DOUBLE_SHIFT;
    const unit = sizes[sizeAt | MF_TICK_LOT_UNITS] as number;
    const notional = price * lots * unit;
    const base = lots * (sizes[sizeAt | MF_STEP_UNITS] as number);
    const buyerRate = seats[buyerAt + (takerSells !== 0 ? SE_MAKER_RATE : SE_TAKER_RATE)] as number;
    const sellerRate = seats[sellerAt + (takerSells !== 0 ? SE_TAKER_RATE : SE_MAKER_RATE)] as number;
    // The average of prices: neither a new bucket nor sums that must be halved.
    const sum = (sizes[sizeAt | MF_SUM_NOTIONAL] as number) + price * lots;
    if ((clock[G_NOW] as number) >= (sizes[sizeAt | MF_BUCKET_END] as number) || sum > SUM_MAX) return false;
    const product = Math.max(notional * sellerRate, base * buyerRate);
    if (!(product <= Number.MAX_SAFE_INTEGER) || (buyerRate | sellerRate) < 0 || generation >= GENERATION_MAX)
      return false;
    const buyerQuote = seats[buyerAt | SE_QUOTE_CELL] as number;
    const buyerBase = seats[buyerAt | SE_BASE_CELL] as number;
    const sellerQuote = seats[sellerAt | SE_QUOTE_CELL] as number;
    const sellerBase = seats[sellerAt | SE_BASE_CELL] as number;
    // A buying taker's money is frozen at his own limit: what the price is better by comes back.
    const better = takerSells !== 0 ? 0 : ((orders[takerAt | O_PRICE] as number) - price) * lots * unit;
    const buyerFrozen = (cells[(buyerQuote << CELL_DOUBLE_SHIFT) + 1] as number) - better - notional;
    const sellerFrozen = (cells[(sellerBase << CELL_DOUBLE_SHIFT) + 1] as number) - base;
    if (buyerFrozen < 0 || sellerFrozen < 0 || better < 0) return false;
    // Nothing stops it any more.
    const left = (open[0] as number) - lots;
    open[0] = left;
    const tradeAt = (market << TOP_DOUBLE_SHIFT) | TF_TRADES;
    const tradeNumber = (topDoubles[tradeAt] as number) + 1;
    topDoubles[tradeAt] = tradeNumber;
    const word = record << 4;
    i32[word] = KIND_TRADE | ((takerSells | (done << 1) | (left === 0 ? 4 : 0)) << 16);
    i32[word + 1] = seats[(seat << SEAT_SHIFT) | SE_ACCOUNT] as number;
    f64[(record << 3) + 1] = clock[G_SEQUENCE] as number;
    i32[word + 4] = slot;
    i32[word + 5] = orders[takerAt | O_GENERATION] as number;
    i32[word + 6] = maker;
    i32[word + 7] = generation;
    f64[(record << 3) + 4] = lots;
    f64[(record << 3) + 5] = tradeNumber;
    i32[word + 12] = market;
    i32[word + 13] = price;
    i32[word + 14] = seats[(makerSeat << SEAT_SHIFT) | SE_ACCOUNT] as number;
    i32[word + 15] = 0;
    const buyer = seats[buyerAt | SE_ACCOUNT] as number;
    const seller = seats[sellerAt | SE_ACCOUNT] as number;
    const quoteAsset = limits[marketAt | M_QUOTE] as number;
    const baseAsset = limits[marketAt | M_BASE] as number;
    cells[(buyerQuote << CELL_DOUBLE_SHIFT) + 1] = buyerFrozen;
    cells[buyerQuote << CELL_DOUBLE_SHIFT] = (cells[buyerQuote << CELL_DOUBLE_SHIFT] as number) + better;
    cells[sellerQuote << CELL_DOUBLE_SHIFT] = (cells[sellerQuote << CELL_DOUBLE_SHIFT] as number) + notional;
    wide[DELTA] = -notional;
    post(record + 1, HEAD_TRADE, buyer, seller, buyerQuote, quoteAsset, market);
    wide[DELTA] = notional;
    post(record + 2, HEAD_TRADE, seller, buyer, sellerQuote, quoteAsset, market);
    cells[(sellerBase << CELL_DOUBLE_SHIFT) + 1] = sellerFrozen;
    cells[buyerBase << CELL_DOUBLE_SHIFT] = (cells[buyerBase << CELL_DOUBLE_SHIFT] as number) + base;
    wide[DELTA] = -base;
    post(record + 3, HEAD_TRADE, seller, buyer, sellerBase, baseAsset, market);
    wide[DELTA] = base;
    post(record + 4, HEAD_TRADE, buyer, seller, buyerBase, baseAsset, market);
    record += 5;
    if (buyerRate !== 0) {
      const fees = limits[marketAt | M_BASE_FEES_CELL] as number;
      record = charge(
        record,
        buyer,
        buyerBase,
        fees,
        limits[marketAt | M_BASE_ROUNDING_CELL] as number,
        buyerRate,
        baseAsset,
        market,
      );
    }
    if (sellerRate !== 0) {
      wide[DELTA] = notional;
      const fees = limits[marketAt | M_QUOTE_FEES_CELL] as number;
      record = charge(
        record,
        seller,
        sellerQuote,
        fees,
        limits[marketAt | M_QUOTE_ROUNDING_CELL] as number,
        sellerRate,
        quoteAsset,
        market,
      );
    }
    events.count = record;
    const bucket = market * BUCKET_DOUBLES + (limits[marketAt | M_BUCKET] as number) * 2;
    buckets[bucket] = (buckets[bucket] as number) + price * lots;
    buckets[bucket + 1] = (buckets[bucket + 1] as number) + lots;
    sizes[sizeAt | MF_SUM_NOTIONAL] = sum;
    sizes[sizeAt | MF_SUM_LOTS] = (sizes[sizeAt | MF_SUM_LOTS] as number) + lots;
    limits[marketAt | M_BAND_STALE] = 1;
    if (tops[(market << TOP_SHIFT) | T_LAST] !== price) {
      tops[(market << TOP_SHIFT) | T_LAST] = price;
      observePrice(core, market, SOURCE_LAST);
    }
    if (done !== 0) {
      // The maker is filled: out of the roster, and its slot is free.
      const makerSeatAt = makerSeat << SEAT_SHIFT;
      const seatPlace = orders[makerAt | O_ROSTER] as number;
      rosters[((seats[makerSeatAt | SE_ROSTER] as number) << ROSTER_SHIFT) + seatPlace] =
        0 - (seats[makerSeatAt | SE_ROSTER_HOLE] as number);
      seats[makerSeatAt | SE_ROSTER_HOLE] = seatPlace + 1;
      seats[makerSeatAt | SE_RESTING] = (seats[makerSeatAt | SE_RESTING] as number) - 1;
      orders[makerAt | O_FLAGS] = 0;
      orders[makerAt | O_GENERATION] = generation + 1;
      orders[makerAt] = orderTable.freeHead;
      orderTable.freeHead = maker;
    }
    return true;
  };
}
