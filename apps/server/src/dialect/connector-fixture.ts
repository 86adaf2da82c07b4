// Binance's own connectors as they come from npm, pointed at an exchange by address alone, and tables of their calls:
// by name, with what is sent, in the order they are made.
import { DerivativesTradingCoinFutures } from "@binance/derivatives-trading-coin-futures";
import { DerivativesTradingUsdsFutures } from "@binance/derivatives-trading-usds-futures";
import { Spot } from "@binance/spot";
import { ANSWER_MS, type Key, RECEIVE_MS } from "./dialect-fixture.ts";

/** What a call answers, of whatever shape it is. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export type Published = any;
type Call = (values?: object) => Promise<{ data: Published }>;
type Stream = (values?: object | string) => { on(event: "message", listen: (news: Published) => void): void };

/** A connector with its calls by name, whichever of the three it is. */
export interface Connector {
  rest(name: string, values?: object): Promise<Published>;
  /** Its REST methods, and those that were answered. */
  readonly methods: readonly string[];
  readonly answered: ReadonlySet<string>;
  /** Over the socket of calls, opened when first used. */
  call(name: string, values?: object): Promise<Published>;
  /** The messages of a stream. */
  listen(name: string, values?: object | string): Promise<Published[]>;
  /** The messages of the user's own stream, subscribed by a signature. */
  listenOwn(): Promise<Published[]>;
  close(): Promise<void>;
}

type Lines = Record<string, Call & Stream> & { disconnect(): Promise<void> };
interface Made {
  readonly restAPI: object;
  readonly websocketAPI: { connect(): Promise<unknown> };
  readonly websocketStreams: { connect(): Promise<unknown> };
}

/** A key of the exchange's making, or one whose private half its owner keeps. */
export type ConnectorKey = Key | { readonly apiKey: string; readonly privateKey: string };

const CONNECTORS = {
  spot: { make: Spot, streams: "", calls: "/ws-api/v3" },
  linear: { make: DerivativesTradingUsdsFutures, streams: "/fstream", calls: "/ws-fapi/v1" },
  inverse: { make: DerivativesTradingCoinFutures, streams: "/dstream", calls: "/ws-dapi/v1" },
} as const;

/** Of no call of their own. */
const UNNAMED = ["constructor", "sendRequest", "sendSignedRequest"];

export function openConnector(host: string, kind: keyof typeof CONNECTORS, key: ConnectorKey): Connector {
  const { make: Make, streams, calls } = CONNECTORS[kind];
  const { apiKey } = key;
  const proof = "secret" in key ? { apiSecret: key.secret } : { privateKey: key.privateKey };
  const made = new Make({
    configurationRestAPI: { apiKey, ...proof, basePath: `https://${host}`, timeout: ANSWER_MS },
    configurationWebsocketAPI: { apiKey, ...proof, wsURL: `wss://${host}${calls}`, timeout: ANSWER_MS },
    configurationWebsocketStreams: { wsURL: `wss://${host}${streams}` },
  }) as unknown as Made;
  const answered = new Set<string>();
  const opened = new Map<string, Promise<Lines>>();
  const lines = (name: "websocketAPI" | "websocketStreams"): Promise<Lines> => {
    const known = opened.get(name) ?? (made[name].connect() as Promise<Lines>);
    opened.set(name, known);
    return known;
  };
  const ask = async (from: object, name: string, values: object): Promise<{ data: Published }> => {
    const call = (from as Record<string, Call | undefined>)[name];
    if (call === undefined) throw new Error(`the connector has no ${name}`);
    return call.call(from, values);
  };
  return {
    // Unsigned calls ignore the receive window.
    async rest(name, values = {}) {
      const answer = await (await ask(made.restAPI, name, { recvWindow: RECEIVE_MS, ...values })).data();
      answered.add(name);
      return answer;
    },
    methods: Object.getOwnPropertyNames(Object.getPrototypeOf(made.restAPI)).filter((name) => !UNNAMED.includes(name)),
    answered,
    call: async (name, values = {}) => {
      const answer = await ask(await lines("websocketAPI"), name, { recvWindow: RECEIVE_MS, ...values });
      return [answer].flat()[0]?.data;
    },
    async listen(name, values) {
      const received: Published[] = [];
      const from = await lines("websocketStreams");
      (from[name] as Stream).call(from, values).on("message", (news) => received.push(news));
      return received;
    },
    async listenOwn() {
      const received: Published[] = [];
      const from = await lines("websocketAPI");
      const { stream } = (await (from.userDataStreamSubscribeSignature as Call).call(from)) as unknown as {
        stream: ReturnType<Stream>;
      };
      stream.on("message", (news) => received.push(news));
      return received;
    },
    async close() {
      for (const line of opened.values()) await (await line).disconnect();
    },
  };
}

