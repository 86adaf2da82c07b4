// REST of premium samples: schema → store → envelope. Public, read-only.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { HOUR_MS } from "@clockwork/kit/time";
import type { MarketBiz } from "../markets/pair.ts";
import { INVERSE, LINEAR } from "../markets/places.ts";
import { refuseField, UNKNOWN_CONTRACT } from "../markets/routes.ts";
import { PREMIUM_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import { describeSamples, isSettlement, nextSettlement, readSamples, type SampledContract } from "./rules.ts";
import type { PremiumStore } from "./store.ts";

export type SampledBiz = Exclude<MarketBiz, "spot">;

export function premiumRoutes(
  /** A demo contract is settled by the real one's rate. */
  findContract: (biz: SampledBiz, pairCode: string) => SampledContract | undefined,
  store: PremiumStore,
): readonly RouteSpec[] {
  return [LINEAR, INVERSE].map(({ at, biz }) =>
    serve(at(PREMIUM_CALLS.samples), {
      tag: "contracts",
      summary: "Every sample of the premium a settlement's funding rate came from; of the coming one those so far",
      handle: async ({ query }, { timeMs }) => {
        const wanted: SampledBiz = query.biz ?? biz;
        const contract = findContract(wanted, query.pairCode);
        if (contract === undefined) return UNKNOWN_CONTRACT;
        const next = nextSettlement(contract, timeMs);
        const settlement = query.settlement ?? next;
        if (!isSettlement(contract, settlement) || settlement > next) {
          return refuseField(REFUSALS, "UNKNOWN_SETTLEMENT", "settlement");
        }
        const fromMs = settlement - contract.fundingHours * HOUR_MS;
        const slots = await store.list(contract.market, fromMs, settlement);
        const samples = slots.flatMap((slot) => readSamples(slot.slot_ms, slot.samples));
        return answer(describeSamples(contract, settlement, samples));
      },
    }),
  );
}
