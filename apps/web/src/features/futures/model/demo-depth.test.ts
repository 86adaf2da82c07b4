import { expect, test } from "vitest";
import { type DemoFill, usedDepth } from "./demo-depth.ts";

const NOW = 1_000_000;
const fill = (part: Partial<DemoFill> = {}): DemoFill => ({
  pairCode: "BTC_USDT",
  role: "taker",
  quantity: "0.700",
  timeMs: NOW,
  ...part,
});
const lotsOf = (quantity: string): bigint => BigInt(Math.round(Number(quantity) * 1_000));
const used = (fills: readonly DemoFill[], nowMs = NOW) => usedDepth(fills, "BTC_USDT", nowMs, lotsOf);

test("[FUT-4] what own demo fills took comes back evenly over a minute, rounded up to a lot", () => {
  expect(used([fill()])).toEqual({ lots: 700n, leftMs: 60_000 });
  expect(used([fill()], NOW + 30_000)).toEqual({ lots: 350n, leftMs: 30_000 });
  expect(used([fill({ quantity: "0.001" })], NOW + 59_999)).toEqual({ lots: 1n, leftMs: 1 });
  expect(used([fill()], NOW + 60_000)).toBeUndefined();
  expect(used([fill(), fill({ timeMs: NOW - 45_000, quantity: "0.400" })])).toEqual({ lots: 800n, leftMs: 60_000 });
});

test("[FUT-4] resting orders that are filled take nothing, nor do those of another contract", () => {
  expect(used([fill({ role: "maker" }), fill({ pairCode: "ETH_USDT" })])).toBeUndefined();
  expect(used([fill({ timeMs: NOW + 5_000 })])).toEqual({ lots: 700n, leftMs: 60_000 });
});
