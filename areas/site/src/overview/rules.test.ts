// Figures over a span.
import { expect, test } from "vitest";
import { formatFigure, totalOf } from "./rules.ts";

test("[OPS-1] hours of a flow add up, of a level the newest counts, of active users the highest", () => {
  const hours = [3n, undefined, 9n, 5n];
  expect(totalOf("deposits", hours)).toBe(17n);
  expect(totalOf("openInterest", [...hours, undefined])).toBe(5n);
  expect(totalOf("active", hours)).toBe(9n);
  expect(totalOf("accounts", [undefined])).toBeUndefined();
  expect([formatFigure("accounts", 1_500_000n), formatFigure("deposits", 1_500_000n)]).toEqual(["1500000", "1.5"]);
});
