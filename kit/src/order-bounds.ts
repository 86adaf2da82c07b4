// Owns the bounds of orders: those of every market, and how those of one market, which are in its instrument, are
// checked. The core enforces them, the API publishes them, a form checks them before submitting. Changes nothing.
import { type InstrumentTerms, type OrderBounds, PRICE_TICKS_MAX } from "./instrument.ts";
import { UNITS_MAX } from "./money.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

/** How far ahead a GTD order expires. */
export const EXPIRY_MIN_MS = MINUTE_MS;
export const EXPIRY_MAX_MS = 90 * DAY_MS;
/** Slippage of a market order, in hundredths of a percent. */
export const SLIPPAGE_MIN_BPS = 1;
export const SLIPPAGE_MAX_BPS = 1_000;
/** Callback of a trailing stop, in hundredths of a percent. */
export const CALLBACK_MIN_BPS = 10;
export const CALLBACK_MAX_BPS = 1_000;
/** An iceberg shows at least one part in this many, and has at most this many slices. */
export const ICEBERG_PARTS_MAX = 20;
export const ICEBERG_SLICES_MAX = 100;
export const TWAP_DURATION_MIN_MS = 5 * MINUTE_MS;
export const TWAP_DURATION_MAX_MS = 24 * HOUR_MS;
export const TWAP_INTERVAL_MIN_MS = 10 * SECOND_MS;
export const TWAP_INTERVAL_MAX_MS = 5 * MINUTE_MS;
/** Orders of a scaled order. */
export const SCALED_MIN = 2;
export const SCALED_MAX = 50;
/** The timeout of the dead-man's switch, which cancels everything. */
export const DEAD_MAN_MIN_MS = 3 * SECOND_MS;
export const DEAD_MAN_MAX_MS = 5 * MINUTE_MS;
export const CLIENT_ORDER_ID_LENGTH_MAX = 36;

const BPS_ONE = 10_000;

export type Side = "buy" | "sell";

export type BoundCode =
  | "QUANTITY_TOO_SMALL"
  | "QUANTITY_TOO_LARGE"
  | "NOTIONAL_TOO_SMALL"
  | "NOTIONAL_TOO_LARGE"
  | "PRICE_TOO_HIGH"
  | "PRICE_TOO_LOW";

/** Which bound an order breaks; `limit` is the bound itself, in lots, settlement units or ticks. */
export interface BrokenBound {
  readonly code: BoundCode;
  readonly limit: number;
}

/** Quantity first, then notional, at the limit price or the protective one of a market order. */
export function checkSize(
  instrument: InstrumentTerms,
  lots: number,
  limitTicks: number,
  isMarket = false,
): BrokenBound | undefined {
  const { minLots, maxLots, maxMarketLots, minNotionalUnits, stepUnits } = instrument;
  if (lots < minLots) return { code: "QUANTITY_TOO_SMALL", limit: minLots };
  const most = isMarket ? maxMarketLots : maxLots;
  if (lots > most) return { code: "QUANTITY_TOO_LARGE", limit: most };
  const notional = instrument.kind === "inverse" ? 0 : limitTicks * lots * instrument.factor;
  if (instrument.kind !== "inverse" && notional < minNotionalUnits) {
    return { code: "NOTIONAL_TOO_SMALL", limit: minNotionalUnits };
  }
  return notional > UNITS_MAX || lots * stepUnits > UNITS_MAX
    ? { code: "NOTIONAL_TOO_LARGE", limit: UNITS_MAX }
    : undefined;
}

/** The highest price of a band, rounded down; never beyond the highest possible. */
export function bandHigh(anchorTicks: number, bps: number): number {
  return Math.min(PRICE_TICKS_MAX, Math.floor((anchorTicks * bps) / BPS_ONE));
}

/** The lowest price a band allows, rounded up. */
export function bandLow(anchorTicks: number, bps: number): number {
  return Math.min(PRICE_TICKS_MAX, Math.ceil((anchorTicks * bps) / BPS_ONE));
}

/** The band of a market, in 1e-4 of its anchor. */
export type BandBounds = Pick<OrderBounds, "buyMaxBps" | "buyMinBps" | "sellMinBps" | "sellMaxBps">;

/** The permitted prices of a side; a bound of 0 does not apply. */
export function bandOf(bounds: BandBounds, side: Side, anchorTicks: number): { lowTicks: number; highTicks: number } {
  return side === "buy"
    ? { lowTicks: bandLow(anchorTicks, bounds.buyMinBps), highTicks: bandHigh(anchorTicks, bounds.buyMaxBps) }
    : { lowTicks: bandLow(anchorTicks, bounds.sellMinBps), highTicks: bandHigh(anchorTicks, bounds.sellMaxBps) };
}

export function checkBand(
  bounds: BandBounds,
  side: Side,
  priceTicks: number,
  anchorTicks: number,
): BrokenBound | undefined {
  const { lowTicks, highTicks } = bandOf(bounds, side, anchorTicks);
  if (highTicks !== 0 && priceTicks > highTicks) return { code: "PRICE_TOO_HIGH", limit: highTicks };
  return priceTicks < lowTicks ? { code: "PRICE_TOO_LOW", limit: lowTicks } : undefined;
}

/** The price at which a trailing stop that follows would fire now, on the side the core decides. */
export function followedTicks(side: string, peakTicks: number | null, callbackBps: number | null): number | null {
  if (peakTicks === null || callbackBps === null) return null;
  if (side === "buy") return Math.ceil((peakTicks * (BPS_ONE + callbackBps)) / BPS_ONE);
  return Math.floor((peakTicks * (BPS_ONE - callbackBps)) / BPS_ONE);
}

/** The worst price of a market order: the best one on the other side and the permitted slippage, inside the band. */
export function protectiveTicks(
  bounds: BandBounds,
  side: Side,
  bestTicks: number,
  slippageBps: number,
  anchorTicks: number,
): number {
  const { lowTicks, highTicks } = bandOf(bounds, side, anchorTicks);
  if (side === "sell") {
    return Math.max(1, lowTicks, Math.ceil((bestTicks * (BPS_ONE - slippageBps)) / BPS_ONE));
  }
  const limit = Math.min(PRICE_TICKS_MAX, Math.floor((bestTicks * (BPS_ONE + slippageBps)) / BPS_ONE));
  return highTicks === 0 ? limit : Math.min(limit, highTicks);
}
