// A day of a million fills settled into rebates at once (USR-4), with users' orders over HTTP: how long it takes, its
// processor time, whether every unit equals the naive computation, and how long an order takes during it against before
// and after, in the same run. Exits with 1 when a unit is wrong or a bar is missed. Needs the built server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addressOf, Caller, quantile } from "./accounts-site.ts";
import { Person } from "./otc-world.ts";
import { FILLS, HOURS, type Planted, plantDay, Watch } from "./rebates-world.ts";
import { processorMs, type ServedSite, startSite, threadsMs } from "./served-site.ts";

const SETTLED_MS = 10_000;
const HOUR_MS = 3_600_000;
const LANES = 4;
const ORDER_EVERY_MS = 200;
/** Of orders alone, before the hour and after it is settled. */
const ALONE_MS = 12_000;
const POLL_MS = 100;
const SLOWEST = 12;
/** Sessions opened then are good for a quarter of an hour. */
const EARLY_MS = 60_000;
const SETTINGS = {
  CW_PASSWORD_PRIORITY: "normal",
  CW_CAPTCHA: "off",
  CW_CHAIN: "off",
  CW_RATE_WEIGHT_PER_MINUTE: "0",
  CW_TRUSTED_PROXIES: "127.0.0.1",
};

interface World {
  caller: Caller;
  people: number;
}

async function enter(world: World, asset: string, amount: string): Promise<Person> {
  world.people += 1;
  const address = addressOf(world.people);
  const cookie = await world.caller.signUp(`rebates-${world.people}@bench.example`, address, crypto.randomUUID());
  const person = new Person(world, address, cookie);
  await person.must("/dev/faucet", { asset, amount });
  return person;
}

const limit = (side: "buy" | "sell", price: string, quantity: string): object => ({
  pairCode: "BTC_USDT",
  type: "limit",
  side,
  price,
  quantity,
});

/** What is shared is in the fee book: four coins change hands for it. */
async function fillFeeBook(world: World): Promise<void> {
  const [maker, taker] = [await enter(world, "BTC", "4"), await enter(world, "USDT", "400000")];
  await maker.must("/api/v1/spot/orders", limit("sell", "96000", "4"));
  await taker.must("/api/v1/spot/orders", limit("buy", "96000", "4"));
}

interface Order {
  readonly atMs: number;
  readonly tookMs: number;
}

/** An order that fills nothing and rests nowhere, at a steady rate until stopped. */
async function pour(person: Person, isOver: () => boolean, orders: Order[]): Promise<void> {
  for (let nextMs = performance.now(); !isOver(); nextMs += ORDER_EVERY_MS) {
    await sleep(Math.max(0, nextMs - performance.now()));
    const atMs = performance.now();
    const reply = await person.call("/api/v1/spot/orders", { ...limit("buy", "80000", "0.001"), timeInForce: "IOC" });
    if (reply.status !== 200) throw new Error(`an order answered ${reply.status} ${JSON.stringify(reply.body)}`);
    orders.push({ atMs, tookMs: reply.tookMs });
  }
}

const ms = (value: number): string => `${value.toFixed(2)} ms`.padStart(11);
function print(name: string, tookMs: readonly number[]): { readonly p50: number; readonly p99: number } {
  const [p50, p99] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)];
  console.log(
    `  ${name.padEnd(34)} p50 ${ms(p50)}  p99 ${ms(p99)}  max ${ms(Math.max(...tookMs))}  (${tookMs.length} orders)`,
  );
  return { p50, p99 };
}

async function clockOf(origin: string, advanceMs?: number): Promise<number> {
  const headers = { "content-type": "application/json" };
  const init = advanceMs === undefined ? {} : { method: "POST", headers, body: JSON.stringify({ advanceMs }) };
  const { data } = (await (await fetch(`${origin}/dev/clock`, init)).json()) as { data: { nowMs: number } };
  return data.nowMs;
}

interface Measured {
  readonly orders: readonly Order[];
  readonly startedMs: number;
  readonly endedMs: number;
  readonly tookMs: number;
  readonly usedMs: number;
  /** Of one order where nothing else is done. */
  readonly orderMs: number;
  /** By threads: in a second of orders alone, and in a second while rebates are settled. */
  readonly aloneThreads: ReadonlyMap<string, number>;
  readonly besideThreads: ReadonlyMap<string, number>;
}

/** Milliseconds of processor time in a second. */
function perSecond(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  tookMs: number,
): ReadonlyMap<string, number> {
  return new Map([...after].map(([name, ms]) => [name, ((ms - (before.get(name) ?? 0)) * 1_000) / tookMs]));
}

/** Looks as often before and after the hour as in it: a look costs the generator of orders time. */
async function waitLooking<Value>(look: () => Value | undefined, untilMs: number): Promise<Value | undefined> {
  for (;;) {
    const found = look();
    if (found !== undefined || performance.now() >= untilMs) return found;
    await sleep(Math.min(POLL_MS, Math.max(0, untilMs - performance.now())));
  }
}

