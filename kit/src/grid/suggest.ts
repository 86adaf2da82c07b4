// Owns the grid suggested by recent volatility: a range the price would have stayed in, and as many cells as still earn
// several times their fees. A suggestion from the past, never a promise. Changes nothing.
import { RATE_ONE } from "../money.ts";
import type { BackTestCandle } from "./back-test.ts";
import { areDistinct, GRID_CELLS_MAX, type GridRange, gridLines, profitRates } from "./lines.ts";

export interface GridSuggestion {
  readonly range: GridRange;
  /** Deviation of a day's return, in 1e-8. */
  readonly dailyRate: number;
  readonly profitMinRate: number;
  readonly profitMaxRate: number;
}

const DAY_MS = 86_400_000;
/** Deviations between the edges and the price, over the days read, and the maximum as parts of the price. */
const DEVIATIONS = 1;
const WIDEST = 0.5;
const NARROWEST = 0.02;
/** A cell earns at least this multiple of the fees of its two orders, after them. */
const FEES_TIMES = 2;
const CELLS_LEAST = 5;
/** Edges keep this part of the market's band: the price may move before the bot is created. */
const BAND_PART = 0.9;

/** The prices at which a market accepts orders; 0 for no bound. */
export interface PriceBand {
  readonly lowTicks: number;
  readonly highTicks: number;
}

/** Deviation of returns between candles' closes, scaled to a day. */
export function dailyDeviation(candles: readonly BackTestCandle[]): number {
  const returns: number[] = [];
  for (let i = 1; i < candles.length; i++)
    returns.push((candles[i] as BackTestCandle).close / (candles[i - 1] as BackTestCandle).close - 1);
  if (returns.length < 2) return 0;
  const mean = returns.reduce((total, one) => total + one, 0) / returns.length;
  const variance = returns.reduce((total, one) => total + (one - mean) ** 2, 0) / (returns.length - 1);
  const [first, last] = [candles[0] as BackTestCandle, candles.at(-1) as BackTestCandle];
  const spanMs = (last.timeMs - first.timeMs) / returns.length;
  return spanMs > 0 ? Math.sqrt(variance * (DAY_MS / spanMs)) : 0;
}

/** Geometric lines around the price, one deviation of the days ahead to each side. */
export function suggestGrid(
  candles: readonly BackTestCandle[],
  priceTicks: number,
  days: number,
  feeRate: number,
  band: PriceBand = { lowTicks: 0, highTicks: 0 },
): GridSuggestion | undefined {
  const daily = dailyDeviation(candles);
  if (daily === 0 || priceTicks <= 0) return undefined;
  const width = Math.min(WIDEST, Math.max(NARROWEST, DEVIATIONS * daily * Math.sqrt(days)));
  const room = (edgeTicks: number): number => Math.round(priceTicks + (edgeTicks - priceTicks) * BAND_PART);
  const lowTicks = Math.max(1, Math.round(priceTicks / (1 + width)), band.lowTicks === 0 ? 1 : room(band.lowTicks));
  const widest = Math.round(priceTicks * (1 + width));
  const highest = band.highTicks === 0 ? widest : Math.min(widest, room(band.highTicks));
  const highTicks = Math.max(lowTicks + CELLS_LEAST, highest);
  for (let cells = GRID_CELLS_MAX / 2; cells >= 2; cells--) {
    const range: GridRange = { lowTicks, highTicks, cells, spacing: "geometric" };
    const lines = gridLines(range);
    if (!areDistinct(lines)) continue;
    const { min, max } = profitRates(lines, feeRate);
    const isEnough = min >= FEES_TIMES * 2 * feeRate || cells <= CELLS_LEAST;
    if (min > 0 && isEnough)
      return { range, dailyRate: Math.round(daily * RATE_ONE), profitMinRate: min, profitMaxRate: max };
  }
  return undefined;
}
