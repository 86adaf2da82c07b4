// Owns the arithmetic of the naive twin of perpetuals, written from the rules' formulas alone: value, profit, need and
// bankruptcy as exact ratios of whole numbers. Shares no code with the core or with kit's margin.

export const RATE_ONE = 100_000_000n;
/** Parts of a unit costs are kept in, and how near to a whole unit counts as one: neither is ever noticed. */
export const FINE = 1n << 128n;
export const NEAR = 1n << 64n;

/** `under` is positive. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

interface Rung {
  readonly cap: bigint;
  readonly rate: bigint;
  readonly deduction: bigint;
}

export interface Terms {
  readonly inverse: boolean;
  /** Linear: units of a tick of a lot. Inverse: coin units × ticks of a lot. */
  readonly factor: bigint;
  readonly ladder: readonly Rung[];
  /** Liquidation fee rate. */
  readonly fee: bigint;
}

export const abs = (value: bigint): bigint => (value < 0n ? -value : value);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export function floor({ over, under }: Ratio): bigint {
  const whole = over / under;
  return over < 0n && over % under !== 0n ? whole - 1n : whole;
}

/** Rounded, but to the whole number that is near. */
export const nearFloor = (ratio: Ratio): bigint => floor(add(ratio, { over: NEAR, under: FINE }));
export const nearCeil = (ratio: Ratio): bigint => ceil(add(ratio, { over: -NEAR, under: FINE }));
export const fine = ({ over, under }: Ratio): bigint => floor({ over: 2n * over * FINE + under, under: 2n * under });
export const ceil = ({ over, under }: Ratio): bigint => -floor({ over: -over, under });
const ratio = (over: bigint, under: bigint): Ratio => (under < 0n ? { over: -over, under: -under } : { over, under });
const add = (a: Ratio, b: Ratio): Ratio => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under });
const minus = ({ over, under }: Ratio): Ratio => ({ over: -over, under });
const times = (a: Ratio, b: Ratio): Ratio => ({ over: a.over * b.over, under: a.under * b.under });
const divided = (a: Ratio, b: Ratio): Ratio => ratio(a.over * b.under, a.under * b.over);
export const whole = (over: bigint): Ratio => ({ over, under: 1n });

export function compare(a: Ratio, b: Ratio): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** d_1 = 0, d_k = d_{k−1} + cap_{k−1} × (r_k − r_{k−1}). */
export function ladderOf(rows: readonly { readonly cap: bigint; readonly rate: bigint }[]): Rung[] {
  let deduction = 0n;
  return rows.map(({ cap, rate }, k) => {
    const below = rows[k - 1];
    if (below !== undefined) deduction += (below.cap * (rate - below.rate)) / RATE_ONE;
    return { cap, rate, deduction };
  });
}

/** q·p, or Q/p of an inverse contract. */
export function valueAt({ inverse, factor }: Terms, lots: bigint, ticks: bigint): Ratio {
  return inverse ? { over: lots * factor, under: ticks } : whole(lots * ticks * factor);
}

/** Whether a position gains while its value grows: linear longs, inverse shorts. */
export function gainsWithValue({ inverse }: Terms, held: bigint): boolean {
  return held > 0n !== inverse;
}

/** s·(q·M − K), or s·(C − Q/M) of an inverse contract. */
export function profitAt(terms: Terms, held: bigint, fineCost: bigint, ticks: bigint): Ratio {
  const gain = add(valueAt(terms, abs(held), ticks), { over: -fineCost, under: FINE });
  return gainsWithValue(terms, held) ? gain : minus(gain);
}

/** The rung a notional stands on, from 0. */
export function rungOf({ ladder }: Terms, notional: Ratio): number {
  const found = ladder.findIndex(({ cap }) => compare(notional, whole(cap)) <= 0);
  return found < 0 ? ladder.length - 1 : found;
}

/** Maintenance margin and liquidation fee: N·(r + f) − d. */
export function needAt(terms: Terms, held: bigint, ticks: bigint): Ratio {
  const notional = valueAt(terms, abs(held), ticks);
  const { rate, deduction } = terms.ladder[rungOf(terms, notional)] as Rung;
  return add(times(notional, { over: rate + terms.fee, under: RATE_ONE }), whole(-deduction));
}

/** The largest lots whose value stays within a cap. */
export function lotsWithin({ inverse, factor }: Terms, cap: bigint, ticks: bigint): bigint {
  return inverse ? (cap * ticks) / factor : cap / (ticks * factor);
}

/** The value at which margin W and profit just pay the closing fee: W + s·(V − K) = f·V; none when it is not positive. */
export function bankruptcyValue(terms: Terms, held: bigint, fineCost: bigint, margin: bigint): Ratio | undefined {
  const left = gainsWithValue(terms, held)
    ? ratio((fineCost - margin * FINE) * RATE_ONE, (RATE_ONE - terms.fee) * FINE)
    : ratio((fineCost + margin * FINE) * RATE_ONE, (RATE_ONE + terms.fee) * FINE);
  return left.over > 0n ? left : undefined;
}

/** That value as a price in ticks, exactly. */
export function priceOfValue({ inverse, factor }: Terms, lots: bigint, value: Ratio): Ratio {
  return inverse ? divided(whole(lots * factor), value) : divided(value, whole(lots * factor));
}

/** Margin used against margin left, of the sums over one margin; undefined when nothing is left. */
export function usedOf(cash: bigint, profits: readonly Ratio[], needs: readonly Ratio[]): Ratio | undefined {
  const equity = profits.reduce(add, whole(cash));
  return equity.over <= 0n ? undefined : divided(needs.reduce(add, whole(0n)), equity);
}

/** Whether Σ(MM + f·N) has reached cash + Σ profit. */
export function isUsedUp(cash: bigint, profits: readonly Ratio[], needs: readonly Ratio[]): boolean {
  return needs.length > 0 && compare(needs.reduce(add), profits.reduce(add, whole(cash))) >= 0;
}

/** g·lev in profit, g ÷ lev in loss; g = profit ÷ cost, lev = mark value ÷ |mark value − bankruptcy value|. */
export function scoreOf(terms: Terms, held: bigint, fineCost: bigint, ticks: bigint, margin: bigint): Ratio {
  const profit = profitAt(terms, held, fineCost, ticks);
  const g = divided(profit, { over: fineCost, under: FINE });
  const bankrupt = bankruptcyValue(terms, held, fineCost, margin);
  // Who cannot go bankrupt stands on no leverage at all.
  if (bankrupt === undefined) return profit.over > 0n ? whole(0n) : g;
  const value = valueAt(terms, abs(held), ticks);
  const gap = add(value, minus(bankrupt));
  if (gap.over === 0n) return profit.over > 0n ? { over: g.over << 64n, under: g.under } : whole(0n);
  const leverage = divided(value, { over: abs(gap.over), under: gap.under });
  return profit.over > 0n ? times(g, leverage) : divided(g, leverage);
}
