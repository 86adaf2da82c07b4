// Reads bars that have left memory: rows of what happened and blocks of what was generated before. Must answer the same
// whichever of them a bar came from.
import type { OldBars } from "@clockwork/kit/bar-series";
import { BLOCK_BARS, blockStart, unpackBlock } from "@clockwork/kit/candle-block";
import type { Bar } from "@clockwork/kit/candles";
import { MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import { PRICE_SERIES, type PriceSeries } from "./contract-projector.ts";
import type { MarketStore } from "./store.ts";

/** Trades, or one of the series nobody trades in. */
export type SeriesName = "last" | PriceSeries;
const TRADED = 0;

export interface SeriesService {
  of(market: number, name: SeriesName): OldBars;
  /** The newest bars of a span, as memory wants them at a start. */
  readLast(market: number, name: SeriesName, spanMs: number, limit: number): Promise<Bar[]>;
}

export function numberOfSeries(name: SeriesName): number {
  return name === "last" ? TRADED : PRICE_SERIES[name];
}

export function seriesService(store: MarketStore): SeriesService {
  const readBlocks = async (market: number, name: SeriesName, spanMs: number, fromMs: number, toMs: number) => {
    if (spanMs === SECOND_MS) return [];
    const blocks = await store.readBlocks(market, numberOfSeries(name), spanMs, blockStart(fromMs, spanMs), toMs);
    return blocks.flatMap(({ from_ms, bytes }) => unpackBlock(from_ms, spanMs, bytes, fromMs, toMs));
  };
  const readRows = (market: number, name: SeriesName, spanMs: number, fromMs: number, toMs: number): Promise<Bar[]> =>
    name === "last"
      ? store.readBars(market, spanMs, fromMs, toMs)
      : store.readPrices(market, PRICE_SERIES[name], spanMs, fromMs, toMs);
  return {
    of: (market, name) => ({
      async read(spanMs, fromMs, toMs) {
        const rows = await readRows(market, name, spanMs, fromMs, toMs);
        return joinGenerated(await readBlocks(market, name, spanMs, fromMs, toMs), rows);
      },
      async readCloseBefore(spanMs, timeMs) {
        const close =
          name === "last"
            ? await store.readCloseBefore(market, spanMs, timeMs)
            : await store.readPriceBefore(market, PRICE_SERIES[name], spanMs, timeMs);
        if (close !== undefined) return close;
        const fromMs = timeMs - spanMs * BLOCK_BARS;
        return (await readBlocks(market, name, spanMs, fromMs, timeMs - 1)).at(-1)?.close;
      },
    }),
    async readLast(market, name, spanMs, limit) {
      const rows =
        name === "last"
          ? await store.readLastBars(market, spanMs, limit)
          : await store.readLastPrices(market, PRICE_SERIES[name], spanMs, limit);
      if (spanMs < MINUTE_MS || rows.length >= limit) return rows;
      const last = await store.readLastBlockStart(market, numberOfSeries(name), spanMs);
      if (last === undefined) return rows;
      const length = spanMs * BLOCK_BARS;
      const older = await readBlocks(market, name, spanMs, last - length, last + length - 1);
      return joinGenerated(older, rows).slice(-limit);
    },
  };
}

/** Generated bars come first; where both stand, what happened counts: an hour may have begun with generated minutes. */
function joinGenerated(generated: readonly Bar[], rows: readonly Bar[]): Bar[] {
  const firstMs = rows[0]?.timeMs ?? Number.POSITIVE_INFINITY;
  return [...generated.filter(({ timeMs }) => timeMs < firstMs), ...rows];
}
