// Owns the orders a bot sends: a cell's order, an order at the market that is whole or not at all, withdrawing, closing what
// is held. Decides nothing about when.

import { orderTicks } from "@clockwork/kit/grid/rule";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { atTop, R_LOTS, T_ASK, T_BID } from "../../book/book.ts";
import { FLAG_SELL, TIF_FOK, TIF_IOC, TIF_SHIFT } from "../../book/orders.ts";
import { ask } from "../../copy/input.ts";
import { AM_BASE_CELL } from "../../market/account-markets.ts";
import { M_BUY_MAX, M_SELL_MIN, MF_MAX_MARKET_LOTS, MF_STEP_UNITS } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { endAll } from "../../order/end/cancel-all.ts";
import { R_EXPIRES, R_VISIBLE } from "../../order/entry/checks.ts";
import { submitOrder } from "../../order/entry/place.ts";
import { closeAll } from "../../perp/account/closing.ts";
import { symbolMarginOf } from "../../perp/margin/exposure.ts";
import { openPositions } from "../../perp/margin/named.ts";
import { trimTouched } from "../../perp/order/trim.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { BOT_STATUSES, END_REASONS } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { fairBound } from "../../value/bound.ts";
import { cellAtLine, orderLots, orderSlot, readCell, setMissing, setOrder } from "../note/view.ts";
import { END_BPS, takeLimit } from "../price/seen.ts";
import { BO_ACCOUNT, BO_ACCOUNT_MARKET, BO_FIRST, BO_MARKET, BO_STATUS, CE_LOW } from "../state/records.ts";

const CLOSE_ALL = commandPlaces("closeAll");

const REASON_ALL = END_REASONS.indexOf("CANCEL_ALL");
const RUNNING = BOT_STATUSES.indexOf("RUNNING");
const OUT_OF_RANGE = BOT_STATUSES.indexOf("OUT_OF_RANGE");
/** How far from the best price start and trail may trade: what is kept back pays for it. */
const SLIPPAGE_BPS = 50;
/** A book too thin to take all at once is asked so many times. */
const CLOSES_MAX = 8;

/** An order in a bot's book, which takes orders of nobody else. */
export function submitIn(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  ticks: number,
  lots: number,
  slippageBps = 0,
): number {
  const { registers } = core.books;
  registers[R_LOTS] = lots;
  registers[R_EXPIRES] = 0;
  registers[R_VISIBLE] = 0;
  core.checkLimit[0] = 0;
  core.bots.isPlacing = true;
  const code = submitOrder(core, accountMarket, market, flags, ticks, slippageBps);
  core.bots.isPlacing = false;
  return code;
}

function submit(core: Core, bot: number, flags: number, ticks: number, lots: number): number {
  const { bots } = core.bots;
  return submitIn(core, bots.word(bot, BO_ACCOUNT_MARKET), bots.word(bot, BO_MARKET), flags, ticks, lots);
}

function publish(core: Core, account: number, market: number, code: number): void {
  core.emitRejected(code, account, market, 0, core.checkLimit[0] as number);
  core.checkLimit[0] = 0;
}

/**
 * Places what the cell above a line wants, unless it has it already. A refusal is told unless it was told before; false when the
 * cell is left without its order.
 */
export function placeCell(core: Core, bot: number, lowTicks: number, isAgain: boolean): boolean {
  const cell = cellAtLine(core, bot, lowTicks, false);
  if (cell < 0) return true;
  const { bots, cells } = core.bots;
  const status = bots.word(bot, BO_STATUS);
  if (status !== RUNNING && status !== OUT_OF_RANGE) return true;
  const record = bots.word(bot, BO_FIRST) + cell;
  if (orderSlot(core, record) !== 0) return true;
  const wanted = readCell(core.bots, record);
  const ticks = orderTicks(wanted, cells.word(record, CE_LOW), cells.word(record + 1, CE_LOW));
  const lots = orderLots(core, bot, record) - wanted.filledLots;
  const code = submit(core, bot, wanted.side === "sell" ? FLAG_SELL : 0, ticks, lots);
  if (code === 0 && core.placedSlot !== 0) {
    setOrder(core, record, core.placedSlot);
    return true;
  }
  if (code !== 0 && !isAgain) publish(core, bots.word(bot, BO_ACCOUNT), bots.word(bot, BO_MARKET), code);
  // Filled whole at once it has turned; else it ended where it would have met an order of the same owner.
  if (code === 0 && readCell(core.bots, record).side !== wanted.side) return true;
  setMissing(core, record);
  return false;
}

