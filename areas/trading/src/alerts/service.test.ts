// An alert met by a trade is sent despite any failure on the way; each trade is read once.
import { expect, it } from "vitest";
import type { AlertNeeds } from "./needs.ts";
import { AlertService } from "./service.ts";
import type { AlertStore } from "./store.ts";

it("[SPOT-4] an alert whose write or notification fails is retried without another trade, and sent once", async () => {
  const faults: unknown[] = [];
  const answer: unknown[] = [];
  const written: unknown[] = [];
  let [writes, tells] = [0, 0];
  const trades: { number: number; priceTicks: number; timeMs: number }[] = [];
  const failFirst = (attempt: number): void => {
    if (attempt === 1) throw new Error("away");
  };
  const service = new AlertService({
    onFault: (error) => void faults.push(error),
    store: {
      add: async () => 7,
      fire: async (id: number, timeMs: number, price: string) => {
        failFirst(++writes);
        written.push([id, timeMs, price]);
        return undefined;
      },
      markNotified: async () => undefined,
      trim: async () => undefined,
    } as unknown as AlertStore,
    needs: {
      hasPair: () => true,
      readTicks: (_: string, price: string) => Number(price),
      writePrice: (_: string, ticks: number) => String(ticks),
      lastTicks: () => 100,
      readTrades: () => trades,
      readCloses: async () => [],
      notify: async (userId: number) => {
        failFirst(++tells);
        answer.push(userId);
      },
      publish: () => undefined,
    } as unknown as AlertNeeds,
  });
  expect((await service.add(5, { pairCode: "BTC_USDT", price: "110" }, 1_000)).done).toBe(true);
  trades.push({ number: 1, priceTicks: 112, timeMs: 2_000 }, { number: 2, priceTicks: 105, timeMs: 3_000 });
  await service.check();
  expect([faults.length, written, answer]).toEqual([1, [], []]);
  // The price has come back, and no more trades follow.
  await service.check();
  expect([faults.length, written, answer]).toEqual([2, [[7, 2_000, "112"]], []]);
  await service.check();
  await service.check();
  expect([faults.length, written.length, answer]).toEqual([2, 1, [5]]);
});
