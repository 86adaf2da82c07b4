// Our own API for programs, as programs see it: samples run unchanged, keys are bounded by their permissions, and the
// documents and charts' feed describe what is served.
import { execFile } from "node:child_process";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { CallRefused, ExchangeClient, isRefusal } from "@clockwork/examples/client";
import { allOf } from "@clockwork/kit/all-of";
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Key, makeKey } from "../dialect/dialect-fixture.ts";
import type { Visitor } from "../process/account-fixture.ts";

const EXAMPLES = join(import.meta.dirname, "../../../../examples");
const run = promisify(execFile);

let server: TradingServer;
let trader: Visitor;
let key: Key;
beforeAll(async () => {
  // Samples sign with the time of the machine.
  server = await startTradingServer({}, undefined, 0);
  const maker = await server.trader({ BTC: "2", USDT: "100000" });
  trader = await server.trader({ USDT: "50000", BTC: "1" });
  const order = (side: string, price: string) =>
    maker.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity: "0.1" });
  expect((await order("sell", "96000")).status).toBe(200);
  expect((await order("buy", "95990")).status).toBe(200);
  const bought = { pairCode: "BTC_USDT", type: "limit", side: "buy", price: "96000", quantity: "0.01" };
  expect((await trader.post("/v1/spot/orders", bought)).status).toBe(200);
  key = await makeKey(trader, { permissions: ["read", "spot"] });
});
afterAll(() => server?.close());

const SAMPLES = [
  [process.execPath, "src/own-api.ts", /^[0-9]+ NEW CANCELED\nrefused [A-Z_]+\n$/],
  ["python3", "other/own_api.py", /^[0-9]+ NEW CANCELED\n$/],
  ["sh", "other/own-api.sh", /"asset":"USDT"/],
] as const;

test.each(SAMPLES)("[BOT-3] the sample for %s (%s) runs unchanged", async (program, file, wanted) => {
  const env = { ...process.env, CW_URL: server.url, CW_API_KEY: key.apiKey, CW_API_SECRET: key.secret };
  const { stdout } = await run(program, [join(EXAMPLES, file)], { env });
  expect(stdout).toMatch(wanted);
});

test("[BOT-3] the typed client reads without a key, and is refused by code", async () => {
  const open = new ExchangeClient({ url: server.url });
  const trades = await open.call(MARKET_CALLS.trades, { pairCode: "BTC_USDT", fromId: 1 });
  expect(trades).toMatchObject([{ id: 1, price: "96000.0", side: "buy", aggregate: 1 }]);
  const balance = open.call(SPOT_CALLS.balance, {});
  await expect(balance).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  const unknown = open.call(MARKET_CALLS.trades, { pairCode: "NO_PAIR" });
  const error = await unknown.catch((refused: unknown) => refused);
  expect(isRefusal(MARKET_CALLS.trades, error) && error.code).toBe("UNKNOWN_PAIR");
});

test("[BOT-3] a key of any kind calls within its permissions, and each signed change counts once", async () => {
  const pair = generateKeyPairSync("ed25519");
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
  const { apiKey } = await makeKey(trader, { kind: "ED25519", publicKey, permissions: ["read"] });
  const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const reader = new ExchangeClient({ url: server.url, apiKey, privateKey });
  expect(await reader.call(SPOT_CALLS.fee, {})).toMatchObject({ makerRate: expect.any(String) });
  const order = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "90000", quantity: "0.001" } as const;
  await expect(reader.call(SPOT_CALLS.place, order)).rejects.toMatchObject({ code: "KEY_FORBIDDEN" });

  const url = "/open/v1/api/v1/spot/orders";
  const body = JSON.stringify(order);
  const send = (change: Readonly<Record<string, string>> = {}, path = url, at = Date.now()) => {
    const signature = createHmac("sha256", key.secret).update(`${at}\nPOST\n${url}\n${body}`).digest("hex");
    const headers = { "x-cw-key": key.apiKey, "x-cw-time": String(at), "x-cw-signature": signature, ...change };
    return fetch(server.url + path, { method: "POST", body, headers });
  };
  const code = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: unknown }).code;
  const at = Date.now();
  expect(await code(send({}, url, at))).toBe(200);
  expect(await code(send({}, url, at))).toBe("REPLAYED");
  expect(await code(send({}, url, Date.now() - 10_000))).toBe("TIME_INVALID");
  expect(await code(send({ "x-cw-signature": "00".repeat(32) }))).toBe("SIGNATURE_INVALID");
  expect(await code(send({ "x-cw-key": "A".repeat(64) }))).toBe("KEY_INVALID");
  // Neither another path nor a call for people alone is reached by it.
  expect(await code(send({}, `${url}/batch`))).toBe("SIGNATURE_INVALID");
  for (const path of ["/open/v1/api/v2/users/login", "/open/v1/api/v1/keys", "/open/v1/api/v1/spot/favourites"]) {
    expect([path, await code(send({}, path))]).toEqual([path, "NOT_FOUND"]);
  }
  const { data } = await trader.get("/v1/spot/orders?state=open");
  expect(data.orders).toHaveLength(1);
});

