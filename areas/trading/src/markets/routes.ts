// REST of market data: schema → service → envelope. Public, but for a user's favourites. Spot below /api; contracts below
// /futuresapi, those with inverse margin also under the seed's own names.

import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { done, type Result } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { Type } from "typebox";
import {
  CANDLES_LIMIT_MAX,
  Candle,
  CandlesQuery,
  type ContractBiz,
  ContractCandlesQuery,
  ContractDepthQuery,
  ContractInfo,
  ContractQuery,
  ContractQuotation,
  ContractsQuery,
  ContractTradesQuery,
  Depth,
  DepthQuery,
  Favourites,
  FundingEntry,
  FundingHistoryQuery,
  LadderStep,
  LiquidationEntry,
  LiquidationsQuery,
  MarketTrade,
  Pair,
  PairCode,
  Partition,
  Quotation,
  Rankings,
  RiskFund,
  RiskFundQuery,
  Sparkline,
  SparklinesQuery,
  TradesQuery,
} from "./contract.ts";
import type { ContractService } from "./contract-service.ts";
import type { MarketAsset } from "./needs.ts";
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

export interface ContractRouteParts {
  readonly contracts: ContractService;
  findAsset(symbol: string): MarketAsset | undefined;
}

interface Place {
  readonly path: string;
  readonly biz: ContractBiz;
}

const contract = { method: "GET", tag: "contracts", bases: ["futures"] } as const;
const LINEAR: Place = { path: "/v1/futuresc", biz: "futures" };
const INVERSE: Place = { path: "/v1/perpcm", biz: "delivery" };
const FUNDING_LIMIT = 100;
const LIQUIDATION_LIMIT = 50;
const FUND_DAYS = 30;
const NEWEST = Number.MAX_SAFE_INTEGER;

export function contractRoutes(parts: ContractRouteParts): readonly RouteSpec[] {
  return [...placeRoutes(parts, LINEAR), ...placeRoutes(parts, INVERSE), ...seedRoutes(parts)];
}

function placeRoutes(parts: ContractRouteParts, place: Place): readonly RouteSpec[] {
  return [
    ...ruleRoutes(parts, place),
    ...contractBookRoutes(parts, place),
    ...candleRoutes(parts, place),
    ...contractDayRoutes(parts, place),
    ...historyRoutes(parts, place),
  ];
}

function giveContract<Data>(result: Result<Data, MarketRefusal>) {
  if (result.done) return answer(result.value);
  const message = "There is no such contract.";
  return refuse({ code: "UNKNOWN_MARKET", status: 404, message, fields: { "query.pairCode": message } });
}

/** All, or the one that was asked for, which must be listed. */
function pickContract<Row extends { readonly pairCode: string }>(
  contracts: ContractService,
  { biz, pairCode }: { readonly biz: ContractBiz; readonly pairCode?: string },
  all: readonly Row[],
) {
  if (pairCode === undefined) return giveContract<Row[]>(done([...all]));
  const known = contracts.readLadder(biz, pairCode);
  return giveContract<Row[]>(known.done ? done(all.filter((row) => row.pairCode === pairCode)) : known);
}

function ruleRoutes({ contracts }: ContractRouteParts, { path, biz }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...contract,
      path: `${path}/instruments`,
      summary: "Every listed contract with its rules and fees",
      query: ContractsQuery,
      output: Type.Array(ContractInfo),
      handle: async ({ query }) => {
        const all = contracts.listContracts(query.biz ?? biz);
        return pickContract(contracts, { biz, ...query }, all);
      },
    }),
    defineRoute({
      ...contract,
      path: `${path}/ladder`,
      summary: "The ladder of a contract: largest value, leverage and maintenance rate of each tier",
      query: ContractQuery,
      output: Type.Array(LadderStep),
      handle: async ({ query }) => giveContract(contracts.readLadder(query.biz ?? biz, query.pairCode)),
    }),
  ];
}

function contractBookRoutes({ contracts }: ContractRouteParts, { path, biz }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...contract,
      path: `${path}/depth`,
      summary: "The order book of a contract, best prices first, with its sequence and checksum",
      query: ContractDepthQuery,
      output: Depth,
      handle: async ({ query }) =>
        giveContract(contracts.readDepth(query.biz ?? biz, query.pairCode, query.limit ?? DEPTH_LIMIT)),
    }),
    defineRoute({
      ...contract,
      path: `${path}/trades`,
      summary: "The last public trades of a contract, newest last",
      query: ContractTradesQuery,
      output: Type.Array(MarketTrade),
      handle: async ({ query }) =>
        giveContract(contracts.readTrades(query.biz ?? biz, query.pairCode, query.limit ?? TRADES_LIMIT)),
    }),
  ];
}

