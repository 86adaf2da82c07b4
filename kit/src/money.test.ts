import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUnits, mulDivCeil, mulDivFloor, parseUnits, RATE_ONE, toCoreUnits, UNITS_MAX, units } from "./money.ts";

const whole = fc.integer({ min: 0, max: UNITS_MAX });
const divisor = fc.integer({ min: 1, max: UNITS_MAX });

describe("exact products", () => {
  it("[MONEY-4] a rate counts hundred-millionths, and a product that divides exactly is not rounded up", () => {
    expect(RATE_ONE).toBe(100_000_000);
    expect(mulDivCeil(UNITS_MAX - 2, UNITS_MAX, UNITS_MAX)).toBe(UNITS_MAX - 2);
    expect(mulDivCeil(UNITS_MAX - 1, UNITS_MAX - 3, UNITS_MAX - 1)).toBe(UNITS_MAX - 3);
    expect(mulDivCeil(3 * 2 ** 40, 2 ** 41, 3 * 2 ** 30)).toBe(2 ** 51);
    expect(mulDivCeil(2 ** 50 - 1, 2 ** 40, 2 ** 50)).toBe(2 ** 40);
  });

  it("[MONEY-4] mulDivFloor agrees with big integers wherever the quotient fits", () => {
    fc.assert(
      fc.property(whole, whole, divisor, (a, b, c) => {
        const exact = (BigInt(a) * BigInt(b)) / BigInt(c);
        fc.pre(exact <= BigInt(UNITS_MAX));
        expect(mulDivFloor(a, b, c)).toBe(Number(exact));
      }),
      { numRuns: 5_000 },
    );
  });

  it("[MONEY-4] mulDivCeil agrees with big integers wherever the quotient fits", () => {
    fc.assert(
      fc.property(whole, whole, divisor, (a, b, c) => {
        const exact = (BigInt(a) * BigInt(b) + BigInt(c) - 1n) / BigInt(c);
        fc.pre(exact <= BigInt(UNITS_MAX));
        expect(mulDivCeil(a, b, c)).toBe(Number(exact));
      }),
      { numRuns: 5_000 },
    );
  });

  it("[MONEY-4] products just beyond the exact range divide as exactly as those within it", () => {
    const small = fc.integer({ min: 2, max: 1_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 26 }),
        fc.double({ min: 1, max: 4, noNaN: true }),
        small,
        (b, times, c) => {
          const a = Math.min(UNITS_MAX, Math.floor((UNITS_MAX / b) * times));
          const product = BigInt(a) * BigInt(b);
          const [floor, ceil] = [product / BigInt(c), (product + BigInt(c) - 1n) / BigInt(c)];
          fc.pre(ceil <= BigInt(UNITS_MAX));
          expect([mulDivFloor(a, b, c), mulDivCeil(a, b, c)]).toEqual([Number(floor), Number(ceil)]);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("[MONEY-4] quotients one unit short of whole do not round up in floor", () => {
    for (const c of [3, 7, 100_000_000, 99_999_989]) {
      const product = Math.floor(UNITS_MAX / c) * c - 1;
      expect(mulDivFloor(product, 1, c)).toBe(Math.floor(UNITS_MAX / c) - 1);
      expect(mulDivCeil(product, 1, c)).toBe(Math.floor(UNITS_MAX / c));
    }
  });

  it("[MONEY-3] a quotient beyond 2^53 − 1 is a bug, not a wrong number", () => {
    for (const mulDiv of [mulDivFloor, mulDivCeil]) {
      expect(() => mulDiv(UNITS_MAX, UNITS_MAX, 1)).toThrow("MONEY-3");
      expect(() => mulDiv(UNITS_MAX, 2, 1)).toThrow("MONEY-3");
      expect(() => mulDiv(UNITS_MAX, 3, 2)).toThrow("MONEY-3");
    }
  });
});

describe("decimal text", () => {
  it("[MONEY-6] written text is read back the same", () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 0, max: 18 }), (value, scale) => {
        const parsed = parseUnits(formatUnits(units(value), scale), scale);
        expect(parsed).toEqual({ done: true, value: units(value) });
      }),
    );
  });

  it.each(["", "1e3", "-1", "+1", " 1", "1.", ".5", "01", "0x10", "1,000", "١"])(
    "[MONEY-7] %j is not a decimal",
    (text) => {
      expect(parseUnits(text, 8)).toMatchObject({ done: false, code: "NOT_A_DECIMAL" });
    },
  );

  it("[MONEY-8] more digits than the asset has are refused, trailing zeros are not digits", () => {
    expect(parseUnits("1.1234567", 6)).toMatchObject({ code: "TOO_PRECISE" });
    expect(parseUnits("1.1234560", 6)).toEqual({ done: true, value: 1_123_456n });
  });

  it("[MONEY-1] amounts beyond the core's range are refused", () => {
    expect(parseUnits("90071992547.40991", 5)).toEqual({ done: true, value: BigInt(UNITS_MAX) });
    expect(parseUnits("90071992547.40992", 5)).toMatchObject({ code: "TOO_LARGE" });
    expect(() => toCoreUnits(units(2n ** 53n))).toThrow("MONEY-1");
    expect(toCoreUnits(units(2n ** 53n - 1n))).toBe(UNITS_MAX);
  });

  it("[MONEY-9] an amount below zero keeps its sign and loses its trailing zeros", () => {
    expect(formatUnits(units(-50), 2)).toBe("-0.5");
    expect(formatUnits(units(0), 8)).toBe("0");
  });
});