test("[BOT-3] the documents have the calls of programs, by area, the streams and the dialect's calls", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
  const read = async (path: string): Promise<any> => (await fetch(`${server.url}/open/v1/${path}`)).json();
  const whole = await read("openapi.json");
  const paths = Object.keys(whole.paths);
  expect(paths).toContain("/open/v1/api/v1/spot/orders");
  expect(paths.filter((path) => /users.login|console|operators|favourites/.test(path))).toEqual([]);
  expect(whole.paths["/open/v1/api/v1/spot/orders"].post.security).toEqual([{ key: [], time: [], signature: [] }]);
  const trading = Object.keys((await read("openapi/trading.json")).paths);
  expect(trading.length).toBeLessThan(paths.length);
  expect(allOf(trading, (path) => paths.includes(path))).toBe(true);
  expect(await read("openapi/nothing.json")).toEqual({ code: "NOT_FOUND" });
  const streams = await read("asyncapi.json");
  expect(streams.channels).toMatchObject({ depth: { title: "depth" }, trades: { title: "trades" } });
  expect(streams.operations.receive_depth).toMatchObject({ "x-kind": "sequenced", "x-audience": "public" });
  const dialect = await read("dialect.json");
  expect(dialect.paths["/api/v3/order"]).toMatchObject({ post: { "x-permission": "spot" }, get: { "x-weight": 4 } });
});

test("[BOT-3] charts find symbols and read candles over TradingView's feed", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const read = async (path: string): Promise<any> => (await fetch(`${server.url}/udf/${path}`)).json();
  expect(await read("config")).toMatchObject({ supports_search: true, supports_time: true });
  expect(await (await fetch(`${server.url}/udf/time`)).text()).toMatch(/^[0-9]{10}$/);
  expect((await read("search?query=BTC&type=crypto&limit=5"))[0]).toMatchObject({ symbol: "BTC_USDT.SPOT" });
  expect(await read("symbols?symbol=BTC_USDT.SPOT")).toMatchObject({ session: "24x7", pricescale: 10, minmov: 1 });
  expect(await read("symbols?symbol=NOPE")).toMatchObject({ s: "error" });
  const to = Math.ceil(server.nowMs() / 1_000) + 60;
  const history = await read(`history?symbol=BTC_USDT.SPOT&resolution=1&from=${to - 3_600}&to=${to}`);
  expect([history.s, history.t.length, history.c.at(-1)]).toEqual(["ok", history.o.length, 96_000]);
  expect(history.v.reduce((sum: number, one: number) => sum + one, 0)).toBeCloseTo(0.01);
  const back = await read(`history?symbol=BTC_USDT.SPOT&resolution=1&countback=1&from=0&to=${to}`);
  expect(back.t).toHaveLength(1);
  expect(await read(`history?symbol=BTC_USDT.SPOT&resolution=7&from=0&to=${to}`)).toMatchObject({ s: "error" });
  expect(await read("history?symbol=BTC_USDT.PERP&resolution=1D&from=0&to=86400")).toEqual({ s: "no_data" });
});

test("[BOT-3] a refusal is an error with its code", () => {
  const error = new CallRefused("UNKNOWN_PAIR", 404, "Unknown pair.");
  expect([error.code, error.status, error.message, error.fields]).toEqual(["UNKNOWN_PAIR", 404, "Unknown pair.", {}]);
});
