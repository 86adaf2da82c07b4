// A year of savings in simulated time: users subscribe, redeem and compound flexible money, hold fixed terms that renew
// or end, and leave some early, while the exchange stops for hours and for days, sometimes in the middle of paying.
// Afterwards all interest equals an independent reference, hour by hour and term by term, to the unit, and the treasury
// has paid exactly that. npm run soak -- earn [days] [holders] [seed]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wallMs } from "@clockwork/host/time/measure";
import { formatUnits, units } from "@clockwork/kit/money";
import { createRandom } from "@clockwork/kit/random";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { sql } from "kysely";
import { offer } from "../earn-fixture.ts";
import type { EarnService } from "../service.ts";
import { openEarnWorld } from "./earn-world.ts";

const [days, holders, seed] = [
  Number(process.argv[2] ?? 365),
  Number(process.argv[3] ?? 10_000),
  Number(process.argv[4] ?? wallMs() % 1_000_000),
];
const random = createRandom(seed);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const START_MS = 20_000 * DAY_MS;
const FIRST_USER = 5_000_000;
/** One settlement in this many finds the exchange stopped. */
const CUT_EVERY = holders > 1_000 ? 20_000 : 2_000;
const AT_ONCE = 100;

interface Action {
  readonly timeMs: number;
  readonly deltaUnits: bigint;
}
interface Saver {
  readonly userId: number;
  readonly isCompound: boolean;
  readonly actions: Action[];
  /** Days of the terms of fixed holders; undefined for flexible money. */
  readonly days: number | undefined;
  readonly terms: Term[];
}
interface Term {
  readonly holdingId: string;
  readonly startsMs: number;
  readonly amountUnits: bigint;
  readonly isRenewed: boolean;
  /** Left before its end. */
  leftMs: number | undefined;
}
const TERM_DAYS = [7, 14, 30, 60, 90];
/** The distribution of terms. */
const CHOSEN_DAYS = [7, 14, 30, 30, 30, 60, 60, 90, 90];
/** In 1e-8 a year. */
const TERM_RATE = 5_000_000;
/** One in this many holds flexible money, which is credited every day; the others fixed terms. */
const FLEXIBLE_EVERY = 10;

/** A second reference model: every whole term pays once, and renewing ones continue where they ended. */
function computeTerms({ terms, days = 0 }: Saver, endMs: number): bigint {
  let paid = 0n;
  for (const { startsMs, amountUnits, isRenewed, leftMs = Number.POSITIVE_INFINITY } of terms) {
    for (let at = startsMs + days * DAY_MS; at <= endMs && at <= leftMs; at += days * DAY_MS) {
      paid += (amountUnits * BigInt(TERM_RATE) * BigInt(days)) / (365n * 100_000_000n);
      if (!isRenewed) break;
    }
  }
  return paid;
}

/** The naive reference model: hour by hour, with rates as plain fractions. */
function compute({ actions, isCompound }: Saver, endMs: number): { paid: bigint; principal: bigint } {
  const rates = [[500_000_000n, 8_000_000n] as const, [1n << 62n, 2_000_000n] as const];
  const yearly = (amount: bigint): bigint => {
    let [sum, below] = [0n, 0n];
    for (const [top, rate] of rates) {
      const within = (amount < top ? amount : top) - below;
      if (within > 0n) sum += within * rate;
      below = top;
    }
    return sum;
  };
  let [principal, least, parts, paid, next] = [0n, 0n, 0n, 0n, 0];
  const firstHour = Math.floor((actions[0]?.timeMs ?? endMs) / HOUR_MS);
  for (let hour = firstHour; hour * HOUR_MS <= endMs; hour++) {
    // At the full hour the one before is paid on its minimum.
    if (hour > firstHour) parts += yearly(least) / 8_760n;
    least = principal;
    const creditMs = hour * HOUR_MS + 10 * MINUTE_MS;
    const isCredit = hour % 24 === 0 && hour > firstHour && creditMs <= endMs;
    const act = (untilMs: number): void => {
      for (let action = actions[next]; action !== undefined && action.timeMs < untilMs; action = actions[next]) {
        principal += action.deltaUnits;
        if (principal < least) least = principal;
        next += 1;
      }
    };
    act(isCredit ? creditMs : (hour + 1) * HOUR_MS);
    if (!isCredit) continue;
    const whole = parts / 100_000_000n;
    parts %= 100_000_000n;
    paid += whole;
    if (isCompound && principal > 0n) principal += whole;
    act((hour + 1) * HOUR_MS);
  }
  return { paid, principal };
}

