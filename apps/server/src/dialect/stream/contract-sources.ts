// The public streams of perpetual contracts in the Binance dialect, linear and inverse, each made from a channel of ours.

import type { Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import { measureMs } from "@clockwork/host/time/measure";
import type { SocketTopic } from "@clockwork/kit/wire";
import type { Market } from "@clockwork/trading/market/offer";
import type {
  ContractInfo,
  ContractQuotation,
  DepthDelta,
  LiquidationEntry,
  MarketTrade,
} from "@clockwork/trading/markets/contract";
import { CANDLE_INTERVALS, LIQUIDATIONS_CHANNEL, MARK_CHANNEL } from "@clockwork/trading/markets/contract";
import { type Contracts, NEVER_MS, writeQuantity } from "../contract/contracts.ts";
import { describeDay } from "../contract/market.ts";
import { eventTime } from "../event-time.ts";
import { joinAggregates } from "../past-trades.ts";
import type { FindSource, StreamSource } from "./board.ts";
import { klineSource, type PublishedCandle } from "./kline-source.ts";
import { paced } from "./pace.ts";
import { priceKlines } from "./price-klines.ts";

export interface ContractSourceParts {
  readonly contracts: Contracts;
  readonly market: Pick<Market, "contracts" | "data" | "history" | "pairs">;
  readonly live: Pick<Live, "tap">;
  readonly clock: Pick<Clock, "now" | "at">;
}

const SECOND_MS = 1_000;
const SPEEDS: Readonly<Record<string, number>> = { "100ms": 100, "250ms": 250, "500ms": 500 };
const DEPTH_MS = 250;
const MARK_MS = 3_000;
const PARTIAL_LEVELS = [5, 10, 20];

export function contractSources(parts: ContractSourceParts): FindSource {
  const { contracts } = parts;
  return (name) => {
    if (name.startsWith("!")) return ofAll(parts, name);
    const [symbol = "", kind = "", speed] = name.split("@");
    if (symbol !== symbol.toLowerCase()) return undefined;
    const named = speed === undefined ? ofPair(parts, symbol.toUpperCase(), kind) : undefined;
    if (named !== undefined) return named;
    const contract = contracts.list().find((one) => contracts.kind.symbolOf(one) === symbol.toUpperCase());
    return contract === undefined ? undefined : ofContract(parts, contract, kind, speed);
  };
}

/** Streams named by a pair instead of a contract. */
function ofPair(parts: ContractSourceParts, name: string, kind: string): StreamSource | undefined {
  const { contracts } = parts;
  const find = (pair: string) => contracts.list().find((one) => contracts.kind.symbolOf(one).split("_")[0] === pair);
  if (kind.startsWith("continuousKline_")) {
    const contract = name.endsWith("_PERPETUAL") ? find(name.slice(0, -"_PERPETUAL".length)) : undefined;
    return contract === undefined ? undefined : klines(parts, contract, kind.slice("continuousKline_".length), true);
  }
  if (!kind.startsWith("indexPriceKline_")) return undefined;
  const contract = find(name);
  return contract === undefined
    ? undefined
    : priceKlines(parts, contract, "index", kind.slice("indexPriceKline_".length));
}

function ofContract(
  parts: ContractSourceParts,
  contract: ContractInfo,
  kind: string,
  speed: string | undefined,
): StreamSource | undefined {
  if (kind === "depth") return depthDiffs(parts, contract, speed);
  if (/^depth[0-9]+$/.test(kind)) return partialDepth(parts, contract, Number(kind.slice(5)), speed);
  if (kind === "markPrice") return markPrice(parts, contract, speed);
  if (speed !== undefined) return undefined;
  if (kind.startsWith("kline_")) return klines(parts, contract, kind.slice(6));
  if (kind.startsWith("markPriceKline_")) {
    return priceKlines(parts, contract, "mark", kind.slice("markPriceKline_".length));
  }
  switch (kind) {
    case "trade":
      return trades(parts, contract, asTheyAre, ({ id }, body) => ({ e: "trade", ...body, t: id, X: "MARKET" }));
    case "aggTrade":
      return trades(parts, contract, joinAggregates, ({ id, firstId, lastId }, body) => ({
        e: "aggTrade",
        ...body,
        a: id,
        f: firstId,
        l: lastId,
      }));
    case "miniTicker":
    case "ticker":
      return ticker(parts, contract, kind === "miniTicker");
    case "bookTicker":
      return bookTicker(parts, contract);
    case "forceOrder":
      return forced(parts, [contract]);
    default:
      return undefined;
  }
}

function ofAll(parts: ContractSourceParts, name: string): StreamSource | undefined {
  switch (name) {
    case "!ticker@arr":
    case "!miniTicker@arr":
      return allQuotations(parts, (one, contract, timeMs) =>
        describeTicker(parts, contract, one, name === "!miniTicker@arr", timeMs),
      );
    case "!markPrice@arr":
    case "!markPrice@arr@1s":
      return allQuotations(
        parts,
        (one, _, timeMs) => describeMark(parts, one, timeMs),
        name === "!markPrice@arr" ? MARK_MS : SECOND_MS,
      );
    case "!bookTicker":
      return joined(parts.contracts.list().map((one) => bookTicker(parts, one)));
    case "!forceOrder@arr":
      return forced(parts, parts.contracts.list());
    case "!contractInfo":
      return contractInfo(parts);
    default:
      return undefined;
  }
}

const joined =
  (sources: readonly StreamSource[]): StreamSource =>
  (publish) => {
    const stops = sources.map((source) => source(publish));
    return () => {
      for (const stop of stops) stop();
    };
  };

function topic(
  { contracts }: ContractSourceParts,
  channel: string,
  contract: ContractInfo,
  type?: string,
): SocketTopic {
  const { pairCode } = contract;
  return { channel, biz: contracts.kind.biz, pairCode, ...(type === undefined ? {} : { type }) };
}

const asTheyAre = (trades: readonly MarketTrade[]) => trades;

function trades<Row extends Omit<MarketTrade, "aggregate">>(
  parts: ContractSourceParts,
  contract: ContractInfo,
  read: (trades: readonly MarketTrade[]) => readonly Row[],
  describe: (trade: Row, body: object) => object,
): StreamSource {
  const s = parts.contracts.kind.symbolOf(contract);
  return (publish) => {
    const stop = parts.live.tap(topic(parts, "trades", contract), (data) => {
      for (const trade of read(data as MarketTrade[])) {
        const { price, quantity, side, timeMs } = trade;
        const q = writeQuantity(contract, quantity);
        publish(
          describe(trade, { E: eventTime(parts.clock.now(), timeMs), s, p: price, q, T: timeMs, m: side === "sell" }),
        );
      }
    });
    return () => stop?.();
  };
}

type Levels = readonly (readonly string[])[];

const writeLevels = (contract: ContractInfo, levels: Levels) =>
  levels.map(([price = "", quantity = ""]) => [price, writeQuantity(contract, quantity)]);

function readSpeed(speed: string | undefined): number | undefined {
  return speed === undefined ? DEPTH_MS : SPEEDS[speed];
}

/** Messages of inverse contracts name their pair too. */
const pairOf = ({ contracts }: ContractSourceParts, contract: ContractInfo): { readonly ps?: string } =>
  contract.faceValue === null ? {} : { ps: contracts.kind.symbolOf(contract).split("_")[0] ?? "" };

/** Numbers follow each other without a gap, so what came before the first is one less. */
function depthDiffs(
  parts: ContractSourceParts,
  contract: ContractInfo,
  speed: string | undefined,
): StreamSource | undefined {
  const everyMs = readSpeed(speed);
  if (everyMs === undefined) return undefined;
  const s = parts.contracts.kind.symbolOf(contract);
  return (publish) => {
    const waiting = { first: 0, last: 0, timeMs: 0, bids: new Map<string, string>(), asks: new Map<string, string>() };
    const rate = paced(everyMs, () => {
      const { first: U, last: u, timeMs: T, bids, asks } = waiting;
      const [b, a] = [writeLevels(contract, [...bids]), writeLevels(contract, [...asks])];
      publish({
        e: "depthUpdate",
        E: eventTime(parts.clock.now(), T),
        T,
        s,
        ...pairOf(parts, contract),
        U,
        u,
        pu: U - 1,
        b,
        a,
      });
      waiting.first = 0;
      bids.clear();
      asks.clear();
    });
    const stop = parts.live.tap(topic(parts, "depth", contract), (data) => {
      const { first, last, bids, asks, timeMs } = data as DepthDelta;
      if (waiting.first === 0) waiting.first = first;
      waiting.last = last;
      waiting.timeMs = timeMs;
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
  parts: ContractSourceParts,
  contract: ContractInfo,
  levels: number,
  speed: string | undefined,
): StreamSource | undefined {
  const everyMs = readSpeed(speed);
  if (everyMs === undefined || !PARTIAL_LEVELS.includes(levels)) return undefined;
  const s = parts.contracts.kind.symbolOf(contract);
  return (publish) => {
    const rate = paced(everyMs, () => {
      const read = parts.market.contracts.readDepth(parts.contracts.kind.biz, contract.pairCode, levels);
      if (!read.done) return;
      const { sequence: u, timeMs: T, bids, asks } = read.value;
      const [b, a] = [writeLevels(contract, bids), writeLevels(contract, asks)];
      publish({
        e: "depthUpdate",
        E: eventTime(parts.clock.now(), T),
        T,
        s,
        ...pairOf(parts, contract),
        U: u,
        u,
        pu: u - 1,
        b,
        a,
      });
    });
    const stop = parts.live.tap(topic(parts, "depth", contract), () => rate.touch());
    rate.touch();
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function bookTicker(parts: ContractSourceParts, contract: ContractInfo): StreamSource {
  const s = parts.contracts.kind.symbolOf(contract);
  return (publish) => {
    let answer = "";
    const stop = parts.live.tap(topic(parts, "depth", contract), () => {
      const read = parts.market.contracts.readDepth(parts.contracts.kind.biz, contract.pairCode, 1);
      if (!read.done) return;
      const [[b = "0", B = "0"] = []] = writeLevels(contract, read.value.bids);
      const [[a = "0", A = "0"] = []] = writeLevels(contract, read.value.asks);
      const now = `${b}/${B}/${a}/${A}`;
      if (now === answer) return;
      answer = now;
      const { sequence: u, timeMs: T } = read.value;
      publish({ e: "bookTicker", u, s, ...pairOf(parts, contract), b, B, a, A, T, E: eventTime(parts.clock.now(), T) });
    });
    return () => stop?.();
  };
}

function klines(
  parts: ContractSourceParts,
  contract: ContractInfo,
  name: string,
  isContinuous = false,
): StreamSource | undefined {
  const { contracts, market, clock } = parts;
  const interval = CANDLE_INTERVALS.find((one) => one === name);
  const pair = market.pairs.findListed(contracts.kind.biz, contract.pairCode);
  const state = pair === undefined ? undefined : market.data.projector.states.get(pair.market);
  if (interval === undefined || pair === undefined || state === undefined) return undefined;
  const s = contracts.kind.symbolOf(contract);
  const describe = ({ candle, endMs: T, firstTrade: f, lastTrade: L, isClosed: x }: PublishedCandle): object => {
    const { timeMs: t, open: o, close: c, high: h, low: l, turnover: q, trades: n } = candle;
    const [v, V] = [writeQuantity(contract, candle.volume), writeQuantity(contract, candle.boughtVolume)];
    const k = {
      t,
      T,
      ...(isContinuous ? {} : { s }),
      i: interval,
      f,
      L,
      o,
      c,
      h,
      l,
      v,
      n,
      x,
      q,
      V,
      Q: candle.boughtTurnover,
      B: "0",
    };
    if (!isContinuous) return { e: "kline", E: clock.now(), s, k };
    return { e: "continuous_kline", E: clock.now(), ps: s.split("_")[0], ct: "PERPETUAL", k };
  };
  const trades = topic(parts, "trades", contract);
  return klineSource(parts, { pair, state, trades, interval, zone: "UTC0", describe });
}

function describeTicker(
  parts: ContractSourceParts,
  contract: ContractInfo,
  one: ContractQuotation,
  isMini: boolean,
  E: number,
): object {
  const day = describeDay(parts, one, contract, E);
  const mini = {
    e: isMini ? "24hrMiniTicker" : "24hrTicker",
    E,
    s: day.symbol,
    ...pairOf(parts, contract),
    c: day.lastPrice,
    o: day.openPrice,
    h: day.highPrice,
    l: day.lowPrice,
    v: day.volume,
    q: one.turnover,
  };
  if (isMini) return mini;
  const { priceChange: p, priceChangePercent: P, weightedAvgPrice: w, lastQty: Q, openTime: O, closeTime: C } = day;
  return { ...mini, p, P, w, Q, O, C, F: day.firstId, L: day.lastId, n: day.count };
}

function ticker(parts: ContractSourceParts, contract: ContractInfo, isMini: boolean): StreamSource {
  return (publish) => {
    let latest: ContractQuotation | null = null;
    const rate = paced(SECOND_MS, () => {
      if (latest !== null) publish(describeTicker(parts, contract, latest, isMini, parts.clock.now()));
    });
    const stop = parts.live.tap(topic(parts, "ticker", contract), (data) => {
      latest = data as ContractQuotation | null;
      rate.touch();
    });
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function allQuotations(
  { contracts, live, clock }: ContractSourceParts,
  describe: (one: ContractQuotation, contract: ContractInfo, timeMs: number) => object,
  everyMs = SECOND_MS,
): StreamSource {
  return (publish) => {
    let publishedMs = Number.NEGATIVE_INFINITY;
    const stop = live.tap({ channel: "ticker", biz: contracts.kind.biz, type: "all" }, (data) => {
      // They come once a second, early or late by a little.
      if (measureMs() - publishedMs < everyMs - SECOND_MS / 2) return;
      publishedMs = measureMs();
      const timeMs = clock.now();
      publish(
        (data as ContractQuotation[]).flatMap((one) => {
          const contract = contracts.find(one.pairCode);
          return contract === undefined ? [] : [describe(one, contract, timeMs)];
        }),
      );
    });
    return () => stop?.();
  };
}

function describeMark({ contracts }: ContractSourceParts, one: ContractQuotation, E: number): object {
  const { mark, index, fundingRate: r, nextFundingMs: T } = one;
  const s = contracts.kind.symbolOf(one);
  return { e: "markPriceUpdate", E, s, p: mark ?? "0", i: index ?? "0", P: index ?? "0", r, T };
}

function markPrice(
  parts: ContractSourceParts,
  contract: ContractInfo,
  speed: string | undefined,
): StreamSource | undefined {
  if (speed !== undefined && speed !== "1s") return undefined;
  const { contracts, market, clock, live } = parts;
  return (publish) => {
    const rate = paced(speed === undefined ? MARK_MS : SECOND_MS, () => {
      const all = market.contracts.listFigures(contracts.kind.biz, clock.now());
      const found = all.find(({ pairCode }) => pairCode === contract.pairCode);
      if (found !== undefined) publish(describeMark(parts, found, clock.now()));
    });
    const stop = live.tap(topic(parts, MARK_CHANNEL, contract), () => rate.touch());
    rate.touch();
    return () => {
      rate.stop();
      stop?.();
    };
  };
}

function forced(parts: ContractSourceParts, list: readonly ContractInfo[]): StreamSource {
  const of = (contract: ContractInfo): StreamSource => {
    const s = parts.contracts.kind.symbolOf(contract);
    return (publish) => {
      const stop = parts.live.tap(topic(parts, LIQUIDATIONS_CHANNEL, contract), (data) => {
        for (const { side, price: p, quantity, timeMs: T } of data as LiquidationEntry[]) {
          const q = writeQuantity(contract, quantity);
          const S = side === "long" ? "SELL" : "BUY";
          const o = { s, ...pairOf(parts, contract), S, o: "LIMIT", f: "IOC", q, p, ap: p, X: "FILLED", l: q, z: q, T };
          publish({ e: "forceOrder", E: eventTime(parts.clock.now(), T), o });
        }
      });
      return () => stop?.();
    };
  };
  return joined(list.map(of));
}

/** Publishes contracts that are listed, paused or opened while there are subscribers. */
function contractInfo({ contracts, live, clock }: ContractSourceParts): StreamSource {
  const statusOf = ({ status }: ContractInfo): string => (status === "TRADING" ? "TRADING" : "BREAK");
  return (publish) => {
    const known = new Map(contracts.list().map((one) => [one.pairCode, statusOf(one)]));
    const stop = live.tap({ channel: "ticker", biz: contracts.kind.biz, type: "all" }, () => {
      for (const one of contracts.list()) {
        const cs = statusOf(one);
        if (known.get(one.pairCode) === cs) continue;
        known.set(one.pairCode, cs);
        const s = contracts.kind.symbolOf(one);
        const [ps] = s.split("_");
        const [ot, dt] = [one.listedAtMs, NEVER_MS];
        publish({ e: "contractInfo", E: clock.now(), s, ps, ct: "PERPETUAL", dt, ot, cs });
      }
    });
    return () => stop?.();
  };
}
