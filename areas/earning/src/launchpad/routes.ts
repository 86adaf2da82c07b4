// REST of launches: schema → service → envelope. Ending a launch early takes two operators.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { MINUTE_MS } from "@clockwork/kit/time";
import { LAUNCH_CALLS as CALLS, type StopPayload } from "./contract.ts";
import { type LaunchRefusal, REFUSALS } from "./refusals.ts";
import type { LaunchService } from "./service.ts";

const RETRY_SECONDS = 2;
const outcome = <Value>(result: Result<Value, LaunchRefusal>): Outcome<Value, LaunchRefusal> => {
  if (result.done) return answer(result.value);
  const refusal = refuseBy(REFUSALS, result);
  return REFUSALS[result.code][0] === 503
    ? { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } }
    : refusal;
};
const open = { tag: "launchpad" } as const;
const own = { tag: "launchpad", scope: "user" } as const;

export function launchRoutes(
  launches: LaunchService,
  proposeStop: Propose<typeof StopPayload, LaunchRefusal>,
): readonly RouteSpec[] {
  return [...openRoutes(launches), ...ownRoutes(launches, proposeStop)];
}

function openRoutes(launches: LaunchService): readonly RouteSpec[] {
  return [
    serve(CALLS.projects, {
      ...open,
      summary: "Launches with their rounds, newest first",
      handle: async (_, { timeMs }) => answer(await launches.list(timeMs)),
    }),
    serve(CALLS.project, {
      ...open,
      summary: "One launch",
      handle: async ({ query }, { timeMs }) => outcome(await launches.read(query.id, timeMs)),
    }),
    serve(CALLS.draw, {
      ...open,
      summary:
        "All that is needed to draw a lottery round again, by its name or its project's; its server seed once drawn",
      // All users' tickets in one response.
      rate: { callsMax: 60, windowMs: MINUTE_MS },
      handle: async ({ query }) => outcome(await launches.readDraw(query.id)),
    }),
  ];
}

function ownRoutes(
  launches: LaunchService,
  proposeStop: Propose<typeof StopPayload, LaunchRefusal>,
): readonly RouteSpec[] {
  return [
    serve(CALLS.join, {
      ...own,
      summary: "Takes the caller's tickets of a lottery, or commits USDT to a subscription",
      handle: async ({ body }, { userId, timeMs }) => outcome(await launches.join(Number(userId), body, timeMs)),
    }),
    serve(CALLS.buy, {
      ...own,
      summary: "Gets in line for a lot of a flash sale; asked again, it is the same place in line",
      isQuick: true,
      handle: async ({ body }, { userId, timeMs }) => outcome(await launches.buy(Number(userId), body.roundId, timeMs)),
    }),
    serve(CALLS.status, {
      ...own,
      summary: "The caller's tickets, commitments, place in line and what he may pay for",
      handle: async ({ query }, { userId, timeMs }) => outcome(await launches.status(Number(userId), query.id, timeMs)),
    }),
    serve(CALLS.pay, {
      ...own,
      summary: "Pays for what was won; the ledger decides whether it was in time",
      handle: async ({ body }, { userId }) => outcome(await launches.pay(Number(userId), body.orderId)),
    }),
    serve(CALLS.cancel, {
      ...own,
      summary: "Gives up what was won and not paid for",
      handle: async ({ body }, { userId }) => outcome(await launches.cancel(Number(userId), body.orderId)),
    }),
    serve(CALLS.stop, {
      ...own,
      summary: "For operators: proposes to end a launch before its listing and to refund everybody",
      handle: ({ body: { clientId, ...payload } }, context) => proposeStop(context, payload, clientId),
    }),
  ];
}
