// What the reward page shows of tasks, rewards and coupons, as words and figures. Pure.
import type { Reward, WelfareCoupon, WelfareTask } from "@clockwork/growth/rewards/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { RewardsText } from "#words/rewards-text.ts";

/** Of any coin in the ledger. */
const COIN_SCALE = 8;
const RATE_SCALE = 8;
const SOON_MS = 4 * DAY_MS;

/** At least two decimals, as money is written. */
export const money = (amount: string): string => formatDecimal(amount, { grouped: true, decimals: 2 });
/** Whole where it is whole, else as money is written. */
export const plain = (amount: string): string =>
  formatDecimal(amount, { grouped: true, decimals: /\.0*[1-9]/.test(amount) ? 2 : 0 });

export function percentOf(rate: string): string {
  const read = parseUnits(rate, RATE_SCALE);
  return read.done ? formatDecimal(formatUnits(units(read.value), RATE_SCALE - 2), { decimals: 2 }) : rate;
}

export type TaskFilter = "all" | "you" | "college";

export function filterTasks(tasks: readonly WelfareTask[], filter: TaskFilter): readonly WelfareTask[] {
  if (filter === "all") return tasks;
  return tasks.filter(({ kind }) => (kind === "quiz") === (filter === "college"));
}

/** `courses` are titles by slug. */
export function describeTask(
  text: RewardsText,
  task: Pick<WelfareTask, "kind" | "target" | "course">,
  courses: Readonly<Record<string, string>>,
): string {
  const { kind, target, course } = task;
  return text(`task.${kind}`, { target: plain(target), course: courses[course ?? ""] ?? course ?? "" });
}

export function formatReward(text: RewardsText, reward: Reward): string {
  switch (reward.kind) {
    case "earnCoupon":
      return text("reward.earnCoupon", { rate: percentOf(reward.rate) });
    case "spotCoupon":
      return text("reward.spotCoupon", { amount: plain(reward.amount), coin: reward.asset });
    default:
      return text(`reward.${reward.kind}`, { amount: plain(reward.amount) });
  }
}

/** Where a task is worked on. */
export function taskPath({ kind, course }: Pick<WelfareTask, "kind" | "course">): string {
  const paths = {
    deposit: "/wallet/deposit",
    limitOrder: "/spot",
    spotVolume: "/spot",
    futuresVolume: "/futures",
    copy: "/copy",
    earn: "/earn/flexible",
    quiz: `/college/${course ?? ""}`,
    invite: "/invite",
  } as const;
  return paths[kind];
}

/** How far it is: money as money, a count as a count. */
export function formatProgress(
  text: RewardsText,
  { progress, target }: Pick<WelfareTask, "progress" | "target">,
): string {
  return text("tasks.of", { done: plain(progress), target: plain(target) });
}

/** 0 to 1, for a bar. */
export function shareOf({ progress, target }: Pick<WelfareTask, "progress" | "target">): number {
  const [done, all] = [Number.parseFloat(progress), Number.parseFloat(target)];
  return all > 0 ? Math.min(1, done / all) : 0;
}

/** Where a usable coupon is used. */
export function couponPath({ kind, biz, product }: WelfareCoupon): string {
  if (kind === "earn") return product === "fixed" ? "/earn/fixed" : "/earn/flexible";
  if (kind === "fee") return biz === "futures" ? "/futures" : "/spot";
  // The terminal opens them where they become coin.
  return "/spot/BTC_USDT?coupons=1";
}

export const isSoon = (expiresAtMs: number, nowMs: number): boolean => expiresAtMs - nowMs < SOON_MS;

/** Of any coin, also one whose hundredths are worth much. */
export const moneyOf = (amount: string, coin: string): string =>
  coin === "USDT" ? money(amount) : formatCoins(amount);

/** A quarter of the remaining gold, for the warning. */
export function quarterOf(left: string, coin: string): string {
  const read = parseUnits(left, COIN_SCALE);
  return read.done ? moneyOf(formatUnits(units(read.value / 4n), COIN_SCALE), coin) : left;
}

/** Of one coin. */
export function sumLeft(grants: readonly { readonly left: string; readonly asset: string }[], coin: string): string {
  const sum = grants.reduce((total, { left, asset }) => {
    const read = parseUnits(left, COIN_SCALE);
    return total + (asset === coin && read.done ? read.value : 0n);
  }, 0n);
  return formatUnits(units(sum), COIN_SCALE);
}
