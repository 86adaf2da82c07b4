// Launches run by operators against the real ledger: coins reserved and launches created by two, launches ended early,
// and unsold coins returned to the exchange.

import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { holds, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LaunchPayload } from "../launchdesk/contract.ts";
import { launchStore } from "../launchpad/store.ts";
import { pass, saver } from "./earn-fixture.ts";
import { coins, launchOf, stockIn } from "./launch-fixture.ts";

const DESK = "/v1/console/launchpad";
let server: TradingServer;
let chief: Visitor;
let second: Visitor;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  chief = (await enterAsOperator(server, 0)).operator;
  second = (await enterAsOperator(server, 1)).operator;
}, 180_000);
afterAll(() => server?.close());

let intents = 0;
const propose = (path: string, body: object) => {
  intents += 1;
  return chief.post(path, { ...body, clientId: `proposal-${intents}` });
};
const agreed = async (path: string, body: object) => approve(second, await propose(path, body));

/** Lets the rounds run until a condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  // The work in between has its own rate; a busy machine only makes it slower.
  for (const endMs = Date.now() + 120_000; Date.now() < endMs; await new Promise((done) => setTimeout(done, 40))) {
    if (await isSo()) return;
    server.wait(6_000);
  }
  throw new Error("it never was so");
}
const free = async (visitor: Visitor): Promise<string> => (await holds(visitor, "USDT"))[0];
/** Reserves a lot of a flash sale; returns the order. */
async function reserve(person: Visitor, projectId: string, roundId: string): Promise<string> {
  const { orderId } = (await person.post("/seckill/buy", { roundId })).data;
  const state = async () => (await person.get(`/seckill/status?id=${projectId}`)).data.orders[0].state;
  await expect.poll(state).toBe("WON");
  return orderId;
}
const midnight = (): number => Math.floor(server.nowMs() / DAY_MS) * DAY_MS;

function launchBody(projectId: string, more: Partial<LaunchPayload> = {}): LaunchPayload {
  const opens = midnight() + 3 * DAY_MS;
  const flash = {
    kind: "flash",
    stock: "300",
    lot: "100",
    cap: "0",
    ticketsMax: 1,
    ticketUnit: "0",
    snapshotDays: 1,
    preheatAtMs: opens,
    opensAtMs: opens + 2 * HOUR_MS,
    closesAtMs: opens + 3 * HOUR_MS,
    payUntilMs: opens + 4 * HOUR_MS,
  } as const;
  return {
    projectId,
    name: "Polka Park",
    asset: "DOT",
    summary: "Tests of parks.",
    supply: "100000",
    price: "0.5",
    vestFirstPercent: 100,
    vestDays: 0,
    listingAtMs: opens + 10 * HOUR_MS,
    rounds: [
      {
        ...flash,
        kind: "lottery",
        stock: "400",
        lot: "200",
        ticketsMax: 5,
        ticketUnit: "1000",
        preheatAtMs: opens - DAY_MS,
        opensAtMs: opens,
        closesAtMs: opens + HOUR_MS,
        payUntilMs: opens + 2 * HOUR_MS,
      },
      flash,
    ],
    ...more,
  };
}

test("[EARN-2] two operators create a launch from coins reserved for sales, and one alone creates nothing", async () => {
  const body = launchBody("park");
  expect((await propose(`${DESK}/create`, body)).code).toBe("STOCK_SHORT");
  const fund = { asset: "DOT", amount: "1000", reason: "the season's launches" };
  expect((await propose(`${DESK}/fund`, { ...fund, asset: "NONE" })).code).toBe("UNKNOWN_ASSET");
  expect((await propose(`${DESK}/fund`, { ...fund, amount: "0" })).code).toBe("INVALID_AMOUNT");
  const visitor = await server.trader();
  expect((await visitor.post(`${DESK}/fund`, { ...fund, clientId: "by-a-visitor" })).status).toBe(403);
  expect((await visitor.get(DESK)).status).toBe(403);
  const funding = await propose(`${DESK}/fund`, fund);
  expect((await approve(chief, funding)).code).toBe("PROPOSER_IS_APPROVER");
  expect(await stockIn(server, 0)).toBe(0n);
  expect((await approve(second, funding)).status).toBe(200);
  expect((await chief.get(DESK)).data.stock).toEqual([{ asset: "DOT", free: "1000" }]);
  const made = await propose(`${DESK}/create`, body);
  expect((await approve(chief, made)).code).toBe("PROPOSER_IS_APPROVER");
  expect((await visitor.get("/open/seckill/project?id=park")).code).toBe("PROJECT_UNKNOWN");
  // Approved twice at once, it is created once.
  const ends = await Promise.all([approve(second, made), approve(second, made)]);
  expect(ends.map(({ status }) => status)).toEqual([200, 200]);
  const { data } = await visitor.get("/open/seckill/project?id=park");
  expect(data).toMatchObject({
    name: "Polka Park",
    state: "UPCOMING",
    price: "0.5",
    forSale: "700",
    isSimulated: false,
  });
  expect(data.rounds.map(({ kind, stock, winners }: Record<string, unknown>) => [kind, stock, winners])).toEqual([
    ["lottery", "400", 0],
    ["flash", "300", 0],
  ]);
  expect(await stockIn(server, 0)).toBe(coins(300));
  expect((await propose(`${DESK}/create`, body)).code).toBe("PROJECT_EXISTS");
});

