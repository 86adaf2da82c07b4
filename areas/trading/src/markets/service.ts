// Use cases of market data: listings, books, trades. Read-only, except for a user's list of favourites.

import { reachFirst, readCandles, recentCandles } from "@clockwork/kit/candles/bar-series";
import { type Bar, chooseRange } from "@clockwork/kit/candles/candles";
import type { TimezoneName } from "@clockwork/kit/constants";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { readTimezone } from "@clockwork/kit/timezone";
import type {
  AggregateTrade,
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
} from "./contract.ts";
import type { MarketNeeds, MarketPair } from "./pair.ts";
import type { MarketProjector, MarketState } from "./projector.ts";
import type { MarketRefusal } from "./refusals.ts";
import { curve, dayStats, describePair, quote, rank } from "./rules.ts";
import type { SeriesService } from "./series-service.ts";
import type { MarketStore, TradeRow } from "./store.ts";

export interface CandleRequest {
  readonly pairCode: string;
  readonly interval: CandleInterval;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly timezone?: string;
}

export interface MarketServiceParts {
  readonly needs: MarketNeeds;
  readonly projector: MarketProjector;
  readonly series: SeriesService;
  readonly store: MarketStore;
}

const UNKNOWN = refused("UNKNOWN_PAIR" as const);

export class MarketService {
  readonly #needs: MarketNeeds;
  readonly #projector: MarketProjector;
  readonly #series: SeriesService;
  readonly #store: MarketStore;

  constructor({ needs, projector, series, store }: MarketServiceParts) {
    this.#needs = needs;
    this.#projector = projector;
    this.#series = series;
    this.#store = store;
  }

  listPairs(): Pair[] {
    return this.#needs.listPairs().map(describePair);
  }

  readDepth(pairCode: string, levels: number): Result<Depth, MarketRefusal> {
    const found = this.#find(pairCode);
    return found === undefined ? UNKNOWN : done(describeDepth(found.pair, found.state, levels));
  }

  async readCandles(request: CandleRequest, nowMs: number): Promise<Result<Candle[], MarketRefusal>> {
    const found = this.#find(request.pairCode);
    if (found === undefined) return UNKNOWN;
    const { pair, state } = found;
    const zone = readTimezone(request.timezone);
    const older = this.#series.of(state.market, "last");
    const reached = await reachFirst(request, state.series, older, request.interval, zone);
    const range = chooseRange(reached, request.interval, zone, nowMs);
    if (range === undefined) return done([]);
    const bars = await readCandles(state.series, older, request.interval, zone, range);
    return done(bars.map((bar) => describeBar(pair, bar)));
  }

  /** The candle of now and the one before it, from memory. */
  readLastCandles(pair: MarketPair, interval: CandleInterval, nowMs: number): Candle[] {
    const state = this.#find(pair.pairCode)?.state;
    return state === undefined ? [] : lastBars(state, interval, nowMs).map((bar) => describeBar(pair, bar));
  }

  readQuotation(pair: MarketPair, nowMs: number): Quotation | undefined {
    const state = this.#projector.states.get(pair.market);
    const stats = state === undefined ? undefined : dayStats(state.bars(60_000), nowMs);
    if (state === undefined || stats === undefined) return undefined;
    const { bids, asks, timeMs } = state.book;
    const band = state.readAverage(nowMs) ?? pair.anchorTicks;
    const best = { bid: bids.bestTicks, ask: asks.bestTicks, band };
    return quote(pair, stats, best, Math.max(timeMs, state.trades.at(-1)?.time_ms ?? 0));
  }

  listQuotations(nowMs: number): Quotation[] {
    return this.#needs.listPairs().flatMap((pair) => this.readQuotation(pair, nowMs) ?? []);
  }

  listSparklines(nowMs: number, days: number = 1): Sparkline[] {
    return this.#needs.listPairs().map((pair) => {
      const bars = this.#projector.states.get(pair.market)?.bars(days === 1 ? MINUTE_MS : HOUR_MS) ?? [];
      return {
        pairCode: pair.pairCode,
        points: curve(bars, nowMs, days * DAY_MS).map((price) => priceText(pair, price)),
      };
    });
  }

  listPartitions(): Partition[] {
    const pairs = this.#needs.listPairs();
    const quotes = [...new Set(pairs.map((pair) => pair.quote.symbol))];
    const groups = [
      ...quotes.map((symbol) => ({
        key: symbol.toLowerCase(),
        name: symbol,
        pairCodes: pairs.filter((pair) => pair.quote.symbol === symbol).map(({ pairCode }) => pairCode),
      })),
      ...this.#needs.partitions.map(({ key, name }) => ({
        key,
        name,
        pairCodes: pairs.filter((pair) => pair.partitions.includes(key)).map(({ pairCode }) => pairCode),
      })),
    ];
    return groups.filter(({ pairCodes }) => pairCodes.length > 0);
  }

  readRankings(nowMs: number): Rankings {
    const rows = this.#needs.listPairs().flatMap((pair, place) => {
      const stats = dayStats(this.#projector.states.get(pair.market)?.bars(60_000) ?? [], nowMs);
      if (stats === undefined) return [];
      const change = stats.open === 0 ? 0 : (stats.last - stats.open) / stats.open;
      const worthUnits = this.#needs.worthUnits(pair.quote.asset, stats.quoteUnits) ?? -1n;
      return [{ pairCode: pair.pairCode, change, worthUnits, listedAtMs: pair.listedAtMs, place }];
    });
    return rank(rows);
  }

  async readFavourites(userId: number): Promise<Favourites> {
    const pairCodes = await this.#store.readFavourites(userId);
    return { pairCodes: pairCodes.filter((pairCode) => this.#needs.findPair(pairCode) !== undefined) };
  }

  async writeFavourites(userId: number, pairCodes: readonly string[]): Promise<Result<Favourites, MarketRefusal>> {
    const unique = [...new Set(pairCodes)];
    if (unique.some((pairCode) => this.#needs.findPair(pairCode) === undefined)) return UNKNOWN;
    await this.#store.writeFavourites(userId, unique);
    return done({ pairCodes: unique });
  }

  #find(pairCode: string): { readonly pair: MarketPair; readonly state: MarketState } | undefined {
    const pair = this.#needs.findPair(pairCode);
    const state = pair === undefined ? undefined : this.#projector.states.get(pair.market);
    return pair === undefined || state === undefined ? undefined : { pair, state };
  }
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
    aggregate: trade.aggregate,
  };
}

/** The trades of one aggregate. */
export function describeAggregate(pair: MarketPair, trades: readonly TradeRow[]): AggregateTrade {
  const [first, last] = [trades[0], trades.at(-1)];
  if (first === undefined || last === undefined) throw new Error("BOT-1: an aggregate without trades");
  const lots = trades.reduce((sum, trade) => sum + trade.lots, 0);
  const { id: firstId, aggregate: id, ...rest } = describeTrade(pair, { ...first, lots });
  return { ...rest, id, firstId, lastId: last.number };
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
    boughtVolume: quantityText(pair, bar.boughtLots),
    boughtTurnover: valueText(pair, bar.boughtUnits),
    trades: bar.trades,
    isGenerated: bar.isGenerated,
  };
}

/** Memory reaches back far enough for two candles of every interval. */
function lastBars(state: MarketState, interval: CandleInterval, nowMs: number, zone: TimezoneName = "UTC0"): Bar[] {
  const range = chooseRange({ limit: 2 }, interval, zone, nowMs);
  return range === undefined ? [] : recentCandles(state.series, interval, zone, range);
}
