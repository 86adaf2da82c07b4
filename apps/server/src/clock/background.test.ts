// Background work reports its own failures.

import { every, inBackground, later, reportBackground } from "@clockwork/host/time/background";
import { afterEach, expect, test } from "vitest";

const found: string[] = [];
afterEach(() => void found.splice(0));
reportBackground((name, error) => void found.push(`${name}: ${error instanceof Error ? error.message : error}`));

test("[OPS-9] what a timer callback throws or rejects with is reported, and the timer continues", async () => {
  let turns = 0;
  const turn = (): unknown => {
    turns += 1;
    if (turns % 2 === 0) throw new Error("no space");
    return Promise.reject(new Error("read-only"));
  };
  const timer = every("a timer", turn, 1);
  later("once", () => Promise.reject(new Error("late")), 1);
  await expect.poll(() => turns).toBeGreaterThan(4);
  clearInterval(timer);
  expect(found.filter((line) => line !== "once: late").slice(0, 3)).toEqual([
    "a timer: read-only",
    "a timer: no space",
    "a timer: read-only",
  ]);
  expect(found).toContain("once: late");
});

test("[OPS-9] background work starts at once and reports only failures", () => {
  const done: number[] = [];
  inBackground("work", () => done.push(1));
  inBackground("work", async () => done.push(2));
  expect([done, found]).toEqual([[1, 2], []]);
});
