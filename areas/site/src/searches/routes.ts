// REST of the hot search: schema → service → envelope.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { SEARCH_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { SearchService } from "./service.ts";

export function searchRoutes(service: SearchService): readonly RouteSpec[] {
  return [
    serve(SEARCH_CALLS.hot, {
      tag: "searches",
      summary: "What was found most in the last seven days",
      handle: async (_, { timeMs }) => answer(await service.listHot(timeMs)),
    }),
    serve(SEARCH_CALLS.found, {
      tag: "searches",
      summary: "A search led to this pair or article",
      // One search a second for an hour is above normal use.
      rate: { callsMax: 30, windowMs: 60_000 },
      handle: async ({ body }, { timeMs }) => {
        const added = await service.add(body, timeMs);
        return added.done ? answer(null) : refuseBy(REFUSALS, added);
      },
    }),
  ];
}
