// Pure rules of rewards: states of tasks, the maximum cost of a reward, texts. Never rounds against the budget: costs
// round up, returns round down.
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { Reward, TaskKind, TaskState, WelfareCoupon, WelfareTask } from "./contract.ts";
import type { PaidFee } from "./needs.ts";
import type { CampaignRow, ClaimRow, FeeCouponRow, TaskRow } from "./store.ts";

export const USDT_SCALE = 6;
/** Rewards with a monetary value require an identity. */
const LEVEL_MIN = 1;
const BPS = 10_000n;
const RATE_SCALE = 8;
const RATE_ONE = 100_000_000n;
const YEAR_DAYS = 365n;
/** Tables may lag: a coupon's last fees are awaited before the rest is returned. */
export const SETTLING_MS = 60_000;

const MONEY_KINDS: readonly TaskKind[] = ["spotVolume", "futuresVolume", "earn"];
export const isMoneyKind = (kind: TaskKind): boolean => MONEY_KINDS.includes(kind);

export const usdtText = (amountUnits: bigint): string => formatUnits(units(amountUnits), USDT_SCALE);
export function usdtUnits(text: string): bigint | undefined {
  const read = parseUnits(text, USDT_SCALE);
  return read.done ? read.value : undefined;
}

/** Progress and targets: money or a plain count. */
export function formatCount(kind: TaskKind, value: bigint): string {
  return isMoneyKind(kind) ? usdtText(value) : value.toString();
}

export function readTarget(kind: TaskKind, text: string): bigint | undefined {
  if (isMoneyKind(kind)) return usdtUnits(text);
  return /^\d{1,6}$/.test(text) ? BigInt(text) : undefined;
}

/** The cost of a claim to the budget: the amount, or all the interest a coupon can ever add. */
export function costOf(reward: Reward): bigint | undefined {
  if (reward.kind !== "earnCoupon") return usdtUnits(reward.amount);
  const cap = usdtUnits(reward.cap);
  const rate = parseUnits(reward.rate, RATE_SCALE);
  if (cap === undefined || !rate.done) return undefined;
  const all = cap * rate.value * BigInt(reward.days);
  const whole = RATE_ONE * YEAR_DAYS;
  return (all + whole - 1n) / whole;
}

/**
 * When the unused part of a reward is determined; null where nothing can be left, and for gold, which the core returns.
 */
export function endOf(reward: Reward, madeMs: number): number | null {
  if (reward.kind === "airdrop" || reward.kind === "gold") return null;
  return madeMs + (reward.kind === "earnCoupon" ? reward.validDays : reward.days) * DAY_MS;
}

/** The minimum worth in USDT for a deposit to count. */
export const DEPOSIT_LEAST_UNITS = 10_000_000n;

export interface TaskFacts {
  readonly count: bigint;
  readonly isAfterDone: boolean;
  /** When it was completed; undefined before. */
  readonly doneMs: number | undefined;
  readonly claim: ClaimRow | undefined;
  readonly isCampaignOpen: boolean;
}

export function stateOf(task: TaskRow, facts: TaskFacts, timeMs: number): TaskState {
  if (facts.claim?.state === "CLAIMED") return "CLAIMED";
  if (facts.doneMs !== undefined) return timeMs < task.claim_until_ms ? "DONE" : "EXPIRED";
  if (!task.is_open || !facts.isCampaignOpen || timeMs >= task.claim_until_ms) return "EXPIRED";
  if (timeMs < task.starts_ms || !facts.isAfterDone) return timeMs >= task.ends_ms ? "EXPIRED" : "LOCKED";
  // Counting ends with the task, so an existing sum was in time.
  if (facts.count >= task.target) return "DONE";
  return timeMs >= task.ends_ms ? "EXPIRED" : "OPEN";
}

export const readTerms = (terms: string): Reward => JSON.parse(terms) as Reward;

const ORDER: readonly TaskState[] = ["DONE", "OPEN", "LOCKED", "CLAIMED", "EXPIRED"];

/** Claimable, open, locked, then closed ones; each in the operators' order. */
export function sortTasks(tasks: readonly { readonly task: WelfareTask; readonly position: number }[]): WelfareTask[] {
  return [...tasks]
    .sort(
      (left, right) =>
        ORDER.indexOf(left.task.state) - ORDER.indexOf(right.task.state) ||
        left.position - right.position ||
        (left.task.taskId < right.task.taskId ? -1 : 1),
    )
    .map(({ task }) => task);
}

