// What clients of the Binance dialect use beside trading: windows and candles of prices as streams, times in
// microseconds, packed and shared answers, products of the wallet.

import { offer } from "@clockwork/earning/earn/earn-fixture";
import { allOf } from "@clockwork/kit/all-of";
import { present } from "@clockwork/kit/assert";
import { type FuturesServer, meet, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import type { Published } from "./connector-fixture.ts";
import { callSigned, type Key, makeKey, openLine, RECEIVE_MS } from "./dialect-fixture.ts";

let server: FuturesServer;
let trader: Visitor;
let key: Key;
let socket: string;
const spot = (who: Visitor, side: string, price: string, quantity = "0.01") =>
  who.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity });

beforeAll(async () => {
  server = await startFuturesServer();
  socket = server.url.replace("http", "ws");
  trader = await server.player("20000", "1");
  expect((await trader.faucet("USDT", "50000")).status).toBe(200);
  const maker = await server.trader({ BTC: "2" });
  expect((await spot(maker, "sell", "96000", "1")).status).toBe(200);
  expect((await spot(trader, "buy", "96000")).status).toBe(200);
  const [long, short] = [await server.player("20000"), await server.player("20000")];
  await meet(long, short, { price: "50000", quantity: "0.01" });
  key = await makeKey(trader, { permissions: ["read", "spot", "transfer"] });
});
afterAll(() => server?.close());

let requested = 0;
const call = async (method: string, path: string, parameters: Record<string, string | number> = {}) => {
  requested += 1;
  const all = { ...parameters, recvWindow: RECEIVE_MS - requested };
  const { status, body } = await callSigned(server.url, key, path, { method, parameters: all, timeMs: server.nowMs() });
  expect([path, status, status === 200 ? "" : body]).toEqual([path, 200, ""]);
  return body;
};

test("[BOT-1] tickers of windows and candles of prices are published, and streams are subscribed whole or not at all", async () => {
  const line = await openLine(`${socket}/stream/ws`);
  line.say({ id: 1, method: "SUBSCRIBE", params: ["btcusdt@trade", "btcusdt@ticker_1h", "btcusdt@ticker_2h"] });
  expect(await line.find(({ id }) => id === 1)).toMatchObject({ error: { code: 2 } });
  line.say({ id: 2, method: "LIST_SUBSCRIPTIONS" });
  expect((await line.find(({ id }) => id === 2)).result).toEqual([]);
  line.say({ id: 3, method: "SUBSCRIBE", params: ["btcusdt@ticker_1h", "btcusdt@ticker_4h", "!ticker_1d@arr"] });
  for (const [name, window] of [
    ["1hTicker", 3_600_000],
    ["4hTicker", 4 * 3_600_000],
  ] as const) {
    const one = await line.find(({ e }) => e === name);
    expect(one).toMatchObject({ s: "BTCUSDT", c: "96000.00000000", v: "0.01000000", n: 1, F: 1, L: 1 });
    expect(one.C - one.O).toBeGreaterThanOrEqual(window);
    expect(one.C - one.O).toBeLessThan(window + 60_000);
  }
  const all = await line.find((news) => Array.isArray(news));
  expect(all.some(({ e, s }: { e: string; s: string }) => e === "1dTicker" && s === "BTCUSDT")).toBe(true);
  line.end();

  const linear = await openLine(`${socket}/fstream/ws/btcusdt_perpetual@continuousKline_1m`);
  const continuous = await linear.find(({ e }) => e === "continuous_kline");
  expect(continuous).toMatchObject({ ps: "BTCUSDT", ct: "PERPETUAL", k: { c: "50000.0", n: 1 } });
  linear.end();
  const contracts = await openLine(`${socket}/dstream/ws`);
  contracts.say({ id: 1, method: "SUBSCRIBE", params: ["btcusd@indexPriceKline_1m", "btcusd_perp@markPriceKline_1m"] });
  for (const [e, s] of [
    ["indexPrice_kline", "BTCUSD"],
    ["markPrice_kline", "BTCUSD_PERP"],
  ]) {
    expect(await contracts.find((news) => news.e === e)).toMatchObject({
      ps: "BTCUSD",
      k: { s, i: "1m", c: "50000.0", x: false },
    });
  }
  // A candle ends by the clock, once.
  const [{ k: open }] = contracts.received.filter(({ e }) => e === "markPrice_kline");
  server.wait(60_000);
  const closed = await contracts.find(({ e, k }) => e === "markPrice_kline" && k.t === open.t && k.x);
  expect(closed.k).toMatchObject({ T: open.t + 59_999, c: "50000.0" });
  contracts.end();
});

