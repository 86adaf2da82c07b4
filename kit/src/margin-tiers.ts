// Owns the default ladders of perpetual contracts, in whole coins and percent; the operator may list others.
// Never reads a market.
import { assert } from "./assert.ts";
import { buildTiers, type Tier } from "./margin.ts";

const LEVERAGES_A = [125, 100, 50, 25, 20, 10, 5, 2] as const;
/** Maintenance rates in 1e-8: half of the initial rate. */
const RATES_A = [400_000n, 500_000n, 1_000_000n, 2_000_000n, 2_500_000n, 5_000_000n, 10_000_000n, 25_000_000n] as const;
const CAPS_A = [250_000n, 1_000_000n, 5_000_000n, 10_000_000n, 20_000_000n, 50_000_000n, 100_000_000n, 200_000_000n];
const LEVERAGES_B = [50, 25, 20, 10, 5, 2] as const;
const RATES_B = [1_000_000n, 2_000_000n, 2_500_000n, 5_000_000n, 10_000_000n, 25_000_000n] as const;
const CAPS_B = [100_000n, 500_000n, 1_000_000n, 3_000_000n, 6_000_000n, 12_000_000n];
/** Caps in the coin itself: like the linear ladder of the coin's class at the prices the exchange opens with. */
const CAPS_INVERSE_A: Readonly<Record<string, readonly bigint[]>> = {
  BTC: [5n, 20n, 100n, 200n, 400n, 1_000n, 2_000n, 4_000n],
  ETH: [100n, 400n, 2_000n, 4_000n, 8_000n, 20_000n, 40_000n, 80_000n],
};
const CAPS_INVERSE_B: Readonly<Record<string, readonly bigint[]>> = {
  SOL: [700n, 3_500n, 7_000n, 20_000n, 40_000n, 80_000n],
  XRP: [50_000n, 250_000n, 500_000n, 1_500_000n, 3_000_000n, 6_000_000n],
};

function ladder(
  caps: readonly bigint[],
  leverages: readonly number[],
  rates: readonly bigint[],
  scale: number,
): Tier[] {
  const one = 10n ** BigInt(scale);
  return buildTiers(
    caps.map((cap, i) => ({ cap: cap * one, leverageMax: leverages[i] as number, rate: rates[i] as bigint })),
  );
}

/** BTC and ETH against a stable coin of the given scale. */
export function tiersA(scale: number): Tier[] {
  return ladder(CAPS_A, LEVERAGES_A, RATES_A, scale);
}

/** Every other coin. */
export function tiersB(scale: number): Tier[] {
  return ladder(CAPS_B, LEVERAGES_B, RATES_B, scale);
}

/** Coin-margined, caps in the coin. */
export function tiersInverse(coin: string, scale: number): Tier[] {
  const large = CAPS_INVERSE_A[coin];
  if (large !== undefined) return ladder(large, LEVERAGES_A, RATES_A, scale);
  const caps = CAPS_INVERSE_B[coin];
  assert(caps !== undefined, "MARGIN-3", `there is no ladder in ${coin}`);
  return ladder(caps, LEVERAGES_B, RATES_B, scale);
}