async function measure(world: World, site: ServedSite, watch: Watch): Promise<Measured> {
  const { origin, pid } = site;
  const nowMs = await clockOf(origin);
  // The next hour that is not about to start: the clock goes ahead only.
  const dueMs = (Math.floor((nowMs + EARLY_MS) / HOUR_MS) + 1) * HOUR_MS;
  await clockOf(origin, Math.max(0, dueMs - EARLY_MS - nowMs));
  const people = await Promise.all(Array.from({ length: LANES }, () => enter(world, "USDT", "1000")));
  const strikesInMs = dueMs - (await clockOf(origin, Math.max(0, dueMs - (await clockOf(origin)) - ALONE_MS)));
  const startedMs = performance.now() + strikesInMs;
  const orders: Order[] = [];
  let isOver = false;
  const pouring = Promise.all(people.map((person) => pour(person, () => isOver, orders)));
  // A refused order is reported at the end.
  pouring.catch(() => undefined);
  const [aloneAtMs, aloneBefore, threadsAlone] = [performance.now(), processorMs(pid), threadsMs(pid)];
  /** Threads that ended in between, with their processor time when last seen. */
  const seen = new Map<string, number>();
  const look = (due: number): number | undefined => {
    for (const [name, used] of threadsMs(pid)) seen.set(name, Math.max(used, seen.get(name) ?? 0));
    return watch.tookMs(due);
  };
  // Due in a later hour: never found.
  const never = (): number | undefined => look(dueMs + HOUR_MS);
  await waitLooking(never, startedMs);
  const [usedBefore, threadsBefore] = [processorMs(pid), threadsMs(pid)];
  const orderMs = (usedBefore - aloneBefore) / Math.max(1, orders.length);
  const tookMs = (await waitLooking(() => look(dueMs), Number.POSITIVE_INFINITY)) ?? 0;
  const [endedMs, threadsAfter] = [performance.now(), new Map(seen)];
  const usedMs = processorMs(pid) - usedBefore;
  await waitLooking(never, endedMs + ALONE_MS);
  isOver = true;
  await pouring;
  const aloneThreads = perSecond(threadsAlone, threadsBefore, startedMs - aloneAtMs);
  const besideThreads = perSecond(threadsBefore, threadsAfter, endedMs - startedMs);
  return { orders, startedMs, endedMs, tookMs, usedMs, orderMs, aloneThreads, besideThreads };
}

function report({ turnoverRows, payments, rebateUnits }: Planted, watch: Watch, measured: Measured): boolean {
  const { orders, startedMs, endedMs, tookMs, usedMs, orderMs } = measured;
  const paid = watch.readPaid();
  const isExact =
    paid.planned === 0 &&
    paid.paid === payments &&
    [...rebateUnits].every(([asset, sum]) => paid.rebateUnits.get(asset) === sum);
  console.log(`${FILLS} fills of ${HOURS} hours, ${turnoverRows} rows of turnover (bar: below ${SETTLED_MS} ms)`);
  console.log(`  settled in ${tookMs} ms by the clock: ${paid.paid} payments of ${payments}, ${paid.planned} left`);
  console.log(`  every coin's rebates as reckoned plainly: ${isExact ? "yes" : "NO"}`);
  const isBeside = ({ atMs }: Order): boolean => atMs >= startedMs && atMs < endedMs;
  const ownMs = usedMs - orderMs * orders.filter(isBeside).length;
  console.log(`  processor time ${Math.round(usedMs)} ms, about ${Math.round(ownMs)} ms without the orders beside it`);
  console.log(`\nAn order over HTTP, ${Math.round((LANES * 1_000) / ORDER_EVERY_MS)} a second`);
  const took = (some: readonly Order[]): number[] => some.map((order) => order.tookMs);
  const alone = print("alone, before and after", took(orders.filter((order) => !isBeside(order))));
  const beside = print("while rebates are settled", took(orders.filter(isBeside)));
  printSlowest(orders, startedMs);
  printThreads(measured);
  console.log(`  ratio p50 ${(beside.p50 / alone.p50).toFixed(2)}, p99 ${(beside.p99 / alone.p99).toFixed(2)}`);
  return isExact && tookMs < SETTLED_MS;
}

/** When the slowest orders were sent: one moment and many have different causes. */
function printSlowest(orders: readonly Order[], startedMs: number): void {
  const slowest = [...orders].sort((left, right) => right.tookMs - left.tookMs).slice(0, SLOWEST);
  const answer = slowest.map(
    ({ atMs, tookMs }) => `${Math.round(tookMs)} ms at ${((atMs - startedMs) / 1_000).toFixed(1)} s`,
  );
  console.log(`  the slowest, by seconds after the hour: ${answer.join(", ")}`);
}

function printThreads({ aloneThreads, besideThreads }: Measured): void {
  console.log("  processor time of a second by threads, alone and beside:");
  for (const [name, beside] of [...besideThreads].sort(([, left], [, right]) => right - left)) {
    const alone = aloneThreads.get(name) ?? 0;
    if (beside >= 5 || alone >= 5)
      console.log(`    ${name.padEnd(16)} ${alone.toFixed(0)} ms  ${beside.toFixed(0)} ms`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "clockwork-rebates-"));
let site: ServedSite | undefined;
try {
  site = await startSite("rebates", SETTINGS, folder);
  const world: World = { caller: new Caller(site.origin), people: 0 };
  await fillFeeBook(world);
  const lastHour = Math.floor((await clockOf(site.origin)) / HOUR_MS);
  world.caller.close();
  await site.stop();
  site = undefined;
  const planted = plantDay(folder, lastHour);
  site = await startSite("rebates", SETTINGS, folder);
  world.caller = new Caller(site.origin);
  const watch = new Watch(folder);
  if (watch.readPaid().paid > 0) throw new Error("the hour struck in between; run it again");
  const measured = await measure(world, site, watch);
  process.exitCode = report(planted, watch, measured) ? 0 : 1;
  watch.close();
  world.caller.close();
} finally {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
}
