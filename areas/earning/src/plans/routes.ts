// REST of recurring buys: schema → service → envelope.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { PLAN_CALLS as CALLS } from "./contract.ts";
import { type PlanRefusal, REFUSALS } from "./refusals.ts";
import type { PlanService } from "./service.ts";

const outcome = <Value>(result: Result<Value, PlanRefusal>): Outcome<Value, PlanRefusal> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);
const own = { tag: "plans", scope: "user" } as const;

export function planRoutes(plans: PlanService): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...own,
      summary: "The caller's recurring buys",
      handle: async (_, { userId }) => answer(await plans.list(Number(userId))),
    }),
    serve(CALLS.create, {
      ...own,
      summary: "Begins a recurring buy; once for each clientId",
      handle: async ({ body }, { userId, timeMs }) => outcome(await plans.create(Number(userId), body, timeMs)),
    }),
    serve(CALLS.update, {
      ...own,
      summary: "Changes a recurring buy from its next run on",
      handle: async ({ body }, { userId, timeMs }) => outcome(await plans.update(Number(userId), body, timeMs)),
    }),
    serve(CALLS.pause, {
      ...own,
      summary: "Pauses or resumes a recurring buy",
      handle: async ({ body }, { userId, timeMs }) =>
        outcome(await plans.pause(Number(userId), body.planId, body.isPaused, timeMs)),
    }),
    serve(CALLS.end, {
      ...own,
      summary: "Ends a recurring buy for good",
      handle: async ({ body }, { userId, timeMs }) => outcome(await plans.end(Number(userId), body.planId, timeMs)),
    }),
    serve(CALLS.runs, {
      ...own,
      summary: "What a recurring buy did, newest first",
      handle: async ({ query }, { userId }) => outcome(await plans.listRuns(Number(userId), query.planId, query.limit)),
    }),
    serve(CALLS.preview, {
      tag: "plans",
      summary: "What a plan would have come to on stored prices; half a year by day, a month by hour",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { timeMs }) => outcome(await plans.preview(body, timeMs)),
    }),
  ];
}
