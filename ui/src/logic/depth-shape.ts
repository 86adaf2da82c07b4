// Turns two ladders of levels into one picture: shares of width and height, nearest level under a pointer. No DOM.

import type { Point } from "./curve.ts";

export interface DepthLevel {
  /** For placing only; the exact figures are in the texts. */
  readonly price: number;
  /** Everything offered up to and including this level. */
  readonly total: number;
  readonly priceText: string;
  readonly totalText: string;
}

export interface DepthShape {
  readonly bids: readonly Point[];
  readonly asks: readonly Point[];
  readonly middle: number;
  /** The total at the picture's upper edge, in the levels' own units. */
  readonly top: number;
}

export interface PriceSpan {
  readonly low: number;
  readonly high: number;
}

/** Bids best first, asks best first. Points are shares from the top left; both sides use one scale. */
export function placeDepth(
  bids: readonly DepthLevel[],
  asks: readonly DepthLevel[],
  bounds?: PriceSpan | undefined,
): DepthShape {
  const low = bounds?.low ?? bids.at(-1)?.price ?? asks[0]?.price ?? 0;
  const high = bounds?.high ?? asks.at(-1)?.price ?? bids[0]?.price ?? 0;
  const span = high - low;
  const top = Math.max(bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0) * 1.08;
  const place = (level: DepthLevel): Point => ({
    x: span === 0 ? 0.5 : (level.price - low) / span,
    y: top === 0 ? 1 : 1 - level.total / top,
  });
  const bestBid = bids[0]?.price;
  const bestAsk = asks[0]?.price;
  const middlePrice =
    bestBid !== undefined && bestAsk !== undefined ? (bestBid + bestAsk) / 2 : (bestBid ?? bestAsk ?? 0);
  return {
    bids: bids.map(place).toReversed(),
    asks: asks.map(place),
    middle: span === 0 ? 0.5 : (middlePrice - low) / span,
    top,
  };
}

/** Bids fall to the right: the total of a level holds from it towards lower prices. */
export function bidPath(points: readonly Point[], width: number, height: number): string {
  return stairs(points, width, height, "before");
}

export function askPath(points: readonly Point[], width: number, height: number): string {
  return stairs(points, width, height, "after");
}

function stairs(points: readonly Point[], width: number, height: number, side: "before" | "after"): string {
  const fix = (value: number) => String(Math.round(value * 100) / 100);
  let path = "";
  points.forEach((point, index) => {
    const x = fix(point.x * width);
    const y = fix(point.y * height);
    if (index === 0) path = `M${x} ${side === "after" ? fix(height) : y}${side === "after" ? `V${y}` : ""}`;
    else path += side === "after" ? `H${x}V${y}` : `V${y}H${x}`;
  });
  return side === "before" && path !== "" ? `${path}V${fix(height)}` : path;
}
