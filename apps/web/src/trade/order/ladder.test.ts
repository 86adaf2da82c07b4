// The rungs of a scaled order.
import { expect, test } from "vitest";
import { writeTrimmed } from "./exact.ts";
import { rungsOf, splitLots } from "./ladder.ts";

test("[SPOT-2] rungs are even in ticks and their sizes add up to the whole", () => {
  const rungs = rungsOf(
    { from: "60000", to: "60000.4", count: "5", quantity: "0.00011", shape: "flat" },
    { tickSize: "0.1", stepSize: "0.00001" },
  );
  expect(rungs?.map((rung) => writeTrimmed(rung.price))).toEqual(["60000", "60000.1", "60000.2", "60000.3", "60000.4"]);
  expect(rungs?.map((rung) => writeTrimmed(rung.quantity))).toEqual([
    "0.00002",
    "0.00002",
    "0.00002",
    "0.00002",
    "0.00003",
  ]);
  expect(splitLots(100n, 4, "rising")).toEqual([10n, 20n, 30n, 40n]);
  expect(splitLots(100n, 4, "falling")).toEqual([40n, 30n, 20n, 10n]);
  expect(splitLots(7n, 3, "flat")).toEqual([2n, 2n, 3n]);
});