/** Trades at the market outside of the cells, whole or not at all; the fee, or −1 when nothing was traded. */
export function takeWhole(core: Core, bot: number, buys: boolean, lots: number): number {
  const market = core.bots.bots.word(bot, BO_MARKET);
  const best = getWord(core.books.topWords, atTop(market), buys ? T_ASK : T_BID);
  if (best === 0) return -1;
  core.markets.refreshBand(market, core.now);
  const bound = core.markets.word(market, buys ? M_BUY_MAX : M_SELL_MIN);
  const far = takeLimit(core, market, best, !buys, SLIPPAGE_BPS);
  const limit = buys ? Math.min(far, bound === 0 ? PRICE_TICKS_MAX : bound) : Math.max(far, bound);
  core.bots.isOutside = true;
  core.bots.outsideFees = 0;
  const code = submit(core, bot, (buys ? 0 : FLAG_SELL) | (TIF_FOK << TIF_SHIFT), limit, lots);
  core.bots.isOutside = false;
  if (code !== 0) publish(core, core.bots.bots.word(bot, BO_ACCOUNT), market, code);
  return code !== 0 || core.placed[1] !== lots ? -1 : core.bots.outsideFees;
}

/** Withdraws the orders of cells from one to before another. */
export function cancelCells(core: Core, bot: number, from: number, to: number): void {
  const first = core.bots.bots.word(bot, BO_FIRST);
  const slots: number[] = [];
  for (let cell = from; cell < to; cell++) {
    const slot = orderSlot(core, first + cell);
    if (slot !== 0) slots.push(slot);
    setOrder(core, first + cell, 0);
  }
  endAll(core, slots, REASON_ALL);
}

/** Sells all coins, or closes the position, as far as the book goes; returns the fees. */
export function closeHeld(core: Core, bot: number): number {
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  core.bots.isOutside = true;
  core.bots.outsideFees = 0;
  if (core.perps.isPerp(market)) {
    core.bots.isPlacing = true;
    ask(core, bots.word(bot, BO_ACCOUNT), closeAll, new Map([[CLOSE_ALL.market, market]]));
    core.bots.isPlacing = false;
    if (core.perps.touched.length !== 0) trimTouched(core);
  } else sellAll(core, bots.word(bot, BO_ACCOUNT_MARKET), market);
  core.bots.isOutside = false;
  return core.bots.outsideFees;
}

/** Sells all coins of a market as far as the book goes within reach of the fair price. */
export function sellAll(core: Core, accountMarket: number, market: number): void {
  const cell = core.accountMarkets.word(accountMarket, AM_BASE_CELL);
  const most = core.markets.double(market, MF_MAX_MARKET_LOTS);
  core.markets.refreshBand(market, core.now);
  const limit = Math.max(fairBound(core, market, true, END_BPS), core.markets.word(market, M_SELL_MIN));
  for (let i = 0; i < CLOSES_MAX; i++) {
    const there = Math.floor(core.ledger.available(cell) / core.markets.double(market, MF_STEP_UNITS));
    const lots = Math.min(there, most);
    if (lots === 0) return;
    const code = submitIn(core, accountMarket, market, FLAG_SELL | (TIF_IOC << TIF_SHIFT), limit, lots);
    if (code !== 0) publish(core, core.ledger.cellAccount(cell), market, code);
    if (code !== 0 || core.placed[1] === 0) return;
  }
}

/** Whether a futures bot still has a position. */
export function holdsPosition(core: Core, bot: number): boolean {
  const { bots } = core.bots;
  if (!core.perps.isPerp(bots.word(bot, BO_MARKET))) return false;
  const symbolMargin = symbolMarginOf(core, bots.word(bot, BO_ACCOUNT_MARKET));
  return symbolMargin !== 0 && openPositions(core, symbolMargin).length !== 0;
}
