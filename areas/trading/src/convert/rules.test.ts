// Checks that a walk through the book is exact, never pays more than the book holds, and rounds against the receiver.
import { expect, test } from "vitest";
import {
  afterSpread,
  boundedAmount,
  boundedValue,
  buyAmount,
  hasMoved,
  readLevel,
  sellValue,
  withoutOwn,
} from "./rules.ts";

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

test("[WAL-1] the exchange pays no more than the fair price, whatever the book shows, and sells no cheaper than the book", () => {
  const bids = book([["115", "1"]]);
  expect(boundedValue(scaled(1n), bids, scaled(100n))).toBe(scaled(100n));
  expect(boundedValue(scaled(1n), bids, scaled(120n))).toBe(scaled(115n));
  expect(boundedValue(scaled(2n), bids, scaled(100n))).toBeUndefined();
  const asks = book([["50", "10"]]);
  expect(boundedAmount(scaled(100n), asks, scaled(100n))).toBe(scaled(1n));
  expect(boundedAmount(scaled(100n), asks, scaled(20n))).toBe(scaled(2n));
  expect(boundedAmount(scaled(501n), asks, scaled(100n))).toBeUndefined();
});

test("[WAL-1] own orders are not part of the book a user is quoted by", () => {
  const bids = book([
    ["115", "1"],
    ["99", "3"],
  ]);
  const own = new Map([
    [scaled(115n), scaled(1n)],
    [scaled(99n), scaled(1n)],
  ]);
  expect(withoutOwn(bids, own)).toEqual(book([["99", "2"]]));
  expect(withoutOwn(bids, new Map())).toEqual(bids);
});

test("[WAL-1] a price has moved when a quarter of a percent less would come", () => {
  expect([hasMoved(10_000n, 9_975n), hasMoved(10_000n, 9_974n), hasMoved(10_000n, 20_000n)]).toEqual([
    false,
    true,
    false,
  ]);
});
