// Which sources of an index count: compared with the core's own index over the same quotes.
import { indexOf } from "@clockwork/core/perp/price/index";
import { describe, expect, test } from "vitest";
import { judgeSources } from "./source-rules.ts";

const NOW = 1_000_000;
const quote = (source: number, ticks: number, weight = 1, ageMs = 500) => ({
  market: 1,
  source,
  ticks,
  weight,
  spokeMs: NOW - ageMs,
});
const states = (quotes: Parameters<typeof judgeSources>[0]) =>
  judgeSources(quotes, NOW).map(({ state, weight }) => [state, weight]);

describe("sources of an index", () => {
  test("[FUT-2] weights are shares of the sources that count, and give the core's own index", () => {
    const quotes = [quote(0, 100_000, 2), quote(1, 100_010), quote(2, 100_030)];
    const judged = judgeSources(quotes, NOW);
    expect(judged.map(({ state, weight }) => [state, weight])).toEqual([
      ["live", 0.5],
      ["live", 0.25],
      ["live", 0.25],
    ]);
    const mean = judged.reduce((sum, { ticks, weight }) => sum + ticks * weight, 0);
    expect(Math.floor(mean)).toBe(indexOf(quotes.map(({ ticks, weight }) => ({ price: ticks, weight }))));
  });

  test("[FUT-2] a silent source and one far off have no weight; with two far off only the median counts", () => {
    expect(states([quote(0, 100_000), quote(1, 100_010), quote(2, 100_000, 1, 10_001)])).toEqual([
      ["live", 0.5],
      ["live", 0.5],
      ["silent", 0],
    ]);
    expect(states([quote(0, 100_000), quote(1, 100_010), quote(2, 106_000)])).toEqual([
      ["live", 0.5],
      ["live", 0.5],
      ["outlier", 0],
    ]);
    expect(states([quote(0, 90_000), quote(1, 100_000), quote(2, 110_000)]).map(([, weight]) => weight)).toEqual([
      0, 0, 0,
    ]);
    expect(judgeSources([], NOW)).toEqual([]);
  });
});
