import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { lookBack } from "./rules.ts";

const daily = { rhythm: "day", minuteOfDay: 12 * 60, weekday: 1, monthDay: 1 } as const;
const day = (index: number): number => 100 * DAY_MS + index * DAY_MS;

test("[EARN-1] a backtested plan buys at prices that were known, and whole or not at all", () => {
  // Published at midnight of days 1, 2 and 3; the last was not available on day 2 at noon.
  const closes = [1, 2, 3].map((index) => ({ timeMs: day(index), price: String(10 ** index) }));
  const coin = { weight: 100, scale: 8, closes };
  const points = lookBack(100_000_000n, [coin], daily, day(0), day(3));
  expect(points.map(({ timeMs }) => timeMs)).toEqual([day(1), day(2)].map((ms) => ms + DAY_MS / 2));
  // Ten coins less the fee at 10, then one more at 100: worth a hundred each.
  const fee = 100_000_000n - (points[0]?.worthUnits ?? 0n);
  expect(points[1]?.worthUnits).toBe((100_000_000n - fee) * 11n);
  const late = { ...coin, weight: 50, closes: closes.slice(1) };
  const two = lookBack(100_000_000n, [{ ...coin, weight: 50 }, late], daily, day(0), day(3));
  expect(two).toHaveLength(1);
  expect(two[0]?.putInUnits).toBe(100_000_000n);
  expect(two[0]?.worthUnits).toBe(100_000_000n - fee);
});
