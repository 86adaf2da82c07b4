// Pure rules of candles: how trades make one, how small ones make large ones, and the values without trades. Prices are
// ticks, quantities lots, turnovers settlement units; times are openings in ms.
import type { TimezoneName } from "../constants.ts";
import { type CandleInterval, candleStart, HOUR_MS, MINUTE_MS, nextCandleStart, SECOND_MS } from "../time.ts";

/** One candle of a stored span. A series without trades (mark, index) has no lots. */
export interface Bar {
  readonly timeMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
  quoteUnits: bigint;
  /** The taker buys in both; 0 where it was not recorded. */
  boughtLots: number;
  boughtUnits: bigint;
  trades: number;
  isGenerated: boolean;
}

/** The spans that are stored; every interval is built from one of them. */
export const SPANS_MS = [SECOND_MS, MINUTE_MS, HOUR_MS] as const;

/** Whole hours make every longer candle, including those that open at midnight in UTC+8. */
export function baseSpanMs(interval: CandleInterval): number {
  if (interval === "1s") return SECOND_MS;
  return nextCandleStart(0, interval) - candleStart(0, interval) < HOUR_MS ? MINUTE_MS : HOUR_MS;
}

/** Of a bar without trades. */
export const NOTHING_TRADED = { lots: 0, quoteUnits: 0n, boughtLots: 0, boughtUnits: 0n, trades: 0 } as const;

export function openBar(timeMs: number, price: number): Bar {
  const prices = { open: price, high: price, low: price, close: price };
  return { timeMs, ...prices, ...NOTHING_TRADED, isGenerated: false };
}

/** One trade, by whether its taker bought. */
export function addTrade(bar: Bar, price: number, quantityLots: number, quoteUnits: bigint, isBought: boolean): void {
  if (price > bar.high) bar.high = price;
  if (price < bar.low) bar.low = price;
  bar.close = price;
  bar.lots += quantityLots;
  bar.quoteUnits += quoteUnits;
  if (isBought) {
    bar.boughtLots += quantityLots;
    bar.boughtUnits += quoteUnits;
  }
  bar.trades += 1;
}

/** A price without a trade: of a mark, an index, an open interest. */
export function notePrice(bar: Bar, price: number): void {
  if (price > bar.high) bar.high = price;
  if (price < bar.low) bar.low = price;
  bar.close = price;
}

/** Sorted bars become sorted candles; only those with trades, each opening where its interval does. */
export function groupBars(bars: Iterable<Bar>, interval: CandleInterval, zone: TimezoneName): Bar[] {
  const grouped: Bar[] = [];
  let current: Bar | undefined;
  let endsMs = 0;
  for (const bar of bars) {
    if (current === undefined || bar.timeMs >= endsMs) {
      const timeMs = candleStart(bar.timeMs, interval, zone);
      endsMs = nextCandleStart(timeMs, interval, zone);
      current = { ...bar, timeMs };
      grouped.push(current);
      continue;
    }
    if (bar.high > current.high) current.high = bar.high;
    if (bar.low < current.low) current.low = bar.low;
    current.close = bar.close;
    current.lots += bar.lots;
    current.quoteUnits += bar.quoteUnits;
    current.boughtLots += bar.boughtLots;
    current.boughtUnits += bar.boughtUnits;
    current.trades += bar.trades;
    current.isGenerated = current.isGenerated && bar.isGenerated;
  }
  return grouped;
}

/**
 * One candle for every opening from `fromMs` to `toMs`, both included and both openings: without trades the close
 * before is repeated. There are none before the first price.
 */
export function fillBars(
  bars: readonly Bar[],
  fromMs: number,
  toMs: number,
  interval: CandleInterval,
  zone: TimezoneName,
  closeBefore: number | undefined,
): Bar[] {
  const filled: Bar[] = [];
  let index = 0;
  let close = closeBefore;
  for (let timeMs = fromMs; timeMs <= toMs; timeMs = nextCandleStart(timeMs, interval, zone)) {
    const bar = bars[index];
    if (bar?.timeMs === timeMs) {
      filled.push(bar);
      close = bar.close;
      index += 1;
    } else if (close !== undefined) {
      filled.push(openBar(timeMs, close));
    }
  }
  return filled;
}

/** Openings of a request: from where to where, newest last. */
export function chooseRange(
  query: { readonly from?: number; readonly to?: number; readonly limit: number },
  interval: CandleInterval,
  zone: TimezoneName,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  const newest = candleStart(nowMs, interval, zone);
  const ceiling = query.to === undefined ? newest : Math.min(newest, candleStart(query.to, interval, zone));
  if (query.from !== undefined && query.to === undefined) {
    const fromMs = ceilStart(query.from, interval, zone);
    let toMs = fromMs;
    for (let count = 1; count < query.limit && toMs < ceiling; count += 1) toMs = nextCandleStart(toMs, interval, zone);
    return fromMs > ceiling ? undefined : { fromMs, toMs: Math.min(toMs, ceiling) };
  }
  let fromMs = ceiling;
  const floor = query.from === undefined ? 0 : ceilStart(query.from, interval, zone);
  for (let count = 1; count < query.limit && fromMs > floor; count += 1) {
    fromMs = candleStart(fromMs - 1, interval, zone);
  }
  fromMs = Math.max(fromMs, floor);
  return fromMs > ceiling ? undefined : { fromMs, toMs: ceiling };
}

/** The first opening that is not before an instant. */
function ceilStart(timeMs: number, interval: CandleInterval, zone: TimezoneName): number {
  const start = candleStart(timeMs, interval, zone);
  return start === timeMs ? start : nextCandleStart(timeMs, interval, zone);
}
