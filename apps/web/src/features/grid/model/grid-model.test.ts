// The computations of the create page: lines and quantity of the rules' own vectors, refusals in place, and the same
// back-test as everywhere.

import { backTest } from "@clockwork/kit/grid/back-test";
import { backTestTask } from "@clockwork/kit/grid/back-test-task";
import { drawWalk, type GridWalk } from "@clockwork/kit/grid/walk-fixture";
import type { Candle, Pair } from "@clockwork/trading/markets/contract";
import { expect, test } from "vitest";
import {
  type Draft,
  drawGrid,
  type GridPair,
  readCandles,
  readExit,
  readFundings,
  termsOf,
  withEnough,
} from "./grid-model.ts";
import { sweepCounts, testGrid, whyUntested } from "./grid-test.ts";

const pair: Pair = {
  pairCode: "BTC_USDT",
  base: "BTC",
  quote: "USDT",
  baseName: "Bitcoin",
  status: "TRADING",
  priceDecimals: 1,
  quantityDecimals: 5,
  baseScale: 8,
  quoteScale: 6,
  tickSize: "0.1",
  stepSize: "0.00001",
  minQuantity: "0.00001",
  maxQuantity: "100",
  maxMarketQuantity: "50",
  minNotional: "5",
  band: { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" },
  openOrdersMax: 200,
  makerRate: "0.001",
  takerRate: "0.001",
  partitions: [],
  listedAtMs: 0,
  isSimulated: true,
};

const draft: Draft = {
  kind: "spot",
  lower: "90000",
  upper: "110000",
  count: "20",
  spacing: "arithmetic",
  investment: "10000",
  leverage: "1",
  trigger: "",
  takeProfit: "",
  stopLoss: "",
  trailUp: "",
  trailDown: "",
  exit: "",
  base: "",
  ends: "",
  keeps: false,
};

const terms = termsOf(pair);
if (terms === undefined) throw new Error("the pair reads as no instrument");

const candles = (closes: readonly number[]): Candle[] =>
  closes.map((close, i) => {
    const open = closes[i - 1] ?? close;
    const text = (price: number): string => price.toFixed(1);
    return {
      timeMs: i * 3_600_000,
      open: text(open),
      high: text(Math.max(open, close)),
      low: text(Math.min(open, close)),
      close: text(close),
      volume: "1",
      turnover: "1",
      boughtVolume: "0",
      boughtTurnover: "0",
      trades: 1,
      isGenerated: true,
    };
  });

test("[GRID-1] the form's grid is the rules' grid: 21 lines, the gap at 100 000, 1 % kept back", () => {
  const { lines, plan, refusal } = drawGrid(draft, pair, terms, 1_004_000);
  expect(refusal).toBeUndefined();
  expect(lines).toHaveLength(21);
  expect(plan).toMatchObject({ gap: 10, lots: 507, startLots: 5_070 });
});

test("[GRID-1] lines are drawn although the grid could not run, and the reason is shown", () => {
  expect(drawGrid({ ...draft, upper: "80000" }, pair, terms, 1_004_000)).toMatchObject({
    lines: [],
    refusal: "INVALID",
  });
  const tight = drawGrid({ ...draft, lower: "100000", upper: "102000" }, pair, terms, 1_004_000);
  expect([tight.lines.length, tight.refusal]).toEqual([21, "GRID_CELL_EARNS_NOTHING"]);
  expect(drawGrid({ ...draft, investment: "20" }, pair, terms, 1_004_000).refusal).toBe("GRID_INVESTMENT_TOO_SMALL");
});

test("[GRID-1] an infinity grid needs no upper price: twice as many lines, from the lower one on", () => {
  const infinity: Draft = { ...draft, kind: "infinity", upper: "" };
  const { lines, plan, refusal } = drawGrid(infinity, pair, terms, 1_004_000);
  expect([refusal, lines.length, lines[0], lines[20]]).toEqual([undefined, 41, 900_000, 1_004_000]);
  expect(plan?.lattice).toEqual({ lowTicks: 900_000, highTicks: 1_004_000, cells: 20 });
  const bars = readCandles(candles([100_400, 96_000, 104_000, 93_000, 130_000, 100_000]), terms);
  expect(testGrid(infinity, pair, terms, bars)?.pairs).toBeGreaterThan(5);
});

test("[GRID-1] a trailing exit is typed in percent and ends the preview's grid too", () => {
  expect(readExit({ exit: "2.5", kind: "spot" })).toBe(250);
  for (const exit of ["", "x", "-1", "0"]) expect(readExit({ exit, kind: "spot" })).toBeUndefined();
  expect(readExit({ exit: "5", kind: "neutral" })).toBeUndefined();
  const bars = readCandles(candles([100_400, 108_000, 101_000, 100_000]), terms);
  expect(testGrid(draft, pair, terms, bars)?.status).not.toBe("CLOSED");
  expect(testGrid({ ...draft, exit: "5" }, pair, terms, bars)?.status).toBe("CLOSED");
});

test("[GRID-1] the preview's back-test runs the rule, and more cells make more pairs of less profit each", () => {
  const prices = Array.from({ length: 200 }, (_, i) => 100_000 + (i % 2 === 0 ? 3_500 : -3_500));
  const bars = readCandles(candles(prices), terms);
  const result = testGrid(draft, pair, terms, bars);
  expect(result?.totalUnits).toBe((result?.gridUnits ?? 0) + (result?.floatUnits ?? 0));
  expect(result?.pairs).toBeGreaterThan(500);
  const small = { ...draft, investment: "1" };
  expect(testGrid(small, pair, terms, bars)).toBeUndefined();
  expect([draft, small].map((one) => whyUntested(one, pair, terms, bars))).toEqual([
    undefined,
    "GRID_INVESTMENT_TOO_SMALL",
  ]);
  const swept = sweepCounts(draft, pair, terms, bars);
  expect(swept.map(({ count }) => count)).toEqual([10, 15, 20, 30, 40]);
  const pairs = swept.map((one) => one.result?.pairs ?? 0);
  expect(pairs.toSorted((a, b) => a - b)).toEqual(pairs);
  expect(swept[0]?.leastRate).toBeGreaterThan(swept[4]?.leastRate ?? 0);
});

/** The typed form for the grid of a walk. */
function draftOf({ requested }: GridWalk): Draft {
  const price = (ticks: number): string => (ticks === 0 ? "" : (ticks / 10).toFixed(1));
  return {
    ...draft,
    kind: requested.kind,
    lower: price(requested.lowTicks),
    upper: price(requested.highTicks),
    count: String(requested.cells),
    spacing: requested.spacing,
    leverage: String(requested.leverage),
    base: requested.baseLots === 0 ? "" : (requested.baseLots / 100_000).toFixed(5),
    trigger: price(requested.triggerTicks),
    takeProfit: price(requested.takeProfitTicks),
    stopLoss: price(requested.stopLossTicks),
    trailUp: price(requested.trailUpTicks),
    trailDown: price(requested.trailDownTicks),
    exit: requested.exitBps === 0 ? "" : (requested.exitBps / 100).toFixed(2),
  };
}

// The core's bots are compared with the same back-tests of the same seeds: core/src/bot/walks.test.ts.
test("[GRID-1] the preview is the back-test the core's bots agree with, to the unit, for any grid", () => {
  let [pairs, funded] = [0, 0];
  for (let seed = 1; seed <= 60; seed++) {
    const walk = drawWalk(seed);
    const flat = walk.prices.map((ticks, i) => ({
      timeMs: i * 60_000,
      open: ticks,
      high: ticks,
      low: ticks,
      close: ticks,
    }));
    const fundings = flat
      .filter((_, i) => i % 9 === 5)
      .map(({ timeMs, open }, i) => ({ timeMs, rate: i % 2 === 0 ? 70_000 : -30_001, markTicks: open }));
    const task = backTestTask(walk.requested, { ...walk.market, fundings }, walk.prices[0] as number);
    const expected = task.done ? backTest(task.value, flat) : undefined;
    const { factor, minLots, minNotionalUnits, makerRate, takerRate } = walk.market;
    const instrument = { ...terms.instrument, factor, minLots, minNotionalUnits };
    const own = { ...pair, settleScale: pair.quoteScale } as GridPair;
    const entries = fundings.map(({ timeMs, rate, markTicks }) => {
      const mark = (markTicks / 10).toFixed(1);
      return { timeMs, rate: (rate / 1e8).toFixed(8), mark, premium: "0", samples: 1, positions: 1, isGenerated: true };
    });
    // The wire lists the newest first.
    const typed = { ...terms, instrument, makerRate, takerRate, fundings: readFundings(entries.toReversed(), terms) };
    const answer = testGrid(draftOf(walk), own, typed, flat);
    expect([seed, answer]).toEqual([seed, expected]);
    funded += answer?.fundingUnits === 0 ? 0 : 1;
    pairs += answer?.pairs ?? 0;
  }
  expect(pairs).toBeGreaterThan(100);
  expect(funded).toBeGreaterThan(10);
});

test("[GRID-1] until an amount is typed, each kind opens with one its own checks accept", () => {
  if (terms === undefined) expect.unreachable();
  const kinds = ["spot", "infinity", "neutral", "long", "short"] as const;
  const opened = kinds.flatMap((kind) =>
    ["20", "30", "44"].map((count) => {
      const spread = { ...draft, kind, count, lower: "84667.1", upper: "110486.9", spacing: "geometric" } as const;
      const filled = withEnough({ ...spread, leverage: "2" }, pair, terms, 967_192);
      return { kind, count, investment: filled.investment, refusal: drawGrid(filled, pair, terms, 967_192).refusal };
    }),
  );
  expect(opened.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
  expect(opened[0]?.investment).toBe("1000");
  expect(opened.filter(({ investment }) => Number(investment) > 1000).length).toBeGreaterThan(2);
});
