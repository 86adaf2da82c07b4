// A follower's own actions on one copied trade, and the second version of the calls: the same groups, by cursors.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type FuturesServer, order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beginLeading, pageOf, tradeWith } from "./copy-fixture.ts";

let server: FuturesServer;
let maker: Visitor;
let leader: Visitor;
let leaderId: string;
const followers: Visitor[] = [];

beforeAll(async () => {
  server = await startFuturesServer();
  maker = await server.player("500000");
  leader = await server.player("20000");
});
afterAll(() => server.close());

async function until(): Promise<void> {
  await server.engine.projection.reached(server.engine.health().durableSequence);
}

test("[COPY-1] a follower sets take-profit and stop-loss on one copied trade; the leader's do not replace them", async () => {
  leaderId = await beginLeading(server, maker, leader);
  for (const investment of ["1000", "500", "500"]) {
    const visitor = await server.player("5000");
    followers.push(visitor);
    const body = { leaderId, mode: "fixed", fixed: "100", investment };
    expect((await visitor.post("/follow/v2/follow", body)).status).toBe(200);
  }
  const [one, two] = followers as [Visitor, Visitor];
  await tradeWith(maker, leader, "buy", "0.1", "50000", { account: "lead" });
  await until();
  const positions = async (who: Visitor) => (await who.get("/follow/v1/positions")).data;
  const [held] = await positions(one);
  expect(held).toMatchObject({ takeProfit: null, stopLoss: null, side: "long" });
  const set = (more: object) =>
    one.post("/follow/v1/stops", { leaderId, positionId: held.positionId, stopLoss: "49000", ...more });
  expect((await set({ positionId: "1" })).code).toBe("POSITION_GONE");
  expect((await set({ leaderId: "999999" })).code).toBe("NOT_FOLLOWING");
  const odd = await set({ stopLoss: "49000.01" });
  expect([odd.code, Object.keys(odd.fields ?? {})]).toEqual(["INVALID_PRICE", ["body.stopLoss"]]);
  const past = await set({ stopLoss: "51000" });
  expect([past.code, Object.keys(past.fields ?? {})]).toEqual(["TRIGGER_ALREADY_TRUE", ["body.stopLoss"]]);
  expect((await set({ takeProfit: "52000" })).data).toMatchObject({ takeProfit: "52000.0", stopLoss: "49000.0" });
  // Another user's trade: no result.
  const outsider = { leaderId, positionId: held.positionId, stopLoss: "49000" };
  expect((await two.post("/follow/v1/stops", outsider)).code).toBe("POSITION_GONE");

  const lead = (await leader.get("/follow/v1/identity")).data.positions[0];
  const stops = { biz: "futures", account: "lead", positionId: lead.positionId, loss: { triggerPrice: "48000" } };
  expect((await leader.futures("/v1/futuresc/positions/stop", stops)).status).toBe(200);
  await until();
  expect((await positions(one))[0]).toMatchObject({ takeProfit: "52000.0", stopLoss: "49000.0" });
  expect((await positions(two))[0]).toMatchObject({ takeProfit: null, stopLoss: "48000.0" });
  const { copies } = (await one.get("/follow/v1/copies")).data;
  expect(copies[0]).toMatchObject({ what: "stops", reason: "OWN_STOPS" });

  expect((await set({ stopLoss: undefined })).data).toMatchObject({ takeProfit: null, stopLoss: null });
  // The leader's stop closes the leader's position, and that is copied: named so, at the market.
  await server.submit({ kind: "setReferencePrice", market: server.linear, markTicks: 480_500, indexTicks: 480_500 });
  await tradeAt("47990");
  await server.submit({ kind: "setReferencePrice", market: server.linear, markTicks: 479_900, indexTicks: 479_900 });
  await until();
  expect(await positions(one)).toEqual([]);
  const [closed] = (await one.get("/follow/v1/copies")).data.copies;
  expect(closed).toMatchObject({ what: "close", isByStop: true, limitPrice: null, reason: null });
  await maker.futures("/v1/futuresc/orders/clear", { biz: "futures" });
});

async function tradeAt(price: string): Promise<void> {
  expect((await order(maker, { side: "buy", price, quantity: "5" })).status).toBe(200);
}

test("[COPY-1] the second version returns every group, with the filters of the first, by cursors", async () => {
  const [one] = followers as [Visitor];
  await pageOf(server, one, `/follow/v2/leaders/${leaderId}`);
  const listed = async (query: string) => (await one.get(`/follow/v2/leaders?${query}`)).data;
  expect(await listed("limit=1")).toMatchObject({ leaders: [{ leaderId, isFollowed: true }], nextCursor: null });
  expect((await listed("level=5")).leaders).toEqual([]);
  expect((await listed("search=nobody")).leaders).toEqual([]);
  expect(
    (await listed("search=ada&window=7&sort=aum")).leaders[0].windows.map(({ days }: { days: number }) => days),
  ).toEqual([7, 30, 90, 180]);
  expect((await one.get("/follow/v2/leaders?cursor=x")).status).toBe(400);
  const walk = async (path: string, list: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    let cursor = "";
    for (let page = 0; page < 20; page++) {
      const { data } = await one.get(`/follow/v2/leaders/${leaderId}/${path}${cursor}`);
      found.push(...data[list]);
      if (data.nextCursor === null) return found;
      cursor = `&cursor=${data.nextCursor}`;
    }
    throw new Error("the cursor goes round");
  };
  const participants = (await walk("followers?limit=1", "followers")) as { name: string; invested: string }[];
  expect(participants.map(({ invested }) => invested)).toEqual(["1000", "500", "500"]);
  expect(new Set(participants.map(({ name }) => name)).size).toBe(3);
  const trades = (await walk("trades?limit=4", "trades")) as { closedAtMs: number }[];
  expect(trades.length).toBe(11);
  for (const path of ["config", "follows", "positions", "copies", "profits", "focus", "identity"])
    expect([path, (await one.get(`/follow/v2/${path}`)).status]).toEqual([path, 200]);
  expect((await leader.get("/follow/v2/followers")).data.length).toBe(3);
  expect((await one.post("/follow/v2/focus", { leaderId, isOn: true, note: "calm" })).status).toBe(200);
  expect((await listed("focused=true")).leaders.length).toBe(1);
  const settings = { leaderId, mode: "fixed", fixed: "90" };
  expect((await one.post("/follow/v2/settings", settings)).data.settings.fixed).toBe("90");
  const moved = { direction: "out", leaderId, amount: "100", clientId: "out" };
  expect((await one.post("/follow/v2/transfer", moved)).data).toEqual({ done: true });
  expect((await one.post("/follow/v2/cancel", { leaderId, positions: "close" })).data.isActive).toBe(false);
});

test("[COPY-1] two users cannot lead under one name, nor under one that reads the same", async () => {
  const other = await server.player("20000");
  await beginLeading(server, maker, other, "Ida").then((id) => expect(id).not.toBe(leaderId));
  const third = await server.player("20000");
  await expect(beginLeading(server, maker, third, "A.d a")).rejects.toThrow("NICKNAME_TAKEN");
  const { rows } = await sql`select name from copy_nickname order by name`.execute(server.kysely as never);
  expect(rows).toEqual([{ name: "ada" }, { name: "ida" }]);
});
