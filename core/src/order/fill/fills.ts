// Owns what every fill does, whatever it trades: the trade itself, the average and the last price, depth, and the end of
// a maker. Written against views, which are the current ones of the tables or constants that were bound to them.
import { T_LAST, TF_SEQUENCE, TF_TRADES, TOP_SHIFT } from "../../book/book.ts";
import { LEVEL_WORDS } from "../../book/ladder.ts";
import { atExtra, O_EXTRA, O_FLAGS, O_GENERATION, O_OPEN_PLACE, ORDER_SHIFT, X_LIST } from "../../book/orders.ts";
import { cellOfOrder, noteBotFill, quoteBefore } from "../../bot/note/fills.ts";
import { afterSpotFill, beforeSpotFill } from "../../copy/share/spot-fills.ts";
import { ACCOUNT_BOT, ACCOUNT_WATCHED } from "../../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_FLAGS,
  AM_MARKET,
  AM_OPEN_HOLE,
  AM_OPEN_ORDERS,
  AM_RESTING,
  OPEN_ORDERS_SHIFT,
} from "../../market/account-markets.ts";
import { getWord } from "../../memory/record.ts";
import { EVENTS } from "../../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../../protocol/event-log.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../../state/core.ts";
import { beginValue } from "../../value/value.ts";
import { leaveExtra, releaseReserve } from "../end/finish.ts";
import { noteListFill } from "../end/list-fills.ts";
import { observePrice, SOURCE_LAST } from "../end/prices.ts";

const KIND_DEPTH = EVENTS.depth.kind;
const KIND_TRADE = EVENTS.trade.kind;
/** Records a fill writes before it asks for room again: a trade, four legs, two fees of three legs each, and one more. */
export const FILL_RECORDS_MAX = 12;
const POSITIVE = 0x7fffffff;

export type FillViews = ReturnType<typeof takeFillViews>;

/** A literal, because its fields are constants to the compiler then; good until a table grows or the log leaves home. */
export function takeFillViews(core: Core) {
  const { books, events, ledger, markets, clock, accountMarkets } = core;
  return {
    core,
    books,
    events,
    markets,
    clock,
    growths: core.growths,
    accountMarkets: accountMarkets.words,
    openOrders: accountMarkets.openOrders.i32,
    limits: markets.words,
    sizes: markets.doubles,
    cells: ledger.cellDoubles,
    cellWords: ledger.cellWords,
    orders: books.orderWords,
    levels: books.levelWords,
    levelDoubles: books.levelDoubles,
    ladders: books.ladders,
    tops: books.topWords,
    topDoubles: books.topDoubles,
    i32: events.i32,
    f64: events.f64,
    // Every index is masked by its table, which changes nothing and spares the compiler to look whether it lies inside.
    accountMarketMask: accountMarkets.table.mask,
    marketMask: markets.table.mask,
    cellMask: ledger.cells.mask,
    orderMask: books.orders.table.mask,
    topMask: books.tops.mask,
    levelMask: books.levelWords.length - LEVEL_WORDS,
    /** The last word at which a fill's records can begin. */
    roomWords: events.i32.length - FILL_RECORDS_MAX * EVENT_WORDS,
  };
}

/** Whether the views are good, and the log has room for a fill. */
export function canFill(v: FillViews): boolean {
  const { core, events } = v;
  return core.growths === v.growths && events.i32 === v.i32 && events.count + FILL_RECORDS_MAX <= events.limit;
}

/** The first word of a record. */
export function wordOf(v: FillViews, record: number): number {
  return Math.min((record << EVENT_SHIFT) & POSITIVE, v.roomWords);
}

/** The trade's own record, in the place of the next; the caller moves the log on. Returns the trade's number. */
export function writeTrade(
  v: FillViews,
  word: number,
  market: number,
  taker: number,
  slot: number,
  maker: number,
  makerAccount: number,
  eventFlags: number,
  price: number,
  lots: number,
): number {
  const { i32, f64, orders, orderMask, topDoubles } = v;
  const double = word >> 1;
  const tradeAt = (((market << TOP_SHIFT) & v.topMask) >> 1) + TF_TRADES;
  const trade = (topDoubles[tradeAt] as number) + 1;
  topDoubles[tradeAt] = trade;
  i32[word] = KIND_TRADE | (eventFlags << 16);
  i32[word + 1] = taker;
  f64[double + 1] = v.clock[G_SEQUENCE] as number;
  i32[word + 4] = slot;
  i32[word + 5] = orders[((slot << ORDER_SHIFT) & orderMask) + O_GENERATION] as number;
  i32[word + 6] = maker;
  i32[word + 7] = orders[((maker << ORDER_SHIFT) & orderMask) + O_GENERATION] as number;
  f64[double + 4] = lots;
  f64[double + 5] = trade;
  i32[word + 12] = market;
  i32[word + 13] = price;
  i32[word + 14] = makerAccount;
  i32[word + 15] = 0;
  return trade;
}

/** What a level that was left shows now. */
export function publishDepth(v: FillViews, market: number, sell: number, price: number, lots: number): void {
  const { events, topDoubles, i32, f64 } = v;
  const sequenceAt = (((market << TOP_SHIFT) & v.topMask) >> 1) + TF_SEQUENCE;
  const bookSequence = (topDoubles[sequenceAt] as number) + 1;
  topDoubles[sequenceAt] = bookSequence;
  const word = wordOf(v, events.count);
  const double = word >> 1;
  i32[word] = KIND_DEPTH | (sell << 16);
  i32[word + 1] = 0;
  f64[double + 1] = v.clock[G_SEQUENCE] as number;
  i32[word + 4] = market;
  i32[word + 5] = price;
  f64[double + 3] = lots;
  f64[double + 4] = bookSequence;
  f64[double + 5] = 0;
  f64[double + 6] = 0;
  f64[double + 7] = 0;
  events.count++;
}