const folder = mkdtempSync(join(tmpdir(), "cw-earn-soak-"));
const { world, database, store, needs, begin, fund, spentUnits, close } = await openEarnWorld(folder, START_MS, seed);
const BOUNDLESS = {
  user_max_units: 1n << 50n,
  quota_units: 1n << 60n,
  day_in_units: 1n << 60n,
  day_out_units: 1n << 60n,
};
await offer(database.kysely, { product_id: "flex", ...BOUNDLESS });
for (const length of TERM_DAYS)
  await offer(database.kysely, {
    product_id: `fix${length}`,
    kind: "fixed",
    days: length,
    rate: TERM_RATE,
    ...BOUNDLESS,
  });

let ids = 0;
/** It is interrupted while it pays, not while users wait for it. */
let mayCut = false;
let paidUnits = 0n;
let cuts = 0;
world.before = ({ kind }) => {
  if ((kind !== "settle" && kind !== "hold") || !mayCut || world.isAway || !random.chance(1, CUT_EVERY)) return;
  world.isAway = true;
  cuts += 1;
};
let { due, service } = begin();

print(`seed ${seed}: ${holders} people, ${days} days`);
const startedMs = wallMs();
const savers: Saver[] = Array.from({ length: holders }, (_, index) => ({
  userId: FIRST_USER + index,
  isCompound: random.chance(1, 3),
  actions: [],
  days: index % FLEXIBLE_EVERY === 0 ? undefined : random.pick(CHOSEN_DAYS),
  terms: [],
}));
const flexibleOf = (userId: number): string => needs.hash(`flexible:${userId}:flex`).slice(0, 16);

/** The holding; undefined when it was refused. */
const placeOf = (answer: Awaited<ReturnType<EarnService["redeem"]>>): string | undefined =>
  answer.done ? answer.value.holdingId : undefined;

async function act(saver: Saver): Promise<void> {
  ids += 1;
  const clientId = `soak${ids}`;
  await (saver.days === undefined ? actFlexible(saver, clientId) : actFixed(saver, saver.days, clientId));
}

async function actFlexible(saver: Saver, clientId: string): Promise<void> {
  const { userId } = saver;
  const holdingId = flexibleOf(userId);
  const isIn = saver.actions.length === 0 || random.chance(2, 3);
  const amountUnits = BigInt(random.between(1_000_000, 3_000_000_000));
  const amount = formatUnits(units(amountUnits), 6);
  const answer = isIn
    ? await service.subscribe(userId, { productId: "flex", amount, clientId }, world.nowMs)
    : await service.redeem(userId, { holdingId, amount, clientId }, world.nowMs);
  if (placeOf(answer) === undefined) return;
  saver.actions.push({ timeMs: world.nowMs, deltaUnits: isIn ? amountUnits : -amountUnits });
  if (saver.actions.length === 1 && saver.isCompound) await service.change(userId, { holdingId, compound: true });
}

/** Starts a term, or leaves one that is under way. */
async function actFixed(saver: Saver, termDays: number, clientId: string): Promise<void> {
  const { userId, terms } = saver;
  const open = terms.find((term) => {
    const isOver = !term.isRenewed && term.startsMs + termDays * DAY_MS <= world.nowMs;
    return term.leftMs === undefined && !isOver;
  });
  if (open !== undefined && random.chance(1, 3)) {
    const { holdingId } = open;
    if (placeOf(await service.redeem(userId, { holdingId, clientId }, world.nowMs)) === undefined) return;
    open.leftMs = world.nowMs;
    return;
  }
  const amountUnits = BigInt(random.between(1_000_000, 3_000_000_000));
  const isRenewed = random.chance(3, 4);
  const body = {
    productId: `fix${termDays}`,
    amount: formatUnits(units(amountUnits), 6),
    clientId,
    autoRenew: isRenewed,
  };
  const holdingId = placeOf(await service.subscribe(userId, body, world.nowMs));
  if (holdingId === undefined) return;
  const startsMs = (Math.floor(world.nowMs / DAY_MS) + 1) * DAY_MS;
  terms.push({ holdingId, startsMs, amountUnits, isRenewed, leftMs: undefined });
}

