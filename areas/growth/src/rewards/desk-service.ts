// Operators' actions on rewards: campaigns, their money and tasks, each by two people; closing and opening takes one.
// The report compares grants with the ledger's figures of the campaign's treasury.
import type { ProposalCall, ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import type { RouteRejection } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { BudgetPayload, CampaignPayload, type OpenBody, type RewardReport, TaskPayload } from "./contract.ts";
import { DESK_REFUSALS, type DeskRefusal } from "./refusals.ts";
import { costOf, formatCount, formatReward, readTarget, readTerms, usdtText, usdtUnits } from "./rules.ts";
import type { CampaignRow, TaskRow } from "./store.ts";
import type { RewardParts } from "./task-service.ts";

export const REWARDS_PERMISSION = "rewards.manage";

const wrong = (code: DeskRefusal, field: string): RouteRejection<DeskRefusal> => {
  const [status, message] = DESK_REFUSALS[code];
  return { code, status, message, fields: { [`body.${field}`]: message } };
};
const NO_CAMPAIGN = wrong("CAMPAIGN_UNKNOWN", "campaignId");

export class RewardDesk {
  readonly #parts: RewardParts;
  readonly #now: () => number;

  constructor(parts: RewardParts, now: () => number) {
    this.#parts = parts;
    this.#now = now;
  }

  campaignKind(): ProposalKind<typeof CampaignPayload, DeskRefusal> {
    return {
      ...twoPeople("rewards.campaign"),
      payload: CampaignPayload,
      check: async ({ campaignId }) =>
        (await this.#parts.store.findCampaign(campaignId)) === undefined
          ? undefined
          : wrong("CAMPAIGN_EXISTS", "campaignId"),
      describe: ({ campaignId, name }) => `Begin the reward campaign ${campaignId}: ${name}`,
      execute: async ({ campaignId, name }, { timeMs }) => {
        await this.addCampaign({ campaignId, name, isSimulated: false, timeMs });
        return { end: "done", outcome: `campaign ${campaignId}` };
      },
    };
  }

  fundKind(): ProposalKind<typeof BudgetPayload, DeskRefusal> {
    return {
      ...twoPeople("rewards.fund"),
      payload: BudgetPayload,
      check: async ({ campaignId, amount }) => {
        if ((await this.#parts.store.findCampaign(campaignId)) === undefined) return NO_CAMPAIGN;
        return (usdtUnits(amount) ?? 0n) > 0n ? undefined : wrong("INVALID_AMOUNT", "amount");
      },
      describe: ({ campaignId, amount, reason }) =>
        `Bring ${amount} USDT from the reserves into the budget of ${campaignId}: ${reason}`,
      execute: (payload, call) => this.#fund(payload, call),
    };
  }

  taskKind(): ProposalKind<typeof TaskPayload, DeskRefusal> {
    return {
      ...twoPeople("rewards.task"),
      payload: TaskPayload,
      check: async (payload) => {
        const row = await this.readTask(payload, this.#now());
        return "code" in row ? row : undefined;
      },
      describe: ({ taskId, campaignId, kind, target, reward, levelNeeded }) =>
        `Add the task ${taskId} to ${campaignId}: ${kind} ${target} gives ${formatReward(reward)}, from level ${levelNeeded}`,
      execute: async (payload, { timeMs }) => {
        const row = await this.readTask(payload, timeMs);
        if ("code" in row && row.code !== "TASK_EXISTS")
          return { end: "refused", code: row.code, message: row.message };
        if (!("code" in row)) await this.#parts.store.addTask(row);
        return { end: "done", outcome: `task ${payload.taskId}` };
      },
    };
  }

  async #fund({ campaignId, amount }: BudgetPayload, { reference }: ProposalCall): Promise<ProposalEnd> {
    const { store, needs } = this.#parts;
    const campaign = await store.findCampaign(campaignId);
    const amountUnits = usdtUnits(amount);
    if (campaign === undefined || amountUnits === undefined) {
      return { end: "refused", code: NO_CAMPAIGN.code, message: NO_CAMPAIGN.message };
    }
    const end = await needs.fund(campaign.number, amountUnits, reference);
    if (end === "done") return { end: "done", outcome: `${amount} USDT` };
    return end === "later" ? { end } : { end: "refused", code: end.code, message: "The ledger refused it." };
  }

  async addCampaign(made: {
    readonly campaignId: string;
    readonly name: string;
    readonly isSimulated: boolean;
    readonly timeMs: number;
  }): Promise<CampaignRow | undefined> {
    const { campaignId, name, isSimulated, timeMs } = made;
    const row = { campaign_id: campaignId, name, is_open: true, is_simulated: isSimulated, created_ms: timeMs };
    await this.#parts.store.addCampaign(row);
    return this.#parts.store.findCampaign(campaignId);
  }

  /** A task as stored, or why it is invalid. */
  async readTask(payload: TaskPayload, timeMs: number): Promise<TaskRow | RouteRejection<DeskRefusal>> {
    const { store, needs } = this.#parts;
    if ((await store.findCampaign(payload.campaignId)) === undefined) return NO_CAMPAIGN;
    if ((await store.findTask(payload.taskId)) !== undefined) {
      return wrong("TASK_EXISTS", "taskId");
    }
    const target = readTarget(payload.kind, payload.target);
    if (target === undefined || target < 1n) return wrong("INVALID_TARGET", "target");
    const isQuiz = payload.kind === "quiz";
    if (isQuiz !== (payload.course !== "") || (isQuiz && !(await needs.isCourse(payload.course, timeMs)))) {
      return wrong("COURSE_UNKNOWN", "course");
    }
    if (payload.after !== null && (await store.findTask(payload.after)) === undefined) {
      return wrong("TASK_UNKNOWN", "after");
    }
    const { startsAtMs, endsAtMs, claimUntilMs } = payload;
    if (endsAtMs <= startsAtMs || claimUntilMs < endsAtMs) {
      return wrong("INVALID_TIMES", "endsAtMs");
    }
    const cost = costOf(payload.reward);
    if (cost === undefined || cost < 1n) return wrong("INVALID_AMOUNT", "reward");
    return {
      task_id: payload.taskId,
      campaign_id: payload.campaignId,
      kind: payload.kind,
      target,
      course: payload.course,
      after_task: payload.after,
      level_min: payload.levelNeeded,
      reward: payload.reward.kind,
      cost_units: cost,
      terms: JSON.stringify(payload.reward),
      starts_ms: startsAtMs,
      ends_ms: endsAtMs,
      claim_until_ms: claimUntilMs,
      position: payload.position,
      is_open: true,
      created_ms: timeMs,
    };
  }

  async open({ campaignId, taskId, isOpen }: OpenBody): Promise<Result<null, "CAMPAIGN_UNKNOWN" | "TASK_UNKNOWN">> {
    const { store } = this.#parts;
    if (taskId === undefined) {
      return (await store.openCampaign(campaignId, isOpen)) ? done(null) : refused("CAMPAIGN_UNKNOWN");
    }
    return (await store.openTask(campaignId, taskId, isOpen)) ? done(null) : refused("TASK_UNKNOWN");
  }

  async report(): Promise<RewardReport> {
    const { store } = this.#parts;
    const [campaigns, tasks, counts] = await Promise.all([
      store.listCampaigns(),
      store.listTasks(),
      store.countByTask(),
    ]);
    const described: RewardReport["campaigns"] = [];
    for (const campaign of campaigns) {
      const own = tasks.filter(({ campaign_id }) => campaign_id === campaign.campaign_id);
      described.push({
        ...(await this.#reportCampaign(campaign)),
        tasks: own.map((task) => ({
          taskId: task.task_id,
          kind: task.kind,
          target: formatCount(task.kind, task.target),
          course: task.course === "" ? null : task.course,
          reward: readTerms(task.terms),
          value: usdtText(task.cost_units),
          isOpen: task.is_open,
          done: counts.get(task.task_id)?.done ?? 0,
          claimed: counts.get(task.task_id)?.claimed ?? 0,
          endsAtMs: task.ends_ms,
        })),
      });
    }
    return { campaigns: described };
  }

  async #reportCampaign(campaign: CampaignRow): Promise<Omit<RewardReport["campaigns"][number], "tasks">> {
    const { store, needs } = this.#parts;
    const [budget, claims, prizes] = await Promise.all([
      needs.readBudget(campaign.number),
      store.sumClaims(campaign.campaign_id),
      needs.sumPrizes(campaign.campaign_id),
    ]);
    const spent = claims.reduce((sum, { spentUnits }) => sum + spentUnits, prizes.units);
    const { fundedUnits, leftUnits, heldUnits, goldBackUnits } = budget;
    const returned = claims.reduce((sum, { returnedUnits }) => sum + returnedUnits, goldBackUnits);
    return {
      campaignId: campaign.campaign_id,
      name: campaign.name,
      isOpen: campaign.is_open,
      isSimulated: campaign.is_simulated,
      funded: usdtText(fundedUnits),
      left: usdtText(leftUnits),
      held: usdtText(heldUnits),
      costs: [
        ...claims.map(({ reward, count, spentUnits }) => ({ kind: reward, count, value: usdtText(spentUnits) })),
        ...(prizes.count === 0 ? [] : [{ kind: "spring", count: prizes.count, value: usdtText(prizes.units) }]),
      ],
      spent: usdtText(spent),
      returned: usdtText(returned),
      difference: usdtText(fundedUnits - spent + returned - leftUnits - heldUnits),
    };
  }
}

function twoPeople(kind: string) {
  const nobody = (): readonly number[] => [];
  return {
    kind,
    permission: REWARDS_PERMISSION,
    needsFreshProof: false,
    expiresAfterMs: 3 * DAY_MS,
    beneficiariesOf: nobody,
  };
}
