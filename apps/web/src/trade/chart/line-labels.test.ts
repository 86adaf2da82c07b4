// The text on own lines, and when there is none.
import { expect, test } from "vitest";
import { isCovered, labelOf } from "./line-labels.ts";

const entry = {
  id: "1:entry",
  pairCode: "BTC_USDT",
  price: "64000.0",
  shown: "64,000.0",
  label: "Long 0.500 entry 64,000.0",
  shortLabel: "Long 0.500",
  aside: "+354.70 USDT",
  tone: "up",
  isDashed: false,
} as const;

test("[FUT-3] on a phone a line shows only side, size and profit", () => {
  expect(labelOf(entry, 848)).toEqual({ label: "Long 0.500 entry 64,000.0", aside: "+354.70 USDT" });
  expect(labelOf(entry, 326)).toEqual({ label: "Long 0.500", aside: "+354.70" });
  const { shortLabel: _, aside: __, ...plain } = entry;
  expect(labelOf(plain, 326)).toEqual({ label: "Long 0.500 entry 64,000.0", aside: "" });
});

test("[FUT-3] break-even has no label where it equals the entry", () => {
  expect([isCovered(100, 110, 19), isCovered(100, 81, 19), isCovered(100, undefined, 19)]).toEqual([
    true,
    false,
    false,
  ]);
});
