// Pure rules of what is shown of a whole day: the last 24 hours, rankings, small curves.
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Quotation, Rankings } from "./api.ts";
import type { Bar } from "./candle-rules.ts";
import type { MarketPair } from "./needs.ts";
import { changeText } from "./rules.ts";

export interface DayStats {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly last: number;
  readonly lots: number;
  readonly quoteUnits: bigint;
}

export const SPARKLINE_POINTS = 48;

/** The last 24 hours by minutes; nothing before the first price. The change counts from the price 24 hours ago. */
export function dayStats(minutes: readonly Bar[], nowMs: number): DayStats | undefined {
  const last = minutes.at(-1);
  if (last === undefined) return undefined;
  const sinceMs = nowMs - (nowMs % MINUTE_MS) - DAY_MS + MINUTE_MS;
  const first = findFirst(minutes, sinceMs);
  const before = minutes[first - 1];
  const open = before?.close ?? minutes[first]?.open ?? last.close;
  let high = first < minutes.length ? 0 : last.close;
  let low = first < minutes.length ? Number.POSITIVE_INFINITY : last.close;
  let lots = 0;
  let quoteUnits = 0n;
  for (let index = first; index < minutes.length; index += 1) {
    const bar = minutes[index] as Bar;
    if (bar.high > high) high = bar.high;
    if (bar.low < low) low = bar.low;
    lots += bar.lots;
    quoteUnits += bar.quoteUnits;
  }
  return { open, high, low, last: last.close, lots, quoteUnits };
}

const BAND_BUCKET_MS = 10_000;
const BAND_BUCKETS = 30;

/** The core's own average of five minutes, by seconds: thirty buckets of ten, the present one included, rounded down;
 *  nothing when nothing traded. Generated history never reached the core. */
export function averageFloor(seconds: readonly Bar[], tickLotUnits: number, nowMs: number): number | undefined {
  const sinceMs = (Math.floor(nowMs / BAND_BUCKET_MS) - BAND_BUCKETS + 1) * BAND_BUCKET_MS;
  let lots = 0n;
  let quoteUnits = 0n;
  for (let index = findFirst(seconds, sinceMs); index < seconds.length; index += 1) {
    const bar = seconds[index] as Bar;
    if (bar.isGenerated) continue;
    lots += BigInt(bar.lots);
    quoteUnits += bar.quoteUnits;
  }
  return lots === 0n ? undefined : Number(quoteUnits / (lots * BigInt(tickLotUnits)));
}

/** The first bar that does not open before a time. */
export function findFirst(bars: readonly Bar[], timeMs: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bars[middle] as Bar).timeMs < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function quote(
  pair: MarketPair,
  stats: DayStats,
  best: { readonly bid: number | undefined; readonly ask: number | undefined; readonly band: number },
  timeMs: number,
): Quotation {
  return {
    pairCode: pair.pairCode,
    last: priceText(pair, stats.last),
    open: priceText(pair, stats.open),
    high: priceText(pair, stats.high),
    low: priceText(pair, stats.low),
    bid: best.bid === undefined ? null : priceText(pair, best.bid),
    ask: best.ask === undefined ? null : priceText(pair, best.ask),
    changePercent: changeText(stats.open, stats.last),
    bandPrice: best.band === 0 ? null : priceText(pair, best.band),
    volume: quantityText(pair, stats.lots),
    turnover: valueText(pair, stats.quoteUnits),
    timeMs,
  };
}

/** Closing prices of a span of time until now at equal distances, oldest first. */
export function curve(bars: readonly Bar[], nowMs: number, spanMs: number = DAY_MS): number[] {
  const points: number[] = [];
  for (let point = 0; point < SPARKLINE_POINTS; point += 1) {
    const untilMs = nowMs - ((SPARKLINE_POINTS - 1 - point) * spanMs) / SPARKLINE_POINTS;
    const bar = bars[findFirst(bars, untilMs) - 1];
    if (bar !== undefined) points.push(bar.close);
  }
  return points;
}

export interface Ranked {
  readonly pairCode: string;
  /** Change since yesterday, for comparing. */
  readonly change: number;
  /** Turnover in one common unit; pairs that have none rank last. */
  readonly worthUnits: bigint;
  readonly listedAtMs: number;
  /** Where it stands in the list of pairs, to settle ties. */
  readonly place: number;
}

const RANKS_MAX = 20;

export function rank(rows: readonly Ranked[]): Rankings {
  const by = (compare: (left: Ranked, right: Ranked) => number): string[] =>
    [...rows]
      .sort((left, right) => compare(left, right) || left.place - right.place)
      .slice(0, RANKS_MAX)
      .map(({ pairCode }) => pairCode);
  return {
    rise: by((left, right) => right.change - left.change),
    fall: by((left, right) => left.change - right.change),
    turnover: by((left, right) =>
      left.worthUnits === right.worthUnits ? 0 : left.worthUnits < right.worthUnits ? 1 : -1,
    ),
    newest: by((left, right) => right.listedAtMs - left.listedAtMs),
  };
}
