// Owns a running rebalancing bot: when it is looked at, the orders that bring it back to its weights, and its end. What is
// due and how much is traded is decided by kit/grid/rebalance.

import {
  affordableLots,
  type BasketCoin,
  REBALANCE_SLIPPAGE_BPS,
  type RebalanceCause,
  rebalanceCause,
  rebalanceLots,
} from "@clockwork/kit/grid/rebalance";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { atTop, T_ASK, T_BID } from "../../book/book.ts";
import { FLAG_SELL, TIF_IOC, TIF_SHIFT } from "../../book/orders.ts";
import { AM_TAKER_RATE } from "../../market/account-markets.ts";
import {
  M_BASE,
  M_BUY_MAX,
  M_SELL_MIN,
  M_STATUS,
  MF_MAX_MARKET_LOTS,
  MF_TICK_LOT_UNITS,
  STATUS_DELISTED,
} from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { type Core, DEADLINE_REBALANCER } from "../../state/core.ts";
import { takeLimit } from "../price/seen.ts";
import {
  RE_ACCOUNT,
  RE_DEADLINE,
  RE_HAS_FAILED,
  RE_IS_CLOSED,
  RE_QUOTE,
  RE_ROUNDS,
  RE_SOURCE,
  REBALANCE,
  REF_DEADLINE_AT,
  REF_FEES,
  REF_INTERVAL,
  REF_NEXT_AT,
} from "../state/rebalancers.ts";
import { countBots, moveAllBack } from "../trading/funds.ts";
import { sellAll, submitIn } from "../trading/trade.ts";
import { emitRebalancer } from "./emit.ts";
import { basketOf, marketsOf, ruleOf } from "./view.ts";

/** A threshold is looked at so often, not at every trade: one print does not trade a whole basket. */
const POLL_MS = 10_000;

/** The bot's time has come; it is looked at when it is its turn among the follow-ups. */
export function wakeRebalancer(core: Core, rebalancer: number): void {
  setDeadline(core, rebalancer, 0);
  core.bots.fresh.push(rebalancer, REBALANCE, 0);
}

/** A follow-up. It may have been stopped while it waited. */
export function runRebalancer(core: Core, rebalancer: number): void {
  if (core.bots.rebalancers.word(rebalancer, RE_IS_CLOSED) !== 0) return;
  if (marketsOf(core, rebalancer).some((market) => isDelisted(core, market))) {
    stopRebalancer(core, rebalancer, false, "delisted");
    return;
  }
  const cause = rebalanceCause(ruleOf(core, rebalancer), basketOf(core, rebalancer), core.now);
  if (cause !== undefined) rebalance(core, rebalancer, cause);
  waitOn(core, rebalancer);
}

function isDelisted({ markets }: Core, market: number): boolean {
  return markets.word(market, M_STATUS) === STATUS_DELISTED;
}

/** A market is no more: every basket with its coin ends when it is its turn. */
export function noteDelistedBaskets(core: Core, market: number): void {
  const { rebalancers, fresh } = core.bots;
  for (let rebalancer = 1; rebalancer < rebalancers.table.count; rebalancer++)
    if (rebalancers.word(rebalancer, RE_IS_CLOSED) === 0 && marketsOf(core, rebalancer).includes(market))
      fresh.push(rebalancer, REBALANCE, 0);
}

/** An interval counts from when it was kept: one that is late is not made up for. */
export function rebalance(core: Core, rebalancer: number, cause: RebalanceCause): void {
  const { rebalancers } = core.bots;
  if (cause !== "threshold")
    rebalancers.setDouble(rebalancer, REF_NEXT_AT, core.now + rebalancers.double(rebalancer, REF_INTERVAL));
  const wanted = rebalanceLots(basketOf(core, rebalancer));
  const traded = tradeLots(core, rebalancer, wanted);
  if (traded.every((lots) => lots === 0)) {
    if (wanted.some((lots) => lots !== 0)) noteFailure(core, rebalancer, cause);
    return;
  }
  rebalancers.setWord(rebalancer, RE_HAS_FAILED, 0);
  rebalancers.setWord(rebalancer, RE_ROUNDS, rebalancers.word(rebalancer, RE_ROUNDS) + 1);
  emitRebalancer(core, rebalancer, "rebalanced", cause, traded);
}

/** Told once until it trades again: a threshold is tried every few seconds. */
function noteFailure(core: Core, rebalancer: number, cause: RebalanceCause): void {
  const { rebalancers } = core.bots;
  if (rebalancers.word(rebalancer, RE_HAS_FAILED) !== 0) return;
  rebalancers.setWord(rebalancer, RE_HAS_FAILED, 1);
  emitRebalancer(core, rebalancer, "failed", cause);
}

export function waitOn(core: Core, rebalancer: number): void {
  const { thresholdBps, intervalMs, nextAt } = ruleOf(core, rebalancer);
  const looksAt = thresholdBps === 0 ? Number.POSITIVE_INFINITY : core.now + POLL_MS;
  setDeadline(core, rebalancer, Math.min(looksAt, intervalMs === 0 ? Number.POSITIVE_INFINITY : nextAt));
}

