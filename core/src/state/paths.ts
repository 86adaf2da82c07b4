// Owns the shape of the hot functions: each is one text that takes the views of the tables as its first parameter, and is
// called with the current views or bound to them for as long as no table grows. Contains none of them.

/**
 * Settles the trades and depth of a taker from `step` on; returns the first step that is neither, or that needs new views.
 * The lots it still has are in `open`.
 */
export type Fills = (
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  step: number,
  open: Float64Array,
) => number;

export interface Paths {
  /** As submitOrder, of an order that belongs to nothing. Returns 0 or the code of the check that failed. */
  submit(accountMarket: number, market: number, flags: number, price: number, slippageBps: number): number;
  /** Ends a resting order. */
  endResting(slot: number, reason: number): void;
  /** As matchTaker, for lots in R_LOTS. */
  match(market: number, sell: number, limit: number, group: number, mode: number): number;
  readonly spotFills: Fills;
  readonly perpFills: Fills;
}
