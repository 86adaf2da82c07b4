import { expect, test } from "vitest";
import { COUNTRIES, findCountry } from "./countries.ts";

test("[AUTH-5] every country has a code, a name and digits to dial, once", () => {
  expect(COUNTRIES.length).toBeGreaterThan(230);
  for (const country of COUNTRIES) {
    expect(country.code).toMatch(/^[A-Z]{2}$/);
    expect(country.name.length).toBeGreaterThan(3);
    expect(country.dial).toMatch(/^[1-9]\d{0,3}$/);
  }
  expect(new Set(COUNTRIES.map((country) => country.code)).size).toBe(COUNTRIES.length);
  expect(findCountry("AE")).toEqual({ code: "AE", name: "United Arab Emirates", dial: "971" });
  expect(findCountry("ZZ")).toBeUndefined();
});
