import { describe, expect, test } from "vitest";
import { addFractions, compareFractions, type Fraction, fraction } from "./fraction.ts";
import {
  bankruptcyPrice,
  buildTiers,
  type Contract,
  capOfLeverage,
  cashBeside,
  costRemaining,
  deleverageScore,
  entryPrice,
  exactCost,
  exactMarginRatio,
  fundingCharge,
  type Holding,
  initialMarginCeil,
  isLiquidatable,
  keepCost,
  leastSafeMargin,
  liquidationPrice,
  liquidationPrices,
  maintenanceCeil,
  profitFloor,
  realizedFloor,
  type Tier,
  tierOf,
  valueCeil,
  valueFloor,
} from "./margin.ts";
import { fundingRate, weightedPremium } from "./margin-funding.ts";
import { tiersA, tiersB, tiersInverse } from "./margin-tiers.ts";

const RATE = 60_000n;
/** BTCUSDT: tick 0.1, lot 0.001 BTC, USDT with 6 decimals: 100 units a tick and lot. */
const LINEAR: Contract = { kind: "linear", factor: 100n, tiers: tiersA(6), liquidationRate: RATE };
/** BTCUSD: tick 0.1, one contract 100 USD, BTC with 8 decimals: 100 × 10^8 ÷ 0.1 coin units × ticks. */
const INVERSE: Contract = {
  kind: "inverse",
  factor: 100_000_000_000n,
  tiers: tiersInverse("BTC", 8),
  liquidationRate: RATE,
};

const usdt = (amount: number): bigint => BigInt(Math.round(amount * 1_000_000));
const btc = (amount: number): bigint => BigInt(Math.round(amount * 100_000_000));
const ticks = (price: number): bigint => BigInt(Math.round(price * 10));

function linear(side: 1n | -1n, quantity: number, price: number): Holding {
  const lots = BigInt(quantity * 1_000);
  return { side, lots, cost: valueFloor(LINEAR, lots, ticks(price)) };
}

function inverse(side: 1n | -1n, usd: number, price: number): Holding {
  const lots = BigInt(usd / 100);
  return { side, lots, cost: valueFloor(INVERSE, lots, ticks(price)) };
}

/** A price in ticks of 0.1 as text with four decimals, rounded half up. */
function show(price: Fraction | undefined): string {
  if (price === undefined) return "none";
  const tenThousandths = (price.over * 2_000n + price.under) / (price.under * 2n);
  return `${tenThousandths / 10_000n}.${(tenThousandths % 10_000n).toString().padStart(4, "0")}`;
}

test("[FUT-2] the entry of a linear position is its cost by its lots, in ticks", () => {
  expect(show(entryPrice(LINEAR, { side: 1n, lots: 3_000n, cost: usdt(150_001) }))).toBe("50000.3333");
});

describe("[FUT-2] the minimum margin of a position", () => {
  test.each([
    ["a linear long", LINEAR, linear(1n, 1, 50_000), ticks(49_000)],
    ["a linear short", LINEAR, linear(-1n, 1, 50_000), ticks(51_000)],
    ["an inverse long", INVERSE, inverse(1n, 60_000, 50_000), ticks(49_000)],
    ["an inverse short", INVERSE, inverse(-1n, 60_000, 50_000), ticks(51_000)],
  ] as const)(
    "%s: it lives half a percent beyond the mark, with one unit less it does not",
    (_, contract, holding, mark) => {
      const least = leastSafeMargin({ ...holding, contract, markTicks: mark });
      const markTicks = mark - holding.side * (mark / 200n);
      const dies = (margin: bigint) => isLiquidatable(margin, [{ ...holding, contract, markTicks }]);
      expect([dies(least), dies(least - 1n)]).toEqual([false, true]);
    },
  );

  test("before the first mark no margin is required", () => {
    expect(leastSafeMargin({ ...linear(1n, 1, 50_000), contract: LINEAR, markTicks: 0n })).toBe(0n);
  });
});

