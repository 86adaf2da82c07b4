// REST of the hot search: schema → service → envelope.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { Type } from "typebox";
import { FoundBody, HotList } from "./contract.ts";
import type { SearchService } from "./service.ts";

const PATH = "/v1/common/hot-search";

export function searchRoutes(service: SearchService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      tag: "searches",
      path: PATH,
      summary: "What was found most in the last seven days",
      output: HotList,
      handle: async (_, { timeMs }) => answer(await service.listHot(timeMs)),
    }),
    defineRoute({
      method: "POST",
      tag: "searches",
      path: PATH,
      summary: "A search led to this pair or article",
      body: FoundBody,
      output: Type.Null(),
      // Nobody searches once a second for an hour.
      rate: { callsMax: 30, windowMs: 60_000 },
      handle: async ({ body }, { timeMs }) => {
        const added = await service.add(body, timeMs);
        if (added.done) return answer(null);
        return refuse({ code: added.code, status: 404, message: "There is no such pair or article." });
      },
    }),
  ];
}
