// The candles keep their height, however many studies are below them.
import { expect, test } from "vitest";
import { paneHeight, topGap } from "./pane-heights.ts";

function heights(count: number, chartPx: number, isNarrow = false): number[] {
  return Array.from({ length: count }, (_, index) => paneHeight({ isVolume: index === 0, count, chartPx, isNarrow }));
}

test("[SPOT-4] volume, MACD, RSI and KDJ together leave the candles half of the chart", () => {
  for (const chartPx of [300, 408, 560, 900]) {
    for (const count of [1, 2, 3, 4, 5]) {
      const below = heights(count, chartPx).reduce((sum, height) => sum + height, 0);
      expect(below).toBeLessThanOrEqual(chartPx / 2);
    }
  }
});

test("[SPOT-4] one study alone has the height it always had", () => {
  expect(heights(1, 408)).toEqual([72]);
  expect(paneHeight({ isVolume: false, count: 1, chartPx: 408, isNarrow: false })).toBe(88);
});

test("[SPOT-4] the legend's lines remain free above the candles, in a low pane too", () => {
  for (const height of [145, 200, 420]) {
    const top = topGap(38, height);
    expect((height * top) / (1 + top + 0.1)).toBeCloseTo(38, 5);
  }
  expect(topGap(38, 60)).toBe(0.8);
});
