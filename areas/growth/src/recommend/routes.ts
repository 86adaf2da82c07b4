// REST of recommendations: schema → service → envelope. For everybody; a signed-in user is shown his own first.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { RecommendationList } from "./contract.ts";
import type { RecommendService } from "./service.ts";

export function recommendRoutes(service: RecommendService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: "/v1/home/recommendations",
      tag: "home",
      summary: "Pairs, leaders and products this visitor may want to see next",
      output: RecommendationList,
      handle: async (_, { userId, timeMs }) =>
        answer(await service.read(userId === null ? undefined : Number(userId), timeMs)),
    }),
  ];
}
