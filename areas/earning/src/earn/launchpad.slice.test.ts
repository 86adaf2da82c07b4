// Launches over the wire against the real ledger: a draw outsiders can repeat, shares with refunds, a flash sale that
// never oversells, windows that end, and plans that buy on time.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyDraw } from "@clockwork/growth/spring/draw-check";
import {
  checkDraw,
  checkRecord,
  commitTo,
  drawSeed,
  type JournalledSeed,
  type PublishedDraw,
  publicSeedOf,
  roundSeed,
  shuffleTickets,
} from "@clockwork/kit/earn/draw";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { holds, owes, place, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchStore } from "../launchpad/store.ts";
import { pass, saver } from "./earn-fixture.ts";
import { coins, launchOf, SEED } from "./launch-fixture.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
}, 180_000);
afterAll(() => server?.close());

const launch = (kind: "lottery" | "subscription" | "flash", stock: bigint, more: Parameters<typeof launchOf>[3] = {}) =>
  launchOf(server, kind, stock, more);

const own = async (visitor: Awaited<ReturnType<typeof saver>>, project: string) =>
  (await visitor.get(`/seckill/status?id=${project}`)).data;

/** `clockwork draw` agrees with the served draw, and reports what was forged in it. */
async function verifies(project: string, draw: PublishedDraw & { roundId: string }): Promise<void> {
  const run = async (source: { name: string; from: string }) => {
    const lines: string[] = [];
    const isRight = await verifyDraw(source, (line) => lines.push(line));
    return { isRight, differs: lines.filter((line) => line.startsWith("DIFFERS")).map((line) => line.slice(9)), lines };
  };
  const served = await run({ name: project, from: server.url });
  expect(served).toMatchObject({ isRight: true, differs: [] });
  expect(served.lines).toContain("agrees   journal");
  expect(await run({ name: draw.roundId, from: `${server.url}/` })).toMatchObject({ isRight: true });
  await expect(run({ name: "nobody", from: server.url })).rejects.toThrow("has no draw nobody");
  const file = join(mkdtempSync(join(tmpdir(), "draw-")), "draw.json");
  const planted = (changed: object) => {
    writeFileSync(file, JSON.stringify({ data: { ...draw, ...changed } }));
    return run({ name: "", from: file });
  };
  expect(await planted({})).toMatchObject({ isRight: true });
  const [first, second, ...others] = draw.ranges as unknown as [{ count: number }, { count: number }];
  const moved = [{ ...first, count: first.count - 1 }, { ...second, count: second.count + 1 }, ...others];
  expect((await planted({ ranges: moved })).differs).toContain("root");
  // A forged public seed, with a seed and winners that follow from it.
  const publicSeed = "ab".repeat(32);
  const seed = drawSeed(draw.serverSeed, draw.root, publicSeed);
  const tickets = draw.ranges.reduce((sum, { count }) => sum + count, 0);
  const winners = [...shuffleTickets(seed, tickets)].slice(0, draw.winnersMax);
  expect((await planted({ publicSeed, seed, winners })).differs).toEqual(["publicSeed"]);
  // A forged journalled seed: everything follows from it, but the record of seeds has another.
  const journal = { ...(draw.journal as JournalledSeed), seed: "cd".repeat(32) };
  const made = publicSeedOf(draw.closeSequence, journal);
  const forged = drawSeed(draw.serverSeed, draw.root, made);
  const chosen = [...shuffleTickets(forged, tickets)].slice(0, draw.winnersMax);
  const forgery = { ...draw, journal, publicSeed: made, seed: forged, winners: chosen };
  expect(checkDraw(forgery, () => undefined)).toBe(true);
  const readSeed = async (sequence: number) => {
    const response = await fetch(`${server.url}/api/v1/system/seeds?sequence=${sequence}`);
    return response.ok ? ((await response.json()) as { data: JournalledSeed }).data : undefined;
  };
  expect(await checkRecord(draw, readSeed)).toBe(true);
  expect(await checkRecord(forgery, readSeed)).toBe(false);
}

