import { expect, test } from "vitest";
import { createAccountCache } from "./account-cache.ts";
import { runSession } from "./projection-fixture.ts";
import type { AccountRows } from "./store.ts";

const EMPTY: AccountRows = { orders: [], balances: [], fees: [], fills: [] };

/** An account cache whose tables are empty and never move; how often an account was read from them is counted. */
function openCache() {
  const reads = { count: 0 };
  const projection = {
    sequence: 0,
    readSettled: async <Value>() => {
      reads.count += 1;
      return { sequence: 0, value: EMPTY as Value };
    },
  };
  const memory = { markets: new Map(), simulated: new Set<number>() };
  return { cache: createAccountCache({ projection, memory, groupFees: [] }), reads };
}

test("[SPOT-4] rows that change much while nobody asks are put away, and read again when somebody does", async () => {
  const { batches, accounts } = runSession(7, 3_000);
  const { cache, reads } = openCache();
  const [idle = 0, watched = 0, held = 0] = accounts;
  for (const account of [idle, watched]) await cache.open(account, 0);
  for (const batch of batches) cache.listen(batch);
  await cache.open(held, 10_000);
  const before = cache.find(watched);
  cache.shed(1_000, (account) => account === watched);
  expect(cache.find(idle)).toBeDefined();
  cache.shed(10_000, (account) => account === watched);
  expect(cache.find(idle)).toBeUndefined();
  expect(cache.find(watched)).toBe(before);
  expect(cache.find(held)).toBeDefined();
  expect(reads.count).toBe(3);
  await cache.open(idle, 10_000);
  expect(reads.count).toBe(4);
  expect(cache.find(idle)).toBeDefined();
});
