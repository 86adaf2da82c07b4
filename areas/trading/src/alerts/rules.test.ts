import { expect, test } from "vitest";
import { shiftTicks } from "./rules.ts";

test.each([
  [1_000, "5", 1_050],
  [1_000, "-5", 950],
  [1_000, "0.1", 1_001],
  [964_210, "1.25", 976_263],
  [1_000, "-99.9", 1],
])("[SPOT-4] %d ticks moved by %s percent are %d", (ticks, percent, moved) => {
  expect(shiftTicks(ticks, percent)).toBe(moved);
});

test.each([
  [10, "0.1"],
  [1_000, "0"],
  [1, "-99"],
  [1_000, "x"],
])("[SPOT-4] %d ticks moved by %s percent are no other price", (ticks, percent) => {
  expect(shiftTicks(ticks, percent)).toBeUndefined();
});
