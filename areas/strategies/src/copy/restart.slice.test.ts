// The exchange is closed between a leader's fill, the shares held and their settlement, and reopened from the same
// folder: each share is paid once, and no money is created or lost.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { allOf } from "@clockwork/kit/all-of";
import { DAY_MS } from "@clockwork/kit/time";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { reportLeader } from "@clockwork/server/process/leader-report";
import { order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WindowFigures } from "./contract.ts";
import { beginLeading, pageOf, tradeWith } from "./copy-fixture.ts";

/** More than one command pays, so that a settlement can be interrupted. */
const MANY = 300;
const FIRST_USER = 3_000_000;
const COIN = 1_000_000;
/** The first Monday of 1970. */
const MONDAY_MS = 4 * DAY_MS;

let folder: string;
let server: TradingServer;
let linear: number;
let usdt: number;
let leaderId: string;
let maker: Visitor;
let leader: Visitor;
let bob: Visitor;
let carl: Visitor;
let dan: Visitor;

/** Closes the exchange and opens it again from its folder; all users are still signed in. */
async function restart(during?: () => Promise<void>): Promise<void> {
  await server.close();
  await during?.();
  server = await startTradingServer({ CW_DATA: folder });
  const same = (visitor: Visitor): Visitor => {
    const again = new Visitor(server, visitor.headers);
    for (const [name, value] of visitor.jar) again.jar.set(name, value);
    return again;
  };
  [maker, leader, bob, carl, dan] = [same(maker), same(leader), same(bob), same(carl), same(dan)];
}

async function submit(command: Parameters<TradingServer["engine"]["submit"]>[0]) {
  const ack = await server.engine.submit(command);
  if (!ack.done) throw new Error(`${command.kind} was refused: ${ack.code}`);
  return ack.events;
}

async function mark(ticks: number): Promise<void> {
  await submit({ kind: "setReferencePrice", market: linear, markTicks: ticks, indexTicks: ticks });
}

async function rows<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(server.kysely as never)).rows;
}

/** A follower without a page: an account with money that follows. */
async function followQuietly(user: number): Promise<void> {
  const made = await submit({ kind: "createAccount", user, book: "linear" });
  const account = made.find((event) => event.kind === "accountCreated")?.account ?? 0;
  const reference = `quiet:${user}`;
  await submit({ kind: "mint", account, asset: usdt, business: "deposit", units: 100 * COIN, reference });
  const settings = { mode: "multiplier", multiplier: 10_000_000 } as const;
  await submit({ kind: "follow", account, leader: Number(leaderId), units: 100 * COIN, ...settings });
}

/** Every unit of the coin, in all accounts. */
async function allUnits(): Promise<bigint> {
  const found = await rows(
    sql<{
      units: string;
    }>`select sum(available_units + frozen_units) as units from engine_balances where asset = ${usdt}`,
  );
  return BigInt(found[0]?.units ?? 0);
}

interface ShareRow {
  readonly account: number;
  readonly cause: string;
  readonly paid_units: string;
  readonly realized_units: string;
}

const shares = () =>
  rows(sql<ShareRow>`select account, cause, paid_units, realized_units from engine_shares order by account, sequence`);

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const followOf = async (visitor: Visitor): Promise<any> => (await visitor.get("/follow/v1/follows")).data[0];

