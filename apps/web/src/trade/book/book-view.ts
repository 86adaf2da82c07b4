// What the order book shows of a market: levels grouped by a step, running sums, how full each bar is, and the sums up
// to a hovered level. Pure; works in whole units and fills the given arrays, since it runs every frame.
import type { BookLevel, DepthBook } from "#live/feeds/depth-book.ts";

export type BookSide = "bid" | "ask";
export const BOOK_MODES = ["both", "bids", "asks"] as const;
export type BookMode = (typeof BOOK_MODES)[number];

/** One side's rows, best first. Reused from frame to frame. */
export interface SideRows {
  count: number;
  readonly price: number[];
  readonly quantity: number[];
  /** Everything up to and including the row. */
  readonly sum: number[];
}

export function emptyRows(): SideRows {
  return { count: 0, price: [], quantity: [], sum: [] };
}

/** Bids go down to a multiple of the step, asks up: a grouped level never shows a better price than it has. */
export function gatherPrice(price: number, step: number, side: BookSide): number {
  return (side === "bid" ? Math.floor(price / step) : Math.ceil(price / step)) * step;
}

export function gatherSide(
  levels: readonly BookLevel[],
  step: number,
  side: BookSide,
  rowsMax: number,
  into: SideRows,
) {
  let count = 0;
  let sum = 0;
  for (const level of levels) {
    const price = gatherPrice(level.price, step, side);
    if (count > 0 && into.price[count - 1] === price) {
      into.quantity[count - 1] = (into.quantity[count - 1] ?? 0) + level.quantity;
    } else {
      if (count === rowsMax) break;
      into.price[count] = price;
      into.quantity[count] = level.quantity;
      count += 1;
    }
    sum += level.quantity;
    into.sum[count - 1] = sum;
  }
  into.count = count;
}

/** Steps to choose from, in price units: the tick, then 10, 100 … and for round prices 5 times each, while it helps. */
export function listSteps(tickUnits: number, lastUnits: number): readonly number[] {
  const steps: number[] = [];
  for (let step = tickUnits; steps.length < 5; step *= 10) {
    if (steps.length > 0 && step > lastUnits / 50) break;
    steps.push(step);
  }
  return steps;
}

/** The middle of the offered steps that still shows a fair piece of the market. */
export function usualStep(steps: readonly number[]): number {
  return steps[Math.min(1, steps.length - 1)] ?? 1;
}

/** Share of the bids in what both sides show, in percent; undefined where nothing is shown. */
export function bidShare(bids: SideRows, asks: SideRows): number | undefined {
  const bid = bids.sum[bids.count - 1] ?? 0;
  const ask = asks.sum[asks.count - 1] ?? 0;
  return bid + ask === 0 ? undefined : Math.round((bid * 100) / (bid + ask));
}

export interface LevelSum {
  /** Price units, rounded down. */
  readonly averagePrice: number;
  readonly quantity: number;
  /** In units of price times units of quantity: exact for any size. */
  readonly amount: bigint;
}

/** The result of taking everything up to this grouped price. */
export function sumTo(levels: readonly BookLevel[], price: number, side: BookSide): LevelSum | undefined {
  let quantity = 0n;
  let amount = 0n;
  for (const level of levels) {
    if (side === "bid" ? level.price < price : level.price > price) break;
    quantity += BigInt(level.quantity);
    amount += BigInt(level.quantity) * BigInt(level.price);
  }
  if (quantity === 0n) return undefined;
  return { averagePrice: Number(amount / quantity), quantity: Number(quantity), amount };
}

/** Best ask less best bid; undefined while a side is empty. */
export function spreadOf(book: DepthBook): number | undefined {
  const bid = book.bids[0]?.price;
  const ask = book.asks[0]?.price;
  return bid === undefined || ask === undefined ? undefined : ask - bid;
}