test("[BOT-1] public data may be read from any origin, packed, and in microseconds", async () => {
  const url = `${server.url}/api/v3/exchangeInfo`;
  const foreign = await fetch(url, { headers: { origin: "https://elsewhere.example", "accept-encoding": "gzip" } });
  expect(foreign.headers.get("access-control-allow-origin")).toBe("*");
  expect(foreign.headers.get("content-encoding")).toBe("gzip");
  expect(((await foreign.json()) as Published).symbols.length).toBeGreaterThan(3);
  const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  const unit = { headers: { "x-mbx-time-unit": "MICROSECOND" } };
  const read = async (path: string): Promise<Published> => (await fetch(server.url + path, unit)).json();
  const { serverTime } = await read("/api/v3/time");
  expect(Math.abs(serverTime / 1_000 - server.nowMs())).toBeLessThan(60_000);
  const [candle] = await read("/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=1");
  expect([candle[0] % 60_000_000, candle[6]]).toEqual([0, candle[0] + 59_999_999]);
  const line = await openLine(`${socket}/stream/ws/btcusdt@ticker_1h?timeUnit=MICROSECOND`);
  const { E } = await line.find(({ e }) => e === "1hTicker");
  expect(Math.abs(E / 1_000 - server.nowMs())).toBeLessThan(60_000);
  line.end();
});

test("[BOT-1] wallets have a worth, coins a network each, and earn is subscribed and redeemed by key", async () => {
  const wallets = await call("GET", "/sapi/v1/asset/wallet/balance", { quoteAsset: "USDT" });
  const worth = wallets.find(({ walletName }: { walletName: string }) => walletName === "Spot");
  expect(Number(worth.balance)).toBeGreaterThan(10_000);
  const coins = await call("GET", "/sapi/v1/capital/config/getall");
  expect(coins.at(-1)).toMatchObject({ coin: "USD", isLegalMoney: true, trading: false });
  expect(allOf(coins.slice(0, -1), ({ networkList }: { networkList: object[] }) => networkList.length > 0)).toBe(true);
  expect(await call("GET", "/sapi/v1/capital/withdraw/address/list")).toEqual([]);
  await offer(present(server.kysely, "TEST-1", "no database"), { product_id: "flex" });
  const { rows, total } = await call("GET", "/sapi/v1/simple-earn/flexible/list", { size: 100 });
  expect(rows).toHaveLength(total);
  const product = rows.find(
    ({ asset, canPurchase }: { asset: string; canPurchase: boolean }) => asset === "USDT" && canPurchase,
  );
  const { productId } = present(product, "TEST-1", "no open product of USDT");
  expect(await call("POST", "/sapi/v1/simple-earn/flexible/subscribe", { productId, amount: 100 })).toMatchObject({
    success: true,
  });
  const held = await call("GET", "/sapi/v1/simple-earn/flexible/position", { asset: "USDT" });
  expect(held.rows[0]).toMatchObject({ productId, totalAmount: "100.00000000" });
  const back = { productId, redeemAll: "true" };
  expect(await call("POST", "/sapi/v1/simple-earn/flexible/redeem", back)).toMatchObject({ success: true });
});

test("[BOT-1] an order in slices is placed, listed and ended by key", async () => {
  const order = { symbol: "BTCUSDT", side: "BUY", quantity: "0.06", duration: 600, limitPrice: "95000" };
  const { clientAlgoId } = await call("POST", "/sapi/v1/algo/spot/newOrderTwap", order);
  const { orders, total } = await call("GET", "/sapi/v1/algo/spot/openOrders");
  expect([total, orders[0]]).toMatchObject([1, { clientAlgoId, symbol: "BTCUSDT", totalQty: "0.06000000" }]);
  const { algoId } = orders[0];
  expect(await call("DELETE", "/sapi/v1/algo/spot/order", { algoId })).toMatchObject({ algoId, success: true });
  expect(await call("GET", "/sapi/v1/algo/spot/openOrders")).toMatchObject({ total: 0 });
  const past = await call("GET", "/sapi/v1/algo/spot/historicalOrders");
  expect(past.orders[0]).toMatchObject({ algoId, algoStatus: "CANCELLED" });
});

test("[BOT-1] a placed order returns what the client numbered it by, and a test order its commissions", async () => {
  const order = {
    symbol: "BTCUSDT",
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    quantity: "0.001",
    price: "95000",
  };
  const placed = await call("POST", "/api/v3/order", { ...order, strategyId: 7, strategyType: 1_000_000 });
  expect(placed).toMatchObject({ status: "NEW", strategyId: 7, strategyType: 1_000_000 });
  const trailing = { symbol: "BTCUSDT", side: "SELL", type: "STOP_LOSS", quantity: "0.005", trailingDelta: 100 };
  expect(await call("POST", "/api/v3/order", { ...trailing, newOrderRespType: "RESULT" })).toMatchObject({
    trailingDelta: 100,
  });
  const tested = await call("POST", "/api/v3/order/test", { ...order, computeCommissionRates: "true" });
  expect(tested.standardCommissionForOrder).toEqual({ maker: "0.00100000", taker: "0.00100000" });
  await call("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
});
