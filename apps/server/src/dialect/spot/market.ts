// Public market data of spot pairs in the Binance dialect. Translates what the exchange's own calls answer.

import type { TimezoneName } from "@clockwork/kit/constants";
import type { Result } from "@clockwork/kit/result";
import { nextCandleStart } from "@clockwork/kit/time";
import { nameOffset, timezoneValue } from "@clockwork/kit/timezone";
import type { Market } from "@clockwork/trading/market/offer";
import type { AggregateTrade, Candle, Depth, MarketTrade, Pair, Quotation } from "@clockwork/trading/markets/contract";
import { CANDLE_INTERVALS, CANDLES_LIMIT_MAX, DEPTH_LIMIT_MAX } from "@clockwork/trading/markets/contract";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { readTradedDay } from "../day.ts";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { changePercent, difference, fixed, product, quotient } from "../numbers.ts";
import { readPast } from "../past-trades.ts";
import { badSymbol, DialectRefusal, illegal, missing, notRequired } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import { describeSymbol, rateLimitsOf } from "./exchange-info.ts";
import { describeWindow } from "./windows.ts";

const API = "/api/v3";
const NATIVE = "/api/v1/spot";
const open = { method: "GET", security: "none" } as const;
const DEPTH_LIMIT = 100;
const CANDLES_LIMIT = 500;
const DAY_MS = 86_400_000;

export interface SpotMarketParts {
  readonly symbols: SpotSymbols;
  readonly market: Pick<Market, "data" | "history">;
}

export function spotMarketEndpoints(parts: SpotMarketParts): readonly Endpoint[] {
  return [...generalEndpoints(parts), ...bookEndpoints(parts), ...tickerEndpoints(parts)];
}

function generalEndpoints({ symbols }: SpotMarketParts): readonly Endpoint[] {
  return [
    { ...open, path: `${API}/ping`, weight: 1, handle: () => ({}) },
    { ...open, path: `${API}/time`, weight: 1, handle: ({ timeMs }) => ({ serverTime: timeMs }) },
    {
      ...open,
      path: `${API}/exchangeInfo`,
      weight: 20,
      handle: async ({ parameters, ask, timeMs }) => {
        const pairs = (await ask("GET", `${NATIVE}/pairs`)) as Pair[];
        const wanted = readSymbols(parameters, symbols)?.map(({ pairCode }) => pairCode);
        const shown = wanted === undefined ? pairs : pairs.filter(({ pairCode }) => wanted.includes(pairCode));
        return {
          timezone: "UTC",
          serverTime: timeMs,
          rateLimits: rateLimitsOf("api"),
          exchangeFilters: [],
          symbols: shown.map(describeSymbol),
        };
      },
    },
  ];
}

const done = <Data>(result: Result<Data, string>): Data => {
  if (!result.done) throw badSymbol();
  return result.value;
};

function bookEndpoints({ symbols, market }: SpotMarketParts): readonly Endpoint[] {
  const readTrades = async ({ parameters }: DialectCall, isLast: boolean): Promise<readonly object[]> => {
    const { pairCode } = symbols.read(parameters);
    const trades = await market.history.readTrades("spot", pairCode, readPast(parameters, isLast));
    return done(trades).map(describeTrade);
  };
  return [
    {
      ...open,
      path: `${API}/depth`,
      weight: (parameters) => depthWeight(parameters.integer("limit") ?? DEPTH_LIMIT),
      handle: async ({ parameters, ask }) => {
        const { pairCode } = symbols.read(parameters);
        const limit = parameters.integer("limit", { min: 1, max: DEPTH_LIMIT_MAX }) ?? DEPTH_LIMIT;
        const depth = (await ask("GET", `${NATIVE}/depth`, { query: { pairCode, limit } })) as Depth;
        return { lastUpdateId: depth.sequence, bids: fixLevels(depth.bids), asks: fixLevels(depth.asks) };
      },
    },
    {
      ...open,
      path: `${API}/trades`,
      weight: 25,
      handle: (call) => readTrades(call, true),
    },
    { ...open, path: `${API}/historicalTrades`, weight: 25, handle: (call) => readTrades(call, false) },
    {
      ...open,
      path: `${API}/aggTrades`,
      weight: 4,
      handle: async ({ parameters }) => {
        const { pairCode } = symbols.read(parameters);
        const trades = await market.history.readAggregates("spot", pairCode, readPast(parameters));
        return done(trades).map(describeAggregate);
      },
    },
    ...(["klines", "uiKlines"] as const).map(
      (name): Endpoint => ({ ...open, path: `${API}/${name}`, weight: 2, handle: (call) => readKlines(symbols, call) }),
    ),
    {
      ...open,
      path: `${API}/avgPrice`,
      weight: 2,
      handle: async ({ parameters, timeMs, ask }) => {
        const pair = symbols.read(parameters);
        const quotation = await readQuotation(ask, pair);
        return {
          mins: 5,
          price: fixed(quotation?.bandPrice),
          closeTime: market.data.projector.states.get(pair.market)?.trades.at(-1)?.time_ms ?? timeMs,
        };
      },
    },
  ];
}

