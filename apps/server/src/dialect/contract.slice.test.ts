// The Binance dialect on perpetual contracts as ccxt speaks it, unmodified, against a listening exchange.

import { type FuturesServer, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { type Bot, callSigned, type Key, makeBook, makeKey, openBot, type SignedCall } from "./dialect-fixture.ts";

const LINEAR = "BTC/USDT:USDT";
const INVERSE = "BTC/USD:BTC";

let server: FuturesServer;
let maker: Visitor;
beforeAll(async () => {
  server = await startFuturesServer();
  maker = await server.player("1000000", "15");
});
afterAll(() => server?.close());

describe("ccxt on linear contracts", () => {
  let bot: Bot;
  let client: Bot["client"];
  beforeAll(async () => {
    bot = await openBot(server, "linear");
    client = bot.client;
    await makeBook(maker, "futures");
  });
  afterAll(() => client?.close());

  test("[BOT-1] a market order opens a position, listed with its margin, value and liquidation price", async () => {
    await client.setLeverage(10, LINEAR);
    const bought = await client.createOrder(LINEAR, "market", "buy", 0.1);
    expect(bought).toMatchObject({ symbol: LINEAR, status: "closed", side: "buy", filled: 0.1, average: 50_010 });
    const [position, ...more] = await client.fetchPositions([LINEAR]);
    expect(more).toEqual([]);
    expect(position).toMatchObject({
      symbol: LINEAR,
      side: "long",
      contracts: 0.1,
      entryPrice: 50_010,
      markPrice: 50_000,
      marginMode: "cross",
      hedged: false,
      notional: 5_000,
      unrealizedPnl: -1,
    });
    expect(position?.leverage).toBe(10);
    const balance = await client.fetchBalance();
    expect(Number(balance.USDT?.total)).toBeGreaterThan(19_990);
    expect(Number(balance.USDT?.free)).toBeLessThan(Number(balance.USDT?.total));
    const [fill] = await client.fetchMyTrades(LINEAR);
    expect(fill).toMatchObject({ symbol: LINEAR, side: "buy", takerOrMaker: "taker", amount: 0.1, price: 50_010 });
    expect(fill?.fee?.currency).toBe("USDT");
    expect(Number(fill?.fee?.cost)).toBeGreaterThan(0);
    const income = await client.fetchLedger();
    expect(income.map(({ type }) => type)).toEqual(expect.arrayContaining(["transfer", "commission"]));
  });

  test("[BOT-1] a limit order takes its price from its own side of the book, or the other's", async () => {
    const queued = await client.createOrder(LINEAR, "limit", "buy", 0.02, undefined, { priceMatch: "QUEUE" });
    expect(queued).toMatchObject({ status: "open", price: 49_990 });
    await client.cancelOrder(String(queued.id), LINEAR);
    const taking = { priceMatch: "OPPONENT", timeInForce: "IOC", reduceOnly: true };
    const sold = await client.createOrder(LINEAR, "limit", "sell", 0.02, undefined, taking);
    expect(sold).toMatchObject({ status: "closed", average: 49_990, filled: 0.02 });
    expect((await client.createOrder(LINEAR, "market", "buy", 0.02)).filled).toBe(0.02);
  });

  test("[BOT-1] limit orders rest, are read by both names, amended, and ended one or all", async () => {
    const placed = await client.createOrder(LINEAR, "limit", "buy", 0.02, 48_000);
    expect(placed).toMatchObject({ status: "open", price: 48_000, amount: 0.02, timeInForce: "GTC" });
    const named = await client.fetchOrder(undefined as unknown as string, LINEAR, {
      origClientOrderId: placed.clientOrderId,
    });
    expect(named.id).toBe(placed.id);
    const edited = await client.editOrder(String(placed.id), LINEAR, "limit", "buy", 0.03, 48_100);
    expect(edited).toMatchObject({ id: placed.id, price: 48_100, amount: 0.03, status: "open" });
    expect((await client.fetchOpenOrders(LINEAR)).map(({ id }) => id)).toEqual([placed.id]);
    expect((await client.cancelOrder(String(placed.id), LINEAR)).status).toBe("canceled");
    await expect(client.cancelOrder(String(placed.id), LINEAR)).rejects.toMatchObject({ name: "OrderNotFound" });
    const several = await client.createOrders([
      { symbol: LINEAR, type: "limit", side: "buy", amount: 0.01, price: 48_000 },
      { symbol: LINEAR, type: "limit", side: "buy", amount: 0.01, price: 48_100 },
      { symbol: LINEAR, type: "limit", side: "buy", amount: 1_000_000, price: 48_100 },
    ]);
    expect(several.map(({ status }) => status)).toEqual(["open", "open", "rejected"]);
    const [first] = several;
    const ended = await client.cancelOrders([String(first?.id)], LINEAR);
    expect(ended.map(({ id, status }) => [id, status])).toEqual([[first?.id, "canceled"]]);
    await client.cancelAllOrders(LINEAR);
    expect(await client.fetchOpenOrders(LINEAR)).toEqual([]);
    expect((await client.fetchOrders(LINEAR)).length).toBeGreaterThan(3);
  });

  test("[BOT-1] an order good until a date returns that date on every read, and costs its address no weight", async () => {
    const goodTillDate = server.nowMs() + 86_400_000;
    const dateOf = ({ info }: { readonly info: unknown }) => Number((info as { goodTillDate: string }).goodTillDate);
    const weight = () => Number((client.last_response_headers as Record<string, string>)["X-Mbx-Used-Weight-1m"]);
    await client.fetchOpenOrders(LINEAR);
    const before = weight();
    const placed = await client.createOrder(LINEAR, "limit", "buy", 0.02, 48_000, { timeInForce: "GTD", goodTillDate });
    expect(weight()).toBe(before);
    const id = String(placed.id);
    expect(dateOf(placed)).toBe(goodTillDate);
    expect(dateOf(await client.fetchOrder(id, LINEAR))).toBe(goodTillDate);
    const [open] = await client.fetchOpenOrders(LINEAR);
    expect([open?.id, open === undefined ? 0 : dateOf(open)]).toEqual([id, goodTillDate]);
    await client.editOrder(id, LINEAR, "limit", "buy", 0.02, 48_100);
    expect(dateOf(await client.fetchOrder(id, LINEAR))).toBe(goodTillDate);
    await client.cancelOrder(id, LINEAR);
    const ended = (await client.fetchCanceledOrders(LINEAR)).filter((order) => order.id === id);
    expect(ended.map(dateOf)).toEqual([goodTillDate]);
  });

  test("[BOT-1] stops, take-profits and trailing stops wait, are read and end as conditional orders", async () => {
    const stop = await client.createOrder(LINEAR, "market", "sell", 0.05, undefined, {
      stopLossPrice: 45_000,
      reduceOnly: true,
    });
    const profit = await client.createOrder(LINEAR, "limit", "sell", 0.05, 55_100, { takeProfitPrice: 55_000 });
    const trailing = await client.createOrder(LINEAR, "market", "sell", 0.05, undefined, {
      trailingPercent: 2,
      reduceOnly: true,
    });
    const open = await client.fetchOpenOrders(LINEAR, undefined, undefined, { trigger: true });
    expect(open.map(({ id }) => id).sort()).toEqual([stop.id, profit.id, trailing.id].sort());
    expect(await client.fetchOrder(String(stop.id), LINEAR, { trigger: true })).toMatchObject({
      status: "open",
      triggerPrice: 45_000,
      reduceOnly: true,
    });
    await client.cancelOrder(String(stop.id), LINEAR, { trigger: true });
    await client.cancelAllOrders(LINEAR, { trigger: true });
    expect(await client.fetchOpenOrders(LINEAR, undefined, undefined, { trigger: true })).toEqual([]);
    await expect(
      client.createOrder(LINEAR, "market", "sell", 0.05, undefined, { stopLossPrice: 60_000 }),
    ).rejects.toMatchObject({ name: "OrderImmediatelyFillable" });
  });

  test("[BOT-1] a stop that closes the whole position coexists with its take-profit, once each", async () => {
    const whole = { closePosition: true } as const;
    const amount = undefined as unknown as number;
    const stop = await client.createOrder(LINEAR, "STOP_MARKET", "sell", amount, undefined, {
      ...whole,
      stopPrice: 45_000,
    });
    const profit = await client.createOrder(LINEAR, "TAKE_PROFIT_MARKET", "sell", amount, undefined, {
      ...whole,
      stopPrice: 60_000,
    });
    const open = await client.fetchOpenOrders(LINEAR, undefined, undefined, { trigger: true });
    const answer = open.map(({ triggerPrice, info }) => [Number(triggerPrice), info.closePosition] as const);
    expect(answer.sort(([left], [right]) => left - right)).toEqual([
      [45_000, true],
      [60_000, true],
    ]);
    await expect(
      client.createOrder(LINEAR, "STOP_MARKET", "sell", amount, undefined, { ...whole, stopPrice: 44_000 }),
    ).rejects.toThrow(/-4130/);
    expect(stop.id).not.toBe(profit.id);
    await client.cancelAllOrders(LINEAR, { trigger: true });
  });

  test("[BOT-1] margin mode, margin, leverage and their refusals are those clients expect", async () => {
    await client.setMarginMode("isolated", LINEAR);
    await expect(client.setMarginMode("isolated", LINEAR)).rejects.toMatchObject({ name: "MarginModeAlreadySet" });
    expect((await client.fetchPositions([LINEAR]))[0]).toMatchObject({ marginMode: "isolated" });
    const added = await client.addMargin(LINEAR, 100);
    expect(added).toMatchObject({ amount: 100, type: "add", status: "ok" });
    await client.setMarginMode("cross", LINEAR);
    await expect(client.setLeverage(126, LINEAR)).rejects.toThrow();
    const leverage = await client.fetchLeverage(LINEAR);
    expect(leverage).toMatchObject({ longLeverage: 10, marginMode: "cross" });
    const tiers = await client.fetchMarketLeverageTiers(LINEAR);
    expect(tiers[0]).toMatchObject({ minNotional: 0 });
    expect(await client.fetchTradingFee(LINEAR)).toMatchObject({ symbol: LINEAR, taker: 0.0006 });
    await expect(client.setPositionMode(true)).rejects.toThrow(/-4068/);
  });

  test("[BOT-1] refusals arrive as the classes clients expect, and nothing changes", async () => {
    const limit = (amount: number, price: number, more: object = {}) =>
      client.createOrder(LINEAR, "limit", "buy", amount, price, more);
    await expect(limit(90, 49_000)).rejects.toMatchObject({ name: "InsufficientFunds" });
    await expect(limit(0.1, 50_010, { postOnly: true })).rejects.toMatchObject({ name: "OrderNotFillable" });
    await expect(limit(0.1, 90_000)).rejects.toThrow(/-4016/);
    await expect(client.createOrder(LINEAR, "market", "buy", 0.1, undefined, { reduceOnly: true })).rejects.toThrow(
      /-2022/,
    );
    await expect(limit(0.1, 49_000, { positionSide: "LONG" })).rejects.toThrow(/-4061/);
    await expect(client.fetchOrder("999999", LINEAR)).rejects.toMatchObject({ name: "OrderNotFound" });
    expect(await client.fetchOpenOrders(LINEAR)).toEqual([]);
  });

  test("[BOT-1] the switch cancels orders when no further call comes, and test orders place nothing", async () => {
    await client.createOrder(LINEAR, "limit", "buy", 0.02, 48_000);
    const signed = (path: string, method: string, parameters: Record<string, string | number>) =>
      callSigned(server.url, bot.key, path, { method, parameters, timeMs: server.nowMs() });
    const armed = await signed("/fapi/v1/countdownCancelAll", "POST", { symbol: "BTCUSDT", countdownTime: 120_000 });
    expect(armed.body).toEqual({ symbol: "BTCUSDT", countdownTime: "120000" });
    const short = await signed("/fapi/v1/countdownCancelAll", "POST", { symbol: "BTCUSDT", countdownTime: 500 });
    expect(short.body.code).toBe(-1130);
    const off = await signed("/fapi/v1/countdownCancelAll", "POST", { symbol: "BTCUSDT", countdownTime: 0 });
    expect(off.status).toBe(200);
    const resting = await client.createOrder(LINEAR, "limit", "buy", 0.02, 47_900);
    // The switch covers the whole contract: its resting orders are canceled, those elsewhere remain.
    await signed("/fapi/v1/countdownCancelAll", "POST", { symbol: "BTCUSDT", countdownTime: 30_000 });
    server.wait(31_000);
    await expect
      .poll(async () => {
        await server.mark(server.linear, 500_000);
        return (await client.fetchOpenOrders(LINEAR)).length;
      })
      .toBe(0);
    expect((await client.fetchOrder(String(resting.id), LINEAR)).status).toBe("canceled");
    await client.createOrder(LINEAR, "limit", "buy", 0.02, 48_000);
    const tested = await signed("/fapi/v1/order/test", "POST", {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "47000",
    });
    expect([tested.status, tested.body]).toEqual([200, {}]);
    expect(await client.fetchOpenOrders(LINEAR)).toHaveLength(1);
    await client.cancelAllOrders(LINEAR);
    const multi = await signed("/fapi/v1/multiAssetsMargin", "POST", { multiAssetsMargin: "true" });
    expect(multi.body.code).toBe(-4167);
    expect((await signed("/fapi/v1/adlQuantile", "GET", {})).body[0].adlQuantile.BOTH).toBeGreaterThanOrEqual(0);
    expect((await signed("/fapi/v1/forceOrders", "GET", {})).body).toEqual([]);
    expect((await signed("/fapi/v2/positionRisk", "GET", { symbol: "ETHUSDT" })).body).toHaveLength(1);
  });

  test("[BOT-1] in hedge mode both sides are held at once", async () => {
    const { client: hedger } = await openBot(server, "linear");
    await hedger.setPositionMode(true);
    await expect(hedger.setPositionMode(true)).rejects.toThrow(/-4059/);
    expect(await hedger.fetchPositionMode()).toMatchObject({ hedged: true });
    await expect(hedger.createOrder(LINEAR, "market", "buy", 0.01)).rejects.toThrow(/-4061/);
    const side = (name: string) => ({ positionSide: name });
    await hedger.createOrder(LINEAR, "market", "buy", 0.02, undefined, side("LONG"));
    await hedger.createOrder(LINEAR, "market", "sell", 0.01, undefined, side("SHORT"));
    const positions = await hedger.fetchPositions([LINEAR]);
    expect(positions.map((one) => [one.side, one.contracts, one.hedged]).sort()).toEqual([
      ["long", 0.02, true],
      ["short", 0.01, true],
    ]);
    const closed = await hedger.createOrder(LINEAR, "market", "sell", 0.02, undefined, side("LONG"));
    expect(closed).toMatchObject({ status: "closed", filled: 0.02 });
    const fills = await hedger.fetchMyTrades(LINEAR);
    expect(fills.map(({ info }) => info.positionSide)).toEqual(["LONG", "SHORT", "LONG"]);
    expect((await hedger.fetchPositions([LINEAR])).map(({ side }) => side)).toEqual(["short"]);
    await hedger.createOrder(LINEAR, "market", "buy", 0.01, undefined, side("SHORT"));
    await hedger.setPositionMode(false);
    await hedger.createOrder(LINEAR, "market", "buy", 0.01);
    const sides = async () => (await hedger.fetchOrders(LINEAR)).map(({ info }) => info.positionSide);
    expect(await sides()).toEqual(["LONG", "SHORT", "LONG", "SHORT", "BOTH"]);
    const again = await hedger.fetchMyTrades(LINEAR);
    expect(again.map(({ info }) => info.positionSide)).toEqual(["LONG", "SHORT", "LONG", "SHORT", "BOTH"]);
    const [first] = again;
    expect((await hedger.fetchOrder(String(first?.order), LINEAR)).info.positionSide).toBe("LONG");
    await hedger.close();
  });

  test("[BOT-1] a contract never traded has its row in every list, with its mark where there is one", async () => {
    const read = async (path: string) => (await (await fetch(`${server.url}/fapi/v1/${path}`)).json()) as never;
    const names = (rows: readonly { symbol: string }[]) => rows.map(({ symbol }) => symbol).sort();
    const listed = names(((await read("exchangeInfo")) as { symbols: { symbol: string }[] }).symbols);
    for (const path of ["premiumIndex", "ticker/24hr", "ticker/price", "ticker/bookTicker"]) {
      expect([path, names(await read(path))]).toEqual([path, listed]);
    }
    await server.mark(await server.marketOf("ETH_USDT-PERP"), 300_000);
    const eth = (path: string) => read(`${path}?symbol=ETHUSDT`);
    expect(await eth("ticker/24hr")).toMatchObject({ symbol: "ETHUSDT", priceChangePercent: "0.000", count: 0 });
    expect(Number(((await eth("premiumIndex")) as { markPrice: string }).markPrice)).toBeGreaterThan(0);
    expect(await eth("openInterest")).toMatchObject({ symbol: "ETHUSDT" });
    await client.loadMarkets();
    expect((await client.fetchFundingRate("ETH/USDT:USDT")).symbol).toBe("ETH/USDT:USDT");
  });
});

describe("ccxt on inverse contracts", () => {
  test("[BOT-1] orders are counted in contracts, positions and balances in coins", async () => {
    await makeBook(maker, "delivery");
    const { client } = await openBot(server, "inverse");
    const market = client.market(INVERSE);
    expect(market.contractSize).toBeGreaterThan(0);
    await client.setLeverage(5, INVERSE);
    const placed = await client.createOrder(INVERSE, "limit", "buy", 3, 48_000);
    expect(placed).toMatchObject({ symbol: INVERSE, status: "open", amount: 3, price: 48_000 });
    expect(await client.fetchOrder(String(placed.id), INVERSE)).toMatchObject({ remaining: 3 });
    const edited = await client.editOrder(String(placed.id), INVERSE, "limit", "buy", 4, 48_100);
    expect(edited).toMatchObject({ amount: 4, price: 48_100 });
    await client.cancelAllOrders(INVERSE);
    const bought = await client.createOrder(INVERSE, "market", "buy", 5);
    expect(bought).toMatchObject({ status: "closed", filled: 5 });
    expect(bought.average).toBeCloseTo(50_010, 1);
    const [position] = await client.fetchPositions([INVERSE]);
    expect(position).toMatchObject({ symbol: INVERSE, side: "long", contracts: 5, leverage: 5, marginMode: "cross" });
    const stop = await client.createOrder(INVERSE, "market", "sell", 5, undefined, { stopLossPrice: 45_000 });
    expect((await client.fetchOpenOrders(INVERSE)).map(({ id }) => id)).toEqual([stop.id]);
    await client.cancelAllOrders(INVERSE);
    const balance = await client.fetchBalance();
    expect(Number(balance.BTC?.total)).toBeGreaterThan(1.9);
    expect((await client.fetchMyTrades(INVERSE)).map(({ amount }) => amount)).toEqual([5]);
    expect((await client.fetchFundingHistory(INVERSE)).length).toBe(0);
    expect(await client.fetchTradingFee(INVERSE)).toMatchObject({ symbol: INVERSE, taker: 0.0006 });
    const sold = await client.createOrder(INVERSE, "market", "sell", 5, undefined, { reduceOnly: true });
    expect(sold.status).toBe("closed");
    expect(await client.fetchPositions([INVERSE])).toEqual([]);
    await client.close();
  });
});

describe("attacks on contracts", () => {
  const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "48000" };
  let bot: Bot;
  beforeAll(async () => {
    bot = await openBot(server, "linear");
  });
  afterAll(() => bot?.client.close());

  const send = (call: Partial<SignedCall> = {}, key: Key = bot.key, path = "/fapi/v1/order") =>
    callSigned(server.url, key, path, { method: "POST", parameters: LIMIT, timeMs: server.nowMs(), ...call });
  const countOpen = async (): Promise<number> =>
    (await bot.visitor.futures("/v1/futuresc/orders?state=open")).data.orders.length;

  const refusals: readonly (readonly [string, () => Partial<SignedCall>, number, number])[] = [
    ["two minutes old", () => ({ timeMs: server.nowMs() - 120_000 }), 400, -1021],
    ["with a huge window", () => ({ parameters: { ...LIMIT, recvWindow: 60_001 } }), 400, -1131],
    ["with a parameter in query and body", () => ({ body: "symbol=ETHUSDT" }), 400, -1101],
    ["in another order than signed", () => ({ query: (q) => `side=BUY&${q.replace("side=BUY&", "")}` }), 400, -1022],
    ["changed after signing", () => ({ query: (q) => q.replace("0.01", "0.02") }), 400, -1022],
    ["with an exponent", () => ({ parameters: { ...LIMIT, quantity: "1e-2" } }), 400, -1100],
    ["of the other kind of contract", () => ({ parameters: { ...LIMIT, symbol: "BTCUSD_PERP" } }), 400, -1121],
    ["finer than a lot", () => ({ parameters: { ...LIMIT, quantity: "0.0000001" } }), 400, -1111],
    ["with a stop price it has no use for", () => ({ parameters: { ...LIMIT, stopPrice: "1" } }), 400, -1106],
    ["with a price and a price match", () => ({ parameters: { ...LIMIT, priceMatch: "OPPONENT" } }), 400, -1106],
    ["with no such price match", () => ({ parameters: { ...LIMIT, price: "", priceMatch: "QUEUE_3" } }), 400, -5037],
    ["deeper than the book", () => ({ parameters: { ...LIMIT, price: "", priceMatch: "QUEUE_20" } }), 400, -5041],
    [
      "that matches a price when it triggers",
      () => ({ parameters: { ...LIMIT, type: "STOP", stopPrice: "60000", price: "", priceMatch: "QUEUE" } }),
      400,
      -5038,
    ],
    ["without a time in force", () => ({ parameters: { ...LIMIT, timeInForce: "" } }), 400, -1102],
  ];
  test.each(refusals)("[BOT-1] an order %s is refused and nothing changes", async (_, call, status, code) => {
    const before = await countOpen();
    const refused = await send(call());
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(await countOpen()).toBe(before);
  });

  test("[BOT-1] the same signed order is placed once, and lists of orders are read with suspicion", async () => {
    const timeMs = server.nowMs();
    const all = await Promise.all(Array.from({ length: 6 }, () => send({ timeMs })));
    expect(all.map(({ body }) => body.code ?? 200).sort()).toEqual([-1022, -1022, -1022, -1022, -1022, 200]);
    expect(await countOpen()).toBe(1);
    const batch = (list: string) => send({ parameters: { batchOrders: list } }, bot.key, "/fapi/v1/batchOrders");
    for (const [list, code] of [
      ["[]", -4082],
      [JSON.stringify(Array.from({ length: 6 }, () => LIMIT)), -4082],
      ["{}", -1100],
      ["[", -1100],
    ] as const)
      expect([list.slice(0, 9), (await batch(list)).body.code]).toEqual([list.slice(0, 9), code]);
    const hostile = await batch(JSON.stringify([null, [1], { symbol: { $ne: "" } }, { ...LIMIT, quantity: 1e-7 }]));
    expect(hostile.body.map(({ code }: { code: number }) => code)).toEqual([-1102, -1102, -1102, -1100]);
    expect(await countOpen()).toBe(1);
    await bot.client.cancelAllOrders(LINEAR);
  });

  test("[BOT-1] a key reaches what it was permitted and its owner's own, and no other user's", async () => {
    const reader = await makeKey(bot.visitor, { permissions: ["read", "spot"] });
    expect((await send({}, reader)).body.code).toBe(-2015);
    const away = await makeKey(bot.visitor, { permissions: ["read", "futures"], ipList: ["10.1.2.3"] });
    expect((await send({}, away)).body.code).toBe(-2015);
    const { body } = await send();
    const outsider = await openBot(server, "linear");
    const theirs = { symbol: "BTCUSDT", orderId: body.orderId, side: "BUY", quantity: "0.02", price: "48000" };
    const reach = (method: string, path = "/fapi/v1/order") => send({ method, parameters: theirs }, outsider.key, path);
    expect((await reach("GET")).body.code).toBe(-2013);
    expect((await reach("PUT")).body.code).toBe(-2013);
    expect((await reach("DELETE")).body.code).toBe(-2011);
    expect(
      (await send({ method: "DELETE", parameters: { algoId: body.orderId } }, outsider.key, "/fapi/v1/algoOrder")).body
        .code,
    ).toBe(-2011);
    const ask = async (method: string, key: Key, query = "") =>
      (await (
        await fetch(`${server.url}/fapi/v1/listenKey${query}`, { method, headers: { "x-mbx-apikey": key.apiKey } })
      ).json()) as { listenKey: string; code?: number };
    const { listenKey } = await ask("POST", bot.key);
    expect((await ask("PUT", outsider.key, `?listenKey=${listenKey}`)).code).toBe(-1125);
    expect(await countOpen()).toBe(1);
    expect((await bot.visitor.post("/v2/users/security/freeze", {})).status).toBe(200);
    expect((await send()).body.code).toBe(-2015);
    await outsider.client.close();
  });
});
