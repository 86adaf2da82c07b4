// Owns the fast path of a fill between plain orders on a linear contract: the trade, both positions with their bills
// and the end of a maker, as settle-steps.ts, settle.ts and fill.ts do it, with every table's view bound as a constant.
// A side that is special is settled by the general path; a trade that is special is answered with false and left alone.
import {
  EXACT_SLACK,
  splitCost,
  X_COST,
  X_EXCESS,
  X_LEAVING,
  X_LEAVING_EXCESS,
  X_LEFT,
  X_LOTS,
  X_MOVED,
  X_REMAINING,
  X_REMAINING_EXCESS,
  X_WHOLE,
} from "@clockwork/kit/exact-cost";
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
} from "../../book/book.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  GENERATION_MAX,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_OPEN_PLACE,
  O_PRICE,
  ORDER_SHIFT,
} from "../../book/orders.ts";
import { CELL_DOUBLE_SHIFT } from "../../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_ACCOUNT,
  AM_LISTS,
  AM_MAKER_RATE,
  AM_OPEN_HOLE,
  AM_OPEN_ORDERS,
  AM_RESTING,
  AM_SYMBOL_MARGIN,
  AM_TAKER_RATE,
  OPEN_ORDERS_SHIFT,
} from "../../market/account-markets.ts";
import {
  BUCKET_DOUBLES,
  M_BUCKET,
  MARKET_DOUBLE_SHIFT,
  MARKET_SHIFT,
  MF_BUCKET_END,
  MF_SUM_LOTS,
  MF_SUM_NOTIONAL,
  SUM_MAX,
} from "../../market/markets.ts";
import { observePrice, SOURCE_LAST } from "../../order/end/prices.ts";
import { EVENTS } from "../../protocol/event.ts";
import { CLEARING_ACCOUNT } from "../../protocol/names.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../../state/core.ts";
import type { Fills } from "../../state/fast-paths.ts";
import { markStale } from "../margin/exposure.ts";
import { leaveRemainder, RATE_MAKER, RATE_TAKER } from "../margin/fill.ts";
import { unwatch } from "../margin/heap.ts";
import { fillSide } from "../margin/settle.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CONTRACT_SHIFT,
  CT_CLEARING_CELL,
  CT_MIRRORED,
  CTF_FACTOR,
  CTF_LAST_TRADE,
  CTF_OPEN_LOTS,
  MA_CELL,
  MA_DIRTY,
  MAF_BONUS,
  MARGIN_ACCOUNT_DOUBLE_SHIFT,
  MARGIN_ACCOUNT_SHIFT,
  MODE_AUTO_APPEND,
  PO_GENERATION,
  PO_PLACE,
  PO_WARN_PLACE,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_OPENED,
  POF_REALIZED,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  SM_FLAGS,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_STALE,
  SM_STOPS,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
  SYMBOL_MARGIN_DOUBLE_SHIFT,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";
import { delistPosition, listPosition } from "../state/symbol-margins.ts";
import { bindBills, HEAD_CLOSE_FEE, HEAD_OPEN_FEE, HEAD_REALIZED, W_DELTA, W_PROFIT } from "./bills.ts";
import { type FastExposure, RATE_UNIT, W_LOTS, W_ROUNDED } from "./exposure.ts";

const KIND_DEPTH = EVENTS.depth.kind;
const KIND_TRADE = EVENTS.trade.kind;
const LINEAR = 1;
/**
 * The word with the sign of a position's lots; numbers lie little end first on all we run on. Sides come as if drawn by
 * lot, and a branch on them would be guessed wrong.
 */
const SIGN_WORD = POF_LOTS * 2 + 1;
/** A side that turns its position: two legs of profit, two fees of three, two reports of the position. */
const SIDE_RECORDS_MAX = 10;