describe("[FUT-2] vectors of linear contracts", () => {
  test.each([
    ["long 1 at 50 000, 20×", linear(1n, 1, 50_000), 20n, "47719.5097", "47528.5171"],
    ["short 1 at 50 000, 20×", linear(-1n, 1, 50_000), 20n, "52259.6058", "52468.5189"],
    ["long 10 at 60 000, 50×, tier 2", linear(1n, 10, 60_000), 50n, "59105.9936", "58835.3012"],
  ] as const)("%s", (_, holding, leverage, liquidation, bankruptcy) => {
    const margin = initialMarginCeil(holding.cost, leverage);
    expect(show(liquidationPrice(LINEAR, margin, holding))).toBe(liquidation);
    expect(show(bankruptcyPrice(LINEAR, margin, holding))).toBe(bankruptcy);
  });

  test("hedge cross: both sides in one margin", () => {
    const sides = [linear(1n, 2, 50_000), linear(-1n, 1, 52_000)];
    const { below } = liquidationPrices(LINEAR, fraction(usdt(3_000), 1n), sides, ticks(50_000));
    expect(show(below)).toBe("45629.6897");
  });

  test("cross with another position", () => {
    const cash = usdt(3_000) - usdt(500) - usdt(230);
    expect(show(liquidationPrice(LINEAR, cash, linear(1n, 1, 50_000)))).toBe("47950.5726");
  });
});

describe("[FUT-2] vectors of inverse contracts", () => {
  test("long 60 000 USD at 50 000, 10×", () => {
    const holding = inverse(1n, 60_000, 50_000);
    expect(show(liquidationPrice(INVERSE, btc(0.12), holding))).toBe("45663.6364");
    expect(show(bankruptcyPrice(INVERSE, btc(0.12), holding))).toBe("45481.8182");
  });

  test("short 60 000 USD at 50 000, 10×", () => {
    const holding = inverse(-1n, 60_000, 50_000);
    expect(show(liquidationPrice(INVERSE, btc(0.12), holding))).toBe("55300.0000");
    expect(show(bankruptcyPrice(INVERSE, btc(0.12), holding))).toBe("55522.2222");
  });

  test("a short of 1× is backed by its coin and has no liquidation price", () => {
    const holding = inverse(-1n, 60_000, 50_000);
    expect(liquidationPrice(INVERSE, holding.cost, holding)).toBeUndefined();
    expect(bankruptcyPrice(INVERSE, holding.cost, holding)).toBeUndefined();
  });

  test("hedge cross", () => {
    // 20 000 ÷ 52 000 is no whole number of satoshis; the vector counts with the exact cost, so count finer here.
    const fine: Contract = { ...INVERSE, factor: INVERSE.factor * 100_000_000n, tiers: tiersInverse("BTC", 16) };
    const side = (one: 1n | -1n, lots: bigint, price: number): Holding => ({
      side: one,
      lots,
      cost: valueFloor(fine, lots, ticks(price)),
    });
    const sides = [side(1n, 600n, 50_000), side(-1n, 200n, 52_000)];
    const { below } = liquidationPrices(fine, fraction(btc(0.05) * 100_000_000n, 1n), sides, ticks(50_000));
    expect(show(below)).toBe("46647.4667");
  });

  test("profit of a long from 50 000 to 55 000 rounds down", () => {
    const holding = inverse(1n, 60_000, 50_000);
    expect(profitFloor(INVERSE, holding, ticks(55_000))).toBe(btc(0.1090909));
    expect(realizedFloor(INVERSE, holding, holding.lots, ticks(55_000))).toBe(btc(0.1090909));
  });

  test("the entry of two opens is their harmonic mean", () => {
    const cost = valueFloor(INVERSE, 100n, ticks(50_000)) + valueFloor(INVERSE, 200n, ticks(40_000));
    expect(show(entryPrice(INVERSE, { side: 1n, lots: 300n, cost }))).toBe("42857.1429");
  });
});

