// How fast an order is confirmed over HTTP, and how many a second: the built process with the simulated market running,
// users trading over keep-alive connections, every response after its commit; orders of perpetuals and a bare Fastify
// echo in the same run.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answered, Connection, postRequest } from "./gateway/client.ts";
import { type ContractTrader, nextContractRequest, openContracts, refreshContract } from "./gateway/contracts.ts";
import { writeNamed, writeSigned } from "./gateway/dialect.ts";
import { readThreads, type ThreadTimes } from "./gateway/threads.ts";
import {
  CLEAR_EVERY,
  callJson,
  describeOrder,
  nextRequest,
  refreshPrice,
  signUp,
  type Trader,
  writeRequests,
} from "./gateway/traders.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const USERS = 16;
const CONNECTIONS = 128;
const PACED_PER_S = 500;
const PACED_S = 20;
const WARM_MS = 10_000;
const ROUND_MS = 6_000;
const ROUNDS = 3;
const BARS = { p50Ms: 3, p99Ms: 15, perSecond: 5_000, ratio: 0.5, dialectRatio: 1.4, contractRatio: 0.9 };
/** Rounds of signed orders are written beforehand, a fixed number for each trader in turn. */
const SIGNED_TURNS = 24;

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
    let reply = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      reply = (reply + chunk.toString()).slice(-20_000);
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(reply)?.[1];
      if (port !== undefined) done({ child, port: Number(port) });
    });
    child.once("exit", (code) => fail(new Error(`a server ended with ${code}:\n${reply}`)));
  });
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
    const code = /"code":"?([A-Z_]+|-[0-9]+)"?/.exec(body())?.[1] ?? String(status);
    into.refused.set(code, (into.refused.get(code) ?? 0) + 1);
  }
}

const openAll = (port: number) => Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));