export function bindPerpFills(core: Core, exposure: FastExposure): Fills {
  const { books, events, ledger, markets, clock, perps } = core;
  const accountMarkets = core.accountMarkets.words;
  const openOrders = core.accountMarkets.openOrders.i32;
  const limits = markets.words;
  const sizes = markets.doubles;
  const buckets = markets.buckets.f64;
  const cells = ledger.cellDoubles;
  const orders = books.orderWords;
  const tops = books.topWords;
  const topDoubles = books.topDoubles;
  const contracts = perps.contractWords;
  const contractDoubles = perps.contractDoubles;
  const marginAccounts = perps.marginAccountWords;
  const marginAccountDoubles = perps.marginAccountDoubles;
  const symbolMargins = perps.symbolMarginWords;
  const symbolMarginDoubles = perps.symbolMarginDoubles;
  const positions = perps.positionWords;
  const positionDoubles = perps.positionDoubles;
  const i32 = events.i32;
  const f64 = events.f64;
  const { wide, take } = exposure;
  const { exact } = perps;
  const wideWords = new Int32Array(wide.buffer);
  const { post, charge, publish } = bindBills(core, wide);

  /** The position is flat: nobody watches it, and the next one has another id. */
  function end(position: number, marginAccount: number): void {
    const at = position << POSITION_SHIFT;
    if (((positions[at | PO_PLACE] as number) | (positions[at | PO_WARN_PLACE] as number)) !== 0)
      unwatch(core, position);
    delistPosition(perps, marginAccount, position);
    positions[at | PO_GENERATION] = (positions[at | PO_GENERATION] as number) + 1;
  }

  /** W_LOTS of one side's order, filled at a price; false when the general path must. */
  function fillPlain(
    market: number,
    accountMarket: number,
    sell: number,
    orderPrice: number,
    price: number,
    rateAt: number,
  ): boolean {
    let record = events.count;
    if (record + SIDE_RECORDS_MAX > events.capacity) return false;
    const symbolMargin = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_SYMBOL_MARGIN] as number;
    const symbolMarginAt = symbolMargin << SYMBOL_MARGIN_SHIFT;
    const marginAccount = symbolMargins[symbolMarginAt | SM_MARGIN_ACCOUNT] as number;
    if (((symbolMargins[symbolMarginAt | SM_FLAGS] as number) & ~MODE_AUTO_APPEND) !== 0) return false;
    if (marginAccountDoubles[(marginAccount << MARGIN_ACCOUNT_DOUBLE_SHIFT) | MAF_BONUS] !== 0) return false;
    const position = symbolMargins[symbolMarginAt | SM_LONG] as number;
    const from = position << POSITION_DOUBLE_SHIFT;
    const contractDouble = market << CONTRACT_DOUBLE_SHIFT;
    const factor = contractDoubles[contractDouble | CTF_FACTOR] as number;
    const held = positionDoubles[from | POF_LOTS] as number;
    const short = (positions[(position << POSITION_SHIFT) | SIGN_WORD] as number) >>> 31;
    const direction = 1 - 2 * short;
    const cost = positionDoubles[from | POF_COST] as number;
    const lots = wide[W_LOTS] as number;
    const whole = held * direction;
    const closes = held !== 0 && (short ^ sell) !== 0;
    const closing = closes ? (lots < whole ? lots : whole) : 0;
    const rate = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) + rateAt] as number;
    const account = accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
    const cell = marginAccounts[(marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_CELL] as number;
    const cash = cells[cell << CELL_DOUBLE_SHIFT] as number;
    const value = lots * price * factor;
    if (!(value * rate <= Number.MAX_SAFE_INTEGER) || rate < 0) return false;
    let profit = 0;
    const closeValue = closing * price * factor;
    if (closes) {
      const sums = symbolMargin << SYMBOL_MARGIN_DOUBLE_SHIFT;
      if (symbolMargins[symbolMarginAt | SM_STOPS] !== 0) return false;
      if (accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_LISTS] !== 0) return false;
      if (symbolMarginDoubles[sums | SMF_REDUCE_BUY] !== 0 || symbolMarginDoubles[sums | SMF_REDUCE_SELL] !== 0)
        return false;
      exact[X_COST] = cost;
      exact[X_EXCESS] = positionDoubles[from | POF_EXCESS] as number;
      exact[X_LOTS] = closing;
      exact[X_WHOLE] = whole;
      splitCost(exact);
      const part = (exact[X_LEAVING_EXCESS] as number) * direction;
      wide[W_ROUNDED] = Math.floor(part + EXACT_SLACK);
      const down = wide[W_ROUNDED] as number;
      exact[X_LEFT] = part - down + (exact[X_MOVED] as number) * direction;
      // A nought has no sign, as the general path has it.
      profit = (closeValue - (exact[X_LEAVING] as number)) * direction + down;
    }
    // Both fees rounded up and no more than the wallet has, so that nobody else must lend.
    if (cash + profit < value * rate * RATE_UNIT + 4) return false;
    wide[W_PROFIT] = profit;
    if (closes) {
      positionDoubles[from | POF_LOTS] = held - closing * direction;
      positionDoubles[from | POF_COST] = exact[X_REMAINING] as number;
      positionDoubles[from | POF_EXCESS] = exact[X_REMAINING_EXCESS] as number;
      if (exact[X_LEFT] !== 0) leaveRemainder(core, market);
      positionDoubles[from | POF_REALIZED] = (positionDoubles[from | POF_REALIZED] as number) + profit;
      contractDoubles[contractDouble | CTF_OPEN_LOTS] =
        (contractDoubles[contractDouble | CTF_OPEN_LOTS] as number) - closing * (1 - short);
      if (profit !== 0) {
        const clearing = contracts[(market << CONTRACT_SHIFT) | CT_CLEARING_CELL] as number;
        cells[cell << CELL_DOUBLE_SHIFT] = cash + profit;
        cells[clearing << CELL_DOUBLE_SHIFT] = (cells[clearing << CELL_DOUBLE_SHIFT] as number) - profit;
        // Whoever pays comes first.
        const lost = (wideWords[W_PROFIT * 2 + 1] as number) >> 31;
        const first = (account & lost) | (CLEARING_ACCOUNT & ~lost);
        const second = (CLEARING_ACCOUNT & lost) | (account & ~lost);
        wide[W_DELTA] = 0 - Math.abs(profit);
        post(record, HEAD_REALIZED, first, (cell & lost) | (clearing & ~lost), second, market);
        wide[W_DELTA] = Math.abs(profit);
        post(record + 1, HEAD_REALIZED, second, (clearing & lost) | (cell & ~lost), first, market);
        record += 2;
      }
      wide[W_DELTA] = closeValue;
      record = charge(record, HEAD_CLOSE_FEE, account, cell, rate, market);
      if (closing === whole && closing < lots) {
        // Crossing zero ends one position and begins another.
        publish(record++, position, account, market);
        end(position, marginAccount);
        wide[W_PROFIT] = 0;
      }
    }
    if (closing < lots) {
      const opening = lots - closing;
      const heldNow = positionDoubles[from | POF_LOTS] as number;
      if (heldNow === 0) {
        positionDoubles[from | POF_OPENED] = clock[G_NOW] as number;
        positionDoubles[from | POF_REALIZED] = 0;
        listPosition(perps, marginAccount, position);
      }
      positionDoubles[from | POF_LOTS] = heldNow + opening * (1 - 2 * sell);
      positionDoubles[from | POF_COST] = (positionDoubles[from | POF_COST] as number) + opening * price * factor;
      contractDoubles[contractDouble | CTF_OPEN_LOTS] =
        (contractDoubles[contractDouble | CTF_OPEN_LOTS] as number) + opening * (1 - sell);
      wide[W_DELTA] = opening * price * factor;
      record = charge(record, HEAD_OPEN_FEE, account, cell, rate, market);
    }
    publish(record, position, account, market);
    events.count = record + 1;
    if (positionDoubles[from | POF_LOTS] === 0) end(position, marginAccount);
    take(symbolMargin, market, sell, orderPrice);
    if (symbolMargins[symbolMarginAt | SM_STALE] === 0) markStale(core, symbolMargin);
    if (marginAccounts[(marginAccount << MARGIN_ACCOUNT_SHIFT) | MA_DIRTY] === 0) perps.markDirty(marginAccount);
    return true;
  }

  /** What a level that was left shows now. */
  function publishDepth(market: number, flags: number, step: number): void {
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

  /** Settles one trade; `open` holds the lots the taker still had before it. */
  function fill(market: number, slot: number, taker: number, flags: number, step: number, open: Float64Array): boolean {
    const steps = books.steps;
    const maker = steps[(step << STEP_SHIFT) + S_MAKER] as number;
    const price = steps[(step << STEP_SHIFT) + S_PRICE] as number;
    const done = steps[(step << STEP_SHIFT) + S_DONE] as number;
    const lots = books.stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number;
    const makerAt = maker << ORDER_SHIFT;
    const takerAt = slot << ORDER_SHIFT;
    if (((orders[makerAt | O_EXTRA] as number) | (orders[takerAt | O_EXTRA] as number)) !== 0) return false;
    const makerFlags = orders[makerAt | O_FLAGS] as number;
    if (contracts[market << CONTRACT_SHIFT] !== LINEAR || ((makerFlags | flags) & FLAG_REDUCE_ONLY) !== 0) return false;
    const makerAccountMarket = orders[makerAt | O_ACCOUNT_MARKET] as number;
    const makerSymbolMargin = accountMarkets[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_SYMBOL_MARGIN] as number;
    const takerSymbolMargin = accountMarkets[(taker << ACCOUNT_MARKET_SHIFT) | AM_SYMBOL_MARGIN] as number;
    const modes =
      (symbolMargins[(makerSymbolMargin << SYMBOL_MARGIN_SHIFT) | SM_FLAGS] as number) |
      (symbolMargins[(takerSymbolMargin << SYMBOL_MARGIN_SHIFT) | SM_FLAGS] as number);
    const generation = orders[makerAt | O_GENERATION] as number;
    const record = events.count;
    if ((modes & ~MODE_AUTO_APPEND) !== 0 || generation >= GENERATION_MAX || record >= events.capacity) return false;
    const marketAt = market << MARKET_SHIFT;
    const sizeAt = market << MARKET_DOUBLE_SHIFT;
    // The average of prices: neither a new bucket nor sums that must be halved.
    const sum = (sizes[sizeAt | MF_SUM_NOTIONAL] as number) + price * lots;
    if ((clock[G_NOW] as number) >= (sizes[sizeAt | MF_BUCKET_END] as number) || sum > SUM_MAX) return false;
    // Nothing stops it any more.
    const left = (open[0] as number) - lots;
    open[0] = left;
    const takerSells = flags & FLAG_SELL;
    const tradeAt = (market << TOP_DOUBLE_SHIFT) | TF_TRADES;
    const tradeNumber = (topDoubles[tradeAt] as number) + 1;
    topDoubles[tradeAt] = tradeNumber;
    const word = record << 4;
    i32[word] = KIND_TRADE | ((takerSells | (done << 1) | (left === 0 ? 4 : 0)) << 16);
    i32[word | 1] = accountMarkets[(taker << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
    f64[(record << 3) | 1] = clock[G_SEQUENCE] as number;
    i32[word | 4] = slot;
    i32[word | 5] = orders[takerAt | O_GENERATION] as number;
    i32[word | 6] = maker;
    i32[word | 7] = generation;
    f64[(record << 3) | 4] = lots;
    f64[(record << 3) | 5] = tradeNumber;
    i32[word | 12] = market;
    i32[word | 13] = price;
    i32[word | 14] = accountMarkets[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
    i32[word | 15] = 0;
    events.count = record + 1;
    const makerPrice = orders[makerAt | O_PRICE] as number;
    const takerPrice = orders[takerAt | O_PRICE] as number;
    wide[W_LOTS] = lots;
    if (!fillPlain(market, makerAccountMarket, takerSells ^ FLAG_SELL, makerPrice, price, AM_MAKER_RATE))
      fillSide(
        core,
        market,
        maker,
        makerAccountMarket,
        makerFlags,
        takerSells !== 0 ? lots : 0 - lots,
        price,
        RATE_MAKER,
        tradeNumber,
      );
    // The general path may have made room for more events, and then these views are of the old ones.
    wide[W_LOTS] = lots;
    if (events.i32 !== i32 || !fillPlain(market, taker, takerSells, takerPrice, price, AM_TAKER_RATE))
      fillSide(
        core,
        market,
        slot,
        taker,
        orders[takerAt | O_FLAGS] as number,
        takerSells !== 0 ? 0 - lots : lots,
        price,
        RATE_TAKER,
        tradeNumber,
      );
    contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_LAST_TRADE] = clock[G_NOW] as number;
    if (contracts[(market << CONTRACT_SHIFT) | CT_MIRRORED] !== 0) perps.realTrades.push(market, price, lots);
    const bucket = market * BUCKET_DOUBLES + (limits[marketAt | M_BUCKET] as number) * 2;
    buckets[bucket] = (buckets[bucket] as number) + price * lots;
    buckets[bucket + 1] = (buckets[bucket + 1] as number) + lots;
    sizes[sizeAt | MF_SUM_NOTIONAL] = sum;
    sizes[sizeAt | MF_SUM_LOTS] = (sizes[sizeAt | MF_SUM_LOTS] as number) + lots;
    if (tops[(market << TOP_SHIFT) | T_LAST] !== price) {
      tops[(market << TOP_SHIFT) | T_LAST] = price;
      observePrice(core, market, SOURCE_LAST);
    }
    if (done !== 0) {
      // The maker is filled: out of the open orders, and its slot is free.
      const makerMarketAt = makerAccountMarket << ACCOUNT_MARKET_SHIFT;
      const openPlace = orders[makerAt | O_OPEN_PLACE] as number;
      openOrders[((accountMarkets[makerMarketAt | AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT) + openPlace] =
        0 - (accountMarkets[makerMarketAt | AM_OPEN_HOLE] as number);
      accountMarkets[makerMarketAt | AM_OPEN_HOLE] = openPlace + 1;
      accountMarkets[makerMarketAt | AM_RESTING] = (accountMarkets[makerMarketAt | AM_RESTING] as number) - 1;
      orders[makerAt | O_FLAGS] = 0;
      orders[makerAt | O_GENERATION] = generation + 1;
    }
    return true;
  }

  return function fills(market, slot, accountMarket, flags, first, open): number {
    const count = books.stepCount;
    for (let step = first; step < count; step++) {
      const kind = books.steps[(step << STEP_SHIFT) + S_KIND] as number;
      if (kind === STEP_TRADE) {
        if (!fill(market, slot, accountMarket, flags, step, open)) return step;
        // The general path of a side may have let a table grow; these views are then of the old ones.
        if (core.fastPaths === undefined || events.i32 !== i32) return step + 1;
      } else if (kind === STEP_DEPTH && events.count < events.capacity) publishDepth(market, flags, step);
      else return step;
    }
    return count;
  };
}
