// Public market data of perpetual contracts in the Binance dialect, linear and inverse by one set of endpoints.

import type { Result } from "@clockwork/kit/result";
import { nextCandleStart } from "@clockwork/kit/time";
import type { Market } from "@clockwork/trading/market/offer";
import type { Candle, ContractInfo, ContractQuotation } from "@clockwork/trading/markets/contract";
import { CANDLE_INTERVALS, CANDLES_LIMIT_MAX, DEPTH_LIMIT_MAX } from "@clockwork/trading/markets/contract";
import { readTradedDay } from "../day.ts";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { eventTime } from "../event-time.ts";
import { familyOf } from "../limits.ts";
import { changePercent, difference, fixed, product, quotient } from "../numbers.ts";
import { readPast } from "../past-trades.ts";
import { badSymbol, DialectRefusal } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { rateLimitsOf } from "../spot/exchange-info.ts";
import { type Contracts, describeContract, writeQuantity } from "./contracts.ts";

export interface ContractMarketParts {
  readonly contracts: Contracts;
  readonly market: Pick<Market, "contracts" | "data" | "history" | "pairs">;
}

const open = { method: "GET", security: "none" } as const;
const DAY_MS = 86_400_000;
const FUNDINGS_MAX = 1_000;
const CANDLES_LIMIT = 500;
const SERIES = {
  klines: "last",
  continuousKlines: "last",
  markPriceKlines: "mark",
  indexPriceKlines: "index",
  premiumIndexKlines: "premium",
} as const;
const KLINES = Object.keys(SERIES) as (keyof typeof SERIES)[];

function done<Data>(result: Result<Data, string>): Data {
  if (!result.done) throw badSymbol();
  return result.value;
}

export function contractMarketEndpoints(parts: ContractMarketParts): readonly Endpoint[] {
  return [...generalEndpoints(parts), ...bookEndpoints(parts), ...priceEndpoints(parts), ...tickerEndpoints(parts)];
}

function generalEndpoints({ contracts }: ContractMarketParts): readonly Endpoint[] {
  const api = `${contracts.kind.base}/v1`;
  return [
    { ...open, path: `${api}/ping`, weight: 1, handle: () => ({}) },
    { ...open, path: `${api}/time`, weight: 1, handle: ({ timeMs }) => ({ serverTime: timeMs }) },
    {
      ...open,
      path: `${api}/exchangeInfo`,
      weight: 1,
      handle: ({ timeMs }) => ({
        timezone: "UTC",
        serverTime: timeMs,
        rateLimits: rateLimitsOf(familyOf(api)),
        exchangeFilters: [],
        assets: [...new Set(contracts.list().map(({ settle }) => settle))].map((asset) => ({
          asset,
          marginAvailable: true,
          autoAssetExchange: "0",
        })),
        symbols: contracts.list().map((one) => describeContract(contracts, one)),
      }),
    },
  ];
}