/** As many as it takes, one at a time on every connection. */
async function flood(port: number, forMs: number, next: (index: number) => Buffer, into: Counted): Promise<number> {
  const connections = await openAll(port);
  const startedMs = performance.now();
  await Promise.all(
    connections.map(
      (connection, index) =>
        new Promise<void>((done, fail) => {
          connection.onLost = fail;
          let sentMs = 0;
          const answered = (answer: Answered): void => {
            const nowMs = performance.now();
            count(into, answer, nowMs - sentMs);
            if (nowMs - startedMs < forMs) send(nowMs);
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
  return (performance.now() - startedMs) / 1_000;
}

/**
 * At a fixed rate, however long responses take: a request that waits for a free connection is counted from when it was
 * due.
 */
async function rate(port: number, traders: readonly Trader[], into: Counted): Promise<void> {
  const all = await openAll(port);
  const free = [...all];
  const startedMs = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < PACED_PER_S * PACED_S; index++) {
    const dueMs = startedMs + (index * 1_000) / PACED_PER_S;
    while (performance.now() < dueMs) await sleep(Math.max(0, dueMs - performance.now() - 0.5) > 1 ? 1 : 0);
    while (free.length === 0) await sleep(0);
    // In turns: an idle connection is closed by the server after some time.
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

const times = (of: Side) => ({
  http: micros(of.threadS, of),
  process: micros(of.processS, of),
  client: micros(of.clientS, of),
});
const rateOf = ({ counted: { ok }, seconds }: Side): number => Math.round(ok / seconds);

function describeThreads(of: Side): string {
  const others = [...of.others]
    .filter(([, seconds]) => micros(seconds, of) > 0)
    .sort((left, right) => right[1] - left[1]);
  return others.map(([name, seconds]) => `${name} ${micros(seconds, of)}`).join(", ");
}

/** Orders with names, each sent once: a replay is refused. */
async function floodNamed(
  site: Served,
  traders: readonly Trader[],
  write: (trader: Trader, orders: readonly ReturnType<typeof describeOrder>[]) => readonly Buffer[],
  into: Side,
): Promise<void> {
  const queues = traders.map((trader) => {
    const orders = Array.from({ length: CLEAR_EVERY - 1 }, (_, number) => describeOrder(trader, number));
    // What rests is withdrawn by the exchange's own call on both sides: orders alone are compared.
    const clear = postRequest("/api/v1/spot/orders/clear", {}, trader.headers);
    return Array.from({ length: SIGNED_TURNS }, () => [...write(trader, orders), clear])
      .flat()
      .reverse();
  });
  const total = queues.reduce((sum, queue) => sum + queue.length, 0);
  const next = (index: number): Buffer => {
    const request = queues[index % queues.length]?.pop();
    if (request === undefined) throw new Error(`more than ${total} named orders in one round`);
    return request;
  };
  await floodSide(site, ROUND_MS / 2, next, into);
}

const signs = ({ key }: Trader, orders: readonly ReturnType<typeof describeOrder>[]) => writeSigned(key, orders);
const names = ({ headers }: Trader, orders: readonly ReturnType<typeof describeOrder>[]) => writeNamed(headers, orders);

interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly echoPerSecond: number;
  /** Responses a second relative to the echo's, by wall clock. */
  readonly ratio: number;
  /** Processor time of one response: the thread that speaks HTTP, its process, and the client. */
  readonly orderUs: { readonly http: number; readonly process: number; readonly client: number };
  readonly echoUs: { readonly http: number; readonly process: number; readonly client: number };
  readonly threads: string;
  /** The same order signed, in the dialect of Binance, compared with the exchange's own. */
  readonly signedUs: { readonly http: number; readonly process: number; readonly client: number };
  /** That very order by the exchange's own call: with a client id, its fills in the response. */
  readonly namedUs: { readonly http: number; readonly process: number; readonly client: number };
  readonly signedRatio: number;
  /**
   * Orders of perpetuals: responses a second compared with spot's, by the clock and by the time of the thread that
   * speaks HTTP.
   */
  readonly contractPerSecond: number;
  readonly contractRatio: number;
  readonly contractUs: { readonly http: number; readonly process: number; readonly client: number };
  /** How long after a flood the tables held all of it, at worst. */
  readonly behindMs: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** Orders of perpetuals around the price of now. */
async function floodContracts(
  site: Served,
  holders: readonly ContractTrader[],
  into: Side,
): Promise<readonly ContractTrader[]> {
  const fresh = await Promise.all(holders.map((holder) => refreshContract(site.port, holder)));
  const order = (index: number) => nextContractRequest(fresh[index % fresh.length] as ContractTrader);
  await floodSide(site, ROUND_MS, order, into);
  return fresh;
}

async function openHolders(site: Served, traders: readonly Trader[]): Promise<readonly ContractTrader[]> {
  const holders: ContractTrader[] = [];
  for (const [index, trader] of traders.entries()) holders.push(await openContracts(site.port, trader, index));
  return holders;
}

async function timeHistory(site: Served, trader: Trader | undefined): Promise<number> {
  const requestedMs = performance.now();
  await callJson(site.port, "/api/v1/spot/orders?state=history", undefined, trader?.headers);
  return performance.now() - requestedMs;
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
  await floodNamed(site, traders, signs, side());
  await floodNamed(site, traders, names, side());
  await refresh();
  const paced = counted();
  await rate(site.port, traders, paced);
  const [ours, theirs, signed, named, contracts] = [side(), side(), side(), side(), side()];
  let holders = await openHolders(site, traders);
  let behindMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await refresh();
    await floodSide(site, ROUND_MS, order, ours);
    // History waits until the tables hold what was published to this trader: how far behind they were.
    behindMs = Math.max(behindMs, await timeHistory(site, traders[round]));
    await floodSide(echo, ROUND_MS / 2, () => echoRequest, theirs);
    await refresh();
    await floodNamed(site, traders, signs, signed);
    await refresh();
    await floodNamed(site, traders, names, named);
    holders = await floodContracts(site, holders, contracts);
  }
  const [perSecond, echoPerSecond, contractPerSecond] = [rateOf(ours), rateOf(theirs), rateOf(contracts)];
  return {
    p50Ms: Number(quantile(paced.tookMs, 0.5).toFixed(2)),
    p99Ms: Number(quantile(paced.tookMs, 0.99).toFixed(2)),
    perSecond,
    echoPerSecond,
    ratio: Number((perSecond / echoPerSecond).toFixed(2)),
    orderUs: times(ours),
    echoUs: times(theirs),
    threads: describeThreads(ours),
    signedUs: times(signed),
    namedUs: times(named),
    signedRatio: Number((micros(signed.threadS, signed) / micros(named.threadS, named)).toFixed(2)),
    contractPerSecond,
    contractRatio: Number((contractPerSecond / perSecond).toFixed(2)),
    contractUs: times(contracts),
    behindMs: Math.round(behindMs),
    refused: Object.fromEntries(
      [paced, ...[ours, signed, named, contracts].map(({ counted: of }) => of)].flatMap(({ refused }) => [...refused]),
    ),
  };
}

function describeFigures(figures: Figures): string {
  const { orderUs, echoUs, signedUs, namedUs, contractUs } = figures;
  return (
    `at ${PACED_PER_S} orders/s: p50 ${figures.p50Ms} ms (below ${BARS.p50Ms}), p99 ${figures.p99Ms} ms (below ${BARS.p99Ms})\n` +
    `sustained: ${figures.perSecond} orders/s (at least ${BARS.perSecond}), bare echo ${figures.echoPerSecond}/s, ` +
    `ratio by the clock ${figures.ratio} (at least ${BARS.ratio})\n` +
    `processor time of one order: ${orderUs.http} us on the thread that speaks HTTP, ${orderUs.process} us in the whole ` +
    `server (${figures.threads}), ${orderUs.client} us in the client\n` +
    `processor time of one echo: ${echoUs.http} us, ${echoUs.process} us, ${echoUs.client} us in the client; ` +
    `an order's HTTP thread does ${(echoUs.http / orderUs.http).toFixed(2)} of the echo's answers a second of its own\n` +
    `processor time of one signed order of the dialect: ${signedUs.http} us on that thread, ${signedUs.process} us in the ` +
    `whole server; ${figures.signedRatio} of the same order by the exchange's own call, ${namedUs.http} us ` +
    `(at most ${BARS.dialectRatio})\n` +
    `perpetuals: ${figures.contractPerSecond} orders/s, ${figures.contractRatio} of spot's (at least ${BARS.contractRatio}); ` +
    `processor time of one: ${contractUs.http} us on that thread, ${contractUs.process} us in the whole server\n` +
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
  const echo = await start(["bench/src/gateway/echo.ts"], {});
  try {
    await sleep(3_000);
    const figures = await measure(site, echo);
    const passed =
      figures.p50Ms < BARS.p50Ms &&
      figures.p99Ms < BARS.p99Ms &&
      figures.perSecond >= BARS.perSecond &&
      figures.ratio >= BARS.ratio &&
      figures.signedRatio <= BARS.dialectRatio &&
      figures.contractRatio >= BARS.contractRatio;
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
