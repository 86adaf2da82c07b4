// Exact decimals for the order form: text in, text out, every rounding named. Never a float, never a sign on the way in.
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  groupThousands,
  multiplyDecimals,
  parseDecimal,
  writeDecimal,
} from "@clockwork/kit/decimal";

export type { Decimal } from "@clockwork/kit/decimal";

export const ZERO: Decimal = { units: 0n, scale: 0 };

/** What a person typed, or pasted with thousands separated; nothing when it is no amount. */
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
export const multiply = multiplyDecimals;

export function subtract(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, { units: -right.units, scale: right.scale });
}

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

/** left ÷ right with `scale` decimals, cut towards zero. The divisor is never zero where this is asked. */
export function divideFloor(left: Decimal, right: Decimal, scale: number): Decimal {
  if (right.units === 0n) return ZERO;
  const up = BigInt(Math.max(0, scale + right.scale - left.scale));
  const down = BigInt(Math.max(0, left.scale - right.scale - scale));
  return { units: (left.units * 10n ** up) / (right.units * 10n ** down), scale };
}

/** How many whole steps fit. */
export function countSteps(value: Decimal, step: Decimal): bigint {
  return divideFloor(value, step, 0).units;
}

export function isOnGrid(value: Decimal, step: Decimal): boolean {
  return isEqual(multiply(step, { units: countSteps(value, step), scale: 0 }), value);
}

export function floorToGrid(value: Decimal, step: Decimal): Decimal {
  return multiply(step, { units: countSteps(value, step), scale: 0 });
}

/** At most `scale` decimals, cut towards zero: what a person receives or may spend. */
export function floorTo(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value;
  return { units: value.units / 10n ** BigInt(value.scale - scale), scale };
}

/** At most `scale` decimals, up: what a person pays. */
export function ceilTo(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value;
  const divisor = 10n ** BigInt(value.scale - scale);
  return { units: (value.units + divisor - 1n) / divisor, scale };
}

/** Exactly `decimals` decimals, cut; plain, as fields and the wire want it. */
export function writePlain(value: Decimal, decimals: number): string {
  const cut = floorTo(value, decimals);
  return writeDecimal({ units: cut.units * 10n ** BigInt(decimals - cut.scale), scale: decimals });
}

/** As little text as says it all: no zeros at the end. */
export function writeTrimmed(value: Decimal): string {
  const text = writeDecimal(value);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** For reading: thousands apart, at least `decimals` decimals, more where the amount has them. */
export function writeShown(value: Decimal, decimals: number): string {
  const text = writeTrimmed(value);
  const point = text.indexOf(".");
  const places = point === -1 ? 0 : text.length - point - 1;
  return groupThousands(places >= decimals ? text : writePlain(value, decimals));
}
