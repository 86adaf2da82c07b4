// REST of premium samples: schema → store → envelope. Public, changes nothing.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { HOUR_MS } from "@clockwork/kit/time";
import { PremiumSamples, PremiumSamplesQuery } from "./contract.ts";
import type { PremiumNeeds, SampledBiz } from "./needs.ts";
import { describeSamples, isSettlement, nextSettlement, readSamples } from "./rules.ts";
import type { PremiumStore } from "./store.ts";

const PLACES = [
  { path: "/v1/futuresc", biz: "futures" },
  { path: "/v1/perpcm", biz: "delivery" },
] as const;

function refuseField(code: "UNKNOWN_MARKET" | "UNKNOWN_SETTLEMENT", field: string, message: string) {
  return refuse({ code, status: 404, message, fields: { [`query.${field}`]: message } });
}

export function premiumRoutes({ findContract }: PremiumNeeds, store: PremiumStore): readonly RouteSpec[] {
  return PLACES.map(({ path, biz }) =>
    defineRoute({
      method: "GET",
      tag: "contracts",
      bases: ["futures"],
      path: `${path}/premium-samples`,
      summary: "Every sample of the premium a settlement's funding rate came from; of the coming one those so far",
      query: PremiumSamplesQuery,
      output: PremiumSamples,
      handle: async ({ query }, { timeMs }) => {
        const wanted: SampledBiz = query.biz ?? biz;
        const contract = findContract(wanted, query.pairCode);
        if (contract === undefined) return refuseField("UNKNOWN_MARKET", "pairCode", "There is no such contract.");
        const next = nextSettlement(contract, timeMs);
        const settlement = query.settlement ?? next;
        if (!isSettlement(contract, settlement) || settlement > next) {
          return refuseField("UNKNOWN_SETTLEMENT", "settlement", "There is no settlement at this time.");
        }
        const fromMs = settlement - contract.fundingHours * HOUR_MS;
        const slots = await store.list(contract.market, fromMs, settlement);
        const samples = slots.flatMap((slot) => readSamples(slot.slot_ms, slot.samples));
        return answer(describeSamples(contract, settlement, samples));
      },
    }),
  );
}
