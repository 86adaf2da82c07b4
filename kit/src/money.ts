// Owns exact money: whole units as a branded bigint outside the core, whole doubles with exact products inside it.
// Never rounds without the direction in the function's name, never reads exponents or signs from text.
import { assert } from "./assert.ts";
import { decimalText, parseDecimal, trimZeros } from "./decimal.ts";
import { done, type Result, refused } from "./result.ts";

declare const unitsBrand: unique symbol;
/** Smallest ledger units of one asset. */
export type Units = bigint & { readonly [unitsBrand]: true };

export const UNITS_MAX = Number.MAX_SAFE_INTEGER;
export const RATE_ONE = 100_000_000;

export function units(value: bigint | number): Units {
  return BigInt(value) as Units;
}

/** The core counts in doubles that are whole and at most 2^53 − 1. */
export function toCoreUnits(value: Units): number {
  assert(value >= 0n && value <= BigInt(UNITS_MAX), "MONEY-1", `${value} units do not fit the core`);
  return Number(value);
}

export type DecimalRefusal = "NOT_A_DECIMAL" | "TOO_PRECISE" | "TOO_LARGE";

/** Reads plain decimals only: digits, at most one point with digits on both sides. */
export function parseUnits(text: string, scale: number): Result<Units, DecimalRefusal> {
  const read = parseDecimal(text, { scaleMax: scale });
  if (!read.ok) return refused(read.code === "DECIMAL_TOO_PRECISE" ? "TOO_PRECISE" : "NOT_A_DECIMAL");
  const { units: digits, scale: written } = read.value;
  // Digits beyond the scale are zeros.
  const value = written <= scale ? digits * 10n ** BigInt(scale - written) : digits / 10n ** BigInt(written - scale);
  return value > BigInt(UNITS_MAX) ? refused("TOO_LARGE") : done(units(value));
}

/** The full decimal text of an amount, without trailing zeros. */
export function formatUnits(value: Units, scale: number): string {
  return trimZeros(decimalText(value, scale));
}

/**
 * floor(a × b ÷ c) for whole doubles, exact whatever the product's size. A product below 2^53 divides exactly
 * because the distance of a fraction to the next whole number exceeds the rounding of the division; above it,
 * a is split by c first, and only a product that is still too large takes the BigInt path.
 */
export function mulDivFloor(a: number, b: number, c: number): number {
  const product = a * b;
  if (product <= UNITS_MAX) return Math.floor(product / c);
  const whole = Math.floor(a / c);
  const rest = a - whole * c;
  const restProduct = rest * b;
  if (restProduct <= UNITS_MAX && whole * b <= UNITS_MAX) return whole * b + Math.floor(restProduct / c);
  return mulDivFloorWide(a, b, c);
}

/** ceil(a × b ÷ c), exact as mulDivFloor. */
export function mulDivCeil(a: number, b: number, c: number): number {
  const product = a * b;
  if (product <= UNITS_MAX) {
    const quotient = Math.floor(product / c);
    return quotient * c === product ? quotient : quotient + 1;
  }
  const whole = Math.floor(a / c);
  const rest = a - whole * c;
  const restProduct = rest * b;
  if (restProduct <= UNITS_MAX && whole * b <= UNITS_MAX) {
    const quotient = Math.floor(restProduct / c);
    return whole * b + (quotient * c === restProduct ? quotient : quotient + 1);
  }
  return mulDivCeilWide(a, b, c);
}

function narrow(value: bigint): number {
  assert(value <= BigInt(UNITS_MAX), "MONEY-3", "a product leaves the exact range");
  return Number(value);
}

function mulDivFloorWide(a: number, b: number, c: number): number {
  return narrow((BigInt(a) * BigInt(b)) / BigInt(c));
}

function mulDivCeilWide(a: number, b: number, c: number): number {
  const divisor = BigInt(c);
  return narrow((BigInt(a) * BigInt(b) + divisor - 1n) / divisor);
}
