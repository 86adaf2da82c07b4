// The line of a compared pair.
import { expect, test } from "vitest";
import { compareLine } from "./compare-line.ts";

const bars = [10, 20, 30, 40].map((timestamp, index) => ({ timestamp, close: 100 + index }));

test("[SPOT-4] a compared pair starts at the left edge of the view and moves by its own percents", () => {
  const closes = new Map([
    [10, 2],
    [20, 4],
    [30, 5],
    [40, 3],
  ]);
  expect(compareLine(bars, closes, 1).map(({ value, percent }) => [value, percent])).toEqual([
    [50.5, -50],
    [101, 0],
    [126.25, 25],
    [75.75, -25],
  ]);
});

test("[SPOT-4] a time without a trade keeps the price before it, and a pair without any draws nothing", () => {
  const closes = new Map([
    [20, 4],
    [40, 8],
  ]);
  expect(compareLine(bars, closes, 0).map(({ percent }) => percent)).toEqual([undefined, 0, 0, 100]);
  expect(compareLine(bars, new Map(), 0)).toEqual([{}, {}, {}, {}]);
  expect(compareLine([], closes, 0)).toEqual([]);
  expect(compareLine(bars, closes, 9)).toEqual([{}, {}, {}, {}]);
});
