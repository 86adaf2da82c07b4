import { expect, test } from "vitest";
import { readTypedAmount, readTypedWhole } from "./typed-amount.ts";

test("[AUTH-9] a lone comma is the decimal sign unless whole groups of three follow it", () => {
  expect(["1,5", " 1,", ",5", "0,500", "1,50", "1,500", "12,345,678.9", "１，５"].map(readTypedAmount)).toEqual([
    "1.5",
    "1.",
    ".5",
    "0.500",
    "1.50",
    "1500",
    "12345678.9",
    "1.5",
  ]);
});

test("[AUTH-9] what two readers would read differently remains as typed", () => {
  for (const text of ["1.234,5", "1e3", "1,00,000", "12,34.5", "-1", "", "1.5"])
    expect(readTypedAmount(text)).toBe(text);
});

test("[AUTH-9] a whole number with a fraction is emptied instead of losing its separator", () => {
  expect(["12", "1,5", "1.5", "1,500", "1e3", "-1"].map(readTypedWhole)).toEqual(["12", "", "", "1500", "", ""]);
});
