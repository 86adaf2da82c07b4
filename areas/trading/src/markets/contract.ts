// The wire contract of markets: pairs, quotations, depth, trades, candles and their live channels. The only file of the
// slice a browser may import. Prices, quantities and amounts are exact decimal text.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { CONTRACT_REFUSALS, FUND_REFUSALS, REFUSALS } from "./refusals.ts";

export const PAIR_CODE_PATTERN = "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$";
export const PairCode = Type.String({ pattern: PAIR_CODE_PATTERN, maxLength: 25 });
const DecimalText = Type.String();

export const CANDLE_INTERVALS = [
  "1s",
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1h",
  "2h",
  "4h",
  "6h",
  "8h",
  "12h",
  "1d",
  "3d",
  "1w",
  "1M",
] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];
export const CandleIntervalName = Type.Union(CANDLE_INTERVALS.map((name) => Type.Literal(name)));

export const DEPTH_LIMIT_MAX = 500;
export const TRADES_LIMIT_MAX = 1_000;
export const CANDLES_LIMIT_MAX = 1_000;

/**
 * Calls, below the base: GET /v1/spot/{pairs, depth, trades, candles, quotations, sparklines, partitions, rankings} are
 * public; GET and POST /v1/spot/favourites are the caller's own list, the whole of it each time.
 */

/** One pair: its rules as the core enforces them, and the fee of level 0. */
export const Pair = Type.Object({
  pairCode: PairCode,
  base: Type.String(),
  quote: Type.String(),
  baseName: Type.String(),
  status: Type.String(),
  priceDecimals: Type.Integer(),
  quantityDecimals: Type.Integer(),
  /** The ledger's decimals of each coin: amounts may have no more. */
  baseScale: Type.Integer(),
  quoteScale: Type.Integer(),
  tickSize: DecimalText,
  stepSize: DecimalText,
  minQuantity: DecimalText,
  maxQuantity: DecimalText,
  maxMarketQuantity: DecimalText,
  minNotional: DecimalText,
  /** Bounds of a limit price as multiples of the anchor, in text: buyMax "1.2" means 1.2 × the 5-minute average. */
  band: Type.Object({ buyMax: DecimalText, buyMin: DecimalText, sellMin: DecimalText, sellMax: DecimalText }),
  openOrdersMax: Type.Integer(),
  /** Fractions: "0.001" is 0.1 %. */
  makerRate: DecimalText,
  takerRate: DecimalText,
  partitions: Type.Array(Type.String()),
  listedAtMs: Type.Integer(),
  /** The market is driven by simulated traders; screens must show that. */
  isSimulated: Type.Boolean(),
});
export type Pair = Static<typeof Pair>;

/** The last 24 hours of a pair. changePercent is truncated to two decimals and signed ("-1.25"). */
export const Quotation = Type.Object({
  pairCode: PairCode,
  last: DecimalText,
  open: DecimalText,
  high: DecimalText,
  low: DecimalText,
  bid: Type.Union([DecimalText, Type.Null()]),
  ask: Type.Union([DecimalText, Type.Null()]),
  changePercent: DecimalText,
  /** The reference of the price band (see Pair.band): the average of five minutes; null before any trade. */
  bandPrice: Type.Union([DecimalText, Type.Null()]),
  /** Base traded, quote traded. */
  volume: DecimalText,
  turnover: DecimalText,
  timeMs: Type.Integer(),
});
export type Quotation = Static<typeof Quotation>;

/** Price and visible quantity. */
const DepthLevel = Type.Array(DecimalText, { minItems: 2, maxItems: 2 });

export const DepthQuery = Type.Object({
  pairCode: PairCode,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: DEPTH_LIMIT_MAX })),
});
/** Best price first on both sides; checksum is CRC32 of the top 25 levels (depthChecksum of kit/depth-checksum). */
export const Depth = Type.Object({
  pairCode: PairCode,
  sequence: Type.Integer(),
  bids: Type.Array(DepthLevel),
  asks: Type.Array(DepthLevel),
  checksum: Type.Integer(),
  timeMs: Type.Integer(),
});
export type Depth = Static<typeof Depth>;

/** Levels that changed between book sequence `first` and `last`, both included; quantity "0" removes a level. */
export const DepthDelta = Type.Object({
  first: Type.Integer(),
  last: Type.Integer(),
  bids: Type.Array(DepthLevel),
  asks: Type.Array(DepthLevel),
  checksum: Type.Integer(),
  timeMs: Type.Integer(),
});
export type DepthDelta = Static<typeof DepthDelta>;

