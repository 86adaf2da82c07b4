// Shares of launches as bars and figures show them.
import { expect, test } from "vitest";
import { doneShare, supplyShare } from "./launch-model.ts";

test("[EARN-2] a round's bar is what was paid, committed or sold of what there is", () => {
  const round = { kind: "lottery", paid: 129, winners: 400, committed: "0", stock: "160000", left: null } as const;
  const price = { price: "0.25" };
  expect(doneShare(round, price)).toBeCloseTo(32.25);
  expect(doneShare({ ...round, winners: 0 }, price)).toBe(0);
  expect(doneShare({ ...round, kind: "subscription", committed: "10000" }, price)).toBeCloseTo(25);
  // More is committed than there is: the bar is full.
  expect(doneShare({ ...round, kind: "subscription", committed: "900000" }, price)).toBe(100);
  expect(doneShare({ ...round, kind: "flash", left: "120000" }, price)).toBeCloseTo(25);
  expect(supplyShare({ forSale: "4560000", supply: "200000000" })).toBe("2.28%");
});
