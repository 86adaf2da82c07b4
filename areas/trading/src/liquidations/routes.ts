// REST of liquidation reports: schema → service → envelope.
import { defineRoute, type RouteSpec } from "@clockwork/host/route";
import { LiquidationList, LiquidationListQuery, LiquidationParams, LiquidationReport } from "./contract.ts";
import type { LiquidationService } from "./service.ts";

const own = { tag: "liquidations", method: "GET", bases: ["futures"] } as const;

export function liquidationRoutes(service: LiquidationService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      path: "/v1/futuresc/liquidations/:id",
      summary: "One liquidation step by step, without the person; its owner also sees his balances",
      params: LiquidationParams,
      output: LiquidationReport,
      handle: ({ params }, { userId }) => service.read(params.id, userId),
    }),
    defineRoute({
      ...own,
      scope: { key: "read" },
      path: "/v1/futuresc/my-liquidations",
      summary: "The caller's own liquidations, newest first",
      query: LiquidationListQuery,
      output: LiquidationList,
      handle: ({ query }, { userId }) => service.listOwn(Number(userId), query),
    }),
  ];
}
