import { expect, test } from "vitest";
import { clonedBounds } from "./rules.ts";
import type { OwnedBot } from "./store.ts";

const row = {
  grid: "spot",
  low_ticks: 1_000,
  high_ticks: 1_200,
  stop_above_ticks: 1_150,
  stop_below_ticks: 800,
  trail_up_ticks: 1_200,
  trail_down_ticks: 700,
} as unknown as OwnedBot;

test("[GRID-1] a clone of a bot whose range has moved keeps the stop's distance, and no bound that is reached", () => {
  const first = { low_ticks: 900, high_ticks: 1_100 };
  expect(clonedBounds(row, first)).toEqual({
    stopAboveTicks: 1_250,
    stopBelowTicks: 800,
    trailUpTicks: 0,
    trailDownTicks: 700,
  });
  const down = { ...row, low_ticks: 780, high_ticks: 980, stop_above_ticks: 1_300, trail_down_ticks: 780 };
  expect(clonedBounds(down, first)).toEqual({
    stopAboveTicks: 1_300,
    stopBelowTicks: 680,
    trailUpTicks: 1_200,
    trailDownTicks: 0,
  });
  const none = { ...row, stop_above_ticks: 0, stop_below_ticks: 0, trail_up_ticks: 0, trail_down_ticks: 0 };
  expect(Object.values(clonedBounds(none, first))).toEqual([0, 0, 0, 0]);
  // For an infinity grid the columns of bounds hold the position of its lines.
  expect(clonedBounds({ ...row, grid: "infinity" }, first)).toMatchObject({ trailUpTicks: 0, trailDownTicks: 0 });
});
