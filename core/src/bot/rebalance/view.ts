// Owns a rebalancing bot's records as the rule of kit/grid/rebalance knows them. Changes nothing.
import type { Basket, BasketCoin, RebalanceRule } from "@clockwork/kit/grid/rebalance";
import { M_BASE, MF_MIN_LOTS, MF_MIN_NOTIONAL, MF_STEP_UNITS, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import type { Core } from "../../state/core.ts";
import { lastSeen } from "../price/seen.ts";
import {
  RE_ACCOUNT,
  RE_COINS,
  RE_MARKETS,
  RE_QUOTE,
  RE_THRESHOLD,
  RE_WEIGHTS,
  REF_INTERVAL,
  REF_NEXT_AT,
} from "../state/rebalancers.ts";

/** A coin at its last price, with so many lots of it. */
export function coinOf(core: Core, market: number, weightBps: number, lots: number): BasketCoin {
  const { markets } = core;
  return {
    weightBps,
    lots,
    ticks: lastSeen(core, market),
    tickLotUnits: markets.double(market, MF_TICK_LOT_UNITS),
    minLots: markets.double(market, MF_MIN_LOTS),
    minNotionalUnits: markets.double(market, MF_MIN_NOTIONAL),
  };
}

export function marketsOf({ bots: { rebalancers } }: Core, rebalancer: number): readonly number[] {
  const count = rebalancers.word(rebalancer, RE_COINS);
  return Array.from({ length: count }, (_, i) => rebalancers.word(rebalancer, RE_MARKETS + i));
}

function heldUnits(core: Core, rebalancer: number, asset: number): number {
  return core.ledger.available(core.ledger.cellOf(core.bots.rebalancers.word(rebalancer, RE_ACCOUNT), asset));
}

/** Nothing rests in the book of such a bot, so all that it holds is available. */
export function basketOf(core: Core, rebalancer: number): Basket {
  const { rebalancers } = core.bots;
  const coins = marketsOf(core, rebalancer).map((market, i) => {
    const units = heldUnits(core, rebalancer, core.markets.word(market, M_BASE));
    const lots = Math.floor(units / core.markets.double(market, MF_STEP_UNITS));
    return coinOf(core, market, rebalancers.word(rebalancer, RE_WEIGHTS + i), lots);
  });
  return { coins, quoteUnits: heldUnits(core, rebalancer, rebalancers.word(rebalancer, RE_QUOTE)) };
}

export function ruleOf({ bots: { rebalancers } }: Core, rebalancer: number): RebalanceRule {
  return {
    thresholdBps: rebalancers.word(rebalancer, RE_THRESHOLD),
    intervalMs: rebalancers.double(rebalancer, REF_INTERVAL),
    nextAt: rebalancers.double(rebalancer, REF_NEXT_AT),
  };
}
