// Spot copy trading over the network: a leader's spot fills are copied into the follower's own book, sold by the same
// part, and the rest is returned.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { DAY_MS } from "@clockwork/kit/time";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { reportLeader } from "@clockwork/server/process/leader-report";
import { type FuturesServer, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { holds, place } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageOf } from "./copy-fixture.ts";

let folder: string;
let server: FuturesServer;
let isOpen = true;
let leaderId: string;
let maker: Visitor;
let leader: Visitor;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-copy-spot-"));
  server = await startFuturesServer({ CW_DATA: folder });
  maker = await server.trader({ USDT: "900000", BTC: "10" });
  leader = await server.trader({ USDT: "20000" });
  await leader.dev("/identity", { level: 2 });
});
afterAll(async () => {
  if (isOpen) await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The leader trades with the maker at the coin's fair price, and the maker leaves something for followers. */
async function trade(side: "buy" | "sell", quantity: string, price: string): Promise<void> {
  await server.mark(server.linear, Number(price) * 10);
  await maker.post("/v1/spot/orders/clear", { pairCode: "BTC_USDT" });
  const other = side === "buy" ? "sell" : "buy";
  const offered = await place(maker, { side: other, price, quantity: "2" });
  const taken = await place(leader, { side, price, quantity, timeInForce: "IOC" });
  expect([offered.message, taken.data?.status]).toEqual(["success", "FILLED"]);
}

test("[COPY-2] a spot leader's fills are copied, sold by the same part, and stopping returns the rest", async () => {
  for (let round = 0; round < 10; round++) {
    await trade("buy", "0.01", "100000");
    await trade("sell", "0.00999", "100000");
  }
  await sql`update users_account set created_at_ms = created_at_ms - ${31 * DAY_MS}`.execute(server.kysely as never);
  const identity = async () => (await leader.get("/spot-follow/identity")).data;
  await expect
    .poll(async () => (await identity()).conditions.filter(({ isMet }: { isMet: boolean }) => !isMet))
    .toEqual([]);
  const applied = await leader.post("/spot-follow/apply", {
    nickname: "Iris",
    bio: "Coins I understand.",
    shareRate: "0.1",
  });
  expect([applied.code, applied.message, applied.data?.state]).toEqual([200, "success", "APPLIED"]);
  server.wait(6_000);
  await expect.poll(async () => (await identity()).state).toBe("ACTIVE");
  leaderId = (await identity()).leaderId;

  const anna = await server.trader({ USDT: "5000" });
  await anna.dev("/identity", { level: 1 });
  const body = { leaderId, mode: "fixed", fixed: "200", investment: "1000" };
  expect((await anna.post("/spot-follow/follow", { ...body, mode: "proportional" })).fields).toHaveProperty([
    "body.mode",
  ]);
  expect((await anna.post("/spot-follow/follow", body)).status).toBe(200);
  expect(await holds(anna, "USDT")).toEqual(["4000", "0"]);
  await trade("buy", "0.01", "100000");
  const copies = async () => (await anna.get("/spot-follow/copies")).data.copies;
  await expect.poll(async () => (await copies()).length).toBe(1);
  const [opened] = await copies();
  // 200 USDT at 100 000.
  expect([opened.what, opened.filled, opened.slippageBps]).toEqual(["open", "0.00200", "0.00"]);
  // Half of the leader's holding is sold: half of the copy too.
  await trade("sell", "0.005", "110000");
  await expect.poll(async () => (await copies()).length).toBe(2);
  const [closed] = await copies();
  expect([closed.what, closed.filled]).toEqual(["close", "0.00100"]);
  const ended = await anna.post("/spot-follow/cancel", { leaderId, positions: "close" });
  expect(ended.data).toMatchObject({ isActive: false, endedBy: "closed", held: "0", equity: "0" });
  const [free, frozen] = await holds(anna, "USDT");
  expect(frozen).toBe("0");
  // Bought for 200, sold for 220; the share of the profit is the leader's.
  const gain = Number(free) - 5_000;
  expect(gain).toBeGreaterThan(15);
  expect(gain).toBeLessThan(20);
  expect(Number((await leader.get("/spot-follow/profits")).data.earned)).toBeCloseTo(Number(ended.data.paid), 8);
});

test("[COPY-2] a copied coin is listed with its cost, counts in what leaders manage, and its follower sells it separately", async () => {
  const bert = await server.trader({ USDT: "5000" });
  await bert.dev("/identity", { level: 1 });
  const body = { leaderId, mode: "fixed", fixed: "200", investment: "1000", slippage: "0.05" };
  expect((await bert.post("/spot-follow/follow", body)).status).toBe(200);
  await trade("buy", "0.01", "100000");
  const positions = async () => (await bert.get("/spot-follow/positions")).data;
  await expect.poll(async () => (await positions()).length).toBe(1);
  await trade("buy", "0.01", "110000");
  await expect.poll(async () => (await positions())[0].quantity).toBe("0.00381");
  const [held] = await positions();
  const follow = (await bert.get("/spot-follow/follows")).data[0];
  // 0.002 at 100 000 and 0.00181 at 110 000, with fees; worth 110 000 now.
  expect(Number(held.margin)).toBeGreaterThan(399.1);
  expect(Number(held.margin)).toBeLessThan(399.6);
  // Its gain is the worth of the copy beyond the investment.
  expect(Number(follow.equity) - Number(follow.unrealizedPnl)).toBeCloseTo(1_000, 6);
  expect(Number(held.unrealizedPnl)).toBeCloseTo(0.00381 * 110_000 - Number(held.margin), 6);
  expect(follow.unrealizedPnl).toBe(held.unrealizedPnl);
  const shown = await pageOf(server, bert, `/spot-follow/leaders/${leaderId}`);
  expect(shown.aum).toBe(follow.equity);
  expect(shown.quality.histogram.reduce((sum: number, count: number) => sum + count, 0)).toBe(shown.quality.copies);

  const close = (more: object) =>
    bert.post("/spot-follow/close", { leaderId, pairCode: "BTC_USDT", clientId: "one", ...more });
  expect((await close({ leaderId: "999999" })).code).toBe("NOT_FOLLOWING");
  expect((await close({ pairCode: "ETH_USDT" })).code).toBe("NOTHING_HELD");
  expect((await close({ pairCode: "BTC" })).status).toBe(400);
  await maker.post("/v1/spot/orders/clear", { pairCode: "BTC_USDT" });
  expect((await close({})).code).toBe("NO_LIQUIDITY");
  expect((await positions())[0].quantity).toBe("0.00381");
  await place(maker, { side: "buy", price: "110000", quantity: "0.002" });
  // What the book takes is sold, the rest remains and may be sold later.
  expect((await close({ clientId: "two" })).data).toEqual({ filled: "0.00200" });
  expect((await close({ clientId: "two" })).data).toEqual({ filled: "0.00000" });
  expect((await positions())[0].quantity).toBe("0.00181");
  await place(maker, { side: "buy", price: "110000", quantity: "1" });
  expect((await close({ clientId: "three" })).data).toEqual({ filled: "0.00181" });
  expect(await positions()).toEqual([]);
  expect((await close({ clientId: "four" })).code).toBe("NOTHING_HELD");
  // The leader's sale finds nothing to copy.
  const before = (await bert.get("/spot-follow/copies")).data.copies.length;
  await trade("sell", "0.005", "110000");
  await server.engine.projection.reached(server.engine.health().durableSequence);
  expect((await bert.get("/spot-follow/copies")).data.copies.length).toBe(before);
  // Public figures are at most some seconds old, as of the projection's position.
  await expect
    .poll(async () => {
      server.wait(4_000);
      const { data } = await bert.get(`/spot-follow/leaders/${leaderId}/trades?limit=1&page=2`);
      return [data.total, data.trades.length];
    })
    .toEqual([2, 1]);
  expect((await bert.get("/spot-follow/leaders/999999/trades")).code).toBe("LEADER_UNKNOWN");
  const { total, followers } = (await bert.get(`/spot-follow/leaders/${leaderId}/followers?sort=result`)).data;
  expect([total, followers[0].mode, followers[0].fixed]).toEqual([1, "fixed", "200"]);
});

test("[COPY-2] kept coins are returned, whole or in part, and nothing else is", async () => {
  const cora = await server.trader({ USDT: "5000" });
  await cora.dev("/identity", { level: 1 });
  const body = { leaderId, mode: "fixed", fixed: "200", investment: "1000", slippage: "0.05" };
  expect((await cora.post("/spot-follow/follow", body)).status).toBe(200);
  await trade("buy", "0.01", "110000");
  const positions = async () => (await cora.get("/spot-follow/positions")).data;
  await expect.poll(async () => (await positions()).length).toBe(1);
  expect((await cora.post("/spot-follow/cancel", { leaderId, positions: "keep" })).data.isActive).toBe(false);
  const [{ quantity, margin }] = await positions();
  const move = (more: object) =>
    cora.post("/spot-follow/transfer", { direction: "out", leaderId, asset: "BTC", clientId: "k1", ...more });
  expect((await move({ amount: "1", direction: "in" })).code).toBe("NOT_TRANSFERABLE");
  expect((await move({ amount: "1", asset: "NONE" })).code).toBe("NOT_TRANSFERABLE");
  expect((await move({ amount: "1" })).code).toBe("INSUFFICIENT_BALANCE");
  expect((await move({ amount: "0.00080", clientId: "k2" })).data).toEqual({ done: true });
  expect((await move({ amount: "0.00080", clientId: "k2" })).data).toEqual({ done: true });
  expect((await holds(cora, "BTC"))[0]).toBe("0.0008");
  // The rest is listed with its own part of the cost.
  const [left] = await positions();
  const part = 1 - 0.0008 / Number(quantity);
  expect(Number(left.margin)).toBeCloseTo(Number(margin) * part, 2);
  const rest = await cora.get("/spot-follow/positions");
  expect((await move({ amount: rest.data[0].quantity, clientId: "k3" })).status).toBe(200);
  expect((await positions()).length).toBeLessThanOrEqual(1);
  expect(
    (await cora.post("/follow/v1/transfer", { direction: "out", leaderId, asset: "BTC", amount: "1", clientId: "k" }))
      .code,
  ).toBe("NOT_TRANSFERABLE");
});

test("[COPY-3] the assets a spot leader manages are in the report with the coins, as on the page", async () => {
  // Days and the report value at the first price of a minute.
  server.wait(61_000);
  await trade("buy", "0.01", "110000");
  const shown = await pageOf(server, leader, `/spot-follow/leaders/${leaderId}`);
  expect(shown.quality.copies).toBe(7);
  const held = (await leader.get("/spot-follow/followers")).data[0];
  expect(shown.aum).toBe(held.equity);
  await server.close();
  isOpen = false;
  const lines: string[] = [];
  const options = { folder, account: Number(leaderId), factory: { createMachine, restoreMachine } };
  await reportLeader({ ...options, print: (line) => lines.push(line) });
  expect(lines).toContain(`followers 1, under management ${shown.aum}, followers' profit ${shown.followersPnl}`);
  expect(lines).toContain(`index ${shown.curve.at(-1)}, equity ${shown.equity}`);
  expect(lines).toContain(`slippage by basis point ${shown.quality.histogram.join(" ")}`);
});