test("[EARN-2] an invalid launch is refused at its field, and one whose coins were used elsewhere is not created", async () => {
  const wrongAt = async (more: Partial<LaunchPayload>, first: object = {}) => {
    const body = launchBody("bad", more);
    const rounds = body.rounds.map((round, index) => (index === 0 ? { ...round, ...first } : round));
    const { code, fields, status } = await propose(`${DESK}/create`, { ...body, rounds });
    return [status, code, Object.keys(fields ?? {})[0]];
  };
  const now = server.nowMs();
  const [lottery] = launchBody("bad").rounds;
  const opens = lottery?.opensAtMs ?? 0;
  expect(await wrongAt({ asset: "NONE" })).toEqual([404, "UNKNOWN_ASSET", "body.asset"]);
  expect(await wrongAt({ asset: "USDT" })).toEqual([422, "INVALID_ASSET", "body.asset"]);
  expect(await wrongAt({ price: "0" })).toEqual([422, "INVALID_AMOUNT", "body.price"]);
  expect(await wrongAt({ price: "0.0000001" })).toEqual([422, "INVALID_AMOUNT", "body.price"]);
  expect(await wrongAt({ supply: "699" })).toEqual([422, "INVALID_AMOUNT", "body.supply"]);
  expect(await wrongAt({ vestFirstPercent: 20 })).toEqual([422, "INVALID_VESTING", "body.vestFirstPercent"]);
  expect(await wrongAt({ listingAtMs: opens + 4 * HOUR_MS - 1 })).toEqual([422, "INVALID_TIME", "body.listingAtMs"]);
  expect(await wrongAt({}, { stock: "300" })).toEqual([422, "INVALID_AMOUNT", "body.rounds.0.stock"]);
  expect(await wrongAt({}, { lot: "0" })).toEqual([422, "INVALID_AMOUNT", "body.rounds.0.lot"]);
  expect(await wrongAt({}, { ticketUnit: "0" })).toEqual([422, "INVALID_AMOUNT", "body.rounds.0.ticketUnit"]);
  expect(await wrongAt({}, { opensAtMs: now })).toEqual([422, "INVALID_TIME", "body.rounds.0.opensAtMs"]);
  expect(await wrongAt({}, { closesAtMs: opens })).toEqual([422, "INVALID_TIME", "body.rounds.0.closesAtMs"]);
  expect(await wrongAt({}, { payUntilMs: opens + HOUR_MS })).toEqual([422, "INVALID_TIME", "body.rounds.0.payUntilMs"]);
  const closes = lottery?.closesAtMs ?? 0;
  for (const drawAtMs of [closes - 1, closes + 3 * DAY_MS + 1]) {
    expect(await wrongAt({}, { drawAtMs })).toEqual([422, "INVALID_TIME", "body.rounds.0.drawAtMs"]);
  }
  const late = { drawAtMs: closes + HOUR_MS, payUntilMs: closes + 2 * HOUR_MS - 1 };
  expect(await wrongAt({}, late)).toEqual([422, "INVALID_TIME", "body.rounds.0.payUntilMs"]);
  expect(await wrongAt({}, { snapshotDays: 4 })).toEqual([422, "INVALID_TIME", "body.rounds.0.snapshotDays"]);
  expect(await wrongAt({}, { kind: "subscription", cap: "1" })).toEqual([422, "INVALID_AMOUNT", "body.rounds.0.cap"]);
  expect(await wrongAt({ rounds: [] })).toEqual([400, expect.anything(), "body.rounds"]);
  // Two launches are proposed for the coins of one; the second finds none.
  const one = launchBody("one");
  const flash = { ...one, rounds: one.rounds.slice(1) };
  const [first, other] = [
    await propose(`${DESK}/create`, flash),
    await propose(`${DESK}/create`, { ...flash, projectId: "two" }),
  ];
  expect((await approve(second, first)).data.state).toBe("EXECUTED");
  expect((await approve(second, other)).data).toMatchObject({ state: "FAILED" });
  const visitor = await server.trader();
  expect((await visitor.get("/open/seckill/project?id=two")).code).toBe("PROJECT_UNKNOWN");
  expect(await stockIn(server, 0)).toBe(0n);
});

