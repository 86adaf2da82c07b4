// Gathering, sums and steps of the order book.
import { expect, test } from "vitest";
import { readBook } from "#live/feeds/depth-book.ts";
import { bidShare, emptyRows, gatherSide, listSteps, spreadOf, sumTo } from "./book-view.ts";

const scale = { priceDecimals: 1, quantityDecimals: 2 };
const book = readBook(
  {
    bids: [
      ["99.9", "1.00"],
      ["99.5", "2.00"],
      ["98.9", "4.00"],
    ],
    asks: [
      ["100.0", "1.00"],
      ["100.1", "2.00"],
      ["101.0", "3.00"],
      ["101.1", "5.00"],
    ],
    timeMs: 0,
  },
  scale,
);

const draw = (step: number, side: "bid" | "ask", rowsMax = 10) => {
  const rows = emptyRows();
  gatherSide(side === "bid" ? book.bids : book.asks, step, side, rowsMax, rows);
  return Array.from({ length: rows.count }, (_, at) => [rows.price[at], rows.quantity[at], rows.sum[at]]);
};

test("[SPOT-4] grouped bids round down, asks up, and the sums accumulate", () => {
  expect(draw(10, "bid")).toEqual([
    [990, 300, 300],
    [980, 400, 700],
  ]);
  expect(draw(10, "ask")).toEqual([
    [1000, 100, 100],
    [1010, 500, 600],
    [1020, 500, 1100],
  ]);
  expect(draw(1, "bid", 2)).toEqual([
    [999, 100, 100],
    [995, 200, 300],
  ]);
});

test("[SPOT-4] the last shown row holds all of its levels", () => {
  expect(draw(10, "ask", 2)).toEqual([
    [1000, 100, 100],
    [1010, 500, 600],
  ]);
});

test("[SPOT-4] a hovered level shows average, quantity and amount up to it", () => {
  expect(sumTo(book.asks, 1010, "ask")).toEqual({
    averagePrice: Math.floor((1000 * 100 + 1001 * 200 + 1010 * 300) / 600),
    quantity: 600,
    amount: 603200n,
  });
  expect(sumTo(book.bids, 995, "bid")?.quantity).toBe(300);
  expect(sumTo(book.bids, 2000, "bid")).toBeUndefined();
});

test("[SPOT-4] steps start at the tick and end where they would hide the market", () => {
  expect(listSteps(1, 641184)).toEqual([1, 10, 100, 1000, 10000]);
  expect(listSteps(1, 18640)).toEqual([1, 10, 100]);
  expect(listSteps(1, 20)).toEqual([1]);
});

test("[SPOT-4] spread and the share of the bids", () => {
  const bids = emptyRows();
  const asks = emptyRows();
  gatherSide(book.bids, 1, "bid", 9, bids);
  gatherSide(book.asks, 1, "ask", 9, asks);
  expect(bidShare(bids, asks)).toBe(39);
  expect(bidShare(emptyRows(), emptyRows())).toBeUndefined();
  expect(spreadOf(book)).toBe(1);
  expect(spreadOf(readBook({ bids: [], asks: [], timeMs: 0 }, scale))).toBeUndefined();
});
