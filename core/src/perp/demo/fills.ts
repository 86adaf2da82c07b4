// Owns the published fill model of demo markets (experience gold). A taker walks a copy of the real book's visible
// depth less what its own symbol margin took in the last minute; a resting order is filled at its price when a real
// trade passes through it, or trades at it after the volume ahead has traded. The other side is always the house, in a
// coin that is not real. Real orders, positions and balances are never touched.

import { atTop, levelLots, R_LOTS, T_ASK, T_BID, T_LAST, TF_TRADES } from "../../book/book.ts";
import {
  atOrder,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GENERATION,
  O_NEXT,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
} from "../../book/orders.ts";
import { AM_ACCOUNT } from "../../market/account-markets.ts";
import { addDouble, getDouble, getWord, setDouble } from "../../memory/record.ts";
import { leaveBook } from "../../order/end/finish.ts";
import { observePrice, SOURCE_LAST } from "../../order/end/prices.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import { type Core, G_NOW } from "../../state/core.ts";
import { aheadOf, clearTakes, noteTake, setAhead, takenAt, unlinkDemo } from "../margin/demo-orders.ts";
import { symbolMarginOf } from "../margin/exposure.ts";
import { fillPosition, RATE_MAKER, RATE_NONE, RATE_TAKER } from "../margin/fill.ts";
import { fillSide, PR_FORCED, PR_FORCED_VALUE } from "../margin/settle.ts";
import { trimTouched } from "../order/trim.ts";
import { CT_DEMO_BUYS, CT_DEMO_SELLS, CT_MIRROR, CT_MIRRORED, CTF_LAST_TRADE, SM_LONG } from "../state/records.ts";

const TRADE = eventPlaces("trade");

/** Three numbers of the tape make a trade: market, price, lots. */
const TAPE_TRADE = 3;

/** Lots of R_LOTS the copy of the real book has for a symbol margin up to a limit. */
export function demoLots(core: Core, market: number, accountMarket: number, sell: number, limit: number): number {
  let lots = 0;
  const wanted = core.books.registers[R_LOTS] as number;
  for (const step of walk(core, market, symbolMarginOf(core, accountMarket), sell, limit, wanted)) lots += step.lots;
  return lots;
}

interface Step {
  readonly price: number;
  readonly lots: number;
}

function walk(core: Core, market: number, symbolMargin: number, sell: number, limit: number, wanted: number): Step[] {
  const { books, perps } = core;
  const real = perps.contract(market, CT_MIRROR);
  const ladder = books.ladder(real);
  const steps: Step[] = [];
  let left = wanted;
  let price = getWord(books.topWords, atTop(real), sell !== 0 ? T_BID : T_ASK);
  while (left > 0 && price !== 0 && (sell !== 0 ? price >= limit : price <= limit)) {
    const lots = Math.min(left, levelLots(books, ladder.levelAt(price)) - takenAt(core, symbolMargin, price));
    if (lots > 0) {
      steps.push({ price, lots });
      left -= lots;
    }
    price = sell !== 0 ? ladder.nextBelow(price) : ladder.nextAbove(price);
  }
  return steps;
}

/** Fills a crossing demo order of R_LOTS as far as the copy goes; returns the lots filled. */
export function takeDemo(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  limit: number,
): number {
  const symbolMargin = symbolMarginOf(core, accountMarket);
  clearTakes(core, symbolMargin);
  const wanted = core.books.registers[R_LOTS] as number;
  const steps = walk(core, market, symbolMargin, flags & FLAG_SELL, limit, wanted);
  let left = wanted;
  for (const { price, lots } of steps) {
    left -= lots;
    noteTake(core, symbolMargin, price, lots);
    settleDemo(core, market, slot, accountMarket, price, lots, true, left === 0);
  }
  return wanted - left;
}

