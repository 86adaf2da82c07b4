// The traders in the benchmark of the gateway: users signed up over HTTP with their own funds, and the orders each of
// them sends, written beforehand.
import { WebSocket } from "ws";
import { postRequest } from "./client.ts";
import type { Keyed } from "./dialect.ts";

const PAIRS = ["BTC_USDT", "ETH_USDT", "SOL_USDT", "XRP_USDT"] as const;
/** One order in this many takes resting orders; the others rest. */
const TAKES_EVERY = 4;
/** Orders a user places on a pair before withdrawing what rests. */
export const CLEAR_EVERY = 120;

/** A user with funds, who trades one pair. */
export interface Trader {
  readonly headers: Readonly<Record<string, string>>;
  readonly key: Keyed;
  readonly pair: (typeof PAIRS)[number];
  last: number;
  decimals: number;
  quantity: string;
  placed: number;
  requests: readonly Buffer[];
}

export async function callJson(
  port: number,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    // A kept connection may be closed at the very moment it is used again.
    headers: { "content-type": "application/json", connection: "close", ...headers },
  });
  const { data, message } = (await response.json()) as { data: never; message: string };
  if (!response.ok) throw new Error(`${path}: ${response.status} ${message}`);
  return { data: data as never, cookies: response.headers.getSetCookie() };
}

interface PairRules {
  readonly pairCode: (typeof PAIRS)[number];
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly base: string;
}

function tokenOf(cookies: readonly string[]): string {
  const token = cookies.map((text) => /^cw_access_token=([^;]+)/.exec(text)?.[1]).find((one) => one !== undefined);
  if (token === undefined) throw new Error("there was no token");
  return token;
}

/** A socket of a trader's own: private channels are refused until it has logged in. */
export async function openOwnSocket(port: number, headers: Readonly<Record<string, string>>): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await new Promise((done, fail) => {
    socket.once("open", done);
    socket.once("error", fail);
  });
  const answered = new Promise<{ event?: string }>((done) =>
    socket.once("message", (bytes: Buffer) => done(JSON.parse(bytes.toString()) as { event?: string })),
  );
  socket.send(JSON.stringify({ event: "login", data: { token: headers["x-authorization"] } }));
  const answer = await answered;
  if (answer.event !== "login") throw new Error(`the socket was not logged in: ${JSON.stringify(answer)}`);
  return socket;
}

export async function signUp(port: number, index: number): Promise<Trader> {
  const account = `bench-${index}@example.com`;
  await callJson(port, "/api/v2/users/sign-up/code", { account });
  const outbox = await fetch(`http://127.0.0.1:${port}/dev/outbox.json?to=${account}`);
  const [newest] = (await outbox.json()) as { code: string }[];
  const signed = await callJson(port, "/api/v2/users/sign-up", {
    account,
    code: newest?.code,
    password: "correct-horse-1",
  });
  const requested = { label: "bench", kind: "HMAC", permissions: ["read", "spot"] };
  const made = await callJson(port, "/api/v2/users/api-keys/add", requested, {
    "x-authorization": tokenOf(signed.cookies),
  });
  // A new key gives its owner's session a new token.
  const headers = { "x-authorization": tokenOf(made.cookies) };
  const pair = PAIRS[index % PAIRS.length] ?? "BTC_USDT";
  const rules = ((await callJson(port, "/api/v1/spot/pairs")).data as PairRules[]).find((one) => one.pairCode === pair);
  if (rules === undefined) throw new Error(`${pair} is not listed`);
  const trader: Trader = {
    headers,
    key: made.data as Keyed,
    pair,
    last: 0,
    decimals: rules.priceDecimals,
    quantity: "",
    placed: 0,
    requests: [],
  };
  await refreshPrice(port, trader);
  // About 20 USDT an order, cut to the pair's step.
  trader.quantity = (20 / trader.last).toFixed(rules.quantityDecimals);
  const coins = ((400_000 / trader.last) | 0) + 1;
  for (const [asset, amount] of [
    ["USDT", "900000"],
    [rules.base, String(coins)],
  ] as const) {
    await callJson(port, "/dev/faucet", { asset, amount }, headers);
  }
  return trader;
}

export async function refreshPrice(port: number, trader: Trader): Promise<void> {
  const quotations = (await callJson(port, "/api/v1/spot/quotations")).data as { pairCode: string; last: string }[];
  trader.last = Number(quotations.find(({ pairCode }) => pairCode === trader.pair)?.last ?? 0);
  if (!(trader.last > 0)) throw new Error(`${trader.pair} has no price yet`);
}

/** Resting half a percent away, or now and then taking a fifth of a percent beyond the last price. */
export function describeOrder(trader: Trader, number: number) {
  const side = number % 2 === 0 ? "buy" : "sell";
  const takes = number % TAKES_EVERY < 2 && (number >> 1) % 2 === 0;
  const away = takes ? -0.002 : 0.005;
  const price = trader.last * (side === "buy" ? 1 - away : 1 + away);
  return {
    pairCode: trader.pair,
    side,
    type: "limit",
    price: price.toFixed(trader.decimals),
    quantity: trader.quantity,
    ...(takes ? { timeInForce: "IOC" } : {}),
  };
}

/** Writes a trader's next round of requests, whole: orders around the price of now, and one that withdraws what rests. */
export function writeRequests(trader: Trader): void {
  trader.requests = Array.from({ length: CLEAR_EVERY }, (_, number) =>
    number === CLEAR_EVERY - 1
      ? postRequest("/api/v1/spot/orders/clear", {}, trader.headers)
      : postRequest("/api/v1/spot/orders", describeOrder(trader, number), trader.headers),
  );
}

export function nextRequest(trader: Trader): Buffer {
  const request = trader.requests[trader.placed % CLEAR_EVERY] as Buffer;
  trader.placed += 1;
  return request;
}
