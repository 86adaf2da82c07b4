// Exact arithmetic and comparison on plain decimal text ("1000.5"). No floats anywhere, no grouping, no exponents.

const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** True for what a decimal is on the wire: digits without needless zeros in front, at most one point with digits after it. */
export function isPlainDecimal(text: string): boolean {
  return PLAIN.test(text);
}

interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

function toScaled(text: string): Scaled {
  const negative = text.startsWith("-");
  const [whole = "0", fraction = ""] = (negative ? text.slice(1) : text).split(".");
  const units = BigInt(whole + fraction);
  return { units: negative ? -units : units, places: fraction.length };
}

function align(left: Scaled, right: Scaled): { a: bigint; b: bigint; places: number } {
  const places = Math.max(left.places, right.places);
  return {
    a: left.units * 10n ** BigInt(places - left.places),
    b: right.units * 10n ** BigInt(places - right.places),
    places,
  };
}

function fromUnits(units: bigint, places: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(places + 1, "0");
  const cut = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return negative ? `-${text}` : text;
}

export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const { a, b } = align(toScaled(left), toScaled(right));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sum, keeping the larger number of places. */
export function addDecimals(left: string, right: string): string {
  const { a, b, places } = align(toScaled(left), toScaled(right));
  return fromUnits(a + b, places);
}

export function isMultiple(value: string, step: string): boolean {
  const { a, b } = align(toScaled(value), toScaled(step));
  return b !== 0n && a % b === 0n;
}

/** The nearest multiple of `step` at or below `value`, with the places of the step. Values are never negative here. */
export function floorToStep(value: string, step: string): string {
  const { a, b, places } = align(toScaled(value), toScaled(step));
  if (b === 0n) return value;
  return setPlaces(fromUnits(a - (a % b), places), toScaled(step).places);
}

/** Moves by whole steps and lands on the grid: 10.03 one step of 0.1 up is 10.1, one down is 10.0. */
export function moveBySteps(value: string, step: string, count: number): string {
  const { a, b, places } = align(toScaled(value), toScaled(step));
  if (b === 0n) return value;
  const remainder = a % b;
  const base = a - remainder;
  const landed = remainder !== 0n && count < 0 ? base + b : base;
  const moved = landed + b * BigInt(count);
  return setPlaces(fromUnits(moved < 0n ? 0n : moved, places), toScaled(step).places);
}

/** Cuts or pads the fraction. Cutting goes towards zero, so a shown amount is never above the real one. */
export function setPlaces(text: string, places: number): string {
  const [whole = "0", fraction = ""] = text.split(".");
  if (places === 0) return whole;
  return `${whole}.${fraction.slice(0, places).padEnd(places, "0")}`;
}

/** A part of an amount in whole percent, cut towards zero to `places`. */
export function takePercent(value: string, percent: number, places: number): string {
  const scaled = toScaled(value);
  return setPlaces(fromUnits(scaled.units * BigInt(Math.trunc(percent)), scaled.places + 2), places);
}

export function groupDigits(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "1000.5" → "1,000.5"; keeps an unfinished point ("1000." → "1,000."). */
export function groupDecimal(text: string): string {
  const point = text.indexOf(".");
  if (point < 0) return groupDigits(text);
  return groupDigits(text.slice(0, point)) + text.slice(point);
}
