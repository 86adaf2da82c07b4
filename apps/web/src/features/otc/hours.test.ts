// Hours of a merchant are written as times of the day.
import { expect, test } from "vitest";
import { clockText, readClock } from "./hours.ts";

test("[OTC-1] a time of day is parsed and formatted in its text form; anything else is invalid", () => {
  for (const minute of [0, 59, 60, 545, 1_439]) expect(readClock(clockText(minute))).toBe(minute);
  expect(clockText(545)).toBe("09:05");
  expect(readClock("9:05")).toBe(545);
  for (const wrong of ["", "9", "24:00", "12:60", "-1:00", "12:5", "noon"]) expect(readClock(wrong)).toBeUndefined();
});
