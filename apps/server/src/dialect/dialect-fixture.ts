// Clients of the Binance dialect for tests: a signed call by hand, and ccxt pointed at a served exchange by its
// addresses alone.
import { createHmac } from "node:crypto";
import { type FuturesServer, order } from "@clockwork/trading/futures/futures-fixture";
import ccxt from "ccxt";
import WebSocket from "ws";
import type { Visitor } from "../process/account-fixture.ts";

export interface Key {
  readonly apiKey: string;
  readonly secret: string;
}

/** Everything created or sent here that must not appear in a log: secrets, signatures, names of user streams. */
export const SECRETS = new Set<string>();

export async function makeKey(visitor: Visitor, more: object = {}): Promise<Key> {
  const body = { label: "bot", kind: "HMAC", permissions: ["read", "spot", "transfer"], ...more };
  const { data, status, message } = await visitor.post("/v2/users/api-keys/add", body);
  if (status !== 200) throw new Error(`no key: ${message}`);
  if (data.secret !== undefined) SECRETS.add(data.secret);
  return data as Key;
}

export interface DialectAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any;
  readonly headers: Headers;
}

export interface SignedCall {
  readonly method?: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly timeMs: number;
  /** Replaces the query that would have been sent. */
  readonly query?: (signed: string) => string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call may take so long to arrive: the longest that is offered, because a busy machine only makes it later. */
export const RECEIVE_MS = 60_000;
/** And its answer too. */
export const ANSWER_MS = 60_000;

export function signQuery(secret: string, query: string): string {
  const signature = createHmac("sha256", secret).update(query).digest("hex");
  SECRETS.add(signature);
  return `${query}&signature=${signature}`;
}

export async function callSigned(url: string, key: Key, path: string, call: SignedCall): Promise<DialectAnswer> {
  const values = { recvWindow: RECEIVE_MS, ...call.parameters, timestamp: call.timeMs };
  const plain = Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  const signed = signQuery(key.secret, plain);
  const query = call.query === undefined ? signed : call.query(signed);
  const response = await fetch(`${url}${path}?${query}`, {
    method: call.method ?? "GET",
    headers: { "x-mbx-apikey": key.apiKey, ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

type Urls = { [name: string]: string | Urls };

/** Every address of Binance becomes the same path of this exchange. */
function redirect(urls: Urls, url: string): Urls {
  const host = new URL(url).host;
  return Object.fromEntries(
    Object.entries(urls).map(([name, value]) => {
      if (typeof value !== "string") return [name, redirect(value, url)];
      const { pathname, protocol } = new URL(value);
      return [name, `${protocol.replace("https", "http").replace("wss", "ws")}//${host}${pathname}`];
    }),
  );
}

const CLIENTS = { spot: ccxt.pro.binance, linear: ccxt.pro.binanceusdm, inverse: ccxt.pro.binancecoinm } as const;

/** Options of ccxt in addition to its key. */
export const PATIENT = { enableRateLimit: false, timeout: ANSWER_MS, options: { recvWindow: RECEIVE_MS } };

/** ccxt pointed here by its addresses alone; with `isPlain` by nothing but the host. */
export function openCcxt(
  url: string,
  key?: Key,
  clock?: () => number,
  kind: keyof typeof CLIENTS = "spot",
  isPlain = false,
) {
  const own = key === undefined ? {} : { apiKey: key.apiKey, secret: key.secret };
  const exchange = new CLIENTS[kind]({ ...own, ...PATIENT });
  exchange.streaming = { ...exchange.streaming, connectionTimeout: ANSWER_MS };
  exchange.urls.api = redirect(exchange.urls.api as Urls, url) as typeof exchange.urls.api;
  if (clock !== undefined) exchange.nonce = clock;
  if (isPlain) return exchange;
  // The addresses of streams that are none of ours by the same path.
  const streams = (exchange.urls.api as Urls).ws as Urls;
  const host = url.replace("http", "ws");
  streams.spot = `${host}/stream/ws`;
  streams.future = `${host}/fstream/ws`;
  streams.delivery = `${host}/dstream/ws`;
  // Codes of contracts are distinguished by the host alone; a client of another host merges the table itself.
  const tables = exchange.exceptions as unknown as Record<string, { exact: object }> & { exact: object };
  if (kind !== "spot") tables.exact = { ...tables.exact, ...tables[kind]?.exact };
  return exchange;
}

/** What a ccxt client waits for on its lines. News of the user's own are waited for once their subscription is answered. */
export const awaitedBy = (client: ReturnType<typeof openCcxt>): readonly string[] =>
  Object.values(client.clients as Record<string, { futures: object }>).flatMap(({ futures }) => Object.keys(futures));

/** How many subscriptions of a ccxt client the exchange has answered from now on: public events arrive from then on. */
export function countAnswered(client: ReturnType<typeof openCcxt>): () => number {
  let answered = 0;
  const handle = client.handleMessage.bind(client);
  client.handleMessage = (line, message) => {
    if (message?.result === null) answered += 1;
    return handle(line, message);
  };
  return () => answered;
}

/** A raw socket and everything it received. */
export interface Line {
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
  readonly received: any[];
  say(message: object): void;
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
  find(test: (message: any) => boolean): Promise<any>;
  readonly closed: Promise<number>;
  end(): void;
}

const WAIT_MS = 60_000;

/** Polls until the value exists. */
export async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs; await new Promise((done) => setTimeout(done, 10))) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error("it never came");
}

export async function openLine(url: string): Promise<Line> {
  const socket = new WebSocket(url);
  const received: unknown[] = [];
  socket.on("message", (data) => received.push(JSON.parse(data.toString())));
  const closed = new Promise<number>((done) => socket.on("close", done));
  await new Promise((done, fail) => socket.on("open", done).on("error", fail));
  return {
    received,
    closed,
    say: (message) => socket.send(JSON.stringify(message)),
    find: (fits) => until(() => received.find(fits)),
    end: () => socket.terminate(),
  };
}

/** A user with balances in the futures accounts, a key, and ccxt with loaded markets. */
export interface Bot {
  readonly visitor: Visitor;
  readonly key: Key;
  readonly client: ReturnType<typeof openCcxt>;
}

export async function openBot(
  server: FuturesServer,
  kind: "linear" | "inverse",
  usdt = "20000",
  btc = "2",
): Promise<Bot> {
  const visitor = await server.player(usdt, btc);
  const key = await makeKey(visitor, { permissions: ["read", "spot", "futures", "transfer"] });
  const client = openCcxt(server.url, key, server.nowMs, kind);
  await client.loadMarkets();
  return { visitor, key, client };
}

/** A book around fifty thousand, wide enough for every test. */
export async function makeBook(maker: Visitor, biz: "futures" | "delivery"): Promise<void> {
  const [pairCode, quantity] = biz === "futures" ? ["BTC_USDT", "5"] : ["BTC_USD", "200000"];
  for (const [side, price] of [
    ["sell", "50010"],
    ["buy", "49990"],
  ] as const) {
    const placed = await order(maker, { biz, pairCode, side, price, quantity });
    if (placed.status !== 200) throw new Error(`no book: ${placed.message}`);
  }
}