/** Everything that is due, with as many processes as it takes. */
async function settle(): Promise<void> {
  mayCut = true;
  for (let tries = 0; tries < 1_000; tries++) {
    try {
      await due.run(world.nowMs);
      mayCut = false;
      return;
    } catch {
      world.isAway = false;
      ({ due, service } = begin());
    }
  }
  throw new Error("what is due was not paid after a thousand starts");
}

let stops = 0;
// Interrupted, it ends with the day and compares the state.
let isEnough = false;
process.once("SIGINT", () => {
  isEnough = true;
});
for (let at = 0; at < holders; at += AT_ONCE) {
  const some = savers.slice(at, at + AT_ONCE);
  world.nowMs = START_MS + Math.floor((at * DAY_MS) / holders);
  await Promise.all(some.map(({ userId }) => fund(userId, 100_000_000_000)));
  await Promise.all(some.map(act));
}
print(`everybody is in after ${Math.round((wallMs() - startedMs) / 1_000)} s`);
let answer = START_MS;
for (const endMs = START_MS + days * DAY_MS; world.nowMs < endMs && !isEnough; ) {
  // Mostly the minute after it is due; sometimes after hours or days in which nothing ran.
  const isStop = random.chance(1, 6);
  if (isStop) stops += 1;
  world.nowMs = isStop
    ? world.nowMs + random.between(1, 96) * HOUR_MS
    : (Math.floor(world.nowMs / DAY_MS) + 1) * DAY_MS + random.between(10, 600) * MINUTE_MS;
  world.nowMs = Math.min(world.nowMs, endMs);
  await settle();
  const some = new Set(Array.from({ length: Math.ceil(holders / 200) }, () => random.pick(savers)));
  await Promise.all([...some].map(act));
  if (world.nowMs - answer < 30 * DAY_MS) continue;
  answer = world.nowMs;
  const { user, system } = process.cpuUsage();
  const day = Math.floor((world.nowMs - START_MS) / DAY_MS);
  const spentS = Math.round((wallMs() - startedMs) / 1_000);
  print(`day ${day}: ${spentS} s by the clock, ${Math.round((user + system) / 1e6)} s of processors`);
}
world.nowMs = (Math.floor(world.nowMs / DAY_MS) + (isEnough ? 1 : 0)) * DAY_MS + 11 * MINUTE_MS;
await settle();

let wrong = 0;
for (const saver of savers) {
  const isFlexible = saver.days === undefined;
  const names = isFlexible ? [flexibleOf(saver.userId)] : saver.terms.map(({ holdingId }) => holdingId);
  const rows = await store.listHoldings(names);
  const found = rows.reduce((sum, { paid_units }) => sum + paid_units, 0n);
  paidUnits += found;
  const expected = isFlexible
    ? compute(saver, world.nowMs)
    : { paid: computeTerms(saver, world.nowMs), principal: undefined };
  const isHeld = expected.principal === undefined || rows[0]?.principal_units === expected.principal;
  if (found === expected.paid && isHeld) continue;
  wrong += 1;
  if (wrong < 4)
    print(`WRONG ${saver.userId} (${saver.days ?? "flexible"}): paid ${found} instead of ${expected.paid}`);
}
const spent = await spentUnits();
const acted = savers.reduce((sum, { actions, terms }) => sum + actions.length + terms.length, 0);
const payments = await database.kysely
  .$extendTables<{ earn_move: { kind: string; state: string } }>()
  .selectFrom("earn_move")
  .select(sql<number>`cast(count(*) as bigint)`.as("count"))
  .where("kind", "in", ["credit", "mature", "renew"])
  .where("state", "=", "done")
  .executeTakeFirst();
print(
  `${Math.floor((world.nowMs - START_MS) / DAY_MS)} days, ${stops} stops and ${cuts} in the middle of paying, ${acted} subscriptions and redemptions, ${payments?.count} payments of interest, ` +
    `${formatUnits(units(paidUnits), 6)} USDT; the treasury paid ${formatUnits(units(spent), 6)}; ${Math.round((wallMs() - startedMs) / 1_000)} s`,
);
await close();
rmSync(folder, { recursive: true, force: true });
if (wrong > 0 || spent !== paidUnits) {
  print(`FAILED: ${wrong} of ${holders} people, seed ${seed}`);
  process.exitCode = 1;
} else print("every holder's interest is the reference's, to the unit");
