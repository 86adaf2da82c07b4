// One try of every unified method of ccxt that applies to this exchange, by kind of market, for the test that reports
// which of them work, and what this exchange does not have.
import { CONTRACT_WATCHES, WATCHES } from "./ccxt-watch-fixture.ts";
import type { openCcxt } from "./dialect-fixture.ts";

export type Kind = "spot" | "linear" | "inverse";
type Client = ReturnType<typeof openCcxt>;

export interface Desk {
  readonly client: Client;
  readonly kind: Kind;
  readonly symbol: string;
  /** A coin the caller has. */
  readonly coin: string;
  readonly amount: number;
  /** Below the book, and where a stop would wait. */
  readonly low: number;
  readonly stop: number;
  /** Trades back and forth as another user, to produce events. */
  stir(): Promise<void>;
}

export type Try = (desk: Desk) => Promise<unknown>;
export type Tries = Readonly<Record<string, Try>>;

const rest = ({ client, symbol, amount, low }: Desk) => client.createOrder(symbol, "limit", "buy", amount, low);
const idOf = async (desk: Desk): Promise<string> => String((await rest(desk)).id);
const isEqual = (got: unknown, wanted: unknown): void => {
  if (got !== wanted) throw new Error(`${String(got)} is not ${String(wanted)}`);
};

const READS: Tries = {
  fetchMarkets: ({ client }) => client.fetchMarkets(),
  fetchCurrencies: ({ client }) => client.fetchCurrencies(),
  fetchTime: ({ client }) => client.fetchTime(),
  fetchStatus: ({ client }) => client.fetchStatus(),
  fetchOrderBook: ({ client, symbol }) => client.fetchOrderBook(symbol),
  fetchL2OrderBook: ({ client, symbol }) => client.fetchL2OrderBook(symbol),
  fetchTicker: ({ client, symbol }) => client.fetchTicker(symbol),
  fetchTickers: ({ client, symbol }) => client.fetchTickers([symbol]),
  fetchBidsAsks: ({ client, symbol }) => client.fetchBidsAsks([symbol]),
  fetchLastPrices: ({ client, symbol }) => client.fetchLastPrices([symbol]),
  fetchTrades: ({ client, symbol }) => client.fetchTrades(symbol),
  fetchOHLCV: async ({ client, symbol, kind }) => {
    await client.fetchOHLCV(symbol);
    // For inverse contracts ccxt requests an end as well, which is before the first candle.
    if (kind === "inverse") return;
    const first = await client.fetchOHLCV(symbol, "1m", Date.UTC(2020, 0, 1), 5);
    isEqual(first.length > 0, true);
  },
  fetchTradingLimits: ({ client, symbol }) => client.fetchTradingLimits([symbol]),
  fetchBalance: ({ client }) => client.fetchBalance(),
  fetchOrders: ({ client, symbol }) => client.fetchOrders(symbol),
  fetchClosedOrders: ({ client, symbol }) => client.fetchClosedOrders(symbol),
  fetchCanceledOrders: ({ client, symbol }) => client.fetchCanceledOrders(symbol),
  fetchCanceledAndClosedOrders: ({ client, symbol }) => client.fetchCanceledAndClosedOrders(symbol),
  fetchMyTrades: ({ client, symbol }) => client.fetchMyTrades(symbol),
  fetchTradingFee: ({ client, symbol }) => client.fetchTradingFee(symbol),
  fetchTradingFees: ({ client }) => client.fetchTradingFees(),
  fetchDeposits: ({ client }) => client.fetchDeposits(),
  fetchWithdrawals: ({ client }) => client.fetchWithdrawals(),
  fetchDepositWithdrawFees: ({ client }) => client.fetchDepositWithdrawFees(),
  fetchDepositWithdrawFee: ({ client, coin }) => client.fetchDepositWithdrawFee(coin),
  fetchTransactionFees: ({ client }) => client.fetchTransactionFees(),
  fetchTransactionFee: async ({ client, coin }) => {
    const fees = (await client.fetchTransactionFee(coin)) as unknown as { withdraw: object };
    isEqual(coin in fees.withdraw, true);
  },
  fetchCurrenciesWs: async ({ client }) => isEqual("BTC" in ((await client.fetchCurrenciesWs()) as object), true),
  fetchTransfers: ({ client, coin, kind }) =>
    client.fetchTransfers(coin, undefined, undefined, { fromAccount: "spot", toAccount: bookOf(kind) }),
  transfer: ({ client, coin, kind }) => client.transfer(coin, 0.001, "spot", bookOf(kind)),
};

