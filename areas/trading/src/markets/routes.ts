// REST of market data: schema → service → envelope. Public, except for a user's favourites. Spot below /api; contracts
// below /futuresapi, those with inverse margin also under the seed's own names.

import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { done, type Result } from "@clockwork/kit/result";
import type { SchemaValue } from "@clockwork/kit/schema-value";
import { DAY_MS } from "@clockwork/kit/time";
import {
  MARKET_CALLS as CALLS,
  CANDLES_LIMIT_MAX,
  CONTRACT_CALLS as CONTRACTS,
  type ContractBiz,
  INVERSE_CALLS,
  type TradesQuery,
} from "./contract.ts";
import type { ContractService } from "./contract-service.ts";
import type { MarketAsset } from "./pair.ts";
import { type ContractPlace, INVERSE, LINEAR } from "./places.ts";
import { CONTRACT_REFUSALS, FUND_REFUSALS, type MarketRefusal, REFUSALS } from "./refusals.ts";
import type { MarketService } from "./service.ts";
import type { PastRequest, TradeHistory } from "./trade-history.ts";

const open = { tag: "markets" } as const;
const DEPTH_LIMIT = 50;
const TRADES_LIMIT = 50;
const CANDLES_LIMIT = 300;

export function marketRoutes(service: MarketService, history: TradeHistory): readonly RouteSpec[] {
  return [
    ...pairRoutes(service),
    ...bookRoutes(service),
    ...tradeRoutes(history),
    ...dayRoutes(service),
    ...favouriteRoutes(service),
  ];
}

function give<Data>(result: Result<Data, MarketRefusal>) {
  if (result.done) return answer(result.value);
  return refuseBy(REFUSALS, result);
}

function pairRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    serve(CALLS.pairs, {
      ...open,
      summary: "Every listed pair with its rules and fees",
      handle: async () => answer(service.listPairs()),
    }),
    serve(CALLS.partitions, {
      ...open,
      summary: "The groups pairs are shown in",
      handle: async () => answer(service.listPartitions()),
    }),
  ];
}

function bookRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    serve(CALLS.depth, {
      ...open,
      summary: "The order book of a pair, best prices first, with its sequence and checksum",
      handle: async ({ query }) => give(service.readDepth(query.pairCode, query.limit ?? DEPTH_LIMIT)),
    }),
    serve(CALLS.candles, {
      ...open,
      summary: "Candles of a pair, oldest first",
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

const requestOf = ({ fromId, from, to, limit = TRADES_LIMIT }: SchemaValue<typeof TradesQuery>): PastRequest => ({
  limit,
  ...(fromId === undefined ? {} : { fromId }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

function tradeRoutes(history: TradeHistory): readonly RouteSpec[] {
  return [
    serve(CALLS.trades, {
      ...open,
      summary: "Public trades of a pair, oldest first: the last ones, or the first from a number or a time on",
      handle: async ({ query }) => give(await history.readTrades("spot", query.pairCode, requestOf(query))),
    }),
    serve(CALLS.aggregates, {
      ...open,
      summary: "Public trades of a pair with what one order traded at one price as one, oldest first",
      handle: async ({ query }) => give(await history.readAggregates("spot", query.pairCode, requestOf(query))),
    }),
  ];
}

function dayRoutes(service: MarketService): readonly RouteSpec[] {
  return [
    serve(CALLS.quotations, {
      ...open,
      summary: "The last 24 hours of every pair, or of one",
      handle: async ({ query }, { timeMs }) => {
        const all = service.listQuotations(timeMs);
        return answer(query.pairCode === undefined ? all : all.filter(({ pairCode }) => pairCode === query.pairCode));
      },
    }),
    serve(CALLS.sparklines, {
      ...open,
      summary: "Closing prices of the last 24 hours, or of so many days, of every pair, for small curves",
      handle: async ({ query }, { timeMs }) => answer(service.listSparklines(timeMs, query.days)),
    }),
    serve(CALLS.rankings, {
      ...open,
      summary: "Pairs by rise, fall, turnover and age",
      handle: async (_, { timeMs }) => answer(service.readRankings(timeMs)),
    }),
  ];
}

function favouriteRoutes(service: MarketService): readonly RouteSpec[] {
  const own = { tag: "markets", scope: "user" } as const;
  return [
    serve(CALLS.favourites, {
      ...own,
      summary: "The caller's own list of pairs",
      handle: async (_, { userId }) => answer(await service.readFavourites(Number(userId))),
    }),
    serve(CALLS.saveFavourites, {
      ...own,
      summary: "Replaces the caller's own list of pairs",
      handle: async ({ body }, { userId }) => give(await service.writeFavourites(Number(userId), body.pairCodes)),
    }),
  ];
}

export interface ContractRouteParts {
  readonly contracts: ContractService;
  readonly history: TradeHistory;
  findAsset(symbol: string): MarketAsset | undefined;
}

const contract = { tag: "contracts" } as const;
const FUNDING_LIMIT = 100;
const LIQUIDATION_LIMIT = 50;
const FUND_DAYS = 30;
const NEWEST = Number.MAX_SAFE_INTEGER;

export function contractRoutes(parts: ContractRouteParts): readonly RouteSpec[] {
  return [...placeRoutes(parts, LINEAR), ...placeRoutes(parts, INVERSE), ...seedRoutes(parts)];
}

function placeRoutes(parts: ContractRouteParts, place: ContractPlace<ContractBiz>): readonly RouteSpec[] {
  return [
    ...ruleRoutes(parts, place),
    ...contractBookRoutes(parts, place),
    ...candleRoutes(parts, place),
    ...contractDayRoutes(parts, place),
    ...historyRoutes(parts, place),
  ];
}

export const refuseField = <Code extends string>(table: RefusalTable<Code>, code: Code, field: string) =>
  refuseBy(table, { code }, { [`query.${field}`]: table[code][1] });
export const UNKNOWN_CONTRACT = refuseField(CONTRACT_REFUSALS, "UNKNOWN_MARKET", "pairCode");

function giveContract<Data>(result: Result<Data, MarketRefusal>) {
  if (result.done) return answer(result.value);
  return UNKNOWN_CONTRACT;
}

/** All, or the requested one, which must be listed. */
function pickContract<Row extends { readonly pairCode: string }>(
  contracts: ContractService,
  { biz, pairCode }: { readonly biz: ContractBiz; readonly pairCode?: string },
  all: readonly Row[],
) {
  if (pairCode === undefined) return giveContract<Row[]>(done([...all]));
  const known = contracts.readLadder(biz, pairCode);
  return giveContract<Row[]>(known.done ? done(all.filter((row) => row.pairCode === pairCode)) : known);
}

function ruleRoutes({ contracts }: ContractRouteParts, { at, biz }: ContractPlace<ContractBiz>): readonly RouteSpec[] {
  return [
    serve(at(CONTRACTS.instruments), {
      ...contract,
      summary: "Every listed contract with its rules and fees",
      handle: async ({ query }) => {
        const all = contracts.listContracts(query.biz ?? biz);
        return pickContract(contracts, { biz, ...query }, all);
      },
    }),
    serve(at(CONTRACTS.ladder), {
      ...contract,
      summary: "The ladder of a contract: largest value, leverage and maintenance rate of each tier",
      handle: async ({ query }) => giveContract(contracts.readLadder(query.biz ?? biz, query.pairCode)),
    }),
  ];
}

function contractBookRoutes(
  { contracts, history }: ContractRouteParts,
  { at, biz }: ContractPlace<ContractBiz>,
): readonly RouteSpec[] {
  return [
    serve(at(CONTRACTS.depth), {
      ...contract,
      summary: "The order book of a contract, best prices first, with its sequence and checksum",
      handle: async ({ query }) =>
        giveContract(contracts.readDepth(query.biz ?? biz, query.pairCode, query.limit ?? DEPTH_LIMIT)),
    }),
    serve(at(CONTRACTS.trades), {
      ...contract,
      summary: "Public trades of a contract, oldest first: the last ones, or the first from a number or a time on",
      handle: async ({ query }) =>
        giveContract(await history.readTrades(query.biz ?? biz, query.pairCode, requestOf(query))),
    }),
    serve(at(CONTRACTS.aggregates), {
      ...contract,
      summary: "Public trades of a contract with what one order traded at one price as one, oldest first",
      handle: async ({ query }) =>
        giveContract(await history.readAggregates(query.biz ?? biz, query.pairCode, requestOf(query))),
    }),
  ];
}

function candleRoutes(
  { contracts }: ContractRouteParts,
  { at, biz }: ContractPlace<ContractBiz>,
): readonly RouteSpec[] {
  return [
    serve(at(CONTRACTS.candles), {
      ...contract,
      summary: "Candles of trades, mark, index or open interest, oldest first",
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

function contractDayRoutes(
  { contracts }: ContractRouteParts,
  { at, biz }: ContractPlace<ContractBiz>,
): readonly RouteSpec[] {
  return [
    serve(at(CONTRACTS.quotations), {
      ...contract,
      summary: "The last 24 hours of every contract, or of one, with mark, index, funding and open interest",
      handle: async ({ query }, { timeMs }) => {
        const all = contracts.listQuotations(query.biz ?? biz, timeMs);
        return pickContract(contracts, { biz, ...query }, all);
      },
    }),
  ];
}

function historyRoutes(parts: ContractRouteParts, { at, biz }: ContractPlace<ContractBiz>): readonly RouteSpec[] {
  const { contracts } = parts;
  return [
    serve(at(CONTRACTS.fundingHistory), {
      ...contract,
      summary: "Settlements of a contract, newest first",
      handle: async ({ query }) => {
        const limit = query.limit ?? FUNDING_LIMIT;
        return giveContract(
          await contracts.listFundings(query.biz ?? biz, query.pairCode, query.before ?? NEWEST, limit),
        );
      },
    }),
    serve(at(CONTRACTS.liquidations), {
      ...contract,
      summary: "Public prints of liquidations of a contract or of all, newest first; each has a report under its id",
      handle: async ({ query }) => {
        const [sequence = NEWEST, place = 0] = query.before?.split("-").map(Number) ?? [];
        const before = { sequence, place };
        const limit = query.limit ?? LIQUIDATION_LIMIT;
        return giveContract(await contracts.listLiquidations(query.biz ?? biz, query.pairCode, before, limit));
      },
    }),
    serve(at(CONTRACTS.riskFund), {
      ...contract,
      summary: "The insurance fund of a settlement coin: what it holds, and its days",
      handle: async ({ query }, { timeMs }) => {
        const symbol = query.asset ?? ((query.biz ?? biz) === "delivery" ? "BTC" : "USDT");
        const asset = parts.findAsset(symbol);
        if (asset === undefined) return refuseField(FUND_REFUSALS, "UNKNOWN_ASSET", "asset");
        const fromMs = timeMs - (query.days ?? FUND_DAYS) * DAY_MS;
        return answer({ asset: symbol, ...(await contracts.readFund(asset, fromMs)) });
      },
    }),
  ];
}

/** The seed's names for calls defined above under others. */
function seedRoutes({ contracts }: ContractRouteParts): readonly RouteSpec[] {
  const { biz } = INVERSE;
  return [
    serve(INVERSE_CALLS.pairs, {
      ...contract,
      summary: "Every coin-margined contract with its rules and fees",
      handle: async () => answer(contracts.listContracts(biz)),
    }),
    serve(INVERSE_CALLS.config, {
      ...contract,
      summary: "Every coin-margined contract with its ladder",
      handle: async () =>
        answer(
          contracts.listContracts(biz).map((contract) => {
            const ladder = contracts.readLadder(biz, contract.pairCode);
            return { contract, ladder: ladder.done ? ladder.value : [] };
          }),
        ),
    }),
    serve(INVERSE_CALLS.priceRate, {
      ...contract,
      summary: "Mark, index and funding of every coin-margined contract",
      handle: async (_, { timeMs }) => answer(contracts.listQuotations(biz, timeMs)),
    }),
  ];
}
