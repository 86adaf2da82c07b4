import { expect, it } from "vitest";
import { allOf } from "./all-of.ts";

it("holds where each item satisfies the condition and there is one", () => {
  const isPositive = (value: number): boolean => value > 0;
  expect(allOf([1, 2], isPositive)).toBe(true);
  expect(allOf([1, 0], isPositive)).toBe(false);
  expect(allOf([], isPositive)).toBe(false);
  expect(allOf(new Int32Array(2), (value, index) => value === 0 && index < 2)).toBe(true);
});
