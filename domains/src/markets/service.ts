// Use cases of market data: what is listed, what stands in the books, what traded. Reads; the only thing it changes is
// a user's list of favourites.

import { readCandles, recentCandles } from "@clockwork/kit/bar-series";
import { type Bar, chooseRange } from "@clockwork/kit/candles";
import type { TimezoneName } from "@clockwork/kit/constants";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS, MINUTE_MS, readTimezone } from "@clockwork/kit/time";
import type {
  Candle,
  CandleInterval,
  Depth,
  Favourites,
  MarketTrade,
  Pair,
  Partition,
  Quotation,
  Rankings,
  Sparkline,
} from "./api.ts";
import type { MarketNeeds, MarketPair } from "./needs.ts";
import type { MarketProjector, MarketState } from "./projector.ts";
import { curve, dayStats, describePair, quote, rank } from "./rules.ts";
import type { SeriesService } from "./series-service.ts";
import type { MarketStore, TradeRow } from "./store.ts";

export type MarketRefusal = "UNKNOWN_PAIR";

export interface CandleRequest {
  readonly pairCode: string;
  readonly interval: CandleInterval;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly timezone?: string;
}

export interface MarketService {
  listPairs(): Pair[];
  readDepth(pairCode: string, levels: number): Result<Depth, MarketRefusal>;
  readTrades(pairCode: string, limit: number): Result<MarketTrade[], MarketRefusal>;
  readCandles(request: CandleRequest, nowMs: number): Promise<Result<Candle[], MarketRefusal>>;
  /** The candle of now and the one before it, from memory. */
  readLastCandles(pair: MarketPair, interval: CandleInterval, nowMs: number): Candle[];
  readQuotation(pair: MarketPair, nowMs: number): Quotation | undefined;
  listQuotations(nowMs: number): Quotation[];
  listSparklines(nowMs: number, days?: number): Sparkline[];
  listPartitions(): Partition[];
  readRankings(nowMs: number): Rankings;
  readFavourites(userId: number): Promise<Favourites>;
  writeFavourites(userId: number, pairCodes: readonly string[]): Promise<Result<Favourites, MarketRefusal>>;
}

export interface MarketServiceParts {
  readonly needs: MarketNeeds;
  readonly projector: MarketProjector;
  readonly series: SeriesService;
  readonly store: MarketStore;
}

const UNKNOWN = refused("UNKNOWN_PAIR" as const);

export function marketService(parts: MarketServiceParts): MarketService {
  const { needs, projector } = parts;
  const find = (pairCode: string): { pair: MarketPair; state: MarketState } | undefined => {
    const pair = needs.findPair(pairCode);
    const state = pair === undefined ? undefined : projector.states.get(pair.market);
    return pair === undefined || state === undefined ? undefined : { pair, state };
  };
  return {
    listPairs: () => needs.listPairs().map(describePair),
    readDepth(pairCode, levels) {
      const found = find(pairCode);
      return found === undefined ? UNKNOWN : done(describeDepth(found.pair, found.state, levels));
    },
    readTrades(pairCode, limit) {
      const found = find(pairCode);
      if (found === undefined) return UNKNOWN;
      return done(found.state.trades.slice(-limit).map((trade) => describeTrade(found.pair, trade)));
    },
    ...candleUse(parts, find),
    ...tickerUse(parts),
    async readFavourites(userId) {
      const pairCodes = await parts.store.readFavourites(userId);
      return { pairCodes: pairCodes.filter((pairCode) => needs.findPair(pairCode) !== undefined) };
    },
    async writeFavourites(userId, pairCodes) {
      const unique = [...new Set(pairCodes)];
      if (unique.some((pairCode) => needs.findPair(pairCode) === undefined)) return UNKNOWN;
      await parts.store.writeFavourites(userId, unique);
      return done({ pairCodes: unique });
    },
  };
}

function candleUse(
  { series }: MarketServiceParts,
  find: (pairCode: string) => { pair: MarketPair; state: MarketState } | undefined,
): Pick<MarketService, "readCandles"> & Pick<MarketService, "readLastCandles"> {
  return {
    async readCandles(request, nowMs) {
      const found = find(request.pairCode);
      if (found === undefined) return UNKNOWN;
      const { pair, state } = found;
      const zone = readTimezone(request.timezone);
      const range = chooseRange(request, request.interval, zone, nowMs);
      if (range === undefined) return done([]);
      const bars = await readCandles(state.series, series.of(state.market, "last"), request.interval, zone, range);
      return done(bars.map((bar) => describeBar(pair, bar)));
    },
    readLastCandles(pair, interval, nowMs) {
      const state = find(pair.pairCode)?.state;
      return state === undefined ? [] : lastBars(state, interval, nowMs).map((bar) => describeBar(pair, bar));
    },
  };
}

