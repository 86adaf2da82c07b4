// Owns the writing of rebalancing bots' events. Never decides what happened.
import { basketValue, coinValue } from "@clockwork/kit/grid/rebalance";
import { eventPlaces } from "../../protocol/event.ts";
import { REBALANCE_CAUSES, REBALANCER_CHANGES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import {
  RE_ACCOUNT,
  RE_COINS,
  RE_MARKETS,
  RE_ROUNDS,
  RE_SOURCE,
  RE_THRESHOLD,
  RE_WEIGHTS,
  REF_FEES,
  REF_INTERVAL,
  REF_INVESTED,
} from "../state/rebalancers.ts";
import { basketOf } from "./view.ts";

const REBALANCER_CHANGED = eventPlaces("rebalancerChanged");
const REBALANCER_COIN = eventPlaces("rebalancerCoin");

/** The bot, then each coin as it is now with the lots just traded. Values beyond 2^53 units are told as that. */
export function emitRebalancer(
  core: Core,
  rebalancer: number,
  change: (typeof REBALANCER_CHANGES)[number],
  cause: (typeof REBALANCE_CAUSES)[number],
  traded: readonly number[] = [],
): void {
  const { rebalancers } = core.bots;
  const account = rebalancers.word(rebalancer, RE_ACCOUNT);
  const basket = basketOf(core, rebalancer);
  const record = core.events.openClean(
    REBALANCER_CHANGED.kind,
    REBALANCER_CHANGES.indexOf(change),
    REBALANCE_CAUSES.indexOf(cause) | (rebalancers.word(rebalancer, RE_COINS) << 8),
    account,
    core.sequence,
  );
  core.events.setWord(record, REBALANCER_CHANGED.rebalancer, rebalancer);
  for (const [i, word] of [RE_SOURCE, RE_THRESHOLD, RE_ROUNDS].entries())
    core.events.setWord(record, REBALANCER_CHANGED.source + i, rebalancers.word(rebalancer, word));
  core.events.setDouble(record, REBALANCER_CHANGED.investedUnits, rebalancers.double(rebalancer, REF_INVESTED));
  core.events.setDouble(record, REBALANCER_CHANGED.feesUnits, rebalancers.double(rebalancer, REF_FEES));
  core.events.setDouble(record, REBALANCER_CHANGED.valueUnits, published(basketValue(basket)));
  core.events.setDouble(record, REBALANCER_CHANGED.intervalMs, rebalancers.double(rebalancer, REF_INTERVAL));
  for (const [i, coin] of basket.coins.entries()) {
    const own = core.events.openClean(REBALANCER_COIN.kind, i, 0, account, core.sequence);
    core.events.setWord(own, REBALANCER_COIN.rebalancer, rebalancer);
    core.events.setWord(own, REBALANCER_COIN.market, rebalancers.word(rebalancer, RE_MARKETS + i));
    core.events.setWord(own, REBALANCER_COIN.weightBps, rebalancers.word(rebalancer, RE_WEIGHTS + i));
    core.events.setWord(own, REBALANCER_COIN.priceTicks, coin.ticks);
    core.events.setDouble(own, REBALANCER_COIN.heldLots, coin.lots);
    core.events.setDouble(own, REBALANCER_COIN.valueUnits, published(coinValue(coin)));
    core.events.setDouble(own, REBALANCER_COIN.tradedLots, traded[i] ?? 0);
  }
}

/** As the core counts: what does not fit is told as the most that does. */
export function published(units: bigint): number {
  return Number(units > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : units);
}
