// Owns what follows from a match: each step becomes events, money and, for makers that are done, an end.
// Never matches.

import {
  S_DONE,
  S_KIND,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DEPTH,
  STEP_DOUBLE_SHIFT,
  STEP_PREVENTED,
  STEP_SHIFT,
  STEP_TRADE,
  T_LAST,
  TF_TRADES,
  TOP_DOUBLE_SHIFT,
  TOP_SHIFT,
} from "../../book/book.ts";
import {
  EXTRA_DOUBLE_SHIFT,
  EXTRA_SHIFT,
  FLAG_IN_QUOTE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_PRICE,
  ORDER_SHIFT,
  STP_DECREMENT,
  X_LIST,
  XF_HELD,
} from "../../book/orders.ts";
import { cellOfOrder, noteBotFill, quoteBefore } from "../../bot/note/fills.ts";
import { afterSpotFill, beforeSpotFill } from "../../copy/share/spot-fills.ts";
import { ACCOUNT_BOT, ACCOUNT_WATCHED } from "../../ledger/ledger.ts";
import { ACCOUNT_MARKET_SHIFT, AM_ACCOUNT, AM_FLAGS, AM_QUOTE_CELL } from "../../market/account-markets.ts";
import { MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { addExposure } from "../../perp/margin/exposure.ts";
import { settlePerp } from "../../perp/margin/settle.ts";
import { CT_MIRRORED } from "../../perp/state/records.ts";
import { EVENTS } from "../../protocol/event.ts";
import { BUSINESSES, END_REASONS } from "../../protocol/names.ts";
import { settleSpot } from "../../spot/settle.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../../state/core.ts";
import { beginValue } from "../../value/value.ts";
import { endOffBook, holdCell, holdUnits, leaveBook } from "../end/finish.ts";
import { noteListFill } from "../end/list-fills.ts";
import { observePrice, SOURCE_LAST } from "../end/prices.ts";

const KIND_TRADE = EVENTS.trade.kind;
const KIND_PREVENTED = EVENTS.selfTradePrevented.kind;
const KIND_REFILLED = EVENTS.icebergRefilled.kind;
const REASON_MAKER = END_REASONS.indexOf("STP_MAKER");
const REASON_DECREMENT = END_REASONS.indexOf("STP_DECREMENT");
const BUSINESS_TRADE = BUSINESSES.indexOf("trade");

/** Scratch of the taker at hand: lots still open, lots lost to decrements, whether a decrement took the last. */
const LEFT = 0;
const LOST = 1;
const USED_UP = 2;
const scratch = new Float64Array(3);

/** Settles all steps of a taker whose lots were `lots`; returns the lots it lost to decrements. */
export function settleSteps(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  mode: number,
  lots: number,
): number {
  const books = core.books;
  const count = books.stepCount;
  const { fastPaths } = core;
  const perp = core.perps.isPerp(market);
  scratch[LEFT] = lots;
  scratch[LOST] = 0;
  scratch[USED_UP] = 0;
  for (let step = 0; step < count; step++) {
    const base = step << STEP_SHIFT;
    const kind = books.steps[base + S_KIND] as number;
    if (kind === STEP_TRADE && fastPaths !== undefined && core.fastPaths === fastPaths) {
      const next = perp
        ? fastPaths.perpFills(market, slot, accountMarket, flags, step, scratch)
        : fastPaths.fills(market, slot, accountMarket, flags, step, scratch);
      if (next > step) {
        step = next - 1;
        continue;
      }
    }
    const maker = books.steps[base + S_MAKER] as number;
    const price = books.steps[base + S_PRICE] as number;
    const done = books.steps[base + S_DONE] as number;
    const amount = books.stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number;
    if (kind === STEP_TRADE) settleTrade(core, market, slot, accountMarket, flags, maker, price, done, amount);
    else if (kind === STEP_DEPTH) core.emitDepth(market, (flags & FLAG_SELL) ^ FLAG_SELL, price, amount);
    else if (kind === STEP_PREVENTED)
      prevent(core, market, slot, accountMarket, flags, mode, maker, price, done, amount);
    else refilled(core, market, maker, price, amount);
  }
  return scratch[LOST] as number;
}

/** Whether the taker just settled lost its last lots to a decrement rather than filled them. */
export function isUsedUp(): boolean {
  return scratch[USED_UP] !== 0;
}

function settleTrade(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  maker: number,
  price: number,
  done: number,
  lots: number,
): void {
  const books = core.books;
  const orders = books.orderWords;
  const makerBase = maker << ORDER_SHIFT;
  const takerBase = slot << ORDER_SHIFT;
  const makerAccountMarket = orders[makerBase | O_ACCOUNT_MARKET] as number;
  const left = (scratch[LEFT] as number) - lots;
  scratch[LEFT] = left;
  const inQuote = (flags & FLAG_IN_QUOTE) !== 0;
  const tradeAt = (market << TOP_DOUBLE_SHIFT) | TF_TRADES;
  const tradeNumber = (books.topDoubles[tradeAt] as number) + 1;
  books.topDoubles[tradeAt] = tradeNumber;
  const accountMarkets = core.accountMarkets.words;
  const eventFlags = (flags & FLAG_SELL) | (done << 1) | (left === 0 && !inQuote ? 4 : 0);
  const record = core.events.open(
    KIND_TRADE,
    0,
    eventFlags,
    accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    core.clock[G_SEQUENCE] as number,
  );
  const i32 = core.events.i32;
  const word = record << 4;
  i32[word + 4] = slot;
  i32[word + 5] = orders[takerBase | O_GENERATION] as number;
  i32[word + 6] = maker;
  i32[word + 7] = orders[makerBase | O_GENERATION] as number;
  core.events.f64[(record << 3) | 4] = lots;
  core.events.f64[(record << 3) | 5] = tradeNumber;
  i32[word + 12] = market;
  i32[word + 13] = price;
  i32[word + 14] = accountMarkets[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
  i32[word + 15] = 0;
  const isMadeByBot =
    ((accountMarkets[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_FLAGS] as number) & ACCOUNT_BOT) !== 0;
  const isTakenByBot =
    ((accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_FLAGS] as number) & ACCOUNT_BOT) !== 0;
  const madeFrom = isMadeByBot ? quoteBefore(core, makerAccountMarket) : 0;
  const takenFrom = isTakenByBot ? quoteBefore(core, accountMarket) : 0;
  const madeCell = isMadeByBot ? cellOfOrder(core, makerAccountMarket, maker) : -1;
  const takenCell = isTakenByBot ? cellOfOrder(core, accountMarket, slot) : -1;
  if (core.perps.isPerp(market))
    settlePerp(core, market, slot, accountMarket, maker, makerAccountMarket, price, lots, tradeNumber);
  else settleSpotTrade(core, market, slot, accountMarket, flags, maker, makerAccountMarket, price, lots, tradeNumber);
  if (isMadeByBot) noteBotFill(core, makerAccountMarket, maker, false, price, lots, madeFrom, madeCell);
  if (isTakenByBot) noteBotFill(core, accountMarket, slot, true, price, lots, takenFrom, takenCell);
  if (core.perps.contract(market, CT_MIRRORED) !== 0) core.perps.realTrades.push(market, price, lots);
  core.markets.addTrade(market, price, lots, core.clock[G_NOW] as number);
  const last = books.topWords[(market << TOP_SHIFT) | T_LAST] as number;
  if (last !== price) {
    books.topWords[(market << TOP_SHIFT) | T_LAST] = price;
    if (last === 0) beginValue(core, market);
    observePrice(core, market, SOURCE_LAST);
  }
  const extra = orders[makerBase | O_EXTRA] as number;
  if (extra !== 0 && books.orders.extras.i32[(extra << EXTRA_SHIFT) | X_LIST] !== 0)
    noteListFill(core, market, maker, makerAccountMarket, lots, false);
  const takerExtra = orders[takerBase | O_EXTRA] as number;
  if (takerExtra !== 0 && books.orders.extras.i32[(takerExtra << EXTRA_SHIFT) | X_LIST] !== 0)
    noteListFill(core, market, slot, accountMarket, lots, true);
  if (done !== 0) finishMaker(core, maker, makerAccountMarket);
}

/** Of a leader or a follower: bots are watched too, and have nothing to do with copying. */
const isCopied = (accountFlags: number): boolean =>
  (accountFlags & (ACCOUNT_WATCHED | ACCOUNT_BOT)) === ACCOUNT_WATCHED;

/** Buyer and seller told apart; what leaders and followers trade is told to copy trading. */
function settleSpotTrade(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  maker: number,
  makerAccountMarket: number,
  price: number,
  lots: number,
  tradeNumber: number,
): void {
  const words = core.accountMarkets.words;
  const sells = (flags & FLAG_SELL) !== 0;
  const isTakerCopied = isCopied(words[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_FLAGS] as number);
  const isMakerCopied = isCopied(words[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_FLAGS] as number);
  const taker = isTakerCopied ? beforeSpotFill(core, accountMarket, slot) : undefined;
  const made = isMakerCopied ? beforeSpotFill(core, makerAccountMarket, maker) : undefined;
  if (sells) settleSpot(core, market, makerAccountMarket, accountMarket, maker, true, price, price, lots, tradeNumber);
  else {
    const limit =
      (flags & FLAG_IN_QUOTE) !== 0 ? 0 : (core.books.orderWords[(slot << ORDER_SHIFT) | O_PRICE] as number);
    settleSpot(core, market, accountMarket, makerAccountMarket, slot, false, price, limit, lots, tradeNumber);
  }
  const value = price * lots * core.markets.double(market, MF_TICK_LOT_UNITS);
  if (made !== undefined) afterSpotFill(core, made, !sells, lots, value);
  if (taker !== undefined) afterSpotFill(core, taker, sells, lots, value);
}

/** A maker that is filled: its reserve, if any, goes back and its slot is free. */
function finishMaker(core: Core, maker: number, accountMarket: number): void {
  releaseReserve(core, maker, accountMarket);
  leaveBook(core, maker, accountMarket);
}

/** Gives back what is left of a fee reserve when an order is filled, right before its slot is given up. Only buys have one. */
export function releaseReserve(core: Core, slot: number, accountMarket: number): void {
  const orders = core.books.orders;
  const extra = orders.table.i32[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  const held = orders.extras.f64[(extra << EXTRA_DOUBLE_SHIFT) | XF_HELD] as number;
  if (held === 0) return;
  const cell = core.accountMarkets.word(accountMarket, AM_QUOTE_CELL);
  core.ledger.unfreeze(cell, held);
  core.emitFrozen(BUSINESS_TRADE, cell, -held, orders.id(slot));
}

function prevent(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  mode: number,
  maker: number,
  price: number,
  done: number,
  lots: number,
): void {
  const orders = core.books.orderWords;
  const accountMarkets = core.accountMarkets.words;
  const makerAccountMarket = orders[(maker << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number;
  const record = core.events.openClean(
    KIND_PREVENTED,
    mode,
    flags & FLAG_SELL,
    accountMarkets[(accountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number,
    core.sequence,
  );
  const i32 = core.events.i32;
  const word = record << 4;
  i32[word + 4] = slot;
  i32[word + 5] = orders[(slot << ORDER_SHIFT) | O_GENERATION] as number;
  i32[word + 6] = maker;
  i32[word + 7] = orders[(maker << ORDER_SHIFT) | O_GENERATION] as number;
  core.events.f64[(record << 3) | 4] = lots;
  i32[word + 12] = market;
  i32[word + 13] = price;
  i32[word + 14] = accountMarkets[(makerAccountMarket << ACCOUNT_MARKET_SHIFT) | AM_ACCOUNT] as number;
  if (mode === STP_DECREMENT) {
    const left = (scratch[LEFT] as number) - lots;
    scratch[LEFT] = left;
    scratch[USED_UP] = left === 0 ? 1 : 0;
    scratch[LOST] = (scratch[LOST] as number) + lots;
    shrinkHold(core, market, maker, makerAccountMarket, price, lots);
    if ((flags & FLAG_IN_QUOTE) === 0) {
      shrinkHold(core, market, slot, accountMarket, orders[(slot << ORDER_SHIFT) | O_PRICE] as number, lots);
    } else {
      // The budget was reduced by what the overlap would have cost.
      shrinkHold(core, market, slot, accountMarket, price, lots);
    }
  }
  if (done !== 0) endOffBook(core, maker, mode === STP_DECREMENT ? REASON_DECREMENT : REASON_MAKER);
}

/** Frees what an order no longer needs for lots it lost. */
function shrinkHold(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  price: number,
  lots: number,
): void {
  const flags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  const cell = holdCell(core, accountMarket, flags);
  if (core.perps.isPerp(market)) {
    addExposure(core, accountMarket, market, flags, price, 0 - lots);
    return;
  }
  const units = holdUnits(core, market, flags, price, lots);
  core.ledger.unfreeze(cell, units);
  core.emitFrozen(BUSINESS_TRADE, cell, -units, core.books.orders.id(slot));
}

function refilled(core: Core, market: number, maker: number, price: number, lots: number): void {
  const orders = core.books.orderWords;
  const account = core.accountMarkets.word(orders[(maker << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number, AM_ACCOUNT);
  const record = core.events.openClean(KIND_REFILLED, 0, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = maker;
  core.events.i32[(record << 4) | 5] = orders[(maker << ORDER_SHIFT) | O_GENERATION] as number;
  core.events.i32[(record << 4) | 6] = market;
  core.events.i32[(record << 4) | 7] = price;
  core.events.f64[(record << 3) | 4] = lots;
}
