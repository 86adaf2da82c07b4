// How the reward page shows tasks and coupons.
import type { WelfareCoupon, WelfareTask } from "@clockwork/growth/rewards/contract";
import { expect, test } from "vitest";
import {
  couponPath,
  filterTasks,
  money,
  moneyOf,
  percentOf,
  plain,
  quarterOf,
  shareOf,
  sumLeft,
  taskPath,
} from "./rewards-model.ts";

test("[USR-5] figures are shown as money and percent, and never more than the target", () => {
  expect(money("1234.5")).toBe("1,234.50");
  expect(plain("3")).toBe("3");
  expect(plain("640.987")).toBe("640.98");
  expect(plain("964.3")).toBe("964.30");
  expect(plain("5000.00")).toBe("5,000");
  expect(percentOf("0.01")).toBe("1.00");
  expect(shareOf({ progress: "640.98", target: "1000" })).toBeCloseTo(0.64098);
  expect(shareOf({ progress: "3", target: "1" })).toBe(1);
  expect(quarterOf("80", "USDT")).toBe("20.00");
  // Gold of a coin is listed next to gold of another, and is never added to it.
  const gold = [
    { left: "80", asset: "USDT" },
    { left: "40.5", asset: "USDT" },
    { left: "0.0031", asset: "BTC" },
  ];
  expect(sumLeft(gold, "USDT")).toBe("120.5");
  expect(quarterOf(sumLeft(gold, "BTC"), "BTC")).toBe("0.000775");
  expect(moneyOf("0.0031", "BTC")).toBe("0.0031");
});

test("[USR-5] quizzes are the college's, the rest is for you", () => {
  const tasks = [{ kind: "quiz" }, { kind: "copy" }] as WelfareTask[];
  expect(filterTasks(tasks, "college").map(({ kind }) => kind)).toEqual(["quiz"]);
  expect(filterTasks(tasks, "you").map(({ kind }) => kind)).toEqual(["copy"]);
  expect(filterTasks(tasks, "all")).toHaveLength(2);
  expect(taskPath({ kind: "quiz", course: "first-steps" })).toBe("/college/first-steps");
});

test("[USR-5] a coupon leads to where it is used", () => {
  const path = (coupon: Partial<WelfareCoupon>) => couponPath(coupon as WelfareCoupon);
  expect(path({ kind: "fee", biz: "spot" })).toBe("/spot");
  expect(path({ kind: "fee", biz: "futures" })).toBe("/futures");
  expect(path({ kind: "earn", product: "fixed" })).toBe("/earn/fixed");
  expect(path({ kind: "earn", product: "flexible" })).toBe("/earn/flexible");
  expect(path({ kind: "bonus" })).toBe("/spot/BTC_USDT?coupons=1");
});
