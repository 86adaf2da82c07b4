// Memory of the served process while users trade at a steady rate, each half minute. It rises until a collection, so
// that the height at any one moment means little: what counts is the slope of the lows, each the least of a tenth of
// the time, after the first three. npm run bench -- memory [minutes] [orders a second]
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./gateway/client.ts";
import { nextRequest, refreshPrice, signUp, type Trader, writeRequests } from "./gateway/traders.ts";
import { startSite } from "./served-site.ts";

const [minutes, perSecond] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 300)] as [number, number];
const USERS = 16;
const CONNECTIONS = 32;
const SAMPLE_MS = 30_000;
const BAR_MB_PER_MINUTE = 1;
const PARTS = 10;
const WARM_UP_PARTS = 3;

interface Sample {
  readonly atS: number;
  readonly residentMb: number;
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return Number(kilobytes) / 1_024;
}

/** Megabytes a minute, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (one: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [middleS, middleMb] = [mean(({ atS }) => atS), mean((one) => one.residentMb)];
  let [across, along] = [0, 0];
  for (const one of samples) {
    across += (one.atS - middleS) * (one.residentMb - middleMb);
    along += (one.atS - middleS) ** 2;
  }
  return (across / along) * 60;
}

/** The least of each part of the time. */
function lows(samples: readonly Sample[]): Sample[] {
  const size = samples.length / PARTS;
  return Array.from({ length: PARTS }, (_, part) =>
    samples
      .slice(Math.floor(part * size), Math.floor((part + 1) * size))
      .reduce((least, one) => (one.residentMb < least.residentMb ? one : least)),
  );
}

async function trade(port: number, traders: readonly Trader[], untilMs: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  const startedMs = performance.now();
  for (let index = 0; performance.now() < untilMs; index++) {
    const dueMs = startedMs + (index * 1_000) / perSecond;
    while (performance.now() < dueMs || free.length === 0) await sleep(1);
    const connection = free.shift() as Connection;
    connection.onLost = (error) => {
      throw error;
    };
    connection.ask(nextRequest(traders[index % traders.length] as Trader), ({ status }) => {
      answers.set(status, (answers.get(status) ?? 0) + 1);
      free.push(connection);
    });
  }
  while (free.length < CONNECTIONS) await sleep(1);
  for (const connection of free) connection.close();
  return answers;
}

const site = await startSite("memory", {
  CW_MARKET: "on",
  CW_CAPTCHA: "off",
  CW_CHAIN: "off",
  CW_RATE_WEIGHT_PER_MINUTE: "0",
});
try {
  const port = Number(new URL(site.origin).port);
  await sleep(5_000);
  const traders: Trader[] = [];
  for (let index = 0; index < USERS; index++) traders.push(await signUp(port, index));
  for (const trader of traders) writeRequests(trader);
  const startedMs = performance.now();
  const untilMs = startedMs + minutes * 60_000;
  const samples: Sample[] = [];
  const take = (): void => {
    const sample = { atS: (performance.now() - startedMs) / 1_000, residentMb: residentMb(site.pid) };
    samples.push(sample);
    console.log(`  after ${sample.atS.toFixed(0).padStart(4)} s  ${sample.residentMb.toFixed(0).padStart(5)} MB`);
  };
  take();
  const timer = setInterval(() => {
    take();
    // Orders are near the price, as users' orders are.
    for (const trader of traders) {
      refreshPrice(port, trader)
        .then(() => writeRequests(trader))
        .catch(() => undefined);
    }
  }, SAMPLE_MS);
  const answers = await trade(port, traders, untilMs);
  clearInterval(timer);
  take();
  const least = lows(samples);
  const answer = [...answers].map(([status, count]) => `${status}: ${count}`).join(", ");
  console.log(`${perSecond} orders a second for ${minutes} minutes (${answer})`);
  console.log(
    `  most ${Math.max(...samples.map((one) => one.residentMb)).toFixed(0)} MB, lows ${least.map((one) => one.residentMb.toFixed(0)).join(", ")}; these rise by ${slope(least.slice(WARM_UP_PARTS)).toFixed(2)} MB a minute after the warm-up (bar ${BAR_MB_PER_MINUTE})`,
  );
} finally {
  await site.stop();
}
