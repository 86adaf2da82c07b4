// When a job is due and the delay after a failure. Pure: a schedule is a step and its offset.
import type { Job, JobSchedule } from "@clockwork/host/job";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";

const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday: its first Monday was the fifth day. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const NAME = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9-]*)+$/;

const RETRY_MS = 1_000;
const RETRY_MS_MAX = 600_000;

export interface Steps {
  readonly stepMs: number;
  readonly phaseMs: number;
}

/** Throws for an invalid schedule: a programming error, found at the start. */
export function stepsOf(schedule: JobSchedule): Steps {
  if ("everyMs" in schedule) {
    const { everyMs } = schedule;
    if (!Number.isSafeInteger(everyMs) || everyMs < 1_000) throw new Error("JOB-1: a job is due every second at most");
    return { stepMs: everyMs, phaseMs: 0 };
  }
  if ("dailyAt" in schedule) return { stepMs: DAY_MS, phaseMs: readTime(schedule.dailyAt) };
  return { stepMs: WEEK_MS, phaseMs: FIRST_MONDAY_MS + (schedule.weeklyOn - 1) * DAY_MS + readTime(schedule.at) };
}

function readTime(text: string): number {
  const found = TIME.exec(text);
  if (found === null) throw new Error(`JOB-1: ${text} is no time of day`);
  return Number(found[1]) * 60 * MINUTE_MS + Number(found[2]) * MINUTE_MS;
}

/** The latest due time that is not after. */
export function lastDueMs({ stepMs, phaseMs }: Steps, timeMs: number): number {
  return phaseMs + Math.floor((timeMs - phaseMs) / stepMs) * stepMs;
}

/** The due time to be run next, after the last one that was. */
export function nextDueMs(steps: Steps, missed: NonNullable<Job["missed"]>, ranMs: number, nowMs: number): number {
  const next = lastDueMs(steps, ranMs) + steps.stepMs;
  return missed === "latest" ? Math.max(next, lastDueMs(steps, nowMs)) : next;
}

export function retryMs(failures: number): number {
  return Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** Math.min(20, failures - 1));
}

export function requireName(name: string): void {
  if (!NAME.test(name) || name.length > 64) throw new Error(`JOB-1: ${name} is no name of a job: slice.noun`);
}
