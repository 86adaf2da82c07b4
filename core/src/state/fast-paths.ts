// Owns the shape of the fast paths, which the state holds and other rooms build. Knows none of them.

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

export interface FastPaths {
  /**
   * Places the order whose record starts at word `at`; false when it is not plain or would be refused. `shape` and
   * `rest` are the words of its shape, which a record of zeros leaves out.
   */
  place(words: Int32Array, doubles: Float64Array, at: number, account: number, shape: number, rest: number): boolean;
  /** Cancels the plain resting order the record at word `at` names; false when it names anything else. */
  cancel(words: Int32Array, at: number, account: number): boolean;
  /** As matchTaker, for lots in R_LOTS. */
  match(market: number, sell: number, limit: number, group: number, mode: number): number;
  readonly fills: Fills;
  readonly perpFills: Fills;
}

export interface PerpFastPaths {
  /**
   * Places the order whose record starts at word `at`; account market, shape and room for two events are checked
   * already.
   */
  place(
    doubles: Float64Array,
    at: number,
    account: number,
    shape: number,
    market: number,
    price: number,
    accountMarket: number,
  ): boolean;
  /** Cancels a plain resting order of the account; what it names is checked already. */
  cancel(slot: number, account: number): boolean;
  readonly fills: Fills;
}
