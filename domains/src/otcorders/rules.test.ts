import { expect, test } from "vitest";
import { needsTwoPeople, winnerBySilence } from "./rules.ts";

test.each([
  ["a small order and nothing from the bond", 100_000_000n, 0n, false],
  ["both just at the bound", 1_000_000_000n, 1_000_000_000n, false],
  ["a large order", 1_000_000_001n, 0n, true],
  ["a small order that draws a large bond", 100_000_000n, 1_000_000_001n, true],
  ["an order nobody could value", 0n, 0n, true],
] as const)("[OTC-1] two people decide: %s", (_, worthUnits, compensationUnits, isTwo) => {
  expect(needsTwoPeople(worthUnits, compensationUnits)).toBe(isTwo);
});

test.each([
  ["words alone", ["Paid.", 0], ["", 0], "buyer"],
  ["words against pictures", ["Paid.", 0], ["", 2], ""],
  ["pictures alone", ["", 0], ["", 1], "seller"],
  ["nobody", ["", 0], ["", 0], ""],
] as const)("[OTC-1] who wins by the silence of the other: %s", (_, buyer, seller, winner) => {
  const [buyer_says, buyer_pictures] = buyer;
  const [seller_says, seller_pictures] = seller;
  expect(winnerBySilence({ buyer_says, buyer_pictures, seller_says, seller_pictures })).toBe(winner);
});
