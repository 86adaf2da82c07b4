// Owns the lines of a grid: their prices, the one without an order, and what a cell between two of them earns. Exact in
// whole numbers, so that core, back-test and browser draw the same lines.
import { RATE_ONE } from "../money.ts";

export const GRID_CELLS_MIN = 2;
export const GRID_CELLS_MAX = 200;

export type GridSpacing = "arithmetic" | "geometric";

export interface GridRange {
  readonly lowTicks: number;
  readonly highTicks: number;
  readonly cells: number;
  readonly spacing: GridSpacing;
}

const FLOAT_BITS = 53;

/** The root by Newton's method in floating point, in a hundredth of the time of exact steps. */
function rootAbout(value: bigint, n: number): number {
  const bits = value.toString(16).length * 4;
  // The part a float can hold, cut by whole powers: the root of the rest is shorter by as many bits.
  const cut = Math.max(0, Math.floor((bits - FLOAT_BITS) / n));
  const rest = Number(value >> BigInt(cut * n));
  let guess = 1;
  // The first power of two that is not below the root: the steps descend to it.
  for (let power = 1; power < rest; power *= 2 ** n) guess *= 2;
  for (;;) {
    const next = ((n - 1) * guess + rest / guess ** (n - 1)) / n;
    if (!(next < guess)) return guess * 2 ** cut;
    guess = next;
  }
}

/** The whole part of the root, exact and slow. */
function rootFloor(value: bigint, n: bigint): bigint {
  let guess = 1n << (BigInt(value.toString(2).length) / n + 1n);
  for (;;) {
    const next = ((n - 1n) * guess + value / guess ** (n - 1n)) / n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** The root of over ÷ under to the nearest whole number, halves up. */
export function nearestRoot(over: bigint, under: bigint, degree: number): bigint {
  if (degree > GRID_CELLS_MAX) throw new RangeError(`no grid takes a root of degree ${degree}`);
  const n = BigInt(degree);
  const twice = over << n;
  const isBelow = (half: bigint): boolean => half ** n * under <= twice;
  const about = BigInt(Math.round(rootAbout(over / under, degree)));
  // Right except where a float is too coarse or the root is close to a half.
  if (isBelow(2n * about - 1n) && !isBelow(2n * about + 1n)) return about;
  const floor = rootFloor(over / under, n);
  return isBelow(2n * floor + 1n) ? floor + 1n : floor;
}

/** Lines from the lowest to the highest, rounded to ticks: one more than there are cells. */
export function gridLines({ lowTicks, highTicks, cells, spacing }: GridRange): number[] {
  const low = BigInt(lowTicks);
  const high = BigInt(highTicks);
  const count = BigInt(cells);
  return Array.from({ length: cells + 1 }, (_, i) => {
    const at = BigInt(i);
    if (spacing === "geometric") return Number(nearestRoot(low ** (count - at) * high ** at, 1n, cells));
    // Halves up, as above.
    return Number((2n * (low * (count - at) + high * at) + count) / (2n * count));
  });
}

/** The line beyond the highest: the same step, or the same factor as from the line below. */
export function lineAbove(spacing: GridSpacing, topTicks: number, belowTicks: number, stepTicks: number): number {
  const next = spacing === "geometric" ? (topTicks * topTicks) / belowTicks : topTicks + stepTicks;
  return Math.max(topTicks + 1, Math.round(next));
}

/** The same beyond the lowest; not above 0 without space. */
export function lineBelow(spacing: GridSpacing, bottomTicks: number, aboveTicks: number, stepTicks: number): number {
  const next = spacing === "geometric" ? (bottomTicks * bottomTicks) / aboveTicks : bottomTicks - stepTicks;
  return Math.min(bottomTicks - 1, Math.round(next));
}

export function areDistinct(lines: readonly number[]): boolean {
  return lines.every((line, i) => i === 0 || line > (lines[i - 1] as number));
}

/** The highest line not above a price, which has no order; −1 when the price is below all of them. */
export function gapLine(lines: readonly number[], priceTicks: number): number {
  return lines.findLastIndex((line) => line <= priceTicks);
}

/** The profit of a cell relative to its cost, after the fee of both sides, in 1e-8 rounded down. */
export function cellProfitRate(lowTicks: number, highTicks: number, feeRate: number): number {
  const earned = BigInt(highTicks - lowTicks) * BigInt(RATE_ONE) - BigInt(feeRate) * BigInt(lowTicks + highTicks);
  const low = BigInt(lowTicks);
  const floor = earned / low;
  return Number(earned < 0n && floor * low !== earned ? floor - 1n : floor);
}

/** The least and the most any cell of a grid earns, in 1e-8. */
export function profitRates(lines: readonly number[], feeRate: number): { readonly min: number; readonly max: number } {
  const rates = lines.slice(1).map((line, i) => cellProfitRate(lines[i] as number, line, feeRate));
  return { min: Math.min(...rates), max: Math.max(...rates) };
}
