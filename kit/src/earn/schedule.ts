// Owns when a recurring buy is due: seven rhythms at a minute of the day in UTC. Pure; the first run fixes every other.
import { civilTime, DAY_MS, daysFromCivil, HOUR_MS, MINUTE_MS } from "../time.ts";

export const PLAN_RHYTHMS = ["1h", "4h", "12h", "day", "week", "twoWeeks", "month"] as const;
export type PlanRhythm = (typeof PLAN_RHYTHMS)[number];

export interface PlanSchedule {
  readonly rhythm: PlanRhythm;
  /** Of the day in UTC; hours repeat from it. */
  readonly minuteOfDay: number;
  /** 1 Monday to 7 Sunday; for weeks. */
  readonly weekday: number;
  /** 1 to 31; days a month does not have are its last. */
  readonly monthDay: number;
}

const STEP_MS: Readonly<Record<Exclude<PlanRhythm, "month">, number>> = {
  "1h": HOUR_MS,
  "4h": 4 * HOUR_MS,
  "12h": 12 * HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  twoWeeks: 14 * DAY_MS,
};
/** 1970 began on a Thursday: its first Monday was the fifth day. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The first due time after a moment, for a plan that has not run. */
export function firstRunMs(schedule: PlanSchedule, afterMs: number): number {
  const { rhythm, minuteOfDay, weekday } = schedule;
  if (rhythm === "month") return monthlyAfter(schedule, afterMs);
  const isWeekly = rhythm === "week" || rhythm === "twoWeeks";
  const phaseMs = minuteOfDay * MINUTE_MS + (isWeekly ? FIRST_MONDAY_MS + (weekday - 1) * DAY_MS : 0);
  // A fortnight starts with the next such weekday, not with the calendar's.
  return stepAfter(phaseMs, rhythm === "twoWeeks" ? STEP_MS.week : STEP_MS[rhythm], afterMs);
}

/** The first due time after a moment, for a plan that was due before. */
export function nextRunMs(schedule: PlanSchedule, dueMs: number, afterMs: number): number {
  if (schedule.rhythm === "month") return monthlyAfter(schedule, Math.max(dueMs, afterMs));
  return stepAfter(dueMs, STEP_MS[schedule.rhythm], Math.max(dueMs, afterMs));
}

function stepAfter(phaseMs: number, stepMs: number, afterMs: number): number {
  return phaseMs + (Math.floor((afterMs - phaseMs) / stepMs) + 1) * stepMs;
}

function monthlyAfter({ monthDay, minuteOfDay }: PlanSchedule, afterMs: number): number {
  const { year, month } = civilTime(afterMs);
  for (let index = year * 12 + month - 1; ; index++) {
    const first = daysFromCivil(Math.floor(index / 12), (index % 12) + 1, 1);
    const following = daysFromCivil(Math.floor((index + 1) / 12), ((index + 1) % 12) + 1, 1);
    const dueMs = Math.min(first + monthDay - 1, following - 1) * DAY_MS + minuteOfDay * MINUTE_MS;
    if (dueMs > afterMs) return dueMs;
  }
}

/** The part of a sum for each weight in percent; the first takes the rounding remainder. */
export function splitByWeights(totalUnits: bigint, weights: readonly number[]): bigint[] {
  const parts = weights.map((weight) => (totalUnits * BigInt(weight)) / 100n);
  const left = totalUnits - parts.reduce((sum, part) => sum + part, 0n);
  return parts.map((part, index) => (index === 0 ? part + left : part));
}