/** One demo trade against the house. */
function settleDemo(
  core: Core,
  market: number,
  slot: number,
  accountMarket: number,
  price: number,
  lots: number,
  takes: boolean,
  done: boolean,
): void {
  const { books, perps } = core;
  const orders = books.orderWords;
  const flags = getWord(orders, atOrder(slot), O_FLAGS);
  const sells = (flags & FLAG_SELL) !== 0;
  const tradeNumber = getDouble(books.topDoubles, atTop(market), TF_TRADES) + 1;
  setDouble(books.topDoubles, atTop(market), TF_TRADES, tradeNumber);
  const account = core.accountMarkets.word(accountMarket, AM_ACCOUNT);
  const takerSells = sells === takes ? FLAG_SELL : 0;
  const ends = done ? (takes ? 4 : 2) : 0;
  const taker = takes ? account : INSURANCE_ACCOUNT;
  const record = core.events.openClean(TRADE.kind, 0, takerSells | ends, taker, core.sequence);
  const generation = getWord(orders, atOrder(slot), O_GENERATION);
  core.events.setId(record, takes ? TRADE.takerOrderId : TRADE.makerOrderId, slot, generation);
  core.events.setDouble(record, TRADE.lots, lots);
  core.events.setDouble(record, TRADE.tradeNumber, tradeNumber);
  core.events.setWord(record, TRADE.market, market);
  core.events.setWord(record, TRADE.price, price);
  core.events.setWord(record, TRADE.makerAccount, takes ? INSURANCE_ACCOUNT : account);
  const forced = takes && perps.registers[PR_FORCED] !== 0;
  const rate = forced ? RATE_NONE : takes ? RATE_TAKER : RATE_MAKER;
  const value = fillSide(
    core.views,
    market,
    slot,
    accountMarket,
    flags,
    sells ? 0 - lots : lots,
    price,
    rate,
    tradeNumber,
  );
  if (forced) perps.registers[PR_FORCED_VALUE] = (perps.registers[PR_FORCED_VALUE] as number) + value;
  const house = perps.symbolMargin(symbolMarginOf(core, core.accountMarketOf(INSURANCE_ACCOUNT, market)), SM_LONG);
  fillPosition(core.views, house, sells ? lots : 0 - lots, price, RATE_NONE, tradeNumber);
  perps.setContractDouble(market, CTF_LAST_TRADE, core.clock[G_NOW] as number);
}

/** Shows every real trade of the command to the demo orders that follow its market. */
export function playRealTrades(core: Core): void {
  const { realTrades } = core.perps;
  for (let at = 0; at < realTrades.length; at += TAPE_TRADE) {
    const market = core.perps.contract(realTrades[at] as number, CT_MIRRORED);
    const price = realTrades[at + 1] as number;
    const last = atTop(market) | T_LAST;
    if (core.books.topWords[last] !== price) {
      core.books.topWords[last] = price;
      observePrice(core, market, SOURCE_LAST);
    }
    for (const sell of [0, FLAG_SELL]) passBy(core, market, sell, price, realTrades[at + 2] as number);
  }
  realTrades.length = 0;
}

/** A real trade of lots at a price passes the resting demo orders of one side, best price first. */
function passBy(core: Core, market: number, sell: number, price: number, lots: number): void {
  const { books, perps } = core;
  const orders = books.orderWords;
  const reached: number[] = [];
  let slot = perps.contract(market, sell !== 0 ? CT_DEMO_SELLS : CT_DEMO_BUYS);
  while (slot !== 0) {
    const own = getWord(orders, atOrder(slot), O_PRICE);
    if (sell !== 0 ? own > price : own < price) break;
    reached.push(books.orders.id(slot));
    slot = getWord(orders, atOrder(slot), O_NEXT);
  }
  for (const id of reached) {
    const met = id % ORDER_SLOT_COUNT;
    // An earlier fill may have shrunk the position this one reduces, and ended it.
    if (books.orders.id(met) === id) meet(core, market, met, price, lots);
    if (perps.touched.length !== 0) trimTouched(core);
  }
}

function meet(core: Core, market: number, slot: number, price: number, lots: number): void {
  const own = getWord(core.books.orderWords, atOrder(slot), O_PRICE);
  const open = getDouble(core.books.orderDoubles, atOrder(slot), OF_LOTS);
  const ahead = own === price ? aheadOf(core, slot) - lots : 0 - open;
  if (own === price) setAhead(core, slot, Math.max(0, ahead));
  if (ahead < 0) fillResting(core, market, slot, own, Math.min(open, 0 - ahead));
}

function fillResting(core: Core, market: number, slot: number, price: number, lots: number): void {
  const { books } = core;
  const accountMarket = getWord(books.orderWords, atOrder(slot), O_ACCOUNT_MARKET);
  const at = atOrder(slot);
  const left = getDouble(books.orderDoubles, at, OF_LOTS) - lots;
  setDouble(books.orderDoubles, at, OF_LOTS, left);
  addDouble(books.orderDoubles, at, OF_FILLED, lots);
  settleDemo(core, market, slot, accountMarket, price, lots, false, left === 0);
  if (left > 0) return;
  unlinkDemo(core, slot);
  leaveBook(core, slot, accountMarket);
}
