// The chart's own studies, by hand and by what must hold of them.
import { allOf } from "@clockwork/kit/all-of";
import { expect, test } from "vitest";
import { ichimoku, type StudyBar, supertrend, volumeProfile, vwap } from "./studies.ts";

const HOUR_MS = 3_600_000;
const bar = (at: number, low: number, high: number, close: number, volume = 1, spanMs = HOUR_MS): StudyBar => ({
  timestamp: at * spanMs,
  open: low,
  high,
  low,
  close,
  volume,
});

test("[SPOT-4] VWAP weights the typical price by volume and begins anew with the visitor's day, or month", () => {
  const bars = [bar(22, 9, 12, 9, 1), bar(23, 18, 24, 18, 3), bar(24, 30, 30, 30, 5)];
  expect(vwap(bars, 0)).toEqual([{ even: 10 }, { even: 17.5 }, { odd: 30 }]);
  // An hour east of UTC the second bar is the first of its day.
  expect(vwap(bars, HOUR_MS)).toEqual([{ even: 10 }, { odd: 20 }, { odd: 26.25 }]);
  const days = [30, 31].map((at) => bar(at, 10 * at, 10 * at, 10 * at, 1, 24 * HOUR_MS));
  expect(vwap(days, 0)).toEqual([{ even: 300 }, { odd: 310 }]);
  expect(vwap([bar(0, 1, 1, 1, 0)], 0)).toEqual([{}]);
});

test("[SPOT-4] Ichimoku's lines are the middles of their periods, its cloud lies a period ahead", () => {
  const bars = Array.from({ length: 10 }, (_, at) => bar(at, at, at + 2, at + 1));
  const { points, ahead } = ichimoku(bars, [2, 3, 4]);
  // The middle of the last n bars that each rise by one: at + 1 - (n - 1) / 2.
  expect(points[9]).toEqual({ conversion: 9.5, base: 9, spanA: 6.25, spanB: 5.5 });
  expect(points[6]?.lagging).toBe(bars[9]?.close);
  expect(points[0]).toEqual({ lagging: 4 });
  expect(ahead).toEqual([
    { spanA: 7.25, spanB: 6.5 },
    { spanA: 8.25, spanB: 7.5 },
    { spanA: 9.25, spanB: 8.5 },
  ]);
});

test("[SPOT-4] Supertrend stays below a rising market, never falls there, and turns when the close passes it", () => {
  const rising = Array.from({ length: 30 }, (_, at) => bar(at, 100 + at, 102 + at, 101 + at));
  const falling = Array.from({ length: 30 }, (_, at) => bar(30 + at, 128 - 2 * at, 130 - 2 * at, 129 - 2 * at));
  const line = supertrend([...rising, ...falling], [10, 3]);
  expect(line[8]).toEqual({});
  const before = line.slice(9, 30);
  expect(allOf(before, (point, at) => point.up !== undefined && point.up <= (rising[at + 9] as StudyBar).low)).toBe(
    true,
  );
  expect(allOf(before.slice(1), (point, at) => (point.up as number) >= (before[at]?.up as number))).toBe(true);
  const turned = line.findIndex((point) => point.down !== undefined);
  expect(turned).toBeGreaterThan(30);
  expect(allOf(line.slice(turned), (point) => point.up === undefined)).toBe(true);
});

test("[SPOT-4] the volume profile spreads each bar over its prices and loses nothing", () => {
  const bars = [bar(0, 0, 10, 10, 100), { ...bar(1, 5, 10, 5, 50), open: 10 }, bar(2, 3, 3, 3, 7)];
  const rows = volumeProfile(bars, 10);
  expect(rows).toHaveLength(10);
  expect(rows[0]).toMatchObject({ low: 0, high: 1, up: 10, down: 0 });
  expect(rows[3]).toMatchObject({ up: 17, down: 0 });
  expect(rows[9]).toMatchObject({ up: 10, down: 10 });
  expect(rows.reduce((total, row) => total + row.up + row.down, 0)).toBeCloseTo(157, 9);
  expect(volumeProfile([bar(0, 3, 3, 3)], 10)).toEqual([]);
});
