// Publishes the market to open pages: books and trades as numbered streams, tickers and candles as latest values. Built
// only while there are subscribers, encoded once, and at most twenty times a second per pair.

import type { Channel, Live } from "@clockwork/host/channel";
import { every, later } from "@clockwork/host/time/background";
import type { SocketTopic } from "@clockwork/kit/wire";
import {
  CANDLE_INTERVALS,
  CANDLES_CHANNEL,
  type CandleInterval,
  DEPTH_CHANNEL,
  type DepthDelta,
  TICKER_CHANNEL,
  TRADES_CHANNEL,
} from "../markets/contract.ts";
import type { ContractService } from "../markets/contract-service.ts";
import type { MarketBiz, MarketPair } from "../markets/pair.ts";
import type { MarketState } from "../markets/projector.ts";
import type { SeriesName } from "../markets/series-service.ts";
import { describeDepth, describeTrade, type MarketService } from "../markets/service.ts";
import type { MarketData } from "./data.ts";

const SPOT = "spot";
/** Products whose books are published; a demo page reads those of the real contracts. */
const BIZS: readonly MarketBiz[] = [SPOT, "futures", "delivery"];
/** Twenty a second. */
const BOOK_MS = 50;
const PAIR_MS = 250;
const ALL_MS = 1_000;
/** A reader that lost its connection may resume within this time. */
const RETAIN_MS = 30_000;
const SNAPSHOT_LEVELS = 500;
const SNAPSHOT_TRADES = 50;
/** Pairs on the app's first screen. */
const INDEX_PAIRS = 6;
const TICKER_TYPES = ["all", "rise", "index"] as const;

interface Stream {
  /** Levels that changed since the last update, per side. */
  readonly bids: Set<number>;
  readonly asks: Set<number>;
  bookSequence: number;
  tradeNumber: number;
  isDepthOpen: boolean;
  isTradesOpen: boolean;
  publishedAtMs: number;
}

export interface MarketChannelParts {
  readonly data: MarketData;
  readonly service: MarketService;
  readonly contracts: ContractService;
  readonly live: Pick<Live, "publish">;
  readonly clock: () => number;
}

export class MarketChannels {
  readonly channels: readonly Channel[];
  readonly #parts: MarketChannelParts;
  readonly #streams = new Map<number, Stream>();
  readonly #waiting = new Set<number>();
  readonly #latest = new Map<string, SocketTopic>();
  readonly #moved = new Set<string>();
  #bookTimer: NodeJS.Timeout | undefined;
  #pairTimer: NodeJS.Timeout | undefined;
  #allTimer: NodeJS.Timeout | undefined;

  constructor(parts: MarketChannelParts) {
    this.#parts = parts;
    const { data } = parts;
    data.onChanged = (markets) => this.#change(markets);
    data.projector.onLevel = (market, isSell, price) => {
      const stream = this.#streams.get(market);
      if (stream?.isDepthOpen === true) (isSell ? stream.asks : stream.bids).add(price);
    };
    this.channels = [this.#depthChannel(), this.#tradesChannel(), this.#tickerChannel(), this.#candlesChannel()];
  }

  close(): void {
    clearTimeout(this.#bookTimer);
    clearInterval(this.#pairTimer);
    clearInterval(this.#allTimer);
  }

  #find(topic: SocketTopic): { pair: MarketPair; state: MarketState } | undefined {
    const biz = BIZS.find((one) => one === topic.biz);
    if (biz === undefined || topic.pairCode === undefined) return undefined;
    const pair = this.#parts.data.pairs.findListed(biz, topic.pairCode);
    const state = pair === undefined ? undefined : this.#parts.data.projector.states.get(pair.market);
    return pair === undefined || state === undefined ? undefined : { pair, state };
  }

  #stream(state: MarketState): Stream {
    let stream = this.#streams.get(state.market);
    if (stream === undefined) {
      stream = {
        bids: new Set(),
        asks: new Set(),
        bookSequence: state.book.sequence,
        tradeNumber: state.lastNumber,
        isDepthOpen: false,
        isTradesOpen: false,
        publishedAtMs: 0,
      };
      this.#streams.set(state.market, stream);
    }
    return stream;
  }

  #depthChannel(): Channel {
    return {
      channel: DEPTH_CHANNEL,
      kind: "sequenced",
      retainMs: RETAIN_MS,
      serves: (topic) => topic.type === undefined && this.#find(topic) !== undefined,
      snapshot: (topic) => {
        const { pair, state } = this.#need(topic);
        // The next update starts after the snapshot.
        this.#publishBook(pair, state, this.#stream(state));
        return { data: describeDepth(pair, state, SNAPSHOT_LEVELS), sequence: state.book.sequence };
      },
      opened: (topic) => {
        const { state } = this.#need(topic);
        const stream = this.#stream(state);
        // A book without earlier readers starts here; a kept one continues.
        if (!stream.isDepthOpen) stream.bookSequence = state.book.sequence;
        stream.isDepthOpen = true;
      },
    };
  }

  #tradesChannel(): Channel {
    return {
      channel: TRADES_CHANNEL,
      kind: "sequenced",
      retainMs: RETAIN_MS,
      serves: (topic) => topic.type === undefined && this.#find(topic) !== undefined,
      snapshot: (topic) => {
        const { pair, state } = this.#need(topic);
        this.#publishTrades(pair, state, this.#stream(state));
        const data = state.trades.slice(-SNAPSHOT_TRADES).map((trade) => describeTrade(pair, trade));
        return { data, sequence: state.lastNumber };
      },
      opened: (topic) => {
        const { state } = this.#need(topic);
        const stream = this.#stream(state);
        if (!stream.isTradesOpen) stream.tradeNumber = state.lastNumber;
        stream.isTradesOpen = true;
      },
    };
  }

