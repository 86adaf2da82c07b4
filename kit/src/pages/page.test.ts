import { expect, test } from "vitest";
import { cutPage, PAIR_CURSOR_LENGTH_MAX, PAIR_CURSOR_PATTERN, readPairCursor, writePairCursor } from "./page.ts";

test("a page ends at its last row only while another row follows", () => {
  expect(cutPage([1, 2, 3], 2)).toEqual({ shown: [1, 2], end: 2 });
  expect(cutPage([1, 2], 2)).toEqual({ shown: [1, 2], end: undefined });
  expect(cutPage([], 2)).toEqual({ shown: [], end: undefined });
});

test("a cursor of two numbers reads back as written and fits its pattern", () => {
  const largest = writePairCursor(999_999_999_999_999, 999_999_999_999_999);
  expect([largest.length, new RegExp(PAIR_CURSOR_PATTERN).test(largest)]).toEqual([PAIR_CURSOR_LENGTH_MAX, true]);
  expect(readPairCursor(largest)).toEqual([999_999_999_999_999, 999_999_999_999_999]);
  expect(readPairCursor(undefined)).toBeUndefined();
  expect(readPairCursor("12")).toBeUndefined();
});
