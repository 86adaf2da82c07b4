// The rules of market data that need nothing but numbers.
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { Favourites } from "./api.ts";
import { addTrade, type Bar, chooseRange, fillBars, groupBars, openBar } from "./candle-rules.ts";
import { packDay, unpackDay } from "./history-rules.ts";
import { changeText } from "./rules.ts";
import { curve, dayStats, rank } from "./ticker-rules.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 2, 9);

function bar(timeMs: number, price: number, trades = 1): Bar {
  const made = openBar(timeMs, price);
  for (let count = 0; count < trades; count += 1) addTrade(made, price, 2, 10n);
  return made;
}

test("[SPOT-3] the day's change is cut, not rounded, and keeps its sign", () => {
  expect(changeText(1_000, 1_019)).toBe("1.90");
  expect(changeText(3_000, 3_001)).toBe("0.03");
  expect(changeText(10_000, 9_875)).toBe("-1.25");
  expect(changeText(30_000, 29_999)).toBe("0.00");
  expect(changeText(0, 5)).toBe("0.00");
});

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

test("[SPOT-3] a candle without trades repeats the close before it; nothing stands before the first price", () => {
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

test("[SPOT-3] a request names the newest candles, those from a time, or those between two", () => {
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

test("[SPOT-3] the day counts 24 hours of minutes from the price before them", () => {
  const nowMs = MONDAY_MS + DAY_MS;
  const minutes = [
    bar(MONDAY_MS - HOUR_MS, 50, 9),
    bar(MONDAY_MS + HOUR_MS, 60),
    bar(MONDAY_MS + 2 * HOUR_MS, 40),
    bar(nowMs - 60_000, 55, 2),
  ];
  const shown = { open: 50, high: 60, low: 40, last: 55, lots: 8, quoteUnits: 40n };
  expect(dayStats(minutes, nowMs)).toEqual(shown);
  expect(dayStats([], nowMs)).toBeUndefined();
  // Nothing traded today: the last price stands alone.
  const quiet = { open: 50, high: 50, low: 50, last: 50, lots: 0, quoteUnits: 0n };
  expect(dayStats(minutes.slice(0, 1), nowMs)).toEqual(quiet);
  expect(curve(minutes, nowMs).at(0)).toBe(50);
  expect(curve(minutes, nowMs).at(-1)).toBe(55);
  // A week of a market that is little more than a day old begins where the market does.
  const week = curve(minutes, nowMs, 7 * DAY_MS);
  expect(week.length).toBeLessThan(curve(minutes, nowMs).length);
  expect([week.at(0), week.at(-1)]).toEqual([50, 55]);
});

test("[SPOT-3] rankings settle ties by the list's order and put the unknown last", () => {
  const row = (pairCode: string, change: number, worthUnits: bigint, place: number) => ({
    pairCode,
    change,
    worthUnits,
    listedAtMs: place,
    place,
  });
  const found = rank([row("A", 0.1, 5n, 0), row("B", -0.2, -1n, 1), row("C", 0.1, 9n, 2)]);
  expect(found).toEqual({
    rise: ["A", "C", "B"],
    fall: ["B", "A", "C"],
    turnover: ["C", "A", "B"],
    newest: ["C", "B", "A"],
  });
});

test("[OPS-2] a day of generated minutes comes back as it was packed", () => {
  const minutes = [bar(MONDAY_MS, 964_200, 3), bar(MONDAY_MS + 1_439 * 60_000, 964_300)].map((one) => ({
    ...one,
    isGenerated: true,
  }));
  const bytes = packDay(MONDAY_MS, minutes);
  expect(unpackDay(MONDAY_MS, bytes, MONDAY_MS, MONDAY_MS + DAY_MS - 1)).toEqual(minutes);
  expect(unpackDay(MONDAY_MS, bytes, MONDAY_MS + 60_000, MONDAY_MS + DAY_MS - 1)).toEqual(minutes.slice(1));
});

test("[SPOT-3] a list of favourites holds pair codes, at most 200", () => {
  const codes = (count: number) => ({ pairCodes: Array.from({ length: count }, (_, index) => `C${index}_USDT`) });
  expect(Value.Check(Favourites, codes(200))).toBe(true);
  expect(Value.Check(Favourites, codes(201))).toBe(false);
  expect(Value.Check(Favourites, { pairCodes: ["btc"] })).toBe(false);
});
