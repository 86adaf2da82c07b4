import { describe, expect, test } from "vitest";
import { BarSeries, type OldBars, reachFirst, readCandles, recentCandles } from "./bar-series.ts";
import { blockStart, packBlock, unpackBlock } from "./candle-block.ts";
import { addTrade, type Bar, chooseRange, fillBars, groupBars, openBar } from "./candles.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 2, 9);

function bar(timeMs: number, price: number, trades = 1): Bar {
  const made = openBar(timeMs, price);
  for (let count = 0; count < trades; count += 1) addTrade(made, price, 2, 10n, count % 2 === 0);
  return made;
}

test("[SPOT-3] candles open where their interval does, days in either time zone", () => {
  const hours = [0, 15, 16, 23, 24].map((hour) => bar(MONDAY_MS + hour * HOUR_MS, 100 + hour));
  const days = groupBars(hours, "1d", "UTC0");
  expect(days.map(({ timeMs, open, close, trades }) => [timeMs - MONDAY_MS, open, close, trades])).toEqual([
    [0, 100, 123, 4],
    [DAY_MS, 124, 124, 1],
  ]);
  const east = groupBars(hours, "1d", "UTC8");
  expect(east.map(({ timeMs, trades }) => [(timeMs - MONDAY_MS) / HOUR_MS, trades])).toEqual([
    [-8, 2],
    [16, 3],
  ]);
  expect(groupBars(hours, "1w", "UTC0").map(({ timeMs, high, low }) => [timeMs, high, low])).toEqual([
    [MONDAY_MS, 124, 100],
  ]);
});

test("[SPOT-3] a candle without trades repeats the close before it; there are none before the first price", () => {
  const minutes = [bar(120_000, 7), bar(300_000, 9)];
  const filled = fillBars(minutes, 0, 360_000, "1m", "UTC0", undefined);
  expect(filled.map(({ timeMs, close, trades }) => [timeMs / 60_000, close, trades])).toEqual([
    [2, 7, 1],
    [3, 7, 0],
    [4, 7, 0],
    [5, 9, 1],
    [6, 9, 0],
  ]);
  expect(fillBars(minutes, 0, 60_000, "1m", "UTC0", 5).map(({ close }) => close)).toEqual([5, 5]);
});

test("[SPOT-3] a request gets the newest candles, those from a time, or those between two", () => {
  const now = 10 * 60_000 + 5;
  const range = (query: { from?: number; to?: number }) => {
    const found = chooseRange({ ...query, limit: 3 }, "1m", "UTC0", now);
    return found === undefined ? undefined : [found.fromMs / 60_000, found.toMs / 60_000];
  };
  expect(range({})).toEqual([8, 10]);
  expect(range({ to: 5 * 60_000 })).toEqual([3, 5]);
  expect(range({ from: 4 * 60_000 + 1 })).toEqual([5, 7]);
  expect(range({ from: 9 * 60_000 })).toEqual([9, 10]);
  expect(range({ from: 60_000, to: 2 * 60_000 })).toEqual([1, 2]);
  expect(range({ from: 0, to: 9 * 60_000 })).toEqual([7, 9]);
  expect(range({ from: 11 * 60_000 })).toBeUndefined();
  expect(range({ from: 5 * 60_000, to: 4 * 60_000 })).toBeUndefined();
});

test("[SPOT-3] a candle contains what takers bought, and so does the longer one built from it", () => {
  const minutes = [bar(MONDAY_MS, 100, 3), bar(MONDAY_MS + 60_000, 100, 1)];
  expect(
    minutes.map(({ lots, boughtLots, quoteUnits, boughtUnits }) => [lots, boughtLots, quoteUnits, boughtUnits]),
  ).toEqual([
    [6, 4, 30n, 20n],
    [2, 2, 10n, 10n],
  ]);
  expect(groupBars(minutes, "5m", "UTC0")).toMatchObject([{ lots: 8, boughtLots: 6, boughtUnits: 30n }]);
});

test("[OPS-2] a day of generated minutes is unpacked as it was packed", () => {
  const minutes = [bar(MONDAY_MS, 964_200, 3), bar(MONDAY_MS + 1_439 * 60_000, 964_300)].map((one) => ({
    ...one,
    // The taker's part is not generated.
    boughtLots: 0,
    boughtUnits: 0n,
    isGenerated: true,
  }));
  const bytes = packBlock(MONDAY_MS, 60_000, minutes, true);
  expect(unpackBlock(MONDAY_MS, 60_000, bytes, MONDAY_MS, MONDAY_MS + DAY_MS - 1)).toEqual(minutes);
  expect(unpackBlock(MONDAY_MS, 60_000, bytes, MONDAY_MS + 60_000, MONDAY_MS + DAY_MS - 1)).toEqual(minutes.slice(1));
});

