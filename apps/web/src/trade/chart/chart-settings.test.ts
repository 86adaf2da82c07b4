// Chart settings and drawings that were kept, and the small sums of the chart.
import { expect, test } from "vitest";
import { checkDrawings, countdownText, lengthOf, periodOf, snapPrice } from "./chart-figures.ts";
import { checkParams, checkSettings, FIRST_SETTINGS, INDICATORS, INTERVALS, nameInterval } from "./chart-settings.ts";

test("[SPOT-4] stored settings come out complete, for any stored content", () => {
  expect(checkSettings(undefined)).toBeUndefined();
  expect(checkSettings({})).toEqual(FIRST_SETTINGS);
  expect(
    checkSettings({ interval: "7m", style: "pie", indicators: [{ name: "MA", params: [0] }, { name: "X" }, null] }),
  ).toEqual({
    ...FIRST_SETTINGS,
    indicators: [{ name: "MA", params: [7, 25, 99] }],
  });
  expect(checkSettings({ ...FIRST_SETTINGS, interval: "1s", grid: false })).toMatchObject({
    interval: "1s",
    grid: false,
  });
});

test("[SPOT-4] parameters of an indicator are whole and bounded", () => {
  const macd = INDICATORS.find(({ name }) => name === "MACD");
  if (macd === undefined) throw new Error("no MACD");
  expect(checkParams(macd, [5, 35, 5])).toEqual([5, 35, 5]);
  for (const wrong of [
    [1, 2],
    [1, 2, 0],
    [1, 2, 1000],
    [1, 2, 2.5],
  ])
    expect(checkParams(macd, wrong)).toBeUndefined();
});

test("[SPOT-4] kept drawings are read with care", () => {
  const line = {
    name: "segment",
    points: [
      { timestamp: 1, value: 2 },
      { timestamp: 3, value: 4 },
    ],
  };
  expect(
    checkDrawings([line, { name: "evil", points: [] }, { name: "note", points: [{ timestamp: 1 }] }, null]),
  ).toEqual([line]);
  expect(
    checkDrawings([{ name: "note", points: [{ timestamp: 1, value: 2, extra: 1 }], text: "x".repeat(200) }])[0],
  ).toEqual({
    name: "note",
    points: [{ timestamp: 1, value: 2 }],
    text: "x".repeat(80),
  });
  expect(checkDrawings("x")).toEqual([]);
});

test("[SPOT-4] every interval has a length, a period and a name of its own", () => {
  expect(new Set(INTERVALS.map(nameInterval)).size).toBe(INTERVALS.length);
  expect(periodOf("15m")).toEqual({ type: "minute", span: 15 });
  expect(periodOf("1M")).toEqual({ type: "month", span: 1 });
  expect(lengthOf("4h")).toBe(14_400_000);
});

test("[SPOT-4] the countdown shows the time to the candle's close", () => {
  expect(countdownText(0, "15m", 127_000)).toBe("12:53");
  expect(countdownText(0, "4h", 0)).toBe("04:00:00");
  expect(countdownText(0, "1w", 0)).toBe("7d 00h");
  expect(countdownText(Date.UTC(2026, 1, 1), "1M", Date.UTC(2026, 1, 27))).toBe("2d 00h");
  expect(countdownText(0, "1s", 5_000)).toBe("00:00");
});

test("[SPOT-4] a dragged line lands on the tick", () => {
  expect(snapPrice(64118.37, 0.1, 1)).toBe("64118.4");
  expect(snapPrice(0.000001, 0.0001, 4)).toBe("0.0001");
  expect(snapPrice(187.123, 0.05, 2)).toBe("187.10");
});
