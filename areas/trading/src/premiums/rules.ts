// The encoding of premium samples, and what follows from them. Pure.
import { fundingRate, weightedPremium } from "@clockwork/kit/margin-funding";
import { formatUnits, units } from "@clockwork/kit/money";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import type { PremiumSamples } from "./contract.ts";

export interface SampledContract {
  readonly pairCode: string;
  readonly market: number;
  readonly fundingHours: number;
  /** Rates in 1e-8: interest, and the maintenance rate of the first tier. */
  readonly interestRate: number;
  readonly firstRate: bigint;
}

export const SLOT_MS = 5 * MINUTE_MS;
/** Rates and premiums count in 1e-8. */
const RATE_SCALE = 8;
const rateText = (rate: bigint): string => formatUnits(units(rate), RATE_SCALE);

/** The end of the slot a sample belongs to: one at a settlement's own time still counts for it. */
export function slotOf(timeMs: number): number {
  return Math.ceil(timeMs / SLOT_MS) * SLOT_MS;
}

export function writeSample(intoMs: number, premium: number): string {
  return `${Math.floor(intoMs / SECOND_MS)},${premium};`;
}

export interface Sample {
  readonly timeMs: number;
  readonly premium: bigint;
}

export function readSamples(slotMs: number, text: string): Sample[] {
  return text
    .split(";")
    .slice(0, -1)
    .map((sample) => {
      const [second = "0", premium = "0"] = sample.split(",");
      return { timeMs: slotMs - SLOT_MS + Number(second) * SECOND_MS, premium: BigInt(premium) };
    });
}

/** Settlements are at whole intervals. */
export function isSettlement({ fundingHours }: SampledContract, timeMs: number): boolean {
  return timeMs % (fundingHours * HOUR_MS) === 0;
}

export function nextSettlement({ fundingHours }: SampledContract, nowMs: number): number {
  const intervalMs = fundingHours * HOUR_MS;
  return (Math.floor(nowMs / intervalMs) + 1) * intervalMs;
}

/** By the core's own functions. */
export function describeSamples(contract: SampledContract, timeMs: number, samples: readonly Sample[]): PremiumSamples {
  const { pairCode, fundingHours, interestRate, firstRate } = contract;
  const premium = weightedPremium(samples.map((sample) => sample.premium));
  const rate = fundingRate(premium, BigInt(interestRate), BigInt(fundingHours), firstRate);
  const isNone = samples.length === 0;
  return {
    pairCode,
    timeMs,
    fromMs: timeMs - fundingHours * HOUR_MS,
    samples: samples.map((sample) => ({ timeMs: sample.timeMs, premium: rateText(sample.premium) })),
    premium: isNone ? null : rateText(premium),
    rate: isNone ? null : rateText(rate),
  };
}
