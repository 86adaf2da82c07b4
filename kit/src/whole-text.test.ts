import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalText } from "./decimal.ts";
import { fixedText, readFixed, readSteps, showFixed } from "./whole-text.ts";

const whole = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const decimals = fc.integer({ min: 0, max: 18 });

test("[NET-4] a whole number is written like a bigint", () => {
  fc.assert(
    fc.property(whole, decimals, (value, scale) => {
      expect(fixedText(value, scale)).toBe(decimalText(BigInt(value), scale));
    }),
  );
  expect(fixedText(2 ** 60, 2)).toBe(decimalText(2n ** 60n, 2));
});

test("[NET-4] written text is read back, and steps are counted exactly at any length", () => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), decimals, fc.constantFrom(1, 2, 5, 25), (value, scale, mantissa) => {
      const text = fixedText(value, scale);
      expect(readFixed(text, scale)).toBe(value);
      expect(readSteps(text, mantissa, scale)).toBe(value % mantissa === 0 ? value / mantissa : undefined);
    }),
  );
});

test("[NET-4] digits past the last decimal are truncated by one parser and refused by the other", () => {
  expect(readFixed("1.2399", 2)).toBe(123);
  expect(readSteps("1.2399", 1, 2)).toBeUndefined();
  expect(readSteps("1.2300", 1, 2)).toBe(123);
  expect(readSteps("99999999999999999999", 1, 0)).toBeUndefined();
});

test.each(["", "x", "-1", "1.", ".5", "1e3", "9".repeat(20)])("[NET-4] %j is no exact number", (text) => {
  expect(readFixed(text, 2)).toBeNaN();
});

test("[SITE-8] grouped for display, truncated after the decimals shown", () => {
  expect(showFixed(123_456_789, 2)).toBe("1,234,567.89");
  expect(showFixed(-123_456, 2, 1)).toBe("−1,234.5");
  expect(showFixed(5, 2, 0)).toBe("0");
  expect(showFixed(Number.NaN, 2)).toBe("–");
});
