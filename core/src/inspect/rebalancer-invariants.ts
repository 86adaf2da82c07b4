// Owns what must be true of rebalancing bots after every command, checked from scratch. Never repairs anything.
import { WEIGHTS_BPS } from "@clockwork/kit/grid/rebalance";
import {
  RE_ACCOUNT,
  RE_COINS,
  RE_DEADLINE,
  RE_IS_CLOSED,
  RE_MARKETS,
  RE_QUOTE,
  RE_WEIGHTS,
  REF_DEADLINE_AT,
} from "../bot/state/rebalancers.ts";
import { A_BOT, A_OWNER } from "../ledger/ledger.ts";
import { AM_RESTING } from "../market/account-markets.ts";
import { M_QUOTE } from "../market/markets.ts";
import { type Core, DEADLINE_REBALANCER } from "../state/core.ts";

type Report = (rule: string, detail: string) => void;

/**
 * BOT-7: its book names it, its coins are of one quote and their weights not above the whole. BOT-8: nothing rests in its
 * book. BOT-9: it is among the deadlines at its place, and a closed one is not. Counts the running by owner and returns how
 * many have a deadline.
 */
export function checkRebalancers(core: Core, running: Map<number, number>, report: Report): number {
  const { rebalancers } = core.bots;
  let timed = 0;
  for (let rebalancer = 1; rebalancer < rebalancers.table.count; rebalancer++) {
    const account = rebalancers.word(rebalancer, RE_ACCOUNT);
    const owner = core.ledger.accountWord(account, A_OWNER);
    const isClosed = rebalancers.word(rebalancer, RE_IS_CLOSED) !== 0;
    running.set(owner, (running.get(owner) ?? 0) + (isClosed ? 0 : 1));
    checkCoins(core, rebalancer, account, report);
    const place = rebalancers.word(rebalancer, RE_DEADLINE);
    if (place === 0) continue;
    timed++;
    const time = rebalancers.double(rebalancer, REF_DEADLINE_AT);
    if (isClosed || !core.deadlines.isAt(place, DEADLINE_REBALANCER, rebalancer, time))
      report("BOT-9", `rebalancing bot ${rebalancer} is not at its place ${place}`);
  }
  return timed;
}

function checkCoins(core: Core, rebalancer: number, account: number, report: Report): void {
  const { rebalancers } = core.bots;
  if (core.ledger.accountWord(account, A_BOT) !== 0 - rebalancer)
    report("BOT-7", `book ${account} does not name rebalancing bot ${rebalancer}`);
  let sumBps = 0;
  for (let i = 0; i < rebalancers.word(rebalancer, RE_COINS); i++) {
    const market = rebalancers.word(rebalancer, RE_MARKETS + i);
    sumBps += rebalancers.word(rebalancer, RE_WEIGHTS + i);
    if (core.markets.word(market, M_QUOTE) !== rebalancers.word(rebalancer, RE_QUOTE))
      report("BOT-7", `rebalancing bot ${rebalancer} has a coin of another quote`);
    const accountMarket = core.accountMarkets.find(account, market);
    if (accountMarket !== 0 && core.accountMarkets.word(accountMarket, AM_RESTING) !== 0)
      report("BOT-8", `an order rests in the book of rebalancing bot ${rebalancer}`);
  }
  if (sumBps > WEIGHTS_BPS) report("BOT-7", `rebalancing bot ${rebalancer} has weights of ${sumBps}`);
}