function bookEndpoints({ contracts, market }: ContractMarketParts): readonly Endpoint[] {
  const { biz, base } = contracts.kind;
  const api = `${base}/v1`;
  const parts = { contracts, market };
  const readTrades = async ({ parameters }: DialectCall, isLast: boolean): Promise<readonly object[]> => {
    const contract = contracts.read(parameters);
    const trades = done(await market.history.readTrades(biz, contract.pairCode, readPast(parameters, isLast)));
    return trades.map(({ id, price, quantity, side, timeMs }) => ({
      id,
      price,
      qty: writeQuantity(contract, quantity),
      ...(biz === "futures" ? { quoteQty: product(price, quantity) } : { baseQty: quotient(quantity, price) }),
      time: timeMs,
      isBuyerMaker: side === "sell",
    }));
  };
  // No order is shown to some readers alone: the book of all is the book of each.
  return [...(biz === "futures" ? ["depth", "rpiDepth"] : ["depth"])]
    .map(
      (name): Endpoint => ({
        ...open,
        path: `${api}/${name}`,
        weight: (parameters) => depthWeight(parameters.integer("limit") ?? DEPTH_LIMIT_MAX),
        handle: ({ parameters, timeMs }) => {
          const contract = contracts.read(parameters);
          const limit = parameters.integer("limit", { min: 1, max: DEPTH_LIMIT_MAX }) ?? DEPTH_LIMIT_MAX;
          const depth = done(market.contracts.readDepth(biz, contract.pairCode, limit));
          const levels = (side: readonly (readonly string[])[]) =>
            side.map(([price = "", quantity = ""]) => [price, writeQuantity(contract, quantity)]);
          const named = biz === "futures" ? {} : { symbol: contracts.kind.symbolOf(contract) };
          return {
            ...named,
            lastUpdateId: depth.sequence,
            E: eventTime(timeMs, depth.timeMs),
            T: depth.timeMs,
            bids: levels(depth.bids),
            asks: levels(depth.asks),
          };
        },
      }),
    )
    .concat([
      { ...open, path: `${api}/trades`, weight: 5, handle: (call) => readTrades(call, true) },
      { ...open, path: `${api}/historicalTrades`, weight: 20, handle: (call) => readTrades(call, false) },
      {
        ...open,
        path: `${api}/aggTrades`,
        weight: 20,
        handle: async ({ parameters }) => {
          const contract = contracts.read(parameters);
          const trades = done(await market.history.readAggregates(biz, contract.pairCode, readPast(parameters)));
          return trades.map(({ id, price, quantity, firstId, lastId, side, timeMs }) => ({
            a: id,
            p: price,
            q: writeQuantity(contract, quantity),
            f: firstId,
            l: lastId,
            T: timeMs,
            m: side === "sell",
          }));
        },
      },
      ...KLINES.map(
        (name): Endpoint => ({
          ...open,
          path: `${api}/${name}`,
          weight: (parameters) => candleWeight(parameters.integer("limit") ?? CANDLES_LIMIT),
          handle: (call) => readKlines(parts, call, name),
        }),
      ),
    ]);
}

function depthWeight(limit: number): number {
  return limit <= 50 ? 2 : limit <= 100 ? 5 : limit <= 500 ? 10 : 20;
}

function candleWeight(limit: number): number {
  return limit < 100 ? 1 : limit < 500 ? 2 : limit <= 1_000 ? 5 : 10;
}

async function readKlines(
  { contracts, market }: ContractMarketParts,
  { parameters, timeMs }: DialectCall,
  name: (typeof KLINES)[number],
): Promise<readonly unknown[]> {
  const requested = parameters.needText("interval");
  const interval = CANDLE_INTERVALS.find((one) => one === requested);
  if (interval === undefined) throw new DialectRefusal(-1120, "Invalid interval.");
  const { biz, symbolOf } = contracts.kind;
  const isByPair = name === "indexPriceKlines" || name === "continuousKlines";
  const pairName = isByPair ? parameters.needText("pair") : undefined;
  const contract =
    pairName === undefined
      ? contracts.read(parameters)
      : contracts.list().find((one) => symbolOf(one).split("_")[0] === pairName);
  if (contract === undefined) throw badSymbol();
  const kind = SERIES[name];
  const limit = parameters.integer("limit", { min: 1, max: CANDLES_LIMIT_MAX }) ?? CANDLES_LIMIT;
  const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
  // A start alone means the first ones from it; an end alone means the last ones before it.
  const span = from === undefined ? (to === undefined ? {} : { to }) : { from };
  const request = { biz, pairCode: contract.pairCode, kind, interval, limit, ...span } as const;
  const candles = done(await market.contracts.readCandles(request, timeMs));
  const shown = candles.filter((candle) => candle.timeMs <= (to ?? Number.POSITIVE_INFINITY));
  const answer = kind === "premium" ? shown.map(padPrices) : shown;
  return answer.map((candle) => describeKline(contract, candle, nextCandleStart(candle.timeMs, interval)));
}

