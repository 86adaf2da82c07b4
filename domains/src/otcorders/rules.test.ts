import { expect, test } from "vitest";
import { needsTwoPeople } from "./rules.ts";

test.each([
  ["a small order and nothing from the bond", 100_000_000n, 0n, false],
  ["both just at the bound", 1_000_000_000n, 1_000_000_000n, false],
  ["a large order", 1_000_000_001n, 0n, true],
  ["a small order that draws a large bond", 100_000_000n, 1_000_000_001n, true],
  ["an order nobody could value", 0n, 0n, true],
] as const)("[OTC-1] two people decide: %s", (_, worthUnits, compensationUnits, isTwo) => {
  expect(needsTwoPeople(worthUnits, compensationUnits)).toBe(isTwo);
});
