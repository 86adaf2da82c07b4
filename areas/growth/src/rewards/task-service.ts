// A user's tasks, and their completion: facts counted elsewhere are compared with the target, stored once and notified
// once.
import type { WelfareCoupons, WelfareTask, WelfareTasks } from "./contract.ts";
import type { RewardNeeds } from "./needs.ts";
import { describeFeeCoupon, describeTask, formatReward, readTerms, sortTasks, stateOf, usdtText } from "./rules.ts";
import type { CampaignRow, ClaimRow, FeeCouponRow, RewardStore, TaskRow } from "./store.ts";

export interface RewardParts {
  readonly store: RewardStore;
  readonly needs: RewardNeeds;
}

interface Own {
  readonly tasks: readonly TaskRow[];
  readonly campaigns: ReadonlyMap<string, CampaignRow>;
  readonly done: ReadonlyMap<string, number>;
  readonly claims: ReadonlyMap<string, ClaimRow>;
}

export class TaskService {
  readonly #parts: RewardParts;

  constructor(parts: RewardParts) {
    this.#parts = parts;
  }

  /** Everything, with completions up to this moment. */
  async list(userId: number, timeMs: number): Promise<WelfareTasks> {
    const { own, counts } = await this.#evaluate(userId, timeMs);
    const budgets = new Map<string, bigint>();
    for (const campaign of own.campaigns.values()) {
      budgets.set(campaign.campaign_id, await this.#parts.needs.readLeft(campaign.number));
    }
    const rows = own.tasks.flatMap((task) => {
      const campaign = own.campaigns.get(task.campaign_id);
      if (campaign === undefined) return [];
      const facts = { ...factsOf(task, own, counts), leftUnits: budgets.get(task.campaign_id) ?? 0n };
      return [{ task: describeTask(task, campaign, facts, timeMs), position: task.position }];
    });
    return summarize(sortTasks(rows), own);
  }

  /** Returns the tasks that were completed now. */
  async evaluate(userId: number, timeMs: number): Promise<readonly string[]> {
    return (await this.#evaluate(userId, timeMs)).found;
  }

  async listCoupons(userId: number, timeMs: number): Promise<WelfareCoupons> {
    const { store, needs } = this.#parts;
    const [fees, others] = await Promise.all([store.listFeeCoupons(userId), needs.listOtherCoupons(userId, timeMs)]);
    const isFirst = ({ coupon_id, biz }: FeeCouponRow): boolean =>
      fees.find((row) => row.biz === biz && row.state === "OPEN")?.coupon_id === coupon_id;
    const coupons = [...fees.map((row) => describeFeeCoupon(row, !isFirst(row), timeMs)), ...others];
    return { coupons: coupons.sort((left, right) => left.expiresAtMs - right.expiresAtMs) };
  }

  async #evaluate(userId: number, timeMs: number) {
    const { store, needs } = this.#parts;
    await needs.settled(userId);
    const own = await this.#read(userId);
    const counts = new Map<string, bigint>();
    const done = new Map(own.done);
    const found: string[] = [];
    // A task that depends on another is checked after it, in any order.
    for (const task of inOrder(own.tasks)) {
      if (done.has(task.task_id) || timeMs < task.starts_ms || timeMs >= task.claim_until_ms) continue;
      const { kind, course, starts_ms: fromMs, ends_ms } = task;
      counts.set(
        task.task_id,
        await needs.count(userId, { kind, course, fromMs, toMs: Math.min(ends_ms, timeMs + 1) }),
      );
      const state = stateOf(task, factsOf(task, { ...own, done }, counts), timeMs);
      if (state !== "DONE") continue;
      done.set(task.task_id, timeMs);
      // Notified before it is stored, or a stop in between would lose the notice; notices are deduplicated.
      await this.#notify(userId, task, timeMs);
      if (await store.markDone(userId, task.task_id, timeMs)) found.push(task.task_id);
    }
    if (found.length > 0) needs.changed(userId);
    return { own: { ...own, done }, counts, found };
  }

  async #notify(userId: number, task: TaskRow, timeMs: number): Promise<void> {
    const until = new Date(task.claim_until_ms).toISOString().slice(0, 10);
    const body = `You may claim ${formatReward(readTerms(task.terms))} until ${until}.`;
    const notice = { reference: `task-done:${task.task_id}`, title: "A reward is ready for you", body };
    await this.#parts.needs.notify(userId, notice, timeMs);
  }

  async #read(userId: number): Promise<Own> {
    const { store } = this.#parts;
    const [tasks, campaigns, done, claims] = await Promise.all([
      store.listTasks(),
      store.listCampaigns(),
      store.listDone(userId),
      store.listClaims(userId),
    ]);
    return {
      tasks,
      campaigns: new Map(campaigns.map((row) => [row.campaign_id, row])),
      done: new Map(done.map(({ task_id, done_ms }) => [task_id, done_ms])),
      claims: new Map(claims.map((row) => [row.task_id, row])),
    };
  }
}

function factsOf(task: TaskRow, own: Own, counts: ReadonlyMap<string, bigint>) {
  return {
    count: counts.get(task.task_id) ?? 0n,
    isAfterDone: task.after_task === null || own.done.has(task.after_task),
    doneMs: own.done.get(task.task_id),
    claim: own.claims.get(task.task_id),
    isCampaignOpen: own.campaigns.get(task.campaign_id)?.is_open === true,
  };
}

/** A task comes after those it depends on; a cycle waits for ever. */
function inOrder(tasks: readonly TaskRow[]): TaskRow[] {
  const placed = new Set<string>();
  const ordered: TaskRow[] = [];
  let left = [...tasks];
  for (;;) {
    const next = left.filter(({ after_task }) => after_task === null || placed.has(after_task));
    if (next.length === 0) return [...ordered, ...left];
    for (const task of next) placed.add(task.task_id);
    ordered.push(...next);
    left = left.filter(({ task_id }) => !placed.has(task_id));
  }
}

function summarize(tasks: WelfareTask[], own: Own): WelfareTasks {
  const ready = tasks.filter(({ state, isSpent }) => state === "DONE" && !isSpent);
  const costs = new Map(own.tasks.map(({ task_id, cost_units }) => [task_id, cost_units]));
  const worth = ready.reduce((sum, { taskId }) => sum + (costs.get(taskId) ?? 0n), 0n);
  const claims = [...own.claims.values()].filter(({ state }) => state === "CLAIMED");
  const since = claims.map(({ claimed_ms, made_ms }) => claimed_ms ?? made_ms);
  return {
    tasks,
    toClaim: { count: ready.length, value: usdtText(worth) },
    claimed: {
      count: claims.length,
      value: usdtText(claims.reduce((sum, { cost_units }) => sum + cost_units, 0n)),
      sinceMs: since.length === 0 ? null : Math.min(...since),
    },
  };
}
