// No user has more recurring buys than the limit, however many are created at once.

import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { type PlanRow, planStore } from "./store.ts";

const MAX = 10;
const plan = (userId: number, number: number): PlanRow => ({
  plan_id: `plan-${userId}-${number}`,
  user_id: userId,
  client_id: `c${number}`,
  name: "Plan",
  coins: "[]",
  amount_units: 1_000_000n,
  rhythm: "day",
  minute_of_day: 0,
  weekday: 1,
  month_day: 1,
  sources: "[]",
  state: "RUNNING",
  skips: 0,
  next_ms: 1,
  created_ms: 1,
  changed_ms: 1,
});

forEachMigrated("recurring buys", ({ database }) => {
  test("[EARN-1] concurrently created ones never exceed the limit, and sequential ones reach it exactly", async () => {
    const store = planStore(database().kysely);
    for (let number = 1; number <= MAX; number++) expect(await store.add(plan(1, number), MAX)).toBe(true);
    expect(await store.add(plan(1, MAX + 1), MAX)).toBe(false);
    expect(await store.list(1)).toHaveLength(MAX);
    for (let user = 2; user <= 9; user++) {
      const made = await Promise.all(Array.from({ length: 16 }, (_, at) => store.add(plan(user, at), MAX)));
      const kept = await store.list(user);
      expect(kept.length).toBeLessThanOrEqual(MAX);
      expect(kept).toHaveLength(made.filter((one) => one).length);
    }
  });
});
