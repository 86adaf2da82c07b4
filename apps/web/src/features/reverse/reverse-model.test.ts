import { expect, test } from "vitest";
import {
  beginDraft,
  type Draft,
  liquidationText,
  rateText,
  readDraft,
  readTerms,
  shiftTicks,
  tickText,
} from "./reverse-model.ts";

const LONG: Draft = { side: "long", quantity: "0.5", entry: "60,000", price: "57000", leverage: "10" };
const USDT = 1_000_000n;

function reversalOf(draft: Draft) {
  const { reversal, faults } = readDraft(draft);
  if (reversal === undefined) throw new Error(JSON.stringify(faults));
  return reversal;
}

test("[PAGE-1] reversing a losing long realises the loss, pays two fees and opens as much the other way", () => {
  const it = reversalOf(LONG);
  expect(it.before.margin).toBe(3_000n * USDT);
  expect(it.realized).toBe(-1_500n * USDT);
  expect(it.closingFee).toBe(17_100_000n);
  expect(it.left).toBe(3_000n * USDT - 1_500n * USDT - 34_200_000n);
  expect(it.after.value).toBe(28_500n * USDT);
  expect(it.after.margin).toBe(2_850n * USDT);
  expect(it.missing).toBe(2_850n * USDT - it.left);
});

test("[PAGE-1] a winning short turned around needs nothing from the wallet", () => {
  const it = reversalOf({ ...LONG, side: "short", quantity: "1", price: "54000" });
  expect(it.realized).toBe(6_000n * USDT);
  expect(it.missing).toBe(0n);
  expect(Number(liquidationText(it.after.liquidation))).toBeLessThan(54_000);
});

test("[PAGE-1] liquidation is below a long and above a short", () => {
  const long = reversalOf(LONG);
  expect(Number(liquidationText(long.before.liquidation))).toBeLessThan(57_000);
  expect(Number(liquidationText(long.after.liquidation))).toBeGreaterThan(57_000);
});

test("[PAGE-1] at the price now keeping, closing and reversing differ by the fees alone", () => {
  const it = reversalOf(LONG);
  const { keep, close, reverse } = it.outcomes(it.nowTicks);
  expect(keep - close).toBe(it.closingFee);
  expect(close - reverse).toBe(it.openingFee);
  const later = it.outcomes(shiftTicks(it.nowTicks, -100));
  expect(later.reverse).toBeGreaterThan(later.close);
  expect(later.keep).toBeLessThan(later.close);
});

test.each([
  [{ quantity: "" }, "quantity", "notNumber"],
  [{ quantity: "0" }, "quantity", "outOfRange"],
  [{ quantity: "0.0005" }, "quantity", "tooFine"],
  [{ quantity: "1e3" }, "quantity", "notNumber"],
  [{ entry: "-1" }, "entry", "notNumber"],
  [{ entry: "60000.05" }, "entry", "tooFine"],
  [{ price: "9".repeat(40) }, "price", "outOfRange"],
  [{ price: "<b>" }, "price", "notNumber"],
  [{ leverage: "0" }, "leverage", "outOfRange"],
  [{ leverage: "126" }, "leverage", "outOfRange"],
  [{ leverage: "2.5" }, "leverage", "tooFine"],
  [{ quantity: "100", leverage: "125" }, "leverage", "leverageTooHigh"],
])("[PAGE-1] the calculator refuses %j", (wrong, field, fault) => {
  expect(readDraft({ ...LONG, ...wrong })).toMatchObject({ faults: { [field]: fault }, reversal: undefined });
});

test("[PAGE-1] the calculator starts with a position that has lost a twentieth", () => {
  expect(beginDraft("60000.0")).toMatchObject({ entry: "63000.0", price: "60000.0" });
});

test("[PAGE-1] ticks are written exactly", () => {
  expect([tickText(5n), tickText(641_205n)]).toEqual(["0.5", "64120.5"]);
});

test("[PAGE-1] fees and ladder are the listed contract's own", () => {
  const step = { tier: 1, maxNotional: "10000", maxLeverage: 5, maintenanceRate: "0.1", deduction: "0" };
  const terms = readTerms({ takerRate: "0.001", liquidationRate: "0.001", ladder: [step] });
  expect(rateText(terms)).toBe("0.1");
  expect(readDraft({ ...LONG, leverage: "10" }, terms).faults).toEqual({ leverage: "outOfRange" });
  expect(readDraft({ ...LONG, leverage: "2" }, terms).reversal?.closingFee).toBe(28_500_000n);
  expect(rateText(readTerms(null))).toBe("0.06");
});
