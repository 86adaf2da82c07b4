import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDecimals,
  compareDecimals,
  countDecimals,
  type Decimal,
  divideTruncated,
  groupThousands,
  isOnStep,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  trimZeros,
  truncateToStep,
  writeDecimal,
  ZERO_DECIMAL,
} from "./decimal.ts";

const decimals: fc.Arbitrary<Decimal> = fc.record({
  units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.integer({ min: 0, max: 24 }),
});

test("a product has the decimals of both, and a half rounds away from zero", () => {
  expect(writeDecimal(multiplyDecimals({ units: 15n, scale: 1 }, { units: 25n, scale: 2 }))).toBe("0.375");
  const halves = [25n, -25n, 24n, -24n].map((units) => roundDecimal({ units, scale: 1 }, 0, "half-up").units);
  expect(halves).toEqual([3n, -3n, 2n, -2n]);
  const round = (units: bigint, way: "floor" | "ceil") => roundDecimal({ units, scale: 1 }, 0, way).units;
  expect([20n, 29n, -20n, -21n].map((units) => round(units, "floor"))).toEqual([2n, 2n, -2n, -3n]);
  expect([20n, 21n, -20n, -29n].map((units) => round(units, "ceil"))).toEqual([2n, 3n, -2n, -2n]);
  const step = { units: 1n, scale: 1 };
  expect([isOnStep({ units: 15n, scale: 1 }, step), isOnStep({ units: 155n, scale: 2 }, step)]).toEqual([true, false]);
});

test("values one unit apart are unequal, on either side", () => {
  const of = (units: bigint) => ({ units, scale: 2 });
  expect([1n, 0n, -1n].map((units) => compareDecimals(of(units), of(0n)))).toEqual([1, 0, -1]);
});

test("[MONEY-2] zero is zero, and so is a quotient with a zero divisor", () => {
  expect(ZERO_DECIMAL).toEqual({ units: 0n, scale: 0 });
  expect(divideTruncated({ units: 5n, scale: 1 }, { units: 0n, scale: 3 }, 2)).toEqual(ZERO_DECIMAL);
});

test("[MONEY-2] a decimal of maximum length is read, one digit more is not", () => {
  expect(parseDecimal("1".repeat(64)).ok).toBe(true);
  expect(parseDecimal("1".repeat(65))).toEqual({ ok: false, code: "DECIMAL_TOO_LONG" });
  expect([parseDecimal("123", { lengthMax: 3 }).ok, parseDecimal("1234", { lengthMax: 3 }).ok]).toEqual([true, false]);
});

describe("decimal text at the edge", () => {
  test.each([
    ["", "DECIMAL_EMPTY"],
    ["1e3", "DECIMAL_MALFORMED"],
    ["1E-7", "DECIMAL_MALFORMED"],
    ["+1", "DECIMAL_MALFORMED"],
    ["01", "DECIMAL_MALFORMED"],
    [".5", "DECIMAL_MALFORMED"],
    ["5.", "DECIMAL_MALFORMED"],
    ["1.2.3", "DECIMAL_MALFORMED"],
    ["1,000", "DECIMAL_MALFORMED"],
    [" 1", "DECIMAL_MALFORMED"],
    ["1\n", "DECIMAL_MALFORMED"],
    ["0x10", "DECIMAL_MALFORMED"],
    ["NaN", "DECIMAL_MALFORMED"],
    ["Infinity", "DECIMAL_MALFORMED"],
    ["١٢", "DECIMAL_MALFORMED"],
    ["--1", "DECIMAL_MALFORMED"],
    ["-1", "DECIMAL_SIGNED"],
    ["9".repeat(65), "DECIMAL_TOO_LONG"],
  ])("[NET-4] %j is refused with %s", (text, code) => {
    expect(parseDecimal(text)).toEqual({ ok: false, code });
  });

  test("[NET-4] a sign is accepted only where it is enabled", () => {
    expect(parseDecimal("-1.50", { signed: true })).toEqual({ ok: true, value: { units: -150n, scale: 2 } });
  });

  test("[NET-4] more decimals than permitted are refused, trailing zeros do not count", () => {
    expect(parseDecimal("1.234", { scaleMax: 2 })).toEqual({ ok: false, code: "DECIMAL_TOO_PRECISE" });
    expect(parseDecimal("1.2300", { scaleMax: 2 }).ok).toBe(true);
  });

  test("[NET-4] writing and parsing are inverse for every value", () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(parseDecimal(writeDecimal(value), { signed: true, lengthMax: 99 })).toEqual({ ok: true, value });
      }),
    );
  });

  test("[NET-4] no text makes the parser throw, and accepted text can be written back", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9.e+]{0,12}$/)), (text) => {
        const result = parseDecimal(text, { signed: true });
        if (result.ok)
          expect(writeDecimal(result.value)).toBe(text === "-0" ? "0" : text.replace(/^-(0(\.0*)?)$/, "$1"));
      }),
    );
  });

  test("[NET-4] sums, products and comparisons are exact at any scale", () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const widen = (value: Decimal) => value.units * 10n ** BigInt(48 - value.scale);
        const sum = addDecimals(left, right);
        expect(widen(sum)).toBe(widen(left) + widen(right));
        expect(multiplyDecimals(left, right).units).toBe(left.units * right.units);
        const difference = widen(left) - widen(right);
        expect(compareDecimals(left, right)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });
});

