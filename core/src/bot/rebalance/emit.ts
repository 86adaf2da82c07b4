// Owns the writing of rebalancing bots' events. Never decides what happened.
import { basketValue, coinValue } from "@clockwork/kit/grid/rebalance";
import { EVENTS } from "../../protocol/event.ts";
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
    EVENTS.rebalancerChanged.kind,
    REBALANCER_CHANGES.indexOf(change),
    REBALANCE_CAUSES.indexOf(cause) | (rebalancers.word(rebalancer, RE_COINS) << 8),
    account,
    core.sequence,
  );
  core.events.i32[(record << 4) | 4] = rebalancer;
  for (const [i, word] of [RE_SOURCE, RE_THRESHOLD, RE_ROUNDS].entries())
    core.events.i32[(record << 4) + 5 + i] = rebalancers.word(rebalancer, word);
  core.events.f64[(record << 3) | 4] = rebalancers.double(rebalancer, REF_INVESTED);
  core.events.f64[(record << 3) | 5] = rebalancers.double(rebalancer, REF_FEES);
  core.events.f64[(record << 3) | 6] = told(basketValue(basket));
  core.events.f64[(record << 3) | 7] = rebalancers.double(rebalancer, REF_INTERVAL);
  for (const [i, coin] of basket.coins.entries()) {
    const own = core.events.openClean(EVENTS.rebalancerCoin.kind, i, 0, account, core.sequence);
    const at = own << 4;
    core.events.i32[at | 4] = rebalancer;
    core.events.i32[at | 5] = rebalancers.word(rebalancer, RE_MARKETS + i);
    core.events.i32[at | 6] = rebalancers.word(rebalancer, RE_WEIGHTS + i);
    core.events.i32[at | 7] = coin.ticks;
    core.events.f64[(own << 3) | 4] = coin.lots;
    core.events.f64[(own << 3) | 5] = told(coinValue(coin));
    core.events.f64[(own << 3) | 6] = traded[i] ?? 0;
  }
}

/** As the core counts: what does not fit is told as the most that does. */
export function told(units: bigint): number {
  return Number(units > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : units);
}
