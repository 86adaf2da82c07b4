// Streams and sockets of perpetual contracts in the Binance dialect, as ccxt pro and raw clients receive them.
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { type FuturesServer, order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import {
  awaitedBy,
  type Bot,
  callSigned,
  countAnswered,
  makeBook,
  makeKey,
  openBot as openBotOn,
  openCcxt,
  openLine,
  RECEIVE_MS,
} from "./dialect-fixture.ts";

const LINEAR = "BTC/USDT:USDT";
let server: FuturesServer;
let maker: Visitor;
let openBot: (kind: "linear" | "inverse", usdt?: string) => Promise<Bot>;
beforeAll(async () => {
  server = await startFuturesServer();
  openBot = (kind, usdt) => openBotOn(server, kind, usdt);
  maker = await server.player("1000000", "15");
  await makeBook(maker, "futures");
});
afterAll(() => server?.close());

describe("streams of contracts", () => {
  test("[BOT-1] public streams of both kinds publish books, trades, marks and tickers", async () => {
    const base = server.url.replace("http", "ws");
    const line = await openLine(`${base}/fstream/public/ws/0`);
    line.say({ method: "SUBSCRIBE", params: ["btcusdt@depth@100ms", "btcusdt@trade", "btcusdt@bookTicker"], id: 1 });
    expect(await line.find(({ id }) => id === 1)).toEqual({ result: null, id: 1 });
    const marks = await openLine(`${base}/fstream/market/stream?streams=btcusdt@markPrice@1s/btcusdt@kline_1m`);
    await makeBook(maker, "delivery");
    const named = ["markPrice", "depth", "depth5", "bookTicker"].map((kind) => `btcusd_perp@${kind}`);
    const inverse = await openLine(`${base}/dstream/stream?streams=${named.join("/")}`);
    const taker = await server.player("5000");
    expect((await order(taker, { side: "buy", price: "50010", quantity: "0.01" })).status).toBe(200);
    expect(await line.find(({ e }) => e === "trade")).toMatchObject({
      s: "BTCUSDT",
      p: "50010.0",
      q: "0.01",
      m: false,
    });
    const update = await line.find(({ e }) => e === "depthUpdate");
    expect([update.pu, update.U <= update.u]).toEqual([update.U - 1, true]);
    expect(await line.find(({ e, A }) => e === "bookTicker" && A === "4.99")).toMatchObject({ s: "BTCUSDT" });
    expect((await marks.find(({ stream }) => stream === "btcusdt@markPrice@1s")).data).toMatchObject({ p: "50000.0" });
    expect((await marks.find(({ stream }) => stream === "btcusdt@kline_1m")).data.k).toMatchObject({ i: "1m" });
    const sold = { biz: "delivery", pairCode: "BTC_USD", side: "sell", price: "49990", quantity: "100" };
    expect((await order(await server.player("0", "1"), sold)).status).toBe(200);
    for (const name of named) {
      const { data } = await inverse.find(({ stream }) => stream === name);
      // Books of inverse contracts name their pair too.
      const pair = name.endsWith("markPrice") ? {} : { ps: "BTCUSD" };
      expect(data).toMatchObject({ s: "BTCUSD_PERP", ...pair });
    }
    for (const one of [line, marks, inverse]) one.end();
    const wrong = await openLine(`${base}/dstream/ws/btcusdt@trade`);
    expect(await wrong.closed).toBe(1008);
  });

  test("[BOT-1] ccxt pro receives its orders, fills, positions and balances, and maintains the book", async () => {
    const { client, visitor } = await openBot("linear");
    await client.loadHttpProxyAgent();
    const book = await client.watchOrderBook(LINEAR);
    expect([book.bids[0]?.[0], book.asks[0]?.[0]]).toEqual([49_990, 50_010]);
    const outcome: Record<string, unknown> = {};
    const keep = (name: string) => (value: unknown) => {
      outcome[name] = value;
    };
    const buy = async () =>
      expect((await order(visitor, { side: "buy", price: "50010", quantity: "0.01" })).status).toBe(200);
    // Positions are published in full when the line is opened.
    await buy();
    void client.watchOrders(LINEAR).then(keep("orders"));
    void client.watchPositions([LINEAR]).then(keep("positions"));
    void client.watchBalance().then(keep("balance"));
    // Each waits for the next news after it has subscribed.
    await vi.waitFor(
      async () => {
        await buy();
        expect(Object.keys(outcome).sort()).toEqual(["balance", "orders", "positions"]);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(outcome).toMatchObject({
      orders: expect.arrayContaining([expect.objectContaining({ symbol: LINEAR, side: "buy" })]),
      positions: expect.arrayContaining([expect.objectContaining({ symbol: LINEAR, side: "long" })]),
      balance: { USDT: { total: expect.any(Number) } },
    });
    await client.close();
  });

  test("[BOT-1] a user stream publishes each step of an order, settings, margin calls; it ends with its key", async () => {
    const { visitor, key, client } = await openBot("linear", "3000");
    const base = server.url.replace("http", "ws");
    const opened = await fetch(`${server.url}/fapi/v1/listenKey`, {
      method: "POST",
      headers: { "x-mbx-apikey": key.apiKey },
    });
    const { listenKey } = (await opened.json()) as { listenKey: string };
    const line = await openLine(`${base}/fstream/private/ws?listenKey=${listenKey}`);
    const signed = (path: string, method: string, parameters: Record<string, string | number>) =>
      callSigned(server.url, key, path, { method, parameters, timeMs: server.nowMs() });
    await vi.waitFor(async () => {
      const leverage = 19 + (line.received.length % 2);
      expect((await signed("/fapi/v1/leverage", "POST", { symbol: "BTCUSDT", leverage })).status).toBe(200);
      await signed("/fapi/v1/leverage", "POST", { symbol: "BTCUSDT", leverage: 20 });
      expect(line.received.some(({ e }) => e === "ACCOUNT_CONFIG_UPDATE")).toBe(true);
    }, 60_000);
    const limit = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.02",
      price: "48000",
    };
    const placed = await signed("/fapi/v1/order", "POST", { ...limit, newClientOrderId: "mine" });
    const changed = { symbol: "BTCUSDT", orderId: placed.body.orderId, side: "BUY", quantity: "0.01", price: "48000" };
    await signed("/fapi/v1/order", "PUT", changed);
    await signed("/fapi/v1/order", "DELETE", { symbol: "BTCUSDT", origClientOrderId: "mine" });
    await line.find(({ o }) => o?.c === "mine" && o.x === "CANCELED");
    const steps = line.received.filter(({ o }) => o?.c === "mine").map(({ o }) => [o.x, o.X, o.q]);
    expect(steps).toEqual([
      ["NEW", "NEW", "0.02"],
      ["AMENDMENT", "NEW", "0.01"],
      ["CANCELED", "CANCELED", "0.01"],
    ]);
    const market = { ...limit, quantity: "1", price: "50010" };
    expect((await signed("/fapi/v1/order", "POST", market)).body).toMatchObject({ status: "FILLED" });
    const trade = await line.find(({ o }) => o?.x === "TRADE");
    expect(trade.o).toMatchObject({ s: "BTCUSDT", o: "LIMIT", X: "FILLED", ps: "BOTH", N: "USDT" });
    const update = await line.find(({ e, a }) => e === "ACCOUNT_UPDATE" && a.P.length > 0);
    expect(update.a).toMatchObject({ m: "ORDER", P: [{ s: "BTCUSDT", pa: "1", mt: "cross", ps: "BOTH" }] });
    await server.mark(server.linear, 473_000);
    expect(await line.find(({ e }) => e === "MARGIN_CALL")).toMatchObject({ p: [{ s: "BTCUSDT", pa: "1" }] });
    await client.loadHttpProxyAgent();
    const answered = countAnswered(client);
    const taken = client.watchLiquidations(LINEAR);
    const takenOfSome = client.watchLiquidationsForSymbols([LINEAR]);
    const own = client.watchMyLiquidations(LINEAR);
    const ownOfSome = client.watchMyLiquidationsForSymbols([LINEAR]);
    const watcher = await openLine(`${base}/fstream/market/ws/btcusdt@forceOrder`);
    await vi.waitUntil(() => answered() > 0 && awaitedBy(client).some((name) => name.startsWith("myLiq")), 60_000);
    await server.mark(server.linear, 470_000);
    expect(await watcher.find(({ e }) => e === "forceOrder")).toMatchObject({ o: { s: "BTCUSDT", S: "SELL" } });
    const forced = await signed("/fapi/v1/forceOrders", "GET", { symbol: "BTCUSDT" });
    expect(forced.body[0]).toMatchObject({ symbol: "BTCUSDT", side: "SELL", status: "FILLED" });
    const outcome = await line.find(({ o }) => o?.x === "CALCULATED");
    expect(outcome.o).toMatchObject({ s: "BTCUSDT", S: "SELL", o: "LIQUIDATION", X: "FILLED", ps: "BOTH" });
    expect(outcome.o).toMatchObject({ c: forced.body[0].clientOrderId, q: forced.body[0].origQty });
    for (const received of [taken, takenOfSome, own, ownOfSome]) {
      expect((await received)[0]).toMatchObject({ symbol: LINEAR });
    }
    expect((await taken)[0]).toMatchObject({ side: "sell" });
    watcher.end();
    await client.close();
    await server.mark(server.linear, 500_000);
    await visitor.post("/v2/users/api-keys/delete", { apiKey: key.apiKey });
    expect(await line.closed).toBe(1008);
  });

  test.each([
    ["the class of all markets", "spot", "BTC/USDT:USDT"],
    ["inverse contracts", "inverse", "BTC/USD:BTC"],
  ] as const)("[BOT-1] ccxt pro hears liquidations with %s, everybody's and its own", async (_, kind, symbol) => {
    const isInverse = kind === "inverse";
    const { key } = await openBotOn(server, isInverse ? "inverse" : "linear", "4000", "0.2");
    const client = openCcxt(server.url, key, server.nowMs, kind);
    await client.loadHttpProxyAgent();
    await makeBook(maker, isInverse ? "delivery" : "futures");
    const answered = countAnswered(client);
    await client.createMarketBuyOrder(symbol, isInverse ? 500 : 1);
    const received = [
      client.watchLiquidations(symbol),
      client.watchLiquidationsForSymbols([symbol]),
      client.watchMyLiquidations(symbol),
      client.watchMyLiquidationsForSymbols([symbol]),
    ];
    await vi.waitUntil(() => answered() > 0 && awaitedBy(client).some((name) => name.startsWith("myLiq")), 60_000);
    await server.mark(isInverse ? server.inverse : server.linear, 400_000);
    for (const news of received) expect((await news)[0]).toMatchObject({ symbol });
    await client.close();
    await server.mark(isInverse ? server.inverse : server.linear, 500_000);
  });

  test("[BOT-1] the socket places, changes and ends orders of contracts", async () => {
    const { key } = await openBot("linear");
    const line = await openLine(`${server.url.replace("http", "ws")}/ws-fapi/v1`);
    let requested = 0;
    const call = async (method: string, parameters: Record<string, string | number>) => {
      requested += 1;
      const id = `c${requested}`;
      const params: Record<string, string | number> = {
        ...parameters,
        apiKey: key.apiKey,
        recvWindow: RECEIVE_MS,
        timestamp: server.nowMs(),
      };
      const names = Object.keys(params).sort();
      const payload = names.map((name) => `${name}=${params[name]}`).join("&");
      const signature = createHmac("sha256", key.secret).update(payload).digest("hex");
      line.say({ id, method, params: { ...params, signature } });
      return line.find((message) => message.id === id);
    };
    const limit = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.02",
      price: "48000",
    };
    const placed = await call("order.place", limit);
    expect([placed.status, placed.result.status]).toEqual([200, "NEW"]);
    const { orderId } = placed.result;
    const changed = await call("order.modify", {
      symbol: "BTCUSDT",
      orderId,
      side: "BUY",
      quantity: "0.03",
      price: "48000",
    });
    expect(changed.result.origQty).toBe("0.03");
    expect((await call("order.status", { symbol: "BTCUSDT", orderId })).result.origQty).toBe("0.03");
    expect((await call("order.cancel", { symbol: "BTCUSDT", orderId })).result.status).toBe("CANCELED");
    expect((await call("order.cancel", { symbol: "BTCUSDT", orderId })).error.code).toBe(-2011);
    expect((await call("v2/account.balance", {})).result[0].asset).toBe("USDT");
    line.end();
  });

  test("[BOT-1] subscribers of contracts are notified when one stops trading, and when it resumes", async () => {
    const line = await openLine(`${server.url.replace("http", "ws")}/fstream/ws/!contractInfo`);
    const set = (status: "HALT" | "TRADING") =>
      server.submit({ kind: "setMarketStatus", market: server.linear, status });
    await set("HALT");
    expect(await line.find(({ e, cs }) => e === "contractInfo" && cs === "BREAK")).toMatchObject({
      s: "BTCUSDT",
      ps: "BTCUSDT",
      ct: "PERPETUAL",
      dt: 4_133_404_800_000,
    });
    await set("TRADING");
    await line.find(({ e, cs }) => e === "contractInfo" && cs === "TRADING");
    line.end();
  });

  test("[BOT-1] a session logged on once places and ends orders of contracts without further signatures", async () => {
    const visitor = await server.player("5000");
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const permissions = ["read", "futures"];
    const { apiKey } = await makeKey(visitor, { kind: "ED25519", publicKey: pem, permissions });
    const line = await openLine(`${server.url.replace("http", "ws")}/ws-fapi/v1`);
    const say = async (id: string, method: string, params: object = {}) => {
      line.say({ id, method, params });
      return line.find((message) => message.id === id);
    };
    const timed = () => ({ recvWindow: RECEIVE_MS, timestamp: server.nowMs() });
    const limit = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" };
    expect((await say("early", "order.place", { ...limit, price: "48000", ...timed() })).error.code).toBe(-2014);
    const { timestamp } = timed();
    const payload = `apiKey=${apiKey}&recvWindow=${RECEIVE_MS}&timestamp=${timestamp}`;
    const signature = sign(null, Buffer.from(payload), privateKey).toString("base64");
    const on = await say("on", "session.logon", { apiKey, recvWindow: RECEIVE_MS, timestamp, signature });
    expect(on.result).toMatchObject({ apiKey, authorizedSince: expect.any(Number) });
    const placed = await say("place", "order.place", { ...limit, price: "48000", ...timed() });
    expect([placed.status, placed.result.status]).toEqual([200, "NEW"]);
    const named = { symbol: "BTCUSDT", orderId: placed.result.orderId, ...timed() };
    expect((await say("end", "order.cancel", named)).result.status).toBe("CANCELED");
    await say("off", "session.logout");
    expect((await say("late", "order.place", { ...limit, price: "48000", ...timed() })).error.code).toBe(-2014);
    line.end();
  });

  test.each([
    ["linear", "fapi", "fstream/market", "BTCUSDT", { side: "buy", price: "50010", quantity: "0.01" }],
    [
      "inverse",
      "dapi",
      "dstream",
      "BTCUSD_PERP",
      { biz: "delivery", pairCode: "BTC_USD", side: "sell", price: "49990", quantity: "100" },
    ],
  ] as const)("[BOT-1] a candle of %s contracts ends by the clock and tells its trades by number", async (...row) => {
    const [, api, path, symbol, requested] = row;
    // The one who made the books may have been signed out: hours pass here.
    await makeBook(await server.player("1000000", "15"), api === "fapi" ? "futures" : "delivery");
    expect((await order(await server.player("5000", "1"), requested)).status).toBe(200);
    const line = await openLine(`${server.url.replace("http", "ws")}/${path}/ws/${symbol.toLowerCase()}@kline_1h`);
    const { k: open } = await line.find(({ e }) => e === "kline");
    expect([open.x, open.L - open.f + 1]).toEqual([false, open.n]);
    server.wait(3_600_000);
    const { k: closed } = await line.find(({ k }) => k.x === true);
    const answer = await fetch(
      `${server.url}/${api}/v1/klines?symbol=${symbol}&interval=1h&startTime=${open.t}&limit=1`,
    );
    const [[t, o, h, l, c, v, T, q, n, V, Q] = []] = (await answer.json()) as unknown[][];
    expect(closed).toMatchObject({ t, o, h, l, c, v, T, q, n, V, Q, f: open.f, L: open.L, i: "1h", s: symbol });
    const traded = await fetch(`${server.url}/${api}/v1/trades?symbol=${symbol}&limit=1`);
    expect(await traded.json()).toMatchObject([{ id: closed.L }]);
    // Quiet since: the next one has no trade at all.
    server.wait(3_600_000);
    expect((await line.find(({ k }) => k.x === true && k.t > open.t)).k).toMatchObject({ n: 0, f: -1, L: -1, o: c });
    line.end();
  });
});

describe("streams by the host alone", () => {
  // Hours have passed: who made the books before is signed out.
  beforeAll(async () => {
    maker = await server.player("1000000", "15");
  });

  test("[BOT-1] addresses without a market's name serve contracts where contracts are meant, and never spot to them", async () => {
    const base = server.url.replace("http", "ws");
    await makeBook(maker, "delivery");
    const marked = await openLine(`${base}/market/ws/btcusdt@markPrice@1s`);
    expect(await marked.find(({ e }) => e === "markPriceUpdate")).toMatchObject({ s: "BTCUSDT" });
    const combined = await openLine(`${base}/market/stream?streams=btcusd_perp@markPrice@1s`);
    expect((await combined.find(({ data }) => data !== undefined)).data).toMatchObject({ s: "BTCUSD_PERP" });
    const line = await openLine(`${base}/ws/7`);
    line.say({ method: "SUBSCRIBE", params: ["btcusd_perp@markPrice", "btcusdt@bookTicker"], id: 1 });
    expect(await line.find(({ id }) => id === 1)).toEqual({ result: null, id: 1 });
    await makeBook(maker, "futures");
    // Only contracts name the event: it is not spot's.
    expect(await line.find(({ s }) => s === "BTCUSDT")).toMatchObject({ e: "bookTicker" });
    const spot = await openLine(`${base}/ws/7`);
    spot.say({ method: "SUBSCRIBE", params: ["btcusdt@trade", "btcusdt@markPrice"], id: 1 });
    expect((await spot.find(({ id }) => id === 1)).error.code).toBe(2);
    for (const one of [marked, combined, line, spot]) one.end();
  });

  test.each([
    ["linear", "fapi", "futures", "BTC_USDT", "0.01"],
    ["inverse", "dapi", "delivery", "BTC_USD", "100"],
  ] as const)(
    "[BOT-1] a listen key of %s contracts opens its user stream at every address without a market's name",
    async (...row) => {
      const [kind, api, biz, pairCode, quantity] = row;
      const { visitor, key } = await openBot(kind);
      const path = `/${api}/v1/listenKey`;
      const { body } = await callSigned(server.url, key, path, { method: "POST", timeMs: server.nowMs() });
      const base = server.url.replace("http", "ws");
      const addresses = [
        `/private/ws?listenKey=${body.listenKey}`,
        `/private/ws/${body.listenKey}`,
        `/ws/${body.listenKey}`,
      ];
      const lines = await Promise.all(addresses.map((address) => openLine(`${base}${address}`)));
      // Effective once the open orders were read, which has no event.
      await vi.waitFor(
        async () => {
          const placed = await order(visitor, { biz, pairCode, side: "buy", price: "48500", quantity });
          expect(placed.status).toBe(200);
          for (const { received } of lines) {
            const outcome = received.find(({ e }) => e === "ORDER_TRADE_UPDATE");
            expect(outcome?.o).toMatchObject({ S: "BUY", x: "NEW", X: "NEW" });
          }
        },
        { timeout: 60_000, interval: 500 },
      );
      for (const line of lines) line.end();
    },
  );

  test("[BOT-1] unmodified ccxt, given only the host, receives books and own orders of both kinds", async () => {
    for (const [kind, symbol, biz] of [
      ["linear", LINEAR, "futures"],
      ["inverse", "BTC/USD:BTC", "delivery"],
    ] as const) {
      const { visitor, key } = await openBot(kind);
      const plain = openCcxt(server.url, key, server.nowMs, kind, true);
      await plain.loadHttpProxyAgent();
      const [pairCode, quantity] = biz === "futures" ? ["BTC_USDT", "0.01"] : ["BTC_USD", "100"];
      await makeBook(maker, biz);
      const placing = setInterval(() => {
        void order(visitor, { biz, pairCode, side: "buy", price: "48500", quantity }).catch(() => undefined);
      }, 500);
      try {
        expect(await plain.watchOrderBook(symbol)).toMatchObject({ symbol });
        expect(await plain.watchOrders(symbol)).toMatchObject([{ symbol, status: "open" }]);
        expect(Object.keys(plain.clients).filter((url) => /\/[fd]?stream\//.test(url))).toEqual([]);
      } finally {
        clearInterval(placing);
      }
      await plain.close();
    }
  });
});
