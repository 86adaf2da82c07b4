// How much is sold for an amount of the quote coin.
import { expect, test } from "vitest";
import { quantityFor } from "./quote-size.ts";

const BIDS = [
  ["100", "1"],
  ["90", "2"],
] as const;

test.each([
  ["50", "0.5"],
  ["100", "1"],
  ["145", "1.5"],
  // A step less than would bring more than was requested.
  ["33.333", "0.333"],
  ["280", "3"],
  ["1000", "3"],
  ["0.05", "0"],
])("[BOT-1] for %s at most %s is sold", (amount, quantity) => {
  expect(quantityFor(BIDS, amount, "0.001")).toBe(quantity);
});

test("[BOT-1] without bids nothing is sold", () => {
  expect(quantityFor([], "10", "0.001")).toBe("0");
});
