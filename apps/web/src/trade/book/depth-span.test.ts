// The part of the book the depth chart shows.
import { expect, test } from "vitest";
import type { BookLevel } from "#live/feeds/depth-book.ts";
import { depthBounds, nextSpan, withinBounds } from "./depth-span.ts";

function levels(...prices: readonly number[]): readonly BookLevel[] {
  return prices.map((price) => ({ price, quantity: 1, text: [String(price), "1"] }) as BookLevel);
}

test("[SPOT-4] one far order moves nothing: the span is computed from the middle", () => {
  const near = depthBounds(levels(9_990, 9_900), levels(10_010, 10_100), 1);
  const far = depthBounds(levels(9_990, 9_900, 10), levels(10_010, 10_100, 900_000), 1);
  expect(far).toEqual(near);
  expect(near).toEqual({ low: 9_900, high: 10_100 });
  expect(withinBounds(levels(10_010, 10_100, 900_000), { low: 9_900, high: 10_100 }).map(({ price }) => price)).toEqual(
    [10_010, 10_100],
  );
});

test("[SPOT-4] the middle is in the middle, also when the spread is wider than the span", () => {
  const bounds = depthBounds(levels(8_000), levels(12_000), 0.1);
  expect(bounds).toEqual({ low: 8_000, high: 12_000 });
  expect(depthBounds([], levels(1), 1)).toBeUndefined();
});

test("[SPOT-4] zooming ends at the narrowest and the widest span", () => {
  expect(nextSpan(1, 1)).toBe(2);
  expect(nextSpan(0.1, -1)).toBe(0.1);
  expect(nextSpan(10, 1)).toBe(10);
});
