// Checks that prices follow the index exactly, that payers round up, and that fees never exceed the reserved amount.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameName, maskAccount } from "./fiat.ts";
import { amountOf, escrowOf, feeOf, floatingPrice, quantityOf, stockWithFee } from "./price.ts";

test("[OTC-1] a floating price is index × rate × premium, rounded down", () => {
  expect(floatingPrice(1_000_400n, 367_250_000n, 10_018)).toBe(36_805n);
  expect(floatingPrice(60_000_000_000n, 367_250_000n, 10_000)).toBe(2_203_500_000n);
});

test("[OTC-1] coins are truncated and payments are rounded up", () => {
  expect(quantityOf(500_000n, 6, 36_740n)).toBe(1_360_914_534n);
  expect(amountOf(1_360_914_534n, 6, 36_740n, "AED")).toBe(500_000n);
  expect(amountOf(1n, 6, 36_740n, "AED")).toBe(1n);
  expect(amountOf(1_000_000n, 6, 262_000_000n, "VND")).toBe(2_620_000n);
  expect(amountOf(1_000_001n, 6, 262_000_000n, "VND")).toBe(2_620_100n);
});

test("[OTC-1] no split of an ad into orders requires more than was reserved", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 40 }), (parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0n);
      const taken = parts.reduce((sum, part) => sum + escrowOf(part, true), 0n);
      expect(taken <= stockWithFee(whole)).toBe(true);
      expect(feeOf(whole) * 1000n <= whole).toBe(true);
    }),
  );
});

test("[OTC-1] a name matches in another order and case, a different one does not", () => {
  expect(isSameName("Tomas Brandt", "BRANDT, tomas")).toBe(true);
  expect(isSameName("Tomas Brandt", "Tomas Brand")).toBe(false);
  expect(isSameName("", "")).toBe(false);
  expect(maskAccount("AE07 0331 2345 6789 0123 456")).toBe("AE07 •••• 3456");
});