/** Right, and nothing in it: what they list is not offered here. */
export const EMPTY: Tries = {
  fetchBorrowInterest: async ({ client, coin }) => isEqual((await client.fetchBorrowInterest(coin)).length, 0),
  fetchBorrowRateHistory: async ({ client, coin }) => isEqual((await client.fetchBorrowRateHistory(coin)).length, 0),
  fetchIsolatedBorrowRates: async ({ client }) =>
    isEqual(Object.keys(await client.fetchIsolatedBorrowRates()).length, 0),
  fetchAllGreeks: async ({ client }) => isEqual(Object.keys(await client.fetchAllGreeks()).length, 0),
  fetchSettlementHistory: async ({ client }) => isEqual((await client.fetchSettlementHistory(...OPTIONS)).length, 0),
  fetchMySettlementHistory: async ({ client }) =>
    isEqual((await client.fetchMySettlementHistory(...OPTIONS)).length, 0),
};
const OPTIONS = [undefined, undefined, undefined, { type: "option" }] as const;

const bookOf = (kind: Kind): string => ({ spot: "funding", linear: "linear", inverse: "inverse" })[kind];

const TRADES: Tries = {
  createOrder: rest,
  createLimitOrder: ({ client, symbol, amount, low }) => client.createLimitOrder(symbol, "buy", amount, low),
  createLimitBuyOrder: ({ client, symbol, amount, low }) => client.createLimitBuyOrder(symbol, amount, low),
  createLimitSellOrder: ({ client, symbol, amount, low }) => client.createLimitSellOrder(symbol, amount, low * 1.06),
  createMarketOrder: ({ client, symbol, amount }) => client.createMarketOrder(symbol, "buy", amount),
  createMarketBuyOrder: ({ client, symbol, amount }) => client.createMarketBuyOrder(symbol, amount),
  createMarketSellOrder: ({ client, symbol, amount }) => client.createMarketSellOrder(symbol, amount),
  createPostOnlyOrder: ({ client, symbol, amount, low }) =>
    client.createPostOnlyOrder(symbol, "limit", "buy", amount, low),
  createStopLossOrder: ({ client, symbol, amount, stop }) =>
    client.createStopLossOrder(symbol, "limit", "sell", amount, stop, stop),
  createTakeProfitOrder: ({ client, symbol, amount, stop }) =>
    client.createTakeProfitOrder(symbol, "limit", "buy", amount, stop, stop),
  createTriggerOrder: ({ client, symbol, amount, stop }) =>
    client.createTriggerOrder(symbol, "limit", "sell", amount, stop, stop),
  createStopOrder: ({ client, symbol, amount, stop }) =>
    client.createStopOrder(symbol, "limit", "sell", amount, stop, stop),
  createStopLimitOrder: ({ client, symbol, amount, stop }) =>
    client.createStopLimitOrder(symbol, "sell", amount, stop, stop),
  createTrailingPercentOrder: ({ client, symbol, amount, kind }) =>
    client.createTrailingPercentOrder(symbol, "market", "sell", amount, undefined, 2, undefined, {
      ...(kind === "spot" ? { stopLossOrTakeProfit: "stopLoss" } : {}),
    }),
  fetchOrder: async (desk) => isEqual((await desk.client.fetchOrder(await idOf(desk), desk.symbol)).status, "open"),
  fetchOpenOrders: async (desk) => {
    const id = await idOf(desk);
    const open = await desk.client.fetchOpenOrders(desk.symbol);
    isEqual(
      open.some((one) => one.id === id),
      true,
    );
  },
  editOrder: async (desk) =>
    desk.client.editOrder(await idOf(desk), desk.symbol, "limit", "buy", desk.amount * 2, desk.low),
  cancelOrder: async (desk) =>
    isEqual((await desk.client.cancelOrder(await idOf(desk), desk.symbol)).status, "canceled"),
  cancelAllOrders: async (desk) => {
    await rest(desk);
    await desk.client.cancelAllOrders(desk.symbol);
    isEqual((await desk.client.fetchOpenOrders(desk.symbol)).length, 0);
  },
};

