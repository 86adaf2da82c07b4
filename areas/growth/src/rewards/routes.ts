// REST of rewards: schema → service → envelope. Grants are proposed here and carried out with a second approval.
import type { Audit } from "@clockwork/host/audit";
import type { Claimant } from "@clockwork/host/claimant";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { ClaimService } from "./claim-service.ts";
import {
  type BudgetPayload,
  type CampaignPayload,
  REWARD_CONSOLE_CALLS,
  type TaskPayload,
  WELFARE_CALLS,
} from "./contract.ts";
import { REWARDS_PERMISSION, type RewardDesk } from "./desk-service.ts";
import { DESK_REFUSALS, type DeskRefusal, REFUSALS } from "./refusals.ts";
import type { TaskService } from "./task-service.ts";

const RETRY_SECONDS = 2;
const own = { tag: "rewards", scope: "user" } as const;
const desk = { tag: "rewards", scope: { operator: REWARDS_PERMISSION } } as const;

export interface RewardRouteParts {
  readonly tasks: TaskService;
  readonly claims: ClaimService;
  readonly desk: RewardDesk;
  readonly audit: Audit;
  readonly propose: {
    readonly campaign: Propose<typeof CampaignPayload, DeskRefusal>;
    readonly fund: Propose<typeof BudgetPayload, DeskRefusal>;
    readonly task: Propose<typeof TaskPayload, DeskRefusal>;
  };
  claimantOf(context: RouteContext): Promise<Claimant>;
}

export function rewardRoutes(parts: RewardRouteParts): readonly RouteSpec[] {
  return [...ownRoutes(parts), ...deskRoutes(parts), ...proposalRoutes(parts)];
}

function ownRoutes({ tasks, claims, claimantOf }: RewardRouteParts): readonly RouteSpec[] {
  return [
    serve(WELFARE_CALLS.tasks, {
      ...own,
      summary: "Tasks with the caller's progress: to claim, open, locked, over",
      handle: async (_, { userId, timeMs }) => answer(await tasks.list(Number(userId), timeMs)),
    }),
    serve(WELFARE_CALLS.claim, {
      ...own,
      summary: "Claims the reward of a task that is done; asked again, the same claim is answered",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const claimed = await claims.claim(body.taskId, await claimantOf(context));
        if (claimed.done) return answer(claimed.value);
        const refusal = refuseBy(REFUSALS, claimed);
        if (claimed.code !== "REWARD_ON_ITS_WAY") return refusal;
        return { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } };
      },
    }),
    serve(WELFARE_CALLS.coupons, {
      ...own,
      summary: "The caller's coupons of every kind, those that end first at the front",
      handle: async (_, { userId, timeMs }) => answer(await tasks.listCoupons(Number(userId), timeMs)),
    }),
  ];
}

function deskRoutes({ desk: service, audit }: RewardRouteParts): readonly RouteSpec[] {
  return [
    serve(REWARD_CONSOLE_CALLS.report, {
      ...desk,
      summary: "For operators: campaigns with their tasks, costs and what the ledger says of their budgets",
      handle: async () => answer(await service.report()),
    }),
    serve(REWARD_CONSOLE_CALLS.open, {
      ...desk,
      summary: "For operators: closes or opens a campaign or one of its tasks; what is done may still be claimed",
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
  return [
    serve(REWARD_CONSOLE_CALLS.campaign, {
      ...own,
      summary: "For operators: proposes a campaign; its budget is empty until money is brought in",
      handle: ({ body: { clientId, ...payload } }, context) => propose.campaign(context, payload, clientId),
    }),
    serve(REWARD_CONSOLE_CALLS.fund, {
      ...own,
      summary: "For operators: proposes money from the reserves for a campaign's budget",
      handle: ({ body: { clientId, ...payload } }, context) => propose.fund(context, payload, clientId),
    }),
    serve(REWARD_CONSOLE_CALLS.task, {
      ...own,
      summary: "For operators: proposes a task and what it gives",
      handle: ({ body: { clientId, ...payload } }, context) => propose.task(context, payload, clientId),
    }),
  ];
}
