import { expect, test } from "vitest";
import { lastDueMs, nextDueMs, requireName, retryMs, stepsOf } from "./rules.ts";

const at = (text: string): number => Date.parse(`${text}Z`);
const reply = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 16);

test("[JOB-1] schedules are at full steps, times of day and weekdays of UTC", () => {
  const nowMs = at("2026-05-06T10:20:30"); // a Wednesday
  const last = (schedule: Parameters<typeof stepsOf>[0]) => reply(lastDueMs(stepsOf(schedule), nowMs));
  expect(last({ everyMs: 3_600_000 })).toBe("2026-05-06T10:00");
  expect(last({ everyMs: 600_000 })).toBe("2026-05-06T10:20");
  expect(last({ dailyAt: "00:00" })).toBe("2026-05-06T00:00");
  expect(last({ dailyAt: "10:20" })).toBe("2026-05-06T10:20");
  expect(last({ dailyAt: "10:21" })).toBe("2026-05-05T10:21");
  expect(last({ weeklyOn: 1, at: "08:00" })).toBe("2026-05-04T08:00");
  expect(last({ weeklyOn: 3, at: "10:20" })).toBe("2026-05-06T10:20");
  expect(last({ weeklyOn: 3, at: "10:30" })).toBe("2026-04-29T10:30");
  expect(last({ weeklyOn: 7, at: "23:59" })).toBe("2026-05-03T23:59");
});

test("[JOB-1] what was missed is run one after the other, or the latest for all", () => {
  const steps = stepsOf({ dailyAt: "00:00" });
  const [ran, now] = [at("2026-05-01T00:00"), at("2026-05-04T12:00")];
  expect(reply(nextDueMs(steps, "each", ran, now))).toBe("2026-05-02T00:00");
  expect(reply(nextDueMs(steps, "latest", ran, now))).toBe("2026-05-04T00:00");
  expect(reply(nextDueMs(steps, "latest", at("2026-05-04T00:00"), now))).toBe("2026-05-05T00:00");
});

test("[JOB-1] a failed run waits longer each time, ten minutes at most", () => {
  expect([1, 2, 3, 10, 11, 500].map(retryMs)).toEqual([1_000, 2_000, 4_000, 512_000, 600_000, 600_000]);
});

test("[JOB-1] an invalid schedule or name is found at the start", () => {
  expect(() => stepsOf({ everyMs: 10 })).toThrow("JOB-1");
  expect(() => stepsOf({ dailyAt: "24:00" })).toThrow("JOB-1");
  expect(() => stepsOf({ weeklyOn: 1, at: "8:00" })).toThrow("JOB-1");
  for (const name of ["", "earn", "Earn.accrual", "earn.", "earn accrual"]) {
    expect(() => requireName(name)).toThrow("JOB-1");
  }
  requireName("earn.accrual");
  requireName("vip.daily-levels");
});
