// One series of candles (trades, mark, index, open interest): its newest bars in memory by span, which of them are not
// stored yet, and how candles of any interval are read from memory and from older storage. Must return the same
// whichever of them a bar came from.

import type { TimezoneName } from "../constants.ts";
import { type CandleInterval, candleStart, nextCandleStart } from "../time.ts";
import { addTrade, type Bar, baseSpanMs, fillBars, groupBars, notePrice, openBar, SPANS_MS } from "./candles.ts";

/** The number of bars of each span kept in memory; a span that is not named is not kept. */
export type BarsKept = Readonly<Record<number, number>>;

export interface SpanBar {
  readonly spanMs: number;
  readonly bar: Bar;
}

export class BarSeries {
  readonly #kept: BarsKept;
  readonly #stored: ReadonlySet<number>;
  readonly #bars = new Map<number, Bar[]>(SPANS_MS.map((spanMs) => [spanMs, []]));
  readonly #dirty = new Map<Bar, number>();

  /** Spans that are not stored are in memory only and start empty. */
  constructor(kept: BarsKept, stored: readonly number[] = SPANS_MS) {
    this.#kept = kept;
    this.#stored = new Set(stored);
  }

  /** Oldest first; times without events have none. */
  bars(spanMs: number): readonly Bar[] {
    return this.#bars.get(spanMs) ?? [];
  }

  get isEmpty(): boolean {
    return SPANS_MS.every((spanMs) => this.bars(spanMs).length === 0);
  }

  load(spanMs: number, bars: Bar[]): void {
    this.#bars.set(spanMs, bars);
  }

  addTrade(timeMs: number, price: number, lots: number, quoteUnits: bigint, isBought: boolean): void {
    for (const spanMs of SPANS_MS) {
      const bar = this.#barAt(spanMs, timeMs, price);
      if (bar !== undefined) addTrade(bar, price, lots, quoteUnits, isBought);
    }
  }

  addPrice(timeMs: number, price: number): void {
    for (const spanMs of SPANS_MS) {
      const bar = this.#barAt(spanMs, timeMs, price);
      if (bar !== undefined) notePrice(bar, price);
    }
  }

  #barAt(spanMs: number, timeMs: number, price: number): Bar | undefined {
    const kept = this.#kept[spanMs];
    if (kept === undefined) return undefined;
    const bars = this.#bars.get(spanMs) as Bar[];
    const startMs = timeMs - (timeMs % spanMs);
    let bar = bars.at(-1);
    if (bar === undefined || bar.timeMs < startMs) {
      bar = openBar(startMs, price);
      bars.push(bar);
      if (bars.length > kept + kept / 4) bars.splice(0, bars.length - kept);
    }
    // An hour that started with generated minutes and continued with trades is no generated hour.
    bar.isGenerated = false;
    if (this.#stored.has(spanMs)) this.#dirty.set(bar, spanMs);
    return bar;
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Unstored changes, in their current state. */
  takeDirty(): SpanBar[] {
    const taken = [...this.#dirty].map(([bar, spanMs]) => ({ spanMs, bar: { ...bar } }));
    this.#dirty.clear();
    return taken;
  }
}

/** Bars that have left memory. */
export interface OldBars {
  /** In order of time, both ends included. */
  read(spanMs: number, fromMs: number, toMs: number): Promise<Bar[]>;
  readCloseBefore(spanMs: number, timeMs: number): Promise<number | undefined>;
  /** When the first bar at or after a time opens. */
  readFirstFrom(spanMs: number, timeMs: number): Promise<number | undefined>;
}

export interface CandleRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * A request with a start but no end is moved to the first candle: a client that downloads from long ago does not get an
 * empty page.
 */
export async function reachFirst<Query extends { readonly from?: number; readonly to?: number }>(
  query: Query,
  series: BarSeries,
  old: OldBars,
  interval: CandleInterval,
  zone: TimezoneName,
): Promise<Query> {
  const { from, to } = query;
  if (from === undefined || to !== undefined) return query;
  const spanMs = baseSpanMs(interval);
  const recent = series.bars(spanMs);
  const place = findFirst(recent, from);
  if (place > 0 || (await old.readCloseBefore(spanMs, from)) !== undefined) return query;
  const first = (await old.readFirstFrom(spanMs, from)) ?? recent[place]?.timeMs;
  // The candle of that bar may open before it.
  return first === undefined ? query : { ...query, from: Math.max(from, candleStart(first, interval, zone)) };
}

/** One candle for every opening of the range, newest last. */
export async function readCandles(
  series: BarSeries,
  old: OldBars,
  interval: CandleInterval,
  zone: TimezoneName,
  { fromMs, toMs }: CandleRange,
): Promise<Bar[]> {
  const spanMs = baseSpanMs(interval);
  const endMs = nextCandleStart(toMs, interval, zone) - 1;
  const recent = series.bars(spanMs);
  const firstMs = recent[0]?.timeMs ?? Number.POSITIVE_INFINITY;
  // Memory is newer than any row; the rows before it never change again.
  const before = fromMs < firstMs ? await old.read(spanMs, fromMs, Math.min(endMs, firstMs - 1)) : [];
  const from = findFirst(recent, fromMs);
  const until = findFirst(recent, endMs + 1);
  const grouped = groupBars([...before, ...recent.slice(from, until)], interval, zone);
  const isFilled = grouped[0]?.timeMs === fromMs;
  const known = isFilled ? undefined : recent[from - 1]?.close;
  const close = isFilled ? undefined : (known ?? (await old.readCloseBefore(spanMs, fromMs)));
  return fillBars(grouped, fromMs, toMs, interval, zone, close);
}

/** Candles from memory only: for ranges within it. */
export function recentCandles(
  series: BarSeries,
  interval: CandleInterval,
  zone: TimezoneName,
  { fromMs, toMs }: CandleRange,
): Bar[] {
  const bars = series.bars(baseSpanMs(interval));
  const first = bars.findLastIndex((bar) => bar.timeMs < fromMs) + 1;
  const grouped = groupBars(bars.slice(first), interval, zone);
  return fillBars(grouped, fromMs, toMs, interval, zone, bars[first - 1]?.close);
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
