// Owns the default ladders of perpetual contracts, in whole coins and percent; the operator may list others.
// Never reads a market.
import { buildTiers, type Tier } from "./margin.ts";

const LEVERAGES_A = [125, 100, 50, 25, 20, 10, 5, 2] as const;
/** Maintenance rates in 1e-8: half of the initial rate. */
const RATES_A = [400_000n, 500_000n, 1_000_000n, 2_000_000n, 2_500_000n, 5_000_000n, 10_000_000n, 25_000_000n] as const;
const CAPS_A = [250_000n, 1_000_000n, 5_000_000n, 10_000_000n, 20_000_000n, 50_000_000n, 100_000_000n, 200_000_000n];
const LEVERAGES_B = [50, 25, 20, 10, 5, 2] as const;
const RATES_B = [1_000_000n, 2_000_000n, 2_500_000n, 5_000_000n, 10_000_000n, 25_000_000n] as const;
const CAPS_B = [100_000n, 500_000n, 1_000_000n, 3_000_000n, 6_000_000n, 12_000_000n];
const CAPS_INVERSE_BTC = [5n, 20n, 100n, 200n, 400n, 1_000n, 2_000n, 4_000n];

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

/** Coin-margined BTC, caps in BTC. */
export function tiersInverseBtc(scale: number): Tier[] {
  return ladder(CAPS_INVERSE_BTC, LEVERAGES_A, RATES_A, scale);
}
