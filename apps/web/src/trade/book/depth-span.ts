// Which part of the book the depth chart shows: a percentage on both sides of the middle, so that one far order moves
// nothing, and a total for the axis. Pure.
import type { BookLevel } from "#live/feeds/depth-book.ts";

/** Per cent on each side of the middle. */
export const DEPTH_SPANS = [0.1, 0.25, 0.5, 1, 2, 5, 10] as const;
export type DepthSpan = (typeof DEPTH_SPANS)[number];
export const DEPTH_SPAN_FIRST: DepthSpan = 1;

export interface DepthBounds {
  readonly low: number;
  readonly high: number;
}

/** In the book's own units; nothing while a side is empty. */
export function depthBounds(
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  percent: number,
): DepthBounds | undefined {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined) return undefined;
  const middle = (bid + ask) / 2;
  // A spread wider than the span is still shown whole.
  const away = Math.max((middle * percent) / 100, (ask - bid) / 2);
  return { low: Math.max(0, middle - away), high: middle + away };
}

export function withinBounds(side: readonly BookLevel[], { low, high }: DepthBounds): readonly BookLevel[] {
  return side.filter(({ price }) => price >= low && price <= high);
}

export function nextSpan(now: DepthSpan, way: 1 | -1): DepthSpan {
  return DEPTH_SPANS[DEPTH_SPANS.indexOf(now) + way] ?? now;
}