function candleRoutes({ contracts }: ContractRouteParts, { path, biz }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...contract,
      path: `${path}/candles`,
      summary: "Candles of trades, mark, index or open interest, oldest first",
      query: ContractCandlesQuery,
      output: Type.Array(Candle),
      handle: async ({ query }, { timeMs }) => {
        const { from, to, timezone, kind = "last" } = query;
        const isSpan = from !== undefined || to !== undefined;
        const request = {
          biz: query.biz ?? biz,
          pairCode: query.pairCode,
          kind,
          interval: query.interval,
          limit: query.limit ?? (isSpan ? CANDLES_LIMIT_MAX : CANDLES_LIMIT),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          ...(timezone === undefined ? {} : { timezone }),
        };
        return giveContract(await contracts.readCandles(request, timeMs));
      },
    }),
  ];
}

function contractDayRoutes({ contracts }: ContractRouteParts, { path, biz }: Place): readonly RouteSpec[] {
  return [
    defineRoute({
      ...contract,
      path: `${path}/quotations`,
      summary: "The last 24 hours of every contract, or of one, with mark, index, funding and open interest",
      query: ContractsQuery,
      output: Type.Array(ContractQuotation),
      handle: async ({ query }, { timeMs }) => {
        const all = contracts.listQuotations(query.biz ?? biz, timeMs);
        return pickContract(contracts, { biz, ...query }, all);
      },
    }),
  ];
}

function historyRoutes(parts: ContractRouteParts, { path, biz }: Place): readonly RouteSpec[] {
  const { contracts } = parts;
  return [
    defineRoute({
      ...contract,
      path: `${path}/funding-history`,
      summary: "Settlements of a contract, newest first",
      query: FundingHistoryQuery,
      output: Type.Array(FundingEntry),
      handle: async ({ query }) => {
        const limit = query.limit ?? FUNDING_LIMIT;
        return giveContract(
          await contracts.listFundings(query.biz ?? biz, query.pairCode, query.before ?? NEWEST, limit),
        );
      },
    }),
    defineRoute({
      ...contract,
      path: `${path}/liquidations`,
      summary: "Public prints of liquidations of a contract or of all, newest first; each has a report under its id",
      query: LiquidationsQuery,
      output: Type.Array(LiquidationEntry),
      handle: async ({ query }) => {
        const [sequence = NEWEST, place = 0] = query.before?.split("-").map(Number) ?? [];
        const before = { sequence, place };
        const limit = query.limit ?? LIQUIDATION_LIMIT;
        return giveContract(await contracts.listLiquidations(query.biz ?? biz, query.pairCode, before, limit));
      },
    }),
    defineRoute({
      ...contract,
      path: `${path}/risk-fund`,
      summary: "The insurance fund of a settlement coin: what it holds, and its days",
      query: RiskFundQuery,
      output: RiskFund,
      handle: async ({ query }, { timeMs }) => {
        const symbol = query.asset ?? ((query.biz ?? biz) === "delivery" ? "BTC" : "USDT");
        const asset = parts.findAsset(symbol);
        if (asset === undefined) {
          const message = "There is no such coin.";
          return refuse({ code: "UNKNOWN_ASSET", status: 404, message, fields: { "query.asset": message } });
        }
        const fromMs = timeMs - (query.days ?? FUND_DAYS) * DAY_MS;
        return answer({ asset: symbol, ...(await contracts.readFund(asset, fromMs)) });
      },
    }),
  ];
}

/** Names of the seed for what stands above under another. */
function seedRoutes({ contracts }: ContractRouteParts): readonly RouteSpec[] {
  const { path, biz } = INVERSE;
  return [
    defineRoute({
      ...contract,
      path: `${path}/pairs`,
      summary: "Every coin-margined contract with its rules and fees",
      output: Type.Array(ContractInfo),
      handle: async () => answer(contracts.listContracts(biz)),
    }),
    defineRoute({
      ...contract,
      path: `${path}/config`,
      summary: "Every coin-margined contract with its ladder",
      output: Type.Array(Type.Object({ contract: ContractInfo, ladder: Type.Array(LadderStep) })),
      handle: async () =>
        answer(
          contracts.listContracts(biz).map((contract) => {
            const ladder = contracts.readLadder(biz, contract.pairCode);
            return { contract, ladder: ladder.done ? ladder.value : [] };
          }),
        ),
    }),
    defineRoute({
      ...contract,
      path: `${path}/price-rate`,
      summary: "Mark, index and funding of every coin-margined contract",
      output: Type.Array(ContractQuotation),
      handle: async (_, { timeMs }) => answer(contracts.listQuotations(biz, timeMs)),
    }),
  ];
}