describe("[FUT-2] vectors of funding and deleveraging", () => {
  test.each([
    [120_000n, 70_000n],
    [30_000n, 10_000n],
    [-100_000n, -50_000n],
  ])("a premium of %d gives a rate of %d", (premium, rate) => {
    expect(fundingRate(premium, 10_000n, 8n, 400_000n)).toBe(rate);
  });

  test("a rate never exceeds ¾ of the first maintenance rate, and shorter intervals pay their share", () => {
    expect(fundingRate(5_000_000n, 10_000n, 8n, 400_000n)).toBe(300_000n);
    expect(fundingRate(-50_000_000n, 10_000n, 8n, 25_000_000n)).toBe(-2_000_000n);
    expect(fundingRate(120_000n, 10_000n, 4n, 400_000n)).toBe(35_000n);
  });

  test("later samples weigh more", () => {
    expect(weightedPremium([10_000n, 30_000n, 50_000n])).toBe(36_666n);
    expect(weightedPremium([])).toBe(0n);
    expect(weightedPremium([7n])).toBe(7n);
  });

  test("a rate of 0.07 % at 50 000", () => {
    expect(fundingCharge(LINEAR, 1n, 2_000n, ticks(50_000), 70_000n)).toBe(usdt(70));
    expect(fundingCharge(LINEAR, -1n, 2_000n, ticks(50_000), 70_000n)).toBe(-usdt(70));
    expect(fundingCharge(INVERSE, 1n, 600n, ticks(50_000), 70_000n)).toBe(btc(0.00084));
  });

  test("the score of a long of 1 at 50 000 with the mark at 52 000", () => {
    const holding = linear(1n, 1, 50_000);
    const margin = initialMarginCeil(holding.cost, 20n);
    const score = deleverageScore(LINEAR, holding, ticks(52_000), bankruptcyPrice(LINEAR, margin, holding));
    expect((score.over * 100_000n * 2n + score.under) / (score.under * 2n)).toBe(46_517n);
  });

  test("a holding that cannot go bankrupt has score zero in profit and its bare loss below that", () => {
    const holding = linear(1n, 1, 50_000);
    const score = (price: number): Fraction => deleverageScore(LINEAR, holding, ticks(price), undefined);
    expect(compareFractions(score(52_000), fraction(0n, 1n))).toBe(0);
    expect(compareFractions(score(49_000), fraction(-1n, 50n))).toBe(0);
  });

  test("at its own bankruptcy price a winner comes before all others and a loser has score zero", () => {
    const holding = linear(1n, 1, 50_000);
    const at = (price: number): Fraction => deleverageScore(LINEAR, holding, ticks(price), fraction(ticks(price), 1n));
    expect(compareFractions(at(50_001), fraction(1_000_000n, 1n))).toBe(1);
    expect(compareFractions(at(49_999), fraction(0n, 1n))).toBe(0);
    expect(compareFractions(at(50_000), fraction(0n, 1n))).toBe(0);
  });

  test("a short's distance to bankruptcy counts like a long's, and one unit of profit is profit", () => {
    const short = linear(-1n, 1, 50_000);
    // 2 000 ÷ 50 000 × 48 000 ÷ (52 468.52 − 48 000)
    const score = deleverageScore(LINEAR, short, ticks(48_000), bankruptcyPrice(LINEAR, usdt(2_500), short));
    expect((score.over * 100_000n * 2n + score.under) / (score.under * 2n)).toBe(42_967n);
    const barely = { side: 1n, lots: 1_000n, cost: usdt(50_000) - 1n } as const;
    expect(deleverageScore(LINEAR, barely, ticks(50_000), undefined).over).toBe(0n);
    const atBankruptcy = deleverageScore(LINEAR, barely, ticks(50_000), fraction(ticks(50_000), 1n));
    expect(compareFractions(atBankruptcy, fraction(1_000_000n, 1n))).toBe(1);
    const gain = deleverageScore(LINEAR, barely, ticks(50_000), fraction(ticks(40_000), 1n));
    expect(compareFractions(gain, fraction(5n, usdt(50_000) - 1n))).toBe(0);
  });

  test("in loss a higher leverage scores lower in amount: the position is farther down the queue", () => {
    const holding = linear(1n, 1, 50_000);
    const at = (leverage: bigint): Fraction =>
      deleverageScore(
        LINEAR,
        holding,
        ticks(49_900),
        bankruptcyPrice(LINEAR, initialMarginCeil(holding.cost, leverage), holding),
      );
    const low = at(5n);
    const high = at(50n);
    expect(low.over * high.under < high.over * low.under).toBe(true);
  });
});