describe("rounding and steps", () => {
  test("[SITE-8] the decimals of a step", () => {
    expect(["1", "0.01", "0.50", "10", "0.00000001"].map(countDecimals)).toEqual([0, 2, 1, 0, 8]);
  });

  test("[SITE-8] truncation never moves a value away from zero nor by a whole unit of the last place", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 20 }), (value, places) => {
        const rounded = roundDecimal(value, places, "truncate");
        const wide = (decimal: Decimal) => decimal.units * 10n ** BigInt(40 - decimal.scale);
        const lost = wide(value) - wide(rounded);
        expect(value.units < 0n ? lost <= 0n : lost >= 0n).toBe(true);
        expect((lost < 0n ? -lost : lost) < 10n ** BigInt(40 - places)).toBe(true);
      }),
    );
  });

  test("[SITE-8] half-up is within half a unit, floor is never above", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 20 }), (value, places) => {
        const wide = (decimal: Decimal) => decimal.units * 10n ** BigInt(40 - decimal.scale);
        const unit = 10n ** BigInt(40 - places);
        const near = wide(value) - wide(roundDecimal(value, places, "half-up"));
        expect((near < 0n ? -near : near) * 2n <= unit).toBe(true);
        const above = wide(value) - wide(roundDecimal(value, places, "floor"));
        expect(above >= 0n && above < unit).toBe(true);
      }),
    );
  });

  test("[SITE-8] grouping only adds commas and trimming keeps the value", () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const text = writeDecimal(value);
        expect(groupThousands(text).replaceAll(",", "")).toBe(text);
        for (const part of groupThousands(text).split(".")[0]?.replace("-", "").split(",").slice(1) ?? []) {
          expect(part).toHaveLength(3);
        }
        const trimmed = parseDecimal(trimZeros(text), { signed: true, lengthMax: 99 });
        expect(trimmed.ok && trimmed.value.units * 10n ** BigInt(value.scale - trimmed.value.scale)).toBe(value.units);
      }),
    );
  });

  test("[SITE-8] ceil is never below and within a unit", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 20 }), (value, places) => {
        const wide = (decimal: Decimal) => decimal.units * 10n ** BigInt(48 - decimal.scale);
        const below = wide(roundDecimal(value, places, "ceil")) - wide(value);
        expect(below >= 0n && below < 10n ** BigInt(48 - places)).toBe(true);
      }),
    );
  });

  test("[SITE-8] a quotient is truncated towards zero and times the divisor never exceeds what was divided", () => {
    fc.assert(
      fc.property(decimals, decimals, fc.integer({ min: 0, max: 20 }), (left, right, scale) => {
        fc.pre(right.units !== 0n);
        const { units } = divideTruncated(left, right, scale);
        const over = left.units * 10n ** BigInt(right.scale + scale);
        const under = right.units * 10n ** BigInt(left.scale);
        expect(units).toBe(over / under);
      }),
    );
  });

  test("[SITE-8] a value is on its step exactly when the remainder is zero", () => {
    fc.assert(
      fc.property(
        decimals,
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.integer({ min: 0, max: 18 }),
        (value, units, scale) => {
          const step = { units, scale };
          const cut = truncateToStep(value, step);
          expect(isOnStep(cut, step)).toBe(true);
          expect(isOnStep(value, step)).toBe(compareDecimals(cut, value) === 0);
          const rest = subtractDecimals(value, cut);
          const magnitude = { units: rest.units < 0n ? -rest.units : rest.units, scale: rest.scale };
          expect(compareDecimals(magnitude, step)).toBe(-1);
        },
      ),
    );
  });
});
