import { describe, expect, it } from "vitest";
import type { Contract } from "../margin.ts";
import { tiersA } from "../margin-tiers.ts";
import { units } from "../money.ts";
import { type BackTestCandle, backTest } from "./back-test.ts";
import { backTestTask, type RequestedGrid, type TestedMarket } from "./back-test-task.ts";

const FEE = 100_000;
const market: TestedMarket = {
  factor: 1,
  minLots: 1,
  minNotionalUnits: 5_000_000,
  makerRate: FEE,
  takerRate: FEE,
};
const grid: RequestedGrid = {
  kind: "spot",
  spacing: "arithmetic",
  lowTicks: 900_000,
  highTicks: 1_100_000,
  cells: 20,
  quoteUnits: units(10_000_000_000n),
  baseLots: 0,
  leverage: 1,
  triggerTicks: 0,
  takeProfitTicks: 0,
  stopLossTicks: 0,
  trailUpTicks: 0,
  trailDownTicks: 0,
  exitBps: 0,
};

/** Open, high, low, close of one minute each. */
const candlesOf = (...rows: readonly (readonly [number, number, number, number])[]): BackTestCandle[] =>
  rows.map(([open, high, low, close], i) => ({ timeMs: i * 60_000, open, high, low, close }));

function tested(own: Partial<RequestedGrid>, candles: readonly BackTestCandle[], of: Partial<TestedMarket> = {}) {
  const task = backTestTask({ ...grid, ...own }, { ...market, ...of }, candles[0]?.open as number);
  if (!task.done) throw new Error(task.code);
  return { task: task.value, result: backTest(task.value, candles) };
}