const SPOT: Tries = {
  createMarketOrderWithCost: ({ client, symbol }) => client.createMarketOrderWithCost(symbol, "buy", 100),
  createMarketBuyOrderWithCost: ({ client, symbol }) => client.createMarketBuyOrderWithCost(symbol, 100),
  createMarketSellOrderWithCost: async ({ client, symbol }) => {
    const { cost, status, filled } = await client.createMarketSellOrderWithCost(symbol, 100);
    isEqual(status, "closed");
    // At most what was requested, and less by no more than a step of the quantity.
    isEqual(Number(cost) <= 100 && Number(cost) > 98 && Number(filled) > 0, true);
  },
  fetchOrderTrades: async ({ client, symbol, amount }) => {
    const { id } = await client.createMarketBuyOrder(symbol, amount);
    return client.fetchOrderTrades(String(id), symbol);
  },
};

/** The next is requested by the number of the last. */
const CONVERT: Tries = {
  fetchConvertCurrencies: async ({ client }) => isEqual("BTC" in (await client.fetchConvertCurrencies()), true),
  fetchConvertQuote: async ({ client }) => {
    const { fromAmount, toAmount } = await client.fetchConvertQuote("BTC", "USDT", 0.01);
    isEqual(fromAmount, 0.01);
    // At the contract's index of 50 000, however much more the book bids, without the exchange's spread.
    isEqual(Number(toAmount), 499.5);
  },
  createConvertTrade: ({ client }) => convert(client),
  fetchConvertTrade: async ({ client }) => {
    const id = await convert(client);
    const { fromAmount, fromCurrency, toCurrency } = await client.fetchConvertTrade(id);
    isEqual(`${fromAmount} ${fromCurrency} ${toCurrency}`, "0.01 BTC USDT");
  },
  fetchConvertTradeHistory: async ({ client }) => {
    const id = await convert(client);
    const since = client.nonce() - 60_000;
    const list = await client.fetchConvertTradeHistory(undefined, since, undefined, { until: client.nonce() });
    isEqual(
      list.some((one) => one.id === id),
      true,
    );
  },
};

async function convert(client: Client): Promise<string> {
  const { id } = await client.fetchConvertQuote("BTC", "USDT", 0.01);
  return String((await client.createConvertTrade(String(id), "BTC", "USDT", 0.01)).id);
}

