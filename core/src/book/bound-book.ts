// Owns the book's moves bound to its views: the compiler takes each with book.ts and match.ts as one function whose
// addresses are constants. Whoever binds must bind again when a table has grown (see fast/fast-paths.ts).
import { type Books, removeOrder, restOrder, takeBookViews } from "./book.ts";
import { matchTaker } from "./match.ts";

export interface BoundBook {
  /** Puts an order at the back of `level`, the level of `price`; its lots must be set. */
  rest(market: number, slot: number, price: number, level: number): void;
  /** Takes a resting order out of its queue. */
  remove(market: number, slot: number): void;
  /** As matchTaker, for lots in R_LOTS; steps are added to those there are. */
  match(market: number, sell: number, limit: number, group: number, mode: number): number;
}

export function bindBook(books: Books): BoundBook {
  const views = takeBookViews(books);
  return {
    rest: (market, slot, price, level) => restOrder(views, market, slot, price, level),
    remove: (market, slot) => removeOrder(views, market, slot),
    match: (market, sell, limit, group, mode) => matchTaker(views, market, sell, limit, group, mode, false),
  };
}
