// REST of levels: schema → service → envelope. A trial is proposed here and begins when another has approved it.

import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import {
  TrialBody,
  type TrialPayload,
  VIP_HISTORY_PATH,
  VIP_LEVELS_PATH,
  VIP_PATH,
  VIP_TRIAL_PATH,
  VIP_TRIALS_PATH,
  VipHistory,
  VipLevels,
  VipStanding,
  VipTrials,
} from "./contract.ts";
import { VIP_PERMISSION } from "./service.ts";
import type { VipView } from "./view-service.ts";

const own = { tag: "vip", method: "GET" } as const;

export function vipRoutes(view: VipView, propose: Propose<typeof TrialPayload>): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      path: VIP_PATH,
      scope: { key: "read" },
      summary: "The caller's level, what it is measured by, its fees and what they saved",
      output: VipStanding,
      handle: async (_, { userId, timeMs }) => answer(await view.standing(Number(userId), timeMs)),
    }),
    defineRoute({
      ...own,
      path: VIP_LEVELS_PATH,
      isForAll: true,
      summary: "Every level with what it asks for and what it gives",
      output: VipLevels,
      handle: async () => answer({ levels: view.levels() }),
    }),
    defineRoute({
      ...own,
      path: VIP_HISTORY_PATH,
      scope: { key: "read" },
      summary: "How the caller's level changed, and what was traded and paid by day",
      output: VipHistory,
      handle: async (_, { userId, timeMs }) => answer(await view.history(Number(userId), timeMs)),
    }),
    defineRoute({
      ...own,
      path: VIP_TRIALS_PATH,
      scope: { operator: VIP_PERMISSION },
      summary: "For operators: levels that are lent now",
      output: VipTrials,
      handle: async (_, { timeMs }) => answer(await view.trials(timeMs)),
    }),
    defineRoute({
      tag: "vip",
      method: "POST",
      path: VIP_TRIAL_PATH,
      scope: { operator: VIP_PERMISSION },
      summary: "For operators: proposes a level for a time; a second operator approves it",
      body: TrialBody,
      output: ProposalMade,
      handle: ({ body: { clientId, ...payload } }, context) => propose(context, payload, clientId),
    }),
  ];
}
