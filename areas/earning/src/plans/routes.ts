// REST of recurring buys: schema → service → envelope.

import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  CreateBody,
  EndBody,
  PauseBody,
  PLAN_PATHS,
  PlanList,
  PlanRuns,
  Preview,
  PreviewBody,
  RunsQuery,
  UpdateBody,
} from "./contract.ts";
import { type PlanRefusal, REFUSALS } from "./rules.ts";
import type { PlanService } from "./service.ts";

const told = <Value>(result: Result<Value, PlanRefusal>): Outcome<Value> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);
const own = { tag: "plans", scope: "user" } as const;
const change = { ...own, method: "POST", output: PlanList } as const;

export function planRoutes(plans: PlanService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: PLAN_PATHS.list,
      summary: "The caller's recurring buys",
      output: PlanList,
      handle: async (_, { userId }) => answer(await plans.list(Number(userId))),
    }),
    defineRoute({
      ...change,
      path: PLAN_PATHS.create,
      summary: "Begins a recurring buy; once for each clientId",
      body: CreateBody,
      handle: async ({ body }, { userId, timeMs }) => told(await plans.create(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...change,
      path: PLAN_PATHS.update,
      summary: "Changes a recurring buy from its next run on",
      body: UpdateBody,
      handle: async ({ body }, { userId, timeMs }) => told(await plans.update(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...change,
      path: PLAN_PATHS.pause,
      summary: "Pauses a recurring buy, or lets it go on",
      body: PauseBody,
      handle: async ({ body }, { userId, timeMs }) =>
        told(await plans.pause(Number(userId), body.planId, body.isPaused, timeMs)),
    }),
    defineRoute({
      ...change,
      path: PLAN_PATHS.end,
      summary: "Ends a recurring buy for good",
      body: EndBody,
      handle: async ({ body }, { userId, timeMs }) => told(await plans.end(Number(userId), body.planId, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: PLAN_PATHS.runs,
      summary: "What a recurring buy did, newest first",
      query: RunsQuery,
      output: PlanRuns,
      handle: async ({ query }, { userId }) => told(await plans.listRuns(Number(userId), query.planId, query.limit)),
    }),
    defineRoute({
      tag: "plans",
      method: "POST",
      path: PLAN_PATHS.preview,
      summary: "What a plan would have come to on stored prices; half a year by day, a month by hour",
      body: PreviewBody,
      output: Preview,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { timeMs }) => told(await plans.preview(body, timeMs)),
    }),
  ];
}
