// The back-test of a basket: aligned closes, rounds by the rule, and figures that add up.
import { describe, expect, it } from "vitest";
import { alignCloses, type BasketTestTask, basketTestSlices } from "./basket-test.ts";

const MINUTE = 60_000;
const task: BasketTestTask = {
  coins: [
    { weightBps: 5_000, tickLotUnits: 1, minLots: 1, minNotionalUnits: 5, takerRate: 100_000 },
    { weightBps: 5_000, tickLotUnits: 10, minLots: 1, minNotionalUnits: 5, takerRate: 100_000 },
  ],
  quoteUnits: 100_000_000,
  thresholdBps: 500,
  intervalMs: 0,
};

function run(own: Partial<BasketTestTask>, prices: readonly (readonly number[])[]) {
  const slices = basketTestSlices(
    { ...task, ...own },
    prices.map((ticks, i) => ({ timeMs: i * MINUTE, ticks })),
  );
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
    if (value >= 1) expect.unreachable(`${value} is done before the end`);
  }
}

describe("a basket's back-test", () => {
  it("[GRID-1] uses the times all coins have", () => {
    const series = [
      [1, 2, 3].map((timeMs) => ({ timeMs, close: timeMs * 10 })),
      [2, 3, 4].map((timeMs) => ({ timeMs, close: timeMs * 100 })),
    ];
    expect(alignCloses(series)).toEqual([
      { timeMs: 2, ticks: [20, 200] },
      { timeMs: 3, ticks: [30, 300] },
    ]);
    expect(alignCloses([])).toEqual([]);
  });

  it("[GRID-1] earns where coins swing against each other and holding them gains nothing", () => {
    const swing = Array.from({ length: 101 }, (_, i) => (i % 2 === 0 ? [1_000, 400] : [1_200, 400]));
    const result = run({}, swing);
    expect(result).toMatchObject({ candles: 101, rounds: 1, investedUnits: 100_000_000 });
    const wide = Array.from({ length: 101 }, (_, i) => (i % 2 === 0 ? [1_000, 400] : [1_300, 400]));
    const traded = run({}, wide);
    expect(traded?.rounds).toBe(101);
    expect(traded?.totalUnits).toBeGreaterThan(traded?.holdingUnits as number);
    expect(traded?.holdingUnits).toBeLessThan(0);
    expect(traded?.curve.at(-1)).toMatchObject({
      totalUnits: traded?.totalUnits,
      holdingUnits: traded?.holdingUnits,
    });
  });

  it("[GRID-1] by time it trades once an interval, and a fall is its drawdown", () => {
    const falling = Array.from({ length: 121 }, (_, i) => [1_000 - i * 4, 400]);
    const result = run({ thresholdBps: 0, intervalMs: 30 * MINUTE }, falling);
    expect(result?.rounds).toBe(5);
    expect((result?.drawdownRate as number) / 1e8).toBeGreaterThan(0.2);
    expect(result?.feesUnits).toBeGreaterThan(0);
    expect(run({}, [])).toBeUndefined();
  });
});