/** Calls that are made alone, each with what it sends. */
export type Reads = Readonly<Record<string, object>>;

const symbol = "BTCUSDT";
const interval = "1m";
const period = "5m";

export const SPOT_READS: Reads = {
  ping: {},
  time: {},
  exchangeInfo: { symbol },
  depth: { symbol, limit: 5 },
  getTrades: { symbol },
  historicalTrades: { symbol },
  aggTrades: { symbol },
  klines: { symbol, interval },
  uiKlines: { symbol, interval },
  avgPrice: { symbol },
  ticker: { symbol },
  ticker24hr: { symbol },
  tickerPrice: { symbols: [symbol] },
  tickerBookTicker: { symbol },
  tickerTradingDay: { symbol },
  getAccount: { omitZeroBalances: true },
  accountCommission: { symbol },
  rateLimitOrder: {},
  allOrders: { symbol },
  myTrades: { symbol },
  allOrderList: {},
  openOrderList: {},
  getOpenOrders: { symbol },
  myAllocations: { symbol },
  myFilters: { symbol },
  executionRules: { symbol },
  historicalBlockTrades: { symbol, fromId: 1 },
  referencePrice: { symbol },
  referencePriceCalculation: { symbol },
};

export const SPOT_CALLS: Reads = {
  ping: {},
  time: {},
  exchangeInfo: { symbol },
  depth: { symbol, limit: 5 },
  tradesRecent: { symbol },
  tradesHistorical: { symbol },
  tradesAggregate: { symbol },
  klines: { symbol, interval },
  uiKlines: { symbol, interval },
  avgPrice: { symbol },
  ticker24hr: { symbol },
  tickerPrice: { symbol },
  tickerBook: { symbol },
  tickerTradingDay: { symbol },
  accountStatus: {},
  accountCommission: { symbol },
  accountRateLimitsOrders: {},
  allOrders: { symbol },
  allOrderLists: {},
  myTrades: { symbol },
  openOrdersStatus: { symbol },
  openOrderListsStatus: {},
};

export const SPOT_STREAMS: Reads = {
  trade: { symbol },
  aggTrade: { symbol },
  kline: { symbol, interval },
  miniTicker: { symbol },
  ticker: { symbol },
  allMiniTicker: {},
  bookTicker: { symbol },
  diffBookDepth: { symbol, updateSpeed: "100ms" },
  partialBookDepth: { symbol, levels: 5 },
};

const span = { startTime: Date.UTC(2026, 0, 1), endTime: Date.UTC(2026, 11, 1) };

/** The reads of both kinds of contracts. */
const contractReads = (requested: string, pair: string): Reads => ({
  testConnectivity: {},
  checkServerTime: {},
  exchangeInformation: {},
  orderBook: { symbol: requested, limit: 5 },
  recentTradesList: { symbol: requested },
  oldTradesLookup: { symbol: requested },
  compressedAggregateTradesList: { symbol: requested },
  klineCandlestickData: { symbol: requested, interval },
  continuousContractKlineCandlestickData: { pair, contractType: "PERPETUAL", interval },
  indexPriceKlineCandlestickData: { pair, interval },
  markPriceKlineCandlestickData: { symbol: requested, interval },
  getFundingRateInfo: {},
  openInterest: { symbol: requested },
  symbolOrderBookTicker: { symbol: requested },
  symbolPriceTicker: { symbol: requested },
  ticker24hrPriceChangeStatistics: { symbol: requested },
  getCurrentPositionMode: {},
  getIncomeHistory: {},
  userCommissionRate: { symbol: requested },
  accountTradeList: { symbol: requested },
  allOrders: { symbol: requested },
  currentAllOpenOrders: { symbol: requested },
  positionAdlQuantileEstimation: { symbol: requested },
  usersForceOrders: {},
  premiumIndexKlineData: { symbol: requested, interval },
  queryIndexPriceConstituents: { symbol: requested },
  basis: { pair, contractType: "PERPETUAL", period: "5m" },
  getDownloadIdForFuturesOrderHistory: span,
  getDownloadIdForFuturesTradeHistory: span,
  getDownloadIdForFuturesTransactionHistory: span,
});

