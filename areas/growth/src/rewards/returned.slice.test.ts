// Unused money of rewards returns to its campaign, to the unit and once: gold that was voided, expired or partly used,
// coupons on flexible money and on terms. Compared with a naive computation.

import { offer, pass, saver } from "@clockwork/earning/earn/earn-fixture";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { bonusStore } from "@clockwork/trading/bonus/store";
import { type FuturesServer, meet, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import { place } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reward, TaskPayload } from "./contract.ts";
import { rewardStore } from "./store.ts";

const DESK = "/v1/console/rewards";
const USDT = 1_000_000n;
const PARTS = 100_000_000n;
const PREVIEW = "/asset/v1/api/wallet/transfer/preview";

let server: FuturesServer;
let chief: Visitor;
let second: Visitor;
beforeAll(async () => {
  server = await startFuturesServer(TWO_OPERATORS);
  chief = (await enterAsOperator(server, 0)).operator;
  second = (await enterAsOperator(server, 1)).operator;
  if (server.kysely === undefined) throw new Error("no database");
  await offer(server.kysely, { product_id: "flex" });
  await offer(server.kysely, { product_id: "term", kind: "fixed", days: 7, rate: 5_000_000 });
  // Operators' sessions do not last as long as the tests do.
  const gold: Reward = { kind: "gold", amount: "50", days: 1, ratioPercent: 100, maxLeverage: 0 };
  await campaign("golden", "60", { "gold-task": gold });
  const coupon = { kind: "earnCoupon", rate: "0.1", cap: "1000", validDays: 1 } as const;
  await campaign("coupons", "100", {
    "flex-task": { ...coupon, product: "flexible", days: 2 },
    "term-task": { ...coupon, product: "fixed", days: 30 },
  });
}, 180_000);
afterAll(() => server?.close());

let ids = 0;
const agreed = async (path: string, body: object): Promise<void> => {
  ids += 1;
  const end = await approve(second, await chief.post(path, { ...body, clientId: `proposal-${ids}` }));
  if (end.status !== 200) throw new Error(`not approved: ${end.message}`);
};

/** One task for each reward, done by a limit order. */
async function campaign(campaignId: string, amount: string, rewards: Readonly<Record<string, Reward>>): Promise<void> {
  await agreed(`${DESK}/campaign`, { campaignId, name: campaignId });
  await agreed(`${DESK}/fund`, { campaignId, amount, reason: "test" });
  const nowMs = server.nowMs();
  for (const [taskId, reward] of Object.entries(rewards)) {
    const task: TaskPayload = {
      taskId,
      campaignId,
      kind: "limitOrder",
      target: "1",
      course: "",
      after: null,
      levelNeeded: 1,
      reward,
      startsAtMs: nowMs - DAY_MS,
      endsAtMs: nowMs + 30 * DAY_MS,
      claimUntilMs: nowMs + 60 * DAY_MS,
      position: 1,
    };
    await agreed(`${DESK}/task`, task);
  }
}

const order = async (visitor: Visitor): Promise<void> => {
  const placed = await place(visitor, { side: "buy", price: "95000", quantity: "0.001" });
  if (placed.status !== 200) throw new Error(`the order was refused: ${placed.message}`);
};
const claim = async (visitor: Visitor, taskId: string): Promise<string> => {
  const answer = await visitor.post("/v1/welfare/claim", { taskId });
  if (answer.status !== 200) throw new Error(`not claimed: ${answer.message}`);
  return answer.data.claimId;
};
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const reported = async (campaignId: string): Promise<any> =>
  (await chief.get(DESK)).data.campaigns.find((one: { campaignId: string }) => one.campaignId === campaignId);

