// REST of recommendations: schema → service → envelope. Public; a signed-in user gets their own first.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { RECOMMEND_CALLS } from "./contract.ts";
import type { RecommendService } from "./service.ts";

export function recommendRoutes(service: RecommendService): readonly RouteSpec[] {
  return [
    serve(RECOMMEND_CALLS.recommendations, {
      tag: "home",
      summary: "Pairs, leaders and products this visitor may want to see next",
      handle: async (_, { userId, timeMs }) =>
        answer(await service.read(userId === null ? undefined : Number(userId), timeMs)),
    }),
  ];
}