/** Premiums are written with all of their decimals. */
function padPrices(candle: Candle): Candle {
  const { open: opening, high, low, close } = candle;
  return { ...candle, open: fixed(opening), high: fixed(high), low: fixed(low), close: fixed(close) };
}

function describeKline(contract: ContractInfo, candle: Candle, endMs: number): readonly unknown[] {
  const { timeMs, open: opening, high, low, close, volume, turnover, trades } = candle;
  return [
    timeMs,
    opening,
    high,
    low,
    close,
    writeQuantity(contract, volume),
    endMs - 1,
    turnover,
    trades,
    writeQuantity(contract, candle.boughtVolume),
    candle.boughtTurnover,
    "0",
  ];
}

function quotations(
  { contracts, market }: ContractMarketParts,
  { parameters, timeMs }: DialectCall,
): readonly { one: ContractQuotation; contract: ContractInfo }[] {
  const wanted = parameters.text("symbol") === undefined ? undefined : contracts.read(parameters);
  const all = market.contracts.listFigures(contracts.kind.biz, timeMs);
  return all.flatMap((one) => {
    const contract = contracts.find(one.pairCode);
    const isMeant = contract !== undefined && (wanted === undefined || wanted.pairCode === one.pairCode);
    return isMeant ? [{ one, contract }] : [];
  });
}

/** The linear dialect answers one symbol with an object, the inverse one always with a list. */
function give<Row>({ kind }: Contracts, parameters: Parameters, rows: readonly Row[]): Row | readonly Row[] {
  return kind.biz === "futures" && parameters.text("symbol") !== undefined ? (rows[0] as Row) : rows;
}

function priceEndpoints(parts: ContractMarketParts): readonly Endpoint[] {
  const { contracts } = parts;
  const { base, biz, symbolOf } = contracts.kind;
  const api = `${base}/v1`;
  return [
    {
      ...open,
      path: `${api}/premiumIndex`,
      weight: (parameters) => (biz === "futures" && parameters.has("symbol") ? 1 : 10),
      handle: (call) =>
        give(
          contracts,
          call.parameters,
          quotations(parts, call).map(({ one, contract }) => ({
            symbol: symbolOf(one),
            pair: symbolOf(one).split("_")[0],
            markPrice: one.mark ?? "0",
            indexPrice: one.index ?? "0",
            estimatedSettlePrice: one.index ?? "0",
            lastFundingRate: one.fundingRate,
            interestRate: contract.interestRate,
            nextFundingTime: one.nextFundingMs,
            time: call.timeMs,
          })),
        ),
    },
    {
      ...open,
      path: `${api}/fundingRate`,
      weight: 1,
      handle: (call) => readFundings(parts, call),
    },
    {
      ...open,
      path: `${api}/fundingInfo`,
      weight: 1,
      handle: () => contracts.list().map((one) => ({ symbol: symbolOf(one), fundingIntervalHours: one.fundingHours })),
    },
    {
      ...open,
      path: `${api}/openInterest`,
      weight: 1,
      handle: (call) => {
        contracts.read(call.parameters);
        const [found] = quotations(parts, call);
        if (found === undefined) throw badSymbol();
        return {
          symbol: symbolOf(found.one),
          openInterest: writeQuantity(found.contract, found.one.openInterest),
          time: call.timeMs,
        };
      },
    },
  ];
}

interface Funding {
  readonly symbol: string;
  readonly fundingRate: string;
  readonly fundingTime: number;
  readonly markPrice: string;
}

