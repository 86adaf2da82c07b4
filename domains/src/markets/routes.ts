// REST of market data: schema → service → envelope. Public, but for a user's favourites.
import type { Result } from "@clockwork/kit/result";
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/kit/route";
import { Type } from "typebox";
import {
  CANDLES_LIMIT_MAX,
  Candle,
  CandlesQuery,
  Depth,
  DepthQuery,
  Favourites,
  MarketTrade,
  Pair,
  PairCode,
  Partition,
  Quotation,
  Rankings,
  Sparkline,
  SparklinesQuery,
  TradesQuery,
} from "./api.ts";
import type { MarketRefusal, MarketService } from "./service.ts";

const PATH = "/v1/spot";
const open = { method: "GET", tag: "markets" } as const;
const DEPTH_LIMIT = 50;
const TRADES_LIMIT = 50;
const CANDLES_LIMIT = 300;

const QuotationsQuery = Type.Object({ pairCode: Type.Optional(PairCode) });

export function marketRoutes(service: MarketService): readonly RouteSpec[] {
  return [...pairRoutes(service), ...bookRoutes(service), ...dayRoutes(service), ...favouriteRoutes(service)];
}

function give<Data>(result: Result<Data, MarketRefusal>) {
  if (result.done) return answer(result.value);
  return refuse({ code: result.code, status: 404, message: "There is no such pair." });
}

function pairRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${PATH}/pairs`,
      summary: "Every listed pair with its rules and fees",
      output: Type.Array(Pair),
      handle: async () => answer(service.listPairs()),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/partitions`,
      summary: "The groups pairs are shown in",
      output: Type.Array(Partition),
      handle: async () => answer(service.listPartitions()),
    }),
  ];
}

function bookRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${PATH}/depth`,
      summary: "The order book of a pair, best prices first, with its sequence and checksum",
      query: DepthQuery,
      output: Depth,
      handle: async ({ query }) => give(service.readDepth(query.pairCode, query.limit ?? DEPTH_LIMIT)),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/trades`,
      summary: "The last public trades of a pair, newest last",
      query: TradesQuery,
      output: Type.Array(MarketTrade),
      handle: async ({ query }) => give(service.readTrades(query.pairCode, query.limit ?? TRADES_LIMIT)),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/candles`,
      summary: "Candles of a pair, oldest first",
      query: CandlesQuery,
      output: Type.Array(Candle),
      handle: async ({ query }, { timeMs }) => {
        const { from, to, timezone } = query;
        const isSpan = from !== undefined || to !== undefined;
        const request = {
          pairCode: query.pairCode,
          interval: query.interval,
          limit: query.limit ?? (isSpan ? CANDLES_LIMIT_MAX : CANDLES_LIMIT),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          ...(timezone === undefined ? {} : { timezone }),
        };
        return give(await service.readCandles(request, timeMs));
      },
    }),
  ];
}

function dayRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${PATH}/quotations`,
      summary: "The last 24 hours of every pair, or of one",
      query: QuotationsQuery,
      output: Type.Array(Quotation),
      handle: async ({ query }, { timeMs }) => {
        const all = service.listQuotations(timeMs);
        return answer(query.pairCode === undefined ? all : all.filter(({ pairCode }) => pairCode === query.pairCode));
      },
    }),
    defineRoute({
      ...open,
      path: `${PATH}/sparklines`,
      summary: "Closing prices of the last 24 hours, or of so many days, of every pair, for small curves",
      query: SparklinesQuery,
      output: Type.Array(Sparkline),
      handle: async ({ query }, { timeMs }) => answer(service.listSparklines(timeMs, query.days)),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/rankings`,
      summary: "Pairs by rise, fall, turnover and age",
      output: Rankings,
      handle: async (_, { timeMs }) => answer(service.readRankings(timeMs)),
    }),
  ];
}

function favouriteRoutes(service: MarketService): readonly RouteSpec[] {
  const own = { tag: "markets", scope: "user", path: `${PATH}/favourites`, output: Favourites } as const;
  return [
    defineRoute({
      ...own,
      method: "GET",
      summary: "The caller's own list of pairs",
      handle: async (_, { userId }) => answer(await service.readFavourites(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      summary: "Replaces the caller's own list of pairs",
      body: Favourites,
      handle: async ({ body }, { userId }) => give(await service.writeFavourites(Number(userId), body.pairCodes)),
    }),
  ];
}
