// Owns the short road of a plain spot order's fills with plain makers: each trade, its ten postings and the end of a
// maker, as settle-steps.ts and spot/settle.ts do it, with every table's view bound as a constant and what is the same
// for the whole sweep read once. Stops before the first step that is special; see roads.ts.

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

const KIND_DEPTH = EVENTS.depth.kind;
const KIND_TRADE = EVENTS.trade.kind;
const KIND_POSTING = EVENTS.posting.kind;
const HEAD_TRADE = KIND_POSTING | (BUSINESSES.indexOf("trade") << 8);
const HEAD_FEE = KIND_POSTING | (BUSINESSES.indexOf("fee") << 8);
const HEAD_ROUNDING = KIND_POSTING | (BUSINESSES.indexOf("rounding") << 8);
/** One trade, four legs, two fees of three legs. */
const RECORDS_MAX = 11;

/** Registers of the fill at hand, for what is too wide to be an argument: the units of a leg, the trade's number. */
const DELTA = 0;
const TRADE = 1;

/**
 * Settles the steps of a taker from `step` on up to the first that is special; returns that one, or how many there are.
 * The lots it still had before are in `open`, which is brought up to date.
 */
export type Fills = (
  market: number,
  slot: number,
  seat: number,
  flags: number,
  step: number,
  open: Float64Array,
) => number;

