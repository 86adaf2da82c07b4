// Owns costs that are not whole, in doubles: units rounded up and the excess of that, a multiple of 2^-48 below 1, so that
// sums and differences of both are exact. kit/margin has the same in wide whole numbers. Results that are more than one
// number go to registers the caller brings.
import { mulDivCeil } from "./money.ts";

/** Added and taken off again it rounds a number below 2 to a multiple of 2^-48. */
const GRID = 16;
/** What lies nearer to a whole number is that number: all roundings of a position's life together are less. */
export const EXACT_SLACK = 2 ** -32;
/** Registers: what leaves, what stays, and by how much what stays was moved to a whole number. */
export const X_LEAVING = 0;
export const X_LEAVING_EXCESS = 1;
export const X_STAYING = 2;
export const X_STAYING_EXCESS = 3;
export const X_MOVED = 4;

/** A number below 2 as a multiple of 2^-48. */
export function partOf(value: number): number {
  return value + GRID - GRID;
}

/** a × b modulo c for whole doubles, exact whatever the product's size. */
export function restOf(a: number, b: number, c: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return product % c;
  const rest = (a % c) * b;
  return rest <= Number.MAX_SAFE_INTEGER ? rest % c : Number((BigInt(a) * BigInt(b)) % BigInt(c));
}

/** Divides a cost between `lots` of `whole` that leave and those that stay; the registers hold both. */
export function splitCost(exact: Float64Array, cost: number, excess: number, lots: number, whole: number): void {
  if (lots === whole) {
    exact[X_LEAVING] = cost;
    exact[X_LEAVING_EXCESS] = excess;
    exact[X_STAYING] = 0;
    exact[X_STAYING_EXCESS] = 0;
    exact[X_MOVED] = 0;
    return;
  }
  let leaving = mulDivCeil(cost, lots, whole);
  const over = restOf(cost, lots, whole);
  let part = partOf(((over === 0 ? 0 : whole - over) + excess * lots) / whole);
  if (part > 1 - EXACT_SLACK) {
    leaving -= 1;
    part = part > 1 + EXACT_SLACK ? part - 1 : 0;
  } else if (part < EXACT_SLACK) part = 0;
  exact[X_LEAVING] = leaving;
  exact[X_LEAVING_EXCESS] = part;
  keepExact(exact, cost - leaving, excess - part);
}

/** Puts `units` less an excess between −1 and 2 into the registers of what stays, as it is kept. */
export function keepExact(exact: Float64Array, units: number, excess: number): void {
  const shift = excess < 0 ? 1 : excess >= 1 ? -1 : 0;
  let whole = units + shift;
  let part = excess + shift;
  let moved = 0;
  if (part < EXACT_SLACK) {
    moved = part;
    part = 0;
  } else if (part > 1 - EXACT_SLACK) {
    moved = part - 1;
    part = 0;
    whole -= 1;
  }
  exact[X_STAYING] = whole;
  exact[X_STAYING_EXCESS] = part;
  exact[X_MOVED] = moved;
}
