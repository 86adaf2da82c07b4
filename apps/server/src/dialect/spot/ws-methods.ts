// The names spot's endpoints have over a socket in the Binance dialect.
import type { Endpoint } from "../endpoint.ts";

const METHODS: Readonly<Record<string, string>> = {
  ping: "GET /api/v3/ping",
  time: "GET /api/v3/time",
  exchangeInfo: "GET /api/v3/exchangeInfo",
  depth: "GET /api/v3/depth",
  "trades.recent": "GET /api/v3/trades",
  "trades.historical": "GET /api/v3/historicalTrades",
  "trades.aggregate": "GET /api/v3/aggTrades",
  klines: "GET /api/v3/klines",
  uiKlines: "GET /api/v3/uiKlines",
  avgPrice: "GET /api/v3/avgPrice",
  "ticker.24hr": "GET /api/v3/ticker/24hr",
  "ticker.tradingDay": "GET /api/v3/ticker/tradingDay",
  ticker: "GET /api/v3/ticker",
  "ticker.price": "GET /api/v3/ticker/price",
  "ticker.book": "GET /api/v3/ticker/bookTicker",
  "order.place": "POST /api/v3/order",
  "order.test": "POST /api/v3/order/test",
  "order.status": "GET /api/v3/order",
  "order.cancel": "DELETE /api/v3/order",
  "order.cancelReplace": "POST /api/v3/order/cancelReplace",
  "order.amend.keepPriority": "PUT /api/v3/order/amend/keepPriority",
  "openOrders.status": "GET /api/v3/openOrders",
  "openOrders.cancelAll": "DELETE /api/v3/openOrders",
  "orderList.place.oco": "POST /api/v3/orderList/oco",
  "orderList.place.oto": "POST /api/v3/orderList/oto",
  "orderList.place.otoco": "POST /api/v3/orderList/otoco",
  "orderList.status": "GET /api/v3/orderList",
  "orderList.cancel": "DELETE /api/v3/orderList",
  "openOrderLists.status": "GET /api/v3/openOrderList",
  allOrders: "GET /api/v3/allOrders",
  allOrderLists: "GET /api/v3/allOrderList",
  myTrades: "GET /api/v3/myTrades",
  "account.status": "GET /api/v3/account",
  "account.commission": "GET /api/v3/account/commission",
  "account.rateLimits.orders": "GET /api/v3/rateLimit/order",
  "userDataStream.start": "POST /api/v3/userDataStream",
  "userDataStream.ping": "PUT /api/v3/userDataStream",
  "userDataStream.stop": "DELETE /api/v3/userDataStream",
};

export function spotMethods(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const byCall = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));
  return new Map(
    Object.entries(METHODS).map(([name, call]) => {
      const endpoint = byCall.get(call);
      if (endpoint === undefined) throw new Error(`${name} has no endpoint ${call}`);
      return [name, endpoint];
    }),
  );
}