test("[OPS-2] prices without trades are packed smaller, and hours sixty days at a time", () => {
  const fromMs = blockStart(MONDAY_MS, HOUR_MS);
  expect([MONDAY_MS - fromMs < 60 * DAY_MS, fromMs % (60 * DAY_MS)]).toEqual([true, 0]);
  const hours = [7, 8, 30].map((hour) => ({ ...openBar(fromMs + hour * HOUR_MS, 900 + hour), isGenerated: true }));
  const bytes = packBlock(fromMs, HOUR_MS, hours, false);
  expect(bytes.length).toBe(1_440 * 16);
  expect(unpackBlock(fromMs, HOUR_MS, bytes, fromMs + 8 * HOUR_MS, MONDAY_MS + 60 * DAY_MS)).toEqual(hours.slice(1));
});

describe("[SPOT-3] a series", () => {
  const none: OldBars = {
    read: async () => [],
    readCloseBefore: async () => undefined,
    readFirstFrom: async () => undefined,
  };

  test("answers the same from memory and from storage", async () => {
    const kept = { 1000: 10, 60000: 5, 3600000: 5 };
    const [short, long] = [new BarSeries(kept), new BarSeries({ ...kept, 60000: 1_000 })];
    for (let minute = 0; minute < 40; minute += 1) {
      if (minute % 7 === 3) continue;
      for (const series of [short, long])
        series.addTrade(MONDAY_MS + minute * 60_000, 100 + minute, 1, 5n, minute % 2 === 0);
    }
    const all = long.bars(60_000);
    expect(short.bars(60_000).length).toBeLessThan(all.length);
    const old: OldBars = {
      read: async (_, fromMs, toMs) => all.filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs),
      readCloseBefore: async (_, timeMs) => all.findLast((one) => one.timeMs < timeMs)?.close,
      readFirstFrom: async (_, timeMs) => all.find((one) => one.timeMs >= timeMs)?.timeMs,
    };
    for (const interval of ["1m", "3m", "15m"] as const) {
      for (const [from, to] of [
        [0, 30],
        [3, 33],
        [30, 39],
      ] as const) {
        const range = { fromMs: MONDAY_MS + from * 60_000, toMs: MONDAY_MS + to * 60_000 };
        const [a, b] = [
          readCandles(short, old, interval, "UTC0", range),
          readCandles(long, none, interval, "UTC0", range),
        ];
        expect(await a).toEqual(await b);
        expect(recentCandles(long, interval, "UTC0", range)).toEqual(await b);
      }
    }
  });

  test("a request from before the first candle is moved to it, wherever that bar is stored", async () => {
    const kept = { 1000: 10, 60000: 5, 3600000: 5 };
    const [short, long] = [new BarSeries(kept), new BarSeries({ ...kept, 60000: 1_000 })];
    for (const series of [short, long]) {
      for (let minute = 7; minute < 40; minute += 1) series.addTrade(MONDAY_MS + minute * 60_000, 100, 1, 5n, true);
    }
    const all = long.bars(60_000);
    const old: OldBars = {
      ...none,
      readCloseBefore: async (_, timeMs) => all.findLast((one) => one.timeMs < timeMs)?.close,
      readFirstFrom: async (_, timeMs) => all.find((one) => one.timeMs >= timeMs)?.timeMs,
    };
    for (const [series, older] of [
      [short, old],
      [long, none],
    ] as const) {
      const reach = (from: number, interval: "1m" | "15m") => reachFirst({ from }, series, older, interval, "UTC0");
      expect(await reach(0, "1m")).toEqual({ from: MONDAY_MS + 7 * 60_000 });
      expect(await reach(0, "15m")).toEqual({ from: MONDAY_MS });
      // Within the first candle it has started already; after the first one nothing is moved.
      expect(await reach(MONDAY_MS + 1, "15m")).toEqual({ from: MONDAY_MS + 1 });
      expect(await reach(MONDAY_MS + 9 * 60_000, "1m")).toEqual({ from: MONDAY_MS + 9 * 60_000 });
      const both = { from: 0, to: MONDAY_MS };
      expect(await reachFirst(both, series, older, "1m", "UTC0")).toEqual(both);
    }
    expect(await reachFirst({ from: 5 }, new BarSeries(kept), none, "1m", "UTC0")).toEqual({ from: 5 });
  });

  test("keeps unstored bars apart from series without storage", () => {
    const series = new BarSeries({ 1000: 5, 60000: 5, 3600000: 5 }, [60_000, 3_600_000]);
    series.addPrice(MONDAY_MS, 7);
    series.addPrice(MONDAY_MS + 1_000, 9);
    expect(series.bars(1_000).map(({ close }) => close)).toEqual([7, 9]);
    const taken = series.takeDirty();
    expect(taken.map(({ spanMs, bar: { open, high, lots, trades } }) => [spanMs, open, high, lots, trades])).toEqual([
      [60_000, 7, 9, 0, 0],
      [3_600_000, 7, 9, 0, 0],
    ]);
    expect(series.isDirty).toBe(false);
  });
});