test("[EARN-2] a lottery is drawn by a seed no one could choose, anyone can repeat the draw, and a late payment is not taken", async () => {
  const people = await Promise.all([1, 2, 3].map(() => saver(server, "4000")));
  const [first, second, third] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  const round = await launch("lottery", coins(300));
  const day = Math.floor(round.opens_ms / DAY_MS);
  const store = server.kysely === undefined ? undefined : launchStore(server.kysely);
  const ids = await Promise.all(
    people.map(async (person) => Number((await person.post("/v2/users/top-info")).data?.id ?? 0)),
  );
  expect((await first.post("/seckill/join", { roundId: round.round_id })).code).toBe("NO_TICKETS");
  await store?.addSnapshots(
    ids.map((user_id, index) => ({
      project_id: round.project_id,
      user_id,
      day,
      units: BigInt(index + 2) * 1_000_000_000n,
    })),
  );
  const joined = await Promise.all(people.map((person) => person.post("/seckill/join", { roundId: round.round_id })));
  expect(joined.map(({ status }) => status)).toEqual([200, 200, 200]);
  await first.post("/seckill/join", { roundId: round.round_id });
  const open = (await first.get(`/open/seckill/draw?id=${round.round_id}`)).data;
  expect(open).toMatchObject({
    promise: commitTo(roundSeed(SEED, round.round_id)),
    serverSeed: null,
    root: null,
    winners: [],
  });
  await pass(server, HOUR_MS + MINUTE_MS, ...people);
  expect((await second.post("/seckill/join", { roundId: round.round_id })).code).toBe("ROUND_CLOSED");
  const draw = async () => (await third.get(`/open/seckill/draw?id=${round.round_id}`)).data;
  // The seed is requested, set and replaced before it is used.
  await expect
    .poll(
      async () => {
        server.wait(6_000);
        return (await draw()).winners.length;
      },
      { interval: 300 },
    )
    .toBe(3);
  const public_ = await draw();
  const failed: string[] = [];
  expect(checkDraw(public_, (check, isRight) => !isRight && failed.push(check))).toBe(true);
  await verifies(round.project_id, public_);
  const parts = await Promise.all(people.map((person) => own(person, round.project_id)));
  const winner = parts.findIndex(({ orders }) => orders.length > 0);
  const person = people[winner] as typeof first;
  const [order] = parts[winner].orders;
  const outsider = people[(winner + 1) % 3] as typeof first;
  expect((await outsider.post("/seckill/pay", { orderId: order.orderId })).code).toBe("ORDER_UNKNOWN");
  const paid = await Promise.all([1, 2, 3].map(() => person.post("/seckill/pay", { orderId: order.orderId })));
  expect(paid.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await holds(person, "USDT"))[0]).toBe(String(4_000 - Number(order.cost)));
  const late = parts.flatMap(({ orders }, index) =>
    index === winner ? [] : orders.map((one: object) => ({ one, index })),
  );
  await pass(server, 5 * HOUR_MS, ...people);
  for (const { one, index } of late) {
    expect((await (people[index] as typeof first).post("/seckill/pay", { orderId: one.orderId })).code).toBe(
      "PAY_WINDOW_OVER",
    );
    expect(await holds(people[index] as typeof first, "USDT")).toEqual(["4000", "0"]);
  }
  // A fifth at the listing, the rest over ten equal days.
  await pass(server, 5 * DAY_MS, ...people);
  const total = Number(order.amount);
  await expect.poll(async () => Number((await holds(person, "DOT"))[0])).toBeGreaterThanOrEqual(total / 5);
  await pass(server, 10 * DAY_MS, ...people);
  await expect.poll(async () => Number((await holds(person, "DOT"))[0])).toBe(total);
});