  #tickerChannel(): Channel {
    return {
      channel: TICKER_CHANNEL,
      kind: "latest",
      serves: (topic) => {
        if (topic.pairCode !== undefined) return topic.type === undefined && this.#find(topic) !== undefined;
        if (topic.biz !== SPOT) return topic.type === "all" && BIZS.some((biz) => biz === topic.biz);
        return TICKER_TYPES.some((type) => type === topic.type);
      },
      snapshot: (topic) => ({ data: this.#readLatest(topic) }),
      opened: (topic) => this.#openLatest(topic),
      closed: (topic) => this.#closeLatest(topic),
    };
  }

  #candlesChannel(): Channel {
    return {
      channel: CANDLES_CHANNEL,
      kind: "latest",
      serves: (topic) => readSeries(topic) !== undefined && this.#find(topic) !== undefined,
      snapshot: (topic) => ({ data: this.#readLatest(topic) }),
      opened: (topic) => this.#openLatest(topic),
      closed: (topic) => this.#closeLatest(topic),
    };
  }

  #need(topic: SocketTopic): { pair: MarketPair; state: MarketState } {
    const found = this.#find(topic);
    if (found === undefined) throw new Error(`NET-6: ${topic.pairCode} is not listed`);
    return found;
  }

  #readLatest(topic: SocketTopic): unknown {
    const { service, clock } = this.#parts;
    const nowMs = clock();
    const { biz } = topic;
    if (biz === "futures" || biz === "delivery") return this.#readContract(biz, topic, nowMs);
    if (topic.channel === CANDLES_CHANNEL) {
      const interval = readSeries(topic)?.interval ?? "1m";
      return service.readLastCandles(this.#need(topic).pair, interval, nowMs);
    }
    if (topic.pairCode !== undefined) return service.readQuotation(this.#need(topic).pair, nowMs) ?? null;
    if (topic.type === "rise") return service.readRankings(nowMs);
    const all = service.listQuotations(nowMs);
    return topic.type === "index" ? all.slice(0, INDEX_PAIRS) : all;
  }

  #readContract(biz: "futures" | "delivery", topic: SocketTopic, nowMs: number): unknown {
    const { contracts } = this.#parts;
    const { pairCode } = topic;
    if (pairCode === undefined) return contracts.listQuotations(biz, nowMs);
    const { kind, interval } = readSeries(topic) ?? { kind: "last", interval: "1m" };
    const read =
      topic.channel === CANDLES_CHANNEL
        ? contracts.readLastCandles(biz, pairCode, kind, interval, nowMs)
        : contracts.readQuotation(biz, pairCode, nowMs);
    return read.done ? read.value : null;
  }

  #openLatest(topic: SocketTopic): void {
    this.#latest.set(keyOf(topic), topic);
    if (topic.pairCode === undefined) this.#allTimer ??= every("market.channels", () => this.#publishAll(), ALL_MS);
    else this.#pairTimer ??= every("market.channels", () => this.#publishPairs(), PAIR_MS);
    this.#allTimer?.unref();
    this.#pairTimer?.unref();
  }

