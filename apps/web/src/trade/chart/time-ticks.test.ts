import { expect, test } from "vitest";
import { roundTicks } from "./time-ticks.ts";

const HOUR = 3_600_000;
/** The library's ticks of 15-minute candles, 7 px each, one word every 20 candles, from 15 past the hour on. */
const given = (everyMs: number, count = 6) =>
  Array.from({ length: count }, (_, index) => ({
    coord: index * 140,
    value: Date.UTC(2026, 10, 18, 20, 15) + index * everyMs,
    text: "",
  }));

test("[SPOT-4] the time axis has round times, and the date at midnight", () => {
  const ticks = roundTicks(given(5 * HOUR), 800, 0);
  expect(ticks.map(({ text }) => text)).toEqual(
    ["21:00", "19 Nov", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "20 Nov"].slice(0, ticks.length),
  );
  expect(ticks[0]?.coord).toBeCloseTo(21);
  expect(roundTicks(given(5 * HOUR), 800, 8 * HOUR).some(({ text }) => text === "20 Nov")).toBe(true);
});

test("[SPOT-4] days, weeks and months are round as well", () => {
  const days = roundTicks(given(10 * 24 * HOUR), 800, 0);
  expect(days.map(({ value }) => new Date(Number(value)).getUTCDay())).toEqual(days.map(() => 1));
  const months = roundTicks(given(140 * 24 * HOUR), 800, 0).map(({ text }) => text);
  expect(months.slice(0, 3)).toEqual(["2027", "Apr", "Jul"]);
  const one = given(HOUR, 1);
  expect(roundTicks(one, 800, 0)).toEqual(one);
});