const CONTRACTS: Tries = {
  createReduceOnlyOrder: async ({ client, symbol, amount }) => {
    await client.createMarketBuyOrder(symbol, amount);
    return client.createReduceOnlyOrder(symbol, "market", "sell", amount);
  },
  fetchOpenOrder: async (desk) => desk.client.fetchOpenOrder(await idOf(desk), desk.symbol),
  createOrders: ({ client, symbol, amount, low }) =>
    client.createOrders([{ symbol, type: "limit", side: "buy", amount, price: low }]),
  cancelOrders: async (desk) => desk.client.cancelOrders([await idOf(desk)], desk.symbol),
  editOrders: async (desk) => {
    const { symbol, amount, low, client } = desk;
    const id = await idOf(desk);
    const order = { id, symbol, type: "limit", side: "buy", amount: amount * 2, price: low } as const;
    return client.editOrders([order]);
  },
  fetchPositions: ({ client, symbol }) => client.fetchPositions([symbol]),
  fetchPositionsRisk: ({ client, symbol }) => client.fetchPositionsRisk([symbol]),
  fetchPositionMode: ({ client }) => client.fetchPositionMode(),
  setLeverage: ({ client, symbol }) => client.setLeverage(9, symbol),
  fetchLeverage: ({ client, symbol }) => client.fetchLeverage(symbol),
  fetchLeverages: ({ client, symbol }) => client.fetchLeverages([symbol]),
  fetchLeverageTiers: ({ client, symbol }) => client.fetchLeverageTiers([symbol]),
  fetchMarketLeverageTiers: async ({ client, symbol }) =>
    isEqual((await client.fetchMarketLeverageTiers(symbol)).length > 0, true),
  fetchMarginMode: ({ client, symbol }) => client.fetchMarginMode(symbol),
  fetchMarginModes: ({ client, symbol }) => client.fetchMarginModes([symbol]),
  fetchFundingRate: ({ client, symbol }) => client.fetchFundingRate(symbol),
  fetchFundingRates: ({ client, symbol }) => client.fetchFundingRates([symbol]),
  fetchFundingRateHistory: ({ client, symbol }) => client.fetchFundingRateHistory(symbol),
  fetchFundingInterval: ({ client, symbol }) => client.fetchFundingInterval(symbol),
  fetchFundingIntervals: ({ client, symbol }) => client.fetchFundingIntervals([symbol]),
  fetchFundingHistory: ({ client, symbol }) => client.fetchFundingHistory(symbol),
  fetchMarkPrice: ({ client, symbol }) => client.fetchMarkPrice(symbol),
  fetchMarkPrices: ({ client, symbol }) => client.fetchMarkPrices([symbol]),
  fetchMarkOHLCV: ({ client, symbol }) => client.fetchMarkOHLCV(symbol),
  fetchIndexOHLCV: ({ client, symbol }) => client.fetchIndexOHLCV(symbol),
  fetchOpenInterest: ({ client, symbol }) => client.fetchOpenInterest(symbol),
  fetchOpenInterestHistory: async ({ client, symbol }) => {
    const answer = await client.fetchOpenInterestHistory(symbol, "5m");
    isEqual(
      answer.every((row) => Number(row.openInterestAmount) >= 0 && Number(row.openInterestValue) >= 0),
      true,
    );
  },
  fetchLongShortRatioHistory: async ({ client, symbol }) => {
    const [row] = await client.fetchLongShortRatioHistory(symbol, "5m");
    isEqual(Number(row?.longShortRatio) > 0 && Number(row?.timestamp) > 0, true);
  },
  fetchOrderTrades: async ({ client, symbol, amount }) => {
    const { id } = await client.createMarketBuyOrder(symbol, amount);
    // Only with a type ccxt lets pass.
    const found = await client.fetchOrderTrades(String(id), symbol, undefined, undefined, { type: "spot" });
    isEqual(found.length > 0 && found.every((trade) => trade.order === String(id)), true);
  },
  fetchPremiumIndexOHLCV: ({ client, symbol }) => client.fetchPremiumIndexOHLCV(symbol),
  fetchLedger: ({ client }) => client.fetchLedger(),
  fetchMyLiquidations: ({ client, symbol }) => client.fetchMyLiquidations(symbol),
  fetchPositionsADLRank: ({ client, symbol }) => client.fetchPositionsADLRank([symbol]),
  fetchPositionADLRank: ({ client, symbol }) => client.fetchPositionADLRank(symbol),
  setMarginMode: async ({ client, symbol }) => client.setMarginMode("isolated", symbol),
  addMargin: async ({ client, symbol, amount, kind }) => {
    await client.createMarketBuyOrder(symbol, amount);
    return client.addMargin(symbol, kind === "linear" ? 10 : 1);
  },
  reduceMargin: ({ client, symbol }) => client.reduceMargin(symbol, 1),
  fetchMarginAdjustmentHistory: async ({ client, symbol, kind }) => {
    const answer = await client.fetchMarginAdjustmentHistory(symbol);
    const [added, taken] = answer.slice(-2).map(({ type, amount, code }) => `${type} ${amount} ${code}`);
    const coin = kind === "linear" ? "USDT" : "BTC";
    isEqual(`${added}, ${taken}`, `add ${kind === "linear" ? 10 : 1} ${coin}, reduce 1 ${coin}`);
  },
  setPositionMode: async ({ client, symbol }) => {
    await client.cancelAllOrders(symbol);
    for (const one of await client.fetchPositions([symbol])) {
      await client.createOrder(
        symbol,
        "market",
        one.side === "long" ? "sell" : "buy",
        Number(one.contracts),
        undefined,
        {
          reduceOnly: true,
        },
      );
    }
    await client.setPositionMode(true, symbol);
    await client.setPositionMode(false, symbol);
  },
};

const LINEAR: Tries = {
  fetchADLRank: async ({ client, symbol }) => {
    const { rating } = await client.fetchADLRank(symbol);
    isEqual(["low", "medium", "high"].includes(String(rating)), true);
  },
};

const WS: Tries = {
  createOrderWs: ({ client, symbol, amount, low }) => client.createOrderWs(symbol, "limit", "buy", amount, low),
  createMarketOrderWs: ({ client, symbol, amount }) => client.createMarketOrderWs(symbol, "buy", amount),
  editOrderWs: async (desk) =>
    desk.client.editOrderWs(await idOf(desk), desk.symbol, "limit", "buy", desk.amount * 2, desk.low),
  cancelOrderWs: async (desk) => desk.client.cancelOrderWs(await idOf(desk), desk.symbol),
  fetchOrderWs: async (desk) => desk.client.fetchOrderWs(await idOf(desk), desk.symbol),
  fetchBalanceWs: ({ client }) => client.fetchBalanceWs(),
};

const SPOT_WS: Tries = {
  fetchOrdersWs: ({ client, symbol }) => client.fetchOrdersWs(symbol),
  fetchOpenOrdersWs: ({ client, symbol }) => client.fetchOpenOrdersWs(symbol),
  fetchMyTradesWs: ({ client, symbol }) => client.fetchMyTradesWs(symbol),
  fetchTradesWs: ({ client, symbol }) => client.fetchTradesWs(symbol),
  fetchOHLCVWs: ({ client, symbol }) => client.fetchOHLCVWs(symbol, "1m"),
  cancelAllOrdersWs: async (desk) => {
    await rest(desk);
    return desk.client.cancelAllOrdersWs(desk.symbol);
  },
};

