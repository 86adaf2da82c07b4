// Orders over HTTP at a steady rate while ten visitors load pages as fast as they come, none of which the short cache
// can answer: with them, and in turns with as many loaders of a bare server that renders the same pages in another
// process. Prints a table, or JSON with --json.
import { fork, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { Connection } from "./gateway/client.ts";
import { CLEAR_EVERY, nextRequest, refreshPrice, signUp, type Trader, writeRequests } from "./gateway/traders.ts";
import type { LoadersReport, LoadersTask } from "./pages-loaders.ts";
import { startSite } from "./served-site.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const USERS = 8;
const CONNECTIONS = 64;
const PER_S = 100;
const TURN_MS = 5_000;
const WARM_MS = 4_000;
const TURNS = 4;
const LOADERS = 10;
const BARS = { p50: 1.5, p99: 3 };

interface Loaders {
  readonly load: (task: LoadersTask) => Promise<LoadersReport>;
  readonly end: () => void;
}

function startLoaders(): Loaders {
  const child = fork(new URL("./pages-loaders.ts", import.meta.url), { stdio: "inherit" });
  return {
    load: (task) =>
      new Promise((done) => {
        child.once("message", (report) => done(report as LoadersReport));
        child.send(task);
      }),
    end: () => child.disconnect(),
  };
}

async function startBare(site: string): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, [join(ROOT, "bench/src/ssr-bare.ts"), site], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await new Promise<string>((done, fail) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(chunk.toString())?.[1];
      if (port !== undefined) done(`http://127.0.0.1:${port}`);
    });
    child.once("exit", (code) => fail(new Error(`the bare server ended with ${code}`)));
  });
  return { origin, stop: () => void child.kill("SIGTERM") };
}

/** At a fixed rate; a request that waits for a free connection counts from when it was due. */
async function trade(free: Connection[], traders: readonly Trader[], forMs: number, tookMs: number[]): Promise<void> {
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < (forMs / 1_000) * PER_S; index++) {
    const dueMs = startedMs + (index * 1_000) / PER_S;
    while (performance.now() < dueMs || free.length === 0) await new Promise((done) => setTimeout(done, 1));
    const connection = free.shift() as Connection;
    const trader = traders[index % traders.length] as Trader;
    const isOrder = trader.placed % CLEAR_EVERY !== CLEAR_EVERY - 1;
    running.push(
      new Promise((done, fail) => {
        connection.onLost = fail;
        connection.ask(nextRequest(trader), ({ status, body }) => {
          if (isOrder) tookMs.push(performance.now() - dueMs);
          if (status >= 500) fail(new Error(`an order was answered ${status}: ${body()}`));
          free.push(connection);
          done();
        });
      }),
    );
  }
  await Promise.all(running);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function main(): Promise<void> {
  const site = await startSite("pages", { CW_RATE_WEIGHT_PER_MINUTE: "0", CW_MARKET: "on", CW_CAPTCHA: "off" });
  const bare = await startBare(site.origin);
  const loaders = startLoaders();
  try {
    const port = Number(new URL(site.origin).port);
    const traders: Trader[] = [];
    for (let index = 0; index < USERS; index++) traders.push(await signUp(port, index));
    const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
    const refresh = async () => {
      for (const trader of traders) {
        await refreshPrice(port, trader);
        writeRequests(trader);
      }
    };
    const sides = {
      alone: { origin: "", tookMs: [] as number[], pages: 0, refused: 0 },
      bare: { origin: bare.origin, tookMs: [] as number[], pages: 0, refused: 0 },
      pages: { origin: site.origin, tookMs: [] as number[], pages: 0, refused: 0 },
    };
    const turn = async (side: (typeof sides)[keyof typeof sides], forMs: number, isCounted: boolean) => {
      await refresh();
      const tookMs: number[] = [];
      const task = { origin: side.origin, loaders: LOADERS, runMs: forMs, session: traders[0]?.headers ?? {} };
      const [report] = await Promise.all([
        side.origin === "" ? undefined : loaders.load(task),
        trade(free, traders, forMs, tookMs),
      ]);
      if (!isCounted) return;
      side.tookMs.push(...tookMs);
      side.pages += report?.pages ?? 0;
      side.refused += report?.faults ?? 0;
    };
    for (const side of Object.values(sides)) await turn(side, WARM_MS, false);
    for (let at = 0; at < TURNS; at++) for (const side of Object.values(sides)) await turn(side, TURN_MS, true);
    const rows = Object.entries(sides).map(([name, { tookMs, pages, refused }]) => ({
      name,
      p50Ms: Number(quantile(tookMs, 0.5).toFixed(2)),
      p99Ms: Number(quantile(tookMs, 0.99).toFixed(2)),
      pagesPerSecond: Math.round(pages / ((TURNS * TURN_MS) / 1_000)),
      faults: refused,
    }));
    const of = (name: keyof typeof sides) => rows.find((row) => row.name === name) as (typeof rows)[number];
    const p50 = Number((of("pages").p50Ms / of("bare").p50Ms).toFixed(2));
    const p99 = Number((of("pages").p99Ms / of("bare").p99Ms).toFixed(2));
    const passed = p50 <= BARS.p50 && p99 <= BARS.p99 && of("pages").pagesPerSecond > 0 && of("pages").faults === 0;
    if (process.argv.includes("--json")) {
      process.stdout.write(`${JSON.stringify({ name: "pages", rows, p50, p99, bars: BARS, passed })}\n`);
    } else {
      for (const row of rows) {
        process.stdout.write(
          `${row.name.padEnd(8)} p50 ${row.p50Ms} ms, p99 ${row.p99Ms} ms, ${row.pagesPerSecond} pages/s, ${row.faults} faults\n`,
        );
      }
      process.stdout.write(
        `beside our pages ÷ beside a bare server: p50 ${p50} (at most ${BARS.p50}), p99 ${p99} (at most ${BARS.p99}): ` +
          `${passed ? "passed" : "FAILED"}\n`,
      );
    }
    for (const connection of free) connection.close();
    process.exitCode = passed ? 0 : 1;
  } finally {
    loaders.end();
    bare.stop();
    await site.stop();
  }
}

await main();