/** Oldest first; of every linear contract where none is named. */
async function readFundings(
  { contracts, market }: ContractMarketParts,
  { parameters, timeMs }: DialectCall,
): Promise<readonly object[]> {
  const { biz, symbolOf } = contracts.kind;
  const isAll = biz === "futures" && parameters.text("symbol") === undefined;
  const meant = isAll ? contracts.list() : [contracts.read(parameters)];
  const [from, to] = [parameters.integer("startTime") ?? 0, parameters.integer("endTime") ?? timeMs];
  const limit = parameters.integer("limit", { min: 1, max: FUNDINGS_MAX }) ?? 100;
  const found: Funding[] = [];
  for (const contract of meant) {
    const rows = done(await market.contracts.listFundings(biz, contract.pairCode, to + 1, FUNDINGS_MAX));
    for (const { timeMs: fundingTime, rate: fundingRate, mark: markPrice } of rows) {
      if (fundingTime < from) continue;
      found.push({ symbol: symbolOf(contract), fundingRate, fundingTime, markPrice });
    }
  }
  const byTime = found.sort((left, right) => left.fundingTime - right.fundingTime);
  return from > 0 ? byTime.slice(0, limit) : byTime.slice(-limit);
}

function tickerEndpoints(parts: ContractMarketParts): readonly Endpoint[] {
  const { contracts, market } = parts;
  const { base, symbolOf } = contracts.kind;
  const best = ({ one, contract }: { one: ContractQuotation; contract: ContractInfo }, timeMs: number) => {
    const { bids, asks } = done(market.contracts.readDepth(contracts.kind.biz, one.pairCode, 1));
    const count = (quantity: string | undefined): string => writeQuantity(contract, quantity ?? "0");
    return {
      symbol: symbolOf(one),
      bidPrice: bids[0]?.[0] ?? "0",
      bidQty: count(bids[0]?.[1]),
      askPrice: asks[0]?.[0] ?? "0",
      askQty: count(asks[0]?.[1]),
      time: timeMs,
    };
  };
  const ticker = (
    name: string,
    [ofOne, ofAll]: readonly [number, number],
    describe: (found: { one: ContractQuotation; contract: ContractInfo }, timeMs: number) => object,
  ): readonly Endpoint[] =>
    (base === "/fapi" && name === "ticker/price" ? ["v1", "v2"] : ["v1"]).map((version) => ({
      ...open,
      path: `${base}/${version}/${name}`,
      weight: (parameters) => (parameters.has("symbol") ? ofOne : ofAll),
      handle: (call) =>
        give(
          contracts,
          call.parameters,
          quotations(parts, call).map((found) => describe(found, call.timeMs)),
        ),
    }));
  return [
    ...ticker("ticker/24hr", [1, 40], ({ one, contract }, timeMs) => describeDay(parts, one, contract, timeMs)),
    ...ticker("ticker/price", [1, 2], ({ one }, timeMs) => ({
      symbol: symbolOf(one),
      ps: symbolOf(one).split("_")[0],
      price: one.last,
      time: timeMs,
    })),
    ...ticker("ticker/bookTicker", [2, 5], best),
  ];
}

export function describeDay(
  { contracts, market }: ContractMarketParts,
  one: ContractQuotation,
  contract: ContractInfo,
  timeMs: number,
) {
  const symbol = contracts.kind.symbolOf(one);
  const isLinear = contract.faceValue === null;
  const volume = writeQuantity(contract, one.volume);
  const pair = market.pairs.findListed(contracts.kind.biz, one.pairCode);
  const traded = pair === undefined ? undefined : readTradedDay(market, pair, timeMs);
  return {
    symbol,
    ...(isLinear ? {} : { pair: symbol.split("_")[0] }),
    priceChange: difference(one.last, one.open),
    priceChangePercent: changePercent(one.last, one.open),
    weightedAvgPrice: isLinear ? quotient(one.turnover, one.volume) : quotient(one.volume, one.turnover),
    lastPrice: one.last,
    lastQty: writeQuantity(contract, traded?.lastQuantity ?? "0"),
    openPrice: one.open,
    highPrice: one.high,
    lowPrice: one.low,
    volume,
    ...(isLinear ? { quoteVolume: one.turnover } : { baseVolume: one.turnover }),
    openTime: timeMs - DAY_MS,
    closeTime: timeMs,
    firstId: traded?.firstId ?? 0,
    lastId: traded?.lastId ?? 0,
    count: traded?.count ?? 0,
  };
}
