// One account with a million fills next to another user (NET-4): what every call of its pages costs the server in
// processor time, and how long the other's reads take during it against alone, in the same run. Exits with 1 when a bar
// is missed. Needs the built server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, Caller, quantile } from "./accounts-site.ts";
import { FILLS, plantHistory } from "./history-world.ts";
import { Person } from "./otc-world.ts";
import { processorMs, type ServedSite, startSite } from "./served-site.ts";

const CALL_MS = 100;
/** Of the other's p99, under load against alone. */
const RATIO_MAX = 1.5;
const ROUNDS = 5;
const COLD_MS = 60_000;
const OTHER_READS = 400;
const DAY_MS = 86_400_000;
const SETTINGS = {
  CW_CAPTCHA: "off",
  CW_CHAIN: "off",
  CW_RATE_WEIGHT_PER_MINUTE: "0",
  CW_TRUSTED_PROXIES: "127.0.0.1",
  CW_PASSWORD_PRIORITY: "normal",
};

async function enter(world: { caller: Caller }, index: number): Promise<Person> {
  const address = addressOf(index);
  const cookie = await world.caller.signUp(`history-${index}@bench.example`, address, crypto.randomUUID());
  const person = new Person(world, address, cookie);
  await person.must("/dev/faucet", { asset: "USDT", amount: "1000" });
  return person;
}

/** The calls of the pages of history, bills, profit and statements, with every filter they offer. */
function listCalls(nowMs: number): readonly string[] {
  const [spot, bills] = ["/api/v1/spot", "/api/asset/v1/api/wallet/bills"];
  const past = `from=${nowMs - 20 * DAY_MS}&to=${nowMs - 19 * DAY_MS}`;
  const orders = ["", "&pairCode=ETH_USDT", "&side=sell", "&pairCode=BTC_USDT&side=sell", `&${past}`];
  const fills = ["", "pairCode=ETH_USDT", "side=sell", "pairCode=BTC_USDT&side=sell", past];
  const filters = [
    "",
    "asset=ETH",
    "business=faucet",
    "search=nothing",
    "search=777777",
    past,
    "page=3",
    "least=5&page=1",
  ];
  // Rows written by the process since the start have lower numbers than the planted ones: the end is before them.
  const statement = `asset=BTC&from=${nowMs - 20 * DAY_MS}&to=${nowMs - DAY_MS}`;
  return [
    ...orders.map((filter) => `${spot}/orders?state=history${filter}`),
    ...fills.map((filter) => `${spot}/fills?${filter}`),
    ...filters.map((filter) => `${bills}?${filter}`),
    "/api/asset/v1/api/profit/analysis",
    "/api/v1/portfolio/spot",
    `/api/asset/v1/api/statement/preview?${statement}`,
  ];
}

interface Cost {
  readonly path: string;
  /** The first time. */
  readonly coldMs: number;
  readonly usedMs: number;
  readonly tookMs: number;
}

async function costOf(site: ServedSite, person: Person, path: string): Promise<Cost> {
  // What is folded of a life once and kept is measured after that.
  const coldBefore = processorMs(site.pid);
  for (const endMs = performance.now() + COLD_MS; ; ) {
    const first = await person.call(path);
    if (first.status === 200) break;
    if (first.status !== 503 || performance.now() > endMs) {
      throw new Error(`${path}: ${first.status} ${JSON.stringify(first.body)}`);
    }
  }
  const coldMs = processorMs(site.pid) - coldBefore;
  const before = processorMs(site.pid);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) took.push((await person.call(path)).tookMs);
  return { path, coldMs, usedMs: (processorMs(site.pid) - before) / ROUNDS, tookMs: quantile(took, 0.5) };
}

async function readBy(person: Person): Promise<number[]> {
  const took: number[] = [];
  for (let read = 0; read < OTHER_READS; read += 1)
    took.push((await person.call("/api/v1/spot/fills?side=buy")).tookMs);
  return took;
}

async function measure(site: ServedSite, heavy: Person, other: Person): Promise<boolean> {
  const calls = listCalls(Date.now());
  console.log(`Calls of an account with ${FILLS} fills, by the server's processor time (bar: below ${CALL_MS} ms)`);
  const costs: Cost[] = [];
  for (const path of calls) costs.push(await costOf(site, heavy, path));
  for (const { path, coldMs, usedMs, tookMs } of costs) {
    const figures = `${usedMs.toFixed(0).padStart(5)} ms (first ${coldMs.toFixed(0).padStart(5)})`;
    console.log(`  ${figures}  answered in ${tookMs.toFixed(1).padStart(7)} ms  ${path}`);
  }
  await readBy(other);
  const alone = await readBy(other);
  let isOver = false;
  const pouring = calls.map(async (path) => {
    while (!isOver) await heavy.call(path);
  });
  const beside = await readBy(other);
  isOver = true;
  await Promise.all(pouring);
  const [p99, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  console.log(
    `Somebody else's fills: p99 ${p99.toFixed(1)} ms alone, ${p99Beside.toFixed(1)} ms beside all of these at once`,
  );
  console.log(`  p50 ${quantile(alone, 0.5).toFixed(1)} ms alone, ${quantile(beside, 0.5).toFixed(1)} ms beside`);
  console.log(`  ratio of p99 ${(p99Beside / p99).toFixed(2)} (bar: at most ${RATIO_MAX})`);
  return costs.every(({ usedMs }) => usedMs < CALL_MS) && p99Beside / p99 <= RATIO_MAX;
}

const folder = mkdtempSync(join(tmpdir(), "clockwork-history-"));
let site: ServedSite | undefined;
try {
  site = await startSite("history", SETTINGS, folder);
  const world = { caller: new Caller(site.origin) };
  const [heavy, other] = [await enter(world, 1), await enter(world, 2)];
  world.caller.close();
  await site.stop();
  site = undefined;
  plantHistory(folder, "history-1@bench.example", Date.now());
  site = await startSite("history", SETTINGS, folder);
  world.caller = new Caller(site.origin);
  process.exitCode = (await measure(site, heavy, other)) ? 0 : 1;
  world.caller.close();
} finally {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
}
