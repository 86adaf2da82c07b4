// The same grids over the same trades in the core and in the back-test, to the unit. Many more of them: npm run soak -- grids.
import { expect, it } from "vitest";
import { runGridTwin } from "../testing/grid-twin.ts";

const SEEDS = 24;

it("[GRID-1] a bot of the core and the back-test of the same trades tell the same to the unit, whatever the grid", () => {
  const results = Array.from({ length: SEEDS }, (_, i) => ({ seed: i + 1, ...runGridTwin(i + 1) }));
  expect(results.filter(({ difference }) => difference !== undefined)).toEqual([]);
  // The seeds are of all sorts: some close pairs, some end by themselves.
  expect(results.reduce((sum, { pairs }) => sum + pairs, 0)).toBeGreaterThan(50);
  expect(new Set(results.map(({ status }) => status)).size).toBeGreaterThan(1);
});
