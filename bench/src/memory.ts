// What the served process holds while people trade at a steady pace for a quarter of an hour: the whole of it, what its
// collectors keep, and what lies outside them, each half minute. The first third is the warm-up; what counts is the slope
// of the rest. npm run bench -- memory [minutes] [orders a second]
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./gateway/client.ts";
import { nextRequest, refreshPrice, signUp, type Trader, writeRequests } from "./gateway/traders.ts";
import { startSite } from "./served-site.ts";

const [minutes, perSecond] = [Number(process.argv[2] ?? 15), Number(process.argv[3] ?? 300)] as [number, number];
const USERS = 16;
const CONNECTIONS = 32;
const SAMPLE_MS = 30_000;
const BAR_MB_PER_MINUTE = 1;

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

async function trade(port: number, traders: readonly Trader[], untilMs: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  const beganMs = performance.now();
  for (let index = 0; performance.now() < untilMs; index++) {
    const dueMs = beganMs + (index * 1_000) / perSecond;
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
  const beganMs = performance.now();
  const untilMs = beganMs + minutes * 60_000;
  const samples: Sample[] = [];
  const take = (): void => {
    const sample = { atS: (performance.now() - beganMs) / 1_000, residentMb: residentMb(site.pid) };
    samples.push(sample);
    console.log(`  after ${sample.atS.toFixed(0).padStart(4)} s  ${sample.residentMb.toFixed(0).padStart(5)} MB`);
  };
  take();
  const timer = setInterval(() => {
    take();
    // Orders stay near the price, as those of people do.
    for (const trader of traders) {
      refreshPrice(port, trader)
        .then(() => writeRequests(trader))
        .catch(() => undefined);
    }
  }, SAMPLE_MS);
  const answers = await trade(port, traders, untilMs);
  clearInterval(timer);
  take();
  const rest = samples.slice(Math.floor(samples.length / 3));
  const told = [...answers].map(([status, count]) => `${status}: ${count}`).join(", ");
  console.log(`${perSecond} orders a second for ${minutes} minutes (${told})`);
  console.log(
    `  most ${Math.max(...samples.map((one) => one.residentMb)).toFixed(0)} MB; after the warm-up ${slope(rest).toFixed(2)} MB a minute (bar ${BAR_MB_PER_MINUTE})`,
  );
} finally {
  await site.stop();
}
