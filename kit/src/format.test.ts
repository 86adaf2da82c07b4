import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CURRENCIES, CURRENCY_SYMBOL } from "./constants.ts";
import {
  convertAmount,
  formatAbbreviated,
  formatConverted,
  formatCurrency,
  formatDecimal,
  formatMoney,
  formatPercent,
} from "./format.ts";

describe("decimals", () => {
  test.each([
    ["1.999", "1.99"],
    ["-1.999", "-1.99"],
    ["-0.001", "0.00"],
    ["5", "5.00"],
    ["0.1", "0.10"],
    ["9007199254740993.129", "9007199254740993.12"],
    ["nonsense", "–"],
    ["1e5", "–"],
    ["", "–"],
  ])("[SITE-8] %s is cut, not rounded, to %s", (text, expected) => {
    expect(formatDecimal(text)).toBe(expected);
  });

  test.each([
    ["1.005", "half-up", "1.01"],
    ["-1.005", "half-up", "-1.01"],
    ["1.0049999", "half-up", "1.00"],
    ["-1.001", "floor", "-1.01"],
    ["1.009", "floor", "1.00"],
  ] as const)("[SITE-8] %s rounded %s is %s", (text, rounding, expected) => {
    expect(formatDecimal(text, { rounding })).toBe(expected);
  });

  test("[SITE-8] grouping, plus sign, trimmed zeros and zero decimals", () => {
    expect(formatDecimal("1234567.891", { grouped: true })).toBe("1,234,567.89");
    expect(formatDecimal("-1234.5", { grouped: true })).toBe("-1,234.50");
    expect(formatDecimal("123456", { grouped: true, decimals: 0 })).toBe("123,456");
    expect(formatDecimal("12.3", { plus: true })).toBe("+12.30");
    expect(formatDecimal("0", { plus: true })).toBe("0.00");
    expect(formatDecimal("100.50", { trimZeros: true, decimals: 4 })).toBe("100.5");
    expect(formatDecimal("100", { trimZeros: true, decimals: 4 })).toBe("100");
    expect(formatDecimal(12n)).toBe("12.00");
  });
});

describe("abbreviations", () => {
  test.each([
    ["999", "999.000"],
    ["1000", "1.000K"],
    ["1234567", "1.234M"],
    ["1000000000", "1.000B"],
    ["1999999999999", "1.999T"],
    ["1000000000000000", "1.000Q"],
    ["123456789000000000000", "123456.789Q"],
    ["-1500", "-1.500K"],
    ["0", "0.000"],
    ["?", "–"],
  ])("[SITE-8] %s is %s", (text, expected) => {
    expect(formatAbbreviated(text)).toBe(expected);
  });

  test.each([
    ["9999", "9999.000"],
    ["10000", "1.000万"],
    ["1234567", "123.456万"],
    ["100000000", "1.000亿"],
    ["999999999999", "9999.999亿"],
    ["1000000000000", "1.000万亿"],
    ["12345000000000000", "12345.000万亿"],
  ])("[SITE-8] in Chinese locales %s is %s", (text, expected) => {
    expect(formatAbbreviated(text, { locale: "zh_CN" })).toBe(expected);
    expect(formatAbbreviated(text, { locale: "zh_TW" })).toBe(expected);
  });

  test("[SITE-8] a value rounded half-up to the next step is written in the next step", () => {
    expect(formatAbbreviated("999999.9", { rounding: "half-up" })).toBe("1.000M");
    expect(formatAbbreviated("999999.9")).toBe("999.999K");
    expect(formatAbbreviated("99999999.99", { rounding: "half-up", locale: "zh_CN" })).toBe("1.000亿");
    expect(formatAbbreviated("1500", { trimZeros: true })).toBe("1.5K");
    expect(formatAbbreviated("1567", { decimals: 1, rounding: "half-up" })).toBe("1.6K");
  });

  test("[SITE-8] the mantissa is always below the next step and floor never shows more than the amount", () => {
    const power: Record<string, bigint> = { "": 0n, K: 3n, M: 6n, B: 9n, T: 12n, Q: 15n };
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (value) => {
        const text = formatAbbreviated(value);
        const suffix = text.replace(/[0-9.]/g, "");
        const thousandths = BigInt(text.replace(/[^0-9]/g, ""));
        const scaled = thousandths * 10n ** (power[suffix] ?? 99n);
        expect(scaled <= value * 1000n).toBe(true);
        expect(thousandths < 1_000_000n).toBe(true);
        expect(value * 1000n - scaled < 10n ** (power[suffix] ?? 0n)).toBe(true);
      }),
    );
  });
});

describe("per cent and currencies", () => {
  test("[SITE-8] a ratio reads as per cent", () => {
    expect(formatPercent("0.01239")).toBe("1.23%");
    expect(formatPercent("-0.5", { plus: true })).toBe("−50.00%");
    expect(formatPercent("0.0001", { plus: true })).toBe("+0.01%");
    expect(formatPercent("x")).toBe("–");
  });

  test.each(CURRENCIES)("[SITE-7] %s has its symbol", (currency) => {
    expect(formatCurrency("1234.567", currency)).toBe(
      CURRENCY_SYMBOL[currency] + (["KRW", "VND", "JPY"].includes(currency) ? "1,234" : "1,234.56"),
    );
  });

  test("[SITE-7] signs precede the symbol, small prices keep four digits", () => {
    expect(formatCurrency("-0.019", "EUR")).toBe("-€0.01");
    expect(formatCurrency("-0.001", "EUR")).toBe("€0.00");
    expect(formatCurrency("3", "USD", { plus: true })).toBe("+$3.00");
    expect(formatCurrency("0.0000123456", "USD", { small: true })).toBe("$0.00001234");
    expect(formatCurrency("1.23456", "USD", { small: true })).toBe("$1.23");
    expect(formatCurrency("0", "USD", { small: true })).toBe("$0.00");
  });

  test("[SITE-7] money has two decimals, and what would be 0.00 without being nothing has its own", () => {
    const published = ["1234.5678", "0", "0.008", "-0.0012", "0.009999", "", "-3.5"].map((amount) =>
      formatMoney(amount),
    );
    expect(published).toEqual(["1,234.56", "0.00", "0.008", "-0.0012", "0.009999", "–", "-3.50"]);
  });

  test("[SITE-7] conversion at a served rate is exact where floating point is not", () => {
    expect(convertAmount("0.1", "3")).toEqual({ units: 3n, scale: 1 });
    expect(formatConverted("1.1", "1.1", "EUR", { decimals: 4, trimZeros: true })).toBe("€1.21");
    expect(formatConverted("100", "7.1234", "CNY")).toBe("￥712.34");
    expect(formatConverted("100", "1350.5", "KRW")).toBe("₩135,050");
    expect(formatConverted("100", "", "KRW")).toBe("–");
  });
});
