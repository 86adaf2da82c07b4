// Pure rules of levels: the table, the level of three measures, when one falls, and fees at another level. Exact; a fee
// rounds up as the core's does.

export interface Rates {
  readonly maker: number;
  readonly taker: number;
}

export interface Tier {
  readonly level: number;
  /** USDT units; any one of the three is enough. */
  readonly spotUnits: bigint;
  readonly futuresUnits: bigint;
  readonly assetsUnits: bigint;
  /** In 1e-8. */
  readonly spot: Rates;
  readonly perpetual: Rates;
  /** Tenths of the daily withdrawal limit. */
  readonly withdrawalTenths: bigint;
  /** How many times the orders a program may send. */
  readonly orderFactor: number;
}

export const USDT_SCALE = 6;
const MILLION = 1_000_000n * 10n ** BigInt(USDT_SCALE);
const THOUSAND = MILLION / 1_000n;
export const RATE_ONE = 100_000_000n;
/** From here on programs may send twice the orders. */
const FAST_LEVEL = 4;

const tier = (
  level: number,
  [spotMillions, futuresMillions, assetThousands]: readonly [bigint, bigint, bigint],
  [spotMaker, spotTaker, perpMaker, perpTaker]: readonly [number, number, number, number],
  withdrawalTenths: bigint,
): Tier => ({
  level,
  spotUnits: spotMillions * MILLION,
  futuresUnits: futuresMillions * MILLION,
  assetsUnits: assetThousands * THOUSAND,
  spot: { maker: spotMaker, taker: spotTaker },
  perpetual: { maker: perpMaker, taker: perpTaker },
  withdrawalTenths,
  orderFactor: level >= FAST_LEVEL ? 2 : 1,
});

export const TIERS: readonly Tier[] = [
  tier(0, [0n, 0n, 0n], [100_000, 100_000, 20_000, 60_000], 10n),
  tier(1, [1n, 10n, 50n], [80_000, 90_000, 18_000, 55_000], 15n),
  tier(2, [5n, 50n, 250n], [65_000, 80_000, 16_000, 50_000], 20n),
  tier(3, [20n, 200n, 1_000n], [50_000, 70_000, 14_000, 45_000], 30n),
  tier(4, [50n, 500n, 2_000n], [40_000, 60_000, 12_000, 40_000], 40n),
  tier(5, [100n, 1_000n, 4_000n], [30_000, 50_000, 10_000, 36_000], 60n),
  tier(6, [250n, 2_500n, 8_000n], [20_000, 40_000, 6_000, 32_000], 80n),
  tier(7, [500n, 5_000n, 15_000n], [10_000, 35_000, 2_000, 30_000], 120n),
  tier(8, [1_000n, 10_000n, 30_000n], [0, 30_000, 0, 28_000], 200n),
];
export const LEVEL_MAX = TIERS.length - 1;
export const WINDOW_DAYS = 30;
export const FALL_DAYS = 14;

const FIRST = TIERS[0] as Tier;

export function tierOf(level: number): Tier {
  return TIERS[level] ?? FIRST;
}

export interface Measures {
  readonly spotUnits: bigint;
  readonly futuresUnits: bigint;
  readonly assetsUnits: bigint;
}

/** The highest level one measure reaches. */
export function reachedBy(measure: keyof Measures, units: bigint): number {
  return TIERS.findLastIndex((one) => units >= one[measure]);
}

/** The best of the three. */
export function levelOf(measures: Measures): number {
  return Math.max(
    reachedBy("spotUnits", measures.spotUnits),
    reachedBy("futuresUnits", measures.futuresUnits),
    reachedBy("assetsUnits", measures.assetsUnits),
  );
}

export interface Standing {
  readonly earnedLevel: number;
  /** The count that first found the measures below the threshold. */
  readonly belowSinceMs: number | null;
  /** The best level since then. */
  readonly belowBest: number;
}

export const NEWCOMER: Standing = { earnedLevel: 0, belowSinceMs: null, belowBest: 0 };
const DAY_MS = 86_400_000;

/** Up at once; down after 14 days below the threshold, to the best level of those days. */
export function countOn(before: Standing, measured: number, countMs: number): Standing {
  if (measured >= before.earnedLevel) return { earnedLevel: measured, belowSinceMs: null, belowBest: 0 };
  const belowSinceMs = before.belowSinceMs ?? countMs;
  const belowBest = before.belowSinceMs === null ? measured : Math.max(before.belowBest, measured);
  if (countMs - belowSinceMs < FALL_DAYS * DAY_MS) return { ...before, belowSinceMs, belowBest };
  // A better level in between is kept for the same time.
  const isStillBelow = measured < belowBest;
  return {
    earnedLevel: belowBest,
    belowSinceMs: isStillBelow ? countMs : null,
    belowBest: isStillBelow ? measured : 0,
  };
}

export interface Trial {
  readonly trialLevel: number;
  readonly trialUntilMs: number;
}

/** The current level: the earned one, or a trial until its end. */
export function levelNow(earnedLevel: number, { trialLevel, trialUntilMs }: Trial, timeMs: number): number {
  return Math.max(earnedLevel, timeMs < trialUntilMs ? trialLevel : 0);
}

/** A user's turnover, in USDT units. */
export interface Traded {
  readonly spotMakerUnits: bigint;
  readonly spotTakerUnits: bigint;
  readonly perpMakerUnits: bigint;
  readonly perpTakerUnits: bigint;
}

/** The fee of this turnover at a level. */
export function feeAt(level: number, traded: Traded): bigint {
  const { spot, perpetual } = tierOf(level);
  const parts: readonly (readonly [bigint, number])[] = [
    [traded.spotMakerUnits, spot.maker],
    [traded.spotTakerUnits, spot.taker],
    [traded.perpMakerUnits, perpetual.maker],
    [traded.perpTakerUnits, perpetual.taker],
  ];
  const sum = parts.reduce((total, [units, rate]) => total + units * BigInt(rate), 0n);
  return (sum + RATE_ONE - 1n) / RATE_ONE;
}

/** The daily limit with the level's factor, for users of the first identity level and above. */
export function withdrawalUnits(limitUnits: bigint, identityLevel: number, level: number): bigint {
  return identityLevel < 1 ? limitUnits : (limitUnits * tierOf(level).withdrawalTenths) / 10n;
}
