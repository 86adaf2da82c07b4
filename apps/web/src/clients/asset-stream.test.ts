import { expect, test } from "vitest";
import type { GlobalStore } from "#boot/state.ts";
import { ManualClock } from "#live/test-clock.ts";
import { followBalances, followPrices, refreshTotalAsset } from "./asset-stream.ts";

function openBalances() {
  const listeners = new Set<() => void>();
  let state = { value: [] as readonly string[], status: "idle" as const, empty: true, updatedAtMs: 0 };
  return {
    listeners,
    source: {
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      read: () => state,
    },
    publish: (value: readonly string[]) => {
      state = { ...state, value, empty: false };
      for (const listener of listeners) listener();
    },
    nudge: () => {
      for (const listener of listeners) listener();
    },
  };
}

function follow(isKnown: boolean) {
  const clock = new ManualClock();
  const balances = openBalances();
  const requested: number[] = [];
  const leave = followBalances(
    balances.source,
    () => isKnown,
    async () => {
      requested.push(clock.now() - 1_000_000);
    },
    clock,
  );
  return { clock, balances, requested, leave };
}

test("[SITE-22] served data is not requested again; a changed balance is", () => {
  const { clock, balances, requested } = follow(true);
  balances.nudge();
  balances.publish(["100 USDT"]);
  clock.advance(5_000);
  expect(requested).toEqual([]);
  balances.nudge();
  balances.publish(["90 USDT"]);
  clock.advance(0);
  expect(requested).toEqual([5_000]);
});

test("[SITE-22] a page without a total requests it with the first balances", () => {
  const { clock, balances, requested } = follow(false);
  balances.publish(["100 USDT"]);
  clock.advance(0);
  expect(requested).toEqual([0]);
});

test("[SITE-22] a burst of fills causes one request a second, and the last fill is counted", () => {
  const { clock, balances, requested, leave } = follow(false);
  for (let fill = 0; fill < 25; fill++) {
    balances.publish([`${fill} USDT`]);
    clock.advance(100);
  }
  clock.advance(1_000);
  expect(requested).toEqual([0, 1_000, 2_000, 3_000]);
  balances.publish(["more"]);
  leave();
  clock.advance(10_000);
  expect(requested).toHaveLength(4);
  expect(balances.listeners.size).toBe(0);
});

/** As much of the store as the total needs. */
function openStore(id: string | null) {
  let state: Record<string, unknown> = { topInfo: { id }, totalAsset: { amount: "1" } };
  const store = {
    getState: () => state,
    setState: (part: Record<string, unknown>) => {
      state = { ...state, ...part };
    },
  };
  return store as typeof store & GlobalStore;
}

test("[SITE-22] a failed call leaves the total as it was; one that comes after signing out changes nothing", async () => {
  const store = openStore("7");
  const failing = { call: async () => ({ ok: false, code: "UNAVAILABLE", message: "", status: 503 }) as never };
  await refreshTotalAsset(store, failing);
  expect(store.getState().totalAsset).toEqual({ amount: "1" });
  const answering = { call: async () => ({ ok: true, data: { allUsdt: "12.5" } }) as never };
  await refreshTotalAsset(store, answering);
  expect(store.getState().totalAsset).toEqual({ amount: "12.5" });
  const leaving = {
    call: async () => {
      store.setState({ topInfo: { id: null }, totalAsset: undefined } as never);
      return { ok: true, data: { allUsdt: "99" } } as never;
    },
  };
  await refreshTotalAsset(store, leaving);
  expect(store.getState().totalAsset).toBeUndefined();
});

test("[SITE-22] a slow answer does not undo a newer one", async () => {
  const store = openStore("7");
  const requested: ((allUsdt: string) => void)[] = [];
  const slow = {
    call: () => new Promise((done) => requested.push((allUsdt) => done({ ok: true, data: { allUsdt } }))) as never,
  };
  const refreshing = [refreshTotalAsset(store, slow), refreshTotalAsset(store, slow)];
  requested[1]?.("20");
  await refreshing[1];
  requested[0]?.("10");
  await refreshing[0];
  expect(store.getState().totalAsset).toEqual({ amount: "20" });
});

test("[SITE-22] prices move too: the total is requested every ten seconds while the page is visible", () => {
  const clock = new ManualClock();
  const requested: number[] = [];
  let isSeen = true;
  const leave = followPrices(
    () => isSeen,
    async () => void requested.push(clock.now() - 1_000_000),
    clock,
  );
  clock.advance(20_000);
  isSeen = false;
  clock.advance(30_000);
  isSeen = true;
  clock.advance(10_000);
  leave();
  clock.advance(60_000);
  expect(requested).toEqual([10_000, 20_000, 60_000]);
});
