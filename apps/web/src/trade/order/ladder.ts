// The single orders a scaled order becomes, worked out as the core does it: even steps in ticks, sizes by weight in lots.
import { SCALED_MAX, SCALED_MIN } from "@clockwork/kit/order-bounds";
import { countSteps, type Decimal, multiply, readServed, readTyped } from "./exact.ts";

export const LADDER_SHAPES = ["flat", "rising", "falling"] as const;
export type LadderShape = (typeof LADDER_SHAPES)[number];

/** As typed. */
export interface LadderChoice {
  readonly from: string;
  readonly to: string;
  readonly count: string;
  readonly quantity: string;
  readonly shape: LadderShape;
}

export interface Rung {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** Nothing when the prices are too close for the count or a rung would be empty: the core rejects such a scale. */
export function rungsOf(
  choice: LadderChoice,
  rules: { readonly tickSize: string; readonly stepSize: string },
): readonly Rung[] | undefined {
  const from = readTyped(choice.from);
  const to = readTyped(choice.to);
  const count = Number(readServed(choice.count).units);
  if (from === undefined || to === undefined || count < SCALED_MIN || count > SCALED_MAX) return undefined;
  const tick = readServed(rules.tickSize);
  const step = readServed(rules.stepSize);
  const fromTicks = countSteps(from, tick);
  const spanTicks = countSteps(to, tick) - fromTicks;
  if ((spanTicks < 0n ? -spanTicks : spanTicks) < BigInt(count - 1)) return undefined;
  const sizes = splitLots(countSteps(readServed(choice.quantity), step), count, choice.shape);
  if (sizes.some((lots) => lots < 1n)) return undefined;
  return sizes.map((lots, index) => ({
    price: multiply(tick, { units: fromTicks + (spanTicks * BigInt(index)) / BigInt(count - 1), scale: 0 }),
    quantity: multiply(step, { units: lots, scale: 0 }),
  }));
}

/** Sizes by weight, each rounded down; the last takes what rounding left. */
export function splitLots(lots: bigint, count: number, shape: LadderShape): readonly bigint[] {
  const weights = Array.from({ length: count }, (_, index) =>
    BigInt(shape === "flat" ? 1 : shape === "rising" ? index + 1 : count - index),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  const sizes = weights.map((weight) => (lots * weight) / sum);
  const given = sizes.reduce((total, size) => total + size, 0n);
  return sizes.map((size, index) => (index === count - 1 ? size + lots - given : size));
}
