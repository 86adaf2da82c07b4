// REST of price alerts: schema → service → envelope.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { ALERT_CALLS as CALLS } from "./contract.ts";
import { type AlertRefusal, FIELD_FAULTS, REFUSALS } from "./refusals.ts";
import type { AlertService } from "./service.ts";

const rate = { callsMax: 60, windowMs: 60_000 };

export function alertRoutes(service: AlertService): readonly RouteSpec[] {
  const own = { tag: "alerts", scope: "user" } as const;
  return [
    serve(CALLS.list, {
      ...own,
      summary: "Price alerts that wait, and the latest that were met",
      handle: async ({ query }, { userId }) => answer(await service.list(Number(userId), query.pairCode)),
    }),
    serve(CALLS.add, {
      ...own,
      summary: "Tells the account once when a pair trades at a price, or an indicator crosses on a closed candle",
      rate,
      handle: async ({ body }, { userId, timeMs }) => outcome(await service.add(Number(userId), body, timeMs)),
    }),
    serve(CALLS.remove, {
      ...own,
      summary: "Removes a price alert",
      handle: async ({ params }, { userId }) => outcome(await service.remove(Number(userId), params.id)),
    }),
  ];
}

function outcome<Data>(result: Result<Data, AlertRefusal>): Outcome<Data, AlertRefusal> {
  return result.done ? answer(result.value) : refuseBy(REFUSALS, result, FIELD_FAULTS[result.code]);
}
