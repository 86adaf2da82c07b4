// The rule of a basket at its edges: accepted weights and rules, shares, the minimum investment, small differences.

import { describe, expect, it } from "vitest";
import { allOf } from "../all-of.ts";
import { toCoreUnits, units } from "../money.ts";
import {
  areWeights,
  type Basket,
  basketValue,
  isOffTarget,
  isRule,
  leastInvestment,
  rebalanceLots,
  sharedValue,
  sharesBps,
} from "./rebalance.ts";

const MINUTE = 60_000;
const coin = (weightBps: number, lots: number, ticks: number) => ({
  weightBps,
  lots,
  ticks,
  tickLotUnits: 1,
  minLots: 1,
  minNotionalUnits: 500,
});
const basket = (quoteUnits: number, ...coins: readonly ReturnType<typeof coin>[]): Basket => ({ coins, quoteUnits });

describe("the rule of a basket", () => {
  it("[GRID-1] weights are at least 1 % and sum to the whole", () => {
    const weights: readonly (readonly number[])[] = [[5_000, 5_000], [9_900, 100], [9_901, 99], [5_000, 4_999], []];
    expect(weights.map(areWeights)).toEqual([true, true, false, false, false]);
  });

  it("[GRID-1] a rule is a threshold of 1 to 20 %, an interval of 30 minutes to 30 days, or both", () => {
    const rules: readonly (readonly [number, number])[] = [
      [100, 0],
      [2_000, 0],
      [0, 30 * MINUTE],
      [500, 43_200 * MINUTE],
      [0, 0],
      [99, 0],
      [2_001, 0],
      [0, 30 * MINUTE - 1],
      [500, 43_200 * MINUTE + 1],
      [0, 30 * MINUTE + 0.5],
    ];
    expect(rules.map(([thresholdBps, intervalMs]) => isRule({ thresholdBps, intervalMs }))).toEqual([
      ...[true, true, true, true],
      ...[false, false, false, false, false, false],
    ]);
  });

  it("[GRID-1] shares are of the value without the 1 % that remains in quote", () => {
    const held = basket(100, coin(5_000, 4_950, 1), coin(5_000, 4_950, 1));
    expect([basketValue(held), sharedValue(held)]).toEqual([10_000n, 9_900n]);
    expect(sharesBps(held)).toEqual([5_000, 5_000, 0]);
    expect(sharesBps(basket(0, coin(5_000, 0, 1), coin(5_000, 0, 1)))).toEqual([0, 0, 0]);
    expect(sharesBps(basket(5_050, coin(5_000, 4_950, 1)))).toEqual([5_000, 5_000]);
  });

  it("[GRID-1] exactly the threshold is off, a lot less is not; a difference below the minimum is ignored", () => {
    // 5 500 of 10 000 against 5 000.
    const off = basket(102, coin(5_000, 5_500, 1), coin(5_000, 4_500, 1));
    expect([isOffTarget(off, 500), isOffTarget(off, 501)]).toEqual([true, false]);
    expect(rebalanceLots(off)).toEqual([-500, 500]);
    expect(rebalanceLots(basket(102, coin(5_000, 5_499, 1), coin(5_000, 4_501, 1)))).toEqual([0, 0]);
  });

  it("[GRID-1] the minimum investment buys every coin's minimum, and 2 % less does not", () => {
    const coins = [coin(9_900, 0, 7), coin(100, 0, 11)];
    const leastUnits = leastInvestment(coins);
    const bought = (amount: bigint) => rebalanceLots({ coins, quoteUnits: toCoreUnits(units(amount)) });
    expect(allOf(bought(leastUnits), (lots) => lots > 0)).toBe(true);
    expect(bought((leastUnits * 98n) / 100n)[1]).toBe(0);
  });
});