function depthWeight(limit: number): number {
  return limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1_000 ? 50 : 250;
}

async function readKlines(symbols: SpotSymbols, { parameters, ask }: DialectCall): Promise<readonly unknown[]> {
  const { pairCode } = symbols.read(parameters);
  const requested = parameters.needText("interval");
  const interval = CANDLE_INTERVALS.find((name) => name === requested);
  if (interval === undefined) throw new DialectRefusal(-1120, "Invalid interval.");
  const limit = parameters.integer("limit", { min: 1, max: CANDLES_LIMIT_MAX }) ?? CANDLES_LIMIT;
  const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
  const zone = readZone(parameters);
  const query = {
    pairCode,
    interval,
    limit,
    timezone: timezoneValue(zone),
    // A start alone means the first ones from it; an end alone means the last ones before it.
    ...(from === undefined ? (to === undefined ? {} : { to }) : { from }),
  };
  const candles = (await ask("GET", `${NATIVE}/candles`, { query })) as Candle[];
  const shown = candles.filter((candle) => candle.timeMs <= (to ?? Number.POSITIVE_INFINITY));
  return shown.map((candle) => describeKline(candle, nextCandleStart(candle.timeMs, interval, zone)));
}

const ZONE = /^[+ ]?(-?)([0-9]{1,2})(?::00)?$/;

/** Whole hours east of UTC, "8" or "+08:00": longer candles are made of whole hours, so no others can be served. */
function readZone(parameters: Parameters): TimezoneName {
  const text = parameters.text("timeZone") ?? "0";
  const [, sign, hours] = ZONE.exec(text) ?? [];
  const minutes = Number(hours) * (sign === "-" ? -60 : 60);
  const zone = nameOffset(minutes);
  if (hours === undefined || (zone === "UTC0" && minutes !== 0)) throw illegal("timeZone", "-12:00 to +14:00");
  return zone;
}

function describeKline(candle: Candle, endMs: number): readonly unknown[] {
  const { timeMs, open: opening, high, low, close, volume, turnover, trades } = candle;
  return [
    timeMs,
    fixed(opening),
    fixed(high),
    fixed(low),
    fixed(close),
    fixed(volume),
    endMs - 1,
    fixed(turnover),
    trades,
    fixed(candle.boughtVolume),
    fixed(candle.boughtTurnover),
    "0",
  ];
}

/** A pair before its first trade. */
const UNTRADED = {
  last: "0",
  open: "0",
  high: "0",
  low: "0",
  bid: null,
  ask: null,
  changePercent: "0",
  bandPrice: null,
  volume: "0",
  turnover: "0",
  timeMs: 0,
} as const;

function tickerEndpoints({ symbols, market }: SpotMarketParts): readonly Endpoint[] {
  const several = (parameters: Parameters): readonly MarketPair[] => readSymbols(parameters, symbols) ?? symbols.list();
  const isOne = (parameters: Parameters): boolean => parameters.has("symbol");
  const give = <Row>(parameters: Parameters, rows: readonly Row[]): Row | readonly Row[] =>
    isOne(parameters) ? (rows[0] as Row) : rows;
  const readAll = async ({ parameters, ask }: DialectCall): Promise<readonly Quotation[]> => {
    const all = (await ask("GET", `${NATIVE}/quotations`)) as Quotation[];
    const known = new Map(all.map((one) => [one.pairCode, one]));
    return several(parameters).map(({ pairCode }) => known.get(pairCode) ?? { ...UNTRADED, pairCode });
  };
  const day: Endpoint["handle"] = async (call) => {
    const isMini = call.parameters.text("type") === "MINI";
    const rows = (await readAll(call)).map((one) =>
      isMini ? describeMini(one, call.timeMs) : describeDay(market, symbols, one, call.timeMs),
    );
    return give(call.parameters, rows);
  };
  return [
    { ...open, path: `${API}/ticker/24hr`, weight: dayWeight, handle: day },
    { ...open, path: `${API}/ticker/tradingDay`, weight: windowWeight, handle: day },
    {
      ...open,
      path: `${API}/ticker`,
      weight: windowWeight,
      handle: async (call) => {
        if (readSymbols(call.parameters, symbols) === undefined) throw missing("symbol");
        const rows = (await readAll(call)).map((one) => describeWindow(call, market, symbols.need(symbolOf(one)), one));
        return give(call.parameters, await Promise.all(rows));
      },
    },
    {
      ...open,
      path: `${API}/ticker/price`,
      weight: (parameters) => (isOne(parameters) ? 2 : 4),
      handle: async (call) =>
        give(
          call.parameters,
          (await readAll(call)).map((one) => ({ symbol: symbolOf(one), price: fixed(one.last) })),
        ),
    },
    {
      ...open,
      path: `${API}/ticker/bookTicker`,
      weight: (parameters) => (isOne(parameters) ? 2 : 4),
      handle: ({ parameters }) =>
        give(
          parameters,
          several(parameters).map((pair) => ({ symbol: symbolOf(pair), ...bestOf(market, pair) })),
        ),
    },
  ];
}

