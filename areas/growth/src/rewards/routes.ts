// REST of rewards: schema → service → envelope. What gives value is proposed here and carried out when another approved it.
import type { Audit } from "@clockwork/host/audit";
import type { Claimant } from "@clockwork/host/claimant";
import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteContext, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import { Type } from "typebox";
import type { ClaimService } from "./claim-service.ts";
import {
  BudgetBody,
  type BudgetPayload,
  CampaignBody,
  type CampaignPayload,
  ClaimBody,
  OpenBody,
  REWARD_CONSOLE_PATHS,
  RewardReport,
  TaskBody,
  type TaskPayload,
  WELFARE_PATHS,
  WelfareClaim,
  WelfareCoupons,
  WelfareTasks,
} from "./contract.ts";
import { REWARDS_PERMISSION, type RewardDesk } from "./desk-service.ts";
import { REFUSALS } from "./rules.ts";
import type { TaskService } from "./task-service.ts";

const RETRY_SECONDS = 2;
const DESK_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "There is no such campaign."],
  TASK_UNKNOWN: [404, "There is no such task in this campaign."],
} as const;
const own = { tag: "rewards", scope: "user" } as const;
const desk = { tag: "rewards", scope: { operator: REWARDS_PERMISSION } } as const;

export interface RewardRouteParts {
  readonly tasks: TaskService;
  readonly claims: ClaimService;
  readonly desk: RewardDesk;
  readonly audit: Audit;
  readonly propose: {
    readonly campaign: Propose<typeof CampaignPayload>;
    readonly fund: Propose<typeof BudgetPayload>;
    readonly task: Propose<typeof TaskPayload>;
  };
  claimantOf(context: RouteContext): Promise<Claimant>;
}

export function rewardRoutes(parts: RewardRouteParts): readonly RouteSpec[] {
  return [...ownRoutes(parts), ...deskRoutes(parts), ...proposalRoutes(parts)];
}

function ownRoutes({ tasks, claims, claimantOf }: RewardRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: WELFARE_PATHS.tasks,
      summary: "Tasks with the caller's progress: to claim, open, locked, over",
      output: WelfareTasks,
      handle: async (_, { userId, timeMs }) => answer(await tasks.list(Number(userId), timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: WELFARE_PATHS.claim,
      summary: "Claims the reward of a task that is done; asked again, the same claim is answered",
      body: ClaimBody,
      output: WelfareClaim,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const claimed = await claims.claim(body.taskId, await claimantOf(context));
        if (claimed.done) return answer(claimed.value);
        const refusal = refuseBy(REFUSALS, claimed);
        if (claimed.code !== "REWARD_ON_ITS_WAY") return refusal;
        return { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } };
      },
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: WELFARE_PATHS.coupons,
      summary: "The caller's coupons of every kind, those that end first at the front",
      output: WelfareCoupons,
      handle: async (_, { userId, timeMs }) => answer(await tasks.listCoupons(Number(userId), timeMs)),
    }),
  ];
}

function deskRoutes({ desk: service, audit }: RewardRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...desk,
      method: "GET",
      path: REWARD_CONSOLE_PATHS.report,
      summary: "For operators: campaigns with their tasks, costs and what the ledger says of their budgets",
      output: RewardReport,
      handle: async () => answer(await service.report()),
    }),
    defineRoute({
      ...desk,
      method: "POST",
      path: REWARD_CONSOLE_PATHS.open,
      summary: "For operators: closes or opens a campaign or one of its tasks; what is done may still be claimed",
      body: OpenBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const what = body.taskId === undefined ? body.campaignId : `${body.campaignId}/${body.taskId}`;
        await audit.record(context, body.isOpen ? "rewards.opened" : "rewards.closed", what, "");
        const opened = await service.open(body);
        return opened.done ? answer(null) : refuseBy(DESK_REFUSALS, opened);
      },
    }),
  ];
}

function proposalRoutes({ propose }: RewardRouteParts): readonly RouteSpec[] {
  const made = { tag: "rewards", scope: "user", method: "POST", output: ProposalMade } as const;
  return [
    defineRoute({
      ...made,
      path: REWARD_CONSOLE_PATHS.campaign,
      summary: "For operators: proposes a campaign; its budget is empty until money is brought in",
      body: CampaignBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.campaign(context, payload, clientId),
    }),
    defineRoute({
      ...made,
      path: REWARD_CONSOLE_PATHS.fund,
      summary: "For operators: proposes money from the reserves for a campaign's budget",
      body: BudgetBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.fund(context, payload, clientId),
    }),
    defineRoute({
      ...made,
      path: REWARD_CONSOLE_PATHS.task,
      summary: "For operators: proposes a task and what it gives",
      body: TaskBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.task(context, payload, clientId),
    }),
  ];
}