/** The average and the last price after a trade, the lists of both orders, and the end of a maker that is done. */
export function finishTrade(
  v: FillViews,
  market: number,
  slot: number,
  accountMarket: number,
  maker: number,
  makerAccountMarket: number,
  price: number,
  lots: number,
  done: number,
): void {
  const { core, markets, orders, tops } = v;
  markets.addTrade(market, price, lots, v.clock[G_NOW] as number);
  const lastAt = ((market << TOP_SHIFT) & v.topMask) + T_LAST;
  const last = tops[lastAt] as number;
  if (last !== price) {
    tops[lastAt] = price;
    if (last === 0) beginValue(core, market);
    observePrice(core, market, SOURCE_LAST);
  }
  const makerAt = (maker << ORDER_SHIFT) & v.orderMask;
  const takerAt = (slot << ORDER_SHIFT) & v.orderMask;
  const extra = orders[makerAt + O_EXTRA] as number;
  if ((extra | (orders[takerAt + O_EXTRA] as number)) !== 0) {
    noteList(core, market, maker, makerAccountMarket, lots, false);
    noteList(core, market, slot, accountMarket, lots, true);
  }
  if (done === 0) return;
  // The maker is filled: out of the open orders, and its slot is free.
  if (extra !== 0) releaseReserve(core, maker, makerAccountMarket);
  leaveOpenOrders(v, (makerAccountMarket << ACCOUNT_MARKET_SHIFT) & v.accountMarketMask, makerAt);
  if (extra !== 0) {
    leaveExtra(core, maker);
    core.books.orders.give(maker);
    return;
  }
  giveSlot(v, makerAt);
}

/** Gives up an order's place among the open orders. */
export function leaveOpenOrders(v: FillViews, accountMarketAt: number, orderAt: number): void {
  const { accountMarkets, openOrders } = v;
  const openPlace = v.orders[orderAt + O_OPEN_PLACE] as number;
  openOrders[((accountMarkets[accountMarketAt + AM_OPEN_ORDERS] as number) << OPEN_ORDERS_SHIFT) + openPlace] =
    0 - (accountMarkets[accountMarketAt + AM_OPEN_HOLE] as number);
  accountMarkets[accountMarketAt + AM_OPEN_HOLE] = openPlace + 1;
  accountMarkets[accountMarketAt + AM_RESTING] = (accountMarkets[accountMarketAt + AM_RESTING] as number) - 1;
}

/** Ends the slot's life of an order that has no extra record. */
export function giveSlot(v: FillViews, orderAt: number): void {
  v.orders[orderAt + O_FLAGS] = 0;
  v.orders[orderAt + O_GENERATION] = (v.orders[orderAt + O_GENERATION] as number) + 1;
}

/** A list hears of what its leg has traded. */
function noteList(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  lots: number,
  isTaker: boolean,
): void {
  const { orders } = core.books;
  const extra = orders.table.i32[(slot << ORDER_SHIFT) | O_EXTRA] as number;
  if (extra !== 0 && getWord(orders.extras.i32, atExtra(extra), X_LIST) !== 0)
    noteListFill(core, market, slot, accountMarket, lots, isTaker);
}

/** Of a leader or a follower: bots are watched too, and have nothing to do with copying. */
const isCopied = (accountFlags: number): boolean =>
  (accountFlags & (ACCOUNT_WATCHED | ACCOUNT_BOT)) === ACCOUNT_WATCHED;

/** What the fill of a watched side is measured against: of bots their quote, of leaders and followers what they hold. */
function beforeSide(core: Core, slot: number, accountMarket: number) {
  const accountFlags = core.accountMarkets.word(accountMarket, AM_FLAGS);
  const isSpot = !core.perps.isPerp(core.accountMarkets.word(accountMarket, AM_MARKET));
  const isBot = (accountFlags & ACCOUNT_BOT) !== 0;
  return {
    slot,
    accountMarket,
    copied: isSpot && isCopied(accountFlags) ? beforeSpotFill(core, accountMarket, slot) : undefined,
    bot: isBot ? { cell: cellOfOrder(core, accountMarket, slot), quote: quoteBefore(core, accountMarket) } : undefined,
  };
}

/** Asked before the ledger moves. */
export function beforeFill(core: Core, slot: number, accountMarket: number, maker: number, makerMarket: number) {
  return { maker: beforeSide(core, maker, makerMarket), taker: beforeSide(core, slot, accountMarket) };
}

/** What leaders and followers trade is published to copy trading, a bot's fills to the bot. */
export function afterFill(
  core: Core,
  { maker, taker }: ReturnType<typeof beforeFill>,
  takerSells: boolean,
  price: number,
  lots: number,
  value: number,
): void {
  if (maker.copied !== undefined) afterSpotFill(core, maker.copied, !takerSells, lots, value);
  if (taker.copied !== undefined) afterSpotFill(core, taker.copied, takerSells, lots, value);
  for (const side of [maker, taker])
    if (side.bot !== undefined)
      noteBotFill(core, side.accountMarket, side.slot, side === taker, price, lots, side.bot.quote, side.bot.cell);
}
