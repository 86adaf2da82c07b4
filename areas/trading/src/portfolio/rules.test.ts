import { expect, test } from "vitest";
import { shareText, unrealisedOf } from "./rules.ts";

test("[WAL-3] a holding gains its worth beyond its cost; one without a known cost gains nothing", () => {
  const cost = { units: 15n, knownUnits: 15n, costUnits: 3_000n, realisedUnits: 500n };
  expect(unrealisedOf(cost, 4_500n)).toEqual({ costUnits: 3_000n, gainUnits: 1_500n });
  expect(unrealisedOf({ ...cost, units: 20n, knownUnits: 10n, costUnits: 100n }, 400n)?.gainUnits).toBe(100n);
  expect(unrealisedOf({ ...cost, knownUnits: 0n, costUnits: 0n }, 5_000n)).toBeUndefined();
});

test.each([
  [150n, 1_000n, "15.00"],
  [-5n, 1_000n, "-0.50"],
  [1n, 100_000n, "0.00"],
  [1n, 0n, null],
])("[WAL-3] a gain of %s on %s reads %s", (gain, of, text) => {
  expect(shareText(gain, of)).toBe(text);
});
