import { expect, test } from "vitest";
import { createDesk } from "./account-cache.ts";
import { runSession } from "./projection-fixture.ts";
import type { AccountRows } from "./store.ts";

const EMPTY: AccountRows = { orders: [], balances: [], fees: [], fills: [] };

/** A desk whose tables are empty and never move; how often an account was read from them is counted. */
function openDesk() {
  const reads = { count: 0 };
  const projection = {
    sequence: 0,
    readSettled: async <Value>() => {
      reads.count += 1;
      return { sequence: 0, value: EMPTY as Value };
    },
  };
  const memory = { markets: new Map(), simulated: new Set<number>() };
  return { desk: createDesk({ projection, memory, groupFees: [] }), reads };
}

test("[SPOT-4] rows that change much while nobody asks are put away, and read again when somebody does", async () => {
  const { batches, accounts } = runSession(7, 3_000);
  const { desk, reads } = openDesk();
  const [idle = 0, watched = 0, held = 0] = accounts;
  for (const account of [idle, watched]) await desk.open(account, 0);
  for (const batch of batches) desk.listen(batch);
  await desk.open(held, 10_000);
  const before = desk.find(watched);
  desk.shed(1_000, (account) => account === watched);
  expect(desk.find(idle)).toBeDefined();
  desk.shed(10_000, (account) => account === watched);
  expect(desk.find(idle)).toBeUndefined();
  expect(desk.find(watched)).toBe(before);
  expect(desk.find(held)).toBeDefined();
  expect(reads.count).toBe(3);
  await desk.open(idle, 10_000);
  expect(reads.count).toBe(4);
  expect(desk.find(idle)).toBeDefined();
});
