// Exact decimals of any size and the one place where decimal text becomes a value and back. whole-text.ts does the same
// for whole numbers within 2^53. Never accepts an exponent, never passes through binary floating point, never throws on
// bad input; a function that rounds names the direction.

/** An exact decimal: `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export type DecimalRefusal =
  | "DECIMAL_EMPTY"
  | "DECIMAL_TOO_LONG"
  | "DECIMAL_MALFORMED"
  | "DECIMAL_SIGNED"
  | "DECIMAL_TOO_PRECISE";

export type DecimalResult =
  | { readonly ok: true; readonly value: Decimal }
  | { readonly ok: false; readonly code: DecimalRefusal };

export interface DecimalOptions {
  /** A leading minus is refused by default: most amounts on the wire have no sign. */
  readonly signed?: boolean;
  /** More decimals than this are refused, except trailing zeros: they change nothing. */
  readonly scaleMax?: number;
  readonly lengthMax?: number;
}

/** Long enough for any 128-bit amount with 18 decimals; short enough that parsing can never be an attack. */
export const DECIMAL_LENGTH_MAX = 64;
export const ZERO_DECIMAL: Decimal = { units: 0n, scale: 0 };

const DECIMAL_PATTERN = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads decimal text. One number has one spelling, trailing zeros apart: no `+`, no `01`, no `.5`, no `5.`, no `1e3`.
 */
export function parseDecimal(text: string, options: DecimalOptions = {}): DecimalResult {
  if (text.length === 0) return { ok: false, code: "DECIMAL_EMPTY" };
  if (text.length > (options.lengthMax ?? DECIMAL_LENGTH_MAX)) return { ok: false, code: "DECIMAL_TOO_LONG" };
  const match = DECIMAL_PATTERN.exec(text);
  if (match === null) return { ok: false, code: "DECIMAL_MALFORMED" };
  const [, sign = "", whole = "", fraction = ""] = match;
  if (sign !== "" && options.signed !== true) return { ok: false, code: "DECIMAL_SIGNED" };
  const significant = fraction.replace(/0+$/, "");
  if (options.scaleMax !== undefined && significant.length > options.scaleMax) {
    return { ok: false, code: "DECIMAL_TOO_PRECISE" };
  }
  const magnitude = BigInt(whole + fraction);
  return { ok: true, value: { units: sign === "" ? magnitude : -magnitude, scale: fraction.length } };
}

/** Units with their last `scale` digits after the point, all of them written. */
export function decimalText(units: bigint, scale: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, "0");
  const cut = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return negative ? `-${text}` : text;
}

/** Writes the value with exactly its own decimals; the inverse of parseDecimal. */
export function writeDecimal(value: Decimal): string {
  return decimalText(value.units, value.scale);
}

export function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function groupThousands(text: string): string {
  const dot = text.indexOf(".");
  const whole = dot === -1 ? text : text.slice(0, dot);
  return whole.replace(/(\d)(?=(?:\d{3})+$)/g, "$1,") + (dot === -1 ? "" : text.slice(dot));
}

/** Decimals of a step such as a tick: "0.01" → 2, "1" → 0, "0.50" → 1. */
export function countDecimals(step: string): number {
  const dot = trimZeros(step).indexOf(".");
  return dot === -1 ? 0 : trimZeros(step).length - dot - 1;
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale };
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: widenUnits(left, scale) + widenUnits(right, scale), scale };
}

export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, { units: -right.units, scale: right.scale });
}

/** Below zero, zero or above zero, as left is less than, equal to or greater than right. */
export function compareDecimals(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const scale = Math.max(left.scale, right.scale);
  const difference = widenUnits(left, scale) - widenUnits(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** left ÷ right with `scale` decimals, truncated towards zero; nought where the divisor is. */
export function divideTruncated(left: Decimal, right: Decimal, scale: number): Decimal {
  if (right.units === 0n) return ZERO_DECIMAL;
  const up = BigInt(Math.max(0, scale + right.scale - left.scale));
  const down = BigInt(Math.max(0, left.scale - right.scale - scale));
  return { units: (left.units * 10n ** up) / (right.units * 10n ** down), scale };
}

/** How many whole steps fit. */
export function countWholeSteps(value: Decimal, step: Decimal): bigint {
  return divideTruncated(value, step, 0).units;
}

/** The nearest multiple of the step towards zero. */
export function truncateToStep(value: Decimal, step: Decimal): Decimal {
  return { units: step.units * countWholeSteps(value, step), scale: step.scale };
}

export function isOnStep(value: Decimal, step: Decimal): boolean {
  return step.units !== 0n && compareDecimals(truncateToStep(value, step), value) === 0;
}

/**
 * `truncate` goes towards zero, `floor` towards minus infinity, `ceil` towards plus infinity, `half-up` to the nearest
 * with halves away from zero.
 */
export type Rounding = "truncate" | "floor" | "ceil" | "half-up";

/** The value with exactly `decimals` decimals, rounded the way the caller names. */
export function roundDecimal(value: Decimal, decimals: number, rounding: Rounding): Decimal {
  if (decimals >= value.scale) return { units: widenUnits(value, decimals), scale: decimals };
  const divisor = 10n ** BigInt(value.scale - decimals);
  const whole = value.units / divisor;
  const rest = value.units % divisor;
  const sign = value.units < 0n ? -1n : 1n;
  let carry = 0n;
  if (rounding === "floor" && rest < 0n) carry = -1n;
  if (rounding === "ceil" && rest > 0n) carry = 1n;
  if (rounding === "half-up" && rest * sign * 2n >= divisor) carry = sign;
  return { units: whole + carry, scale: decimals };
}

/** The same value counted in finer units; `scale` is never below the value's own. */
function widenUnits(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}
