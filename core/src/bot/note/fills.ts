// Owns what a fill means to a bot: its cell takes it by the rule, and a counter order that is due is noted. Places nothing:
// that waits until no match is under way.

import { X_REMAINING } from "@clockwork/kit/exact-cost";
import { fillCell } from "@clockwork/kit/grid/rule";
import { atOrder, FLAG_SELL, O_FLAGS, O_PRICE } from "../../book/orders.ts";
import { AM_BOT, AM_MAKER_RATE, AM_MARKET, AM_QUOTE_CELL, AM_TAKER_RATE } from "../../market/account-markets.ts";
import { MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { feeOn } from "../../perp/margin/cash.ts";
import { symbolMarginOf } from "../../perp/margin/exposure.ts";
import { SM_LONG, SM_SHORT } from "../../perp/state/records.ts";
import { worthCeil, worthExcess, worthFloor } from "../../perp/state/values.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BOT_STATUSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import {
  BO_ACCOUNT,
  BO_FIRST,
  BO_MARKET,
  BO_STATUS,
  BOF_FEES,
  BOF_PAIRS,
  BOF_PROFIT,
  CE_HALF_SECOND,
  CE_LOW,
} from "../state/records.ts";
import { cellAtLine, noteHalf, orderLots, readCell, setOrder, writeCell } from "./view.ts";

const BOT_PAIR_CLOSED = eventPlaces("botPairClosed");

const STOPPING = BOT_STATUSES.indexOf("STOPPING");

/** Quote units of an account market in all, before a fill that is told below. */
export function quoteBefore(core: Core, accountMarket: number): number {
  const cell = core.accountMarkets.word(accountMarket, AM_QUOTE_CELL);
  return core.ledger.available(cell) + core.ledger.frozen(cell);
}

/**
 * The cell an order of a bot belongs to, −1 for none. Asked before the ledger moves: the cell is on its way from memory
 * while the fill is settled.
 */
export function cellOfOrder(core: Core, accountMarket: number, slot: number): number {
  const bot = core.accountMarkets.word(accountMarket, AM_BOT);
  if (bot === 0) return -1;
  const at = atOrder(slot);
  const sells = (getWord(core.books.orderWords, at, O_FLAGS) & FLAG_SELL) !== 0;
  return cellAtLine(core, bot, getWord(core.books.orderWords, at, O_PRICE), sells);
}

/** The ledger has moved. On spot the fee is what the quote moved by beyond the value. */
export function noteBotFill(
  core: Core,
  accountMarket: number,
  slot: number,
  isTaker: boolean,
  ticks: number,
  lots: number,
  beforeUnits: number,
  cell: number,
): void {
  const bot = core.accountMarkets.word(accountMarket, AM_BOT);
  // A rebalancing bot has no cells: only its fees are of interest, and only while it trades.
  if (bot === 0 && !(core.bots.isOutside && isTaker)) return;
  const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
  const sells = (flags & FLAG_SELL) !== 0;
  const market = core.accountMarkets.word(accountMarket, AM_MARKET);
  const isPerp = core.perps.isPerp(market);
  const valueUnits = isPerp
    ? (sells ? worthCeil : worthFloor)(core.perps, market, lots, ticks)
    : ticks * lots * core.markets.double(market, MF_TICK_LOT_UNITS);
  const rate = core.accountMarkets.word(accountMarket, isTaker ? AM_TAKER_RATE : AM_MAKER_RATE);
  const feeUnits = isPerp
    ? perpFee(core, accountMarket, market, ticks, lots, sells, rate)
    : (sells ? valueUnits : 0 - valueUnits) - (quoteBefore(core, accountMarket) - beforeUnits);
  if (core.bots.isOutside && isTaker) core.bots.outsideFees += feeUnits;
  else if (cell >= 0) takeFill(core, bot, cell, sells, { lots, valueUnits, feeUnits });
}

/** A fill that crosses zero ends a position and begins another: each pays its own fee, rounded up. */
function perpFee(
  core: Core,
  accountMarket: number,
  market: number,
  ticks: number,
  lots: number,
  sells: boolean,
  rate: number,
): number {
  const { perps } = core;
  const symbolMargin = symbolMarginOf(core, accountMarket);
  const held =
    perps.lots(perps.symbolMargin(symbolMargin, SM_LONG)) + perps.lots(perps.symbolMargin(symbolMargin, SM_SHORT));
  const opened = Math.min(lots, Math.max(0, sells ? 0 - held : held));
  const feeOf = (part: number): number => {
    if (part === 0) return 0;
    feeOn(core, worthCeil(perps, market, part, ticks), worthExcess(perps, market, part, ticks), rate);
    return perps.exact[X_REMAINING] as number;
  };
  return feeOf(opened) + feeOf(lots - opened);
}

/** The rule's own function on the cell alone: nothing else of the bot is read for a fill. */
function takeFill(
  core: Core,
  bot: number,
  cell: number,
  sells: boolean,
  fill: { readonly lots: number; readonly valueUnits: number; readonly feeUnits: number },
): void {
  const { bots, cells, fresh } = core.bots;
  const record = bots.word(bot, BO_FIRST) + cell;
  const earlierSecond = cells.word(record, CE_HALF_SECOND);
  const filled = fillCell(readCell(core.bots, record), orderLots(core, bot, record), fill);
  writeCell(core.bots, record, filled.cell);
  bots.add(bot, BOF_FEES, fill.feeUnits);
  if (!filled.isWhole) return;
  setOrder(core, record, 0);
  if (filled.isPair) {
    bots.add(bot, BOF_PAIRS, 1);
    bots.add(bot, BOF_PROFIT, filled.profitUnits);
    emitPair(core, bot, cell, sells, filled.profitUnits, earlierSecond);
  } else noteHalf(core, record);
  if (bots.word(bot, BO_STATUS) !== STOPPING) fresh.push(bot, cells.word(record, CE_LOW), 0);
}

function emitPair(
  core: Core,
  bot: number,
  cell: number,
  sells: boolean,
  profitUnits: number,
  earlierSecond: number,
): void {
  const { bots, cells } = core.bots;
  const account = bots.word(bot, BO_ACCOUNT);
  const record = core.events.open(BOT_PAIR_CLOSED.kind, sells ? 1 : 0, 0, account, core.sequence);
  const first = bots.word(bot, BO_FIRST) + cell;
  core.events.setWord(record, BOT_PAIR_CLOSED.bot, bot);
  core.events.setWord(record, BOT_PAIR_CLOSED.market, bots.word(bot, BO_MARKET));
  core.events.setWord(record, BOT_PAIR_CLOSED.lowTicks, cells.word(first, CE_LOW));
  core.events.setWord(record, BOT_PAIR_CLOSED.highTicks, cells.word(first + 1, CE_LOW));
  core.events.setDouble(record, BOT_PAIR_CLOSED.lots, orderLots(core, bot, first));
  core.events.setDouble(record, BOT_PAIR_CLOSED.profitUnits, profitUnits);
  core.events.setDouble(record, BOT_PAIR_CLOSED.totalUnits, bots.double(bot, BOF_PROFIT));
  core.events.setWord(record, BOT_PAIR_CLOSED.pairs, bots.double(bot, BOF_PAIRS));
  core.events.setWord(record, BOT_PAIR_CLOSED.earlierSecond, earlierSecond);
}
