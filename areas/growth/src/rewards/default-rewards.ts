// The rewards of the default run, marked as simulated: a campaign of first steps for a quarter and spring cards for a
// month, each with a budget from the reserves. When their time is over the next ones follow.

import { DAY_MS } from "@clockwork/kit/time";
import type { MoneyEnd } from "../spring/needs.ts";
import { writePrizes } from "../spring/rules.ts";
import type { ActivityRow, SpringStore } from "../spring/store.ts";
import type { Reward, TaskPayload } from "./contract.ts";
import type { RewardDesk } from "./desk-service.ts";
import type { RewardStore } from "./store.ts";

const QUARTER_MS = 90 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const CLAIM_MS = 14 * DAY_MS;
const usdt = (whole: number): bigint => BigInt(whole) * 1_000_000n;

export interface DefaultParts {
  readonly desk: RewardDesk;
  readonly store: RewardStore;
  readonly springs: SpringStore;
  fund(campaignNumber: number, amountUnits: bigint, reference: string): Promise<MoneyEnd>;
}

/** A repeat adds what is missing. */
export async function offerRewards(parts: DefaultParts, nowMs: number): Promise<void> {
  await offerSteps(parts, Math.floor(nowMs / QUARTER_MS), nowMs);
  await offerSpring(parts, Math.floor(nowMs / MONTH_MS), nowMs);
}

interface Step {
  readonly name: string;
  readonly kind: TaskPayload["kind"];
  readonly target: string;
  readonly reward: Reward;
  readonly level: number;
  readonly course?: string;
  readonly after?: string;
}

const gold = (amount: string): Reward => ({ kind: "gold", amount, days: 14, ratioPercent: 100, maxLeverage: 20 });
const fees = (amount: string): Reward => ({ kind: "feeCoupon", amount, biz: "spot", ratioPercent: 50, days: 30 });
const INTEREST: Reward = {
  kind: "earnCoupon",
  product: "flexible",
  rate: "0.01",
  cap: "1000",
  days: 7,
  validDays: 30,
};

const STEPS: readonly Step[] = [
  { name: "order", kind: "limitOrder", target: "1", reward: fees("5"), level: 1 },
  { name: "deposit", kind: "deposit", target: "1", reward: gold("10"), level: 1 },
  { name: "spot", kind: "spotVolume", target: "1000", reward: fees("10"), level: 1 },
  {
    name: "quiz",
    kind: "quiz",
    // As many lessons as the course has.
    target: "3",
    course: "first-steps",
    reward: { kind: "airdrop", amount: "2" },
    level: 1,
  },
  { name: "copy", kind: "copy", target: "1", reward: gold("20"), level: 1 },
  {
    name: "futures",
    kind: "futuresVolume",
    target: "5000",
    reward: { kind: "spotCoupon", amount: "10", asset: "SOL", volume: "2000", days: 30 },
    level: 1,
  },
  { name: "earn", kind: "earn", target: "500", reward: INTEREST, level: 1, after: "spot" },
  { name: "invite", kind: "invite", target: "1", reward: gold("15"), level: 1 },
];

async function offerSteps({ desk, store, fund }: DefaultParts, period: number, nowMs: number): Promise<void> {
  const campaignId = `first-steps-${period}`;
  const named = (name: string): string => `${name}-${period}`;
  if ((await store.findTask(named("invite"))) !== undefined) return;
  const campaign = await desk.addCampaign({ campaignId, name: "First steps", isSimulated: true, timeMs: nowMs });
  if (campaign === undefined) return;
  if ((await fund(campaign.number, usdt(50_000), `rewards:${campaignId}`)) !== "done") return;
  const endsAtMs = (period + 1) * QUARTER_MS;
  for (const [position, { name, level, after, course = "", ...step }] of STEPS.entries()) {
    const task: TaskPayload = {
      ...step,
      taskId: named(name),
      campaignId,
      course,
      after: after === undefined ? null : named(after),
      levelNeeded: level,
      startsAtMs: period * QUARTER_MS,
      endsAtMs,
      claimUntilMs: endsAtMs + CLAIM_MS,
      position,
    };
    const row = await desk.readTask(task, nowMs);
    if (!("code" in row)) await store.addTask(row);
  }
}

async function offerSpring({ desk, springs, fund }: DefaultParts, period: number, nowMs: number): Promise<void> {
  const id = `spring-${period}`;
  const activity = springOf(id, period);
  if ((await springs.findActivityById(id)) !== undefined || (await springs.findOverlap(activity)) !== undefined) return;
  const made = { campaignId: id, name: activity.name, isSimulated: true, timeMs: nowMs };
  const campaign = await desk.addCampaign(made);
  if (campaign === undefined) return;
  if ((await fund(campaign.number, usdt(20_000), `rewards:${id}`)) !== "done") return;
  await springs.openActivity(activity);
}

function springOf(id: string, period: number): ActivityRow {
  return {
    activity_id: id,
    campaign_id: id,
    name: "Spring cards",
    starts_ms: period * MONTH_MS,
    ends_ms: (period + 1) * MONTH_MS,
    volume_units: usdt(500),
    draws_max: 20,
    prizes: writePrizes([
      { count: 1, units: usdt(100) },
      { count: 9, units: usdt(20) },
      { count: 30, units: usdt(5) },
      { count: 60, units: usdt(2) },
    ]),
    is_open: true,
    is_simulated: true,
  };
}
