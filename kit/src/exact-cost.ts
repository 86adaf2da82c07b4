// Owns costs that are not whole, in doubles: units rounded up and the excess of that, a multiple of 2^-48 below 1, so
// that sums and differences of both are exact. kit/margin has the same in wide integers. Results of more than one
// number go to registers the caller passes.
import { mulDivCeil } from "./money.ts";

/** Added and subtracted again it rounds a number below 2 to a multiple of 2^-48. */
const GRID = 16;
/** A value this close to a whole number is that number: all roundings of a position's life together are less. */
export const EXACT_SLACK = 2 ** -32;
/** Registers: what leaves, what stays, and by how much what stays was moved to a whole number. */
export const X_LEAVING = 0;
export const X_LEAVING_EXCESS = 1;
export const X_REMAINING = 2;
export const X_REMAINING_EXCESS = 3;
export const X_MOVED = 4;
/** The cost to divide, and the remainder of a unit after rounding. */
export const X_COST = 5;
export const X_EXCESS = 6;
export const X_LOTS = 7;
export const X_WHOLE = 8;
export const X_LEFT = 9;
export const X_REGISTERS = 10;

/** A number below 2 as a multiple of 2^-48. */
export function partOf(value: number): number {
  return value + GRID - GRID;
}

/** a × b modulo c for whole doubles, exact for any size of the product. */
export function restOf(a: number, b: number, c: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return product % c;
  const rest = (a % c) * b;
  return rest <= Number.MAX_SAFE_INTEGER ? rest % c : Number((BigInt(a) * BigInt(b)) % BigInt(c));
}

/**
 * Divides a cost (X_COST, X_EXCESS) between X_LOTS of X_WHOLE that leave and those that stay. All goes through
 * registers: a double passed or returned may be allocated on the heap.
 */
export function splitCost(exact: Float64Array): void {
  const cost = exact[X_COST] as number;
  const excess = exact[X_EXCESS] as number;
  const lots = exact[X_LOTS] as number;
  const whole = exact[X_WHOLE] as number;
  if (lots === whole) {
    exact[X_LEAVING] = cost;
    exact[X_LEAVING_EXCESS] = excess;
    exact[X_REMAINING] = 0;
    exact[X_REMAINING_EXCESS] = 0;
    exact[X_MOVED] = 0;
    return;
  }
  const product = cost * lots;
  if (product <= Number.MAX_SAFE_INTEGER) {
    exact[X_LEAVING] = Math.ceil(product / whole);
    // By how much that exceeds the share, times all lots: whole, and exact below 2^53.
    exact[X_LEAVING_EXCESS] = (exact[X_LEAVING] as number) * whole - product;
  } else shareWide(exact, cost, lots, whole);
  exact[X_LEAVING_EXCESS] = ((exact[X_LEAVING_EXCESS] as number) + excess * lots) / whole + GRID - GRID;
  const part = exact[X_LEAVING_EXCESS] as number;
  if (part > 1 - EXACT_SLACK) {
    exact[X_LEAVING] = (exact[X_LEAVING] as number) - 1;
    exact[X_LEAVING_EXCESS] = part > 1 + EXACT_SLACK ? part - 1 : 0;
  } else if (part < EXACT_SLACK) exact[X_LEAVING_EXCESS] = 0;
  exact[X_REMAINING] = cost - (exact[X_LEAVING] as number);
  exact[X_REMAINING_EXCESS] = excess - (exact[X_LEAVING_EXCESS] as number);
  keepExact(exact);
}

function shareWide(exact: Float64Array, cost: number, lots: number, whole: number): void {
  const over = restOf(cost, lots, whole);
  exact[X_LEAVING] = mulDivCeil(cost, lots, whole);
  exact[X_LEAVING_EXCESS] = over === 0 ? 0 : whole - over;
}

/** Normalises what stays, whose excess is between −1 and 2, to the stored form. */
export function keepExact(exact: Float64Array): void {
  const excess = exact[X_REMAINING_EXCESS] as number;
  const shift = excess < 0 ? 1 : excess >= 1 ? -1 : 0;
  const part = excess + shift;
  exact[X_REMAINING] = (exact[X_REMAINING] as number) + shift;
  exact[X_REMAINING_EXCESS] = part;
  exact[X_MOVED] = 0;
  if (part < EXACT_SLACK) {
    exact[X_MOVED] = part;
    exact[X_REMAINING_EXCESS] = 0;
  } else if (part > 1 - EXACT_SLACK) {
    exact[X_MOVED] = part - 1;
    exact[X_REMAINING_EXCESS] = 0;
    exact[X_REMAINING] = (exact[X_REMAINING] as number) - 1;
  }
}
