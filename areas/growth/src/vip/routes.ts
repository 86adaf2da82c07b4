// REST of levels: schema → service → envelope. A trial is proposed here and starts with another operator's approval.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { type TrialPayload, VIP_CALLS } from "./contract.ts";
import type { TrialRefusal } from "./refusals.ts";
import { VIP_PERMISSION } from "./service.ts";
import type { VipView } from "./view-service.ts";

const own = { tag: "vip" } as const;

export function vipRoutes(view: VipView, propose: Propose<typeof TrialPayload, TrialRefusal>): readonly RouteSpec[] {
  return [
    serve(VIP_CALLS.standing, {
      ...own,
      scope: { key: "read" },
      summary: "The caller's level, what it is measured by, its fees and what they saved",
      handle: async (_, { userId, timeMs }) => answer(await view.standing(Number(userId), timeMs)),
    }),
    serve(VIP_CALLS.levels, {
      ...own,
      isForAll: true,
      summary: "Every level with what it asks for and what it gives",
      handle: async () => answer({ levels: view.levels() }),
    }),
    serve(VIP_CALLS.history, {
      ...own,
      scope: { key: "read" },
      summary: "How the caller's level changed, and what was traded and paid by day",
      handle: async (_, { userId, timeMs }) => answer(await view.history(Number(userId), timeMs)),
    }),
    serve(VIP_CALLS.trials, {
      ...own,
      scope: { operator: VIP_PERMISSION },
      summary: "For operators: levels that are lent now",
      handle: async (_, { timeMs }) => answer(await view.trials(timeMs)),
    }),
    serve(VIP_CALLS.trial, {
      tag: "vip",
      scope: { operator: VIP_PERMISSION },
      summary: "For operators: proposes a level for a time; a second operator approves it",
      handle: ({ body: { clientId, ...payload } }, context) => propose(context, payload, clientId),
    }),
  ];
}