// Records begin at multiples of 16 words and 8 doubles: "or" finds a member without asking whether the sum overflows.
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one road with what is bound for it.
export function bindFills(core: Core): Fills {
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
    const cellAt = cell << CELL_DOUBLE_SHIFT;
    i32[word] = head;
    i32[word | 1] = account;
    f64[double | 1] = clock[G_SEQUENCE] as number;
    i32[word | 4] = asset;
    i32[word | 5] = other;
    f64[double | 3] = wide[DELTA] as number;
    f64[double | 4] = wide[TRADE] as number;
    i32[word | 10] = market;
    i32[word | 11] = 0;
    f64[double | 6] = cells[cellAt] as number;
    f64[double | 7] = cells[cellAt | 1] as number;
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
    const payerAt = payer << CELL_DOUBLE_SHIFT;
    cells[payerAt] = (cells[payerAt] as number) - floor - rest;
    wide[DELTA] = 0 - floor - rest;
    post(record++, HEAD_FEE, account, house, payer, asset, market);
    if (floor !== 0) {
      const feesAt = fees << CELL_DOUBLE_SHIFT;
      cells[feesAt] = (cells[feesAt] as number) + floor;
      wide[DELTA] = floor;
      post(record++, HEAD_FEE, house, account, fees, asset, market);
    }
    if (rest !== 0) {
      const roundingAt = rounding << CELL_DOUBLE_SHIFT;
      cells[roundingAt] = (cells[roundingAt] as number) + 1;
      wide[DELTA] = 1;
      const keeper = cellWords[(rounding << CELL_SHIFT) | C_ACCOUNT] as number;
      post(record++, HEAD_ROUNDING, keeper, account, rounding, asset, market);
    }
    return record;
  }

  /** What a level that was left shows now. */
  function tellDepth(market: number, flags: number, step: number): void {
    const record = events.count;
    const sequenceAt = (market << TOP_DOUBLE_SHIFT) | TF_SEQUENCE;
    const bookSequence = (topDoubles[sequenceAt] as number) + 1;
    topDoubles[sequenceAt] = bookSequence;
    const word = record << 4;
    const double = record << 3;
    i32[word] = KIND_DEPTH | (((flags & FLAG_SELL) ^ FLAG_SELL) << 16);
    i32[word | 1] = 0;
    f64[double | 1] = clock[G_SEQUENCE] as number;
    i32[word | 4] = market;
    i32[word | 5] = books.steps[(step << STEP_SHIFT) + S_PRICE] as number;
    f64[double | 3] = books.stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number;
    f64[double | 4] = bookSequence;
    f64[double | 5] = 0;
    f64[double | 6] = 0;
    f64[double | 7] = 0;
    events.count = record + 1;
  }

  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: a call per part costs more than the part.
  return function fills(market, slot, seat, flags, first, open): number {
    const takerAt = slot << ORDER_SHIFT;
    const marketAt = market << MARKET_SHIFT;
    const sizeAt = market << MARKET_DOUBLE_SHIFT;
    const takerSells = flags & FLAG_SELL;
    const takerSeatAt = seat << SEAT_SHIFT;
    if (orders[takerAt | O_EXTRA] !== 0) return first;
    if (limits[marketAt | M_KIND] !== KIND_SPOT || (flags & FLAG_IN_QUOTE) !== 0) return first;
    // The average of prices: no new bucket.
    if ((clock[G_NOW] as number) >= (sizes[sizeAt | MF_BUCKET_END] as number)) return first;
    const taker = seats[takerSeatAt | SE_ACCOUNT] as number;
    const takerPrice = orders[takerAt | O_PRICE] as number;
    const takerRate = seats[takerSeatAt | SE_TAKER_RATE] as number;
    const unit = sizes[sizeAt | MF_TICK_LOT_UNITS] as number;
    const stepUnits = sizes[sizeAt | MF_STEP_UNITS] as number;
    const quoteAsset = limits[marketAt | M_QUOTE] as number;
    const baseAsset = limits[marketAt | M_BASE] as number;
    const bucket = market * BUCKET_DOUBLES + (limits[marketAt | M_BUCKET] as number) * 2;
    const tradeAt = (market << TOP_DOUBLE_SHIFT) | TF_TRADES;
    const lastAt = (market << TOP_SHIFT) | T_LAST;
    const steps = books.steps;
    const stepDoubles = books.stepDoubles;
    const count = books.stepCount;
    for (let step = first; step < count; step++) {
      let record = events.count;
      if (record + RECORDS_MAX > events.capacity) return step;
      const kind = steps[(step << STEP_SHIFT) + S_KIND] as number;
      if (kind === STEP_DEPTH) {
        tellDepth(market, flags, step);
        continue;
      }
      if (kind !== STEP_TRADE) return step;
      const maker = steps[(step << STEP_SHIFT) + S_MAKER] as number;
      const price = steps[(step << STEP_SHIFT) + S_PRICE] as number;
      const done = steps[(step << STEP_SHIFT) + S_DONE] as number;
      const lots = stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number;
      const makerAt = maker << ORDER_SHIFT;
      if (orders[makerAt | O_EXTRA] !== 0) return step;
      const makerSeatAt = (orders[makerAt | O_SEAT] as number) << SEAT_SHIFT;
      const buyerAt = takerSells !== 0 ? makerSeatAt : takerSeatAt;
      const sellerAt = takerSells !== 0 ? takerSeatAt : makerSeatAt;
      if (((seats[buyerAt | SE_FLAGS] as number) & ACCOUNT_FEE_IN_QUOTE) !== 0) return step;
      const generation = orders[makerAt | O_GENERATION] as number;
      const makerRate = seats[makerSeatAt | SE_MAKER_RATE] as number;
      const notional = price * lots * unit;
      const base = lots * stepUnits;
      const buyerRate = takerSells !== 0 ? makerRate : takerRate;
      const sellerRate = takerSells !== 0 ? takerRate : makerRate;
      // Sums that need not be halved.
      const sum = (sizes[sizeAt | MF_SUM_NOTIONAL] as number) + price * lots;
      if (sum > SUM_MAX || (takerRate | makerRate) < 0 || generation >= GENERATION_MAX) return step;
      if (!(notional * sellerRate <= Number.MAX_SAFE_INTEGER && base * buyerRate <= Number.MAX_SAFE_INTEGER))
        return step;
      const buyerQuote = seats[buyerAt | SE_QUOTE_CELL] as number;
      const buyerBase = seats[buyerAt | SE_BASE_CELL] as number;
      const sellerQuote = seats[sellerAt | SE_QUOTE_CELL] as number;
      const sellerBase = seats[sellerAt | SE_BASE_CELL] as number;
      const buyerQuoteAt = buyerQuote << CELL_DOUBLE_SHIFT;
      const sellerBaseAt = sellerBase << CELL_DOUBLE_SHIFT;
      // A buying taker's money is frozen at his own limit: what the price is better by comes back.
      const better = takerSells !== 0 ? 0 : (takerPrice - price) * lots * unit;
      const buyerFrozen = (cells[buyerQuoteAt | 1] as number) - better - notional;
      const sellerFrozen = (cells[sellerBaseAt | 1] as number) - base;
      if (buyerFrozen < 0 || sellerFrozen < 0 || better < 0) return step;
      // Nothing stops it any more.
      const left = (open[0] as number) - lots;
      open[0] = left;
      const tradeNumber = (topDoubles[tradeAt] as number) + 1;
      topDoubles[tradeAt] = tradeNumber;
      wide[TRADE] = tradeNumber;
      const makerAccount = seats[makerSeatAt | SE_ACCOUNT] as number;
      const word = record << 4;
      const double = record << 3;
      i32[word] = KIND_TRADE | ((takerSells | (done << 1) | (left === 0 ? 4 : 0)) << 16);
      i32[word | 1] = taker;
      f64[double | 1] = clock[G_SEQUENCE] as number;
      i32[word | 4] = slot;
      i32[word | 5] = orders[takerAt | O_GENERATION] as number;
      i32[word | 6] = maker;
      i32[word | 7] = generation;
      f64[double | 4] = lots;
      f64[double | 5] = tradeNumber;
      i32[word | 12] = market;
      i32[word | 13] = price;
      i32[word | 14] = makerAccount;
      i32[word | 15] = 0;
      const buyer = takerSells !== 0 ? makerAccount : taker;
      const seller = takerSells !== 0 ? taker : makerAccount;
      const sellerQuoteAt = sellerQuote << CELL_DOUBLE_SHIFT;
      const buyerBaseAt = buyerBase << CELL_DOUBLE_SHIFT;
      cells[buyerQuoteAt | 1] = buyerFrozen;
      cells[buyerQuoteAt] = (cells[buyerQuoteAt] as number) + better;
      cells[sellerQuoteAt] = (cells[sellerQuoteAt] as number) + notional;
      wide[DELTA] = -notional;
      post(record + 1, HEAD_TRADE, buyer, seller, buyerQuote, quoteAsset, market);
      wide[DELTA] = notional;
      post(record + 2, HEAD_TRADE, seller, buyer, sellerQuote, quoteAsset, market);
      cells[sellerBaseAt | 1] = sellerFrozen;
      cells[buyerBaseAt] = (cells[buyerBaseAt] as number) + base;
      wide[DELTA] = -base;
      post(record + 3, HEAD_TRADE, seller, buyer, sellerBase, baseAsset, market);
      wide[DELTA] = base;
      post(record + 4, HEAD_TRADE, buyer, seller, buyerBase, baseAsset, market);
      record += 5;
      if (buyerRate !== 0) {
        const fees = limits[marketAt | M_BASE_FEES_CELL] as number;
        const rounding = limits[marketAt | M_BASE_ROUNDING_CELL] as number;
        record = charge(record, buyer, buyerBase, fees, rounding, buyerRate, baseAsset, market);
      }
      if (sellerRate !== 0) {
        wide[DELTA] = notional;
        const fees = limits[marketAt | M_QUOTE_FEES_CELL] as number;
        const rounding = limits[marketAt | M_QUOTE_ROUNDING_CELL] as number;
        record = charge(record, seller, sellerQuote, fees, rounding, sellerRate, quoteAsset, market);
      }
      events.count = record;
      buckets[bucket] = (buckets[bucket] as number) + price * lots;
      buckets[bucket + 1] = (buckets[bucket + 1] as number) + lots;
      sizes[sizeAt | MF_SUM_NOTIONAL] = sum;
      sizes[sizeAt | MF_SUM_LOTS] = (sizes[sizeAt | MF_SUM_LOTS] as number) + lots;
      limits[marketAt | M_BAND_STALE] = 1;
      if (tops[lastAt] !== price) {
        tops[lastAt] = price;
        observePrice(core, market, SOURCE_LAST);
      }
      if (done !== 0) {
        // The maker is filled: out of the roster, and its slot is free.
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
      // Whatever the price has moved may have let a table grow, and these views are of the old one.
      if (core.roads === undefined) return step + 1;
    }
    return count;
  };
}
