// Reads the index of a coin as the exchange recorded it, minute by minute: of its linear contract, or of its spot
// market without a listed contract. Shark fins settle by it and plans are backtested on it. Read-only.

import { readCandles } from "@clockwork/kit/candles/bar-series";
import type { Bar } from "@clockwork/kit/candles/candles";
import { priceText, readPriceTicks } from "@clockwork/kit/instrument";
import type { CandleInterval } from "@clockwork/kit/time";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Market } from "@clockwork/trading/market/offer";
import type { MarketPair } from "@clockwork/trading/markets/pair";

const CHUNK_MS = DAY_MS;
const MEDIAN_MINUTES = 11;

interface Point {
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

/**
 * Trades of a spot market as an index: of each minute the median of its close and the ten closes before. One trade on a thin
 * book, or several minutes of them, move neither the price a product settles at nor the highest and lowest it touched.
 */
export function mediansOf(before: readonly Pick<Bar, "close">[], bars: readonly Pick<Bar, "close">[]): Point[] {
  const closes = [...before, ...bars].map(({ close }) => close);
  return bars.map((_, at) => {
    const until = before.length + at + 1;
    const seen = closes.slice(Math.max(0, until - MEDIAN_MINUTES), until).sort((left, right) => left - right);
    const close = seen[(seen.length - 1) >> 1] as number;
    return { close, high: close, low: close };
  });
}

export interface IndexReader {
  ticksOf(symbol: string, price: string): bigint | undefined;
  priceText(symbol: string, ticks: number): string;
  readIndex(symbol: string): number | undefined;
  readRecord(
    symbol: string,
    fromMs: number,
    toMs: number,
  ): Promise<{ closes: number[]; highTicks: number; lowTicks: number } | undefined>;
  /** Closes of the spot market, one for each interval, as text; for looking back. */
  readCloses(
    symbol: string,
    interval: CandleInterval,
    fromMs: number,
    toMs: number,
  ): Promise<{ timeMs: number; price: string }[]>;
}

export function indexReader(market: Market): IndexReader {
  const { pairs, data } = market;
  const find = (symbol: string): MarketPair | undefined =>
    pairs.findListed("futures", `${symbol}_USDT`) ?? pairs.findPair(`${symbol}_USDT`);
  const read = async (pair: MarketPair, interval: CandleInterval, fromMs: number, toMs: number): Promise<Bar[]> => {
    const state = data.projector.states.get(pair.market);
    if (state === undefined) return [];
    const name = pair.contract === undefined ? "last" : "index";
    const series = pair.contract === undefined ? state.series : state.contract?.series.index;
    if (series === undefined) return [];
    return readCandles(series, data.series.of(pair.market, name), interval, "UTC0", { fromMs, toMs });
  };
  const before = (pair: MarketPair, atMs: number): Promise<Bar[]> =>
    read(pair, "1m", atMs - (MEDIAN_MINUTES - 1) * MINUTE_MS, atMs - MINUTE_MS);
  return {
    ticksOf(symbol, price) {
      const pair = find(symbol);
      const ticks = pair === undefined ? undefined : readPriceTicks(pair, price);
      return ticks === undefined ? undefined : BigInt(ticks);
    },
    priceText(symbol, ticks) {
      const pair = find(symbol);
      return pair === undefined ? String(ticks) : priceText(pair, ticks);
    },
    readIndex(symbol) {
      const pair = find(symbol);
      if (pair === undefined) return undefined;
      const ticks = data.projector.states.get(pair.market)?.contract?.indexTicks ?? pairs.fairTicks(pair.market);
      return ticks > 0 ? ticks : undefined;
    },
    async readRecord(symbol, fromMs, toMs) {
      const pair = find(symbol);
      if (pair === undefined) return undefined;
      const found = { closes: [] as number[], highTicks: 0, lowTicks: Number.POSITIVE_INFINITY };
      for (let at = fromMs; at < toMs; at += CHUNK_MS) {
        const bars = await read(pair, "1m", at, Math.min(at + CHUNK_MS, toMs) - MINUTE_MS);
        const points = pair.contract === undefined ? mediansOf(await before(pair, at), bars) : bars;
        for (const { close, high, low } of points) {
          found.closes.push(close);
          found.highTicks = Math.max(found.highTicks, high);
          found.lowTicks = Math.min(found.lowTicks, low);
        }
      }
      return found.closes.length === 0 ? undefined : found;
    },
    async readCloses(symbol, interval, fromMs, toMs) {
      const pair = pairs.findPair(`${symbol}_USDT`);
      if (pair === undefined) return [];
      const bars = await read(pair, interval, fromMs, toMs);
      return bars.map(({ timeMs, close }) => ({ timeMs, price: priceText(pair, close) }));
    },
  };
}
