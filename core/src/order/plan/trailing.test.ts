// A trailing stop at its very edge: the last price that keeps it and the first that fires it, on both sides.
import { expect, it } from "vitest";
import { eventsOf } from "../../testing/driver.ts";
import { createStage } from "../../testing/stage.ts";

const PEAK = 10_000;

it.each([
  ["sell", [PEAK - 50, PEAK - 99], PEAK - 100],
  ["buy", [PEAK + 50, PEAK + 99], PEAK + 100],
] as const)(
  "[PLAN-5] a trailing stop to %s fires at one per cent from its peak, and not a tick before",
  (side, kept, due) => {
    const stage = createStage();
    const owner = stage.trader(1e9, 1e12);
    const see = (markTicks: number) =>
      eventsOf(stage.send({ kind: "setReferencePrice", market: stage.market, markTicks }), "conditionalTriggered")
        .length;
    expect(see(PEAK)).toBe(0);
    const stop = { account: owner, market: stage.market, side, quantity: 1, type: "market", source: "mark" } as const;
    const placed = stage.send({
      kind: "placeConditional",
      conditional: "trailingStop",
      callbackBps: 100,
      trigger: PEAK,
      direction: side === "sell" ? "rises" : "falls",
      ...stop,
    } as Parameters<typeof stage.send>[0]);
    expect(eventsOf(placed, "rejected")).toEqual([]);
    expect(see(PEAK)).toBe(0);
    expect([...kept, due].map(see)).toEqual([0, 0, 1]);
  },
);
