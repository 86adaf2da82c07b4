// REST of the ops slice: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { OPS_CALLS } from "./contract.ts";
import type { OpsService } from "./service.ts";

export function opsRoutes(service: Pick<OpsService, "recordEvent">): readonly RouteSpec[] {
  return [
    serve(OPS_CALLS.statistics, {
      changes: true,
      summary: "Counts what a visitor did, by event, source and campaign",
      tag: "ops",
      // A page reports a handful of events; more than this from one address is automated.
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async ({ query }, { timeMs }) => {
        await service.recordEvent(query, timeMs);
        return answer(null);
      },
    }),
  ];
}
