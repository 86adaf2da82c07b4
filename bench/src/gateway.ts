// How fast an order is confirmed over HTTP, and how many a second: the built process with the simulated market running,
// people trading over keep-alive connections, every answer after its commit; a bare Fastify echo in the same run.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answered, Connection, postRequest } from "./gateway-client.ts";
import { readThreads, type ThreadTimes } from "./gateway-threads.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const USERS = 16;
const CONNECTIONS = 128;
const PACED_PER_S = 500;
const PACED_S = 20;
const WARM_MS = 10_000;
const ROUND_MS = 6_000;
const ROUNDS = 3;
const BARS = { p50Ms: 3, p99Ms: 15, perSecond: 5_000, ratio: 0.5 };
const PAIRS = ["BTC_USDT", "ETH_USDT", "SOL_USDT", "XRP_USDT"] as const;
/** One order in so many takes what stands in the book; the others rest beside it. */
const TAKES_EVERY = 4;
/** Orders a user places on a pair before withdrawing what rests. */
const CLEAR_EVERY = 120;

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Served> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((done, fail) => {
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(said)?.[1];
      if (port !== undefined) done({ child, port: Number(port) });
    });
    child.once("exit", (code) => fail(new Error(`a server ended with ${code}:\n${said}`)));
  });
}

/** Somebody with funds, who trades one pair. */
interface Trader {
  readonly headers: Readonly<Record<string, string>>;
  readonly pair: (typeof PAIRS)[number];
  last: number;
  decimals: number;
  quantity: string;
  placed: number;
  requests: readonly Buffer[];
}

async function callJson(port: number, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...headers },
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