describe("[FUT-2] edges", () => {
  test("a margin that covers its need by the smallest part is not used up; neither is one without a position", () => {
    const tiers = buildTiers([{ cap: 1_000_000_000n, leverageMax: 10, rate: 1n }]);
    const contract: Contract = { kind: "linear", factor: 1n, tiers, liquidationRate: 0n };
    const at = (ticksNow: bigint) =>
      isLiquidatable(1n, [{ side: 1n, lots: 1n, cost: ticksNow, contract, markTicks: ticksNow }]);
    // It needs 0.99999999 of a unit, and a whole one.
    expect([at(99_999_999n), at(100_000_000n)]).toEqual([false, true]);
    expect(isLiquidatable(0n, [])).toBe(false);
  });

  test("a price that is the mark itself is below it", () => {
    const holding = inverse(-1n, 60_000, 50_000);
    const { below, above } = liquidationPrices(INVERSE, fraction(btc(0.12), 1n), [holding], ticks(55_300));
    expect([show(below), show(above)]).toEqual(["55300.0000", "none"]);
  });

  test("a hedge whose margin is the same at every price has no liquidation price", () => {
    // Rates of 0.4 % and a fee of 0.06 %: 5 023 × 0.9954 is 4 977 × 1.0046.
    const sides = [linear(1n, 5.023, 10_000), linear(-1n, 4.977, 10_000)];
    expect(sides.map(({ lots }) => lots)).toEqual([5_023n, 4_977n]);
    expect(show(liquidationPrices(LINEAR, fraction(usdt(1_000_000), 1n), sides, ticks(10_000)).below)).toBe("none");
  });

  test("the ratio of an inverse margin is its need divided by its funds", () => {
    const holding = { ...inverse(1n, 60_000, 50_000), contract: INVERSE, markTicks: ticks(48_000) };
    // 1.25 BTC at 0.46 %, of 0.12 less a loss of 0.05.
    const ratio = exactMarginRatio(btc(0.12), [holding]);
    expect(ratio !== undefined && compareFractions(ratio, fraction(575n, 7_000n))).toBe(0);
  });

  test("scores of inverse positions are g by their leverage, whatever their prices are divided by", () => {
    const long = inverse(1n, 60_000, 50_000);
    // Mark 52 000, bankrupt at 136 445.45 ÷ 3; g = (1.2 − 60 000 ÷ 52 000) ÷ 1.2.
    const score = deleverageScore(INVERSE, long, ticks(52_000), fraction(1_364_454n, 3n));
    const [mark, bankrupt] = [60_000 / 52_000, 60_000 / (136_445.4 / 3)];
    const wanted = ((1.2 - mark) / 1.2) * (mark / (bankrupt - mark));
    expect(Number(score.over) / Number(score.under)).toBeCloseTo(wanted, 9);
    const linearScore = deleverageScore(LINEAR, linear(1n, 1, 50_000), ticks(52_000), fraction(1_425_001n, 3n));
    expect(Number(linearScore.over) / Number(linearScore.under)).toBeCloseTo(
      0.04 * (52_000 / (52_000 - 142_500.1 / 3)),
      9,
    );
  });
});

