// A market crash on futures, over the network: users trade perpetuals of both kinds of a fast simulated market while
// prices fall by 60 % and recover. The process is killed at critical moments: as soon as a liquidation is published,
// and as the clock passes a funding. Afterwards the journal replays to the same state from the start and from every
// snapshot, every invariant holds (positions sum to zero among them), and bills sum to balances for every account:
// those of the journal for all accounts, including the exchange, the fund and the makers, and those of the tables for
// users. npm run soak -- futures [simulated minutes] [seed]

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBalances } from "@clockwork/core/inspect/balances";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import type { Machine } from "@clockwork/core/protocol/contract";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { wallMs } from "@clockwork/host/time/measure";
import { createRandom } from "@clockwork/kit/random";
import { verifyFolder } from "@clockwork/server/engine/inspection";
import { localFiles } from "@clockwork/server/engine/journal/files";
import { type RecoveryStep, recover } from "@clockwork/server/engine/recovery/recovery";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { openDatabase } from "@clockwork/server/storage/database";
import type { BalanceRow, BillRow } from "../projectors/rows/rows.ts";

const SPEED = 40;
/** The moment of the kill. */
const AIMS = ["liquidation", "funding", "liquidation", "funding"] as const;
const AIM_MS_MAX = 20_000;
const PEOPLE = 6;
const TOKEN = "soak";
const LOWEST = 0.4;
const minutes = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? wallMs() % 1_000_000);
const random = createRandom(seed);
const folder = mkdtempSync(join(tmpdir(), "cw-futures-"));
const place = { url: "" };
const counts = { orders: 0, refused: 0, lost: 0, kills: 0 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function serve(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["areas/trading/src/market/market-child.ts", folder, String(SPEED), TOKEN], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((done) =>
    child.stdout?.once("data", (bytes: Buffer) => done(bytes.toString())),
  );
  place.url = (JSON.parse(line) as { url: string }).url;
  return child;
}

interface Person {
  readonly visitor: Visitor;
  readonly biz: "futures" | "delivery";
  readonly isHedge: boolean;
}

/** Every other one uses hedge mode, every third trades coin-margined contracts. */
async function comeIn(index: number): Promise<Person> {
  const visitor = new Visitor(place);
  await visitor.signUp(`soak-${index}@example.com`);
  await visitor.dev("/identity", { level: 1 });
  const biz = index % 3 === 2 ? "delivery" : "futures";
  const [asset, amount, to] = biz === "delivery" ? ["BTC", "0.2", "4"] : ["USDT", "10000", "3"];
  await visitor.faucet(asset, amount);
  const body = { asset, amount, from: "1", to, clientId: `soak${index}` };
  await visitor.post("/asset/v1/api/wallet/transfer", body);
  const isHedge = index % 2 === 1;
  if (isHedge) await visitor.futures("/v1/futuresc/positions/mode", { biz, mode: "hedge" });
  const pairCode = biz === "delivery" ? "BTC_USD" : "BTC_USDT";
  await visitor.futures("/v1/futuresc/positions/leverage", { biz, pairCode, leverage: random.pick([5, 20, 100]) });
  return { visitor, biz, isHedge };
}

async function act({ visitor, biz, isHedge }: Person): Promise<void> {
  const side = random.pick(["buy", "sell"]);
  const isInverse = biz === "delivery";
  const quantity = isInverse ? random.pick(["100", "1000", "5000"]) : random.pick(["0.01", "0.05", "0.2"]);
  const pairCode = isInverse ? "BTC_USD" : "BTC_USDT";
  const positionSide = isHedge ? { positionSide: random.pick(["long", "short"]) } : {};
  const body = { biz, pairCode, side, type: "market", quantity, ...positionSide };
  const call = random.chance(1, 6)
    ? visitor.futures("/v1/futuresc/positions/close-all", { biz })
    : visitor.futures("/v1/futuresc/orders", body);
  // A call the process did not answer may have been applied or not: both are right.
  const answer = await call.catch(() => undefined);
  if (answer === undefined) counts.lost += 1;
  else if (answer.status === 200) counts.orders += 1;
  else counts.refused += 1;
}

/** The newest published liquidation. */
async function newestLiquidation(): Promise<string> {
  const read = await fetch(`${place.url}/futuresapi/v1/futuresc/liquidations?pairCode=BTC_USDT&limit=1`)
    .then((response) => response.json() as Promise<{ data?: { id: string }[] }>)
    .catch(() => undefined);
  return read?.data?.[0]?.id ?? "";
}

/** Waits for the moment to kill the process: a liquidation just published, or the clock just past a funding. */
async function aim(what: (typeof AIMS)[number], start: number, person: Person): Promise<void> {
  if (what === "liquidation") {
    const before = await newestLiquidation();
    const untilMs = wallMs() + AIM_MS_MAX;
    for (let depth = 0; wallMs() < untilMs && (await newestLiquidation()) === before; depth = (depth + 0.02) % 0.5) {
      await pushPrice(start, depth);
    }
    return;
  }
  const [quotation] = (await person.visitor.futures("/v1/futuresc/quotations?pairCode=BTC_USDT")).data ?? [];
  const clock = (await (await fetch(`${place.url}/dev/clock`)).json()) as { data: { nowMs: number } };
  const advanceMs = Math.max(1, Number(quotation?.nextFundingMs ?? 0) - clock.data.nowMs + 1);
  await fetch(`${place.url}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advanceMs }),
  });
  await new Promise((resolve) => setTimeout(resolve, random.below(40)));
}

/** Down to two fifths of the price and up again, over the whole time. */
async function pushPrice(start: number, done: number): Promise<void> {
  const depth = 1 - Math.abs(2 * done - 1);
  const price = (start * (1 - (1 - LOWEST) * Math.min(1, depth * 1.5))).toFixed(1);
  await fetch(`${place.url}/api/v1/market/prices`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ prices: { BTC: price } }),
  }).catch(() => undefined);
}

async function trade(): Promise<void> {
  let child = await serve();
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => comeIn(index)));
  let start = 0;
  while (start === 0) {
    const [quotation] =
      (await (people[0] as Person).visitor.futures("/v1/futuresc/quotations?pairCode=BTC_USDT")).data ?? [];
    start = Number(quotation?.last ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const lengthMs = (minutes * 60_000) / SPEED;
  // Aiming and restarting does not count as trading time.
  let fromMs = wallMs();
  for (let done = 0; done < 1 || counts.kills < AIMS.length; done = (wallMs() - fromMs) / lengthMs) {
    await pushPrice(start, done % 1);
    const acting = Promise.all(people.map(act));
    const aimed = AIMS[counts.kills];
    const isDue = aimed !== undefined && done >= ((counts.kills + 1) * 0.8) / AIMS.length;
    if (!isDue) {
      await acting;
      continue;
    }
    const aimedMs = wallMs();
    // While calls are on their way: unanswered ones may have been applied or not.
    await aim(aimed, start, people[0] as Person);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await Promise.all([ended, acting]);
    counts.kills += 1;
    child = await serve();
    // The clock moved by hours: sessions are renewed as pages do it.
    for (const { visitor } of people) await visitor.post("/v2/users/session/refresh");
    fromMs += wallMs() - aimedMs;
  }
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

interface PostingSums {
  readonly sums: Map<string, bigint>;
  readonly take: (step: RecoveryStep) => void;
}

/** The sums of all postings of a replay, by account and asset. */
function sumPostings(): PostingSums {
  const sums = new Map<string, bigint>();
  const { account, asset, deltaUnits } = EVENTS.posting.layout;
  const take = ({ machine, hasEvents }: RecoveryStep): void => {
    if (!hasEvents) return;
    const { bytes, length } = machine.events;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < length; at += EVENT_BYTES) {
      if (bytes[at] !== EVENTS.posting.kind) continue;
      const key = `${account.read(view, at)}:${asset.read(view, at)}`;
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(deltaUnits.read(view, at)));
    }
  };
  return { sums, take };
}

/** Every account, whoever owns it. */
function checkPostings(machine: Machine, sums: ReadonlyMap<string, bigint>): string[] {
  const { accounts, assets, availableUnits, frozenUnits } = readBalances(machine);
  const wrong: string[] = [];
  for (const [place, account] of accounts.entries()) {
    const held = BigInt(availableUnits[place] ?? 0) + BigInt(frozenUnits[place] ?? 0);
    const sum = sums.get(`${account}:${assets[place]}`) ?? 0n;
    if (sum !== held) wrong.push(`account ${account}, asset ${assets[place]}: postings ${sum}, balance ${held}`);
  }
  say(`postings  ${new Set(accounts).size} accounts compared, ${accounts.length} balances, every one there is`);
  return wrong;
}

async function checkBills(): Promise<string[]> {
  const database = await openDatabase({ url: undefined, folder });
  const tables = database.kysely.$extendTables<{ engine_bills: BillRow; engine_balances: BalanceRow }>();
  const sums = new Map<string, bigint>();
  for (const row of await tables.selectFrom("engine_bills").select(["account", "asset", "delta_units"]).execute()) {
    const key = `${row.account}:${row.asset}`;
    sums.set(key, (sums.get(key) ?? 0n) + row.delta_units);
  }
  const wrong: string[] = [];
  const people = await tables
    .selectFrom("engine_accounts" as never)
    .select("account" as never)
    .where("user_id" as never, ">", 2_000_000 as never)
    .execute();
  const own = new Set((people as { account: number }[]).map(({ account }) => account));
  for (const row of await tables.selectFrom("engine_balances").selectAll().execute()) {
    if (!own.has(row.account)) continue;
    const sum = sums.get(`${row.account}:${row.asset}`) ?? 0n;
    const held = row.available_units + row.frozen_units;
    if (sum !== held) wrong.push(`account ${row.account}: bills ${sum}, balance ${held}`);
  }
  const { count: liquidations } = await tables
    .selectFrom("engine_liquidations" as never)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const { count: fundings } = await tables
    .selectFrom("engine_bills")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("business", "=", "funding")
    .executeTakeFirstOrThrow();
  say(`happened  ${liquidations} liquidations, ${fundings} payments of funding`);
  if (Number(liquidations) === 0 || Number(fundings) === 0) wrong.push("the bad day had no liquidation or no funding");
  await database.close();
  say(`bills     ${own.size} accounts compared`);
  return wrong;
}

await trade();
say(`seed ${seed}: ${counts.orders} taken, ${counts.refused} refused, ${counts.lost} lost in ${counts.kills} kills`);
const factory = { createMachine, restoreMachine };
const isSame = verifyFolder({ folder, factory, print: say });
const journal = {
  files: localFiles,
  journalFolder: join(folder, "journal"),
  snapshotFolder: join(folder, "snapshots"),
};
const { sums, take } = sumPostings();
const { machine } = recover({ ...journal, factory, withoutSnapshots: true, eventsAfter: 0, ahead: false }, take);
const wrong = [
  ...checkInvariants(machine).map(({ rule, detail }) => `${rule}: ${detail}`),
  ...checkPostings(machine, sums),
  ...(await checkBills()),
];
rmSync(folder, { recursive: true, force: true });
for (const line of wrong) say(line);
process.exitCode = isSame && wrong.length === 0 ? 0 : 1;