async function signUp(port: number, index: number): Promise<Trader> {
  const account = `bench-${index}@example.com`;
  await callJson(port, "/api/v2/users/sign-up/code", { account });
  const outbox = await fetch(`http://127.0.0.1:${port}/dev/outbox.json?to=${account}`);
  const [newest] = (await outbox.json()) as { code: string }[];
  const signed = await callJson(port, "/api/v2/users/sign-up", {
    account,
    code: newest?.code,
    password: "correct-horse-1",
  });
  const token = signed.cookies
    .map((text) => /^cw_access_token=([^;]+)/.exec(text)?.[1])
    .find((one) => one !== undefined);
  if (token === undefined) throw new Error("signing up gave no token");
  const headers = { "x-authorization": token };
  const pair = PAIRS[index % PAIRS.length] ?? "BTC_USDT";
  const rules = ((await callJson(port, "/api/v1/spot/pairs")).data as PairRules[]).find((one) => one.pairCode === pair);
  if (rules === undefined) throw new Error(`${pair} is not listed`);
  const trader: Trader = {
    headers,
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

async function refreshPrice(port: number, trader: Trader): Promise<void> {
  const quotations = (await callJson(port, "/api/v1/spot/quotations")).data as { pairCode: string; last: string }[];
  trader.last = Number(quotations.find(({ pairCode }) => pairCode === trader.pair)?.last ?? 0);
  if (!(trader.last > 0)) throw new Error(`${trader.pair} has no price yet`);
}

/** Resting half a percent away, or now and then taking a fifth of a percent beyond the last price. */
function describeOrder(trader: Trader, number: number) {
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
function writeRequests(trader: Trader): void {
  trader.requests = Array.from({ length: CLEAR_EVERY }, (_, number) =>
    number === CLEAR_EVERY - 1
      ? postRequest("/api/v1/spot/orders/clear", {}, trader.headers)
      : postRequest("/api/v1/spot/orders", describeOrder(trader, number), trader.headers),
  );
}

function nextRequest(trader: Trader): Buffer {
  const request = trader.requests[trader.placed % CLEAR_EVERY] as Buffer;
  trader.placed += 1;
  return request;
}

interface Counted {
  ok: number;
  readonly refused: Map<string, number>;
  readonly tookMs: number[];
}

const counted = (): Counted => ({ ok: 0, refused: new Map(), tookMs: [] });

function count(into: Counted, { status, body }: Answered, tookMs: number): void {
  into.tookMs.push(tookMs);
  if (status === 200) into.ok += 1;
  else {
    const code = /"code":"([A-Z_]+)"/.exec(body())?.[1] ?? String(status);
    into.refused.set(code, (into.refused.get(code) ?? 0) + 1);
  }
}

const openAll = (port: number) => Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));

/** As many as it takes, one at a time on every connection. */
async function flood(port: number, forMs: number, next: (index: number) => Buffer, into: Counted): Promise<number> {
  const connections = await openAll(port);
  const beganMs = performance.now();
  await Promise.all(
    connections.map(
      (connection, index) =>
        new Promise<void>((done, fail) => {
          connection.onLost = fail;
          let sentMs = 0;
          const answered = (answer: Answered): void => {
            const nowMs = performance.now();
            count(into, answer, nowMs - sentMs);
            if (nowMs - beganMs < forMs) send(nowMs);
            else {
              connection.close();
              done();
            }
          };
          const send = (nowMs: number): void => {
            sentMs = nowMs;
            connection.ask(next(index), answered);
          };
          send(performance.now());
        }),
    ),
  );
  return (performance.now() - beganMs) / 1_000;
}

/** At a fixed pace, however long answers take: what waits for a free connection is counted from when it was due. */
async function pace(port: number, traders: readonly Trader[], into: Counted): Promise<void> {
  const all = await openAll(port);
  const free = [...all];
  const beganMs = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < PACED_PER_S * PACED_S; index++) {
    const dueMs = beganMs + (index * 1_000) / PACED_PER_S;
    while (performance.now() < dueMs) await sleep(Math.max(0, dueMs - performance.now() - 0.5) > 1 ? 1 : 0);
    while (free.length === 0) await sleep(0);
    // In turns: a connection that never asks for anything is closed by the server after a while.
    const connection = free.shift() as Connection;
    const trader = traders[index % traders.length] as Trader;
    const isOrder = trader.placed % CLEAR_EVERY !== CLEAR_EVERY - 1;
    running.push(
      new Promise<void>((done, fail) => {
        connection.onLost = fail;
        connection.ask(nextRequest(trader), (answer) => {
          if (isOrder) count(into, answer, performance.now() - dueMs);
          free.push(connection);
          done();
        });
      }),
    );
  }
  await Promise.all(running);
  for (const connection of all) connection.close();
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What one side did: answers a second, and the processor time of the thread that answers and of its whole process. */
interface Side {
  readonly counted: Counted;
  seconds: number;
  threadS: number;
  processS: number;
  clientS: number;
  readonly others: Map<string, number>;
}

const side = (): Side => ({
  counted: counted(),
  seconds: 0,
  threadS: 0,
  processS: 0,
  clientS: 0,
  others: new Map(),
});

async function floodSide(served: Served, forMs: number, next: (index: number) => Buffer, into: Side): Promise<void> {
  const before = readThreads(served.child.pid);
  const client = process.cpuUsage();
  into.seconds += await flood(served.port, forMs, next, into.counted);
  const { user, system } = process.cpuUsage(client);
  const after = readThreads(served.child.pid);
  into.threadS += after.mainS - before.mainS;
  into.processS += after.allS - before.allS;
  into.clientS += (user + system) / 1e6;
  addThreads(into.others, before, after);
}

function addThreads(into: Map<string, number>, before: ThreadTimes, after: ThreadTimes): void {
  for (const [name, seconds] of after.others) {
    into.set(name, (into.get(name) ?? 0) + seconds - (before.others.get(name) ?? 0));
  }
}

/** Processor time an answer took, in microseconds. */
const micros = (seconds: number, { counted }: Side): number => Math.round((seconds * 1e6) / counted.ok);

function describeThreads(of: Side): string {
  const others = [...of.others]
    .filter(([, seconds]) => micros(seconds, of) > 0)
    .sort((left, right) => right[1] - left[1]);
  return others.map(([name, seconds]) => `${name} ${micros(seconds, of)}`).join(", ");
}

interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly echoPerSecond: number;
  /** Answers a second beside the echo's, by the clock on the wall. */
  readonly ratio: number;
  /** Processor time of one answer: the thread that speaks HTTP, its process, and the client that asks. */
  readonly orderUs: { readonly http: number; readonly process: number; readonly client: number };
  readonly echoUs: { readonly http: number; readonly process: number; readonly client: number };
  readonly threads: string;
  /** How long after a flood the tables held all of it, at worst. */
  readonly behindMs: number;
  readonly refused: Readonly<Record<string, number>>;
}

