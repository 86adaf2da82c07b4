// Owns the funding rate of perpetual contracts: the weighted premium and what follows from it. Rates in 1e-8, rounded
// toward zero. Independent of who pays whom.

const CLAMP_RATE = 50_000n;
const RATE_MAX = 2_000_000n;
const HOURS = 8n;

function clamp(value: bigint, bound: bigint): bigint {
  return value > bound ? bound : value < -bound ? -bound : value;
}

/** Σ i·p_i ÷ Σ i over samples in their order; later ones weigh more. */
export function weightedPremium(samples: readonly bigint[]): bigint {
  let sum = 0n;
  let weights = 0n;
  samples.forEach((sample, i) => {
    sum += sample * BigInt(i + 1);
    weights += BigInt(i + 1);
  });
  return weights === 0n ? 0n : sum / weights;
}

/** F = (P + clamp(I − P, ±0.05 %)) ÷ (8 ÷ N), then within ± min(2 %, ¾ of the first maintenance rate). */
export function fundingRate(premium: bigint, interest: bigint, intervalHours: bigint, firstRate: bigint): bigint {
  const rate = ((premium + clamp(interest - premium, CLAMP_RATE)) * intervalHours) / HOURS;
  const quarter = (firstRate * 3n) / 4n;
  return clamp(rate, quarter < RATE_MAX ? quarter : RATE_MAX);
}
