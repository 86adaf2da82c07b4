// REST of the ops slice: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import { StatisticsQuery } from "./contract.ts";
import type { OpsService } from "./service.ts";

export function opsRoutes(service: Pick<OpsService, "recordEvent">): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: "/open/activity/statistics",
      changes: true,
      summary: "Counts what a visitor did, by event, source and campaign",
      tag: "ops",
      query: StatisticsQuery,
      output: Type.Null(),
      // A page reports a handful of events; more than this from one address is no visitor.
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async ({ query }, { timeMs }) => {
        await service.recordEvent(query, timeMs);
        return answer(null);
      },
    }),
  ];
}