  #closeLatest(topic: SocketTopic): void {
    this.#latest.delete(keyOf(topic));
    const rest = [...this.#latest.values()];
    if (!rest.some(({ pairCode }) => pairCode === undefined)) {
      clearInterval(this.#allTimer);
      this.#allTimer = undefined;
    }
    if (!rest.some(({ pairCode }) => pairCode !== undefined)) {
      clearInterval(this.#pairTimer);
      this.#pairTimer = undefined;
    }
  }

  #publishAll(): void {
    for (const topic of this.#latest.values()) {
      if (topic.pairCode === undefined) this.#parts.live.publish(topic, this.#readLatest(topic));
    }
  }

  /** Pairs that moved; a candle also starts when its time comes. */
  #publishPairs(): void {
    const isNewSecond = this.#parts.clock() % 1_000 < PAIR_MS;
    for (const topic of this.#latest.values()) {
      if (topic.pairCode === undefined) continue;
      const hasMoved = this.#moved.has(`${topic.biz}:${topic.pairCode}`);
      if (hasMoved || (isNewSecond && topic.channel === CANDLES_CHANNEL)) {
        this.#parts.live.publish(topic, this.#readLatest(topic));
      }
    }
    this.#moved.clear();
  }

  /** At once when the pair was quiet, else at its next turn. */
  #change(markets: ReadonlySet<number>): void {
    const nowMs = this.#parts.clock();
    for (const market of markets) {
      const pair = this.#parts.data.pairs.findMarket(market);
      if (pair === undefined) continue;
      if (this.#pairTimer !== undefined) this.#moved.add(`${pair.biz}:${pair.pairCode}`);
      const stream = this.#streams.get(market);
      if (stream === undefined) continue;
      if (nowMs - stream.publishedAtMs >= BOOK_MS) this.#publish(market, nowMs);
      else this.#waiting.add(market);
    }
    if (this.#waiting.size > 0) this.#bookTimer ??= later("market.channels", () => this.#publishWaiting(), BOOK_MS);
  }

  #publishWaiting(): void {
    this.#bookTimer = undefined;
    const nowMs = this.#parts.clock();
    for (const market of this.#waiting) this.#publish(market, nowMs);
    this.#waiting.clear();
  }

  #publish(market: number, nowMs: number): void {
    const pair = this.#parts.data.pairs.findMarket(market);
    const state = this.#parts.data.projector.states.get(market);
    const stream = this.#streams.get(market);
    if (pair === undefined || state === undefined || stream === undefined) return;
    stream.publishedAtMs = nowMs;
    this.#publishBook(pair, state, stream);
    this.#publishTrades(pair, state, stream);
  }

  #publishBook(pair: MarketPair, state: MarketState, stream: Stream): void {
    const { book } = state;
    if (!stream.isDepthOpen || book.sequence <= stream.bookSequence) return;
    const first = stream.bookSequence + 1;
    const copy = (side: typeof book.bids, prices: Set<number>): string[][] =>
      [...prices].map((price) => [...side.textOf(pair, price)]);
    const data: DepthDelta = {
      first,
      last: book.sequence,
      bids: copy(book.bids, stream.bids),
      asks: copy(book.asks, stream.asks),
      checksum: book.checksum(),
      timeMs: book.timeMs,
    };
    stream.bids.clear();
    stream.asks.clear();
    stream.bookSequence = book.sequence;
    const topic = { channel: DEPTH_CHANNEL, biz: pair.biz, pairCode: pair.pairCode };
    this.#parts.live.publish(topic, data, { firstSequence: first, sequence: book.sequence });
  }

  #publishTrades(pair: MarketPair, state: MarketState, stream: Stream): void {
    if (!stream.isTradesOpen || state.lastNumber <= stream.tradeNumber) return;
    const fresh = state.trades.slice(-(state.lastNumber - stream.tradeNumber));
    // After a flood memory may not reach back to the last update; the numbers then show the gap.
    const firstSequence = fresh[0]?.number ?? state.lastNumber;
    stream.tradeNumber = state.lastNumber;
    const topic = { channel: TRADES_CHANNEL, biz: pair.biz, pairCode: pair.pairCode };
    const data = fresh.map((trade) => describeTrade(pair, trade));
    this.#parts.live.publish(topic, data, { firstSequence, sequence: state.lastNumber });
  }
}

/** An interval; of contracts also one of mark or index: "mark:1m". */
function readSeries({
  biz,
  type = "",
}: SocketTopic): { readonly kind: SeriesName; readonly interval: CandleInterval } | undefined {
  const [first = "", second] = type.split(":");
  const interval = CANDLE_INTERVALS.find((one) => one === (second ?? first));
  if (interval === undefined) return undefined;
  if (second === undefined) return { kind: "last", interval };
  const kind = (["mark", "index"] as const).find((one) => one === first);
  return biz === SPOT || kind === undefined ? undefined : { kind, interval };
}

function keyOf({ channel, biz, type, pairCode }: SocketTopic): string {
  return `${channel}/${biz}/${type ?? ""}/${pairCode ?? ""}`;
}
