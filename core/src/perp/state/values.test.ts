// The fast arithmetic beside kit/margin's exact one, contract by contract, at ladder steps and beside them.

import { splitCost, X_COST, X_LEAVING, X_REMAINING, X_REMAINING_EXCESS } from "@clockwork/kit/exact-cost";
import { divideCeil, divideFloor } from "@clockwork/kit/fraction";
import {
  COST_PARTS,
  type Cost,
  capOfLeverage as capOf,
  costRemaining,
  exactValue,
  initialMarginCeil,
  keepCost,
  needCeil,
  profitFloor,
  type Tier,
  tierOf,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { feeOn } from "../margin/cash.ts";
import { contractOf } from "../margin/equity.ts";
import {
  capOfLeverage,
  gainSign,
  initialMargin,
  lotsWithin,
  needOfNotional,
  profitAt,
  steepestRate,
  tierCap,
  tierOfNotional,
  worthCeil,
  worthExcess,
  worthFloor,
  worthOfLotCeil,
} from "./values.ts";

const stage = createPerpStage();
const core = coreOf(stage.machine);
const { perps } = core;
const partsOf = ({ cost, excess = 0n }: Cost): bigint => cost * BigInt(COST_PARTS) - excess;

test.each([
  ["linear", stage.linear],
  ["inverse", stage.inverse],
] as const)("[FUT-2] worth, profit, cost and need of %s contracts are those of kit/margin", (_, market) => {
  const random = createRandom(market);
  const contract = contractOf(core, market);
  for (let i = 0; i < 400; i++) {
    const lots = random.between(1, random.pick([3, 100, 60_000]));
    const ticks = random.between(1, random.pick([9, 1_000_000]));
    const cost = random.between(0, 2_000_000_000);
    const leverage = random.between(1, 125);
    const excess = cost === 0 ? 0 : random.pick([0, 1 / 3, 0.5, 1 - 2 ** -20]);
    const kept = Math.floor(excess * COST_PARTS);
    const part = random.between(1, lots);
    const [wide, at, paid] = [BigInt(lots), BigInt(ticks), BigInt(cost)];
    const [floor, ceil] = [valueFloor(contract, wide, at), valueCeil(contract, wide, at)];
    const tier = contract.tiers[tierOf(contract.tiers, ceil)] as Tier;
    const value = keepCost(exactValue(contract, wide, at));
    const wanted = [floor, ceil, value.cost, value.excess, valueCeil(contract, 1n, at)];
    wanted.push(initialMarginCeil(paid, BigInt(leverage)));
    const given = [worthFloor(perps, market, lots, ticks), worthCeil(perps, market, lots, ticks)];
    // Doubles give the nearest part or the one beside it.
    const beyond = worthExcess(perps, market, lots, ticks) * COST_PARTS;
    const isNear = Math.abs(beyond - Number(value.excess)) <= 1;
    given.push(worthCeil(perps, market, lots, ticks), isNear ? Number(value.excess) : beyond);
    given.push(worthOfLotCeil(perps, market, ticks), initialMargin(cost, leverage));
    // Of the value rounded up, rounded up again: what a fast look takes for the need.
    wanted.push((ceil * (tier.rate + contract.liquidationRate) + 99_999_999n) / 100_000_000n - tier.deduction);
    given.push(needOfNotional(perps, market, Number(ceil)));
    for (const side of [1n, -1n] as const) {
      const holding = { side, lots: wide, cost: paid, excess: BigInt(kept) };
      const held = side > 0n ? lots : -lots;
      given.push(gainSign(perps, market, held), profitAt(perps, market, held, cost, kept / COST_PARTS, ticks));
      wanted.push(side > 0n === (contract.kind === "linear") ? 1n : -1n, profitFloor(contract, holding, at));
    }
    perps.exact.set([cost, kept / COST_PARTS, part, lots], X_COST);
    splitCost(perps.exact);
    const locked = costRemaining({ side: 1n, lots: wide, cost: paid, excess: BigInt(kept) }, BigInt(part));
    const [kept48, doubles] = [
      partsOf(locked),
      partsOf({
        cost: BigInt(perps.exact[X_REMAINING] as number),
        excess: BigInt((perps.exact[X_REMAINING_EXCESS] as number) * COST_PARTS),
      }),
    ];
    expect(Math.abs(Number(kept48 - doubles))).toBeLessThanOrEqual(1);
    // A fee is that of the exact value, rounded once each way.
    const rate = random.between(0, 100_000);
    feeOn(core, Number(ceil), worthExcess(perps, market, lots, ticks), rate);
    const exactFee = exactValue(contract, wide, at);
    given.push(perps.exact[X_LEAVING] as number, perps.exact[X_REMAINING] as number);
    wanted.push(divideFloor(exactFee.over * BigInt(rate), exactFee.under * 100_000_000n));
    wanted.push(divideCeil(exactFee.over * BigInt(rate), exactFee.under * 100_000_000n));
    expect(given).toEqual(wanted.map(Number));
    if (contract.kind === "linear") expect(given[6]).toBe(Number(needCeil(contract, wide, at)));
    // The most whose value stays within: one more is beyond.
    const most = BigInt(lotsWithin(perps, market, cost, ticks));
    const fits = (count: bigint): boolean =>
      contract.kind === "linear" ? count * at * contract.factor <= paid : count * contract.factor <= paid * at;
    if (!fits(most) || fits(most + 1n)) expect.unreachable(`${lots} lots at ${ticks} for ${cost}: ${most}`);
  }
  expect(profitAt(perps, market, 0, 500, 0, 500_000)).toBe(0);
});

test.each([
  ["linear", stage.linear],
  ["inverse", stage.inverse],
] as const)("[FUT-2] tiers of %s contracts begin a unit behind the cap before", (_, market) => {
  const contract = contractOf(core, market);
  const { tiers, liquidationRate } = contract;
  expect(tiers.length).toBeGreaterThan(3);
  for (const [tier, { cap, rate, leverageMax }] of tiers.entries()) {
    expect(tierCap(perps, market, tier)).toBe(Number(cap));
    for (const notional of [cap - 1n, cap, cap + 1n]) {
      const found = tierOf(tiers, notional);
      expect(tierOfNotional(perps, market, Number(notional))).toBe(found);
      expect(steepestRate(perps, market, Number(notional))).toBe(Number((tiers[found]?.rate ?? 0n) + liquidationRate));
    }
    expect(rate).toBeGreaterThan(0n);
    for (const leverage of [leverageMax - 1, leverageMax, leverageMax + 1])
      expect(capOfLeverage(perps, market, leverage)).toBe(Number(capOf(tiers, leverage)));
  }
});
