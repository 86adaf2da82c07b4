// Owns the interest of products with an end: fixed terms and shark fin. Exact; rounded down once, at the end.
import type { Fraction } from "../fraction.ts";

const RATE_ONE = 100_000_000n;
const DAYS_IN_YEAR = 365n;

/** A coupon's addition to one subscription: a rate in 1e-8 up to an amount for a number of days. */
export interface TermBoost {
  readonly rate: number;
  readonly capUnits: bigint;
  readonly days: number;
}

/** P · APR · days ÷ 365, with the addition of a coupon, rounded down. */
export function termInterest(principalUnits: bigint, rate: number, days: number, boost?: TermBoost): bigint {
  return interestFloor(principalUnits, { over: BigInt(rate), under: 1n }, days, boost);
}

function interestFloor(principalUnits: bigint, rate: Fraction, days: number, boost?: TermBoost): bigint {
  let over = principalUnits * rate.over * BigInt(days);
  if (boost !== undefined) {
    const boosted = principalUnits < boost.capUnits ? principalUnits : boost.capUnits;
    over += boosted * BigInt(boost.rate) * BigInt(Math.min(days, boost.days)) * rate.under;
  }
  return over / (rate.under * RATE_ONE * DAYS_IN_YEAR);
}

/** Strikes in ticks of the index, rates in 1e-8. */
export interface SharkFin {
  readonly direction: "bullish" | "bearish";
  /** A price beyond the far strike at any moment of the term ends it at the base rate. */
  readonly isTouch: boolean;
  readonly lowTicks: bigint;
  readonly highTicks: bigint;
  readonly baseRate: number;
  readonly lowRate: number;
  readonly highRate: number;
}

/** The rate at a settlement price in ticks, exact. */
export function sharkRate(fin: SharkFin, price: Fraction, isKnockedOut = false): Fraction {
  const base = { over: BigInt(fin.baseRate), under: 1n };
  const above = price.over - fin.lowTicks * price.under;
  const width = (fin.highTicks - fin.lowTicks) * price.under;
  if (isKnockedOut || above < 0n || above > width) return base;
  const spread = BigInt(fin.highRate - fin.lowRate) * above;
  return fin.direction === "bullish"
    ? { over: BigInt(fin.lowRate) * width + spread, under: width }
    : { over: BigInt(fin.highRate) * width - spread, under: width };
}

/** Whether these extremes end a term at the base rate. */
export function isKnockedOut(fin: SharkFin, seen: { readonly highTicks: bigint; readonly lowTicks: bigint }): boolean {
  if (!fin.isTouch) return false;
  return fin.direction === "bullish" ? seen.highTicks > fin.highTicks : seen.lowTicks < fin.lowTicks;
}

export function sharkInterest(principalUnits: bigint, rate: Fraction, days: number): bigint {
  return interestFloor(principalUnits, rate, days);
}

/** The maximum payment of a term: the treasury's reserve. */
export function sharkInterestMax(principalUnits: bigint, fin: SharkFin, days: number): bigint {
  return termInterest(principalUnits, Math.max(fin.baseRate, fin.lowRate, fin.highRate), days);
}

/** The average of a record of prices, one for each step, as an exact ratio. */
export function averageTicks(prices: readonly number[]): Fraction | undefined {
  if (prices.length === 0) return undefined;
  return { over: prices.reduce((sum, price) => sum + BigInt(price), 0n), under: BigInt(prices.length) };
}
