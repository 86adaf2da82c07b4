import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { countOn, feeAt, levelNow, levelOf, NEWCOMER, reachedBy, TIERS, withdrawalUnits } from "./rules.ts";

const USDT = 1_000_000n;
const NOTHING = { spotUnits: 0n, futuresUnits: 0n, assetsUnits: 0n };

test("[USR-1] the best of three measures sets the level, and a bar is reached at its very amount", () => {
  expect(levelOf(NOTHING)).toBe(0);
  expect(levelOf({ ...NOTHING, spotUnits: 1_000_000n * USDT })).toBe(1);
  expect(levelOf({ ...NOTHING, spotUnits: 1_000_000n * USDT - 1n })).toBe(0);
  expect(levelOf({ ...NOTHING, futuresUnits: 50_000_000n * USDT })).toBe(2);
  expect(levelOf({ spotUnits: 5_000_000n * USDT, futuresUnits: 0n, assetsUnits: 1_000_000n * USDT })).toBe(3);
  for (const { level, spotUnits, futuresUnits, assetsUnits } of TIERS) {
    expect(reachedBy("spotUnits", spotUnits)).toBe(level);
    expect(reachedBy("futuresUnits", futuresUnits)).toBe(level);
    expect(reachedBy("assetsUnits", assetsUnits)).toBe(level);
  }
});

test("[USR-1] a level rises at once and falls after fourteen days below its threshold", () => {
  const start = 20_000 * DAY_MS;
  let standing = countOn(NEWCOMER, 3, start);
  expect(standing).toEqual({ earnedLevel: 3, belowSinceMs: null, belowBest: 0 });
  for (let day = 1; day <= 14; day += 1) {
    standing = countOn(standing, 1, start + day * DAY_MS);
    expect(standing).toMatchObject({ earnedLevel: 3, belowSinceMs: start + DAY_MS });
  }
  expect(countOn(standing, 1, start + 15 * DAY_MS)).toEqual({ earnedLevel: 1, belowSinceMs: null, belowBest: 0 });
  // One day at the threshold restarts the time.
  const saved = countOn(standing, 3, start + 15 * DAY_MS);
  expect(countOn(saved, 1, start + 16 * DAY_MS)).toMatchObject({ earnedLevel: 3, belowSinceMs: start + 16 * DAY_MS });
});

test("[USR-1] a fall ends at the best level of the days below, and continues from there after as long", () => {
  const start = 20_000 * DAY_MS;
  let standing = countOn(NEWCOMER, 4, start);
  for (let day = 1; day <= 13; day += 1) standing = countOn(standing, 2, start + day * DAY_MS);
  standing = countOn(standing, 0, start + 14 * DAY_MS);
  standing = countOn(standing, 0, start + 15 * DAY_MS);
  expect(standing).toEqual({ earnedLevel: 2, belowSinceMs: start + 15 * DAY_MS, belowBest: 0 });
});

test("[USR-1] a trial counts until its end and never lowers the earned level", () => {
  expect(levelNow(1, { trialLevel: 5, trialUntilMs: 100 }, 99)).toBe(5);
  expect(levelNow(1, { trialLevel: 5, trialUntilMs: 100 }, 100)).toBe(1);
  expect(levelNow(6, { trialLevel: 5, trialUntilMs: 100 }, 99)).toBe(6);
});

test("[USR-1] the fee at another level rounds up once", () => {
  const traded = {
    spotMakerUnits: 1_000n * USDT,
    spotTakerUnits: 1_000n * USDT,
    perpMakerUnits: 10_000n * USDT,
    perpTakerUnits: 10_000n * USDT,
  };
  // 1 + 1 + 2 + 6 USDT without a level; 0.8 + 0.9 + 1.8 + 5.5 at VIP 1.
  expect(feeAt(0, traded)).toBe(10n * USDT);
  expect(feeAt(1, traded)).toBe(9_000_000n);
  expect(feeAt(0, { ...traded, spotMakerUnits: 1_000n * USDT + 1n })).toBe(10n * USDT + 1n);
});

test("[USR-1] the withdrawal factor counts from the first identity level on", () => {
  expect(withdrawalUnits(1_000n, 0, 8)).toBe(1_000n);
  expect(withdrawalUnits(20_000n, 1, 1)).toBe(30_000n);
  expect(withdrawalUnits(2_000_000n, 3, 8)).toBe(40_000_000n);
});
