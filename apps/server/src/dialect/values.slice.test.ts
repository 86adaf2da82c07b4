// What single fields of the Binance dialect say: the order as it was placed, what became of it, what is whose.
import { createHmac } from "node:crypto";
import { type FuturesServer, meet, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { callSigned, type Key, makeBook, makeKey, openLine, RECEIVE_MS, until } from "./dialect-fixture.ts";

describe("values", () => {
  let server: FuturesServer;
  let maker: Visitor;
  let trader: Visitor;
  let seller: Visitor;
  let key: Key;

  beforeAll(async () => {
    server = await startFuturesServer();
    maker = await server.player("1000000", "15");
    trader = await server.player("50000", "2");
    seller = await server.trader({ BTC: "1" });
    for (const [asset, amount] of [
      ["USDT", "40000"],
      ["BTC", "1"],
    ] as const)
      expect((await trader.faucet(asset, amount)).status).toBe(200);
    key = await makeKey(trader, { permissions: ["read", "spot", "futures"] });
    await makeBook(maker, "futures");
    const place = (visitor: Visitor, side: string) =>
      visitor.post("/v1/spot/orders", {
        pairCode: "BTC_USDT",
        type: "limit",
        side,
        price: "96000",
        quantity: "0.001",
      });
    await place(seller, "sell");
    await place(trader, "buy");
  });
  afterAll(() => server?.close());

  let requested = 0;
  const call = (method: string, path: string, parameters: Record<string, string | number>) => {
    requested += 1;
    return callSigned(server.url, key, path, {
      method,
      parameters: { ...parameters, recvWindow: RECEIVE_MS - requested },
      timeMs: server.nowMs(),
    });
  };
  const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.001" };

  test("[BOT-1] an order reads as placed: its trailing distance, visible quantity and self-trade mode", async () => {
    for (const trailingDelta of [200, 50, 105]) {
      const placed = await call("POST", "/api/v3/order", {
        symbol: "BTCUSDT",
        side: "SELL",
        type: "STOP_LOSS",
        quantity: "0.001",
        trailingDelta,
      });
      const { orderId } = placed.body;
      const { body } = await call("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      expect([body.trailingDelta, body.status]).toEqual([trailingDelta, "NEW"]);
      await call("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId });
    }
    const selfTradePreventionMode = "EXPIRE_MAKER";
    const shown = await call("POST", "/api/v3/order", {
      ...LIMIT,
      quantity: "0.1",
      price: "90000",
      icebergQty: "0.01",
      selfTradePreventionMode,
    });
    expect(shown.body).toMatchObject({ icebergQty: "0.01000000", selfTradePreventionMode });
    const spot = await call("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId: shown.body.orderId });
    expect(spot.body).toMatchObject({ icebergQty: "0.01000000", selfTradePreventionMode });
    const [open] = (await call("GET", "/api/v3/openOrders", { symbol: "BTCUSDT" })).body;
    expect(open).toMatchObject({ orderId: shown.body.orderId, icebergQty: "0.01000000" });
    await call("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: shown.body.orderId });
    const contract = await call("POST", "/fapi/v1/order", { ...LIMIT, price: "49000", selfTradePreventionMode });
    const { orderId } = contract.body;
    const read = await call("GET", "/fapi/v1/order", { symbol: "BTCUSDT", orderId });
    expect(read.body).toMatchObject({ selfTradePreventionMode });
    const named = { symbol: "BTCUSDT", orderId };
    expect((await call("GET", "/fapi/v1/openOrder", named)).body).toMatchObject({ orderId, status: "NEW" });
    await call("DELETE", "/fapi/v1/order", named);
    expect((await call("GET", "/fapi/v1/openOrder", named)).body.code).toBe(-2013);
    expect((await call("GET", "/fapi/v1/order", named)).body.status).toBe("CANCELED");
  });

  test("[BOT-1] replacing names the ended and the new order apart, and ends only what it may", async () => {
    const old = await call("POST", "/api/v3/order", { ...LIMIT, price: "90000", newClientOrderId: "old" });
    const replace = (more: object) =>
      call("POST", "/api/v3/order/cancelReplace", {
        ...LIMIT,
        price: "90010",
        cancelReplaceMode: "STOP_ON_FAILURE",
        cancelOrderId: old.body.orderId,
        cancelNewClientOrderId: "ended",
        newClientOrderId: "new",
        ...more,
      });
    const refused = await replace({ cancelRestrictions: "ONLY_PARTIALLY_FILLED" });
    expect(refused.body).toMatchObject({
      code: -2022,
      data: { cancelResult: "FAILURE", newOrderResult: "NOT_ATTEMPTED", cancelResponse: { code: -2011 } },
    });
    const { body } = await replace({ cancelRestrictions: "ONLY_NEW" });
    expect(body.cancelResponse).toMatchObject({ origClientOrderId: "old", clientOrderId: "ended" });
    expect(body.newOrderResponse).toMatchObject({ clientOrderId: "new", status: "NEW" });
    const ended = await call("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
    expect(
      ended.body.map((one: { origClientOrderId: string; status: string }) => [one.origClientOrderId, one.status]),
    ).toEqual([["new", "CANCELED"]]);
    expect((await call("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" })).body.code).toBe(-2011);
  });

  test("[BOT-1] the profit that carries other positions is that of cross positions alone", async () => {
    await call("POST", "/fapi/v1/marginType", { symbol: "BTCUSDT", marginType: "ISOLATED" });
    await meet(trader, maker, { pairCode: "BTC_USDT", price: "50005", quantity: "0.1" });
    const [usdt] = (await call("GET", "/fapi/v3/balance", {})).body;
    const account = (await call("GET", "/fapi/v3/account", {})).body;
    expect(Number(account.assets[0].unrealizedProfit)).not.toBe(0);
    expect([usdt.asset, usdt.crossUnPnl, account.assets[0].crossUnPnl]).toEqual(["USDT", "0.00000000", "0.00000000"]);
  });

  test("[BOT-1] answers over a socket contain the usage of the limits unless switched off", async () => {
    const base = server.url.replace("http", "ws");
    const line = await openLine(`${base}/ws-api/v3`);
    line.say({ id: 1, method: "ping" });
    const pong = await line.find(({ id }) => id === 1);
    expect(pong.rateLimits).toMatchObject([{ rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1 }]);
    const plain = { ...LIMIT, price: "90000", apiKey: key.apiKey, recvWindow: RECEIVE_MS, timestamp: server.nowMs() };
    const payload = Object.entries(plain)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join("&");
    const signature = createHmac("sha256", key.secret).update(payload).digest("hex");
    line.say({ id: 2, method: "order.place", params: { ...plain, signature } });
    const placed = await line.find(({ id }) => id === 2);
    expect(placed.rateLimits.map(({ rateLimitType }: { rateLimitType: string }) => rateLimitType)).toEqual([
      "ORDERS",
      "ORDERS",
      "REQUEST_WEIGHT",
    ]);
    expect(placed.rateLimits[0].count).toBeGreaterThan(0);
    line.say({ id: 3, method: "nope" });
    expect(await line.find(({ id }) => id === 3)).toMatchObject({ error: { code: -1135 }, rateLimits: [{}] });
    line.say({ id: 4, method: "ping", params: { returnRateLimits: false } });
    expect((await line.find(({ id }) => id === 4)).rateLimits).toBeUndefined();
    line.end();
    const quiet = await openLine(`${base}/ws-api/v3?returnRateLimits=false`);
    quiet.say({ id: 1, method: "ping" });
    expect((await quiet.find(({ id }) => id === 1)).rateLimits).toBeUndefined();
    quiet.end();
  });

  test("[BOT-1] conditional orders of linear contracts have both of their names", async () => {
    const headers = { "x-mbx-apikey": key.apiKey };
    const made = await fetch(`${server.url}/fapi/v1/listenKey`, { method: "POST", headers });
    const { listenKey } = (await made.json()) as { listenKey: string };
    const line = await openLine(`${server.url.replace("http", "ws")}/fstream/private/ws?listenKey=${listenKey}`);
    // The line is open from its first event on.
    await until(async () => {
      if (line.received.length > 0) return true;
      await call("POST", "/fapi/v1/order", { ...LIMIT, price: "49000" });
      await call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" });
      return undefined;
    });
    const requested = { symbol: "BTCUSDT", side: "SELL", type: "STOP_MARKET", quantity: "0.01", triggerPrice: "45000" };
    const { body } = await call("POST", "/fapi/v1/algoOrder", { ...requested, algoType: "CONDITIONAL" });
    const { algoId } = body;
    const answer = (state: string) => line.find(({ e, o }) => e === "ALGO_UPDATE" && o.aid === algoId && o.X === state);
    expect((await answer("NEW")).o).toMatchObject({
      s: "BTCUSDT",
      S: "SELL",
      o: "STOP_MARKET",
      tp: "45000.0",
      q: "0.01",
    });
    await line.find(({ e, o }) => e === "ORDER_TRADE_UPDATE" && o.i === algoId);
    await call("DELETE", "/fapi/v1/algoOrder", { algoId });
    await answer("CANCELED");
    line.end();
  });

  /** Public calls. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const read = async (path: string): Promise<{ status: number; body: any }> => {
    const response = await fetch(`${server.url}${path}`);
    return { status: response.status, body: await response.json() };
  };

  test("[BOT-1] a candle contains the takers' buy volume, for spot and contracts", async () => {
    const candle = async (path: string) => {
      const [row] = (await read(`${path}/klines?symbol=BTCUSDT&interval=1d&limit=1`)).body;
      return { volume: Number(row[5]), amount: Number(row[7]), bought: Number(row[9]), paid: Number(row[10]) };
    };
    const spot = await candle("/api/v3");
    const ask = (side: string, price: string) =>
      seller.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity: "0.001" });
    expect((await call("POST", "/api/v3/order", { ...LIMIT, price: "97000" })).body).toMatchObject({ status: "NEW" });
    expect((await ask("sell", "97000")).data).toMatchObject({ status: "FILLED" });
    const sold = await candle("/api/v3");
    expect([sold.volume - spot.volume, sold.amount - spot.amount]).toEqual([
      expect.closeTo(0.001, 8),
      expect.closeTo(97, 6),
    ]);
    expect([sold.bought, sold.paid]).toEqual([spot.bought, spot.paid]);
    expect((await ask("sell", "97000")).data).toMatchObject({ status: "NEW" });
    expect((await call("POST", "/api/v3/order", { ...LIMIT, price: "97000" })).body).toMatchObject({
      status: "FILLED",
    });
    const bought = await candle("/api/v3");
    expect([bought.bought - sold.bought, bought.paid - sold.paid]).toEqual([
      expect.closeTo(0.001, 8),
      expect.closeTo(97, 6),
    ]);
    const market = { symbol: "BTCUSDT", type: "MARKET", quantity: "0.01" };
    const before = await candle("/fapi/v1");
    for (const side of ["BUY", "SELL"]) {
      expect((await call("POST", "/fapi/v1/order", { ...market, side })).status).toBe(200);
    }
    const after = await candle("/fapi/v1");
    expect(after.volume - before.volume).toBeCloseTo(0.02, 8);
    expect(after.bought - before.bought).toBeCloseTo(0.01, 8);
    expect(after.paid - before.paid).toBeCloseTo(500.1, 6);
  });

  test("[BOT-1] a spot day starts at the requested midnight, in whole hours from UTC", async () => {
    const day = (zone: string) => read(`/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=1&timeZone=${zone}`);
    for (const [zone, hours] of [
      ["0", 0],
      ["8", 16],
      ["%2B08:00", 16],
      ["+08:00", 16],
      ["-3", 3],
      ["-12:00", 12],
    ] as const) {
      const [row] = (await day(zone)).body;
      expect([zone, (row[0] / 3_600_000) % 24, row[6] - row[0]]).toEqual([zone, hours, 86_399_999]);
    }
    for (const zone of ["15", "-13", "05:45", "east", "8h"]) {
      expect([zone, (await day(zone)).body.code]).toEqual([zone, -1100]);
    }
  });

  test("[BOT-1] the day of a contract has its trades by number, and fundings are read for one or all", async () => {
    const market = { symbol: "BTCUSDT", type: "MARKET", quantity: "0.01" };
    for (const side of ["BUY", "SELL"]) {
      expect((await call("POST", "/fapi/v1/order", { ...market, side })).status).toBe(200);
    }
    const { body: trades } = await read("/fapi/v1/trades?symbol=BTCUSDT");
    const { body: day } = await read("/fapi/v1/ticker/24hr?symbol=BTCUSDT");
    expect([day.firstId, day.lastId, day.count]).toEqual([trades[0].id, trades.at(-1).id, trades.length]);
    expect(day.lastQty).toBe(trades.at(-1).qty);
    const all = await read("/fapi/v1/fundingRate");
    expect([all.status, Array.isArray(all.body)]).toEqual([200, true]);
    expect((await read("/dapi/v1/fundingRate")).body.code).toBe(-1102);
  });

  test("[BOT-1] candles requested from before the first one start with it, for spot and contracts", async () => {
    await makeBook(maker, "delivery");
    await meet(maker, trader, { biz: "delivery", pairCode: "BTC_USD", price: "50000", quantity: "100" });
    await meet(maker, trader, { pairCode: "BTC_USDT", price: "50000", quantity: "0.001" });
    for (const [path, symbol] of [
      ["/api/v3", "BTCUSDT"],
      ["/fapi/v1", "BTCUSDT"],
      ["/dapi/v1", "BTCUSD_PERP"],
    ]) {
      const klines = async (query: string) =>
        (await read(`${path}/klines?symbol=${symbol}&interval=1m&${query}`)).body as readonly (readonly unknown[])[];
      const [oldest] = await klines("startTime=1577836800000&limit=1");
      expect(oldest, path).toBeDefined();
      const first = Number(oldest?.[0]);
      const later = await klines(`startTime=${first}&limit=3`);
      expect((await klines("startTime=1577836800000&limit=3")).map(([time]) => time)).toEqual(
        later.map(([time]) => time),
      );
      // An end in between cuts; an end before the first one leaves nothing.
      expect(await klines(`startTime=1577836800000&endTime=${first}&limit=500`)).toHaveLength(1);
      expect(await klines("startTime=1577836800000&endTime=1577836900000")).toEqual([]);
    }
    await meet(trader, maker, { biz: "delivery", pairCode: "BTC_USD", price: "50000", quantity: "100" });
    await meet(trader, maker, { pairCode: "BTC_USDT", price: "50000", quantity: "0.001" });
  });

  test("[BOT-1] without an identity contracts say that they are not traded, why, and where to go", async () => {
    const outsider = await server.trader({ USDT: "100" });
    const own = await makeKey(outsider, { permissions: ["read", "spot", "futures"] });
    const ask = (path: string, method = "GET", parameters: Record<string, string> = {}) =>
      callSigned(server.url, own, path, {
        method,
        parameters: { ...parameters, recvWindow: RECEIVE_MS },
        timeMs: server.nowMs(),
      });
    for (const path of ["/fapi/v2/account", "/fapi/v1/accountConfig", "/dapi/v1/account"]) {
      expect((await ask(path)).body.canTrade, path).toBe(false);
      expect((await call("GET", path, {})).body.canTrade, path).toBe(true);
    }
    const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01" };
    const { body } = await ask("/fapi/v1/order", "POST", order);
    expect(body.code).toBe(-4088);
    expect(body.msg).toMatch(/^User can not place order currently\. .*identity.* \/identity /);
  });

  test("[BOT-1] a call that is none is refused in the dialect's words", async () => {
    const own = ["/api/v3/none", "/sapi/v1/none", "/fapi/v1/none", "/dapi/v9/order", "/futures/data/none"];
    for (const path of [...own, "/eapi/v1/ping", "/papi/v1/ping", "/wapi/v3/systemStatus.html"]) {
      const { status, body } = await read(path);
      expect([status, body]).toEqual([404, { code: -5000, msg: `Path ${path}, Method GET is invalid` }]);
    }
    expect((await call("POST", "/api/v3/depth", { symbol: "BTCUSDT" })).body.code).toBe(-5000);
  });

  test("[BOT-1] open interest, premiums and the deleveraging risk are public", async () => {
    const market = { symbol: "BTCUSDT", type: "MARKET", quantity: "0.02", side: "BUY" };
    expect((await call("POST", "/fapi/v1/order", market)).status).toBe(200);
    // Samples are taken by the minute, with the next command.
    for (let minute = 0; minute < 6; minute += 1) {
      server.wait(60_000);
      await server.mark(server.linear, 500_000);
    }
    const { body: rows } = await read("/futures/data/openInterestHist?symbol=BTCUSDT&period=5m&limit=1");
    expect(rows).toMatchObject([{ symbol: "BTCUSDT", sumOpenInterest: expect.any(String) }]);
    expect(Number(rows[0].sumOpenInterest)).toBeGreaterThan(0);
    expect(Number(rows[0].sumOpenInterestValue)).toBeCloseTo(Number(rows[0].sumOpenInterest) * 50_000, 6);
    expect(rows[0].timestamp % 300_000).toBe(0);
    const ofPair = await read("/futures/data/openInterestHist?pair=BTCUSD&contractType=PERPETUAL&period=1h");
    expect([ofPair.status, Array.isArray(ofPair.body)]).toEqual([200, true]);
    expect((await read("/futures/data/openInterestHist?symbol=BTCUSDT&period=7m")).body.code).toBe(-1130);
    expect((await read("/futures/data/openInterestHist?symbol=NOUSDT&period=5m")).body.code).toBe(-1121);
    const premium = await read("/fapi/v1/premiumIndexKlines?symbol=BTCUSDT&interval=1m&limit=1");
    expect(premium.body[0][4]).toMatch(/^-?0\.\d{8}$/);
    const risk = await read("/fapi/v1/symbolAdlRisk?symbol=BTCUSDT");
    // Nothing is in the fund of this exchange.
    expect(risk.body).toMatchObject({ symbol: "BTCUSDT", adlRisk: "HIGH" });
    expect((await read("/fapi/v1/symbolAdlRisk?symbol=NOUSDT")).body.code).toBe(-1121);
  });

  test("[BOT-1] a position that is not held is returned at the price it would be valued at", async () => {
    await server.mark(await server.marketOf("ETH_USDT-PERP"), 300_000);
    await server.mark(server.inverse, 499_000);
    const rows = async (path: string, parameters: Record<string, string> = {}) =>
      (await call("GET", path, parameters)).body as Record<string, string>[];
    for (const path of ["/fapi/v1/positionRisk", "/fapi/v2/positionRisk"]) {
      const [row] = await rows(path, { symbol: "ETHUSDT" });
      expect([path, row]).toMatchObject([path, { positionAmt: "0", entryPrice: "0", liquidationPrice: "0" }]);
      expect(row?.markPrice).toBe((await read("/fapi/v1/premiumIndex?symbol=ETHUSDT")).body.markPrice);
      expect(Number(row?.markPrice)).toBeGreaterThan(0);
      const { body } = await call("GET", "/fapi/v1/symbolConfig", { symbol: "ETHUSDT" });
      expect(row?.maxNotionalValue).toBe(body[0].maxNotionalValue);
    }
    expect((await rows("/dapi/v1/positionRisk", { pair: "BTCUSD" }))[0]).toMatchObject({
      symbol: "BTCUSD_PERP",
      positionAmt: "0",
      markPrice: "49900.0",
      notionalValue: "0.00000000",
      maxQty: expect.stringMatching(/^[1-9][0-9]*/),
    });
    // Of the third version only what is held has a row.
    expect(await rows("/fapi/v3/positionRisk", { symbol: "ETHUSDT" })).toEqual([]);
    await server.mark(server.inverse, 500_000);
  });
});