function tickerUse({ needs, projector }: MarketServiceParts) {
  const readQuotation = (pair: MarketPair, nowMs: number): Quotation | undefined => {
    const state = projector.states.get(pair.market);
    const stats = state === undefined ? undefined : dayStats(state.bars(60_000), nowMs);
    if (state === undefined || stats === undefined) return undefined;
    const { bids, asks, timeMs } = state.book;
    const band = state.readAverage(nowMs) ?? pair.anchorTicks;
    const best = { bid: bids.bestTicks, ask: asks.bestTicks, band };
    return quote(pair, stats, best, Math.max(timeMs, state.trades.at(-1)?.time_ms ?? 0));
  };
  return {
    readQuotation,
    listQuotations: (nowMs: number) => needs.listPairs().flatMap((pair) => readQuotation(pair, nowMs) ?? []),
    listSparklines: (nowMs: number, days: number = 1) =>
      needs.listPairs().map((pair) => {
        const bars = projector.states.get(pair.market)?.bars(days === 1 ? MINUTE_MS : HOUR_MS) ?? [];
        return {
          pairCode: pair.pairCode,
          points: curve(bars, nowMs, days * DAY_MS).map((price) => priceText(pair, price)),
        };
      }),
    listPartitions(): Partition[] {
      const pairs = needs.listPairs();
      const quotes = [...new Set(pairs.map((pair) => pair.quote.symbol))];
      const groups = [
        ...quotes.map((symbol) => ({
          key: symbol.toLowerCase(),
          name: symbol,
          pairCodes: pairs.filter((pair) => pair.quote.symbol === symbol).map(({ pairCode }) => pairCode),
        })),
        ...needs.partitions.map(({ key, name }) => ({
          key,
          name,
          pairCodes: pairs.filter((pair) => pair.partitions.includes(key)).map(({ pairCode }) => pairCode),
        })),
      ];
      return groups.filter(({ pairCodes }) => pairCodes.length > 0);
    },
    readRankings(nowMs: number): Rankings {
      const rows = needs.listPairs().flatMap((pair, place) => {
        const stats = dayStats(projector.states.get(pair.market)?.bars(60_000) ?? [], nowMs);
        if (stats === undefined) return [];
        const change = stats.open === 0 ? 0 : (stats.last - stats.open) / stats.open;
        const worthUnits = needs.worthUnits(pair.quote.asset, stats.quoteUnits) ?? -1n;
        return [{ pairCode: pair.pairCode, change, worthUnits, listedAtMs: pair.listedAtMs, place }];
      });
      return rank(rows);
    },
  };
}

export function describeDepth(pair: MarketPair, state: MarketState, levels: number): Depth {
  const { book } = state;
  const copy = (side: typeof book.bids): string[][] => side.top(levels).map((level) => [...level]);
  return {
    pairCode: pair.pairCode,
    sequence: book.sequence,
    bids: copy(book.bids),
    asks: copy(book.asks),
    checksum: book.checksum(),
    timeMs: book.timeMs,
  };
}

export function describeTrade(pair: MarketPair, trade: TradeRow): MarketTrade {
  return {
    id: trade.number,
    price: priceText(pair, trade.price),
    quantity: quantityText(pair, trade.lots),
    side: trade.is_sell ? "sell" : "buy",
    timeMs: trade.time_ms,
  };
}

export function describeBar(pair: MarketPair, bar: Bar): Candle {
  return {
    timeMs: bar.timeMs,
    open: priceText(pair, bar.open),
    high: priceText(pair, bar.high),
    low: priceText(pair, bar.low),
    close: priceText(pair, bar.close),
    volume: quantityText(pair, bar.lots),
    turnover: valueText(pair, bar.quoteUnits),
    trades: bar.trades,
    isGenerated: bar.isGenerated,
  };
}

/** Memory reaches back far enough for two candles of every interval. */
function lastBars(state: MarketState, interval: CandleInterval, nowMs: number, zone: TimezoneName = "UTC0"): Bar[] {
  const range = chooseRange({ limit: 2 }, interval, zone, nowMs);
  return range === undefined ? [] : recentCandles(state.series, interval, zone, range);
}
