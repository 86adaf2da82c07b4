// REST of market data: schema → service → envelope. Public, but for a user's favourites.
import { answer, defineRoute, type RouteSpec } from "@clockwork/kit/route";
import { Type } from "typebox";
import { Pair } from "./api.ts";
import type { MarketService } from "./service.ts";

const open = { method: "GET", tag: "markets" } as const;

export function marketRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: "/v1/spot/pairs",
      summary: "Every listed pair with its rules and fees",
      output: Type.Array(Pair),
      handle: async () => answer(service.listPairs()),
    }),
  ];
}
