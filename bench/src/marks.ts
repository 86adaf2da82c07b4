// What marks cost others: two served processes with the same simulated market, one of them with a hundred thousand open
// positions in BTC_USDT and a thousand sockets whose owners watch theirs. The same spot orders go to both in turns, at
// a fixed rate, and their response times are compared: the 99th percentile may grow by a tenth. One is paused while the
// other is measured; the processor time of each process is listed too. Turns are short and many and their 99th
// percentiles are compared by the median: a shared machine stalls now and then for all its threads, which affects one
// side or the other. Run by npm run bench -- marks [positions] [sockets] [orders a second] [seconds a turn] [turns].
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./gateway/client.ts";
import { openContracts } from "./gateway/contracts.ts";
import { callJson, nextRequest, refreshPrice, signUp, type Trader, writeRequests } from "./gateway/traders.ts";
import type { Watching } from "./marks-watchers.ts";
import { countOpen, plantHolders } from "./marks-world.ts";
import { processorMs, type ServedSite, startSite } from "./served-site.ts";

const numbers = process.argv.slice(2).map(Number);
const [POSITIONS = 100_000, SOCKETS = 1_000, PER_SECOND = 200, SECONDS = 6, TURNS = 10] = numbers;
const TRADERS = 8;
/** Watching users; each has several pages open. */
const WATCHERS = 100;
const CONNECTIONS = 32;
const BAR = 1.1;
const API = "/futuresapi/v1/futuresc";
const SETTINGS = {
  CW_MARKET: "on",
  CW_CAPTCHA: "off",
  CW_RATE_WEIGHT_PER_MINUTE: "0",
  CW_CHAIN: "off",
  CW_SOCKETS_PER_ADDRESS: "5000",
  CW_SOCKET_OPENS_PER_MINUTE: "0",
};

