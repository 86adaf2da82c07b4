// REST of liquidation reports: schema → service → envelope.
import { type RouteSpec, serve } from "@clockwork/host/route";
import { LIQUIDATION_CALLS as CALLS } from "./contract.ts";
import type { LiquidationService } from "./service.ts";

const own = { tag: "liquidations" } as const;

export function liquidationRoutes(service: LiquidationService): readonly RouteSpec[] {
  return [
    serve(CALLS.one, {
      ...own,
      summary: "One liquidation step by step, anonymous; its owner also sees the balances",
      handle: ({ params }, { userId }) => service.read(params.id, userId),
    }),
    serve(CALLS.own, {
      ...own,
      scope: { key: "read" },
      summary: "The caller's own liquidations, newest first",
      handle: ({ query }, { userId }) => service.listOwn(Number(userId), query),
    }),
  ];
}
