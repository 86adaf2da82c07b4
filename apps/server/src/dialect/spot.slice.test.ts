// The Binance dialect on spot as ccxt speaks it, unmodified, against a listening exchange.

import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { callSigned, type Key, makeKey, openCcxt } from "./dialect-fixture.ts";

describe("ccxt on spot", () => {
  let server: TradingServer;
  let maker: Visitor;
  let trader: Visitor;
  let key: Key;
  let exchange: ReturnType<typeof openCcxt>;

  beforeAll(async () => {
    server = await startTradingServer();
    maker = await server.trader({ BTC: "5", USDT: "80000" });
    trader = await server.trader({ BTC: "1", USDT: "20000" });
    for (const [side, price] of [
      ["sell", "96010"],
      ["sell", "96020"],
      ["buy", "96000"],
      ["buy", "95990"],
    ] as const) {
      const body = { pairCode: "BTC_USDT", type: "limit", side, price, quantity: "0.1" };
      expect((await maker.post("/v1/spot/orders", body)).status).toBe(200);
    }
    key = await makeKey(trader);
    exchange = openCcxt(server.url, key, server.nowMs);
    await exchange.loadMarkets();
  });
  afterAll(async () => {
    await exchange?.close();
    await server?.close();
  });

  test("[BOT-1] markets load with their filters, and books, tickers, trades and candles are read", async () => {
    const market = exchange.market("BTC/USDT");
    expect(market).toMatchObject({ id: "BTCUSDT", active: true, type: "spot", spot: true, margin: false });
    expect(market.limits.amount?.min).toBeGreaterThan(0);
    expect(market.precision.price).toBeGreaterThan(0);
    const book = await exchange.fetchOrderBook("BTC/USDT", 5);
    expect([book.bids[0], book.asks[0]]).toEqual([
      [96000, 0.1],
      [96010, 0.1],
    ]);
    expect(Math.abs(((await exchange.fetchTime()) as number) - server.nowMs())).toBeLessThan(60_000);
    expect((await exchange.fetchStatus()).status).toBe("ok");
    await exchange.createOrder("BTC/USDT", "limit", "buy", 0.01, 96010);
    const [trade] = (await exchange.fetchTrades("BTC/USDT")).slice(-1);
    expect(trade).toMatchObject({ symbol: "BTC/USDT", price: 96010, amount: 0.01, side: "buy" });
    const ticker = await exchange.fetchTicker("BTC/USDT");
    expect(ticker).toMatchObject({
      symbol: "BTC/USDT",
      last: 96010,
      close: 96010,
      bid: 96000,
      ask: 96010,
      baseVolume: 0.01,
    });
    const candles = await exchange.fetchOHLCV("BTC/USDT", "1m", undefined, 5);
    expect(candles.at(-1)?.slice(1)).toEqual([96010, 96010, 96010, 96010, 0.01]);
    expect(Object.keys(await exchange.fetchTickers(["BTC/USDT"]))).toEqual(["BTC/USDT"]);
    expect((await exchange.fetchBidsAsks(["BTC/USDT"]))["BTC/USDT"]).toMatchObject({ bid: 96000, ask: 96010 });
  });

  test("[BOT-1] a limit order rests, is read by both names, and ends", async () => {
    const placed = await exchange.createOrder("BTC/USDT", "limit", "buy", 0.02, 91_000);
    expect(placed).toMatchObject({
      status: "open",
      side: "buy",
      type: "limit",
      price: 91_000,
      amount: 0.02,
      filled: 0,
    });
    expect(placed.clientOrderId).toMatch(/^x-/);
    const read = await exchange.fetchOrder(String(placed.id), "BTC/USDT");
    expect(read).toMatchObject({ id: String(placed.id), status: "open", timeInForce: "GTC", remaining: 0.02 });
    const named = await exchange.fetchOrder(undefined as unknown as string, "BTC/USDT", {
      origClientOrderId: placed.clientOrderId,
    });
    expect(named.id).toBe(placed.id);
    expect((await exchange.fetchOpenOrders("BTC/USDT")).map(({ id }) => id)).toEqual([placed.id]);
    expect((await exchange.cancelOrder(String(placed.id), "BTC/USDT")).status).toBe("canceled");
    expect((await exchange.fetchOrder(String(placed.id), "BTC/USDT")).status).toBe("canceled");
    await expect(exchange.cancelOrder(String(placed.id), "BTC/USDT")).rejects.toThrow(/Unknown order sent/);
    expect((await exchange.fetchOrders("BTC/USDT")).map(({ id }) => id)).toContain(placed.id);
  });

  test("[BOT-1] market orders by quantity and by cost fill with their trades and fees", async () => {
    const sold = await exchange.createOrder("BTC/USDT", "market", "sell", 0.01);
    expect(sold).toMatchObject({ status: "closed", filled: 0.01, average: 96_000 });
    expect(sold.trades).toHaveLength(1);
    expect(sold.fee?.currency).toBe("USDT");
    const bought = await exchange.createMarketBuyOrderWithCost("BTC/USDT", 960.1);
    expect(bought).toMatchObject({ status: "closed", side: "buy", cost: 960.1 });
    const mine = await exchange.fetchMyTrades("BTC/USDT");
    expect(mine.slice(-2).map(({ side, takerOrMaker }) => [side, takerOrMaker])).toEqual([
      ["sell", "taker"],
      ["buy", "taker"],
    ]);
    const balance = await exchange.fetchBalance();
    expect(Number(balance.BTC?.total)).toBeGreaterThan(1);
    const fee = await exchange.fetchTradingFee("BTC/USDT");
    expect(fee).toMatchObject({ symbol: "BTC/USDT", maker: 0.001, taker: 0.001 });
  });

  test("[BOT-1] post-only, immediate, stop, trailing and paired orders", async () => {
    await expect(exchange.createOrder("BTC/USDT", "limit", "buy", 0.01, 96_010, { postOnly: true })).rejects.toThrow(
      /immediately match/,
    );
    const resting = await exchange.createOrder("BTC/USDT", "limit", "buy", 0.01, 94_000, { postOnly: true });
    expect(resting).toMatchObject({ status: "open", postOnly: true });
    const ioc = await exchange.createOrder("BTC/USDT", "limit", "buy", 0.01, 94_000, { timeInForce: "IOC" });
    expect(ioc.status).toBe("expired");
    const stop = await exchange.createOrder("BTC/USDT", "limit", "sell", 0.01, 87_900, { stopLossPrice: 88_000 });
    expect(await exchange.fetchOrder(String(stop.id), "BTC/USDT")).toMatchObject({
      status: "open",
      triggerPrice: 88_000,
      price: 87_900,
    });
    const trailing = await exchange.createOrder("BTC/USDT", "market", "sell", 0.01, undefined, {
      trailingPercent: 2,
      stopLossOrTakeProfit: "stopLoss",
    });
    expect((await exchange.fetchOrder(String(trailing.id), "BTC/USDT")).status).toBe("open");
    const oco = await exchange.privatePostOrderListOco({
      symbol: "BTCUSDT",
      side: "SELL",
      quantity: "0.01",
      aboveType: "LIMIT_MAKER",
      abovePrice: "104000",
      belowType: "STOP_LOSS",
      belowStopPrice: "86000",
    });
    expect(oco).toMatchObject({ contingencyType: "OCO", listOrderStatus: "EXECUTING" });
    expect(oco.orderReports).toHaveLength(2);
    const lists = await exchange.privateGetOpenOrderList();
    expect(lists).toHaveLength(1);
    await exchange.privateDeleteOrderList({ symbol: "BTCUSDT", orderListId: oco.orderListId });
    expect(await exchange.privateGetOpenOrderList()).toEqual([]);
    expect((await exchange.cancelAllOrders("BTC/USDT")).length).toBe(3);
    expect(await exchange.fetchOpenOrders("BTC/USDT")).toEqual([]);
  });

  test("[BOT-1] an order is edited by replacing it, and made smaller in its place", async () => {
    const first = await exchange.createOrder("BTC/USDT", "limit", "buy", 0.02, 91_000);
    const second = await exchange.editOrder(String(first.id), "BTC/USDT", "limit", "buy", 0.03, 91_100);
    expect(second).toMatchObject({ status: "open", price: 91_100, amount: 0.03 });
    expect((await exchange.fetchOrder(String(first.id), "BTC/USDT")).status).toBe("canceled");
    const amended = await callSigned(server.url, key, "/api/v3/order/amend/keepPriority", {
      method: "PUT",
      parameters: { symbol: "BTCUSDT", orderId: String(second.id), newQty: "0.01" },
      timeMs: server.nowMs(),
    });
    expect(amended.body.amendedOrder).toMatchObject({ qty: "0.01000000" });
    await exchange.cancelOrder(String(second.id), "BTC/USDT");
  });

  test("[BOT-1] tickers over a custom window, candles of eight hours, and refusals of what is not offered", async () => {
    const market = { pairCode: "BTC_USDT", type: "market", side: "buy", quantity: "0.002" };
    expect((await maker.get("/v1/spot/depth?pairCode=BTC_USDT")).data.asks.length).toBeGreaterThan(0);
    expect((await trader.post("/v1/spot/orders", market)).status).toBe(200);
    const day = (await exchange.publicGetTicker24hr({ symbol: "BTCUSDT" })) as unknown as Record<string, string>;
    for (const windowSize of ["59m", "7d"]) {
      const own = (await exchange.publicGetTicker({ symbol: "BTCUSDT", windowSize })) as unknown as Record<
        string,
        string
      >;
      const names = [
        "lastPrice",
        "highPrice",
        "lowPrice",
        "volume",
        "quoteVolume",
        "weightedAvgPrice",
        "count",
      ] as const;
      for (const name of names) expect([windowSize, name, own[name]]).toEqual([windowSize, name, day[name]]);
      expect(Number(own.openTime) % 60_000).toBe(0);
    }
    const [mini] = await exchange.publicGetTicker({ symbols: '["BTCUSDT"]', windowSize: "1h", type: "MINI" });
    expect(mini).not.toHaveProperty("priceChange");
    await expect(exchange.publicGetTicker({ symbol: "BTCUSDT", windowSize: "60m" })).rejects.toThrow(/-1100/);
    await expect(exchange.publicGetTicker({ windowSize: "1h" })).rejects.toThrow(/-1102/);
    const [eight] = (await exchange.fetchOHLCV("BTC/USDT", "8h")).slice(-1);
    expect(Number(eight?.[0]) % (8 * 3_600_000)).toBe(0);
    expect(String(eight?.[5])).toBe(String(Number(day.volume)));
    // A pending order that is no exit of the working one.
    const working = { symbol: "BTCUSDT", workingSide: "BUY", workingType: "LIMIT", workingPrice: "90000" };
    const pending = { workingQuantity: "0.001", workingTimeInForce: "GTC", pendingSide: "BUY", pendingQuantity: "0.001" };
    for (const place of [exchange.privatePostOrderListOto, exchange.privatePostOrderListOtoco]) {
      await expect(place.call(exchange, { ...working, ...pending })).rejects.toThrow(/on the other side/);
    }
    expect(await exchange.fetchOpenOrders("BTC/USDT")).toEqual([]);
  });

  test("[BOT-1] errors arrive as the classes clients expect", async () => {
    const limit = (amount: number, price: number) => exchange.createOrder("BTC/USDT", "limit", "buy", amount, price);
    await expect(limit(5, 92_000)).rejects.toMatchObject({ name: "InsufficientFunds" });
    await expect(exchange.fetchOrder("999999", "BTC/USDT")).rejects.toMatchObject({ name: "OrderNotFound" });
    await expect(limit(0.01, 190_000)).rejects.toMatchObject({ name: "InvalidOrder" });
    await expect(exchange.publicGetDepth({ symbol: "NOPE" })).rejects.toMatchObject({ name: "BadSymbol" });
    expect(
      await exchange.privatePostOrderTest({
        symbol: "BTCUSDT",
        side: "BUY",
        type: "LIMIT",
        timeInForce: "GTC",
        quantity: "0.01",
        price: "80000",
      }),
    ).toEqual({});
  });

  test("[BOT-1] funds move between the books and the transfer is listed", async () => {
    const moved = await exchange.transfer("USDT", 100, "spot", "funding");
    expect(moved.id).toBeDefined();
    const { data } = await trader.post("/asset/v1/api/wallet/account", { walletTypeList: ["2"] });
    expect(data.accounts[0].assets[0]).toMatchObject({ asset: "USDT", total: "100" });
    const listed = await exchange.fetchTransfers("USDT", undefined, undefined, {
      fromAccount: "spot",
      toAccount: "funding",
    });
    expect(listed[0]).toMatchObject({ currency: "USDT", amount: 100, status: "ok" });
  });
});
