// Owns the shape of the hot functions: each is one text that takes the views of the tables as its first parameter, and is
// called with the current views, or bound to views for as long as no table grows. Contains none of them.

const NO_LOTS = new Float64Array(1);

/** Every one has the same shape; those with fewer parameters leave the others out. */
export type Path = (a: number, b: number, c: number, d: number, e: number, open: Float64Array) => number;

export interface Paths {
  /** Account market, market, flags, price, slippage in bps: as submitOrder, of an order that belongs to nothing. */
  readonly submit: Path;
  /** Slot, reason: ends a resting order. */
  readonly endResting: Path;
  /** Market, side, limit, group, self-trade mode: as matchTaker, for lots in R_LOTS. */
  readonly match: Path;
  /**
   * Market, slot, account market, flags, step: settles the trades and depth of a taker from the step on; returns the first
   * step that is neither, or that needs new views. The lots it still has are in `open`.
   */
  readonly spotFills: Path;
  readonly perpFills: Path;
}

/**
 * Calls one of many functions, which the compiler therefore takes into no caller: each is compiled by itself, and what it
 * calls is inlined into it.
 */
export function enter(path: Path, a: number, b: number, c = 0, d = 0, e = 0, open = NO_LOTS): number {
  return path(a, b, c, d, e, open);
}
