import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareDecimals, parseDecimal } from "./decimal.ts";
import {
  checkCaptcha,
  checkDecimal,
  checkDigits,
  checkDigitsHyphenUnderscore,
  checkEmail,
  checkEnglish,
  checkFuturesAmount,
  checkLettersChinese,
  checkLettersDigits,
  checkNumber,
  checkPassword,
  checkPhone,
  checkText,
  clampNumber,
  filterCaptcha,
  filterDecimal,
  filterDigits,
  filterDigitsHyphenUnderscore,
  filterEnglish,
  filterFuturesAmount,
  filterLettersChinese,
  filterLettersDigits,
  filterText,
  passwordStrength,
  trimEmail,
} from "./validate.ts";

const anyText = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.stringMatching(/^[0-9.,\- ]{0,14}$/));

describe("accounts", () => {
  test.each(["a@b.co", " ann.lee+tag@mail.example.org ", "o'neil@example.com", "x_1@a-b.io"])(
    "[AUTH-9] %j is an e-mail address",
    (text) => {
      expect(checkEmail(text)).toBeUndefined();
    },
  );

  test.each([
    "",
    "a",
    "a@b",
    "@b.co",
    "a@.co",
    "a..b@c.co",
    ".a@c.co",
    "a@b..co",
    "a@-b.co",
    "a b@c.co",
    "a@b.c",
    "a@b@c.co",
    "a@b.co\nx",
    `${"a".repeat(65)}@b.co`,
    `a@${"b".repeat(250)}.co`,
  ])("[AUTH-9] %j is none", (text) => {
    expect(checkEmail(text)).toBe("EMAIL_INVALID");
  });

  test("[AUTH-9] the address is trimmed and a hostile one is refused at once", () => {
    expect(trimEmail("\t a@b.co \n")).toBe("a@b.co");
    expect(checkEmail(`${"a.".repeat(100_000)}@`)).toBe("EMAIL_INVALID");
    expect(checkEmail(`a@${"a-".repeat(120)}`)).toBe("EMAIL_INVALID");
  });

  test("[AUTH-9] a phone has six or more digits and nothing else", () => {
    expect(["123456", "00971501234567"].map(checkPhone)).toEqual([undefined, undefined]);
    for (const text of ["12345", "", "12345a", "+123456", "123 456", "１２３４５６"]) {
      expect(checkPhone(text)).toBe("PHONE_INVALID");
    }
  });

  test.each([
    ["abc1234", "PASSWORD_TOO_SHORT"],
    ["abcd1234", undefined],
    [`${"a".repeat(31)}1`, undefined],
    [`${"a".repeat(32)}1`, "PASSWORD_TOO_LONG"],
    ["abcdefgh", "PASSWORD_TOO_SIMPLE"],
    ["12345678", "PASSWORD_TOO_SIMPLE"],
    ["!!!!!!!!", "PASSWORD_TOO_SIMPLE"],
    ["abcdefg!", undefined],
    ["1234567!", undefined],
    ["", "PASSWORD_TOO_SHORT"],
  ])("[AUTH-9] the password %j: %s", (text, code) => {
    expect(checkPassword(text)).toBe(code);
  });

  test("[AUTH-9] strength is zero exactly when the password is refused", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        expect(passwordStrength(text) === 0).toBe(checkPassword(text) !== undefined);
      }),
    );
    expect(["abcd1234", "Abcd1234!", "Abcd1234!xyz", "aaaa1111"].map(passwordStrength)).toEqual([1, 2, 3, 1]);
  });

  test("[AUTH-9] a captcha code is six digits; typing keeps digits only and at most six", () => {
    expect(checkCaptcha("012345")).toBeUndefined();
    for (const text of ["12345", "1234567", "12a456", ""]) expect(checkCaptcha(text)).toBe("CAPTCHA_INVALID");
    expect(filterCaptcha("12-34 5678")).toBe("123456");
  });
});

describe("character classes", () => {
  const classes = [
    ["digits", checkDigits, filterDigits, "0189", ["", "1a", "１"], "DIGITS_ONLY"],
    ["text", checkText, filterText, "Hello 世界, ok! 12-3_（好）", ["", "<b>", "a\tb", "😀", "é"], "TEXT_CHARACTERS"],
    ["english", checkEnglish, filterEnglish, "Ab1!~<>", ["", "a b", "世", "é"], "ENGLISH_CHARACTERS"],
    [
      "letters and Chinese",
      checkLettersChinese,
      filterLettersChinese,
      "Ann李",
      ["", "a1", "a b"],
      "LETTERS_CHINESE_ONLY",
    ],
    ["letters and digits", checkLettersDigits, filterLettersDigits, "Ann1", ["", "a-1", "李"], "LETTERS_DIGITS_ONLY"],
    [
      "digits, hyphen, underscore",
      checkDigitsHyphenUnderscore,
      filterDigitsHyphenUnderscore,
      "12-3_4",
      ["", "a", "1.2"],
      "DIGITS_HYPHEN_UNDERSCORE_ONLY",
    ],
  ] as const;

  test.each(classes)("[AUTH-9] %s", (_name, check, filter, good, bad, code) => {
    expect(check(good)).toBeUndefined();
    expect(filter(good)).toBe(good);
    for (const text of bad) expect(check(text)).toBe(code);
  });

  test.each(classes)(
    "[AUTH-9] the result of the filter of %s passes the check, and filtering twice changes nothing",
    (_name, check, filter) => {
      fc.assert(
        fc.property(anyText, (text) => {
          const kept = filter(text);
          expect(filter(kept)).toBe(kept);
          if (kept !== "") expect(check(kept)).toBeUndefined();
        }),
      );
    },
  );
});

