import type { PositionStop } from "@clockwork/trading/positions/contract";
import { describe, expect, test } from "vitest";
import { readTrail, readWhole, writeWhole } from "./stops.ts";

const stop = (given: Partial<PositionStop>): PositionStop => ({
  orderId: "1",
  pairId: null,
  kind: "loss",
  isWhole: true,
  quantity: "1",
  triggerPrice: "47000",
  triggerSource: "last",
  price: null,
  trailBps: null,
  ...given,
});

describe("[FUT-1] exits of a whole position", () => {
  test("opened and saved without a change they are what they were: a trailing stop is not dropped", () => {
    const stops = [
      stop({ kind: "profit", triggerPrice: "60000" }),
      stop({ kind: "trailing", triggerPrice: "52000", trailBps: 150 }),
      stop({ isWhole: false, triggerPrice: "1" }),
    ];
    expect(writeWhole(readWhole(stops))).toEqual({
      profit: { triggerPrice: "60000" },
      trailing: { trailBps: 150, activation: "52000" },
      source: "last",
    });
    expect(writeWhole(readWhole([stop({})]))).toEqual({ loss: { triggerPrice: "47000" }, source: "last" });
  });

  test("a trailing stop replaces the stop loss, and empty input ends them all", () => {
    const draft = { ...readWhole([stop({})]), exit: "trailing", trailPercent: "0.5" } as const;
    expect(writeWhole(draft)).toEqual({ trailing: { trailBps: 50 }, source: "last" });
    expect(writeWhole({ ...draft, trailPercent: "" })).toEqual({});
  });

  test("a callback is 0.1 to 10 percent", () => {
    expect([readTrail("0.1"), readTrail("10"), readTrail("")]).toEqual([10, 1_000, undefined]);
    expect([readTrail("0.09"), readTrail("10.01"), readTrail("x")]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});
