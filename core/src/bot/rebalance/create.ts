// Owns making a rebalancing bot: every check before anything is changed, then its book, its money and its first round.

import {
  areWeights,
  BASKET_COINS_MAX,
  BASKET_COINS_MIN,
  isRule,
  leastInvestment,
  WEIGHTS_BPS,
} from "@clockwork/kit/grid/rebalance";
import { whyNotCommitted } from "../../account/debts.ts";
import { isMovable } from "../../account/moving.ts";
import { atTop, T_ASK } from "../../book/book.ts";
import { watchAccount } from "../../copy/watching.ts";
import { A_BOT, ACCOUNT_BOT, ACCOUNT_WATCHED } from "../../ledger/ledger.ts";
import { M_BASE, M_QUOTE, M_STATUS, STATUS_TRADING } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import { spendable } from "../../perp/margin/spending.ts";
import { COMMANDS, commandPlaces } from "../../protocol/command.ts";
import { placesOf } from "../../protocol/layout.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { lastSeen } from "../price/seen.ts";
import {
  RE_ACCOUNT,
  RE_COINS,
  RE_MARKETS,
  RE_QUOTE,
  RE_SOURCE,
  RE_THRESHOLD,
  RE_WEIGHTS,
  REBALANCER_SUB,
  REF_INTERVAL,
  REF_INVESTED,
} from "../state/rebalancers.ts";
import { BOTS_MAX, countBots, moveFunds, openBook, runningBots } from "../trading/funds.ts";
import { emitRebalancer, published } from "./emit.ts";
import { rebalance, waitOn } from "./run.ts";
import { coinOf } from "./view.ts";

const CREATE_REBALANCER = commandPlaces("createRebalancer");

const { coins: COINS } = COMMANDS.createRebalancer.layout;
const COIN = placesOf(COINS.layout);

interface Target {
  /** 0 for the quote itself. */
  readonly market: number;
  readonly weightBps: number;
}

interface Requested {
  readonly source: number;
  readonly thresholdBps: number;
  readonly intervalMs: number;
  readonly quoteUnits: number;
  readonly targets: readonly Target[];
  /** The targets that are not the quote, and what they are quoted in. */
  readonly coins: readonly Target[];
  readonly quote: number;
}

function readRequested(core: Core, source: number): Requested {
  const count = Math.min(core.readByte(CREATE_REBALANCER.coins), BASKET_COINS_MAX + 1);
  const targets = Array.from({ length: count }, (_, i) => {
    const at = (COINS.from + i * COINS.stride) >> 2;
    return { market: core.readWord(at + COIN.market), weightBps: core.readWord(at + COIN.weightBps) };
  });
  const coins = targets.filter(({ market }) => market !== 0);
  const first = coins[0]?.market ?? 0;
  return {
    source,
    thresholdBps: core.readWord(CREATE_REBALANCER.thresholdBps),
    intervalMs: core.readDouble(CREATE_REBALANCER.intervalMs),
    quoteUnits: core.readDouble(CREATE_REBALANCER.quoteUnits),
    targets,
    coins,
    quote: core.markets.isMarket(first) ? core.markets.word(first, M_QUOTE) : 0,
  };
}

export function createRebalancer(core: Core, account: number): number {
  const requested = readRequested(core, account);
  const code =
    checkTargets(core, requested) ||
    (isRule(requested) ? 0 : REJECT.REBALANCE_RULE_INVALID) ||
    checkMoney(core, requested);
  if (code !== 0) return code;
  const leastUnits = leastInvestment(
    requested.coins.map(({ market, weightBps }) => coinOf(core, market, weightBps, 0)),
  );
  if (BigInt(requested.quoteUnits) < leastUnits)
    return core.refuse(REJECT.REBALANCE_INVESTMENT_TOO_SMALL, published(leastUnits));
  begin(core, requested);
  return 0;
}

