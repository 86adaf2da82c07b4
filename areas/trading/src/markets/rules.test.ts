// The rules of market data that need only numbers.

import { addTrade, type Bar, openBar } from "@clockwork/kit/candles/candles";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { Favourites } from "./contract.ts";
import { changeText, curve, dayStats, rank } from "./rules.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 2, 9);

function bar(timeMs: number, price: number, trades = 1): Bar {
  const made = openBar(timeMs, price);
  for (let count = 0; count < trades; count += 1) addTrade(made, price, 2, 10n, true);
  return made;
}

test("[SPOT-3] the day's change is truncated, not rounded, and keeps its sign", () => {
  expect(changeText(1_000, 1_019)).toBe("1.90");
  expect(changeText(3_000, 3_001)).toBe("0.03");
  expect(changeText(10_000, 9_875)).toBe("-1.25");
  expect(changeText(30_000, 29_999)).toBe("0.00");
  expect(changeText(0, 5)).toBe("0.00");
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
  // Nothing traded today: only the last price is given.
  const quiet = { open: 50, high: 50, low: 50, last: 50, lots: 0, quoteUnits: 0n };
  expect(dayStats(minutes.slice(0, 1), nowMs)).toEqual(quiet);
  expect(curve(minutes, nowMs).at(0)).toBe(50);
  expect(curve(minutes, nowMs).at(-1)).toBe(55);
  // A week of a market little older than a day starts where the market does.
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

test("[SPOT-3] a list of favourites holds pair codes, at most 200", () => {
  const codes = (count: number) => ({ pairCodes: Array.from({ length: count }, (_, index) => `C${index}_USDT`) });
  expect(Value.Check(Favourites, codes(200))).toBe(true);
  expect(Value.Check(Favourites, codes(201))).toBe(false);
  expect(Value.Check(Favourites, { pairCodes: ["btc"] })).toBe(false);
});