export function describeTask(
  task: TaskRow,
  campaign: CampaignRow,
  facts: TaskFacts & { readonly leftUnits: bigint },
  timeMs: number,
): WelfareTask {
  const state = stateOf(task, facts, timeMs);
  const isThere = facts.count > task.target || facts.doneMs !== undefined || state === "CLAIMED";
  return {
    taskId: task.task_id,
    campaignId: task.campaign_id,
    kind: task.kind,
    state,
    target: formatCount(task.kind, task.target),
    progress: formatCount(task.kind, isThere ? task.target : facts.count),
    course: task.course === "" ? null : task.course,
    after: task.after_task,
    levelNeeded: Math.max(LEVEL_MIN, task.level_min),
    reward: readTerms(task.terms),
    value: usdtText(task.cost_units),
    isSpent: state !== "CLAIMED" && facts.leftUnits < task.cost_units,
    isSimulated: campaign.is_simulated,
    startsAtMs: task.starts_ms,
    endsAtMs: task.ends_ms,
    claimUntilMs: task.claim_until_ms,
    doneAtMs: facts.doneMs ?? null,
    claimedAtMs: facts.claim?.claimed_ms ?? null,
  };
}

export interface FeesBack {
  /** USDT units. */
  readonly usdtUnits: bigint;
  /** The same for each hour, in the coins the fees were paid in. */
  readonly hours: readonly { readonly hour: number; readonly asset: number; readonly backUnits: bigint }[];
}

/** A part of each fee, rounded down, as long as the coupon lasts. The rest of a fee in its own coin rounds down too. */
export function feeBack(coupon: FeeCouponRow, fees: readonly PaidFee[]): FeesBack {
  let left = coupon.face_units - coupon.paid_units - coupon.pending_units;
  let usdtUnits = 0n;
  const hours = new Map<string, FeesBack["hours"][number]>();
  for (const { timeMs, asset, feeUnits, worthUnits } of fees) {
    const share = (worthUnits * BigInt(coupon.ratio_bps)) / BPS;
    const back = share < left ? share : left;
    if (back <= 0n) continue;
    left -= back;
    usdtUnits += back;
    if (asset === null) continue;
    const hour = Math.floor(timeMs / HOUR_MS);
    const backUnits = (feeUnits * back + worthUnits - 1n) / worthUnits;
    const key = `${hour}:${asset}`;
    hours.set(key, { hour, asset, backUnits: (hours.get(key)?.backUnits ?? 0n) + backUnits });
  }
  return { usdtUnits, hours: [...hours.values()] };
}

export function describeFeeCoupon(row: FeeCouponRow, isWaiting: boolean, timeMs: number): WelfareCoupon {
  const left = row.face_units - row.paid_units - row.pending_units;
  const state = row.state === "USED" || left === 0n ? "USED" : timeMs >= row.expires_ms ? "ENDED" : "USABLE";
  return {
    couponId: row.coupon_id,
    kind: "fee",
    state,
    face: usdtText(row.face_units),
    left: usdtText(left),
    biz: row.biz,
    ratioPercent: Math.floor(row.ratio_bps / 100),
    isWaiting: isWaiting && state === "USABLE",
    asset: "USDT",
    product: null,
    rate: null,
    cap: null,
    days: null,
    volumeNeeded: null,
    volumeDone: null,
    isReady: false,
    expiresAtMs: row.expires_ms,
  };
}

/** A reward in one phrase, for letters and proposals. */
export function formatReward(reward: Reward): string {
  switch (reward.kind) {
    case "airdrop":
      return `${reward.amount} USDT`;
    case "gold":
      return `${reward.amount} USDT of almighty gold for ${reward.days} days`;
    case "spotCoupon":
      return `a coupon of ${reward.amount} USDT in ${reward.asset} after ${reward.volume} USDT of spot turnover`;
    case "earnCoupon":
      return `a coupon of +${percentText(reward.rate)} % interest on ${reward.cap} USDT for ${reward.days} days`;
    case "feeCoupon":
      return `a fee coupon of ${reward.amount} USDT, ${reward.ratioPercent} % of each ${reward.biz} fee`;
  }
}

export function percentText(rate: string): string {
  const read = parseUnits(rate, RATE_SCALE);
  return read.done ? formatUnits(units(read.value), RATE_SCALE - 2) : rate;
}