/** The balance of the campaign's account, and the returns in the tables. */
async function booksOf(campaignId: string): Promise<{ left: bigint; back: bigint; spent: bigint }> {
  const kysely = server.kysely as never;
  const store = rewardStore(kysely);
  const number = (await store.findCampaign(campaignId))?.number ?? 0;
  const account = (await openHouseAccount(server.engine.submit, "campaignTreasury", number)) ?? 0;
  const view = await server.engine.cache.open(account, server.nowMs());
  const [balance] = [...view.of(ledgerView).balances.values()];
  const claims = await store.sumClaims(campaignId);
  const gold = await bonusStore(kysely).sumReturned(number, balance?.asset ?? 0);
  return {
    left: balance?.available_units ?? 0n,
    back: claims.reduce((sum, { returnedUnits }) => sum + returnedUnits, gold),
    spent: claims.reduce((sum, { spentUnits }) => sum + spentUnits, 0n),
  };
}

test("[USR-5] voided or expired gold returns to its campaign by the core, used gold does not; a transfer can be previewed", async () => {
  const [alice, bob, carol] = [await server.player("1000"), await server.player("100000"), await server.player("1000")];
  for (const visitor of [alice, carol]) {
    await visitor.faucet("USDT", "1000");
    await order(visitor);
  }
  // Requested concurrently it is one grant; the second finds too little.
  await Promise.all([1, 2, 3].map(() => claim(alice, "gold-task")));
  expect((await carol.post("/v1/welfare/claim", { taskId: "gold-task" })).code).toBe("REWARD_BUDGET_SPENT");
  expect(await booksOf("golden")).toEqual({ left: 10n * USDT, back: 0n, spent: 50n * USDT });
  // 0.04 at 50 000 costs 1.2 in fees, all of it out of the gold.
  await meet(alice, bob, { price: "50000", quantity: "0.04" });
  const left = async () => (await alice.get("/v1/common/almighty-gold/state")).data.amounts[0].left;
  await expect.poll(left).toBe("48.8");
  await meet(bob, alice, { price: "50000", quantity: "0.04" });
  await expect.poll(left).toBe("48.4");
  // A fifth of her own money takes a fifth of the gold, shown before it happens.
  const move = { asset: "USDT", amount: "200", from: "3", to: "1" };
  expect((await alice.post(PREVIEW, move)).data).toEqual({ asset: "USDT", gold: "48.4", goldVoided: "9.68" });
  expect((await alice.post(PREVIEW, { ...move, from: "1", to: "3" })).data).toMatchObject({ goldVoided: "0" });
  expect((await bob.post(PREVIEW, move)).data).toEqual({ asset: "USDT", gold: "0", goldVoided: "0" });
  expect((await alice.post(PREVIEW, { ...move, amount: "0" })).code).toBe("INVALID_AMOUNT");
  expect((await alice.post(PREVIEW, { ...move, to: "3" })).code).toBe("SAME_WALLET");
  expect(await left()).toBe("48.4");
  expect((await alice.post("/asset/v1/api/wallet/transfer", { ...move, clientId: "void-1" })).status).toBe(200);
  await expect.poll(left).toBe("38.72");
  await expect.poll(() => booksOf("golden")).toEqual({ left: 19_680_000n, back: 9_680_000n, spent: 50n * USDT });
  expect(await reported("golden")).toMatchObject({ left: "19.68", returned: "9.68", spent: "50", difference: "0" });
  // Its day is over: the unused part has been returned, and none of it is with the operators' own.
  server.wait(DAY_MS + MINUTE_MS);
  const all = { left: 58_400_000n, back: 48_400_000n, spent: 50n * USDT };
  await expect.poll(() => booksOf("golden")).toEqual(all);
  server.wait(DAY_MS);
  expect(await booksOf("golden")).toEqual(all);
});

/** What may still change is checked every hour: a few of them pass. */
async function agree(campaignId: string, books: Awaited<ReturnType<typeof booksOf>>): Promise<void> {
  let hours = 20;
  await expect
    .poll(() => {
      if (hours > 0) server.wait(HOUR_MS);
      hours -= 1;
      return booksOf(campaignId);
    })
    .toEqual(books);
}

