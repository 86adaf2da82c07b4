import { expect, test } from "vitest";
import {
  addFractions,
  ceilFraction,
  compareFractions,
  divideCeil,
  divideFloor,
  floorFraction,
  fraction,
} from "./fraction.ts";

test("[FUT-2] fractions add over their common divisor and compare by value", () => {
  expect(addFractions(fraction(2n, 3n), fraction(3n, 4n))).toEqual({ over: 17n, under: 12n });
  expect(addFractions(fraction(2n, 5n), fraction(4n, 5n))).toEqual({ over: 6n, under: 5n });
  expect(compareFractions(fraction(2n, 4n), fraction(3n, 6n))).toBe(0);
  expect(compareFractions(fraction(1n, -2n), fraction(0n, 1n))).toBe(-1);
  expect(compareFractions(fraction(5n, 7n), fraction(2n, 3n))).toBe(1);
});

test("[FUT-2] whole parts go the way their name says, on both sides of zero", () => {
  const values = [7n, 6n, 1n, 0n, -1n, -6n, -7n];
  expect(values.map((over) => divideFloor(over, 3n))).toEqual([2n, 2n, 0n, 0n, -1n, -2n, -3n]);
  expect(values.map((over) => divideCeil(over, 3n))).toEqual([3n, 2n, 1n, 0n, 0n, -2n, -2n]);
  expect([floorFraction(fraction(7n, -2n)), ceilFraction(fraction(7n, -2n))]).toEqual([-4n, -3n]);
});