test("[EARN-2] a subscription is shared with its cap and the rest of the money is refunded to all", async () => {
  const people = await Promise.all([1, 2, 3].map(() => saver(server, "1000")));
  const round = await launch("subscription", coins(1_000), { lot_units: 1n, cap_units: coins(400) });
  const commit = (index: number, amount: string, clientId = "one") =>
    (people[index] as (typeof people)[0]).post("/seckill/join", { roundId: round.round_id, amount, clientId });
  expect((await commit(0, "0")).code).toBe("INVALID_AMOUNT");
  expect((await commit(0, "1001", "much")).code).toBe("INSUFFICIENT_BALANCE");
  const debtor = await saver(server, "1000");
  await owes(server, debtor, "BTC", 1_000);
  const owing = { roundId: round.round_id, amount: "10", clientId: "owing" };
  expect((await debtor.post("/seckill/join", owing)).code).toBe("IN_DEBT");
  expect(await holds(debtor, "USDT")).toEqual(["1000", "0"]);
  const twice = await Promise.all([commit(0, "500"), commit(0, "500"), commit(1, "300"), commit(2, "200")]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await commit(0, "400")).code).toBe("CLIENT_ID_REUSED");
  await pass(server, HOUR_MS + MINUTE_MS, ...people);
  const usdt = () => Promise.all(people.map(async (person) => (await holds(person, "USDT"))[0]));
  // 400, 360 and 240 coins at half a USDT.
  await expect.poll(usdt).toEqual(["800", "820", "880"]);
});

test("[EARN-2] a flash sale gives every user one place in line and never sells more than the stock", async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => saver(server, "100")));
  const round = await launch("flash", coins(350));
  const presses = people.flatMap((person) => [person, person, person]);
  const answers = await Promise.all(presses.map((person) => person.post("/seckill/buy", { roundId: round.round_id })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ data }) => data.orderId)).size).toBe(12);
  const states = async () => {
    const parts = await Promise.all(people.map((person) => own(person, round.project_id)));
    return parts.map(({ orders }) => orders[0].state).sort();
  };
  await expect.poll(states).toEqual([...Array(9).fill("LOST"), "WON", "WON", "WON"]);
  const parts = await Promise.all(people.map((person) => own(person, round.project_id)));
  const won = parts.flatMap(({ orders }, index) =>
    orders[0].state === "WON" ? [{ index, orderId: orders[0].orderId }] : [],
  );
  const [paying, leaving, sleeping] = won as [(typeof won)[0], (typeof won)[0], (typeof won)[0]];
  const call = ({ index, orderId }: (typeof won)[0], what: string) =>
    (people[index] as (typeof people)[0]).post(`/seckill/${what}`, { orderId });
  expect((await call(paying, "pay")).data.state).toBe("PAID");
  expect((await call(leaving, "cancel")).data.state).toBe("CANCELLED");
  expect((await call(leaving, "pay")).code).toBe("ORDER_STATE");
  server.wait(11 * MINUTE_MS);
  expect((await call(sleeping, "pay")).code).toBe("PAY_WINDOW_OVER");
  const late = people[sleeping.index] as (typeof people)[0];
  expect([await holds(late, "USDT"), await holds(late, "DOT")]).toEqual([
    ["100", "0"],
    ["0", "0"],
  ]);
  const { left } = (await server.trader().then((one) => one.get(`/open/seckill/project?id=${round.project_id}`))).data
    .rounds[0];
  expect(left).toBe("250");
  const low = await server.trader();
  expect((await low.post("/seckill/buy", { roundId: round.round_id })).code).toBe("KYC_LEVEL_REQUIRED");
});

/** A user offers coins, and the market trades at that price for so long that it is the fair one, which bounds plans. */
async function settle(pairCode: string, price: string, offered: string, taken: string): Promise<void> {
  const [maker, taker] = await Promise.all([server.trader({ [pairCode.slice(0, 3)]: offered }), saver(server, "1000")]);
  await place(maker, { pairCode, side: "sell", price, quantity: offered });
  expect((await place(taker, { pairCode, side: "buy", price, quantity: taken })).data.status).toBe("FILLED");
  await pass(server, 15 * MINUTE_MS, taker);
  // Prices are observed before the next command of any kind.
  await server.engine.submit({ kind: "tick" });
  // Bought coins are worth their price again, less the fee.
  const left = String(1_000 - (Number(price) * Number(taken)) / 1_000);
  await expect.poll(async () => (await taker.get("/v1/portfolio/spot")).data.totalUsdt).toBe(left);
}

