// REST of pushed index prices: schema → service → envelope. Who may push is decided by the signature.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { INDEX_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { IndexPriceService } from "./service.ts";

export function indexPriceRoutes(prices: IndexPriceService): readonly RouteSpec[] {
  return [
    serve(INDEX_CALLS.push, {
      summary: "For index sources: what coins are worth, signed by the source's key",
      tag: "markets",
      handle: async ({ body }, { timeMs }) => {
        const taken = await prices.push(body, timeMs);
        return taken.done ? answer({ taken: taken.value }) : refuseBy(REFUSALS, taken);
      },
    }),
  ];
}
