// REST of launches: schema → service → envelope. Ending a launch early takes two operators.

import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import type { Result } from "@clockwork/kit/result";
import { MINUTE_MS } from "@clockwork/kit/time";
import {
  BuyBody,
  IdQuery,
  JoinBody,
  LAUNCH_PATHS,
  LaunchDraw,
  LaunchOrder,
  LaunchOwn,
  LaunchProject,
  LaunchProjects,
  OrderBody,
  StopBody,
  type StopPayload,
} from "./contract.ts";
import { type LaunchRefusal, REFUSALS } from "./rules.ts";
import type { LaunchService } from "./service.ts";

const RETRY_SECONDS = 2;
const told = <Value>(result: Result<Value, LaunchRefusal>): Outcome<Value> => {
  if (result.done) return answer(result.value);
  const refusal = refuseBy(REFUSALS, result);
  return REFUSALS[result.code][0] === 503
    ? { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } }
    : refusal;
};
const open = { tag: "launchpad", method: "GET" } as const;
const own = { tag: "launchpad", scope: "user" } as const;

export function launchRoutes(launches: LaunchService, proposeStop: Propose<typeof StopPayload>): readonly RouteSpec[] {
  return [...openRoutes(launches), ...ownRoutes(launches, proposeStop)];
}

function openRoutes(launches: LaunchService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: LAUNCH_PATHS.projects,
      summary: "Launches with their rounds, newest first",
      output: LaunchProjects,
      handle: async (_, { timeMs }) => answer(await launches.list(timeMs)),
    }),
    defineRoute({
      ...open,
      path: LAUNCH_PATHS.project,
      summary: "One launch",
      query: IdQuery,
      output: LaunchProject,
      handle: async ({ query }, { timeMs }) => told(await launches.read(query.id, timeMs)),
    }),
    defineRoute({
      ...open,
      path: LAUNCH_PATHS.draw,
      summary:
        "All that is needed to draw a lottery round again, by its name or its project's; its server seed once drawn",
      query: IdQuery,
      // Everybody's tickets in one answer.
      rate: { callsMax: 60, windowMs: MINUTE_MS },
      output: LaunchDraw,
      handle: async ({ query }) => told(await launches.readDraw(query.id)),
    }),
  ];
}

function ownRoutes(launches: LaunchService, proposeStop: Propose<typeof StopPayload>): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "POST",
      path: LAUNCH_PATHS.join,
      summary: "Takes the caller's tickets of a lottery, or commits USDT to a subscription",
      body: JoinBody,
      output: LaunchOwn,
      handle: async ({ body }, { userId, timeMs }) => told(await launches.join(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: LAUNCH_PATHS.buy,
      summary: "Gets in line for a lot of a flash sale; asked again, it is the same place in line",
      isQuick: true,
      body: BuyBody,
      output: LaunchOrder,
      handle: async ({ body }, { userId, timeMs }) => told(await launches.buy(Number(userId), body.roundId, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: LAUNCH_PATHS.status,
      summary: "The caller's tickets, commitments, place in line and what he may pay for",
      query: IdQuery,
      output: LaunchOwn,
      handle: async ({ query }, { userId, timeMs }) => told(await launches.status(Number(userId), query.id, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: LAUNCH_PATHS.pay,
      summary: "Pays for what was won; the ledger decides whether it was in time",
      body: OrderBody,
      output: LaunchOrder,
      handle: async ({ body }, { userId }) => told(await launches.pay(Number(userId), body.orderId)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: LAUNCH_PATHS.cancel,
      summary: "Gives up what was won and not paid for",
      body: OrderBody,
      output: LaunchOrder,
      handle: async ({ body }, { userId }) => told(await launches.cancel(Number(userId), body.orderId)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: LAUNCH_PATHS.stop,
      summary: "For operators: proposes to end a launch before its listing and to refund everybody",
      body: StopBody,
      output: ProposalMade,
      handle: ({ body: { clientId, ...payload } }, context) => proposeStop(context, payload, clientId),
    }),
  ];
}
