// Pure rules of market data: the description of a pair, what amounts are worth through it, and the views of a whole
// day: the last 24 hours, rankings, sparklines. Inputs are the core's whole numbers; nothing here rounds unless its
// name says which way.
import { findFirst } from "@clockwork/kit/candles/bar-series";
import type { Bar } from "@clockwork/kit/candles/candles";
import {
  averageTicks,
  priceText,
  quantityText,
  type Valuation,
  valueText,
  writeInstrument,
} from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { fixedText } from "@clockwork/kit/whole-text";
import type { Pair, Quotation, Rankings } from "./contract.ts";
import type { MarketPair } from "./pair.ts";

const RATE_SCALE = 8;

/** The signed change in percent, truncated to two decimals: "-1.25". */
export function changeText(openTicks: number, lastTicks: number): string {
  if (openTicks === 0) return "0.00";
  const hundredths = Math.trunc(((lastTicks - openTicks) * 10_000) / openTicks);
  const text = fixedText(Math.abs(hundredths), 2);
  return hundredths < 0 ? `-${text}` : text;
}

export function describePair(pair: MarketPair): Pair {
  const rate = (value: number): string => formatUnits(units(value), RATE_SCALE);
  const { kind: _, base, quote, ...rules } = writeInstrument(pair);
  return {
    pairCode: pair.pairCode,
    base: base.symbol,
    quote: quote.symbol,
    baseName: pair.base.name,
    status: pair.status,
    priceDecimals: pair.priceDecimals,
    quantityDecimals: pair.quantityDecimals,
    baseScale: base.scale,
    quoteScale: quote.scale,
    ...rules,
    openOrdersMax: pair.restingMax,
    makerRate: rate(pair.makerRate),
    takerRate: rate(pair.takerRate),
    partitions: [...pair.partitions],
    listedAtMs: pair.listedAtMs,
    isSimulated: pair.isSimulated,
  };
}

export interface DayStats {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly last: number;
  readonly lots: number;
  readonly quoteUnits: bigint;
}

export const SPARKLINE_POINTS = 48;

/** The last 24 hours by minutes; undefined before the first price. The change is against the price 24 hours ago. */
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

/**
 * The core's own average of five minutes, by seconds: thirty buckets of ten, the current one included, rounded down;
 * undefined without a trade. Generated history never reached the core.
 */
export function averageFloor(seconds: readonly Bar[], valuation: Valuation, nowMs: number): number | undefined {
  const sinceMs = (Math.floor(nowMs / BAND_BUCKET_MS) - BAND_BUCKETS + 1) * BAND_BUCKET_MS;
  let lots = 0n;
  let quoteUnits = 0n;
  for (let index = findFirst(seconds, sinceMs); index < seconds.length; index += 1) {
    const bar = seconds[index] as Bar;
    if (bar.isGenerated) continue;
    lots += BigInt(bar.lots);
    quoteUnits += bar.quoteUnits;
  }
  if (lots === 0n || quoteUnits === 0n) return undefined;
  const { over, under } = averageTicks(valuation, quoteUnits, lots);
  return Number(over / under);
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
  /** Its position in the list of pairs, to settle ties. */
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
