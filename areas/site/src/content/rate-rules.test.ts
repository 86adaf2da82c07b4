// The built-in rates and their simulated movement, what counts as a rate, and whose rate is shown.
import { CURRENCIES } from "@clockwork/kit/constants";
import { expect, test } from "vitest";
import {
  BUILT_IN_RATES,
  BUILT_IN_SOURCE,
  chooseRates,
  isRate,
  type KnownRate,
  readSourced,
  simulateRates,
} from "./rate-rules.ts";

const AT_MS = Date.UTC(2026, 2, 9, 7, 5, 9);

test("[SITE-7] every price currency has a built-in rate, and the dollar is one", () => {
  expect(Object.keys(BUILT_IN_RATES).sort()).toEqual([...CURRENCIES].sort());
  for (const rate of Object.values(BUILT_IN_RATES)) expect(isRate(rate)).toBe(true);
  expect(simulateRates(AT_MS).USD).toBe("1");
});

test("[SITE-7] simulated rates are the same for the same minute, move, and remain near the table", () => {
  expect(simulateRates(AT_MS)).toEqual(simulateRates(AT_MS + 40_000));
  const seen = new Set<string>();
  for (let minute = 0; minute < 3000; minute += 1) {
    const now = simulateRates(AT_MS + minute * 60_000);
    const next = simulateRates(AT_MS + (minute + 1) * 60_000);
    seen.add(now.CNY);
    for (const currency of CURRENCIES) {
      const table = Number(BUILT_IN_RATES[currency]);
      expect(isRate(now[currency])).toBe(true);
      expect(Math.abs(Number(now[currency]) / table - 1)).toBeLessThanOrEqual(0.0021);
      expect(Math.abs(Number(next[currency]) - Number(now[currency])) / table).toBeLessThan(0.0003);
    }
  }
  expect(seen.size).toBeGreaterThan(50);
});

test.each([
  "0",
  "0.000",
  "-1",
  "+1",
  "1e3",
  "1.",
  ".5",
  "01",
  "NaN",
  "",
  " 1",
  "1,5",
  "1".repeat(13),
  `1.${"1".repeat(13)}`,
  1,
  null,
])("[SITE-7] %j is no rate", (text) => {
  expect(isRate(text)).toBe(false);
});

const row = (currency: KnownRate["currency"], rate: string, source: string, as_of_ms: number): KnownRate => ({
  currency,
  rate,
  source,
  is_simulated: false,
  as_of_ms,
});

test("[SITE-7] an operator's rate wins, gaps are filled from the table, and the result is marked as mixed", () => {
  const table = chooseRates(
    [row("EUR", "0.9", "bank", AT_MS - 5000), row("JPY", "149", "bank", AT_MS)],
    [row("JPY", "155", "operator", AT_MS)],
    { timeMs: AT_MS, maySimulate: true },
  );
  expect(table.rates).toMatchObject({ EUR: "0.9", JPY: "155", USD: "1", CNY: simulateRates(AT_MS).CNY });
  expect(table).toMatchObject({ source: "bank, built-in, operator", simulated: true, base: "USD" });
});

test("[SITE-7] rates that all come from outside are not marked as simulated, and are as old as the oldest", () => {
  const rows = CURRENCIES.filter((currency) => currency !== "USD").map((currency, at) =>
    row(currency, "2", "bank", AT_MS - at),
  );
  const table = chooseRates(rows, [], { timeMs: AT_MS, maySimulate: true });
  expect(table).toMatchObject({ source: "bank", simulated: false, asOf: new Date(AT_MS - 8).toISOString() });
  expect(table.rates.USD).toBe("1");
});

test("[OPS-7] where nothing may be simulated a rate that no one gave is left out, and the rest is not marked", () => {
  const strict = { timeMs: AT_MS, maySimulate: false };
  const table = chooseRates([row("EUR", "0.9", "bank", AT_MS - 5000)], [row("JPY", "155", "operator", AT_MS)], strict);
  expect(table).toMatchObject({
    rates: { EUR: "0.9", JPY: "155", USD: "1" },
    simulated: false,
    source: "bank, operator",
  });
  expect(table.rates).not.toHaveProperty("CNY");
  expect(chooseRates([], [], strict)).toMatchObject({ rates: { USD: "1" }, asOf: new Date(AT_MS).toISOString() });
});

test("[SITE-7] of a source's response only rates are stored, and never one for the dollar", () => {
  const { rows, refused } = readSourced(
    { ...BUILT_IN_SOURCE, name: "bank" },
    { rates: { EUR: "0.9", JPY: "-1", CNY: "1e2", USD: "2" }, asOfMs: 7 },
  );
  expect(rows).toEqual([{ currency: "EUR", rate: "0.9", source: "bank", is_simulated: true, as_of_ms: 7 }]);
  expect(refused).toEqual(["CNY", "JPY"]);
});
