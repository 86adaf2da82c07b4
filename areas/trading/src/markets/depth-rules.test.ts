// How much a book holds near its middle.
import { expect, test } from "vitest";
import { measureDepth } from "./depth-rules.ts";

type Level = readonly [ticks: number, quantity: string];

/** Prices are ticks as they are. */
const sideOf = (levels: readonly Level[], isBid: boolean) => ({
  bestTicks: levels[0]?.[0],
  upTo: (ticks: number) =>
    levels.filter(([price]) => (isBid ? price >= ticks : price <= ticks)).map(([price, lots]) => [String(price), lots]),
});

test("[BOT-3] depth near the middle adds every level up to each percent, on both sides", () => {
  const bids = sideOf(
    [
      [9_999, "1"],
      [9_900, "2"],
      [9_899, "4"],
      [9_400, "8"],
    ],
    true,
  );
  const asks = sideOf(
    [
      [10_001, "0.5"],
      [10_500, "0.25"],
    ],
    false,
  );
  const rows = measureDepth({ bids, asks }, false);
  expect(rows.map(({ percent, quantity }) => [percent, quantity])).toEqual([
    [-5, "7"],
    [-4, "7"],
    [-3, "7"],
    [-2, "7"],
    [-1, "3"],
    [1, "0.5"],
    [2, "0.5"],
    [3, "0.5"],
    [4, "0.5"],
    [5, "0.75"],
  ]);
  expect(rows[4]?.value).toBe("29799");
  expect(measureDepth({ bids: sideOf([[100, "10"]], true), asks: sideOf([[200, "10"]], false) }, true)).toHaveLength(
    10,
  );
  expect(measureDepth({ bids, asks: sideOf([], false) }, false)).toEqual([]);
});

test("[BOT-3] values of inverse contracts are in the coin", () => {
  const book = { bids: sideOf([[100, "50"]], true), asks: sideOf([[100, "25"]], false) };
  const rows = measureDepth(book, true);
  expect([rows[0]?.value, rows.at(-1)?.value]).toEqual(["0.5", "0.25"]);
});
