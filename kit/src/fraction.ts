// Owns exact ratios of whole numbers, for prices and scores that no unit can hold. Never a float; a function that
// rounds names the direction.
import { assert } from "./assert.ts";

/** `under` is always positive. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export function fraction(over: bigint, under: bigint): Fraction {
  assert(under !== 0n, "FRACTION-1", "nothing divides by zero");
  return under < 0n ? { over: -over, under: -under } : { over, under };
}

export function addFractions(a: Fraction, b: Fraction): Fraction {
  if (a.under === b.under) return { over: a.over + b.over, under: a.under };
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

/** Negative, zero or positive as a is below, equal to or above b. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function divideFloor(over: bigint, under: bigint): bigint {
  const quotient = over / under;
  return over % under !== 0n && over < 0n !== under < 0n ? quotient - 1n : quotient;
}

export function divideCeil(over: bigint, under: bigint): bigint {
  return -divideFloor(-over, under);
}

export function floorFraction({ over, under }: Fraction): bigint {
  return divideFloor(over, under);
}

export function ceilFraction({ over, under }: Fraction): bigint {
  return divideCeil(over, under);
}
