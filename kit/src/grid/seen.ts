// Owns how far from the fair price a bot accepts the last trade, so that its decisions cannot be moved by a trade in a
// swept book. Core and server compute it alike.
import { PRICE_TICKS_MAX } from "../instrument.ts";

const WHOLE_BPS = 10_000;
/** The maximum distance from the fair price at which a bot reads the market, starts, follows and rebalances. */
export const SEEN_BPS = 300;

/** The last trade, limited to that distance from the fair price; unchanged without one. */
export function seenTicks(lastTicks: number, fairTicks: number): number {
  if (lastTicks === 0 || fairTicks === 0) return lastTicks;
  const low = Math.max(1, Math.ceil((fairTicks * (WHOLE_BPS - SEEN_BPS)) / WHOLE_BPS));
  const high = Math.max(1, Math.min(PRICE_TICKS_MAX, Math.floor((fairTicks * (WHOLE_BPS + SEEN_BPS)) / WHOLE_BPS)));
  return Math.max(low, Math.min(lastTicks, high));
}
