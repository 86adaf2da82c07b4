import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inGroups } from "./in-groups.ts";

test("[WAL-2] groups follow each other, and outcomes are in the order of their items", async () => {
  let [underWay, most] = [0, 0];
  const outcomes = await inGroups([5, 4, 3, 2, 1], 2, async (turns) => {
    most = Math.max(most, ++underWay);
    for (let count = 0; count < turns; count += 1) await turn();
    underWay -= 1;
    return turns * 10;
  });
  expect([outcomes, most]).toEqual([[50, 40, 30, 20, 10], 2]);
});

test("[WAL-2] a failure is thrown when the others of its group are over, and nothing starts after it", async () => {
  const seen: string[] = [];
  const work = inGroups(["bad", "slow", "later"], 2, async (name) => {
    seen.push(name);
    if (name === "bad") throw new Error("no");
    for (let count = 0; count < 20; count += 1) await turn();
    seen.push(`${name} is over`);
  });
  await expect(work).rejects.toThrow("no");
  expect(seen).toEqual(["bad", "slow", "slow is over"]);
});