function dayWeight(parameters: Parameters): number {
  if (parameters.has("symbol")) return 2;
  const count = parameters.list("symbols")?.length;
  if (count === undefined) return 80;
  return count <= 20 ? 2 : count <= 100 ? 40 : 80;
}

function windowWeight(parameters: Parameters): number {
  return Math.min(200, 4 * Math.max(1, parameters.list("symbols")?.length ?? 1));
}

/** Pairs named by `symbol` or `symbols`; undefined when neither is. */
function readSymbols(parameters: Parameters, symbols: SpotSymbols): readonly MarketPair[] | undefined {
  const one = parameters.text("symbol");
  const list = parameters.list("symbols");
  if (one !== undefined && list !== undefined) throw notRequired("symbols");
  if (one !== undefined) return [symbols.need(one)];
  if (parameters.has("symbol")) throw missing("symbol");
  if (list === undefined) return undefined;
  return list.map((name) => {
    if (typeof name !== "string") throw illegal("symbols", "^[A-Z0-9-_.]{1,20}$");
    return symbols.need(name);
  });
}

async function readQuotation(ask: DialectCall["ask"], { pairCode }: MarketPair): Promise<Quotation | undefined> {
  return ((await ask("GET", `${NATIVE}/quotations`, { query: { pairCode } })) as Quotation[])[0];
}

/** Best prices with their quantities, straight from the book. */
export function bestOf(market: Pick<Market, "data">, pair: MarketPair) {
  const book = market.data.projector.states.get(pair.market)?.book;
  const [bid, ask] = [book?.bids.top(1)[0], book?.asks.top(1)[0]];
  return { bidPrice: fixed(bid?.[0]), bidQty: fixed(bid?.[1]), askPrice: fixed(ask?.[0]), askQty: fixed(ask?.[1]) };
}

function describeMini(one: Quotation, timeMs: number) {
  return {
    symbol: symbolOf(one),
    openPrice: fixed(one.open),
    highPrice: fixed(one.high),
    lowPrice: fixed(one.low),
    lastPrice: fixed(one.last),
    volume: fixed(one.volume),
    quoteVolume: fixed(one.turnover),
    openTime: timeMs - DAY_MS,
    closeTime: timeMs,
  };
}

export function describeDay(market: Pick<Market, "data">, symbols: SpotSymbols, one: Quotation, timeMs: number) {
  const pair = symbols.need(symbolOf(one));
  const { lastQuantity, firstId, lastId, count } = readTradedDay(market, pair, timeMs);
  return {
    ...describeMini(one, timeMs),
    priceChange: difference(one.last, one.open),
    priceChangePercent: changePercent(one.last, one.open),
    weightedAvgPrice: quotient(one.turnover, one.volume),
    prevClosePrice: fixed(one.open),
    lastQty: fixed(lastQuantity),
    ...bestOf(market, pair),
    firstId,
    lastId,
    count,
  };
}

function fixLevels(levels: readonly (readonly string[])[]): string[][] {
  return levels.map(([price, quantity]) => [fixed(price), fixed(quantity)]);
}

function describeTrade({ id, price, quantity, side, timeMs }: MarketTrade) {
  return {
    id,
    price: fixed(price),
    qty: fixed(quantity),
    quoteQty: fixed(product(price, quantity)),
    time: timeMs,
    isBuyerMaker: side === "sell",
    isBestMatch: true,
  };
}

function describeAggregate({ id, price, quantity, firstId, lastId, side, timeMs }: AggregateTrade) {
  return { a: id, p: fixed(price), q: fixed(quantity), f: firstId, l: lastId, T: timeMs, m: side === "sell", M: true };
}