interface Side {
  readonly name: string;
  readonly site: ServedSite;
  readonly port: number;
  readonly traders: readonly Trader[];
  readonly watchers: readonly Trader[];
  readonly ackMs: number[];
  /** 99th percentile of every turn. */
  readonly turnsMs: number[];
  processorMs: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The contract's last price, once it trades. */
async function waitPrice(port: number): Promise<string> {
  for (;;) {
    const quoted = (await callJson(port, `${API}/quotations?pairCode=BTC_USDT`)).data as {
      last: string;
      mark: string | null;
    }[];
    if (Number(quoted[0]?.last ?? 0) > 0 && quoted[0]?.mark !== null) return quoted[0]?.last ?? "";
    await sleep(200);
  }
}

/** Candles of the past are made at the first start; afterwards a process is as quiet as it will be. */
async function waitQuiet({ pid }: ServedSite): Promise<void> {
  for (let calm = 0; calm < 3; ) {
    const before = processorMs(pid);
    await sleep(2_000);
    calm = processorMs(pid) - before < 1_500 ? calm + 1 : 0;
  }
}

async function people(port: number, from: number, count: number): Promise<Trader[]> {
  const all: Trader[] = [];
  for (let index = 0; index < count; index += 1) all.push(await signUp(port, from + index));
  return all;
}

/** Each watcher holds a position of their own. */
async function openPosition(port: number, trader: Trader, index: number): Promise<void> {
  await openContracts(port, { ...trader, pair: "BTC_USDT" }, index);
  const side = index % 2 === 0 ? "buy" : "sell";
  await callJson(
    port,
    `${API}/orders`,
    { pairCode: "BTC_USDT", side, type: "market", quantity: "0.01" },
    trader.headers,
  );
}

const ask = (watchers: ChildProcess, message: Watching | "heard"): Promise<number> =>
  new Promise((done, fail) => {
    watchers.once("message", done);
    watchers.once("exit", () => fail(new Error("the watchers ended")));
    watchers.send(message);
  });

async function watch({ port, watchers }: Side): Promise<ChildProcess> {
  const child = fork(new URL("./marks-watchers.ts", import.meta.url), { stdio: "inherit" });
  await ask(child, { port, sockets: SOCKETS, people: watchers.map(({ headers }) => headers) });
  await sleep(3_000);
  return child;
}

/** Orders at a fixed rate; a request that waits for a free connection counts from when it was due. */
async function rate({ port, traders, ackMs }: Side): Promise<number> {
  for (const trader of traders) {
    await refreshPrice(port, trader);
    writeRequests(trader);
  }
  const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  const free = [...all];
  const running: Promise<void>[] = [];
  let refused = 0;
  const startedMs = performance.now();
  for (let index = 0; index < PER_SECOND * SECONDS; index += 1) {
    const dueMs = startedMs + (index * 1_000) / PER_SECOND;
    while (performance.now() < dueMs) await sleep(dueMs - performance.now() > 1.5 ? 1 : 0);
    while (free.length === 0) await sleep(0);
    const connection = free.shift() as Connection;
    running.push(
      new Promise((done, fail) => {
        connection.onLost = fail;
        connection.ask(nextRequest(traders[index % traders.length] as Trader), ({ status }) => {
          ackMs.push(performance.now() - dueMs);
          if (status !== 200) refused += 1;
          free.push(connection);
          done();
        });
      }),
    );
  }
  await Promise.all(running);
  for (const connection of all) connection.close();
  return refused;
}

async function openSide(name: string, folder: string, isWatched: boolean): Promise<Side> {
  const site = await startSite("marks", SETTINGS, folder);
  const port = Number(new URL(site.origin).port);
  await waitPrice(port);
  await waitQuiet(site);
  const traders = await people(port, 0, TRADERS);
  const watchers = isWatched ? await people(port, TRADERS, WATCHERS) : [];
  for (const [index, watcher] of watchers.entries()) await openPosition(port, watcher, index);
  return { name, site, port, traders, watchers, ackMs: [], turnsMs: [], processorMs: 0 };
}

async function prepare(folder: string): Promise<void> {
  const site = await startSite("marks", SETTINGS, folder);
  const last = await waitPrice(Number(new URL(site.origin).port));
  await site.stop();
  const startedMs = performance.now();
  await plantHolders(folder, "BTC", Math.round(Number(last) * 10), POSITIONS);
  print(`${POSITIONS} positions written in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
}

/** Two living markets are more than two cores can run: the one whose turn it is not is paused. */
const pause = ({ site }: Side): void => void process.kill(site.pid, "SIGSTOP");

async function wake({ site }: Side): Promise<void> {
  process.kill(site.pid, "SIGCONT");
  await waitQuiet(site);
}

async function turn(side: Side): Promise<void> {
  await wake(side);
  const child = side.watchers.length === 0 ? undefined : await watch(side);
  const listen = async (): Promise<number> => (child === undefined ? 0 : ask(child, "heard"));
  const [received, before] = [await listen(), processorMs(side.site.pid)];
  const refused = await rate(side);
  side.processorMs += processorMs(side.site.pid) - before;
  const answer = (await listen()) - received;
  child?.removeAllListeners("exit");
  child?.kill();
  const rest = child === undefined ? "" : `, ${Math.round(answer / SECONDS)} messages a second`;
  if (refused > 0) print(`  ${refused} orders were refused`);
  pause(side);
  const p99 = quantile(side.ackMs.slice(-PER_SECOND * SECONDS), 0.99);
  side.turnsMs.push(p99);
  print(`  ${side.name.padEnd(10)} p99 ${p99.toFixed(1)} ms${rest}`);
}

async function main(): Promise<void> {
  const folders = ["plain", "marked"].map((name) => mkdtempSync(join(tmpdir(), `clockwork-marks-${name}-`)));
  const [plain = "", marked = ""] = folders;
  const sides: Side[] = [];
  try {
    await prepare(marked);
    for (const [name, folder, isWatched] of [
      ["without", plain, false],
      ["with", marked, true],
    ] as const) {
      const side = await openSide(name, folder, isWatched);
      sides.push(side);
      await rate(side);
      side.ackMs.length = 0;
      pause(side);
    }
    print(`${countOpen(marked)} positions open`);
    for (let count = 0; count < TURNS; count += 1) for (const side of sides) await turn(side);
    for (const { name, ackMs, processorMs: used } of sides) {
      const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => quantile(ackMs, share).toFixed(1));
      const each = ((used * 1_000) / ackMs.length).toFixed(0);
      print(`${name.padEnd(10)} p50 ${p50}  p99 ${p99}  worst ${worst} ms; ${each} µs of processor time an order`);
    }
    const [alone, beside] = sides.map(({ turnsMs }) => quantile(turnsMs, 0.5));
    const ratio = (beside ?? 0) / (alone ?? 1);
    print(`p99 of the median turn ${alone?.toFixed(1)} and ${beside?.toFixed(1)} ms`);
    print(`p99 ${ratio.toFixed(2)} of that without; must be ${BAR}: ${ratio <= BAR ? "passed" : "FAILED"}`);
    process.exitCode = ratio <= BAR ? 0 : 1;
  } finally {
    for (const { site } of sides) {
      process.kill(site.pid, "SIGCONT");
      await site.stop();
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

await main();