function checkTargets(core: Core, { source, targets, coins, quote }: Requested): number {
  if (!core.ledger.isUserAccount(source)) return REJECT.UNKNOWN_ACCOUNT;
  if (targets.length < BASKET_COINS_MIN) return core.refuse(REJECT.REBALANCE_COUNT_INVALID, BASKET_COINS_MIN);
  if (targets.length > BASKET_COINS_MAX) return core.refuse(REJECT.REBALANCE_COUNT_INVALID, BASKET_COINS_MAX);
  for (const { market } of coins) {
    const code = checkMarket(core, market, quote);
    if (code !== 0) return code;
  }
  const bases = new Set(coins.map(({ market }) => core.markets.word(market, M_BASE)));
  // Each coin once, and the quote at most once.
  if (bases.size !== coins.length || targets.length - coins.length > 1) return REJECT.REBALANCE_COINS_INVALID;
  const isWeighted = areWeights(targets.map(({ weightBps }) => weightBps));
  return isWeighted ? 0 : core.refuse(REJECT.REBALANCE_WEIGHTS_INVALID, WEIGHTS_BPS);
}

function checkMarket(core: Core, market: number, quote: number): number {
  const { markets, perps, books } = core;
  if (!markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (perps.isPerp(market)) return REJECT.BOOK_NOT_TRADABLE;
  if (markets.word(market, M_QUOTE) !== quote) return REJECT.REBALANCE_COINS_INVALID;
  if (markets.word(market, M_STATUS) !== STATUS_TRADING) return REJECT.MARKET_NOT_TRADING;
  const ask = getWord(books.topWords, atTop(market), T_ASK);
  return ask === 0 || lastSeen(core, market) === 0 ? REJECT.NO_LIQUIDITY : 0;
}

function checkMoney(core: Core, { source, quote, quoteUnits }: Requested): number {
  if (!(quoteUnits > 0 && Number.isSafeInteger(quoteUnits))) return REJECT.INVALID_AMOUNT;
  if (runningBots(core, source) >= BOTS_MAX) return core.refuse(REJECT.TOO_MANY_BOTS, BOTS_MAX);
  if (!isMovable(core, source)) return REJECT.NOT_TRANSFERABLE;
  const committed = whyNotCommitted(core, source);
  if (committed !== 0) return committed;
  const free = spendable(core, source, quote);
  return quoteUnits > free ? core.refuse(REJECT.INSUFFICIENT_BALANCE, free) : 0;
}

function begin(core: Core, { source, thresholdBps, intervalMs, quoteUnits, coins, quote }: Requested): void {
  const { rebalancers } = core.bots;
  const rebalancer = rebalancers.take();
  const account = openBook(core, source, REBALANCER_SUB + rebalancer);
  core.ledger.setAccountWord(account, A_BOT, 0 - rebalancer);
  watchAccount(core, account, ACCOUNT_WATCHED | ACCOUNT_BOT, 0);
  for (const [word, value] of [
    [RE_ACCOUNT, account],
    [RE_SOURCE, source],
    [RE_QUOTE, quote],
    [RE_THRESHOLD, thresholdBps],
    [RE_COINS, coins.length],
  ] as const)
    rebalancers.setWord(rebalancer, word, value);
  for (const [i, { market, weightBps }] of coins.entries()) {
    rebalancers.setWord(rebalancer, RE_MARKETS + i, market);
    rebalancers.setWord(rebalancer, RE_WEIGHTS + i, weightBps);
  }
  rebalancers.setDouble(rebalancer, REF_INTERVAL, intervalMs);
  rebalancers.setDouble(rebalancer, REF_INVESTED, quoteUnits);
  moveFunds(core, source, account, quote, quoteUnits);
  countBots(core, account, 1);
  emitRebalancer(core, rebalancer, "created", "user");
  rebalance(core, rebalancer, "start");
  waitOn(core, rebalancer);
}
