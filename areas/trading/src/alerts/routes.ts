// REST of price alerts: schema → service → envelope.

import { answer, defineRoute, type Outcome, type RouteRejection, type RouteSpec, refuse } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { Type } from "typebox";
import { ALERTS_MAX, Alert, AlertBody, AlertList, AlertParams, AlertQuery } from "./contract.ts";
import type { AlertRefusal, AlertService } from "./service.ts";

const REFUSALS: Readonly<Record<AlertRefusal, Omit<RouteRejection, "code">>> = {
  UNKNOWN_MARKET: { status: 404, message: "There is no such pair." },
  INVALID_PRICE: {
    status: 400,
    message: "This is no price of the pair.",
    fields: { "body.price": "must be a price of the pair" },
  },
  NO_PRICE: {
    status: 422,
    message: "The pair has not traded yet; say which way its price should go.",
    fields: { "body.direction": "is required before the first trade" },
  },
  ALERT_MET: {
    status: 422,
    message: "The price is already there.",
    fields: { "body.price": "must lie ahead of the last price" },
  },
  INVALID_INDICATOR: {
    status: 400,
    message: "An indicator needs a direction, no price, and a fast average below the slow one.",
    fields: { "body.indicator": "must stand alone with a direction" },
  },
  ALERTS_FULL: { status: 422, message: `At most ${ALERTS_MAX} alerts may wait; remove one first.` },
  ALERT_UNKNOWN: { status: 404, message: "There is no such alert." },
};

const rate = { callsMax: 60, windowMs: 60_000 };

export function alertRoutes(service: AlertService): readonly RouteSpec[] {
  const own = { tag: "alerts", scope: "user" } as const;
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: "/v1/alerts",
      summary: "Price alerts that wait, and the latest that were met",
      query: AlertQuery,
      output: AlertList,
      handle: async ({ query }, { userId }) => answer(await service.list(Number(userId), query.pairCode)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: "/v1/alerts",
      summary: "Tells the account once when a pair trades at a price, or an indicator crosses on a closed candle",
      body: AlertBody,
      output: Alert,
      rate,
      handle: async ({ body }, { userId, timeMs }) => told(await service.add(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "DELETE",
      path: "/v1/alerts/:id",
      summary: "Removes a price alert",
      params: AlertParams,
      output: Type.Null(),
      handle: async ({ params }, { userId }) => told(await service.remove(Number(userId), params.id)),
    }),
  ];
}

function told<Data>(result: Result<Data, AlertRefusal>): Outcome<Data> {
  return result.done ? answer(result.value) : refuse({ code: result.code, ...REFUSALS[result.code] });
}