test("[EARN-1] a plan buys on time from its sources, skips uncovered runs whole, and pauses after three", async () => {
  await settle("BTC_USDT", "100000", "0.5", "0.001");
  await settle("ETH_USDT", "3125", "5", "0.1");
  const visitor = await saver(server, "250");
  const plan = {
    name: "Majors",
    coins: [
      { asset: "BTC", weight: 50 },
      { asset: "ETH", weight: 50 },
    ],
    amount: "100",
    rhythm: "1h",
    minuteOfDay: 0,
    weekday: 1,
    monthDay: 1,
    sources: ["spot", "funding"],
  };
  const make = (more: object) => visitor.post("/financial/v1/plans/create", { ...plan, clientId: "p", ...more });
  expect((await make({ coins: [{ asset: "BTC", weight: 99 }] })).code).toBe("PLAN_WEIGHTS");
  const twice = [...plan.coins, { asset: "SOL", weight: 1 }];
  expect((await make({ coins: twice })).code).toBe("PLAN_WEIGHTS");
  expect((await make({ amount: "1.5" })).code).toBe("PLAN_AMOUNT");
  expect((await visitor.get("/financial/v1/plans/list")).data.plans).toEqual([]);
  // In the middle of an hour: none ends between two checks.
  await pass(server, HOUR_MS + 30 * MINUTE_MS - (server.nowMs() % HOUR_MS), visitor);
  const made = await make({});
  expect(made.data.plans).toHaveLength(1);
  const { planId } = made.data.plans[0];
  const runs = async () =>
    (await visitor.get(`/financial/v1/plans/runs?planId=${planId}`)).data.runs.map(
      ({ state }: { state: string }) => state,
    );
  for (let hour = 1; hour <= 5; hour++) {
    await pass(server, HOUR_MS, visitor);
    await expect.poll(runs).toHaveLength(hour);
    await expect.poll(async () => (await runs()).includes("RUNNING")).toBe(false);
  }
  expect(await runs()).toEqual(["SKIPPED", "SKIPPED", "SKIPPED", "DONE", "DONE"]);
  const [left] = (await visitor.get("/financial/v1/plans/list")).data.plans;
  expect(left).toMatchObject({ state: "PAUSED", skips: 3, putIn: "200" });
  expect(await holds(visitor, "USDT")).toEqual(["50", "0"]);
});

test("[EARN-1] a stop of hours is one late run and never two buys; spot pays first, then funding", async () => {
  await settle("BTC_USDT", "100000", "0.5", "0.001");
  const visitor = await saver(server, "500");
  const moved = { asset: "USDT", amount: "450", from: "1", to: "2", clientId: "to-funding" };
  expect((await visitor.post("/asset/v1/api/wallet/transfer", moved)).status).toBe(200);
  const coin = { coins: [{ asset: "BTC", weight: 100 }], amount: "100", rhythm: "1h", minuteOfDay: 0 };
  const body = { name: "One", ...coin, weekday: 1, monthDay: 1, sources: ["spot", "funding"], clientId: "late" };
  const { planId } = (await visitor.post("/financial/v1/plans/create", body)).data.plans[0];
  const runs = async () =>
    (await visitor.get(`/financial/v1/plans/runs?planId=${planId}`)).data.runs.map(
      ({ state }: { state: string }) => state,
    );
  const toHour = (hours: number) =>
    pass(server, HOUR_MS - (server.nowMs() % HOUR_MS) + (hours - 1) * HOUR_MS + 5 * MINUTE_MS, visitor);
  await toHour(1);
  await expect.poll(runs).toEqual(["DONE"]);
  expect(await holds(visitor, "USDT")).toEqual(["0", "0"]);
  // Three became due: the first is late, the second too and never started, the third is on time.
  await toHour(3);
  await expect.poll(runs).toEqual(["DONE", "LATE", "DONE"]);
  const [shown] = (await visitor.get("/financial/v1/plans/list")).data.plans;
  expect(shown).toMatchObject({ state: "RUNNING", putIn: "200" });
});
