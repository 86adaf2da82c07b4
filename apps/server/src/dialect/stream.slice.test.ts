// Streams of the Binance dialect as ccxt pro keeps them: books, trades, candles, tickers, the user's own events.
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { type Levels, openWire, watchBooks } from "./book-watch.ts";
import { awaitedBy, type Key, makeKey, openLine as open, openCcxt, RECEIVE_MS } from "./dialect-fixture.ts";

describe("streams", () => {
  let server: TradingServer;
  let maker: Visitor;
  let trader: Visitor;
  let key: Key;
  let base: string;
  const place = (visitor: Visitor, side: string, price: string, quantity = "0.01") =>
    visitor.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity });

  beforeAll(async () => {
    server = await startTradingServer();
    base = server.url.replace("http", "ws");
    maker = await server.trader({ BTC: "5", USDT: "60000" });
    trader = await server.trader({ BTC: "1", USDT: "20000" });
    key = await makeKey(trader);
    for (const [side, price] of [
      ["sell", "96010"],
      ["sell", "96020"],
      ["buy", "96000"],
      ["buy", "95990"],
    ] as const)
      expect((await place(maker, side, price, "0.1")).status).toBe(200);
  });
  afterAll(() => server?.close());

  test("[BOT-1] raw and combined lines: subscribe, list, unsubscribe, refuse what is none", async () => {
    const line = await open(`${base}/stream/ws`);
    line.say({ method: "SUBSCRIBE", params: ["btcusdt@trade", "btcusdt@bookTicker"], id: 1 });
    expect(await line.find(({ id }) => id === 1)).toEqual({ result: null, id: 1 });
    line.say({ method: "LIST_SUBSCRIPTIONS", id: 2 });
    expect((await line.find(({ id }) => id === 2)).result).toEqual(["btcusdt@trade", "btcusdt@bookTicker"]);
    line.say({ method: "SUBSCRIBE", params: ["nope@trade"], id: 3 });
    expect((await line.find(({ id }) => id === 3)).error.code).toBe(2);
    const both = await open(`${base}/stream?streams=btcusdt@aggTrade/btcusdt@depth5@100ms/btcusdt@avgPrice`);
    const single = await open(`${base}/ws/btcusdt@depth@100ms`);
    const named = await open(`${base}/stream/ws/btcusdt@trade`);
    expect((await place(trader, "buy", "96010")).status).toBe(200);
    expect(await line.find(({ e }) => e === "trade")).toMatchObject({
      s: "BTCUSDT",
      p: "96010.00000000",
      q: "0.01000000",
      m: false,
      M: true,
    });
    expect(await line.find(({ a, A }) => a === "96010.00000000" && A === "0.09000000")).toMatchObject({ s: "BTCUSDT" });
    expect(await both.find(({ stream }) => stream === "btcusdt@aggTrade")).toMatchObject({
      data: { e: "aggTrade", q: "0.01000000" },
    });
    expect((await both.find(({ stream }) => stream === "btcusdt@depth5@100ms")).data.bids[0]).toEqual([
      "96000.00000000",
      "0.10000000",
    ]);
    expect((await both.find(({ stream }) => stream === "btcusdt@avgPrice")).data).toMatchObject({
      e: "avgPrice",
      s: "BTCUSDT",
      i: "5m",
      w: expect.stringMatching(/^9[0-9]{4}\.[0-9]{8}$/),
    });
    expect(await named.find(({ e }) => e === "trade")).toMatchObject({ s: "BTCUSDT", p: "96010.00000000" });
    const update = await single.find(({ e }) => e === "depthUpdate");
    expect(update.U).toBeLessThanOrEqual(update.u);
    line.say({ method: "UNSUBSCRIBE", params: ["btcusdt@trade"], id: 4 });
    await line.find(({ id }) => id === 4);
    line.say({ method: "LIST_SUBSCRIPTIONS", id: 5 });
    expect((await line.find(({ id }) => id === 5)).result).toEqual(["btcusdt@bookTicker"]);
    for (const one of [line, both, single, named]) one.end();
    const wrong = await open(`${base}/ws/nope@trade`);
    expect(await wrong.closed).toBe(1008);
  });

  test("[USR-2] the page of keys shows the streams of the fullest connection, by address and by key", async () => {
    const outcome = async () => (await trader.get("/v2/users/api-keys/list")).data.limits;
    const kinds = ["trade", "aggTrade", "depth", "depth@100ms", "depth5", "depth10", "depth20", "bookTicker", "ticker"];
    const line = await open(`${base}/stream?streams=${kinds.map((kind) => `btcusdt@${kind}`).join("/")}`);
    await expect.poll(async () => (await outcome()).streams).toEqual({ used: kinds.length, max: 1_024 });
    const { connections } = await outcome();
    const other = await open(`${base}/ws/btcusdt@trade`);
    await expect.poll(async () => (await outcome()).connections).toBe(connections + 1);
    line.say({ method: "UNSUBSCRIBE", params: ["btcusdt@ticker"], id: 1 });
    await line.find(({ id }) => id === 1);
    expect((await outcome()).streams.used).toBe(kinds.length - 1);
    for (const one of [line, other]) one.end();
    await expect.poll(async () => (await outcome()).connections).toBe(connections - 1);
  });

  test("[BOT-1] an address that is no text and invalid names are refused, without effect on others", async () => {
    for (const path of ["/ws/%E0", "/ws/%", "/stream/stream/%C3%28", "/stream/ws/nope@trade"])
      expect(await (await open(`${base}${path}`)).closed, path).toBe(1008);
    const line = await open(`${base}/stream/ws`);
    // An object like this throws when it is made a text.
    for (const [id, param] of [{ toString: 1, valueOf: 1 }, null, 5, ["btcusdt@trade"]].entries()) {
      line.say({ method: "UNSUBSCRIBE", params: [param], id });
      expect((await line.find((message) => message.id === id)).error.code).toBe(2);
    }
    line.say({ method: "LIST_SUBSCRIPTIONS", id: 9 });
    expect((await line.find(({ id }) => id === 9)).result).toEqual([]);
    line.end();
  });

  test("[BOT-1] ccxt pro keeps the book level with the exchange's own while it changes", async () => {
    const exchange = openCcxt(server.url, undefined, server.nowMs);
    await exchange.loadHttpProxyAgent();
    await exchange.watchOrderBook("BTC/USDT");
    for (let step = 0; step < 40; step += 1) {
      const side = step % 2 === 0 ? "buy" : "sell";
      await place(maker, side, String(side === "buy" ? 95_000 + step * 10 : 97_000 - step * 10));
    }
    const wanted = (await maker.get("/v1/spot/depth?pairCode=BTC_USDT&limit=200")).data;
    const numbers = (levels: string[][]) => levels.map(([price, quantity]) => [Number(price), Number(quantity)]);
    await vi.waitUntil(
      async () => {
        // Followed in the background; a further watch would wait for an update that may never come.
        const book = exchange.orderbooks["BTC/USDT"];
        if (book === undefined) return false;
        const has = (levels: unknown) =>
          JSON.stringify((levels as number[][]).map(([price, quantity]) => [price, quantity]));
        return (
          has(book.bids) === JSON.stringify(numbers(wanted.bids)) &&
          has(book.asks) === JSON.stringify(numbers(wanted.asks))
        );
      },
      { timeout: 60_000 },
    );
    const watching = exchange.watchTrades("BTC/USDT");
    await vi.waitFor(async () => {
      await place(trader, "buy", "96620", "0.001");
      const trades = await Promise.race([
        watching,
        new Promise<undefined>((done) => setTimeout(() => done(undefined), 200)),
      ]);
      expect(trades?.at(-1)).toMatchObject({ symbol: "BTC/USDT", side: "buy" });
    }, 60_000);
    await exchange.close();
  });

  test("[BOT-1] the book ccxt pro keeps over lines that are cut is the plain call's at every number they share", async () => {
    const wire = await openWire(Number(new URL(server.url).port));
    const exchange = openCcxt(`http://127.0.0.1:${wire.port}`, undefined, server.nowMs);
    await exchange.loadHttpProxyAgent();
    await exchange.loadMarkets();
    const numbers = (levels: readonly (readonly string[])[]): Levels =>
      levels.map(([price, quantity]) => [Number(price), Number(quantity)] as const);
    let rounds = 0;
    const report = await watchBooks({
      symbols: ["BTC/USDT"],
      watch: (symbol) => exchange.watchOrderBook(symbol),
      async read() {
        rounds += 1;
        const side = rounds % 2 === 0 ? "buy" : "sell";
        await place(maker, side, String(side === "buy" ? 94_000 + rounds * 10 : 98_000 - rounds * 10), "0.001");
        const answer = await fetch(`${server.url}/api/v3/depth?symbol=BTCUSDT&limit=100`);
        const outcome = (await answer.json()) as { lastUpdateId: number; bids: string[][]; asks: string[][] };
        return { id: outcome.lastUpdateId, bids: numbers(outcome.bids), asks: numbers(outcome.asks) };
      },
      cut: wire.cut,
      isCut: () => rounds % 8 === 0,
      isOver: ({ compared, cuts }) => rounds >= 24 && compared > 8 && cuts >= 2,
      pauseMs: 20,
    });
    expect(report.differences).toEqual([]);
    expect(report.cuts).toBeGreaterThanOrEqual(2);
    expect(report.compared).toBeGreaterThan(8);
    await exchange.close();
    await wire.close();
  });

  test("[BOT-1] the user's own orders, fills and balances arrive, and end with the key", async () => {
    const exchange = openCcxt(server.url, key, server.nowMs);
    await exchange.loadHttpProxyAgent();
    await exchange.loadMarkets();
    const first = exchange.watchOrders("BTC/USDT");
    const balances = exchange.watchBalance();
    await vi.waitUntil(() => awaitedBy(exchange).filter((name) => /^orders|balance$/.test(name)).length === 2, 60_000);
    const line = await open(`${base}/ws-api/v3`);
    const call = (method: string, more: Record<string, string | number>) => {
      const params = { ...more, apiKey: key.apiKey, recvWindow: RECEIVE_MS, timestamp: server.nowMs() };
      const payload = Object.entries(params)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, value]) => `${name}=${value}`)
        .join("&");
      const signature = createHmac("sha256", key.secret).update(payload).digest("hex");
      line.say({ id: method, method, params: { ...params, signature } });
      return line.find(({ id }) => id === method);
    };
    expect(await call("userDataStream.subscribe.signature", {})).toMatchObject({
      status: 200,
      result: { subscriptionId: 0 },
    });
    const order = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.02",
      price: "90000",
    };
    const placed = await call("order.place", order);
    expect(placed).toMatchObject({ status: 200, result: { status: "NEW", executedQty: "0.00000000" } });
    expect((await first)[0]).toMatchObject({ symbol: "BTC/USDT", status: "open", price: 90_000, amount: 0.02 });
    expect((await balances).USDT?.used).toBeGreaterThan(0);
    expect(await line.find(({ event }) => event?.e === "executionReport" && event.x === "NEW")).toMatchObject({
      event: { X: "NEW", i: placed.result.orderId },
    });
    expect(await call("order.cancel", { symbol: "BTCUSDT", orderId: placed.result.orderId })).toMatchObject({
      result: { status: "CANCELED" },
    });
    expect(await line.find(({ event }) => event?.x === "CANCELED")).toMatchObject({ event: { X: "CANCELED" } });
    await place(trader, "buy", "98000", "0.001");
    const trade = await line.find(({ event }) => event?.x === "TRADE" && event.X === "FILLED");
    expect(trade.event).toMatchObject({ z: "0.00100000", l: "0.00100000", m: false, N: "BTC" });
    await line.find(({ event }) => event?.e === "outboundAccountPosition");
    expect((await trader.post("/v2/users/api-keys/delete", { apiKey: key.apiKey })).status).toBe(200);
    expect(await line.closed).toBe(1008);
    expect(line.received.at(-1).event.e).toBe("eventStreamTerminated");
    await exchange.close();
  });

  test("[USR-2] a session without a subscription is cut off with its key, another key's is not", async () => {
    const logOn = async () => {
      const { publicKey, privateKey } = generateKeyPairSync("ed25519");
      const made = await makeKey(trader, {
        kind: "ED25519",
        publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
      });
      const line = await open(`${base}/ws-api/v3`);
      const plain = { apiKey: made.apiKey, recvWindow: RECEIVE_MS, timestamp: server.nowMs() };
      const payload = `apiKey=${plain.apiKey}&recvWindow=${RECEIVE_MS}&timestamp=${plain.timestamp}`;
      const signature = sign(null, Buffer.from(payload), privateKey).toString("base64");
      line.say({ id: "on", method: "session.logon", params: { ...plain, signature } });
      expect((await line.find(({ id }) => id === "on")).result.apiKey).toBe(made.apiKey);
      return { made, line };
    };
    const [first, other] = [await logOn(), await logOn()];
    expect((await trader.post("/v2/users/api-keys/delete", { apiKey: first.made.apiKey })).status).toBe(200);
    expect(await first.line.closed).toBe(1008);
    other.line.say({
      id: "still",
      method: "account.status",
      params: { recvWindow: RECEIVE_MS, timestamp: server.nowMs() },
    });
    expect((await other.line.find(({ id }) => id === "still")).status).toBe(200);
    other.line.say({ id: "out", method: "session.logout" });
    await other.line.find(({ id }) => id === "out");
    expect((await trader.post("/v2/users/api-keys/delete", { apiKey: other.made.apiKey })).status).toBe(200);
    other.line.say({ id: "visitor", method: "ping" });
    expect((await other.line.find(({ id }) => id === "visitor")).status).toBe(200);
    other.line.end();
  });

  test("[BOT-1] a candle ends by the clock when trading has stopped, with its trades by number", async () => {
    await place(maker, "sell", "96100", "0.1");
    expect((await place(trader, "buy", "99000", "0.002")).status).toBe(200);
    const line = await open(`${base}/stream?streams=btcusdt@kline_1h/btcusdt@kline_1d@+08:00`);
    const outcome = (isMeant: (k: { i: string; x: boolean; t: number }) => boolean) =>
      line.find(({ data }) => data?.e === "kline" && isMeant(data.k)).then(({ data }) => data.k);
    const now = await outcome(({ i }) => i === "1h");
    expect([now.x, now.L - now.f + 1]).toEqual([false, now.n]);
    expect((await outcome(({ i }) => i === "1d")).t % 86_400_000).toBe(16 * 3_600_000);
    server.wait(3_600_000);
    const closed = await outcome(({ i, x }) => i === "1h" && x);
    const read = async (path: string) => (await fetch(`${server.url}/api/v3/${path}`)).json();
    const [[t, o, h, l, c, v, T, q, n, V, Q] = []] = (await read(
      `klines?symbol=BTCUSDT&interval=1h&startTime=${now.t}&limit=1`,
    )) as unknown[][];
    expect(closed).toMatchObject({ t, o, h, l, c, v, T, q, n, V, Q, f: now.f, L: now.L, B: "0" });
    expect(((await read("trades?symbol=BTCUSDT&limit=1")) as { id: number }[])[0]?.id).toBe(closed.L);
    server.wait(3_600_000);
    expect(await outcome(({ i, x, t: from }) => i === "1h" && x && from > now.t)).toMatchObject({ n: 0, f: -1, L: -1 });
    line.end();
    expect(await (await open(`${base}/ws/btcusdt@kline_1m@+09:00`)).closed).toBe(1008);
  });
});