describe("a back-test", () => {
  it.each([
    [850_000, 900_000],
    [1_150_000, 1_100_000],
  ])("[GRID-1] that begins outside of the range at %i waits for its edge at %i, as a live one would", (first, edge) => {
    const outside = candlesOf([first, first + 10_000, first - 10_000, first], [first, first, first, first]);
    const waiting = tested({}, outside);
    expect(waiting.task.terms.triggerTicks).toBe(edge);
    expect(waiting.result).toMatchObject({ status: "WAIT_TRIGGER", pairs: 0, totalUnits: 0, feesUnits: 0 });
    const entering = candlesOf([first, Math.max(first, 1_000_000), Math.min(first, 1_000_000), 1_000_000]);
    const entered = tested({}, [...outside, ...entering]);
    expect(entered.result?.status).toBe("RUNNING");
    // Planned and started at the edge: what is bought there has grown, or was bought on the way down.
    const there = tested({}, candlesOf([edge, Math.max(edge, 1_000_000), Math.min(edge, 1_000_000), 1_000_000]));
    expect(entered.task.terms.lots).toBe(there.task.terms.lots);
    for (const name of ["totalUnits", "gridUnits", "feesUnits", "pairs", "status"] as const)
      expect([name, entered.result?.[name]]).toEqual([name, there.result?.[name]]);
  });

  it("[GRID-1] refuses what the core refuses: a trigger outside the range, an infinity grid above the price", () => {
    expect(backTestTask({ ...grid, triggerTicks: 1_200_000 }, market, 1_000_000)).toMatchObject({
      code: "GRID_PRICE_OUTSIDE",
    });
    expect(backTestTask({ ...grid, kind: "infinity" }, market, 850_000)).toMatchObject({ code: "GRID_PRICE_OUTSIDE" });
  });

  it("[GRID-1] a stop inside a candle fires at its price, with the drawdown at that point", () => {
    const spike = candlesOf([1_000_000, 1_000_000, 900_000, 1_000_000]);
    const deep = tested({}, spike).result;
    // Half of the money is coins that lose up to a tenth, and more are bought on the way.
    expect((deep?.drawdownRate ?? 0) / 1e6).toBeGreaterThan(5);
    const flat = tested({}, candlesOf([1_000_000, 1_000_000, 1_000_000, 1_000_000])).result;
    expect((flat?.drawdownRate ?? 0) / 1e6).toBeLessThan(0.2);
    const stopped = tested({ stopLossTicks: 880_000 }, candlesOf([1_000_000, 1_000_000, 500_000, 510_000])).result;
    expect(stopped).toMatchObject({ status: "CLOSED", reason: "STOP_LOSS", closeFeeUnits: 0 });
    const half = tested({ stopLossTicks: 880_000 }, candlesOf([1_000_000, 1_000_000, 880_000, 880_000])).result;
    expect(stopped?.totalUnits).toBe(half?.totalUnits);
  });

  it("[GRID-1] the cost of closing everything held is given separately from the total", () => {
    const { task, result } = tested({}, candlesOf([1_000_000, 1_000_000, 1_000_000, 1_000_000]));
    // Ten cells sell: their coins at the price, at the taker's fee.
    const worth = 10 * task.terms.lots * 1_000_000;
    expect(result?.closeFeeUnits).toBe(Math.ceil(worth / 1_000));
    expect(result?.totalUnits).toBe((result?.gridUnits ?? 0) + (result?.floatUnits ?? 0));
    expect(result?.totalUnits).toBe(0 - Math.ceil(worth / 1_000));
  });

  it("[GRID-1] a position pays and receives funding by the stored settlements, and a test without any reports so", () => {
    const flat = candlesOf(...Array.from({ length: 4 }, () => [1_000_000, 1_000_000, 1_000_000, 1_000_000] as const));
    const fundings = [
      // At a time before the first candle, and at its own: nothing was held then.
      { timeMs: -60_000, rate: 70_000, markTicks: 1_000_000 },
      { timeMs: 0, rate: 70_000, markTicks: 1_000_000 },
      { timeMs: 60_000, rate: 70_000, markTicks: 1_000_001 },
      { timeMs: 61_000, rate: -10_000, markTicks: 999_999 },
      // After the last candle: the position then is not determined.
      { timeMs: 600_000, rate: 70_000, markTicks: 1_000_000 },
    ];
    const long = { kind: "long", leverage: 2 } as const;
    const { task, result } = tested(long, flat, { fundings });
    const lots = 10 * task.terms.lots;
    const paid = Math.ceil((lots * 1_000_001 * 70_000) / 1e8);
    const received = Math.floor((lots * 999_999 * 10_000) / 1e8);
    expect(result).toMatchObject({ fundingUnits: received - paid, fundingFromMs: 60_000 });
    const without = tested(long, flat).result;
    expect(without).toMatchObject({ fundingUnits: 0, fundingFromMs: undefined });
    expect(result?.totalUnits).toBe((without?.totalUnits ?? 0) + received - paid);
    expect(result?.floatUnits).toBe((without?.floatUnits ?? 0) + received - paid);
    const short = tested({ kind: "short", leverage: 2 }, flat, { fundings }).result;
    expect(short?.fundingUnits).toBeGreaterThan(0);
    // A neutral grid without trades holds nothing, and coins have no funding.
    expect(tested({ kind: "neutral", leverage: 2 }, flat, { fundings }).result).toMatchObject({ fundingUnits: 0 });
    expect(tested({}, flat, { fundings }).result).toMatchObject({ fundingUnits: 0, fundingFromMs: undefined });
  });

  it("[GRID-1] funding that a position cannot pay liquidates it, as in the core", () => {
    const flat = candlesOf(...Array.from({ length: 3 }, () => [1_000_000, 1_000_000, 1_000_000, 1_000_000] as const));
    const fundings = [{ timeMs: 60_000, rate: 60_000_000, markTicks: 1_000_000 }];
    const { result } = tested({ kind: "long", leverage: 4 }, flat, { fundings });
    expect(result).toMatchObject({ status: "CLOSED", reason: "LIQUIDATED" });
  });

  it("[GRID-1] a futures grid is liquidated by the ladder of its contract; one of coins never is", () => {
    const contract: Contract = { kind: "linear", factor: 1n, tiers: tiersA(6), liquidationRate: 60_000n };
    const long = { kind: "long", leverage: 5, lowTicks: 950_000 } as const;
    const fall = candlesOf([1_000_000, 1_000_000, 600_000, 600_000]);
    const broke = tested(long, fall, { contract });
    expect(broke.task.maintenanceRate).toBe(Number((contract.tiers[0]?.rate ?? 0n) + 60_000n));
    expect(broke.result).toMatchObject({ status: "CLOSED", reason: "LIQUIDATED" });
    const infinity = tested({ kind: "infinity", spacing: "geometric", cells: 8 }, fall).result;
    expect(infinity?.status).toBe("OUT_OF_RANGE");
  });
});
