// An account's futures data for the slices: the registered views of one account joined, and contracts with their
// current prices. Contains no rules.

import type { CachedAccount } from "@clockwork/host/engine";
import type { FeeRates } from "@clockwork/host/projector";
import { CONTRACT_TAKER_RATE } from "@clockwork/kit/contract-catalogue";
import type { PartContext } from "../context.ts";
import { CONTRACT_FEE_GROUP } from "../market/listing.ts";
import { futuresView } from "../projectors/futures/futures-view.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import type { ContractRegistry, FuturesView } from "./account-view.ts";
import { termsOf } from "./figure-rules.ts";
import { createIndicators, type Indicators } from "./indicators.ts";

export interface FuturesLook {
  readonly contracts: ContractRegistry;
  readonly indicators: Indicators;
  viewOf(cached: CachedAccount): FuturesView;
  ratesOf(cached: CachedAccount | undefined, userId: number): FeeRates;
}

export function futuresLook(context: PartContext): FuturesLook {
  const { market, engine, database, log, clock } = context;
  const { pairs, data } = market;
  const markTicks = (of: number): number => {
    const mirror = pairs.findMarket(of)?.contract?.mirror ?? 0;
    return data.projector.states.get(mirror === 0 ? of : mirror)?.contract?.markTicks ?? 0;
  };
  const indicators = createIndicators({
    kysely: database.kysely,
    log,
    now: clock.now,
    termsOf: (of) => {
      const pair = pairs.findMarket(of);
      const mark = markTicks(of);
      if (pair === undefined || mark === 0) return undefined;
      return { contract: termsOf(pair), markTicks: BigInt(mark), settle: pair.settle.asset };
    },
  });
  const ratesOf = (cached: CachedAccount | undefined, userId: number): FeeRates => {
    const own = cached?.of(ledgerView).fees.get(CONTRACT_FEE_GROUP);
    const { groupFees, userFees } = engine.cache?.facts ?? {};
    const user = userFees?.get(userId)?.perpetual;
    const group = groupFees?.get(CONTRACT_FEE_GROUP);
    // The narrowest rule with a rate applies.
    const rate = (...rates: readonly (number | undefined)[]) => rates.find((one) => one !== undefined && one >= 0) ?? 0;
    return {
      maker: rate(own?.maker_rate, user?.maker, group?.maker),
      taker: rate(own?.taker_rate, user?.taker, group?.taker, CONTRACT_TAKER_RATE),
    };
  };
  return {
    indicators,
    ratesOf,
    contracts: {
      find: pairs.findListed.bind(pairs),
      findMarket: pairs.findMarket.bind(pairs),
      findAsset: pairs.findAsset.bind(pairs),
      findAssetById: pairs.findAssetById.bind(pairs),
      list: pairs.listContracts.bind(pairs),
      worthUnits: pairs.worthUnits.bind(pairs),
      markTicks,
      referenceTicks: (of, source) => {
        const shown = pairs.findMarket(of)?.contract?.mirror || of;
        if (source === "last") return pairs.lastTicks(shown);
        const state = data.projector.states.get(shown)?.contract;
        return (source === "mark" ? state?.markTicks : state?.indexTicks) ?? 0;
      },
      indicatorOf: (_, positionId) => indicators.indicatorOf(positionId),
    },
    viewOf: (cached) => {
      const { positions, settings, stops, bonuses } = cached.of(futuresView);
      return {
        account: cached.account,
        owner: cached.owner,
        changedSequence: cached.changedSequence,
        positions,
        settings,
        stops,
        orders: cached.of(orderView).orders,
        balances: cached.of(ledgerView).balances,
        bonusUnits: (asset) => {
          let sum = 0n;
          for (const row of bonuses.values()) {
            if (row.asset === asset && row.state === "ACTIVE") sum += row.left_units;
          }
          return sum;
        },
        takerRate: ratesOf(cached, cached.owner.userId).taker,
      };
    },
  };
}
