// How long a user's own stream is published, and to whom: listen keys, addresses, the key's life, replayed signatures.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { HOUR_MS } from "@clockwork/kit/time";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { callSigned, type Key, type Line, makeKey, openLine, RECEIVE_MS } from "./dialect-fixture.ts";

const KEYS = "/v2/users/api-keys";

describe("user streams", () => {
  let server: TradingServer;
  let base: string;

  beforeAll(async () => {
    server = await startTradingServer();
    base = server.url.replace("http", "ws");
  });
  afterAll(() => server?.close());

  const listen = async (key: Key, method = "POST", listenKey?: string) => {
    const query = listenKey === undefined ? "" : `?listenKey=${listenKey}`;
    const headers = { "x-mbx-apikey": key.apiKey };
    const answer = await fetch(`${server.url}/api/v3/userDataStream${query}`, { method, headers });
    return (await answer.json()) as { listenKey: string; code?: number };
  };
  /** By a session; by a key where hours have passed since one signed in. */
  const buy = async (visitor: Visitor, key?: Key): Promise<number> => {
    if (key !== undefined) {
      const parameters = { symbol: "BTCUSDT", type: "LIMIT", side: "BUY", timeInForce: "GTC" };
      const { body } = await callSigned(server.url, key, "/api/v3/order", {
        method: "POST",
        parameters: { ...parameters, price: "90000", quantity: "0.001" },
        timeMs: server.nowMs(),
      });
      return body.orderId;
    }
    const order = { pairCode: "BTC_USDT", type: "limit", side: "buy", price: "90000", quantity: "0.001" };
    const { data, status } = await visitor.post("/v1/spot/orders", order);
    expect(status).toBe(200);
    return Number(data.orderId);
  };
  const reports = (line: Line, orderId: number) =>
    line.received
      .map((one) => one.data ?? one.event ?? one)
      .filter(({ e, i }) => e === "executionReport" && i === orderId);
  const ask = async (line: Line, id: number, method: string, params: readonly string[] = []) => {
    line.say({ method, params, id });
    return line.find((one) => one.id === id);
  };

  test("[BOT-1] a stream requested twice is published once, listed once, and ends on request", async () => {
    const jo = await server.trader({ USDT: "5000" });
    const key = await makeKey(jo);
    const { listenKey } = await listen(key);
    const [line, other] = [await openLine(`${base}/stream/ws`), await openLine(`${base}/ws/${listenKey}`)];
    for (const id of [1, 2]) expect(await ask(line, id, "SUBSCRIBE", [listenKey])).toEqual({ result: null, id });
    expect((await ask(line, 3, "LIST_SUBSCRIPTIONS")).result).toEqual([listenKey]);
    const first = await buy(jo);
    await expect.poll(() => reports(other, first).length, { timeout: 60_000 }).toBe(1);
    await expect.poll(() => reports(line, first).length, { timeout: 60_000 }).toBe(1);
    await ask(line, 4, "UNSUBSCRIBE", [listenKey]);
    const second = await buy(jo);
    await expect.poll(() => reports(other, second).length, { timeout: 60_000 }).toBe(1);
    await ask(line, 5, "LIST_SUBSCRIPTIONS");
    expect([reports(line, first).length, reports(line, second).length]).toEqual([1, 0]);
    for (const one of [line, other]) one.end();
  });

  test("[BOT-1] a deposit without a trade is published as its amount and as the new balance", async () => {
    const jo = await server.trader({ USDT: "5000" });
    const line = await openLine(`${base}/ws/${(await listen(await makeKey(jo))).listenKey}`);
    const placed = await buy(jo);
    await expect.poll(() => reports(line, placed).length, { timeout: 60_000 }).toBe(1);
    expect((await jo.faucet("USDT", "12.5")).status).toBe(200);
    expect(await line.find(({ e }) => e === "balanceUpdate")).toMatchObject({ a: "USDT", d: "12.50000000" });
    const after = await line.find(({ e, B }) => e === "outboundAccountPosition" && Number(B[0].f) > 4_913);
    expect(after.B).toEqual([{ a: "USDT", f: "4922.50000000", l: "90.00000000" }]);
    line.end();
  });

  test("[BOT-1] an iceberg publishes its visible part, and an amended order its filled quantity", async () => {
    const [jo, seller] = [await server.trader({ USDT: "5000" }), await server.trader({ BTC: "1" })];
    const key = await makeKey(jo);
    const line = await openLine(`${base}/ws/${(await listen(key)).listenKey}`);
    const common = { pairCode: "BTC_USDT", type: "limit", price: "90100" };
    const placed = await jo.post("/v1/spot/orders", {
      ...common,
      side: "buy",
      quantity: "0.02",
      visibleQuantity: "0.004",
    });
    expect([placed.status, placed.code]).toEqual([200, 200]);
    const orderId = Number(placed.data.orderId);
    await expect.poll(() => reports(line, orderId).length, { timeout: 60_000 }).toBe(1);
    await seller.post("/v1/spot/orders", { ...common, side: "sell", quantity: "0.005" });
    const isTraded = ({ x }: { x: string }): boolean => x === "TRADE";
    await expect.poll(() => reports(line, orderId).some(isTraded), { timeout: 60_000 }).toBe(true);
    const amended = await callSigned(server.url, key, "/api/v3/order/amend/keepPriority", {
      method: "PUT",
      parameters: { symbol: "BTCUSDT", orderId, newQty: "0.015" },
      timeMs: server.nowMs(),
    });
    expect(amended.body.amendedOrder).toMatchObject({ qty: "0.01500000", icebergQty: "0.00400000" });
    const isReplaced = ({ x }: { x: string }): boolean => x === "REPLACED";
    await expect.poll(() => reports(line, orderId).find(isReplaced)?.X, { timeout: 60_000 }).toBe("PARTIALLY_FILLED");
    expect(new Set(reports(line, orderId).map(({ F }) => F))).toEqual(new Set(["0.00400000"]));
    await jo.post("/v1/spot/orders/clear", {});
    line.end();
  });

  test("[BOT-1] a stream ends with its listen key: when it is closed, and after an hour without renewal", async () => {
    const jo = await server.trader({ USDT: "5000" });
    const [key, lasting] = [await makeKey(jo), await makeKey(jo)];
    const [closed, kept] = [(await listen(key)).listenKey, (await listen(lasting)).listenKey];
    const [line, other] = [await openLine(`${base}/stream?streams=${closed}`), await openLine(`${base}/ws/${kept}`)];
    const started = await buy(jo);
    for (const one of [line, other]) await expect.poll(() => reports(one, started).length, { timeout: 60_000 }).toBe(1);
    expect((await listen(key, "DELETE", closed)).code).toBeUndefined();
    const over = await line.find(({ data }) => data?.e === "listenKeyExpired");
    expect(over).toMatchObject({ stream: closed, data: { listenKey: closed } });
    const after = await buy(jo);
    await expect.poll(() => reports(other, after).length, { timeout: 60_000 }).toBe(1);
    expect((await ask(line, 1, "LIST_SUBSCRIPTIONS")).result).toEqual([]);
    expect(reports(line, after)).toEqual([]);
    expect((await ask(line, 2, "SUBSCRIBE", [closed])).error.code).toBe(2);
    server.wait(59 * 60_000);
    expect((await listen(lasting, "PUT", kept)).code).toBeUndefined();
    const unasked = (await listen(key)).listenKey;
    expect((await ask(line, 3, "SUBSCRIBE", [unasked])).error).toBeUndefined();
    server.wait(2 * 60_000);
    const still = await buy(jo, key);
    for (const one of [line, other]) await expect.poll(() => reports(one, still).length, { timeout: 60_000 }).toBe(1);
    server.wait(59 * 60_000);
    await line.find(({ data }) => data?.e === "listenKeyExpired" && data.listenKey === unasked);
    await other.find(({ e }) => e === "listenKeyExpired");
    expect((await listen(lasting, "PUT", kept)).code).toBe(-1125);
    expect(await (await openLine(`${base}/ws/${kept}`)).closed).toBe(1008);
    for (const one of [line, other]) one.end();
  });

  test("[USR-2] a listen key is accepted only from its key's addresses; another label changes nothing", async () => {
    const jo = await server.trader({ USDT: "5000" });
    const key = await makeKey(jo, { ipList: ["127.0.0.0/8"] });
    const { listenKey } = await listen(key);
    const line = await openLine(`${base}/ws/${listenKey}`);
    expect((await jo.post(`${KEYS}/update`, { apiKey: key.apiKey, label: "other" })).status).toBe(200);
    const placed = await buy(jo);
    await expect.poll(() => reports(line, placed).length, { timeout: 60_000 }).toBe(1);
    expect((await listen(key, "PUT", listenKey)).code).toBeUndefined();
    expect((await jo.post(`${KEYS}/update`, { apiKey: key.apiKey, ipList: ["10.1.2.3"] })).status).toBe(200);
    expect(await line.closed).toBe(1008);
    expect(line.received.at(-1).e).toBe("eventStreamTerminated");
    expect(await (await openLine(`${base}/ws/${listenKey}`)).closed).toBe(1008);
    const raw = await openLine(`${base}/stream/ws`);
    expect((await ask(raw, 1, "SUBSCRIBE", [listenKey])).error.code).toBe(2);
    raw.end();
  });

  const signed = (apiKey: string, seal: (payload: string) => string) => {
    const plain = { apiKey, recvWindow: RECEIVE_MS, timestamp: server.nowMs() };
    const payload = Object.entries(plain).map(([name, value]) => `${name}=${value}`);
    return { ...plain, signature: seal(payload.join("&")) };
  };
  const byHmac = ({ apiKey, secret }: Key) =>
    signed(apiKey, (payload) => createHmac("sha256", secret).update(payload).digest("hex"));
  const byPrivate = (apiKey: string, key: KeyObject) =>
    signed(apiKey, (payload) => sign(null, Buffer.from(payload), key).toString("base64"));
  const makeSigner = async (visitor: Visitor) => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const { apiKey } = await makeKey(visitor, { kind: "ED25519", publicKey: pem });
    return { apiKey, privateKey };
  };
  const say = async (line: Line, id: string, method: string, params: object = {}) => {
    line.say({ id, method, params });
    return line.find((one) => one.id === id);
  };

  test("[BOT-1] a used signature opens no session or stream again; a connection receives an account once", async () => {
    const jo = await server.trader({ USDT: "5000" });
    const { apiKey, privateKey } = await makeSigner(jo);
    const [line, thief] = [await openLine(`${base}/ws-api/v3`), await openLine(`${base}/ws-api/v3`)];
    const on = byPrivate(apiKey, privateKey);
    expect((await say(line, "on", "session.logon", on)).status).toBe(200);
    expect((await say(thief, "on", "session.logon", on)).error.code).toBe(-1022);
    expect((await say(thief, "hear", "userDataStream.subscribe.signature", on)).error.code).toBe(-1022);
    const who = { apiKey: null, authorizedSince: null, connectedSince: expect.any(Number), userDataStream: false };
    expect((await say(thief, "who", "session.status")).result).toMatchObject({ ...who, returnRateLimits: true });
    expect((await say(line, "hear", "userDataStream.subscribe")).result).toEqual({ subscriptionId: 0 });
    expect((await say(line, "twice", "userDataStream.subscribe")).error.code).toBe(-2035);
    const other = byHmac(await makeKey(jo));
    expect((await say(line, "thrice", "userDataStream.subscribe.signature", other)).error.code).toBe(-2035);
    expect((await say(line, "me", "session.status")).result).toMatchObject({ apiKey, userDataStream: true });
    expect((await say(line, "list", "session.subscriptions")).result).toEqual([{ subscriptionId: 0 }]);
    const placed = await buy(jo);
    await expect.poll(() => reports(line, placed).length, { timeout: 60_000 }).toBe(1);
    await say(line, "ping", "ping");
    expect(reports(line, placed)).toHaveLength(1);
    expect((await say(line, "stop", "userDataStream.unsubscribe")).status).toBe(200);
    expect((await say(line, "again", "userDataStream.subscribe")).result).toEqual({ subscriptionId: 1 });
    for (const one of [line, thief]) one.end();
  });

  test("[USR-2] streams and sessions end when their key expires, but not those of a key bound since then", async () => {
    const jo = await server.trader({ USDT: "5000" });
    const [key, bound] = [await makeKey(jo), await makeKey(jo)];
    const { apiKey, privateKey } = await makeSigner(jo);
    // A connection lasts a day: the keys end before it.
    await sql`UPDATE apikeys_key SET expires_at_ms = ${server.nowMs() + 12 * HOUR_MS}`.execute(
      server.kysely as Kysely<unknown>,
    );
    const session = await openLine(`${base}/ws-api/v3`);
    expect((await say(session, "on", "session.logon", byPrivate(apiKey, privateKey))).status).toBe(200);
    const [line, kept] = [await openLine(`${base}/ws-api/v3`), await openLine(`${base}/ws-api/v3`)];
    expect((await say(line, "hear", "userDataStream.subscribe.signature", byHmac(key))).status).toBe(200);
    expect((await say(kept, "hear", "userDataStream.subscribe.signature", byHmac(bound))).status).toBe(200);
    const made = await jo.post(`${KEYS}/update`, { apiKey: bound.apiKey, ipList: ["127.0.0.0/8"] });
    expect(made.data.expiresAtMs).toBeNull();
    server.wait(12 * HOUR_MS);
    expect(await line.closed).toBe(1008);
    expect(line.received.at(-1).event.e).toBe("eventStreamTerminated");
    expect(await session.closed).toBe(1008);
    expect((await say(kept, "ping", "ping")).status).toBe(200);
    kept.end();
  });

  test("[BOT-1] a connection ends after a day, of streams and of calls", async () => {
    const lines = [await openLine(`${base}/stream/ws/btcusdt@trade`), await openLine(`${base}/ws-api/v3`)];
    server.wait(23 * HOUR_MS);
    for (const line of lines) line.say({ id: "here", method: "ping", params: {} });
    await Promise.all(lines.map((line) => line.find(() => true)));
    server.wait(HOUR_MS);
    expect(await Promise.all(lines.map(({ closed }) => closed))).toEqual([1000, 1000]);
  });
});