async function measure(site: Served, echo: Served): Promise<Figures> {
  const traders: Trader[] = [];
  for (let index = 0; index < USERS; index++) traders.push(await signUp(site.port, index));
  const refresh = async (): Promise<void> => {
    for (const trader of traders) {
      await refreshPrice(site.port, trader);
      writeRequests(trader);
    }
  };
  await refresh();
  const order = (index: number): Buffer => nextRequest(traders[index % traders.length] as Trader);
  // The same order with the same headers; nothing is done with it.
  const [first] = traders;
  const echoRequest = postRequest("/orders", describeOrder(first as Trader, 2), first?.headers);
  await flood(site.port, WARM_MS, order, counted());
  await flood(echo.port, WARM_MS / 2, () => echoRequest, counted());
  await refresh();
  const paced = counted();
  await pace(site.port, traders, paced);
  const ours = side();
  const theirs = side();
  let behindMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await refresh();
    await floodSide(site, ROUND_MS, order, ours);
    // History waits until the tables hold what this trader was told: how far behind they were.
    const askedMs = performance.now();
    await callJson(site.port, "/api/v1/spot/orders?state=history", undefined, traders[round]?.headers);
    behindMs = Math.max(behindMs, performance.now() - askedMs);
    await floodSide(echo, ROUND_MS / 2, () => echoRequest, theirs);
  }
  const perSecond = Math.round(ours.counted.ok / ours.seconds);
  const echoPerSecond = Math.round(theirs.counted.ok / theirs.seconds);
  const times = (of: Side) => ({
    http: micros(of.threadS, of),
    process: micros(of.processS, of),
    client: micros(of.clientS, of),
  });
  return {
    p50Ms: Number(quantile(paced.tookMs, 0.5).toFixed(2)),
    p99Ms: Number(quantile(paced.tookMs, 0.99).toFixed(2)),
    perSecond,
    echoPerSecond,
    ratio: Number((perSecond / echoPerSecond).toFixed(2)),
    orderUs: times(ours),
    echoUs: times(theirs),
    threads: describeThreads(ours),
    behindMs: Math.round(behindMs),
    refused: Object.fromEntries([...paced.refused, ...ours.counted.refused]),
  };
}

function describeFigures(figures: Figures): string {
  const { orderUs, echoUs } = figures;
  return (
    `at ${PACED_PER_S} orders/s: p50 ${figures.p50Ms} ms (below ${BARS.p50Ms}), p99 ${figures.p99Ms} ms (below ${BARS.p99Ms})\n` +
    `sustained: ${figures.perSecond} orders/s (at least ${BARS.perSecond}), bare echo ${figures.echoPerSecond}/s, ` +
    `ratio by the clock ${figures.ratio} (at least ${BARS.ratio})\n` +
    `processor time of one order: ${orderUs.http} us on the thread that speaks HTTP, ${orderUs.process} us in the whole ` +
    `server (${figures.threads}), ${orderUs.client} us in the client\n` +
    `processor time of one echo: ${echoUs.http} us, ${echoUs.process} us, ${echoUs.client} us in the client; ` +
    `an order's HTTP thread does ${(echoUs.http / orderUs.http).toFixed(2)} of the echo's answers a second of its own\n` +
    `tables level ${figures.behindMs} ms after the flood; refused: ${JSON.stringify(figures.refused)}\n`
  );
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-gateway-"));
  const site = await start(["apps/server/build/main.js"], {
    PORT: "0",
    HOST: "127.0.0.1",
    CW_DATA: folder,
    CW_LOG_LEVEL: "error",
    CW_CAPTCHA: "off",
    CW_RATE_WEIGHT_PER_MINUTE: "0",
  });
  const echo = await start(["bench/src/gateway-echo.ts"], {});
  try {
    await sleep(3_000);
    const figures = await measure(site, echo);
    const passed =
      figures.p50Ms < BARS.p50Ms &&
      figures.p99Ms < BARS.p99Ms &&
      figures.perSecond >= BARS.perSecond &&
      figures.ratio >= BARS.ratio;
    if (process.argv.includes("--json")) {
      process.stdout.write(`${JSON.stringify({ name: "gateway", ...figures, bars: BARS, passed })}\n`);
    } else {
      process.stdout.write(`${describeFigures(figures)}${passed ? "passed" : "FAILED"}\n`);
    }
    process.exitCode = passed ? 0 : 1;
  } finally {
    echo.child.kill("SIGTERM");
    site.child.kill("SIGTERM");
    await new Promise((done) => site.child.once("exit", done));
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