export const LINEAR_READS: Reads = {
  ...contractReads(symbol, symbol),
  markPrice: { symbol },
  getFundingRateHistory: { symbol },
  symbolPriceTickerV2: { symbol },
  accountInformationV2: {},
  accountInformationV3: {},
  futuresAccountBalanceV2: {},
  futuresAccountBalanceV3: {},
  futuresAccountConfiguration: {},
  getBnbBurnStatus: {},
  getCurrentMultiAssetsMode: {},
  notionalAndLeverageBrackets: { symbol },
  queryUserRateLimit: {},
  symbolConfiguration: { symbol },
  positionInformationV2: { symbol },
  positionInformationV3: { symbol },
  currentAllAlgoOpenOrders: {},
  queryAllAlgoOrders: { symbol },
  adlRisk: { symbol },
  futuresTradingQuantitativeRulesIndicators: {},
  compositeIndexSymbolInformation: {},
  longShortRatio: { symbol, period },
  topTraderLongShortRatioAccounts: { symbol, period },
  topTraderLongShortRatioPositions: { symbol, period },
  takerBuySellVolume: { symbol, period },
  openInterestStatistics: { symbol, period },
  quarterlyContractSettlementPrice: { pair: symbol },
  queryInsuranceFundBalanceSnapshot: {},
  rpiOrderBook: { symbol },
  tradingSchedule: {},
  getPositionMarginChangeHistory: { symbol },
};

export const INVERSE_READS: Reads = {
  ...contractReads("BTCUSD_PERP", "BTCUSD"),
  indexPriceAndMarkPrice: { symbol: "BTCUSD_PERP" },
  getFundingRateHistoryOfPerpetualFutures: { symbol: "BTCUSD_PERP" },
  accountInformation: {},
  futuresAccountBalance: {},
  notionalBracketForPair: {},
  notionalBracketForSymbol: { symbol: "BTCUSD_PERP" },
  positionInformation: {},
  longShortRatio: { pair: "BTCUSD", period },
  // This one is sent as a symbol.
  topTraderLongShortRatioAccounts: { symbol: "BTCUSD", period },
  topTraderLongShortRatioPositions: { pair: "BTCUSD", period },
  takerBuySellVolume: { pair: "BTCUSD", contractType: "ALL", period },
  openInterestStatistics: { pair: "BTCUSD", contractType: "PERPETUAL", period },
  getPositionMarginChangeHistory: { symbol: "BTCUSD_PERP" },
};

export const LINEAR_CALLS: Reads = {
  accountInformation: {},
  accountInformationV2: {},
  futuresAccountBalance: {},
  futuresAccountBalanceV2: {},
  orderBook: { symbol, limit: 5 },
  symbolOrderBookTicker: { symbol },
  symbolPriceTicker: { symbol },
  positionInformation: { symbol },
  positionInformationV2: { symbol },
};

export const INVERSE_CALLS: Reads = {
  accountInformation: {},
  futuresAccountBalance: {},
  positionInformation: {},
};

const contractStreams = (requested: string): Reads => ({
  aggregateTradeStreams: { symbol: requested },
  klineCandlestickStreams: { symbol: requested, interval },
  individualSymbolMiniTickerStream: { symbol: requested },
  individualSymbolTickerStreams: { symbol: requested },
  individualSymbolBookTickerStreams: { symbol: requested },
  diffBookDepthStreams: { symbol: requested, updateSpeed: "100ms" },
  partialBookDepthStreams: { symbol: requested, levels: 5 },
  markPriceStream: { symbol: requested, updateSpeed: "1s" },
});

export const LINEAR_STREAMS: Reads = contractStreams(symbol);
export const INVERSE_STREAMS: Reads = contractStreams("BTCUSD_PERP");
