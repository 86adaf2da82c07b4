// A reward refused for lack of budget runs from when there is money for it, and not from the first try: a coupon of
// seven days that waited a week would otherwise be over when it is given.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Database } from "@clockwork/server/storage/database";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import type { MoneyEnd } from "../spring/needs.ts";
import { ClaimService } from "./claim-service.ts";
import type { Given, RewardNeeds } from "./needs.ts";
import { rewardStore, type TaskRow } from "./store.ts";
import { TaskService } from "./task-service.ts";

const START_MS = Date.UTC(2026, 2, 2);
const REWARD = { kind: "feeCoupon", amount: "5", biz: "spot", ratioPercent: 50, days: 7 } as const;
const CAMPAIGN = {
  campaign_id: "spring",
  name: "Spring",
  is_open: true,
  is_simulated: false,
  created_ms: START_MS,
};
const TASK: TaskRow = {
  task_id: "first",
  campaign_id: "spring",
  target: 1n,
  course: "",
  after_task: null,
  kind: "copy",
  level_min: 0,
  reward: REWARD.kind,
  cost_units: 5_000_000n,
  terms: JSON.stringify(REWARD),
  starts_ms: START_MS,
  ends_ms: START_MS + 60 * DAY_MS,
  claim_until_ms: START_MS + 60 * DAY_MS,
  position: 1,
  is_open: true,
  created_ms: START_MS,
};

function openRewards(database: Database) {
  const store = rewardStore(database.kysely);
  const given: Given[] = [];
  let answer: MoneyEnd = { code: "INSUFFICIENT_BALANCE" };
  const needs: Partial<RewardNeeds> = {
    settled: async () => undefined,
    count: async () => 1n,
    levelOf: async () => 3,
    takeReward: async () => undefined,
    readLeft: async () => 0n,
    take: async () => answer,
    async give(one) {
      given.push(one);
      return "done";
    },
    unusedUnits: async () => undefined,
    hash: (text) => text.replaceAll(":", "").padEnd(16, "0"),
    changed: () => undefined,
    notify: async () => undefined,
    report: () => undefined,
  };
  const parts = { store, needs: needs as RewardNeeds };
  const claims = new ClaimService(parts, new TaskService(parts));
  const claim = (userId: number, timeMs: number) =>
    claims.claim(TASK.task_id, { userId, device: "", address: "", timeMs });
  const setAnswer = (next: MoneyEnd): void => {
    answer = next;
  };
  return { store, claims, claim, setAnswer, given };
}

forEachMigrated("claims of a campaign without money", ({ database }) => {
  test("[USR-5] a refused claim starts when it is repeated, within the hour it is the same claim", async () => {
    const { store, claims, claim, setAnswer, given } = openRewards(database());
    await store.addCampaign(CAMPAIGN);
    await store.addTask(TASK);
    const spent = { done: false, code: "REWARD_BUDGET_SPENT" };
    expect(await claim(1, START_MS)).toMatchObject(spent);
    expect(await claim(2, START_MS)).toMatchObject(spent);
    expect(await claim(3, START_MS)).toMatchObject(spent);
    setAnswer("done");
    // Within the hour: as first requested.
    expect(await claim(1, START_MS + 40 * MINUTE_MS)).toMatchObject({ done: true });
    // Nine days later: it has its seven days from now on.
    const lateMs = START_MS + 9 * DAY_MS;
    expect(await claim(2, lateMs)).toMatchObject({ done: true });
    const rows = await Promise.all([1, 2].map((user) => store.findClaim(claims.claimIdOf(TASK.task_id, user))));
    expect(rows[0]).toMatchObject({ state: "CLAIMED", made_ms: START_MS, ends_ms: START_MS + 7 * DAY_MS });
    expect(rows[1]).toMatchObject({ state: "CLAIMED", made_ms: lateMs, ends_ms: lateMs + 7 * DAY_MS });
    expect(given.map(({ userId, madeMs }) => [userId, madeMs])).toEqual([
      [1, START_MS],
      [2, lateMs],
    ]);
    // A refused user who did not retry gets nothing from a later resumption.
    await claims.resume(lateMs);
    expect(await store.findClaim(claims.claimIdOf(TASK.task_id, 3))).toMatchObject({ state: "SHORT" });
    expect(given).toHaveLength(2);
  });

  test("[USR-5] a claim that is being paid keeps its time, whoever repeats it", async () => {
    const { store, claims, claim, setAnswer, given } = openRewards(database());
    setAnswer("later");
    expect(await claim(4, START_MS)).toMatchObject({ done: false, code: "REWARD_ON_ITS_WAY" });
    setAnswer("done");
    expect(await claim(4, START_MS + 5 * HOUR_MS)).toMatchObject({ done: true });
    const row = await store.findClaim(claims.claimIdOf(TASK.task_id, 4));
    expect(row).toMatchObject({ state: "CLAIMED", made_ms: START_MS, ends_ms: START_MS + 7 * DAY_MS });
    expect(given).toMatchObject([{ userId: 4, madeMs: START_MS }]);
  });
});
