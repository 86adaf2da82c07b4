// Owns what every fill does, whatever it trades: the trade itself, the average and the last price, depth, and the end of
// a maker.
import { atTop, T_LAST, TF_TRADES } from "../../book/book.ts";
import { atExtra, atOrder, O_EXTRA, O_GENERATION, X_LIST } from "../../book/orders.ts";
import { cellOfOrder, noteBotFill, quoteBefore } from "../../bot/note/fills.ts";
import { afterSpotFill, beforeSpotFill } from "../../copy/share/spot-fills.ts";
import { ACCOUNT_BOT, ACCOUNT_WATCHED } from "../../ledger/ledger.ts";
import { AM_FLAGS, AM_MARKET, atAccountMarket } from "../../market/account-markets.ts";
import { getDouble, getWord, setDouble, setWord } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { EVENT_WORDS } from "../../protocol/event-log.ts";
import type { Core } from "../../state/core.ts";
import { type Views, writeHead, writeId } from "../../state/views.ts";
import { beginValue } from "../../value/value.ts";
import { giveSlot, leaveOpenOrders, releaseReserve } from "../end/finish.ts";
import { noteListFill } from "../end/list-fills.ts";
import { observePrice, SOURCE_LAST } from "../end/prices.ts";

const TRADE = eventPlaces("trade");

/** The trade's own record, in the place of the next; the caller moves the log on. Returns the trade's number. */
export function writeTrade(
  v: Views,
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
  const { i32, f64, orderWords: orders, orderMask, topDoubles } = v;
  const topAt = atTop(market) & v.topMask;
  const trade = getDouble(topDoubles, topAt, TF_TRADES) + 1;
  setDouble(topDoubles, topAt, TF_TRADES, trade);
  writeHead(v, word, TRADE.kind | (eventFlags << 16), taker);
  writeId(v, word, TRADE.takerOrderId, slot, getWord(orders, atOrder(slot) & orderMask, O_GENERATION));
  writeId(v, word, TRADE.makerOrderId, maker, getWord(orders, atOrder(maker) & orderMask, O_GENERATION));
  setDouble(f64, word, TRADE.lots, lots);
  setDouble(f64, word, TRADE.tradeNumber, trade);
  setWord(i32, word, TRADE.market, market);
  setWord(i32, word, TRADE.price, price);
  setWord(i32, word, TRADE.makerAccount, makerAccount);
  i32[word + EVENT_WORDS - 1] = 0;
  return trade;
}

/** The average and the last price after a trade, the lists of both orders, and the end of a maker that is done. */
export function finishTrade(
  v: Views,
  market: number,
  slot: number,
  accountMarket: number,
  maker: number,
  makerAccountMarket: number,
  price: number,
  lots: number,
  done: number,
): void {
  const { core, markets, orderWords: orders, topWords: tops } = v;
  markets.addTrade(market, price, lots, core.now);
  const topAt = atTop(market) & v.topMask;
  const last = getWord(tops, topAt, T_LAST);
  if (last !== price) {
    setWord(tops, topAt, T_LAST, price);
    if (last === 0) beginValue(core, market);
    observePrice(core, market, SOURCE_LAST);
  }
  const makerAt = atOrder(maker) & v.orderMask;
  const extra = getWord(orders, makerAt, O_EXTRA);
  if ((extra | getWord(orders, atOrder(slot) & v.orderMask, O_EXTRA)) !== 0) {
    noteList(core, market, maker, makerAccountMarket, lots, false);
    noteList(core, market, slot, accountMarket, lots, true);
  }
  if (done === 0) return;
  // The maker is filled: out of the open orders, and its slot is free.
  if (extra !== 0) releaseReserve(core, maker, makerAccountMarket);
  leaveOpenOrders(v, atAccountMarket(makerAccountMarket) & v.accountMarketMask, makerAt);
  giveSlot(v, maker, makerAt);
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
  const extra = getWord(orders.table.i32, atOrder(slot), O_EXTRA);
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
