// Exact decimals for order forms: text in, text out, every rounding named. Never a float, never a sign on the way in.
import {
  addDecimals,
  compareDecimals,
  countWholeSteps,
  type Decimal,
  divideTruncated,
  groupThousands,
  isOnStep,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  trimZeros,
  truncateToStep,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";

export type { Decimal } from "@clockwork/kit/decimal";

export const ZERO = ZERO_DECIMAL;

/** Text as typed, or pasted with thousands separated; nothing when it is no amount. */
export function readTyped(text: string): Decimal | undefined {
  const plain = text.trim();
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(plain) ? plain.replaceAll(",", "") : plain;
  const result = parseDecimal(grouped.replace(/\.$/, ""));
  return result.ok ? result.value : undefined;
}

/** An amount the server wrote; broken text counts as zero so that a screen never fails on it. */
export function readServed(text: string | undefined): Decimal {
  return (text === undefined ? undefined : readTyped(text)) ?? ZERO;
}

export const add = addDecimals;
export const subtract = subtractDecimals;
export const multiply = multiplyDecimals;
/** left ÷ right with `scale` decimals, cut towards zero; zero where the divisor is. */
export const divideFloor = divideTruncated;
/** How many whole steps fit. */
export const countSteps = countWholeSteps;
export const isOnGrid = isOnStep;
export const floorToGrid = truncateToStep;

export function isBelow(left: Decimal, right: Decimal): boolean {
  return compareDecimals(left, right) < 0;
}

export function isAbove(left: Decimal, right: Decimal): boolean {
  return compareDecimals(left, right) > 0;
}

export function isEqual(left: Decimal, right: Decimal): boolean {
  return compareDecimals(left, right) === 0;
}

export function lesser(left: Decimal, right: Decimal): Decimal {
  return isAbove(left, right) ? right : left;
}

/** At most `scale` decimals, cut towards zero: what a user receives or may spend. */
export function floorTo(value: Decimal, scale: number): Decimal {
  return value.scale <= scale ? value : roundDecimal(value, scale, "truncate");
}

/** At most `scale` decimals, up: what a user pays. */
export function ceilTo(value: Decimal, scale: number): Decimal {
  return value.scale <= scale ? value : roundDecimal(value, scale, "ceil");
}

/** Exactly `decimals` decimals, cut; plain, as fields and the wire require it. */
export function writePlain(value: Decimal, decimals: number): string {
  return writeDecimal(roundDecimal(value, decimals, "truncate"));
}

/** The shortest exact text: no trailing zeros. */
export function writeTrimmed(value: Decimal): string {
  return trimZeros(writeDecimal(value));
}

/** For reading: thousands apart, at least `decimals` decimals, more where the amount has them. */
export function writeShown(value: Decimal, decimals: number): string {
  const text = writeTrimmed(value);
  const point = text.indexOf(".");
  const places = point === -1 ? 0 : text.length - point - 1;
  return groupThousands(places >= decimals ? text : writePlain(value, decimals));
}
