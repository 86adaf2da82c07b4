// Claims: stored as intended first, paid by the ledger once by their own reference, then completed; a restart resumes
// what is still intended. The campaign's treasury account is the budget: the ledger refuses amounts above it.
import type { Claimant } from "@clockwork/host/claimant";
import { done, type Result, refused } from "@clockwork/kit/result";
import { HOUR_MS } from "@clockwork/kit/time";
import type { WelfareClaim } from "./contract.ts";
import type { Given } from "./needs.ts";
import type { RewardRefusal } from "./refusals.ts";
import { endOf, formatReward, readTerms, SETTLING_MS, usdtText } from "./rules.ts";
import type { ClaimRow, TaskRow } from "./store.ts";
import type { RewardParts, TaskService } from "./task-service.ts";

type Claimed = Result<WelfareClaim, RewardRefusal>;

export class ClaimService {
  readonly #parts: RewardParts;
  readonly #tasks: TaskService;

  constructor(parts: RewardParts, tasks: TaskService) {
    this.#parts = parts;
    this.#tasks = tasks;
  }

  async claim(taskId: string, claimant: Claimant): Promise<Claimed> {
    const { store } = this.#parts;
    const { userId, timeMs } = claimant;
    const task = await store.findTask(taskId);
    if (task === undefined) return refused("TASK_UNKNOWN");
    const claimId = this.claimIdOf(taskId, userId);
    const known = await store.findClaim(claimId);
    if (known?.state === "CLAIMED") return done(describe(known));
    if (known?.state !== "INTENDED") {
      const refusal = await this.#check(task, claimant);
      if (refusal !== undefined) return refused(refusal);
    }
    await store.intend(claimRow(claimId, userId, task, timeMs));
    // The first caller wrote it; all continue with the stored row, so that their ledger commands are equal.
    const row = await store.findClaim(claimId);
    return row === undefined ? refused("REWARD_ON_ITS_WAY") : this.#carryOut(row, timeMs);
  }

  claimIdOf(taskId: string, userId: number): string {
    return this.#parts.needs.hash(`reward:${taskId}:${userId}`).slice(0, 16);
  }

  /** Resumes what a stopped process left unpaid, and returns what was not used in time. */
  async resume(timeMs: number): Promise<void> {
    const { store } = this.#parts;
    for (const row of await store.listIntended()) await this.#carryOut(row, timeMs);
    for (const row of await store.listOver(timeMs - SETTLING_MS)) await this.#close(row, timeMs);
  }

  async #check(task: TaskRow, claimant: Claimant): Promise<RewardRefusal | undefined> {
    const { needs } = this.#parts;
    const { userId, timeMs } = claimant;
    const { tasks } = await this.#tasks.list(userId, timeMs);
    const own = tasks.find(({ taskId }) => taskId === task.task_id);
    if (own === undefined) return "TASK_UNKNOWN";
    if (own.state === "LOCKED") return "TASK_LOCKED";
    if (own.state === "OPEN") return "TASK_NOT_DONE";
    if (own.state === "EXPIRED") return "TASK_EXPIRED";
    if ((await needs.levelOf(userId, timeMs)) < task.level_min) return "KYC_LEVEL_REQUIRED";
    return needs.takeReward(`task:${task.task_id}`, claimant);
  }

  async #carryOut(row: ClaimRow, timeMs: number): Promise<Claimed> {
    const { store, needs } = this.#parts;
    const campaign = await store.findCampaign(row.campaign_id);
    if (campaign === undefined) return refused("TASK_UNKNOWN");
    const given = givenOf(row);
    const taken = await needs.take(campaign.number, given);
    if (taken === "later") return refused("REWARD_ON_ITS_WAY");
    if (taken !== "done") {
      await store.markShort(row.claim_id);
      if (taken.code === "INSUFFICIENT_BALANCE") return refused("REWARD_BUDGET_SPENT");
      needs.report("rewards.refused", { claim: row.claim_id, code: taken.code });
      return refused("REWARD_ON_ITS_WAY");
    }
    const end = await needs.give(given);
    if (end !== "done") {
      // The money is reserved for this claim: it is retried until it is given.
      if (end !== "later") needs.report("rewards.not-given", { claim: row.claim_id, code: end.code });
      return refused("REWARD_ON_ITS_WAY");
    }
    // Notified before it is complete: a resumed claim notifies, and never twice.
    const body = `You were given ${formatReward(readTerms(row.terms))}.`;
    await needs.notify(
      row.user_id,
      { reference: `reward:${row.claim_id}`, title: "Your reward is here", body },
      timeMs,
    );
    if (await store.complete(row.claim_id, timeMs)) needs.changed(row.user_id);
    const claimed = await store.findClaim(row.claim_id);
    return claimed === undefined ? refused("REWARD_ON_ITS_WAY") : done(describe(claimed));
  }

  async #close(row: ClaimRow, timeMs: number): Promise<void> {
    const { store, needs } = this.#parts;
    const campaign = await store.findCampaign(row.campaign_id);
    const given = givenOf(row);
    const unused = await needs.unusedUnits(given, timeMs);
    // Its interest may run for months: it is not checked every few seconds.
    if (unused === undefined && row.reward === "earnCoupon") await store.pollAgain(row.claim_id, timeMs + HOUR_MS);
    if (campaign === undefined || unused === undefined) return;
    const end = unused === 0n ? "done" : await needs.giveBack(campaign.number, given, unused);
    if (end === "done") await store.setReturned(row.claim_id, unused);
    else if (end !== "later") needs.report("rewards.not-returned", { claim: row.claim_id, code: end.code });
  }
}

function claimRow(claimId: string, userId: number, task: TaskRow, timeMs: number): ClaimRow {
  const endsMs = endOf(readTerms(task.terms), timeMs);
  return {
    claim_id: claimId,
    user_id: userId,
    task_id: task.task_id,
    campaign_id: task.campaign_id,
    reward: task.reward,
    cost_units: task.cost_units,
    terms: task.terms,
    state: "INTENDED",
    made_ms: timeMs,
    claimed_ms: null,
    ends_ms: endsMs,
    // Final grants are not checked again.
    returned_units: endsMs === null ? 0n : null,
  };
}

function givenOf(row: ClaimRow): Given {
  return {
    claimId: row.claim_id,
    userId: row.user_id,
    taskId: row.task_id,
    costUnits: row.cost_units,
    reward: readTerms(row.terms),
    madeMs: row.made_ms,
  };
}

function describe(row: ClaimRow): WelfareClaim {
  return {
    claimId: row.claim_id,
    taskId: row.task_id,
    reward: readTerms(row.terms),
    value: usdtText(row.cost_units),
    claimedAtMs: row.claimed_ms ?? row.made_ms,
  };
}
