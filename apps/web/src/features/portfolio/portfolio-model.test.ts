import { expect, test } from "vitest";
import { isWelcome, showCost, showGain, toneOf } from "./portfolio-model.ts";

test.each([
  ["1234.5", "+1,234.50", "text-up-text"],
  ["-0.204", "−0.20", "text-down-text"],
  ["0.000000", "0.00", "text-muted"],
  [null, "–", "text-muted"],
])("[WAL-3] a gain of %s reads %s in its tone", (text, shown, tone) => {
  expect(showGain(text)).toBe(shown);
  expect(toneOf(text)).toBe(tone);
});

test.each([
  ["64123.123456789012", "64,123.12"],
  ["3.141592653589", "3.1415"],
  ["0.000012345678", "0.00001234"],
  ["0", "0"],
])("[WAL-3] an average cost of %s is shown with digits that say something: %s", (text, shown) => {
  expect(showCost(text)).toBe(shown);
});

test("[SITE-22] the welcome goes when it is closed or all three steps are done", () => {
  const none = { hasFunds: false, hasTraded: false, isProtected: false };
  expect(isWelcome(none, false)).toBe(true);
  expect(isWelcome(none, true)).toBe(false);
  expect(isWelcome({ hasFunds: true, hasTraded: true, isProtected: false }, false)).toBe(true);
  expect(isWelcome({ hasFunds: true, hasTraded: true, isProtected: true }, false)).toBe(false);
});
