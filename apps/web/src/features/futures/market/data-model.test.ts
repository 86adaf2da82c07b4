// How the pictures of the futures data page are placed.
import { expect, test } from "vitest";
import { heightShare, longPaid, middleOf, placeBars, sumRates, topOf, worthOf } from "./data-model.ts";
import { exactWorth } from "./exact-worth.ts";

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
  // In a file to the last digit, beyond what a float holds.
  expect(exactWorth("linear", "1234567.001", "98765.4321")).toBe("121932543310.1661321");
  expect(exactWorth("inverse", "1000", "30000")).toBe("0.03333333");
  expect(exactWorth("linear", "x", "1")).toBe("");
});

test("[FUT-3] what a long paid at a settlement is told for one coin, of inverse contracts for a hundred dollars", () => {
  expect(longPaid("linear", { rate: "0.0001", mark: "64135.1" })).toBe("6.4135");
  expect(longPaid("inverse", { rate: "-0.0001", mark: "50000" })).toBe("-0.0000002000");
});

test("[FUT-3] of the mark's three inputs the middle one speaks; with one missing the first does", () => {
  expect(middleOf(["64120.1", "64127.6", "64131.2"])).toBe("64127.6");
  expect(middleOf(["64131.2", "9000.5", "64127.6"])).toBe("64127.6");
  expect([middleOf(["64120.1", "64131.2"]), middleOf([])]).toEqual(["64120.1", undefined]);
});

test("[FUT-3] rates add up exactly, and a value stands where its size says", () => {
  expect(sumRates(["0.0001", "0.00010001", "-0.0003"])).toBe("-0.00009999");
  expect([heightShare(0, 2), heightShare(2, 2), heightShare(-1, 2), heightShare(1, 0)]).toEqual([0.5, 0, 0.75, 0.5]);
});