describe("[FUT-2] ladders", () => {
  test("deductions of A, B and inverse BTC", () => {
    const whole = (scale: bigint) => (tier: { deduction: bigint }) => tier.deduction / scale;
    expect(tiersA(6).map(whole(1_000_000n))).toEqual([
      0n,
      250n,
      5_250n,
      55_250n,
      105_250n,
      605_250n,
      3_105_250n,
      18_105_250n,
    ]);
    expect(tiersB(6).map(whole(1_000_000n))).toEqual([0n, 1_000n, 3_500n, 28_500n, 178_500n, 1_078_500n]);
    expect(tiersInverse("BTC", 8).map(({ deduction }) => deduction)).toEqual(
      [0, 0.005, 0.105, 1.105, 2.105, 12.105, 62.105, 362.105].map(btc),
    );
  });

  test("caps, leverages and maintenance rates of every ladder", () => {
    const rows = (tiers: readonly Tier[], scale: number): readonly (readonly [number, number, number])[] =>
      tiers.map(({ cap, leverageMax, rate }) => [Number(cap) / 10 ** scale, leverageMax, Number(rate) / 1_000_000]);
    const ladder = (caps: readonly number[], leverages: readonly number[]) =>
      caps.map((cap, i) => [
        cap,
        leverages[i],
        { 125: 0.4, 2: 25 }[leverages[i] as number] ?? 50 / (leverages[i] as number),
      ]);
    const [a, b] = [
      [125, 100, 50, 25, 20, 10, 5, 2],
      [50, 25, 20, 10, 5, 2],
    ];
    const million = 1_000_000;
    expect(rows(tiersA(6), 6)).toEqual(
      ladder(
        [0.25, 1, 5, 10, 20, 50, 100, 200].map((cap) => cap * million),
        a as number[],
      ),
    );
    expect(rows(tiersB(6), 6)).toEqual(
      ladder(
        [0.1, 0.5, 1, 3, 6, 12].map((cap) => cap * million),
        b as number[],
      ),
    );
    expect(rows(tiersInverse("BTC", 8), 8)).toEqual(ladder([5, 20, 100, 200, 400, 1_000, 2_000, 4_000], a as number[]));
    expect(rows(tiersInverse("ETH", 8), 8)).toEqual(
      ladder([100, 400, 2_000, 4_000, 8_000, 20_000, 40_000, 80_000], a as number[]),
    );
    expect(rows(tiersInverse("SOL", 8), 8)).toEqual(ladder([700, 3_500, 7_000, 20_000, 40_000, 80_000], b as number[]));
    const thousand = 1_000;
    expect(rows(tiersInverse("XRP", 6), 6)).toEqual(
      ladder(
        [50, 250, 500, 1_500, 3_000, 6_000].map((cap) => cap * thousand),
        b as number[],
      ),
    );
    expect(() => tiersInverse("ADA", 6)).toThrow("MARGIN-3");
  });

  test("a ladder that does not increase, or whose deduction is no whole unit, is refused", () => {
    const row = (cap: bigint, leverageMax: number, rate: bigint) => ({ cap, leverageMax, rate });
    const first = row(1_000n, 50, 1_000_000n);
    for (const second of [row(1_000n, 25, 2_000_000n), row(2_000n, 25, 1_000_000n), row(2_000n, 50, 2_000_000n)])
      expect(() => buildTiers([first, second])).toThrow("MARGIN-2");
    expect(() => buildTiers([first, row(2_000n, 25, 1_050_000n)])).toThrow("MARGIN-1");
    expect(buildTiers([first, row(1_001n, 49, 1_100_000n)]).map(({ deduction }) => deduction)).toEqual([0n, 1n]);
  });

  test("a leverage bounds the notional it may open", () => {
    expect(capOfLeverage(tiersA(6), 125)).toBe(usdt(250_000));
    expect(capOfLeverage(tiersA(6), 51)).toBe(usdt(1_000_000));
    expect(capOfLeverage(tiersA(6), 1)).toBe(usdt(200_000_000));
    expect(capOfLeverage(tiersA(6), 126)).toBe(0n);
  });

  test("maintenance is continuous where tiers meet", () => {
    for (const tier of tiersA(6).slice(0, -1)) {
      const lots = 1_000n;
      const at = tier.cap / (lots * LINEAR.factor);
      const below = maintenanceCeil(LINEAR, lots, at);
      const above = maintenanceCeil(LINEAR, lots, at + 1n);
      expect(above - below).toBeLessThan(lots * LINEAR.factor);
      expect(above).toBeGreaterThan(below);
    }
    expect(tierOf(tiersA(6), usdt(250_000))).toBe(0);
    expect(tierOf(tiersA(6), usdt(250_000) + 1n)).toBe(1);
  });
});