test("[EARN-2] reserved coins without a launch return to the reserves by two operators, never more than there are", async () => {
  const fund = { asset: "DOT", amount: "40", reason: "one launch too many" };
  expect((await agreed(`${DESK}/fund`, fund)).status).toBe(200);
  const before = await stockIn(server, 0);
  const held = Number((before / coins(1)).toString());
  const giveBack = (amount: string, asset = "DOT") =>
    propose(`${DESK}/return`, { asset, amount, reason: "no launch wants them" });
  expect(await giveBack("1", "NONE")).toMatchObject({ status: 404, code: "UNKNOWN_ASSET" });
  expect(await giveBack("0")).toMatchObject({ status: 422, code: "INVALID_AMOUNT" });
  const short = await giveBack(String(held + 1));
  expect(short).toMatchObject({ status: 422, code: "STOCK_SHORT", fields: { "body.amount": expect.anything() } });
  // Two proposals for all of it: the second finds nothing.
  const [all, again] = [await giveBack(String(held)), await giveBack("1")];
  expect((await approve(chief, all)).code).toBe("PROPOSER_IS_APPROVER");
  expect(await stockIn(server, 0)).toBe(before);
  expect((await approve(second, all)).data.state).toBe("EXECUTED");
  expect(await stockIn(server, 0)).toBe(0n);
  expect((await approve(second, again)).data).toMatchObject({ state: "FAILED" });
  expect((await chief.get(DESK)).data.stock).toEqual([]);
});

test("[EARN-2] a launch ended by two operators refunds all users and returns the coins to the exchange", async () => {
  const people = await Promise.all([1, 2].map(() => saver(server, "100")));
  const [first, other] = people as [Visitor, Visitor];
  const before = await stockIn(server, 0);
  const shared = await launchOf(server, "subscription", coins(1_000), { lot_units: 1n, cap_units: coins(400) });
  const quick = await launchOf(server, "flash", coins(300));
  const commit = (person: Visitor, amount: string, clientId: string) =>
    person.post("/seckill/join", { roundId: shared.round_id, amount, clientId });
  const given = await Promise.all([commit(first, "10", "a"), commit(first, "15", "b"), commit(other, "20", "a")]);
  expect(given.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [paid, won] = await Promise.all(people.map((one) => reserve(one, quick.project_id, quick.round_id)));
  expect((await first.post("/seckill/pay", { orderId: paid })).data.state).toBe("PAID");
  expect(await Promise.all(people.map(free))).toEqual(["25", "80"]);
  const end = (projectId: string) => agreed(`${DESK}/stop`, { projectId, reason: "the issuer asks for it" });
  // A user pays at the very moment it ends: the payment is refunded or refused, never lost.
  const [ended, late] = await Promise.all([
    end(quick.project_id),
    other.post("/seckill/pay", { orderId: won }),
    end(shared.project_id),
  ]);
  expect(ended.status).toBe(200);
  expect([200, 409]).toContain(late.status);
  await expect.poll(() => Promise.all(people.map(free))).toEqual(["100", "100"]);
  await until(async () => (await stockIn(server, 0)) === before + coins(1_300));
  expect((await commit(first, "10", "c")).code).toBe("ROUND_CLOSED");
  expect((await first.post("/seckill/pay", { orderId: won })).code).toBe("ORDER_UNKNOWN");
  expect((await other.post("/seckill/pay", { orderId: won })).code).toBe("ORDER_STATE");
  expect((await propose(`${DESK}/stop`, { projectId: quick.project_id, reason: "again" })).code).toBe(
    "PROJECT_UNKNOWN",
  );
});

test("[EARN-2] unsold coins of an ended launch return to the exchange, once", async () => {
  const people = await Promise.all([1, 2].map(() => saver(server, "100")));
  const [buyer, sleeper] = people as [Visitor, Visitor];
  const round = await launchOf(server, "flash", coins(350));
  const before = await stockIn(server, 0);
  const [paid] = await Promise.all(people.map((one) => reserve(one, round.project_id, round.round_id)));
  expect((await buyer.post("/seckill/pay", { orderId: paid })).data.state).toBe("PAID");
  server.wait(HOUR_MS + 15 * MINUTE_MS);
  const store = launchStore(server.kysely as NonNullable<TradingServer["kysely"]>);
  const stage = async () => (await store.findRound(round.round_id))?.stage;
  await until(async () => (await stage()) === "WAITED");
  // Still before the listing: the launch may be ended early and coins come back into its stock.
  expect((await store.findRound(round.round_id))?.returned_units).toBeNull();
  await pass(server, 5 * DAY_MS, buyer, sleeper);
  await until(async () => (await store.findRound(round.round_id))?.returned_units === coins(250));
  expect(await stockIn(server, round.sub)).toBe(0n);
  // The launches created above sold nothing, 1000 coins, and their listing dates have passed too.
  await until(async () => (await stockIn(server, 0)) === before + coins(1_250));
  await expect.poll(async () => (await holds(buyer, "DOT"))[0]).toBe("20");
  await pass(server, DAY_MS, buyer);
  await until(async () => (await holds(buyer, "DOT"))[0] !== "20");
  expect(await stockIn(server, 0)).toBe(before + coins(1_250));
  const shown = await buyer.get(`/open/seckill/project?id=${round.project_id}`);
  expect(shown.data.rounds[0].returned).toBe("250");
});
