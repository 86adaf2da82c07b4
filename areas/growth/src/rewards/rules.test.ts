// Pure rules of rewards: states of tasks by progress and time, costs of rewards, returns of fee coupons.
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { costOf, endOf, feeBack, readTarget, sortTasks, stateOf } from "./rules.ts";
import type { ClaimRow, FeeCouponRow, TaskRow } from "./store.ts";

const task: TaskRow = {
  task_id: "t",
  campaign_id: "c",
  kind: "spotVolume",
  target: 1_000n,
  course: "",
  after_task: null,
  level_min: 0,
  reward: "airdrop",
  cost_units: 5n,
  terms: '{"kind":"airdrop","amount":"0.000005"}',
  starts_ms: 100,
  ends_ms: 200,
  claim_until_ms: 300,
  position: 0,
  is_open: true,
  created_ms: 0,
};
const facts = { count: 0n, isAfterDone: true, doneMs: undefined, claim: undefined, isCampaignOpen: true };
const claim = (state: ClaimRow["state"]) => ({ state }) as ClaimRow;

test("[USR-5] a task is locked, open, done, claimed or expired, by its progress and its times", () => {
  expect(stateOf(task, facts, 99)).toBe("LOCKED");
  expect(stateOf(task, { ...facts, isAfterDone: false, count: 1_000n }, 150)).toBe("LOCKED");
  expect(stateOf(task, { ...facts, count: 999n }, 150)).toBe("OPEN");
  expect(stateOf(task, { ...facts, count: 1_000n }, 150)).toBe("DONE");
  expect(stateOf(task, { ...facts, count: 999n }, 200)).toBe("EXPIRED");
  // A fact within the time is found later too, until the claims end.
  expect(stateOf(task, { ...facts, count: 1_000n }, 299)).toBe("DONE");
  expect(stateOf(task, { ...facts, doneMs: 150 }, 299)).toBe("DONE");
  expect(stateOf(task, { ...facts, doneMs: 150 }, 300)).toBe("EXPIRED");
  expect(stateOf(task, { ...facts, doneMs: 150, claim: claim("INTENDED") }, 250)).toBe("DONE");
  expect(stateOf(task, { ...facts, doneMs: 150, claim: claim("CLAIMED") }, 900)).toBe("CLAIMED");
});

test("[USR-5] a closed campaign ends open tasks and honours completed ones", () => {
  expect(stateOf({ ...task, is_open: false }, facts, 150)).toBe("EXPIRED");
  expect(stateOf(task, { ...facts, isCampaignOpen: false, count: 1_000n }, 150)).toBe("EXPIRED");
  expect(stateOf(task, { ...facts, isCampaignOpen: false, doneMs: 120 }, 150)).toBe("DONE");
});

test("[USR-5] an interest coupon costs the maximum it can ever add, rounded up; others their amount", () => {
  const interest = { kind: "earnCoupon", product: "flexible", days: 7, validDays: 30 } as const;
  // 1 000 USDT × 1 % × 7 / 365 = 0.19178082…
  expect(costOf({ ...interest, rate: "0.01", cap: "1000" })).toBe(191_781n);
  expect(costOf({ kind: "airdrop", amount: "2.5" })).toBe(2_500_000n);
  expect(endOf({ kind: "airdrop", amount: "1" }, 5)).toBeNull();
  expect(endOf({ ...interest, rate: "0.01", cap: "1" }, 5)).toBe(5 + 30 * DAY_MS);
});

test("[USR-5] targets are money or whole counts", () => {
  expect(readTarget("spotVolume", "1000.5")).toBe(1_000_500_000n);
  expect(readTarget("copy", "2")).toBe(2n);
  expect(readTarget("copy", "0.5")).toBeUndefined();
});

test("[USR-5] a fee coupon returns its part of each fee, rounded down, and never more than its remainder", () => {
  const coupon = { ratio_bps: 5_000, face_units: 100n, paid_units: 60n, pending_units: 0n } as FeeCouponRow;
  const fee = (worthUnits: bigint, feeUnits = worthUnits, timeMs = 0) =>
    ({ sequence: 1, timeMs, asset: 7, feeUnits, worthUnits }) as const;
  expect(feeBack(coupon, [fee(3n), fee(3n)]).usdtUnits).toBe(2n);
  expect(feeBack(coupon, [fee(1_000n)]).usdtUnits).toBe(40n);
  // In the fee's own coin by the hour, so that the net fee rounds down; nothing once the coupon is used up.
  const { usdtUnits, hours } = feeBack(coupon, [fee(20n, 5n), fee(50n, 7n, HOUR_MS), fee(90n, 9n, HOUR_MS), fee(1n)]);
  expect(usdtUnits).toBe(40n);
  expect(hours).toEqual([
    { hour: 0, asset: 7, backUnits: 3n },
    { hour: 1, asset: 7, backUnits: 4n + 1n },
  ]);
});

test("[USR-5] claimable tasks come first, then open, locked and over", () => {
  const rows = (["EXPIRED", "CLAIMED", "LOCKED", "OPEN", "DONE"] as const).map((state, position) => ({
    task: { state, taskId: state } as never,
    position,
  }));
  expect(sortTasks(rows).map(({ state }) => state)).toEqual(["DONE", "OPEN", "LOCKED", "CLAIMED", "EXPIRED"]);
});
