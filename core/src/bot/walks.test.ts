// The same grids over the same trades in the core and in the back-test, and a bot's own figures beside what its fills come to, both
// to the unit. Many more of them: npm run soak -- grids.
import { expect, it } from "vitest";
import { runFillWalk } from "../testing/fill-reference.ts";
import { runGridReference } from "../testing/grid-reference.ts";

const SEEDS = 16;

it("[GRID-1] a bot of the core and the back-test of the same trades tell the same to the unit, whatever the grid", () => {
  const results = Array.from({ length: SEEDS }, (_, i) => ({ seed: i + 1, ...runGridReference(i + 1) }));
  expect(results.filter(({ difference }) => difference !== undefined)).toEqual([]);
  // The seeds are of all sorts: some close pairs, some end by themselves.
  expect(results.reduce((sum, { pairs }) => sum + pairs, 0)).toBeGreaterThan(50);
  expect(new Set(results.map(({ status }) => status)).size).toBeGreaterThan(1);
  const fundings = results.map(({ fundingUnits = 0 }) => Math.sign(fundingUnits));
  expect([fundings.includes(1), fundings.includes(-1)]).toEqual([true, true]);
});

it("[GRID-1] profit, float and fees are what the fills come to, through partial fills, gaps, fees in quote and restarts", () => {
  const results = Array.from({ length: SEEDS }, (_, i) => {
    const { difference, kind, status, pairs, parts, restarts, mostLines } = runFillWalk(i + 1);
    return { seed: i + 1, difference, kind, status, pairs, parts, restarts, mostLines };
  });
  expect(results.filter(({ difference }) => difference !== undefined)).toEqual([]);
  const sum = (of: "pairs" | "parts" | "restarts"): number => results.reduce((total, one) => total + one[of], 0);
  expect([sum("pairs"), sum("parts"), sum("restarts")].every((count) => count > SEEDS)).toBe(true);
  expect(Math.max(...results.map(({ mostLines }) => mostLines))).toBeGreaterThan(4);
  expect(new Set(results.map(({ kind }) => kind)).size).toBe(5);
});
