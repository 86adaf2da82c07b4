import { expect, test } from "vitest";
import { encodeBase32, findStep, formatFreezeToken, hotp, readFreezeToken, restMs, totpUri } from "./rules.ts";

const RFC_SECRET = new TextEncoder().encode("12345678901234567890");

// RFC 6238, appendix B, SHA-1, eight digits.
test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("[AUTH-5] RFC 6238: at %d seconds the code is %s", (seconds, code) => {
  expect(hotp(RFC_SECRET, Math.floor(seconds / 30), 8)).toBe(code);
});

// RFC 4226, appendix D.
test("[AUTH-5] RFC 4226: the first ten codes", () => {
  const codes = Array.from({ length: 10 }, (_, counter) => hotp(RFC_SECRET, counter));
  expect(codes.join(" ")).toBe("755224 287082 359152 969429 338314 254676 287922 162583 399871 520489");
});

// RFC 4648, section 10.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("[AUTH-5] RFC 4648: %j is %s in base 32", (text, encoded) => {
  expect(encodeBase32(new TextEncoder().encode(text))).toBe(encoded);
});

test("[AUTH-5] a code is valid half a minute early or late, not more", () => {
  const code = hotp(RFC_SECRET, 100);
  expect([2, 3, 4].map((tens) => findStep(RFC_SECRET, code, 100 * 30_000 + (tens - 3) * 30_000))).toEqual([
    100, 100, 100,
  ]);
  expect(findStep(RFC_SECRET, code, 98 * 30_000)).toBeUndefined();
  expect(findStep(RFC_SECRET, code, 102 * 30_000)).toBeUndefined();
  expect(findStep(RFC_SECRET, "", 100 * 30_000)).toBeUndefined();
});

test("[AUTH-5] the picture's address names product, account and secret", () => {
  expect(totpUri("MZXW6", "Clockwork", "jo@example.com")).toBe(
    "otpauth://totp/Clockwork:jo%40example.com?secret=MZXW6&issuer=Clockwork&algorithm=SHA1&digits=6&period=30",
  );
});

test("[AUTH-7] a first binding suspends withdrawals for six hours, anything else for a day", () => {
  expect([restMs("totp-bound"), restMs("email-bound"), restMs("phone-bound")]).toEqual(Array(3).fill(6 * 3_600_000));
  expect([restMs("totp-removed"), restMs("password-reset"), restMs("new-device")]).toEqual(
    Array(3).fill(24 * 3_600_000),
  );
});

test("[AUTH-7] a freeze link names its account and cannot be turned to another", () => {
  const mark = (text: string, context: string) => `${context}-${text.length}-${text}`.replaceAll(".", "_");
  const token = formatFreezeToken(123_456_789, 0, mark);
  expect(readFreezeToken(token, 1, mark)).toBe(123_456_789);
  expect(readFreezeToken(token.replace(/^[^.]+/, "zz"), 1, mark)).toBeUndefined();
  expect(readFreezeToken(token, 31 * 86_400_000, mark)).toBeUndefined();
  expect(readFreezeToken("a.b", 1, mark)).toBeUndefined();
});