export const MarketTrade = Type.Object({
  /** Trade number of the pair, without gaps. */
  id: Type.Integer(),
  price: DecimalText,
  quantity: DecimalText,
  /** The taker's side. */
  side: Type.Union([Type.Literal("buy"), Type.Literal("sell")]),
  timeMs: Type.Integer(),
  /** Number of the aggregate it is part of: what one order traded at one price. Without gaps. */
  aggregate: Type.Integer(),
});
export type MarketTrade = Static<typeof MarketTrade>;

/** What one order traded at one price, as one trade. */
export const AggregateTrade = Type.Object({
  id: Type.Integer(),
  price: DecimalText,
  quantity: DecimalText,
  firstId: Type.Integer(),
  lastId: Type.Integer(),
  side: Type.Union([Type.Literal("buy"), Type.Literal("sell")]),
  timeMs: Type.Integer(),
});
export type AggregateTrade = Static<typeof AggregateTrade>;

const TimeMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 });

/** The first trades from a number or a time on, else the newest; never after `to`. Back to the first trade there was. */
export const TradesQuery = Type.Object({
  pairCode: PairCode,
  fromId: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  from: Type.Optional(TimeMs),
  to: Type.Optional(TimeMs),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: TRADES_LIMIT_MAX })),
});

/** Opening time, then exact prices; a candle without trades repeats the close before it. */
export const Candle = Type.Object({
  timeMs: Type.Integer(),
  open: DecimalText,
  high: DecimalText,
  low: DecimalText,
  close: DecimalText,
  volume: DecimalText,
  turnover: DecimalText,
  /** The taker buys in both; 0 in generated candles. */
  boughtVolume: DecimalText,
  boughtTurnover: DecimalText,
  trades: Type.Integer(),
  /** Generated before this exchange ran, not from trades of its book. */
  isGenerated: Type.Boolean(),
});
export type Candle = Static<typeof Candle>;

export const CandlesQuery = Type.Object({
  pairCode: PairCode,
  interval: CandleIntervalName,
  /** Opening times, inclusive; the newest `limit` candles when left out. */
  from: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CANDLES_LIMIT_MAX })),
  /** Day and longer candles open at 00:00 UTC ("0") or 00:00 UTC+8 ("1"). */
  /** Where days begin: 0 is UTC, 1 is UTC+8, else minutes east of UTC in whole hours, as m-300. */
  timezone: Type.Optional(Type.String({ pattern: "^(0|1|m-?[0-9]{1,3})$", maxLength: 5 })),
});

/** Sparklines of one day unless more is requested. */
export const SparklinesQuery = Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })) });

/** Closing prices at equal distances, oldest first; fewer for a pair that is younger than the requested span. */
export const Sparkline = Type.Object({ pairCode: PairCode, points: Type.Array(DecimalText) });
export type Sparkline = Static<typeof Sparkline>;

export const Partition = Type.Object({ key: Type.String(), name: Type.String(), pairCodes: Type.Array(PairCode) });
export type Partition = Static<typeof Partition>;

/** Pair codes by rank: best and worst movers, most traded, newest. */
export const Rankings = Type.Object({
  rise: Type.Array(PairCode),
  fall: Type.Array(PairCode),
  turnover: Type.Array(PairCode),
  newest: Type.Array(PairCode),
});
export type Rankings = Static<typeof Rankings>;

export const FAVOURITES_MAX = 200;
export const Favourites = Type.Object({ pairCodes: Type.Array(PairCode, { maxItems: FAVOURITES_MAX }) });
export type Favourites = Static<typeof Favourites>;

/**
 * Live channels, all with biz "spot":
 * - ticker: type "all" (data Quotation[], at most once a second), or pairCode (data Quotation), latest value only.
 *   type "rise" (data Rankings). type "index" (data Quotation[] of the majors), for the app's first screen.
 * - depth: pairCode; snapshot data Depth, then DepthDelta numbered by book sequence; at most 20 a second.
 * - trades: pairCode; snapshot data MarketTrade[] (newest last), then MarketTrade[] numbered by trade id.
 * - candles: type is the interval, pairCode; data Candle[] with the last two candles, latest value only.
 */
export const TICKER_CHANNEL = "ticker";
export const DEPTH_CHANNEL = "depth";
export const TRADES_CHANNEL = "trades";
export const CANDLES_CHANNEL = "candles";

