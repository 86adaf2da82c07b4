// The streams of a market: quotations, book, trades and candles of an instrument, each complete through the feed. One
// set per product. Validates what arrives and fetches the same over HTTP while the socket is down.

import type { InputOf } from "@clockwork/kit/endpoint";
import type { SocketMessage } from "@clockwork/kit/wire";
import type { FuturesBiz } from "@clockwork/trading/futures/contract";
import {
  type Candle,
  type CandleInterval,
  type CONTRACT_CALLS,
  type Depth,
  type DepthDelta,
  MARKET_CALLS,
  type MarketTrade,
  type Quotation,
} from "@clockwork/trading/markets/contract";
import { askData } from "#live/ask.ts";
import type { FeedDefinition, FeedUpdate, Snapshot } from "#live/feed-definition.ts";
import { readLatest } from "#live/stream.ts";
import { applyDelta, type BookScale, type DepthBook, emptyBook, matchesChecksum, readBook } from "./depth-book.ts";

/** Where a product's market data comes from. */
export interface MarketSource {
  /** In every topic of the product. */
  readonly biz: string;
  readonly api: "spot" | "futures";
  readonly calls: MarketCalls;
  /** Sent with every call, where several products share the address. */
  readonly fields?: { readonly biz: FuturesBiz };
}

type Named = "depth" | "trades" | "quotations" | "candles";
export type MarketCalls = Pick<typeof MARKET_CALLS | typeof CONTRACT_CALLS, Named>;

/** Which price candles are of; a product with one price has only the last. */
export type CandlePrice = "last" | "mark" | "index";

/** Through the page's client: with its headers, to whichever address lives. */
function fetchData<Name extends Named>(
  { api, calls, fields }: MarketSource,
  name: Name,
  input: InputOf<MarketCalls[Name]>,
  signal?: AbortSignal,
) {
  return askData<MarketCalls[Name]>(calls[name], { ...fields, ...input }, { api, signal });
}

export interface BookInstrument extends BookScale {
  readonly pairCode: string;
}

/** Levels requested over HTTP; the server decides the size of the socket's snapshot. */
const FETCH_LEVELS = 500;
const FETCH_TRADES = 100;
export const TAPE_MAX = 200;
const CANDLES_KEPT = 2;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readQuotation(data: unknown): Quotation | undefined {
  if (!isRecord(data) || typeof data.pairCode !== "string" || typeof data.last !== "string") return undefined;
  return data as Quotation;
}

export function readQuotations(data: unknown): readonly Quotation[] | undefined {
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((entry: unknown) => readQuotation(entry) ?? []);
}

function isDepth(data: unknown): data is Depth {
  return isRecord(data) && Array.isArray(data.bids) && Array.isArray(data.asks) && typeof data.checksum === "number";
}

function isDelta(data: unknown): data is DepthDelta {
  return isDepth(data) && "first" in data && "last" in data && typeof data.first === "number";
}

export function readTrades(data: unknown): readonly MarketTrade[] | undefined {
  if (!Array.isArray(data)) return undefined;
  return data.filter(
    (trade: unknown): trade is MarketTrade =>
      isRecord(trade) && typeof trade.id === "number" && typeof trade.price === "string",
  );
}

export function readCandles(data: unknown): readonly Candle[] | undefined {
  if (!Array.isArray(data)) return undefined;
  return data.filter(
    (candle: unknown): candle is Candle =>
      isRecord(candle) && typeof candle.timeMs === "number" && typeof candle.close === "string",
  );
}

export type DepthFeed = FeedDefinition<DepthBook, DepthDelta>;

/** NET-6: numbered by book sequence, checked by checksum; a gap or a wrong sum is healed by a fresh snapshot. */
function depthFeed(source: MarketSource, instrument: BookInstrument): DepthFeed {
  const { biz } = source;
  const { pairCode } = instrument;
  return {
    topic: { channel: "depth", biz, pairCode },
    initial: emptyBook(),
    read: (message: SocketMessage): FeedUpdate<DepthBook, DepthDelta> => {
      const { sequence, data } = message;
      if (message.resumed === true && sequence !== undefined) return { kind: "level", sequence };
      if (isDelta(data)) return { kind: "delta", first: data.first, last: data.last, delta: data };
      if (!isDepth(data)) return { kind: "none" };
      return { kind: "snapshot", sequence: sequence ?? data.sequence, state: readBook(data, instrument) };
    },
    apply: (book, delta) => applyDelta(book, delta, instrument),
    verify: (book, delta) => matchesChecksum(book, delta.checksum),
    fetch: async (signal): Promise<Snapshot<DepthBook> | undefined> => {
      const data = await fetchData(source, "depth", { pairCode, limit: FETCH_LEVELS }, signal);
      return isDepth(data) ? { sequence: data.sequence, state: readBook(data, instrument) } : undefined;
    },
    pollMs: 2_000,
  };
}

/** Oldest first; the newest are at the end. */
export type Tape = readonly MarketTrade[];

function joinTape(tape: Tape, trades: readonly MarketTrade[]): Tape {
  const last = tape.at(-1)?.id ?? -1;
  const fresh = trades.filter((trade) => trade.id > last);
  return fresh.length === 0 ? tape : [...tape, ...fresh].slice(-TAPE_MAX);
}

