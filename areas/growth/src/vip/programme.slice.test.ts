// Seven weeks of trading against a reference model that computes from the fills: every rebate to the unit, every level
// of every day, every fee by the level in force. The process is killed repeatedly; nothing is paid twice and nothing is
// lost.
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { FEES_ACCOUNT, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { createRandom, type Random } from "@clockwork/kit/random";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { forDatabase } from "@clockwork/server/storage/test-databases";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { InvitedUser } from "../invite/needs.ts";
import type { HourFee } from "../invite/rules.ts";
import { LOT_UNITS, openTown, PRICE, START_MS, type Town } from "./programme-fixture.ts";
import { TIERS } from "./rules.ts";
import { vipStore } from "./store.ts";

const DAYS = 50;
const WINDOW = 30;
const PEOPLE = 12;
/** Six and five sit at one device, and five invited six. */
const SELF = 6;
/** Starts with large funds; withdraws everything on the third day and trades no more. */
const LEAVER = PEOPLE;
const LEAVES_MS = START_MS + 2 * DAY_MS;

interface Fill {
  readonly sequence: number;
  readonly user: number;
  readonly role: "maker" | "taker";
  readonly hour: number;
  readonly lots: bigint;
  readonly notional: bigint;
  readonly asset: number;
  readonly fee: bigint;
}

async function listFills(kysely: Kysely<unknown>, after: number): Promise<readonly Fill[]> {
  const { rows } = await sql<Record<string, string | number | bigint>>`
    select fill.sequence as sequence, owner.user_id as user_id, fill.role as role, fill.time_ms as at, fill.fee_asset as asset,
      cast(fill.lots as text) as lots, cast(fill.notional_units as text) as notional, cast(fill.fee_units as text) as fee
    from engine_fills fill join engine_accounts owner on owner.account = fill.account
    where fill.sequence > ${after} order by fill.sequence
  `.execute(kysely);
  return rows.map((row) => ({
    sequence: Number(row.sequence),
    user: Number(row.user_id),
    role: row.role === "maker" ? "maker" : "taker",
    hour: Math.floor(Number(row.at) / HOUR_MS),
    lots: BigInt(row.lots ?? 0),
    notional: BigInt(row.notional ?? 0),
    asset: Number(row.asset),
    fee: BigInt(row.fee ?? 0),
  }));
}

/** Rebates straight from the rules: who invited whom with which split. */
function naiveRebates(
  fills: readonly Fill[],
  invited: readonly InvitedUser[],
  feesBack: (hour: number) => readonly HourFee[],
): ReadonlyMap<string, bigint> {
  const friendOf = new Map(invited.filter(({ userId }) => userId !== SELF).map((one) => [one.userId, one]));
  const fees = new Map<string, bigint>();
  for (const { hour, user, asset, fee } of fills) {
    const key = `${hour}:${user}:${asset}`;
    fees.set(key, (fees.get(key) ?? 0n) + fee);
  }
  const paid = new Map<string, bigint>();
  for (const [key, fee] of fees) {
    const [hour = 0, user = 0, asset = 0] = key.split(":").map(Number);
    const own = friendOf.get(user);
    if (own === undefined) continue;
    const back = feesBack(hour).find((one) => one.userId === user && one.asset === asset)?.feeUnits ?? 0n;
    const net = fee > back ? fee - back : 0n;
    const give = (to: number, percent: number): void => {
      const share = (net * BigInt(percent)) / 100n;
      if (share > 0n) paid.set(`${to}:${asset}`, (paid.get(`${to}:${asset}`) ?? 0n) + share);
    };
    give(user, own.friendPercent);
    give(own.inviterId, 20 - own.friendPercent);
    const second = friendOf.get(own.inviterId)?.inviterId;
    if (second !== undefined) give(second, 5);
  }
  return paid;
}

/** Levels straight from the rules: up at once, down after fourteen days to the best of them. */
class LevelReference {
  level = 0;
  #below: number[] = [];

  count(measured: number): number {
    if (measured >= this.level) {
      this.level = measured;
      this.#below = [];
      return this.level;
    }
    this.#below.push(measured);
    if (this.#below.length > 14) {
      this.level = Math.max(...this.#below);
      this.#below = measured < this.level ? [measured] : [];
    }
    return this.level;
  }
}

const best = (measure: "spotUnits" | "assetsUnits", amount: bigint): number =>
  TIERS.filter((tier) => amount >= tier[measure]).at(-1)?.level ?? 0;

/** A user buys a part of what another can sell. */
function tradeOnce(town: Town, random: Random): void {
  const users = [...town.accounts.keys()].filter((user) => user !== LEAVER || town.stage.time < LEAVES_MS);
  const [maker, taker] = [random.pick(users), random.pick(users)];
  if (maker === taker) return;
  const [from, to] = [town.accounts.get(maker) ?? 0, town.accounts.get(taker) ?? 0];
  const sellable = Math.floor(town.balanceOf(from, town.stage.base) / LOT_UNITS);
  const payable = Math.floor(town.balanceOf(to, town.stage.quote) / PRICE);
  const lots = Math.floor((Math.min(sellable, payable) * random.between(5, 60)) / 100);
  if (lots > 0) town.trade(from, to, lots);
}

/** A user withdraws nearly everything, or deposits much. */
function moveOnce(town: Town, random: Random): void {
  const user = random.between(1, LEAVER - 1);
  const [person, other] = [town.accounts.get(user) ?? 0, town.accounts.get(SIMULATED_USER_MIN) ?? 0];
  const { quote } = town.stage;
  const [account, to] = random.chance(1, 2) ? [person, other] : [other, person];
  const amount = Math.floor((town.balanceOf(account, quote) * random.between(1, 95)) / 100);
  const reference = `move:${town.stage.time}:${user}`;
  if (amount > 0) town.stage.send({ kind: "transfer", account, to, asset: quote, units: amount, reference });
}

function leave(town: Town): void {
  const [account, to] = [town.accounts.get(LEAVER) ?? 0, town.accounts.get(SIMULATED_USER_MIN) ?? 0];
  for (const asset of [town.stage.base, town.stage.quote]) {
    const money = { asset, units: town.balanceOf(account, asset), reference: `leave:${asset}` };
    town.stage.send({ kind: "transfer", account, to, ...money });
  }
}

async function tradeDay(town: Town, random: Random, day: number): Promise<void> {
  if (START_MS + day * DAY_MS === LEAVES_MS) leave(town);
  const hours = [1, 2].map(() => random.between(1, 22)).sort((left, right) => left - right);
  for (const hour of new Set(hours)) {
    town.stage.time = START_MS + day * DAY_MS + hour * HOUR_MS;
    for (let turn = 0; turn < 6; turn += 1) tradeOnce(town, random);
    if (random.chance(1, 3)) moveOnce(town, random);
    town.stage.time += HOUR_MS;
    // Some hours are missed, as while nothing runs, and made up for later.
    if (random.chance(1, 2)) await town.finish(({ rebates }) => rebates.run(town.stage.time));
  }
}

interface Counted {
  /** Of each day, from ten past midnight on. */
  readonly levels: Map<string, number>;
  readonly midnights: Map<string, bigint>;
  readonly fills: Fill[];
}

async function beginDay(town: Town, day: number, { midnights }: Counted): Promise<void> {
  const { stage } = town;
  stage.time = START_MS + day * DAY_MS;
  const today = Math.floor(stage.time / DAY_MS);
  for (const [user, account] of town.accounts) {
    const worth = [stage.base, stage.quote].map((asset) => town.worth(asset, BigInt(town.balanceOf(account, asset))));
    midnights.set(`${user}:${today}`, (worth[0] ?? 0n) + (worth[1] ?? 0n));
  }
  await town.finish(({ count }) => count.takeAssets(today));
  await town.finish(({ rebates }) => rebates.run(stage.time));
  stage.time += 10 * MINUTE_MS;
  const countMs = stage.time;
  await town.finish(({ count }) => count.count(countMs));
  await town.finish(({ levels }) => levels.settle());
}

async function compareLevels(
  kysely: Kysely<unknown>,
  town: Town,
  twins: Map<number, LevelReference>,
  counted: Counted,
) {
  const today = Math.floor(town.stage.time / DAY_MS);
  const { fills } = counted;
  fills.push(...(await listFills(kysely, fills.at(-1)?.sequence ?? 0)));
  const rows = new Map((await vipStore(kysely).list()).map((row) => [row.user_id, row]));
  for (let user = 1; user <= PEOPLE; user += 1) {
    const volume = fills
      .filter((fill) => fill.user === user && inWindow(Math.floor(fill.hour / 24), today - WINDOW, today - 1))
      .reduce((sum, { notional }) => sum + notional, 0n);
    let assets = 0n;
    for (let day = today - WINDOW + 1; day <= today; day += 1) assets += counted.midnights.get(`${user}:${day}`) ?? 0n;
    const model = twins.get(user) ?? new LevelReference();
    twins.set(user, model);
    const level = model.count(Math.max(best("spotUnits", volume), best("assetsUnits", assets / BigInt(WINDOW))));
    counted.levels.set(`${user}:${today}`, level);
    const row = rows.get(user);
    expect([user, today, row?.earned_level ?? 0, row?.fees_level ?? 0]).toEqual([user, today, level, level]);
  }
}

const inWindow = (day: number, from: number, to: number): boolean => day >= from && day <= to;

/** The fee of every fill is the rate of the level in force of the amount received, rounded to the unit. */
function compareFees(fills: readonly Fill[], levels: ReadonlyMap<string, number>): void {
  for (const { user, role, hour, lots, notional, fee } of fills) {
    const rate = TIERS[levels.get(`${user}:${Math.floor(hour / 24)}`) ?? 0]?.spot[role] ?? 0;
    const received = role === "maker" ? notional : lots * BigInt(LOT_UNITS);
    const off = fee * 100_000_000n - received * BigInt(rate);
    expect(off > -100_000_000n && off < 100_000_000n).toBe(true);
  }
}

async function comparePaid(kysely: Kysely<unknown>, town: Town, expected: ReadonlyMap<string, bigint>): Promise<void> {
  const { rows } = await sql<{ user_id: number; asset: number; units: string }>`
    select owner.user_id as user_id, bill.asset as asset, cast(sum(bill.delta_units) as text) as units
    from engine_bills bill join engine_accounts owner on owner.account = bill.account
    where bill.business = 'rebate' and owner.user_id > 0 group by 1, 2
  `.execute(kysely);
  const paid = new Map(rows.map((row) => [`${row.user_id}:${row.asset}`, BigInt(row.units)]));
  expect(paid).toEqual(expected);
  const fees = await sql<{ asset: number; units: string }>`
    select fee_asset as asset, cast(sum(fee_units) as text) as units from engine_fills
    where fee_asset is not null group by fee_asset
  `.execute(kysely);
  expect(fees.rows).toHaveLength(2);
  const all = [...expected].map(([key, amount]) => ({ asset: Number(key.split(":")[1]), amount }));
  for (const { asset, units } of fees.rows) {
    const shared = all.filter((one) => one.asset === asset).reduce((sum, { amount }) => sum + amount, 0n);
    // Simulated traders pay fees too and have no fills: the balance is at least what users paid.
    expect(BigInt(town.balanceOf(FEES_ACCOUNT, asset))).toBeGreaterThanOrEqual(BigInt(units) - shared);
  }
}

forDatabase("sqlite", "levels and rebates over seven weeks", (given) => {
  test("[USR-1] [USR-4] agree with the reference model to the unit, however often the process is killed", async () => {
    const random = createRandom(26);
    const invited: InvitedUser[] = [];
    for (let userId = 2; userId <= PEOPLE; userId += 1) {
      const inviterId = userId === SELF ? SELF - 1 : random.between(1, userId - 1);
      invited.push({ userId, inviterId, code: null, friendPercent: random.between(0, 20), joinedMs: START_MS });
    }
    const firstHour = START_MS / HOUR_MS;
    const feesBack = (hour: number): readonly HourFee[] =>
      (hour - firstHour) % 3 === 0
        ? [
            { userId: 3, asset: 0, feeUnits: 5_000n },
            { userId: 4, asset: 1, feeUnits: 10n ** 12n },
          ]
        : [];
    const funds = new Map(Array.from({ length: PEOPLE }, (_, at) => [at + 1, 10 ** random.between(9, 12)]));
    funds.set(LEAVER, 10 ** 13);
    const { kysely } = given.database();
    const sharing = [[SELF - 1, SELF]];
    const town = await openTown({ database: given.database(), random, invited, sharing, feesBack, funds });
    const counted: Counted = { levels: new Map(), midnights: new Map(), fills: [] };
    const twins = new Map<number, LevelReference>();
    for (let day = 0; day < DAYS; day += 1) {
      await beginDay(town, day, counted);
      await compareLevels(kysely, town, twins, counted);
      await tradeDay(town, random, day);
    }
    town.stage.time = START_MS + DAYS * DAY_MS;
    await town.finish(({ rebates }) => rebates.run(town.stage.time));
    await town.finish(({ rebates }) => rebates.run(town.stage.time + HOUR_MS));
    const fills = await listFills(kysely, 0);
    compareFees(fills, counted.levels);
    await comparePaid(kysely, town, naiveRebates(fills, invited, feesBack));
    expect(checkInvariants(town.stage.machine)).toEqual([]);
    expect(fills.length).toBeGreaterThan(500);
    expect(town.kills()).toBeGreaterThan(30);
    const changes = await sql<{ rises: number; falls: number }>`
      select sum(case when to_level > from_level then 1 else 0 end) as rises,
        sum(case when to_level < from_level then 1 else 0 end) as falls from vip_change
    `.execute(kysely);
    expect(Number(changes.rows[0]?.rises)).toBeGreaterThan(5);
    expect(Number(changes.rows[0]?.falls)).toBeGreaterThan(0);
    await town.close();
  }, 180_000);
});