/**
 * Perpetual contracts. Public calls below /futuresapi/v1/futuresc: GET instruments, depth, trades, candles, quotations,
 * funding-history, liquidations, ladder, risk-fund, risk-state, index-sources, long-short; `biz` selects futures
 * (linear, the default), delivery (inverse) or demo. Quantities are in coins, of inverse contracts in USD; values in
 * the settlement coin.
 */
export const CONTRACT_BIZ = ["futures", "delivery", "demo"] as const;
const ContractBizName = Type.Enum(CONTRACT_BIZ);
export type ContractBiz = (typeof CONTRACT_BIZ)[number];
const ofBiz = { biz: Type.Optional(ContractBizName) };

export const ContractInfo = Type.Object({
  ...Pair.properties,
  biz: ContractBizName,
  kind: Type.Enum(["linear", "inverse"]),
  settle: Type.String(),
  settleScale: Type.Integer(),
  /** Inverse: the value of one contract in the quote currency. */
  faceValue: Type.Union([DecimalText, Type.Null()]),
  contractClass: Type.Enum(["A", "B"]),
  fundingHours: Type.Integer(),
  interestRate: DecimalText,
  liquidationRate: DecimalText,
  maxLeverage: Type.Integer(),
});
export type ContractInfo = Static<typeof ContractInfo>;

/** One step of a ladder: notionals in the settlement coin, rates as fractions. */
export const LadderStep = Type.Object({
  tier: Type.Integer(),
  maxNotional: DecimalText,
  maxLeverage: Type.Integer(),
  maintenanceRate: DecimalText,
  deduction: DecimalText,
});
export type LadderStep = Static<typeof LadderStep>;

export const ContractQuotation = Type.Object({
  ...Quotation.properties,
  /** Null before the first. */
  mark: Type.Union([DecimalText, Type.Null()]),
  index: Type.Union([DecimalText, Type.Null()]),
  /** While the index is unreliable the mark is frozen and no position is liquidated. */
  isDegraded: Type.Boolean(),
  /** Fractions: the rate of the next settlement if it were now, and of the last one. */
  fundingRate: DecimalText,
  lastFundingRate: DecimalText,
  nextFundingMs: Type.Integer(),
  /** As a quantity, and its value at the mark in the settlement coin. */
  openInterest: DecimalText,
  openInterestValue: DecimalText,
});
export type ContractQuotation = Static<typeof ContractQuotation>;

export const FundingEntry = Type.Object({
  timeMs: Type.Integer(),
  rate: DecimalText,
  premium: DecimalText,
  mark: DecimalText,
  samples: Type.Integer(),
  positions: Type.Integer(),
  isGenerated: Type.Boolean(),
});
export type FundingEntry = Static<typeof FundingEntry>;

/** The book took a part, after which it continued or was healthy again, or all; the fund; winners on the other side. */
export const LIQUIDATION_OUTCOMES = ["reduced", "recovered", "closed", "takenOver", "deleveraged"] as const;
export type LiquidationOutcome = (typeof LIQUIDATION_OUTCOMES)[number];
export const LiquidationEntry = Type.Object({
  id: Type.String(),
  pairCode: PairCode,
  /** Which side was liquidated. */
  side: Type.Enum(["long", "short"]),
  price: DecimalText,
  quantity: DecimalText,
  timeMs: Type.Integer(),
  /** Who took it (see LIQUIDATION_OUTCOMES); null for prints from before this was stored. */
  outcome: Type.Union([Type.Enum(LIQUIDATION_OUTCOMES), Type.Null()]),
});
export type LiquidationEntry = Static<typeof LiquidationEntry>;

const FundDay = Type.Object({
  dayMs: Type.Integer(),
  balance: DecimalText,
  inflow: DecimalText,
  outflow: DecimalText,
});
export type FundDay = Static<typeof FundDay>;
export const RiskFund = Type.Object({ asset: Type.String(), balance: DecimalText, days: Type.Array(FundDay) });
export type RiskFund = Static<typeof RiskFund>;

/** The current sources of an index. A source that is silent or off the median has weight 0. */
const IndexSource = Type.Object({
  name: Type.String(),
  price: DecimalText,
  /** From the median of the live sources, as a fraction. */
  offMedian: DecimalText,
  /** Its part in the index, as a fraction. */
  weight: DecimalText,
  ageMs: Type.Integer(),
  state: Type.Enum(["live", "outlier", "silent"]),
});
export type IndexSource = Static<typeof IndexSource>;
/** The mark is the median of three, each second, kept near the index; where one is missing only the first counts. */
const MarkParts = Type.Object({
  /** Index × (1 + last rate × time left ÷ interval). */
  byFunding: DecimalText,
  /** Index + the mean of 30 samples of the book's middle less the index; null while a side of the book is empty. */
  byBook: Type.Union([DecimalText, Type.Null()]),
  /** Null without a trade for a minute. */
  last: Type.Union([DecimalText, Type.Null()]),
  /** The maximum distance from the index, as a fraction. */
  clamp: DecimalText,
});
export type MarkParts = Static<typeof MarkParts>;
/**
 * The newest sample of the premium, taken every five seconds; prices null where the book is too thin for the notional.
 */
