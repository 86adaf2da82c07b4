import { expect, test } from "vitest";
import { documentKey, isOldEnough, LEVELS, missingOf } from "./rules.ts";

const NOW_MS = Date.UTC(2026, 2, 9, 12);

test.each([
  ["2008-03-09", true],
  ["2008-03-10", false],
  ["1970-01-01", true],
  ["2027-01-01", false],
  ["2008-02-30", false],
  ["", false],
])("[AUTH-11] born on %s: old enough is %s", (day, isEnough) => {
  expect(isOldEnough(day, NOW_MS)).toBe(isEnough);
});

test("[AUTH-11] the levels require and permit what the rules define", () => {
  expect(LEVELS.map(({ withdrawalUsdtPerDay }) => withdrawalUsdtPerDay)).toEqual([
    "1000",
    "20000",
    "1000000",
    "2000000",
  ]);
});

test("[AUTH-11] a passport needs no back side, other documents do", () => {
  const details = { documentExpires: "2030-01-01" };
  expect(missingOf(2, { ...details, documentType: "passport" }, []).files).toEqual(["document-front", "selfie"]);
  expect(missingOf(2, { ...details, documentType: "id-card" }, ["selfie"]).files).toEqual([
    "document-front",
    "document-back",
  ]);
  expect(missingOf(1, { firstName: " " }, []).fields).toContain("firstName");
});

test("[AUTH-11] the same document has one key in any notation", () => {
  const key = (documentNumber: string) => documentKey({ country: "DE", documentType: "passport", documentNumber });
  expect(key("c01 x-00t47")).toBe(key("C01X00T47"));
  expect(key("C01X00T48")).not.toBe(key("C01X00T47"));
});