describe("[FUT-2] rounding", () => {
  test("value is exact for linear contracts and brackets the truth for inverse ones", () => {
    expect(valueCeil(LINEAR, 3n, 7n)).toBe(valueFloor(LINEAR, 3n, 7n));
    expect(valueCeil(INVERSE, 1n, 300_001n) - valueFloor(INVERSE, 1n, 300_001n)).toBe(1n);
  });

  test("a cost is shared exactly, and the realised part rounds down once", () => {
    const long: Holding = { side: 1n, lots: 3n, cost: 100n };
    const third = costRemaining(long, 2n);
    expect(third).toEqual({ cost: 34n, excess: (2n ** 49n + 1n) / 3n });
    // Two closes of a third each leave the same third, to the last part, and a final one leaves nothing.
    const twice = costRemaining({ side: 1n, lots: 2n, ...costRemaining(long, 1n) }, 1n);
    expect([twice.cost, twice.excess - third.excess]).toEqual([34n, -1n]);
    expect(costRemaining(long, 3n)).toEqual({ cost: 0n, excess: 0n });
    // The thirds sum to 100 again, to the unit.
    const two = exactCost(costRemaining(long, 1n));
    expect(keepCost(addFractions(exactCost(third), two))).toEqual({ cost: 100n, excess: 0n });
    const at = 1_000n;
    const worth = valueFloor(LINEAR, 1n, at);
    expect(realizedFloor(LINEAR, long, 1n, at)).toBe(worth - 34n);
    expect(realizedFloor(LINEAR, { ...long, side: -1n }, 1n, at)).toBe(33n - worth);
    expect(realizedFloor(LINEAR, { side: 1n, lots: 1n, ...third }, 1n, at)).toBe(worth - 34n);
    expect(profitFloor(LINEAR, { side: -1n, lots: 1n, ...third }, at)).toBe(33n - worth);
  });

  test("the ratio is 100 % exactly where liquidation starts", () => {
    const holding = { ...linear(1n, 1, 50_000), contract: LINEAR, markTicks: 477_195n };
    const margin = initialMarginCeil(holding.cost, 20n);
    expect(isLiquidatable(margin, [holding])).toBe(true);
    const one = { over: 1n, under: 1n };
    const ratio = (markTicks: bigint): Fraction => exactMarginRatio(margin, [{ ...holding, markTicks }]) ?? one;
    expect(compareFractions(ratio(477_195n), one)).toBe(1);
    expect(compareFractions(ratio(477_196n), one)).toBe(-1);
    expect(isLiquidatable(margin, [{ ...holding, markTicks: 477_196n }])).toBe(false);
    // 2 500 less 2 280.50, and 0.46 % of 47 719.50.
    expect(compareFractions(ratio(477_195n), { over: 2_195_097n, under: 2_195_000n })).toBe(0);
    expect(exactMarginRatio(0n, [holding])).toBeUndefined();
    expect(exactMarginRatio(usdt(2_280.5), [holding])).toBeUndefined();
    expect(exactMarginRatio(usdt(2_280.5) + 1n, [holding])).toBeDefined();
    expect(cashBeside(margin, [holding]).over <= 0n).toBe(true);
  });
});
