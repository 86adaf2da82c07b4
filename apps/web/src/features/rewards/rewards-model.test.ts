// What the reward page says of tasks and coupons.
import type { WelfareTask } from "@clockwork/domains/rewards/api";
import { expect, test } from "vitest";
import { filterTasks, money, percentOf, plain, quarterOf, shareOf, sumLeft, taskPath } from "./rewards-model.ts";

test("[USR-5] figures are said as money and percent, and never more than the target", () => {
  expect(money("1234.5")).toBe("1,234.50");
  expect(plain("3")).toBe("3");
  expect(plain("640.987")).toBe("640.98");
  expect(percentOf("0.01")).toBe("1.00");
  expect(shareOf({ progress: "640.98", target: "1000" })).toBeCloseTo(0.64098);
  expect(shareOf({ progress: "3", target: "1" })).toBe(1);
  expect(quarterOf("80")).toBe("20.00");
  expect(sumLeft([{ left: "80" }, { left: "40.5" }])).toBe("120.5");
});

test("[USR-5] quizzes are the college's, the rest is for you", () => {
  const tasks = [{ kind: "quiz" }, { kind: "copy" }] as WelfareTask[];
  expect(filterTasks(tasks, "college").map(({ kind }) => kind)).toEqual(["quiz"]);
  expect(filterTasks(tasks, "you").map(({ kind }) => kind)).toEqual(["copy"]);
  expect(filterTasks(tasks, "all")).toHaveLength(2);
  expect(taskPath({ kind: "quiz", course: "first-steps" })).toBe("/college/first-steps");
});
