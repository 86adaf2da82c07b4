import { expect, test } from "vitest";
import { readRates } from "#boot/served.ts";
import { priceWriter } from "./price.ts";

test("[SITE-7] an amount is shown in the chosen currency at the served rate", () => {
  const write = priceWriter("JPY", { USD: "1", JPY: "150.5" });
  expect(write("2")).toBe("¥301");
  expect(priceWriter("EUR", { EUR: "0.862" })("1000")).toBe("€862.00");
  expect(priceWriter("EUR", { EUR: "0.862" })("0.00012", { small: true })).toBe("€0.0001034");
});

test("[SITE-7] without a rate the dollars themselves are shown, never an amount of another currency", () => {
  expect(priceWriter("EUR", { USD: "1" })("12.5")).toBe("$12.50");
});

test.each([undefined, null, 5, "x", [], { rates: 3 }, { rates: null }])("[SITE-7] %j is no served table", (data) => {
  expect(readRates(data)).toBeUndefined();
});

test("[SITE-7] rates that are no plain positive decimals are left out, and the dollar is always one", () => {
  const rates = { EUR: "0", JPY: "1e3", CNY: "-7", KRW: "1390.00", USD: "3", TRY: "0.0", GBP: "1", VND: Number.NaN };
  expect(readRates({ rates })?.rates).toEqual({ KRW: "1390.00", USD: "1" });
});
