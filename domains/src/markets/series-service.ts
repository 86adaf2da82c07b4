// Reads candles of any interval from wherever their bars are: memory for what is recent, tables and generated days for
// what is older. Must answer the same whichever of them a bar came from.
import type { TimezoneName } from "@clockwork/kit/constants";
import { DAY_MS, MINUTE_MS, nextCandleStart } from "@clockwork/kit/time";
import type { CandleInterval } from "./api.ts";
import { type Bar, baseSpanMs, fillBars, groupBars } from "./candle-rules.ts";
import { unpackDay } from "./history-rules.ts";
import type { MarketState } from "./projector.ts";
import type { MarketStore } from "./store.ts";
import { findFirst } from "./ticker-rules.ts";

export interface SeriesService {
  read(
    state: MarketState,
    interval: CandleInterval,
    zone: TimezoneName,
    range: { readonly fromMs: number; readonly toMs: number },
  ): Promise<Bar[]>;
  /** The newest bars of a span, as memory wants them at a start. */
  readLast(market: number, spanMs: number, limit: number): Promise<Bar[]>;
}

export function seriesService(store: MarketStore): SeriesService {
  const readHistory = async (market: number, fromMs: number, toMs: number): Promise<Bar[]> => {
    const days = await store.readHistory(market, fromMs - (fromMs % DAY_MS), toMs);
    return days.flatMap(({ day_ms, bytes }) => unpackDay(day_ms, bytes, fromMs, toMs));
  };
  /** Generated minutes first: trades came after them. */
  const readOld = async (market: number, spanMs: number, fromMs: number, toMs: number): Promise<Bar[]> => {
    const rows = await store.readBars(market, spanMs, fromMs, toMs);
    return spanMs === MINUTE_MS ? [...(await readHistory(market, fromMs, toMs)), ...rows] : rows;
  };
  const readCloseBefore = async (market: number, spanMs: number, timeMs: number): Promise<number | undefined> => {
    const close = await store.readCloseBefore(market, spanMs, timeMs);
    if (close !== undefined || spanMs !== MINUTE_MS) return close;
    return (await readHistory(market, timeMs - DAY_MS, timeMs - 1)).at(-1)?.close;
  };
  return {
    async read(state, interval, zone, { fromMs, toMs }) {
      const spanMs = baseSpanMs(interval);
      const endMs = nextCandleStart(toMs, interval, zone) - 1;
      const recent = state.bars(spanMs);
      const firstMs = recent[0]?.timeMs ?? Number.POSITIVE_INFINITY;
      // What memory holds is newer than any row; the rows before it never change again.
      const old = fromMs < firstMs ? await readOld(state.market, spanMs, fromMs, Math.min(endMs, firstMs - 1)) : [];
      const from = findFirst(recent, fromMs);
      const until = findFirst(recent, endMs + 1);
      const grouped = groupBars([...old, ...recent.slice(from, until)], interval, zone);
      const isFilled = grouped[0]?.timeMs === fromMs;
      const before = isFilled ? undefined : recent[from - 1]?.close;
      const close = isFilled ? undefined : (before ?? (await readCloseBefore(state.market, spanMs, fromMs)));
      return fillBars(grouped, fromMs, toMs, interval, zone, close);
    },
    async readLast(market, spanMs, limit) {
      const rows = await store.readLastBars(market, spanMs, limit);
      if (spanMs !== MINUTE_MS || rows.length >= limit) return rows;
      const untilMs = (rows[0]?.timeMs ?? Number.MAX_SAFE_INTEGER) - 1;
      const last = await store.readLastHistoryDay(market);
      if (last === undefined) return rows;
      const older = await readHistory(market, last - DAY_MS, Math.min(untilMs, last + DAY_MS - 1));
      return [...older.slice(-(limit - rows.length)), ...rows];
    },
  };
}
