// Reads bars that have left memory: rows of real trades and blocks of generated history. Must return the same whichever
// of them a bar came from.
import type { OldBars } from "@clockwork/kit/candles/bar-series";
import { BLOCK_BARS, blockStart, unpackBlock } from "@clockwork/kit/candles/candle-block";
import type { Bar } from "@clockwork/kit/candles/candles";
import { MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import { PRICE_SERIES, type PriceSeries } from "./contract-projector.ts";
import type { MarketStore } from "./store.ts";

/** Trades, or one of the series without trades. */
export type SeriesName = "last" | PriceSeries;
const TRADED = 0;

export function numberOfSeries(name: SeriesName): number {
  return name === "last" ? TRADED : PRICE_SERIES[name];
}

export class SeriesService {
  readonly #store: MarketStore;

  constructor(store: MarketStore) {
    this.#store = store;
  }

  of(market: number, name: SeriesName): OldBars {
    return {
      read: async (spanMs, fromMs, toMs) => {
        const rows = await this.#readRows(market, name, spanMs, fromMs, toMs);
        return joinGenerated(await this.#readBlocks(market, name, spanMs, fromMs, toMs), rows);
      },
      readCloseBefore: async (spanMs, timeMs) => {
        const close =
          name === "last"
            ? await this.#store.readCloseBefore(market, spanMs, timeMs)
            : await this.#store.readPriceBefore(market, PRICE_SERIES[name], spanMs, timeMs);
        if (close !== undefined) return close;
        const fromMs = timeMs - spanMs * BLOCK_BARS;
        return (await this.#readBlocks(market, name, spanMs, fromMs, timeMs - 1)).at(-1)?.close;
      },
      readFirstFrom: async (spanMs, timeMs) => {
        const row =
          name === "last"
            ? await this.#store.readFirstFrom(market, spanMs, timeMs)
            : await this.#store.readFirstPrice(market, PRICE_SERIES[name], spanMs, timeMs);
        const generated = await this.#readFirstGenerated(market, name, spanMs, timeMs);
        return generated === undefined ? row : Math.min(generated, row ?? generated);
      },
    };
  }

  /** The newest bars of a span, as loaded into memory at a start. */
  async readLast(market: number, name: SeriesName, spanMs: number, limit: number): Promise<Bar[]> {
    const rows =
      name === "last"
        ? await this.#store.readLastBars(market, spanMs, limit)
        : await this.#store.readLastPrices(market, PRICE_SERIES[name], spanMs, limit);
    if (spanMs < MINUTE_MS || rows.length >= limit) return rows;
    const last = await this.#store.readLastBlockStart(market, numberOfSeries(name), spanMs);
    if (last === undefined) return rows;
    const length = spanMs * BLOCK_BARS;
    const older = await this.#readBlocks(market, name, spanMs, last - length, last + length - 1);
    return joinGenerated(older, rows).slice(-limit);
  }

  async #readFirstGenerated(
    market: number,
    name: SeriesName,
    spanMs: number,
    timeMs: number,
  ): Promise<number | undefined> {
    if (spanMs === SECOND_MS) return undefined;
    const fromMs = blockStart(timeMs, spanMs);
    // The first may end before the time.
    const blocks = await this.#store.readFirstBlocks(market, numberOfSeries(name), spanMs, fromMs, 2);
    for (const { from_ms, bytes } of blocks) {
      const [first] = unpackBlock(from_ms, spanMs, bytes, timeMs, Number.MAX_SAFE_INTEGER);
      if (first !== undefined) return first.timeMs;
    }
    return undefined;
  }

  async #readBlocks(market: number, name: SeriesName, spanMs: number, fromMs: number, toMs: number): Promise<Bar[]> {
    if (spanMs === SECOND_MS) return [];
    const blocks = await this.#store.readBlocks(market, numberOfSeries(name), spanMs, blockStart(fromMs, spanMs), toMs);
    return blocks.flatMap(({ from_ms, bytes }) => unpackBlock(from_ms, spanMs, bytes, fromMs, toMs));
  }

  #readRows(market: number, name: SeriesName, spanMs: number, fromMs: number, toMs: number): Promise<Bar[]> {
    return name === "last"
      ? this.#store.readBars(market, spanMs, fromMs, toMs)
      : this.#store.readPrices(market, PRICE_SERIES[name], spanMs, fromMs, toMs);
  }
}

/** Generated bars come first; where both exist, real trades win: an hour may start with generated minutes. */
function joinGenerated(generated: readonly Bar[], rows: readonly Bar[]): Bar[] {
  const firstMs = rows[0]?.timeMs ?? Number.POSITIVE_INFINITY;
  return [...generated.filter(({ timeMs }) => timeMs < firstMs), ...rows];
}