function tradesFeed(source: MarketSource, pairCode: string): FeedDefinition<Tape, Tape> {
  const { biz } = source;
  return {
    topic: { channel: "trades", biz, pairCode },
    initial: [],
    read: (message): FeedUpdate<Tape, Tape> => {
      const { sequence } = message;
      if (message.resumed === true && sequence !== undefined) return { kind: "level", sequence };
      const trades = readTrades(message.data);
      if (trades === undefined) return { kind: "none" };
      const last = trades.at(-1)?.id ?? sequence ?? 0;
      if (message.snapshot === true) return { kind: "snapshot", sequence: last, state: trades.slice(-TAPE_MAX) };
      const first = trades[0]?.id;
      return first === undefined ? { kind: "none" } : { kind: "delta", first, last, delta: trades };
    },
    apply: joinTape,
    fetch: async (signal) => {
      const data = await fetchData(source, "trades", { pairCode, limit: FETCH_TRADES }, signal);
      const trades = readTrades(data)?.toSorted((left, right) => left.id - right.id);
      return trades === undefined ? undefined : { sequence: trades.at(-1)?.id ?? 0, state: trades };
    },
    resumable: true,
    pollMs: 2_000,
  };
}

function tickerFeed(source: MarketSource, pairCode: string): FeedDefinition<Quotation | undefined, never> {
  const { biz } = source;
  return {
    topic: { channel: "ticker", biz, pairCode },
    initial: undefined,
    read: readLatest(readQuotation),
    apply: (state) => state,
    fetch: async (signal) => {
      const data = await fetchData(source, "quotations", { pairCode }, signal);
      const state = readQuotation(data) ?? readQuotations(data)?.find((entry) => entry.pairCode === pairCode);
      return state === undefined ? undefined : { sequence: 0, state };
    },
  };
}

function allTickersFeed(source: MarketSource): FeedDefinition<readonly Quotation[], never> {
  const { biz } = source;
  return {
    topic: { channel: "ticker", biz, type: "all" },
    initial: [],
    read: readLatest(readQuotations),
    apply: (state) => state,
    fetch: async (signal) => {
      const state = readQuotations(await fetchData(source, "quotations", {}, signal));
      return state === undefined ? undefined : { sequence: 0, state };
    },
  };
}

export interface CandleQuery {
  readonly pairCode: string;
  readonly interval: CandleInterval;
  readonly timezone: string;
  readonly limit: number;
  /** Up to and including this time; the newest without it. */
  readonly toMs?: number;
  readonly price?: CandlePrice;
}

async function fetchCandles(source: MarketSource, query: CandleQuery, signal?: AbortSignal) {
  const { toMs, price, ...rest } = query;
  const fields = { ...rest, to: toMs, kind: price === "last" ? undefined : price };
  return readCandles(await fetchData(source, "candles", fields, signal));
}

/** The open candle and the one before it: enough to close one and continue. */
function candlesFeed(
  source: MarketSource,
  pairCode: string,
  interval: CandleInterval,
  timezone: string,
  price: CandlePrice,
): FeedDefinition<readonly Candle[], never> {
  return {
    topic: {
      channel: "candles",
      biz: source.biz,
      type: price === "last" ? interval : `${price}:${interval}`,
      pairCode,
    },
    initial: [],
    read: readLatest(readCandles),
    apply: (state) => state,
    fetch: async (signal) => {
      const state = await fetchCandles(source, { pairCode, interval, timezone, limit: CANDLES_KEPT, price }, signal);
      return state === undefined ? undefined : { sequence: 0, state };
    },
    pollMs: 2_000,
  };
}

/** The market data of a product's screens. */
export interface MarketData {
  readonly depth: (instrument: BookInstrument) => DepthFeed;
  readonly trades: (pairCode: string) => FeedDefinition<Tape, Tape>;
  readonly ticker: (pairCode: string) => FeedDefinition<Quotation | undefined, never>;
  /** Every instrument at once, at most once a second: the lists and the strip of the status bar. */
  readonly allTickers: FeedDefinition<readonly Quotation[], never>;
  readonly candles: (
    pairCode: string,
    interval: CandleInterval,
    timezone: string,
    price?: CandlePrice,
  ) => FeedDefinition<readonly Candle[], never>;
  readonly fetchCandles: (query: CandleQuery, signal?: AbortSignal) => Promise<readonly Candle[] | undefined>;
}

export function createMarketData(source: MarketSource): MarketData {
  return {
    depth: (instrument) => depthFeed(source, instrument),
    trades: (pairCode) => tradesFeed(source, pairCode),
    ticker: (pairCode) => tickerFeed(source, pairCode),
    allTickers: allTickersFeed(source),
    candles: (pairCode, interval, timezone, price = "last") => candlesFeed(source, pairCode, interval, timezone, price),
    fetchCandles: (query, signal) => fetchCandles(source, query, signal),
  };
}

export const SPOT_MARKET = createMarketData({ biz: "spot", api: "spot", calls: MARKET_CALLS });
