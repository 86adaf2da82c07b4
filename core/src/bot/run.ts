// Owns a running bot: what happens is put to the rule of kit/grid, and what the rule wants is done. Every follow-up of a
// bot ends here.
import { trailBuys } from "@clockwork/kit/grid/follow";
import {
  type GridEvent,
  type GridIntent,
  type GridState,
  isUnseen,
  nextChecks,
  stepGrid,
} from "@clockwork/kit/grid/rule";
import { AM_BASE_CELL, AM_QUOTE_CELL, AM_TAKER_RATE } from "../market/account-markets.ts";
import { MF_TICK_LOT_UNITS } from "../market/markets.ts";
import { BOT_STATUSES } from "../protocol/names.ts";
import { feeCeil } from "../spot/settle.ts";
import { type Core, DEADLINE_BOT } from "../state/core.ts";
import { emitBot } from "./emit.ts";
import { unwatchBot, watchBot } from "./note/heap.ts";
import { isMissing, stateOf, termsOf, writeMoved, writeState } from "./note/view.ts";
import { lastSeen } from "./price/seen.ts";
import { planFound } from "./replan.ts";
import {
  AGAIN,
  BO_ACCOUNT,
  BO_ACCOUNT_MARKET,
  BO_CELLS,
  BO_DEADLINE,
  BO_FIRST,
  BO_MARKET,
  BO_RETRY,
  BO_SOURCE,
  BO_STATUS,
  BOF_DEADLINE_AT,
  BOF_ENDS,
  BOF_FEES,
  BOF_RETRY_AT,
  CE_LOW,
  LOOK,
  LOOK_CLOCK,
  LOOK_DELISTED,
  LOOK_LIQUIDATED,
} from "./state/records.ts";
import { countBots, moveAllBack } from "./trading/funds.ts";
import { cancelCells, closeHeld, holdsPosition, placeCell, takeWhole } from "./trading/trade.ts";

/** A position the book could not take is tried again, and an order it did not take: that one later and later. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 64_000;

const CLOSED = BOT_STATUSES.indexOf("CLOSED");

/** A follow-up: a cell's order, or a look at the price, the clock, the end of a liquidation. */
export function runBot(core: Core, bot: number, subject: number, value: number): void {
  if (subject !== LOOK) {
    if (!placeCell(core, bot, subject, value === AGAIN)) retryLater(core, bot);
    return;
  }
  const last = lastSeen(core, core.bots.bots.word(bot, BO_MARKET));
  if (value === LOOK_LIQUIDATED) step(core, bot, { kind: "stop", sells: true, reason: "LIQUIDATED" });
  // Nobody trades there any more: coins go back as they are.
  else if (value === LOOK_DELISTED) step(core, bot, { kind: "stop", sells: false, reason: "DELISTED" });
  else {
    step(core, bot, { kind: "price", ticks: value === LOOK_CLOCK ? last : value, time: core.now });
    // The price may have gone on while the bot waited for its turn.
    if (value !== LOOK_CLOCK && value !== last) step(core, bot, { kind: "price", ticks: last, time: core.now });
  }
  watch(core, bot);
}

/** What its terms and state make it wait for. */
export function watch(core: Core, bot: number): void {
  const { bots } = core.bots;
  const last = lastSeen(core, bots.word(bot, BO_MARKET));
  if (isUnseen(stateOf(core, bot), last)) step(core, bot, { kind: "price", ticks: last, time: core.now });
  const state = stateOf(core, bot);
  if (state.status === "CLOSED") return;
  const { above, below } = nextChecks(termsOf(core, bot), state, last);
  watchBot(core, bot, Number.isFinite(above) ? above : 0, below);
  setDeadline(core, bot, state.status === "STOPPING" ? core.now + RETRY_MS : nextClock(core, bot));
}

/** The earlier of its end and of sending again what is missing; 0 for neither. */
function nextClock({ bots: { bots } }: Core, bot: number): number {
  const endsAt = bots.double(bot, BOF_ENDS);
  const retryAt = bots.double(bot, BOF_RETRY_AT);
  return endsAt === 0 || retryAt === 0 ? Math.max(endsAt, retryAt) : Math.min(endsAt, retryAt);
}

