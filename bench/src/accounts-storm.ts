// Two thousand users sign in at once while another one trades: how long do the trader's calls take, before and during?
// The storm runs in its own thread, waits as long as instructed and retries, until all are signed in.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { addressOf, Caller, PASSWORD, quantile } from "./accounts-site.ts";

const PEOPLE = 200;
export const SIGN_INS = 2_000;
const CALM_MS = 8_000;
const RATE_MS = 5;
const TRIES_MAX = 60;

interface StormInput {
  readonly origin: string;
  readonly count: number;
}

interface StormReport {
  readonly tookMs: number;
  readonly entered: number;
  /** Answers 429, each with a time to come again. */
  readonly putOff: number;
  readonly putOffWithoutTime: number;
  readonly failed: number;
  readonly slowestMs: number;
}

export interface Latency {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface StormResult {
  /** Which call represented trading. */
  readonly call: string;
  readonly commandsSinceGrowth: Latency;
  readonly storm: Latency;
  readonly signIns: StormReport;
}

export async function measureStorm(caller: Caller, origin: string, count: number): Promise<StormResult> {
  for (let index = 0; index < PEOPLE; index += 1) {
    await caller.signUp(`storm${index}@bench.example`, addressOf(index), `storm-${index}`);
  }
  const cookie = await caller.signUp("trader@bench.example", addressOf(9_999), "trader");
  const trade = await prepareOrder(caller, cookie);
  await watch(trade.run, until(2_000));
  const commandsSinceGrowth = await watch(trade.run, until(CALM_MS));
  const storm = new Worker(new URL(import.meta.url), { workerData: { origin, count } satisfies StormInput });
  let report: StormReport | undefined;
  const ended = new Promise<void>((done, fail) => {
    storm.once("message", (response: StormReport) => {
      report = response;
      done();
    });
    storm.once("error", fail);
  });
  const during = await watch(trade.run, () => report === undefined);
  await ended;
  if (report === undefined) throw new Error("the storm said nothing");
  return {
    call: trade.name,
    commandsSinceGrowth: describe(commandsSinceGrowth),
    storm: describe(during),
    signIns: report,
  };
}

interface Trade {
  readonly name: string;
  run(): Promise<number>;
}

/** An order that takes what is there and rests nothing, through the core and its journal. */
async function prepareOrder(caller: Caller, cookie: string): Promise<Trade> {
  const address = addressOf(9_999);
  const given = await caller.call({ path: "/dev/faucet", body: { asset: "USDT", amount: "1000" }, address, cookie });
  if (given.status !== 200) throw new Error(`the faucet answered ${given.status} ${JSON.stringify(given.body)}`);
  const body = {
    pairCode: "BTC_USDT",
    side: "buy",
    type: "limit",
    price: "60000",
    quantity: "0.001",
    timeInForce: "IOC",
  };
  const place = () => caller.call({ path: "/api/v1/spot/orders", body, address, cookie });
  const first = await place();
  if (first.status !== 200) throw new Error(`the order answered ${first.status} ${JSON.stringify(first.body)}`);
  return { name: "POST /v1/spot/orders, an IOC order of the same person", run: async () => (await place()).tookMs };
}

function until(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() < endMs;
}

async function watch(run: () => Promise<number>, continues: () => boolean): Promise<readonly number[]> {
  const took: number[] = [];
  while (continues()) {
    took.push(await run());
    await new Promise((done) => setTimeout(done, RATE_MS));
  }
  return took;
}

function describe(took: readonly number[]): Latency {
  return {
    count: took.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    maxMs: Math.max(...took),
  };
}

async function signInAll({ origin, count }: StormInput): Promise<StormReport> {
  const caller = new Caller(origin);
  const counts = { entered: 0, putOff: 0, putOffWithoutTime: 0, failed: 0, slowestMs: 0 };
  const startedMs = performance.now();
  const one = async (index: number): Promise<void> => {
    const account = `storm${index % PEOPLE}@bench.example`;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const reply = await caller.call({
        path: "/api/v2/users/login/do-login",
        body: { account, password: PASSWORD },
        address: addressOf(20_000 + index),
        device: `storm-${index % PEOPLE}`,
      });
      counts.slowestMs = Math.max(counts.slowestMs, reply.tookMs);
      if (reply.status === 200) {
        counts.entered += 1;
        return;
      }
      if (reply.status !== 429) break;
      counts.putOff += 1;
      if (reply.retryAfterSeconds <= 0) counts.putOffWithoutTime += 1;
      await new Promise((done) =>
        setTimeout(done, Math.max(1, reply.retryAfterSeconds) * 1_000 * (1 + (index % 17) / 17)),
      );
    }
    counts.failed += 1;
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  caller.close();
  return { ...counts, tookMs: performance.now() - startedMs };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  port.postMessage(await signInAll(workerData as StormInput));
}