describe("numbers", () => {
  test.each([
    ["007", "7"],
    ["00", "0"],
    ["0.50", "0.50"],
    [".5", "0.5"],
    ["1.", "1."],
    ["1..2.3", "1.23"],
    ["1.239", "1.23"],
    ["abc", ""],
    ["-1.5", "1.5"],
    ["1,000.5", "1000.5"],
    ["000.001", "0.00"],
  ])("[AUTH-9] typing %j leaves %j", (text, expected) => {
    expect(filterDecimal(text)).toBe(expected);
  });

  test("[AUTH-9] without decimal places no dot is accepted", () => {
    expect(filterDecimal("12.5", 0)).toBe("12");
    expect(filterDecimal("1.123456789", 8)).toBe("1.12345678");
  });

  test("[AUTH-9] filtered text is stable and passes the check once a trailing dot is gone", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 8 }), (text, places) => {
        const kept = filterDecimal(text.slice(0, 40), places);
        expect(filterDecimal(kept, places)).toBe(kept);
        const done = kept.replace(/\.$/, "");
        if (done !== "") expect(checkDecimal(done, places)).toBeUndefined();
      }),
    );
  });

  test("[AUTH-9] a decimal has at most the allowed places and no sign", () => {
    expect(checkDecimal("1.25")).toBeUndefined();
    expect(checkDecimal("1.255")).toBe("NUMBER_TOO_PRECISE");
    expect(checkDecimal("1.255", 3)).toBeUndefined();
    for (const text of ["-1", "1e2", "", "1."]) expect(checkDecimal(text)).toBe("NUMBER_MALFORMED");
  });

  test("[AUTH-9] a bounded number is clamped exactly, beyond the reach of floating point", () => {
    expect(clampNumber("5", { min: "10", max: "20" })).toBe("10");
    expect(clampNumber("25", { min: "10", max: "20" })).toBe("20");
    expect(clampNumber("15.", { min: "10", max: "20" })).toBe("15");
    expect(clampNumber("", { min: "10" })).toBe("");
    expect(clampNumber("9007199254740993", { max: "9007199254740992" })).toBe("9007199254740992");
    expect(clampNumber("1", { min: "9", max: "5" })).toBe("5");
    expect(checkNumber("9.99", { min: "10" })).toBe("NUMBER_TOO_SMALL");
    expect(checkNumber("10.01", { max: "10" })).toBe("NUMBER_TOO_LARGE");
    expect(checkNumber("10", { min: "10", max: "10" })).toBeUndefined();
    expect(checkNumber("x", {})).toBe("NUMBER_MALFORMED");
  });

  test("[AUTH-9] clamping always lands inside the bounds", () => {
    const amounts = fc.integer({ min: 0, max: 10 ** 6 }).map((cents) => (cents / 100).toFixed(2));
    fc.assert(
      fc.property(amounts, amounts, amounts, (text, one, other) => {
        const [min = "", max = ""] = Number(one) <= Number(other) ? [one, other] : [other, one];
        const clamped = parseDecimal(clampNumber(text, { min, max }));
        const low = parseDecimal(min);
        const high = parseDecimal(max);
        if (!clamped.ok || !low.ok || !high.ok) throw new Error("clamping left no number");
        expect(compareDecimals(clamped.value, low.value)).toBeGreaterThanOrEqual(0);
        expect(compareDecimals(clamped.value, high.value)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("[AUTH-9] a futures amount follows its own rule", () => {
    expect(checkFuturesAmount("0", { positiveOnly: true })).toBe("NUMBER_NOT_POSITIVE");
    expect(checkFuturesAmount("-1", { positiveOnly: true })).toBe("NUMBER_NOT_POSITIVE");
    expect(checkFuturesAmount("-1")).toBeUndefined();
    expect(checkFuturesAmount("0.5", { min: "1" })).toBe("NUMBER_TOO_SMALL");
    expect(checkFuturesAmount("11", { max: "10" })).toBe("NUMBER_TOO_LARGE");
    expect(checkFuturesAmount("1.2345", { decimals: 3 })).toBe("NUMBER_TOO_PRECISE");
    expect(checkFuturesAmount("1.2345", { priceDigits: 4 })).toBeUndefined();
    expect(checkFuturesAmount("1.2345", { priceDigits: 4, decimals: 2 })).toBe("NUMBER_TOO_PRECISE");
    expect(filterFuturesAmount("-01.239")).toBe("-1.23");
    expect(filterFuturesAmount("-01.239", { positiveOnly: true, decimals: 1 })).toBe("1.2");
    expect(filterFuturesAmount("-")).toBe("-");
  });
});