/** A cell was left without its order. */
function retryLater(core: Core, bot: number): void {
  const { bots } = core.bots;
  if (bots.double(bot, BOF_RETRY_AT) !== 0) return;
  const delayMs = Math.max(RETRY_MS, bots.word(bot, BO_RETRY));
  bots.setWord(bot, BO_RETRY, Math.min(RETRY_MAX_MS, delayMs * 2));
  bots.setDouble(bot, BOF_RETRY_AT, core.now + delayMs);
  setDeadline(core, bot, nextClock(core, bot));
}

/** Sends what is missing again when its time has come. */
function retryMissing(core: Core, bot: number): void {
  const { bots, cells, fresh } = core.bots;
  const retryAt = bots.double(bot, BOF_RETRY_AT);
  if (retryAt === 0 || retryAt > core.now) return;
  bots.setDouble(bot, BOF_RETRY_AT, 0);
  const first = bots.word(bot, BO_FIRST);
  let count = 0;
  for (let cell = 0; cell < bots.word(bot, BO_CELLS); cell++) {
    if (!isMissing(core, first + cell)) continue;
    fresh.push(bot, cells.word(first + cell, CE_LOW), AGAIN);
    count++;
  }
  if (count === 0) bots.setWord(bot, BO_RETRY, 0);
}

function setDeadline(core: Core, bot: number, time: number): void {
  const { bots } = core.bots;
  if (bots.double(bot, BOF_DEADLINE_AT) === time && bots.word(bot, BO_DEADLINE) !== 0) return;
  core.deadlines.remove(bots.word(bot, BO_DEADLINE));
  bots.setDouble(bot, BOF_DEADLINE_AT, time);
  if (time !== 0) core.deadlines.add(DEADLINE_BOT, bot, time);
}

/** The bot's time has come: its end, or another try to close its position. */
export function wakeByClock(core: Core, bot: number): void {
  const { bots, fresh } = core.bots;
  core.deadlines.remove(bots.word(bot, BO_DEADLINE));
  bots.setDouble(bot, BOF_DEADLINE_AT, 0);
  if (stateOf(core, bot).status !== "STOPPING") {
    retryMissing(core, bot);
    fresh.push(bot, LOOK, LOOK_CLOCK);
    return;
  }
  bots.add(bot, BOF_FEES, closeHeld(core, bot));
  finish(core, bot);
}

export function step(core: Core, bot: number, event: GridEvent): void {
  const before = stateOf(core, bot);
  const { state, intents } = stepGrid(termsOf(core, bot), before, event);
  if (event.kind === "trailed" && event.isFilled)
    writeMoved(core, bot, state, event.isUp ? event.lines.length : 0 - event.lines.length);
  writeState(core, bot, state);
  if (state.status !== before.status) emitStatus(core, bot, before, state);
  for (const intent of intents) carryOut(core, bot, intent);
  if (state.status === "STOPPING" && before.status !== "STOPPING") finish(core, bot);
}

function emitStatus(core: Core, bot: number, before: GridState, { status }: GridState): void {
  const last = lastSeen(core, core.bots.bots.word(bot, BO_MARKET));
  if (status === "CLOSED") return;
  if (status === "STOPPING") emitBot(core, bot, "stopping", last);
  else if (status === "INITIALISING") emitBot(core, bot, "starting", last);
  else if (before.status === "OUT_OF_RANGE" || status === "OUT_OF_RANGE") emitBot(core, bot, "range", last);
  else emitBot(core, bot, "started", last);
}