/** Units in the leader's book. */
async function leadUnits(): Promise<bigint> {
  const found = await rows(
    sql<{ units: string }>`select available_units + frozen_units as units from engine_balances
      where account = ${Number(leaderId)} and asset = ${usdt}`,
  );
  return BigInt(found[0]?.units ?? 0);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-copy-restart-"));
  const first = await startFuturesServer({ CW_DATA: folder });
  server = first;
  linear = first.linear;
  usdt = (await first.engine.readListing())?.assets.find(({ symbol }) => symbol === "USDT")?.asset ?? 0;
  maker = await first.player("500000");
  leader = await first.player("20000");
  [bob, carl, dan] = [await first.player("5000"), await first.player("5000"), await first.player("5000")];
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test("[COPY-3] copies from before a restart exist after it, and none is repeated", async () => {
  leaderId = await beginLeading(server, maker, leader);
  for (const visitor of [bob, carl]) {
    const body = { leaderId, mode: "fixed", fixed: "100", investment: "1000" };
    expect((await visitor.post("/follow/v1/follow", body)).status).toBe(200);
  }
  // More than the leader's level permits, so that one command cannot pay them all.
  const lead = { asset: usdt, shareRate: 10_000_000, followersMax: MANY * 2 } as const;
  await submit({ kind: "setLeader", account: Number(leaderId), state: "active", ...lead });
  await Promise.all(Array.from({ length: MANY }, (_, i) => followQuietly(FIRST_USER + i)));
  await tradeWith(maker, leader, "buy", "0.1", "50000", { account: "lead" });
  await restart();
  const copied = await rows(sql<{ account: number; copies: number }>`select account, count(*) as copies
    from engine_copies group by account`);
  expect([copied.length, allOf(copied, ({ copies }) => Number(copies) === 1)]).toEqual([MANY + 2, true]);
  for (const visitor of [bob, carl]) {
    const { data } = await visitor.get("/follow/v1/positions");
    expect(data).toMatchObject([{ quantity: "0.040", entryPrice: "50000.0", side: "long" }]);
  }
});

test("[COPY-3] shares held before a restart are held after it, to the unit", async () => {
  await mark(550_000);
  await tradeWith(maker, leader, "sell", "0.1", "55000", { account: "lead" });
  const held = async () => [await followOf(bob), await followOf(carl)].map((follow) => follow.held);
  await expect.poll(held).toEqual(["19.748", "19.748"]);
  await restart();
  expect(await held()).toEqual(["19.748", "19.748"]);
  expect(await shares()).toEqual([]);
});

/** Follows whose R or investment in the tables differs from the bills of their books. */
async function untrue(): Promise<unknown[]> {
  await server.engine.projection.reached(server.engine.health().durableSequence);
  return rows(sql<unknown>`select account, realized_units, invested_units, realized, invested from (
      select f.account, f.realized_units, f.invested_units,
        sum(case when b.business in ('transfer', 'copyFund', 'profitShare') then 0 else b.delta_units end) as realized,
        sum(case when b.business in ('transfer', 'copyFund') then b.delta_units else 0 end) as invested
      from engine_follows f join engine_bills b on b.account = f.account and b.asset = ${usdt}
      group by f.account, f.realized_units, f.invested_units) as told
    where realized <> realized_units or invested <> invested_units`);
}

test("[COPY-3] losses below the mark and later deposits are in the tables at once, as the ledger has them", async () => {
  const body = { leaderId, mode: "fixed", fixed: "100", investment: "1000" };
  expect((await dan.post("/follow/v1/follow", body)).status).toBe(200);
  expect(await untrue()).toEqual([]);
  await tradeWith(maker, leader, "buy", "0.1", "55000", { account: "lead" });
  await mark(545_000);
  await tradeWith(maker, leader, "sell", "0.1", "54500", { account: "lead" });
  await mark(550_000);
  const moved = { direction: "in", leaderId, amount: "250", clientId: "more" };
  expect((await dan.post("/follow/v1/transfer", moved)).status).toBe(200);
  expect(await untrue()).toEqual([]);
  const after = await followOf(dan);
  expect([after.invested, after.held, Number(after.realizedPnl) < 0]).toEqual(["1250", "0", true]);
  const { data } = await leader.get("/follow/v1/followers");
  const sum = data.reduce((total: number, { realizedPnl }: { realizedPnl: string }) => total + Number(realizedPnl), 0);
  const shown = await pageOf(server, bob, `/follow/v1/leaders/${leaderId}`);
  expect(sum).toBeCloseTo(Number(shown.followersPnl), 5);
  expect((await dan.post("/follow/v1/cancel", { leaderId, positions: "close" })).status).toBe(200);
});

test("[COPY-1] a pause and a share that a kill left in the core alone are in the tables after the next start", async () => {
  // The state left by a process that dies after the core's change and before its own table is written.
  const lead = { account: Number(leaderId), asset: usdt, followersMax: MANY * 2 } as const;
  await submit({ kind: "setLeader", ...lead, state: "paused", shareRate: 5_000_000 });
  const row = async () =>
    (await rows(sql`select state, share_rate from copy_leader where account = ${Number(leaderId)}`))[0];
  expect(await row()).toMatchObject({ state: "ACTIVE", share_rate: 10_000_000 });
  await restart();
  await expect.poll(row).toMatchObject({ state: "PAUSED", share_rate: 5_000_000 });
  const answer = (await leader.get("/follow/v1/identity")).data;
  expect(answer).toMatchObject({ state: "PAUSED", shareRate: "0.1", nextShareRate: "0.05" });
  const letters = async () =>
    (await bob.get("/v2/users/letters")).data.letters.map(({ title }: { title: string }) => title);
  await expect.poll(letters).toContain("Ada changes the profit share");
  // A resumption requests the same share again: it takes effect at the announced time.
  const resumed = (await leader.post("/follow/v1/lead", { state: "active" })).data;
  expect(resumed).toMatchObject({ state: "ACTIVE", nextShareRate: "0.05", nextShareFromMs: answer.nextShareFromMs });
  expect((await leader.post("/follow/v1/lead", { shareRate: "0.1" })).data.nextShareRate).toBeNull();
});

/** The leader takes the best price and leaves little of it; most copies pay 20 basis points more. */
async function tradeThin(side: "buy" | "sell", copiesAfter: number): Promise<void> {
  const other = side === "buy" ? "sell" : "buy";
  const [best, next] = side === "buy" ? ["55000", "55110"] : ["55000", "54890"];
  for (const [price, quantity] of [
    [best, "0.4"],
    [next, "5"],
  ])
    expect((await order(maker, { side: other, price, quantity })).status).toBe(200);
  const taken = await order(leader, { side, price: best, quantity: "0.1", timeInForce: "IOC", account: "lead" });
  expect(taken.status).toBe(200);
  const count = async () => {
    const found = await rows(sql<{ count: string }>`select count(*) as count from engine_copies where reason is null`);
    return Number(found[0]?.count);
  };
  await expect.poll(count).toBe(copiesAfter);
  await maker.futures("/v1/futuresc/orders/clear", { biz: "futures" });
}

/** The lines `clockwork leader-report` prints for these figures. */
const windowLine = (one: WindowFigures): string[] => [
  String(one.days),
  one.roi,
  one.pnl,
  one.drawdown,
  String(one.trades),
  one.winRate,
  one.profitFactor ?? "–",
  one.sharpe ?? "–",
  String(one.holdingMs),
];

test("[COPY-3] slippage, skips and every other figure shown equal those computed from the journal alone", async () => {
  const { pairs } = (await carl.get("/follow/v1/config")).data;
  const elsewhere = pairs.filter((code: string) => code !== "BTC_USDT").slice(0, 1);
  const settings = { leaderId, mode: "fixed", fixed: "100", pairs: elsewhere };
  expect((await carl.post("/follow/v1/settings", settings)).status).toBe(200);
  // All but Carl are followed, three times in and out; Dan has left with the second trip.
  const [made, each] = [4 * (MANY + 2) + 2, MANY + 1];
  const sides = ["buy", "sell", "buy", "sell", "buy", "sell"] as const;
  for (const [i, side] of sides.entries()) await tradeThin(side, made + (i + 1) * each);
  const shown = await pageOf(server, bob, `/follow/v1/leaders/${leaderId}`);
  expect(shown.quality).toMatchObject({ copies: made + 6 * each, skips: 3, medianSlippageBps: "20.00" });
  const lines: string[] = [];
  await restart(async () => {
    const options = { folder, account: Number(leaderId), factory: { createMachine, restoreMachine } };
    expect(await reportLeader({ ...options, print: (line) => lines.push(line) })).toBe(true);
  });
  const { quality } = shown;
  const index = shown.curve.at(-1);
  expect(lines).toContain(`index ${index}, equity ${shown.equity}`);
  expect(lines).toContain(`copies ${quality.copies}, skipped ${quality.skips} (${quality.skipRate})`);
  expect(lines).toContain(
    `slippage median ${quality.medianSlippageBps} bps, 95th percentile ${quality.highSlippageBps} bps`,
  );
  expect(lines).toContain(
    `followers ${shown.followers}, under management ${shown.aum}, followers' profit ${shown.followersPnl}`,
  );
  expect(lines).toContain(`pairs BTC_USDT ${shown.pairs[0].trades}`);
  const answer = lines.filter((line) => /^[0-9]+ /.test(line)).map((line) => line.trim().split(/ +/));
  expect(answer).toEqual(shown.windows.map(windowLine));
});

test("[COPY-3] a settlement interrupted by a restart pays each share once, and creates no money", async () => {
  const before = { all: await allUnits(), lead: await leadUnits() };
  const settled = new Promise<void>((done) => {
    server.engine.subscribe(({ bytes }) => {
      for (let at = 0; at < bytes.length; at += EVENT_BYTES) if (bytes[at] === EVENTS.shareSettled.kind) done();
    });
  });
  const now = server.nowMs();
  server.wait(MONDAY_MS + Math.ceil((now - MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS - now + 1_000);
  await settled;
  // With the first share published, whatever else is under way.
  await restart();
  await expect.poll(async () => (await shares()).length).toBe(MANY + 2);
  await restart();
  await submit({ kind: "tick" });
  const paid = await shares();
  expect(new Set(paid.map(({ account }) => account)).size).toBe(MANY + 2);
  expect(paid.length).toBe(MANY + 2);
  for (const { cause, paid_units, realized_units } of paid)
    expect([cause, BigInt(paid_units)]).toEqual(["settlement", BigInt(realized_units) / 10n]);
  const sum = paid.reduce((total, { paid_units }) => total + BigInt(paid_units), 0n);
  expect((await leadUnits()) - before.lead).toBe(sum);
  expect(await allUnits()).toBe(before.all);
  const left = await rows(sql<{ held: string }>`select sum(held_units) as held from engine_follows`);
  expect(BigInt(left[0]?.held ?? -1)).toBe(0n);
});
