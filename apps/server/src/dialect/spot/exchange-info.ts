// The list of spot pairs with their filters in the Binance dialect, made from the exchange's own list.
import type { Pair } from "@clockwork/trading/markets/contract";
import { type Family, ORDERS_PER_DAY, ORDERS_PER_TEN_SECONDS, WEIGHTS_PER_MINUTE } from "../limits.ts";
import { fixed } from "../numbers.ts";
import { symbolOf } from "../symbols.ts";

/** What may be placed; the list clients are shown and the one orders are read by. */
export const ORDER_TYPES = [
  "LIMIT",
  "LIMIT_MAKER",
  "MARKET",
  "STOP_LOSS",
  "STOP_LOSS_LIMIT",
  "TAKE_PROFIT",
  "TAKE_PROFIT_LIMIT",
] as const;
export const SELF_TRADE_MODES = ["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"] as const;
/** Above any price our pairs can have, as the filter requires. */
const PRICE_MAX = "1000000000";
const PLANS_MAX = 50;
const LISTS_MAX = 20;
const BAND_MINUTES = 5;

export const rateLimitsOf = (family: Family) =>
  [
    { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: WEIGHTS_PER_MINUTE[family] },
    { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 10, limit: ORDERS_PER_TEN_SECONDS },
    { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: ORDERS_PER_DAY },
  ] as const;

export function describeSymbol(pair: Pair) {
  return {
    symbol: symbolOf(pair),
    status: pair.status === "TRADING" ? "TRADING" : pair.status === "HALT" ? "HALT" : "BREAK",
    baseAsset: pair.base,
    baseAssetPrecision: pair.baseScale,
    quoteAsset: pair.quote,
    quotePrecision: pair.quoteScale,
    quoteAssetPrecision: pair.quoteScale,
    baseCommissionPrecision: pair.baseScale,
    quoteCommissionPrecision: pair.quoteScale,
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: describeFilters(pair),
    permissions: ["SPOT"],
    permissionSets: [["SPOT"]],
    defaultSelfTradePreventionMode: "EXPIRE_TAKER",
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
  };
}

function describeFilters(pair: Pair): readonly ({ readonly filterType: string } & Readonly<Record<string, unknown>>)[] {
  const { tickSize, stepSize, minQuantity, maxQuantity, maxMarketQuantity, minNotional, band } = pair;
  return [
    { filterType: "PRICE_FILTER", minPrice: fixed(tickSize), maxPrice: fixed(PRICE_MAX), tickSize: fixed(tickSize) },
    { filterType: "LOT_SIZE", minQty: fixed(minQuantity), maxQty: fixed(maxQuantity), stepSize: fixed(stepSize) },
    {
      filterType: "MARKET_LOT_SIZE",
      minQty: fixed(minQuantity),
      maxQty: fixed(maxMarketQuantity),
      stepSize: fixed(stepSize),
    },
    { filterType: "ICEBERG_PARTS", limit: 100 },
    {
      filterType: "TRAILING_DELTA",
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 1000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 1000,
    },
    {
      filterType: "PERCENT_PRICE_BY_SIDE",
      bidMultiplierUp: band.buyMax,
      bidMultiplierDown: band.buyMin,
      askMultiplierUp: band.sellMax,
      askMultiplierDown: band.sellMin,
      avgPriceMins: BAND_MINUTES,
    },
    {
      filterType: "NOTIONAL",
      minNotional: fixed(minNotional),
      applyMinToMarket: true,
      maxNotional: fixed("9000000000"),
      applyMaxToMarket: false,
      avgPriceMins: BAND_MINUTES,
    },
    { filterType: "MAX_NUM_ORDERS", maxNumOrders: pair.openOrdersMax },
    { filterType: "MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: PLANS_MAX },
    { filterType: "MAX_NUM_ORDER_LISTS", maxNumOrderLists: LISTS_MAX },
  ];
}