const PremiumNow = Type.Object({
  /** In the contract's quote coin. */
  notional: DecimalText,
  impactBid: Type.Union([DecimalText, Type.Null()]),
  impactAsk: Type.Union([DecimalText, Type.Null()]),
  premium: DecimalText,
});
export const IndexView = Type.Object({
  pairCode: PairCode,
  index: Type.Union([DecimalText, Type.Null()]),
  isDegraded: Type.Boolean(),
  sources: Type.Array(IndexSource),
  /** Null before the first index. */
  mark: Type.Union([MarkParts, Type.Null()]),
  premium: Type.Union([PremiumNow, Type.Null()]),
});
export type IndexView = Static<typeof IndexView>;
/** Accounts and quantity on each side, their part as a fraction. Both sides' quantities are equal. */
export const LongShort = Type.Object({
  pairCode: PairCode,
  longAccounts: Type.Integer(),
  shortAccounts: Type.Integer(),
  /** Null without short accounts. */
  ratio: Type.Union([DecimalText, Type.Null()]),
  longQuantity: DecimalText,
  shortQuantity: DecimalText,
});
export type LongShort = Static<typeof LongShort>;

export const ContractsQuery = Type.Object({ ...ofBiz, pairCode: Type.Optional(PairCode) });
export const ContractQuery = Type.Object({ ...ofBiz, pairCode: PairCode });
export const ContractDepthQuery = Type.Object({ ...ofBiz, ...DepthQuery.properties });
export const ContractTradesQuery = Type.Object({ ...ofBiz, ...TradesQuery.properties });
/** interest: open interest, in quantities. premium: how far the contract was above its index, as a fraction. */
export const ContractCandlesQuery = Type.Object({
  ...ofBiz,
  ...CandlesQuery.properties,
  kind: Type.Optional(Type.Enum(["last", "mark", "index", "interest", "premium"])),
});
export const FundingHistoryQuery = Type.Object({
  ...ofBiz,
  pairCode: PairCode,
  /** Settlements before this time, newest first. */
  before: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
});
export const LiquidationsQuery = Type.Object({
  ...ContractsQuery.properties,
  /** The id of the last one of the page before. */
  before: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,15}-[0-9]{1,9}$", maxLength: 26 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});
export const RiskFundQuery = Type.Object({
  ...ofBiz,
  /** The settlement coin; USDT of futures when left out, BTC of delivery. */
  asset: Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
});

/**
 * Live channels of contracts, biz "futures" or "delivery" (a demo page reads those of the real contracts):
 * - ticker: type "all" (ContractQuotation[], at most once a second), or pairCode (ContractQuotation).
 * - depth, trades: as of spot. candles: type is the interval, or "mark:" or "index:" with it.
 * - mark, index: pairCode; data ContractPrice. funding: data FundingState. interest: data InterestState. Latest values.
 * - liquidations: pairCode, or type "all"; snapshot LiquidationEntry[] (newest last, at most 50), then new ones by sequence.
 */
export const MARK_CHANNEL = "mark";
export const INDEX_CHANNEL = "index";
export const FUNDING_CHANNEL = "funding";
export const INTEREST_CHANNEL = "interest";
export const LIQUIDATIONS_CHANNEL = "liquidations";
export interface ContractPrice {
  /** Null before the first. */
  readonly price: string | null;
  readonly isDegraded: boolean;
  readonly timeMs: number;
}
export interface FundingState {
  readonly rate: string;
  readonly lastRate: string;
  readonly nextFundingMs: number;
}
export interface InterestState {
  readonly openInterest: string;
  readonly openInterestValue: string;
}

export const MARKET_CALLS = {
  pairs: endpoint("GET", "/v1/spot/pairs", { output: Type.Array(Pair) }),
  partitions: endpoint("GET", "/v1/spot/partitions", { output: Type.Array(Partition) }),
  depth: endpoint("GET", "/v1/spot/depth", { query: DepthQuery, output: Depth, refusals: REFUSALS }),
  trades: endpoint("GET", "/v1/spot/trades", {
    query: TradesQuery,
    output: Type.Array(MarketTrade),
    refusals: REFUSALS,
  }),
  aggregates: endpoint("GET", "/v1/spot/aggregate-trades", {
    query: TradesQuery,
    output: Type.Array(AggregateTrade),
    refusals: REFUSALS,
  }),
  candles: endpoint("GET", "/v1/spot/candles", { query: CandlesQuery, output: Type.Array(Candle), refusals: REFUSALS }),
  quotations: endpoint("GET", "/v1/spot/quotations", {
    query: Type.Object({ pairCode: Type.Optional(PairCode) }),
    output: Type.Array(Quotation),
  }),
  sparklines: endpoint("GET", "/v1/spot/sparklines", { query: SparklinesQuery, output: Type.Array(Sparkline) }),
  rankings: endpoint("GET", "/v1/spot/rankings", { output: Rankings }),
  favourites: endpoint("GET", "/v1/spot/favourites", { output: Favourites }),
  saveFavourites: endpoint("POST", "/v1/spot/favourites", { body: Favourites, output: Favourites, refusals: REFUSALS }),
};

export const CONTRACT_CALLS = {
  instruments: endpoint("GET", "/v1/futuresc/instruments", {
    bases: ["futures"],
    query: ContractsQuery,
    output: Type.Array(ContractInfo),
    refusals: CONTRACT_REFUSALS,
  }),
  ladder: endpoint("GET", "/v1/futuresc/ladder", {
    bases: ["futures"],
    query: ContractQuery,
    output: Type.Array(LadderStep),
    refusals: CONTRACT_REFUSALS,
  }),
  depth: endpoint("GET", "/v1/futuresc/depth", {
    bases: ["futures"],
    query: ContractDepthQuery,
    output: Depth,
    refusals: CONTRACT_REFUSALS,
  }),
  trades: endpoint("GET", "/v1/futuresc/trades", {
    bases: ["futures"],
    query: ContractTradesQuery,
    output: Type.Array(MarketTrade),
    refusals: CONTRACT_REFUSALS,
  }),
  aggregates: endpoint("GET", "/v1/futuresc/aggregate-trades", {
    bases: ["futures"],
    query: ContractTradesQuery,
    output: Type.Array(AggregateTrade),
    refusals: CONTRACT_REFUSALS,
  }),
  candles: endpoint("GET", "/v1/futuresc/candles", {
    bases: ["futures"],
    query: ContractCandlesQuery,
    output: Type.Array(Candle),
    refusals: CONTRACT_REFUSALS,
  }),
  quotations: endpoint("GET", "/v1/futuresc/quotations", {
    bases: ["futures"],
    query: ContractsQuery,
    output: Type.Array(ContractQuotation),
    refusals: CONTRACT_REFUSALS,
  }),
  fundingHistory: endpoint("GET", "/v1/futuresc/funding-history", {
    bases: ["futures"],
    query: FundingHistoryQuery,
    output: Type.Array(FundingEntry),
    refusals: CONTRACT_REFUSALS,
  }),
  liquidations: endpoint("GET", "/v1/futuresc/liquidations", {
    bases: ["futures"],
    query: LiquidationsQuery,
    output: Type.Array(LiquidationEntry),
    refusals: CONTRACT_REFUSALS,
  }),
  riskFund: endpoint("GET", "/v1/futuresc/risk-fund", {
    bases: ["futures"],
    query: RiskFundQuery,
    output: RiskFund,
    refusals: FUND_REFUSALS,
  }),
  indexSources: endpoint("GET", "/v1/futuresc/index-sources", {
    bases: ["futures"],
    query: ContractQuery,
    output: IndexView,
    refusals: CONTRACT_REFUSALS,
  }),
  longShort: endpoint("GET", "/v1/futuresc/long-short", {
    bases: ["futures"],
    query: ContractQuery,
    output: LongShort,
    refusals: CONTRACT_REFUSALS,
  }),
};

/** The seed's names for calls defined above under others. */
export const INVERSE_CALLS = {
  pairs: endpoint("GET", "/v1/perpcm/pairs", { bases: ["futures"], output: Type.Array(ContractInfo) }),
  config: endpoint("GET", "/v1/perpcm/config", {
    bases: ["futures"],
    output: Type.Array(Type.Object({ contract: ContractInfo, ladder: Type.Array(LadderStep) })),
  }),
  priceRate: endpoint("GET", "/v1/perpcm/price-rate", { bases: ["futures"], output: Type.Array(ContractQuotation) }),
};
