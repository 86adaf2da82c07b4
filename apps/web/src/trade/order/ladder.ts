// The single orders a scaled order becomes, worked out as the core does it: even steps in ticks, sizes by weight in lots.
import { countSteps, type Decimal, multiply, readServed, readTyped } from "./exact.ts";
import type { FormState, FormWorld } from "../../features/spot/form-state.ts";

export interface Rung {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** Nothing when the prices lie too close for the count or a rung would be empty: the core refuses such a scale. */
export function rungsOf(state: FormState, world: FormWorld): readonly Rung[] | undefined {
  const from = readTyped(state.texts.price);
  const to = readTyped(state.texts.priceTo);
  const count = Number(readServed(state.texts.count).units);
  if (from === undefined || to === undefined || count < 2 || count > 50) return undefined;
  const tick = readServed(world.pair.tickSize);
  const step = readServed(world.pair.stepSize);
  const fromTicks = countSteps(from, tick);
  const spanTicks = countSteps(to, tick) - fromTicks;
  if ((spanTicks < 0n ? -spanTicks : spanTicks) < BigInt(count - 1)) return undefined;
  const sizes = splitLots(countSteps(readServed(state.texts.quantity), step), count, state.shape);
  if (sizes.some((lots) => lots < 1n)) return undefined;
  return sizes.map((lots, index) => ({
    price: multiply(tick, { units: fromTicks + (spanTicks * BigInt(index)) / BigInt(count - 1), scale: 0 }),
    quantity: multiply(step, { units: lots, scale: 0 }),
  }));
}

/** Sizes by weight, each rounded down; the last takes what rounding left. */
export function splitLots(lots: bigint, count: number, shape: FormState["shape"]): readonly bigint[] {
  const weights = Array.from({ length: count }, (_, index) =>
    BigInt(shape === "flat" ? 1 : shape === "rising" ? index + 1 : count - index),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  const sizes = weights.map((weight) => (lots * weight) / sum);
  const given = sizes.reduce((total, size) => total + size, 0n);
  return sizes.map((size, index) => (index === count - 1 ? size + lots - given : size));
}