function setDeadline(core: Core, rebalancer: number, time: number): void {
  const { rebalancers } = core.bots;
  core.deadlines.remove(rebalancers.word(rebalancer, RE_DEADLINE));
  rebalancers.setDouble(rebalancer, REF_DEADLINE_AT, time);
  if (time !== 0) core.deadlines.add(DEADLINE_REBALANCER, rebalancer, time);
}

/** Sells first, so that their quote pays for the buys. What was traded of each coin, negative when sold. */
function tradeLots(core: Core, rebalancer: number, wanted: readonly number[]): readonly number[] {
  const markets = marketsOf(core, rebalancer);
  const traded = markets.map(() => 0);
  core.bots.isOutside = true;
  core.bots.outsideFees = 0;
  for (const sells of [true, false])
    for (const [i, market] of markets.entries()) {
      const lots = wanted[i] as number;
      if (lots === 0 || lots < 0 !== sells) continue;
      const filled = tradeLeg(core, rebalancer, market, sells, Math.abs(lots));
      traded[i] = sells ? 0 - filled : filled;
    }
  core.bots.isOutside = false;
  core.bots.rebalancers.add(rebalancer, REF_FEES, core.bots.outsideFees);
  return traded;
}

/** One order that takes at once; a leg that a check refuses is left out. Returns the lots filled. */
function tradeLeg(core: Core, rebalancer: number, market: number, sells: boolean, wanted: number): number {
  const accountMarket = core.accountMarketOf(core.bots.rebalancers.word(rebalancer, RE_ACCOUNT), market);
  const most = Math.min(wanted, core.markets.double(market, MF_MAX_MARKET_LOTS));
  const limit = legLimit(core, market, sells);
  if (limit === 0) return 0;
  const lots = sells ? most : Math.min(most, payableLots(core, rebalancer, limit, market, accountMarket));
  if (lots === 0) return 0;
  const flags = (sells ? FLAG_SELL : 0) | (TIF_IOC << TIF_SHIFT);
  const code = submitIn(core, accountMarket, market, flags, limit, lots);
  return code === 0 ? (core.placed[1] as number) : 0;
}

/** The worst price a leg may have, 0 while nobody is on the other side. */
function legLimit(core: Core, market: number, sells: boolean): number {
  const best = getWord(core.books.topWords, atTop(market), sells ? T_BID : T_ASK);
  if (best === 0) return 0;
  core.markets.refreshBand(market, core.now);
  const limit = takeLimit(core, market, best, sells, REBALANCE_SLIPPAGE_BPS);
  const bound = core.markets.word(market, sells ? M_SELL_MIN : M_BUY_MAX);
  return sells ? Math.max(limit, bound) : Math.min(limit, bound || PRICE_TICKS_MAX);
}

/** Lots whose value at the worst price allowed, and the fee on it, the quote pays for. */
function payableLots(core: Core, rebalancer: number, limit: number, market: number, accountMarket: number): number {
  const { rebalancers } = core.bots;
  const cell = core.ledger.cellOf(rebalancers.word(rebalancer, RE_ACCOUNT), rebalancers.word(rebalancer, RE_QUOTE));
  const rate = core.accountMarkets.word(accountMarket, AM_TAKER_RATE);
  const unit = core.markets.double(market, MF_TICK_LOT_UNITS);
  return affordableLots(core.ledger.available(cell), rate, limit, unit);
}

/** Sells the coins or keeps them; everything goes back, and what the book did not take goes back as coins. */
export function stopRebalancer(
  core: Core,
  rebalancer: number,
  sells: boolean,
  cause: "user" | "delisted" = "user",
): void {
  const { rebalancers } = core.bots;
  const account = rebalancers.word(rebalancer, RE_ACCOUNT);
  const source = rebalancers.word(rebalancer, RE_SOURCE);
  const before = basketOf(core, rebalancer).coins;
  if (sells) sellCoins(core, rebalancer, account);
  const after = basketOf(core, rebalancer).coins;
  const traded = after.map(({ lots }, i) => lots - (before[i] as BasketCoin).lots);
  emitRebalancer(core, rebalancer, "closed", cause, traded);
  for (const market of marketsOf(core, rebalancer))
    moveAllBack(core, account, source, core.markets.word(market, M_BASE));
  moveAllBack(core, account, source, rebalancers.word(rebalancer, RE_QUOTE));
  setDeadline(core, rebalancer, 0);
  rebalancers.setWord(rebalancer, RE_IS_CLOSED, 1);
  countBots(core, account, -1);
}

function sellCoins(core: Core, rebalancer: number, account: number): void {
  core.bots.isOutside = true;
  core.bots.outsideFees = 0;
  for (const market of marketsOf(core, rebalancer)) sellAll(core, core.accountMarketOf(account, market), market);
  core.bots.isOutside = false;
  core.bots.rebalancers.add(rebalancer, REF_FEES, core.bots.outsideFees);
}
