// How the pictures of the futures data page are placed.
import { expect, test } from "vitest";
import { heightShare, middleOf, placeBars, sumRates, topOf } from "./data-model.ts";
import { exactWorth, longPaid, withBeginning } from "./exact-worth.ts";

test("[FUT-1] bars share one scale, gains above zero and losses below", () => {
  const [up, down, none] = placeBars([2, -1, 0], 2);
  expect(up).toMatchObject({ topShare: 0, heightShare: 0.5 });
  expect(down).toMatchObject({ topShare: 0.5, heightShare: 0.25 });
  expect(none?.heightShare).toBeLessThan(0.01);
  expect(topOf([])).toBe(0);
  expect(placeBars([0], 0)[0]?.heightShare).toBeLessThan(0.01);
});

test("[DLV-1] a liquidated size is worth quote coins, of inverse contracts base coins, to the last digit", () => {
  expect(exactWorth("linear", "0.5", "60000")).toBe("30000.0");
  // Beyond what a float holds: on the screen it is cut, never rounded up.
  expect(exactWorth("linear", "1234567.001", "98765.4321")).toBe("121932543310.1661321");
  expect(exactWorth("linear", "0.003", "64131.665")).toBe("192.394995");
  expect(exactWorth("inverse", "1000", "30000")).toBe("0.03333333");
  expect(exactWorth("linear", "x", "1")).toBe("");
});

test("[FUT-3] what a long paid at a settlement is shown for one coin, inverse for a hundred dollars", () => {
  // A payer pays the whole unit, a payee is not shown more than received.
  expect(longPaid("linear", { rate: "0.0001", mark: "64135.1" }, 2)).toBe("6.42");
  expect(longPaid("linear", { rate: "-0.0001", mark: "64135.1" }, 2)).toBe("-6.41");
  expect(longPaid("linear", { rate: "0.0001", mark: "60000" }, 2)).toBe("6.00");
  expect(longPaid("inverse", { rate: "-0.0001", mark: "50000" }, 8)).toBe("-0.00000020");
  expect(longPaid("inverse", { rate: "0.0001", mark: "30000" }, 8)).toBe("0.00000034");
  expect(longPaid("linear", { rate: "none", mark: "1" }, 2)).toBe("");
});

test("[FUT-3] the fund's first day is a line from what it held before, and later days are as they are", () => {
  const day = { dayMs: 86_400_000, balance: "100.5", inflow: "120.75", outflow: "20.25" };
  expect(withBeginning([day])).toEqual([
    { dayMs: 86_400_000, balance: "0.00", inflow: "0", outflow: "0", isBeginning: true },
    day,
  ]);
  expect(withBeginning([day, day])).toEqual([day, day]);
  expect(withBeginning([])).toEqual([]);
});

test("[FUT-3] of the mark's three inputs the middle one speaks; with one missing the first does", () => {
  expect(middleOf(["64120.1", "64127.6", "64131.2"])).toBe("64127.6");
  expect(middleOf(["64131.2", "9000.5", "64127.6"])).toBe("64127.6");
  expect([middleOf(["64120.1", "64131.2"]), middleOf([])]).toEqual(["64120.1", undefined]);
});

test("[FUT-3] rates add up exactly, and a value is placed by its size", () => {
  expect(sumRates(["0.0001", "0.00010001", "-0.0003"])).toBe("-0.00009999");
  expect([heightShare(0, 2), heightShare(2, 2), heightShare(-1, 2), heightShare(1, 0)]).toEqual([0.5, 0, 0.75, 0.5]);
});
