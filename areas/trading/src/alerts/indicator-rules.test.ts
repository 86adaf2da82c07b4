// When an indicator has crossed, with figures computed by hand.
import { expect, test } from "vitest";
import type { Indicator } from "./contract.ts";
import {
  describeCrossed,
  isCrossed,
  isSound,
  readAverage,
  readIndicator,
  readRsi,
  writeIndicator,
} from "./indicator-rules.ts";

const RSI: Indicator = { name: "rsi", interval: "1h", period: 2, level: 70 };
const MA: Indicator = { name: "ma", interval: "15m", fast: 2, slow: 3 };

test("[SPOT-4] relative strength is 100 when all rose, 0 when all fell, 50 when nothing moved, and smoothed as Wilder did", () => {
  expect(readRsi([1, 2, 3, 4], 2)).toBe(100);
  expect(readRsi([4, 3, 2, 1], 2)).toBe(0);
  expect(readRsi([5, 5, 5], 2)).toBe(50);
  // Gains 1 and 1, losses 0 and 0; then a loss of 1: gain (1·1 + 0)/2, loss (0·1 + 1)/2.
  expect(readRsi([1, 2, 3, 2], 2)).toBe(50);
  expect(readRsi([1, 2], 2)).toBeUndefined();
  expect(readAverage([1, 2, 6], 2)).toBe(4);
});

test("[SPOT-4] only the close that crosses counts, and only in the requested direction", () => {
  expect(isCrossed(RSI, "rises", [3, 2, 1, 4])).toBe(true);
  expect(isCrossed(RSI, "rises", [1, 2, 3, 4])).toBe(false);
  expect(isCrossed(RSI, "falls", [1, 2, 3, 1])).toBe(true);
  expect(isCrossed(MA, "rises", [5, 4, 3, 9])).toBe(true);
  expect(isCrossed(MA, "falls", [5, 4, 3, 9])).toBe(false);
  expect(isCrossed(MA, "falls", [3, 4, 5, 1])).toBe(true);
  expect(isCrossed(MA, "rises", [3, 9])).toBe(false);
});

test("[SPOT-4] an indicator is stored as text and read back; a fast average must be the faster one", () => {
  for (const indicator of [RSI, MA]) expect(readIndicator(writeIndicator(indicator))).toEqual(indicator);
  expect([readIndicator(null), readIndicator("rsi 9h 1 2"), readIndicator("bb 1h 1 2")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([isSound(MA), isSound({ ...MA, slow: 2 })]).toEqual([true, false]);
  expect(describeCrossed(MA, "falls")).toBe("MA 2 crossed below MA 3 on 15m");
});