const CONTRACT_WS: Tries = {
  fetchPositionsWs: ({ client, symbol }) => client.fetchPositionsWs([symbol]),
  fetchPositionWs: ({ client, symbol }) => client.fetchPositionWs(symbol),
};

const LINEAR_WS: Tries = {
  fetchMyTradesWs: SPOT_WS.fetchMyTradesWs as Try,
  fetchTradesWs: SPOT_WS.fetchTradesWs as Try,
  fetchOHLCVWs: SPOT_WS.fetchOHLCVWs as Try,
  fetchOrderBookWs: ({ client, symbol }) => client.fetchOrderBookWs(symbol),
  fetchTickerWs: ({ client, symbol }) => client.fetchTickerWs(symbol),
};

/** Of the classes of contracts alone. */
const STOPS: Tries = {
  createStopMarketOrder: ({ client, symbol, amount, stop }) =>
    client.createStopMarketOrder(symbol, "sell", amount, stop),
};

/** In the order they are tried: what changes how positions are held comes last. */
export const TRIES: Readonly<Record<Kind, Tries>> = {
  spot: { ...READS, ...TRADES, ...SPOT, ...CONVERT, ...WS, ...SPOT_WS, ...WATCHES },
  linear: {
    ...READS,
    ...TRADES,
    ...CONVERT,
    ...WS,
    ...CONTRACT_WS,
    ...LINEAR_WS,
    ...WATCHES,
    ...CONTRACT_WATCHES,
    ...LINEAR,
    ...STOPS,
    ...CONTRACTS,
  },
  inverse: {
    ...READS,
    ...TRADES,
    ...CONVERT,
    ...WS,
    ...CONTRACT_WS,
    ...WATCHES,
    ...CONTRACT_WATCHES,
    ...STOPS,
    ...CONTRACTS,
  },
};

/** What the class of all markets does with contracts: the methods that spot has no use for, on a linear one. */
export const LEASED: Tries = {
  ...CONTRACT_WS,
  ...LINEAR_WS,
  ...CONTRACT_WATCHES,
  ...LINEAR,
  ...CONTRACTS,
  fetchLedger: ({ client }) => client.fetchLedger(undefined, undefined, undefined, { type: "future" }),
};

const LIQUIDATED = [
  "watchLiquidations",
  "watchLiquidationsForSymbols",
  "watchMyLiquidations",
  "watchMyLiquidationsForSymbols",
] as const;

/** Tried by other tests of this folder: over the development chain, and with a position that is liquidated. */
export const TRIED_ELSEWHERE: Readonly<Record<Kind, readonly string[]>> = {
  spot: ["fetchDepositAddress", "withdraw", ...LIQUIDATED],
  linear: ["fetchDepositAddress", "withdraw", ...LIQUIDATED],
  inverse: ["fetchDepositAddress", "withdraw", ...LIQUIDATED],
};

/** Methods without a product here, or without a record in the exchange; the rest is tried or listed as not offered. */
const ABSENT: readonly (readonly [RegExp, string])[] = [
  [/Borrow|borrow|repay/, "no margin loans"],
  [/Greeks|Option/, "no options"],
  [/^(watchOrdersForSymbols|fetchPositionForSymbolWs)$/, "ccxt has not written it for Binance"],
  [/^fetch(Position|LedgerEntry)$/, "no options: ccxt has it for them alone"],
];

/** What ccxt itself refuses for the markets of a class, before anything is sent. */
const REFUSED: Readonly<Record<Kind, RegExp | undefined>> = {
  spot: undefined,
  linear: /^(cancelAllOrdersWs|fetch(Open)?OrdersWs|createMarket(Buy|Sell)?OrderWithCost)$/,
  inverse:
    /^(cancelAllOrdersWs|fetch(Open)?OrdersWs|createMarket(Buy|Sell)?OrderWithCost|fetch(MyTrades|Trades|OHLCV|OrderBook|Ticker)Ws|fetchADLRank)$/,
};

export function whyAbsent(name: string, kind: Kind): string | undefined {
  return REFUSED[kind]?.test(name) === true
    ? "ccxt has it for other markets"
    : ABSENT.find(([fits]) => fits.test(name))?.[1];
}
