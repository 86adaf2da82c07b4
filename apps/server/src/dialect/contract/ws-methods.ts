// The names contracts' endpoints have over a socket in the Binance dialect (/ws-fapi/v1, /ws-dapi/v1).
import type { Endpoint } from "../endpoint.ts";
import type { ContractKind } from "./contracts.ts";

const METHODS: Readonly<Record<string, string>> = {
  ping: "GET /v1/ping",
  time: "GET /v1/time",
  exchangeInfo: "GET /v1/exchangeInfo",
  depth: "GET /v1/depth",
  // Not Binance's own for contracts; ccxt requests them all the same.
  klines: "GET /v1/klines",
  "trades.recent": "GET /v1/trades",
  "trades.historical": "GET /v1/historicalTrades",
  myTrades: "GET /v1/userTrades",
  "ticker.price": "GET /v1/ticker/price",
  "ticker.book": "GET /v1/ticker/bookTicker",
  "order.place": "POST /v1/order",
  "order.test": "POST /v1/order/test",
  "order.modify": "PUT /v1/order",
  "order.cancel": "DELETE /v1/order",
  "order.status": "GET /v1/order",
  "openOrders.status": "GET /v1/openOrders",
  "openOrders.cancelAll": "DELETE /v1/allOpenOrders",
  "algoOrder.place": "POST /v1/algoOrder",
  "algoOrder.cancel": "DELETE /v1/algoOrder",
  "account.position": "GET /v1/positionRisk",
  "account.balance": "GET /v1/balance",
  "account.status": "GET /v1/account",
  "userDataStream.start": "POST /v1/listenKey",
  "userDataStream.ping": "PUT /v1/listenKey",
  "userDataStream.stop": "DELETE /v1/listenKey",
};
/** Newer shapes of the linear kind alone. */
const LINEAR_METHODS: Readonly<Record<string, string>> = {
  "v2/account.position": "GET /v3/positionRisk",
  "v2/account.balance": "GET /v3/balance",
  "v2/account.status": "GET /v3/account",
};

export function contractMethods({ base, biz }: ContractKind, endpoints: readonly Endpoint[]) {
  const byCall = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));
  const names = { ...METHODS, ...(biz === "futures" ? LINEAR_METHODS : {}) };
  return new Map(
    Object.entries(names).map(([name, call]) => {
      const endpoint = byCall.get(call.replace(" ", ` ${base}`));
      if (endpoint === undefined) throw new Error(`${name} has no endpoint ${call}`);
      return [name, endpoint];
    }),
  );
}
