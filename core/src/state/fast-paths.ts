// Owns the shape of the fast paths, which the state holds and other rooms build. Knows none of them.
import type { BoundBook } from "../book/bound-book.ts";

/** Changes the plain resting order the record at word `at` names; a record that was cut short keeps the quantity. */
export type Amend = (words: Int32Array, doubles: Float64Array, at: number, account: number, isCut: boolean) => boolean;

/**
 * Settles the steps of a taker from `step` on up to the first that is special; returns that one, or how many there are.
 * The lots it still had before are in `open`, which is brought up to date.
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
  readonly amend: Amend;
  readonly match: BoundBook["match"];
  readonly fills: Fills;
  readonly perpFills: Fills;
}

/** Gives an order another price at the same quantity; the price crosses nothing and its page is there. */
export type PerpAmend = (slot: number, account: number, price: number) => boolean;

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
  readonly amend: PerpAmend;
  readonly fills: Fills;
}