/**
 * What a coupon adds to an amount in one hour, with tiers of 8 % to 500 and 2 % above: with it less without, each
 * truncated.
 */
function addedInHour(units: bigint, rate: bigint, cap: bigint): bigint {
  const lower = units < 500n * USDT ? units : 500n * USDT;
  const plain = lower * 8_000_000n + (units - lower) * 2_000_000n;
  const boosted = plain + (units < cap ? units : cap) * rate;
  return boosted / 8_760n - plain / 8_760n;
}

test("[USR-5] the unused part of a coupon on flexible money or a term returns to its campaign when it is determined, once", async () => {
  const [visitor, early] = [await saver(server), await saver(server)];
  for (const one of [visitor, early]) await order(one);
  const [flexible, fixed] = [await claim(visitor, "flex-task"), await claim(visitor, "term-task")];
  const left = await claim(early, "term-task");
  // 1 000 at 10 % for 2 and for 30 days, rounded up.
  const [flexCost, termCost] = [547_946n, 8_219_179n];
  expect((await booksOf("coupons")).left).toBe(100n * USDT - flexCost - 2n * termCost);
  const put = (one: Visitor, productId: string, amount: string, couponId?: string) => {
    ids += 1;
    const body = { productId, amount, clientId: `put-${ids}`, ...(couponId === undefined ? {} : { couponId }) };
    return one.post("/financial/v1/subscribe", body);
  };
  await pass(server, HOUR_MS - (server.nowMs() % HOUR_MS), visitor, early);
  expect((await put(visitor, "flex", "600", flexible)).status).toBe(200);
  expect((await put(visitor, "term", "400", fixed)).status).toBe(200);
  expect((await put(early, "term", "400", left)).status).toBe(200);
  const holdings = async (one: Visitor) => (await one.get("/financial/v1/holdings")).data.holdings;
  const of = async (one: Visitor, kind: string): Promise<string> =>
    (await holdings(one)).find((row: { kind: string }) => row.kind === kind).holdingId;
  expect((await early.post("/financial/v1/redeem", { holdingId: await of(early, "fixed") })).status).toBe(200);
  // Ten of the 48 hours with 600, then 250 until most of a day is over, then nothing.
  await pass(server, 11 * HOUR_MS, visitor);
  const holdingId = await of(visitor, "flexible");
  // A day's credit may be under way, and is waited for.
  const take = (amount: string) =>
    expect
      .poll(async () => {
        const body = { holdingId, amount, clientId: `take-${amount}` };
        return (await visitor.post("/financial/v1/redeem", body)).status;
      })
      .toBe(200);
  await take("350");
  await pass(server, 12 * HOUR_MS, visitor);
  await take("250");
  const rate = 10_000_000n;
  let parts = 0n;
  for (let hour = 0; hour < 10; hour++) parts += addedInHour(600n * USDT, rate, 1_000n * USDT);
  for (let hour = 10; hour < 22; hour++) parts += addedInHour(250n * USDT, rate, 1_000n * USDT);
  const flexBack = flexCost - (parts + PARTS - 1n) / PARTS;
  // The one who left early used nothing; the other's 400 ran for seven days.
  const termBack = termCost + (termCost - (400n * USDT * rate * 7n) / (365n * PARTS));
  const spent = flexCost + 2n * termCost;
  server.wait(2 * DAY_MS);
  const soon = { left: 100n * USDT - spent + flexBack + termCost, back: flexBack + termCost, spent };
  await agree("coupons", soon);
  server.wait(8 * DAY_MS);
  const back = flexBack + termBack;
  const end = { left: 100n * USDT - spent + back, back, spent };
  await agree("coupons", end);
  // Ended between the ledger's answer and its own write, a process finds the row unanswered: the same command is
  // repeated and nothing moves.
  if (server.kysely !== undefined)
    await sql`update rewards_claim set returned_units = null where claim_id in (${flexible}, ${fixed}, ${left})`.execute(
      server.kysely,
    );
  await agree("coupons", end);
});