function carryOut(core: Core, bot: number, intent: GridIntent): void {
  const { bots, cells, fresh } = core.bots;
  switch (intent.kind) {
    case "plan": {
      // Prints may have gone on beyond the one it was woken by: it begins where the price is now.
      const last = lastSeen(core, bots.word(bot, BO_MARKET));
      planFound(core, bot, last);
      step(core, bot, { kind: "found", ticks: last });
      return;
    }
    case "place":
      fresh.push(bot, cells.word(bots.word(bot, BO_FIRST) + intent.cell, CE_LOW), 0);
      return;
    case "market": {
      const fee = takeWhole(core, bot, intent.side === "buy", intent.lots);
      step(core, bot, { kind: "started", filledLots: fee < 0 ? 0 : intent.lots, feeUnits: Math.max(0, fee) });
      return;
    }
    case "trail":
      trail(core, bot, intent);
      return;
    case "cancelAll":
      cancelCells(core, bot, 0, bots.word(bot, BO_CELLS));
      return;
    case "closeHeld":
      bots.add(bot, BOF_FEES, closeHeld(core, bot));
      return;
    case "returnFunds":
      returnFunds(core, bot);
      return;
  }
}

function trail(
  core: Core,
  bot: number,
  { isUp, lines, ticks, lots }: Extract<GridIntent, { readonly kind: "trail" }>,
): void {
  const { bots } = core.bots;
  const count = bots.word(bot, BO_CELLS);
  cancelCells(core, bot, isUp ? 0 : count - lines.length, isUp ? lines.length : count);
  const fee = lots === 0 ? 0 : canTrail(core, bot, isUp, lines) ? takeWhole(core, bot, lots > 0, Math.abs(lots)) : -1;
  step(core, bot, { kind: "trailed", isUp, ticks, lines, isFilled: fee >= 0, feeUnits: Math.max(0, fee) });
  emitBot(core, bot, fee >= 0 ? "trailed" : "trailOver", lastSeen(core, bots.word(bot, BO_MARKET)));
}

/** Whether there is money for the market order and for the buys of the cells that come with it. */
function canTrail(core: Core, bot: number, isUp: boolean, lines: readonly number[]): boolean {
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  const terms = termsOf(core, bot);
  // An infinity grid has all the coins it sells on its way up.
  if (!isUp || core.perps.isPerp(market) || terms.kind === "infinity") return true;
  const accountMarket = bots.word(bot, BO_ACCOUNT_MARKET);
  const rate = core.accountMarkets.word(accountMarket, AM_TAKER_RATE);
  const unit = core.markets.double(market, MF_TICK_LOT_UNITS);
  let needed = 0;
  for (const ticks of [lastSeen(core, market), ...trailBuys(terms, stateOf(core, bot), isUp, lines)]) {
    const valueUnits = ticks * terms.lots * unit;
    needed += valueUnits + feeCeil(valueUnits, rate);
  }
  return needed <= core.ledger.available(core.accountMarkets.word(accountMarket, AM_QUOTE_CELL));
}

/** The market is no more: every bot in it ends when it is its turn. */
export function noteDelisted(core: Core, market: number): void {
  const { bots, fresh } = core.bots;
  for (let bot = 1; bot < bots.table.count; bot++)
    if (bots.word(bot, BO_MARKET) === market && bots.word(bot, BO_STATUS) !== CLOSED)
      fresh.push(bot, LOOK, LOOK_DELISTED);
}

/** Nothing rests and nothing is held: the money goes back. A position that is left is tried again by the clock. */
function finish(core: Core, bot: number): void {
  if (holdsPosition(core, bot)) watch(core, bot);
  else step(core, bot, { kind: "closed" });
}

function returnFunds(core: Core, bot: number): void {
  const { bots } = core.bots;
  const accountMarket = bots.word(bot, BO_ACCOUNT_MARKET);
  for (const word of [AM_QUOTE_CELL, AM_BASE_CELL]) {
    const cell = core.accountMarkets.word(accountMarket, word);
    if (cell === 0) continue;
    moveAllBack(core, bots.word(bot, BO_ACCOUNT), bots.word(bot, BO_SOURCE), core.ledger.cellAsset(cell));
  }
  unwatchBot(core, bot);
  core.deadlines.remove(bots.word(bot, BO_DEADLINE));
  emitBot(core, bot, "closed", lastSeen(core, bots.word(bot, BO_MARKET)));
  core.bots.giveRun(bots.word(bot, BO_FIRST), bots.word(bot, BO_CELLS));
  bots.setWord(bot, BO_FIRST, 0);
  bots.setWord(bot, BO_CELLS, 0);
  countBots(core, bots.word(bot, BO_ACCOUNT), -1);
}
