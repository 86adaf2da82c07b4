// The streams of a market: quotations, book, trades and candles of a pair, each whole by itself through the feed.
// Reads what arrives with care and fetches the same over HTTP while the socket is down.
import type {
  Candle,
  CandleInterval,
  Depth,
  DepthDelta,
  MarketTrade,
  Pair,
  Quotation,
} from "@clockwork/domains/markets/api";
import type { SocketMessage } from "@clockwork/kit/wire";
import type { FeedDefinition, FeedUpdate, Snapshot } from "#live/feed-definition.ts";
import { readLatest } from "#live/stream.ts";
import { applyDelta, type DepthBook, emptyBook, matchesChecksum, readBook } from "./depth-book.ts";

export const SPOT_API = "/api/v1/spot";
/** Levels asked for over HTTP; the socket's snapshot brings what the server deems enough. */
const FETCH_LEVELS = 500;
const FETCH_TRADES = 100;
export const TAPE_MAX = 200;
const CANDLES_KEPT = 2;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The data of an answer that says success. */
export async function fetchData(path: string, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(path, signal === undefined ? {} : { signal });
  const body: unknown = await response.json();
  return isRecord(body) && (body.code === 200 || body.code === 0) ? body.data : undefined;
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
export function depthFeed(pair: Pair): DepthFeed {
  const query = `pairCode=${pair.pairCode}&limit=${FETCH_LEVELS}`;
  return {
    topic: { channel: "depth", biz: "spot", pairCode: pair.pairCode },
    initial: emptyBook(),
    read: (message: SocketMessage): FeedUpdate<DepthBook, DepthDelta> => {
      const { sequence, data } = message;
      if (message.resumed === true && sequence !== undefined) return { kind: "level", sequence };
      if (isDelta(data)) return { kind: "delta", first: data.first, last: data.last, delta: data };
      if (!isDepth(data)) return { kind: "none" };
      return { kind: "snapshot", sequence: sequence ?? data.sequence, state: readBook(data, pair) };
    },
    apply: (book, delta) => applyDelta(book, delta, pair),
    verify: (book, delta) => matchesChecksum(book, delta.checksum),
    fetch: async (signal): Promise<Snapshot<DepthBook> | undefined> => {
      const data = await fetchData(`${SPOT_API}/depth?${query}`, signal);
      return isDepth(data) ? { sequence: data.sequence, state: readBook(data, pair) } : undefined;
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

export function tradesFeed(pairCode: string): FeedDefinition<Tape, Tape> {
  return {
    topic: { channel: "trades", biz: "spot", pairCode },
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
      const path = `${SPOT_API}/trades?pairCode=${pairCode}&limit=${FETCH_TRADES}`;
      const trades = readTrades(await fetchData(path, signal))?.toSorted((left, right) => left.id - right.id);
      return trades === undefined ? undefined : { sequence: trades.at(-1)?.id ?? 0, state: trades };
    },
    resumable: true,
    pollMs: 2_000,
  };
}

export function tickerFeed(pairCode: string): FeedDefinition<Quotation | undefined, never> {
  return {
    topic: { channel: "ticker", biz: "spot", pairCode },
    initial: undefined,
    read: readLatest(readQuotation),
    apply: (state) => state,
    fetch: async (signal) => {
      const data = await fetchData(`${SPOT_API}/quotations?pairCode=${pairCode}`, signal);
      const state = readQuotation(data) ?? readQuotations(data)?.find((entry) => entry.pairCode === pairCode);
      return state === undefined ? undefined : { sequence: 0, state };
    },
  };
}

/** Every pair at once, at most once a second: the pair list and the strip of the status bar. */
export const ALL_TICKERS: FeedDefinition<readonly Quotation[], never> = {
  topic: { channel: "ticker", biz: "spot", type: "all" },
  initial: [],
  read: readLatest(readQuotations),
  apply: (state) => state,
  fetch: async (signal) => {
    const state = readQuotations(await fetchData(`${SPOT_API}/quotations`, signal));
    return state === undefined ? undefined : { sequence: 0, state };
  },
};

/** The candle that is being made and the one before it: enough to close one and go on. */
export function candlesFeed(
  pairCode: string,
  interval: CandleInterval,
  timezone: string,
): FeedDefinition<readonly Candle[], never> {
  const path = `${SPOT_API}/candles?pairCode=${pairCode}&interval=${interval}&limit=${CANDLES_KEPT}&timezone=${timezone}`;
  return {
    topic: { channel: "candles", biz: "spot", type: interval, pairCode },
    initial: [],
    read: readLatest(readCandles),
    apply: (state) => state,
    fetch: async (signal) => {
      const state = readCandles(await fetchData(path, signal));
      return state === undefined ? undefined : { sequence: 0, state };
    },
    pollMs: 2_000,
  };
}
