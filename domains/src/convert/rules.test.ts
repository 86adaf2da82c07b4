// Checks that a walk through the book is exact, never pays more than the book holds, and rounds against whoever receives.
import { expect, test } from "vitest";
import { afterSpread, buyAmount, readLevel, sellValue } from "./rules.ts";

const book = (rows: readonly (readonly [string, string])[]) => rows.map(readLevel);
const scaled = (whole: bigint): bigint => whole * 10n ** 18n;

test("[WAL-1] selling walks down the bids, buying up the asks, and a thin book gives no price", () => {
  const bids = book([
    ["100", "1"],
    ["90", "2"],
  ]);
  expect(sellValue(scaled(2n), bids)).toBe(scaled(190n));
  expect(sellValue(scaled(4n), bids)).toBeUndefined();
  const asks = book([
    ["100", "1"],
    ["125", "2"],
  ]);
  expect(buyAmount(scaled(100n), asks)).toBe(scaled(1n));
  expect(buyAmount(scaled(350n), asks)).toBe(scaled(3n));
  expect(buyAmount(scaled(351n), asks)).toBeUndefined();
  expect(afterSpread(scaled(1_000n))).toBe(scaled(999n));
});
