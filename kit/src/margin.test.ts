import { describe, expect, test } from "vitest";
import { type Fraction, fraction } from "./fraction.ts";
import {
  bankruptcyPrice,
  type Contract,
  capOfLeverage,
  cashBeside,
  costOfLots,
  deleverageScore,
  entryPrice,
  fundingCharge,
  type Holding,
  initialMarginCeil,
  isLiquidatable,
  liquidationPrice,
  liquidationPrices,
  maintenanceCeil,
  marginRatioBps,
  profitFloor,
  realizedFloor,
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

  test("cross beside another position", () => {
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

  test("a rate never leaves ¾ of the first maintenance rate, and shorter intervals pay their share", () => {
    expect(fundingRate(5_000_000n, 10_000n, 8n, 400_000n)).toBe(300_000n);
    expect(fundingRate(-50_000_000n, 10_000n, 8n, 25_000_000n)).toBe(-2_000_000n);
    expect(fundingRate(120_000n, 10_000n, 4n, 400_000n)).toBe(35_000n);
  });

  test("later samples weigh more", () => {
    expect(weightedPremium([10_000n, 30_000n, 50_000n])).toBe(36_666n);
    expect(weightedPremium([])).toBe(0n);
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

  test("the cost that leaves with lots rounds against the holder", () => {
    const long: Holding = { side: 1n, lots: 3n, cost: 100n };
    expect(costOfLots(LINEAR, long, 1n)).toBe(34n);
    expect(costOfLots(LINEAR, { ...long, side: -1n }, 1n)).toBe(33n);
    expect(costOfLots(INVERSE, long, 1n)).toBe(33n);
    expect(costOfLots(INVERSE, { ...long, side: -1n }, 1n)).toBe(34n);
  });

  test("the ratio is 100 % exactly where liquidation begins", () => {
    const holding = { ...linear(1n, 1, 50_000), contract: LINEAR, markTicks: 477_195n };
    const margin = initialMarginCeil(holding.cost, 20n);
    expect(isLiquidatable(margin, [holding])).toBe(true);
    expect(marginRatioBps(margin, [holding])).toBeGreaterThanOrEqual(10_000n);
    expect(isLiquidatable(margin, [{ ...holding, markTicks: 477_196n }])).toBe(false);
    expect(marginRatioBps(0n, [holding])).toBeUndefined();
    expect(cashBeside(margin, [holding]).over <= 0n).toBe(true);
  });
});
