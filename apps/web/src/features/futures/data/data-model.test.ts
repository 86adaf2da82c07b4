// How the pictures of the futures data page are placed.
import { expect, test } from "vitest";
import { longPaid, placeBars, topOf, worthOf } from "./data-model.ts";

test("[FUT-1] bars stand on one scale, gains above nought and losses below", () => {
  const [up, down, none] = placeBars([2, -1, 0], 2);
  expect(up).toMatchObject({ topShare: 0, heightShare: 0.5 });
  expect(down).toMatchObject({ topShare: 0.5, heightShare: 0.25 });
  expect(none?.heightShare).toBeLessThan(0.01);
  expect(topOf([])).toBe(0);
  expect(placeBars([0], 0)[0]?.heightShare).toBeLessThan(0.01);
});

test("[DLV-1] a liquidated size is worth quote coins, of inverse contracts base coins", () => {
  expect(worthOf("linear", "0.5", "60000")).toBe(30_000);
  expect(worthOf("inverse", "1000", "50000")).toBe(0.02);
  expect(worthOf("linear", "x", "1")).toBe(0);
});

test("[FUT-3] what a long paid at a settlement is told for one coin, of inverse contracts for a hundred dollars", () => {
  expect(longPaid("linear", { rate: "0.0001", mark: "64135.1" })).toBe("6.4135");
  expect(longPaid("inverse", { rate: "-0.0001", mark: "50000" })).toBe("-0.0000002000");
});
