// The public streams of spot pairs in the Binance dialect, each made from a channel of ours.

import type { Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import type { SocketTopic } from "@clockwork/kit/wire";
import type { Market } from "@clockwork/trading/market/offer";
import type { DepthDelta, MarketTrade, Quotation } from "@clockwork/trading/markets/contract";
import { CANDLE_INTERVALS } from "@clockwork/trading/markets/contract";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { eventTime } from "../event-time.ts";
import { fixed } from "../numbers.ts";
import { joinAggregates } from "../past-trades.ts";
import { bestOf, describeDay } from "../spot/market.ts";
import { describeWindowTicker, WINDOWS_MS, type WindowName } from "../spot/window-bars.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import type { FindSource, StreamSource } from "./board.ts";
import { klineSource, type PublishedCandle } from "./kline-source.ts";
import { paced } from "./pace.ts";

export interface SpotSourceParts {
  readonly symbols: SpotSymbols;
  readonly market: Pick<Market, "data">;
  readonly live: Pick<Live, "tap">;
  readonly clock: Pick<Clock, "now" | "at">;
}

const BIZ = "spot";
const SECOND_MS = 1_000;
const FAST_MS = 100;
/** Days that start at midnight there. */
const EAST = "+08:00";
const PARTIAL_LEVELS = [5, 10, 20];
const WINDOW_NAMES = Object.keys(WINDOWS_MS) as readonly WindowName[];

export function spotSources(parts: SpotSourceParts): FindSource {
  return (name) => {
    if (name === "!ticker@arr" || name === "!miniTicker@arr") return allTickers(parts, name === "!miniTicker@arr");
    const everyWindow = WINDOW_NAMES.find((window) => name === `!ticker_${window}@arr`);
    if (everyWindow !== undefined) return windowTickers(parts, everyWindow);
    const [symbol = "", kind = "", speed] = name.split("@");
    const pair = symbol === symbol.toLowerCase() ? parts.symbols.find(symbol.toUpperCase()) : undefined;
    if (pair === undefined) return undefined;
    if (kind === "depth") return depthDiffs(parts, pair, speed);
    if (/^depth[0-9]+$/.test(kind)) return partialDepth(parts, pair, Number(kind.slice(5)), speed);
    if (kind.startsWith("kline_")) return klines(parts, pair, kind.slice(6), speed);
    if (speed !== undefined) return undefined;
    const window = WINDOW_NAMES.find((one) => kind === `ticker_${one}`);
    if (window !== undefined) return windowTicker(parts, pair, window);
    switch (kind) {
      case "trade":
        return trades(parts, pair, asTheyAre, (trade, timeMs) => ({
          e: "trade",
          E: eventTime(timeMs, trade.timeMs),
          s: symbolOf(pair),
          t: trade.id,
          ...tradeBody(trade),
        }));
      case "aggTrade":
        return trades(parts, pair, joinAggregates, (trade, timeMs) => ({
          e: "aggTrade",
          E: eventTime(timeMs, trade.timeMs),
          s: symbolOf(pair),
          a: trade.id,
          f: trade.firstId,
          l: trade.lastId,
          ...tradeBody(trade),
        }));
      case "miniTicker":
      case "ticker":
        return ticker(parts, pair, kind === "miniTicker");
      case "bookTicker":
        return bookTicker(parts, pair);
      case "avgPrice":
        return averages(parts, pair);
      default:
        return undefined;
    }
  };
}

const topicOf = (channel: string, pair: MarketPair, type?: string): SocketTopic => ({
  channel,
  biz: BIZ,
  pairCode: pair.pairCode,
  ...(type === undefined ? {} : { type }),
});

type Traded = Omit<MarketTrade, "aggregate">;
const asTheyAre = (trades: readonly MarketTrade[]) => trades;

function tradeBody({ price, quantity, side, timeMs }: Traded): object {
  return { p: fixed(price), q: fixed(quantity), T: timeMs, m: side === "sell", M: true };
}

function trades<Row extends Traded>(
  { live, clock }: SpotSourceParts,
  pair: MarketPair,
  read: (trades: readonly MarketTrade[]) => readonly Row[],
  describe: (trade: Row, timeMs: number) => object,
): StreamSource {
  return (publish) => {
    const stop = live.tap(topicOf("trades", pair), (data) => {
      for (const trade of read(data as MarketTrade[])) publish(describe(trade, clock.now()));
    });
    return () => stop?.();
  };
}

function readSpeed(speed: string | undefined): number | undefined {
  if (speed === undefined || speed === "1000ms") return SECOND_MS;
  return speed === "100ms" ? FAST_MS : undefined;
}

function depthDiffs(
  { live, clock }: SpotSourceParts,
  pair: MarketPair,
  speed: string | undefined,
): StreamSource | undefined {
  const everyMs = readSpeed(speed);
  if (everyMs === undefined) return undefined;
  return (publish) => {
    const waiting = { first: 0, last: 0, bids: new Map<string, string>(), asks: new Map<string, string>() };
    const rate = paced(everyMs, () => {
      const { first, last, bids, asks } = waiting;
      const levels = (side: Map<string, string>) =>
        [...side].map(([price, quantity]) => [fixed(price), fixed(quantity)]);
      publish({
        e: "depthUpdate",
        E: clock.now(),
        s: symbolOf(pair),
        U: first,
        u: last,
        b: levels(bids),
        a: levels(asks),
      });
      waiting.first = 0;
      bids.clear();
      asks.clear();
    });
    const stop = live.tap(topicOf("depth", pair), (data) => {
      const { first, last, bids, asks } = data as DepthDelta;
      if (waiting.first === 0) waiting.first = first;
      waiting.last = last;
      for (const [price = "", quantity = ""] of bids) waiting.bids.set(price, quantity);
      for (const [price = "", quantity = ""] of asks) waiting.asks.set(price, quantity);
      rate.touch();
    });
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function partialDepth(
  { live, market }: SpotSourceParts,
  pair: MarketPair,
  levels: number,
  speed: string | undefined,
): StreamSource | undefined {
  const everyMs = readSpeed(speed);
  if (everyMs === undefined || !PARTIAL_LEVELS.includes(levels)) return undefined;
  return (publish) => {
    const rate = paced(everyMs, () => {
      const book = market.data.projector.states.get(pair.market)?.book;
      if (book === undefined) return;
      const top = (side: typeof book.bids) =>
        side.top(levels).map(([price, quantity]) => [fixed(price), fixed(quantity)]);
      publish({ lastUpdateId: book.sequence, bids: top(book.bids), asks: top(book.asks) });
    });
    const stop = live.tap(topicOf("depth", pair), () => rate.touch());
    rate.touch();
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function bookTicker({ live, market }: SpotSourceParts, pair: MarketPair): StreamSource {
  return (publish) => {
    let answer = "";
    const stop = live.tap(topicOf("depth", pair), () => {
      const { bidPrice, bidQty, askPrice, askQty } = bestOf(market, pair);
      const now = `${bidPrice}/${bidQty}/${askPrice}/${askQty}`;
      if (now === answer) return;
      answer = now;
      const u = market.data.projector.states.get(pair.market)?.book.sequence ?? 0;
      publish({ u, s: symbolOf(pair), b: bidPrice, B: bidQty, a: askPrice, A: askQty });
    });
    return () => stop?.();
  };
}

function klines(
  parts: SpotSourceParts,
  pair: MarketPair,
  name: string,
  zone: string | undefined,
): StreamSource | undefined {
  const interval = CANDLE_INTERVALS.find((one) => one === name);
  const state = parts.market.data.projector.states.get(pair.market);
  if (interval === undefined || state === undefined || (zone !== undefined && zone !== EAST)) return undefined;
  const describe = ({ candle, endMs, firstTrade, lastTrade, isClosed }: PublishedCandle): object => ({
    e: "kline",
    E: parts.clock.now(),
    s: symbolOf(pair),
    k: {
      t: candle.timeMs,
      T: endMs,
      s: symbolOf(pair),
      i: interval,
      f: firstTrade,
      L: lastTrade,
      o: fixed(candle.open),
      c: fixed(candle.close),
      h: fixed(candle.high),
      l: fixed(candle.low),
      v: fixed(candle.volume),
      n: candle.trades,
      x: isClosed,
      q: fixed(candle.turnover),
      V: fixed(candle.boughtVolume),
      Q: fixed(candle.boughtTurnover),
      B: "0",
    },
  });
  const trades = topicOf("trades", pair);
  return klineSource(parts, { pair, state, trades, interval, zone: zone === undefined ? "UTC0" : "UTC8", describe });
}

function describeTicker({ market, symbols }: SpotSourceParts, one: Quotation, isMini: boolean, timeMs: number): object {
  const day = describeDay(market, symbols, one, timeMs);
  const mini = {
    e: isMini ? "24hrMiniTicker" : "24hrTicker",
    E: timeMs,
    s: day.symbol,
    c: day.lastPrice,
    o: day.openPrice,
    h: day.highPrice,
    l: day.lowPrice,
    v: day.volume,
    q: day.quoteVolume,
  };
  if (isMini) return mini;
  return {
    ...mini,
    p: day.priceChange,
    P: day.priceChangePercent,
    w: day.weightedAvgPrice,
    x: day.prevClosePrice,
    Q: day.lastQty,
    b: day.bidPrice,
    B: day.bidQty,
    a: day.askPrice,
    A: day.askQty,
    O: day.openTime,
    C: day.closeTime,
    F: day.firstId,
    L: day.lastId,
    n: day.count,
  };
}

function ticker(parts: SpotSourceParts, pair: MarketPair, isMini: boolean): StreamSource {
  return (publish) => {
    let latest: Quotation | null = null;
    const rate = paced(SECOND_MS, () => {
      if (latest !== null) publish(describeTicker(parts, latest, isMini, parts.clock.now()));
    });
    const stop = parts.live.tap(topicOf("ticker", pair), (data) => {
      latest = data as Quotation | null;
      rate.touch();
    });
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function windowTicker({ live, clock, market }: SpotSourceParts, pair: MarketPair, name: WindowName): StreamSource {
  return (publish) => {
    const rate = paced(SECOND_MS, () => {
      const one = describeWindowTicker(market, pair, name, clock.now());
      if (one !== undefined) publish(one);
    });
    const stop = live.tap(topicOf("ticker", pair), () => rate.touch());
    rate.touch();
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function windowTickers({ live, clock, market, symbols }: SpotSourceParts, name: WindowName): StreamSource {
  return (publish) => {
    const stop = live.tap({ channel: "ticker", biz: BIZ, type: "all" }, () => {
      const timeMs = clock.now();
      publish(symbols.list().flatMap((pair) => describeWindowTicker(market, pair, name, timeMs) ?? []));
    });
    return () => stop?.();
  };
}

/** The average our price bands go by, over five minutes. */
function averages({ live, clock, market }: SpotSourceParts, pair: MarketPair): StreamSource {
  return (publish) => {
    let average: string | null = null;
    const rate = paced(SECOND_MS, () => {
      const T = market.data.projector.states.get(pair.market)?.trades.at(-1)?.time_ms ?? 0;
      if (average !== null)
        publish({ e: "avgPrice", E: eventTime(clock.now(), T), s: symbolOf(pair), i: "5m", w: fixed(average), T });
    });
    const stop = live.tap(topicOf("ticker", pair), (data) => {
      average = (data as Quotation | null)?.bandPrice ?? null;
      rate.touch();
    });
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function allTickers(parts: SpotSourceParts, isMini: boolean): StreamSource {
  return (publish) => {
    const stop = parts.live.tap({ channel: "ticker", biz: BIZ, type: "all" }, (data) => {
      const timeMs = parts.clock.now();
      publish((data as Quotation[]).map((one) => describeTicker(parts, one, isMini, timeMs)));
    });
    return () => stop?.();
  };
}
