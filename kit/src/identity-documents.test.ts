import { expect, test } from "vitest";
import { COUNTRIES } from "./countries.ts";
import { documentTypesOf, hasBack } from "./identity-documents.ts";

test("[AUTH-11] the documents accepted depend on the country, and a passport is accepted from each", () => {
  expect(documentTypesOf("DE")).toEqual(["passport", "id-card", "driving-licence", "residence-permit"]);
  expect(documentTypesOf("US")).toEqual(["passport", "driving-licence", "residence-permit"]);
  expect(documentTypesOf("CN")).toEqual(["passport", "id-card", "residence-permit"]);
  expect(documentTypesOf("YE")).toEqual(["passport"]);
  expect(COUNTRIES.filter(({ code }) => documentTypesOf(code)[0] !== "passport")).toEqual([]);
});

test("[AUTH-11] a passport has one side, every other document two", () => {
  expect(documentTypesOf("DE").filter(hasBack)).toEqual(["id-card", "driving-licence", "residence-permit"]);
});
