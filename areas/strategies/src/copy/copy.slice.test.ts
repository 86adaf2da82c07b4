// Copy trading over the network: applying, following, copies that arrive, shares, refusals, comments and the overview.

import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { allOf } from "@clockwork/kit/all-of";
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { DAY_MS } from "@clockwork/kit/time";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type Client, openClient } from "@clockwork/server/socket/socket-fixture";
import { type FuturesServer, order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CopyOverview, LeadOverview } from "./contract.ts";
import { pageOf, tradeWith } from "./copy-fixture.ts";

let server: FuturesServer;
let maker: Visitor;
let leader: Visitor;
let chief: Visitor;
let second: Visitor;
let leaderId: string;
let clients = 0;

const FOLLOW = { mode: "fixed", fixed: "100", investment: "1000" } as const;
const nextClient = (): string => {
  clients += 1;
  return `c${clients}`;
};

const trade = (who: Visitor, side: "buy" | "sell", quantity: string, price: string, more: object = {}) =>
  tradeWith(maker, who, side, quantity, price, more);

async function follower(usdt = "5000"): Promise<Visitor> {
  return server.player(usdt);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
async function followOf(visitor: Visitor): Promise<any> {
  return (await visitor.get("/follow/v1/follows")).data[0];
}

async function login(visitor: Visitor): Promise<Client> {
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: visitor.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  return client;
}

type Published = Partial<CopyOverview & LeadOverview>;

/** Operators' view of a leader. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
async function reviewed(of: string): Promise<any> {
  const { data } = await chief.get("/v1/console/copy/leaders");
  return data.leaders.find((row: { leaderId: string }) => row.leaderId === of);
}

const decide = (of: string, action: "approve" | "resume") =>
  chief.post("/v1/console/copy/leaders/decide", { leaderId: of, action, clientId: nextClient() });

/** A leader without an application, with room for one follower. */
async function openLeader(nickname: string): Promise<{ readonly visitor: Visitor; readonly id: string }> {
  const visitor = await follower("20000");
  await visitor.post("/follow/v1/transfer", { direction: "in", amount: "5000", clientId: nextClient() });
  const { rows } = await sql<{ account: number; user_id: number }>`select account, user_id from engine_accounts
    where book = 'copyFLead' order by account desc limit 1`.execute(server.kysely as never);
  const { account = 0, user_id = 0 } = rows[0] ?? {};
  await sql`insert into copy_leader (account, user_id, kind, nickname, bio, state, level, share_rate, is_simulated,
    reason, applied_ms, decided_ms, rest_until_ms) values (${account}, ${user_id}, 'futures', ${nickname}, '', 'ACTIVE', 1,
    10000000, ${false}, '', 0, 0, 0)`.execute(server.kysely as never);
  const asset = (await server.engine.readListing())?.assets.find(({ symbol }) => symbol === "USDT")?.asset ?? 0;
  await server.submit({ kind: "setLeader", account, state: "active", asset, shareRate: 10_000_000, followersMax: 1 });
  return { visitor, id: String(account) };
}

beforeAll(async () => {
  server = await startFuturesServer(TWO_OPERATORS);
  [chief, second] = [(await enterAsOperator(server, 0)).operator, (await enterAsOperator(server, 1)).operator];
  maker = await server.player("500000");
  leader = await server.player("20000");
  await leader.dev("/identity", { level: 2 });
});
afterAll(() => server.close());

describe("leading", () => {
  test("[COPY-1] an applicant gets the five conditions and is refused while one is not met", async () => {
    const moved = await leader.post("/follow/v1/transfer", { direction: "in", amount: "5000", clientId: nextClient() });
    expect(moved.data).toEqual({ done: true });
    const { data } = await leader.get("/follow/v1/identity");
    expect(data).toMatchObject({ state: "NONE", equity: "5000", shareRateMax: "0.12", level: 2 });
    expect(data.conditions.map(({ name, isMet }: { name: string; isMet: boolean }) => [name, isMet])).toEqual([
      ["identity", true],
      ["age", false],
      ["equity", true],
      ["trades", false],
      ["following", true],
    ]);
    const body = { nickname: "Ada", bio: "Trends only.", shareRate: "0.1" };
    expect((await leader.post("/follow/v1/apply", body)).code).toBe("LEAD_CONDITIONS");
    expect((await leader.post("/follow/v1/apply", { ...body, shareRate: "0.5x" })).status).toBe(400);
  });

  test("[COPY-1] with all of them met two operators approve; a share above the level is refused", async () => {
    for (let round = 0; round < 10; round++) {
      await trade(leader, "buy", "0.01", "50000", { account: "lead" });
      await trade(leader, "sell", "0.01", "50000", { account: "lead" });
    }
    await sql`update users_account set created_at_ms = created_at_ms - ${31 * DAY_MS}`.execute(server.kysely as never);
    const unmet = async () => {
      const { conditions } = (await leader.get("/follow/v1/identity")).data;
      return conditions.filter(({ isMet }: { isMet: boolean }) => !isMet);
    };
    await expect.poll(unmet).toEqual([]);
    const body = { nickname: "Ada", bio: "Trends only.", shareRate: "0.1" };
    expect((await leader.post("/follow/v1/apply", { ...body, shareRate: "0.2" })).code).toBe("SHARE_ABOVE_LEVEL");
    const applied = await leader.post("/follow/v1/apply", body);
    expect(applied.data).toMatchObject({ state: "APPLIED", nickname: "Ada" });
    expect((await leader.post("/follow/v1/apply", body)).code).toBe("LEAD_APPLIED");
    const leaders = (await chief.get("/v1/console/copy/leaders?state=APPLIED")).data.leaders;
    expect(leaders).toMatchObject([{ nickname: "Ada", state: "APPLIED", washTrades: 0 }]);
    expect((await leader.get("/v1/console/copy/leaders")).status).toBe(403);
    const made = await decide(leaders[0].leaderId, "approve");
    expect((await approve(chief, made)).status).not.toBe(200);
    expect((await approve(second, made)).status).toBe(200);
    await expect.poll(async () => (await leader.get("/follow/v1/identity")).data.state).toBe("ACTIVE");
    const { data } = await leader.get("/follow/v1/leaders");
    expect(data.total).toBe(1);
    expect(data.leaders[0]).toMatchObject({
      nickname: "Ada",
      isOwn: true,
      shareRate: "0.1",
      followers: 0,
      isSimulated: false,
    });
    leaderId = data.leaders[0].leaderId;
    expect(data.leaders[0].figures.trades).toBe(10);
  });
});

describe("following", () => {
  test("[COPY-3] refusals give the reason and change nothing", async () => {
    const anna = await follower();
    const follow = (body: object) => anna.post("/follow/v1/follow", { leaderId, ...FOLLOW, ...body });
    expect((await leader.post("/follow/v1/follow", { leaderId, ...FOLLOW })).code).toBe("SELF_FOLLOW");
    expect((await follow({ leaderId: "999999" })).code).toBe("LEADER_UNKNOWN");
    expect((await follow({ investment: "49" })).code).toBe("INVESTMENT_TOO_SMALL");
    expect((await follow({ investment: "99999" })).code).toBe("INSUFFICIENT_BALANCE");
    expect((await follow({ fixed: "0" })).fields).toHaveProperty(["body.fixed"]);
    expect((await follow({ slippage: "0.2" })).fields).toHaveProperty(["body.slippage"]);
    expect((await follow({ mode: "multiplier", multiplier: "11" })).fields).toHaveProperty(["body.multiplier"]);
    expect((await follow({ pairs: ["DOGE_EUR"] })).fields).toHaveProperty(["body.pairs"]);
    const fresh = await server.trader({ USDT: "100" });
    expect((await fresh.post("/follow/v1/follow", { leaderId, ...FOLLOW })).code).toBe("IDENTITY_REQUIRED");
    expect((await anna.get("/follow/v1/follows")).data).toEqual([]);
    expect((await anna.post("/follow/v1/cancel", { leaderId, positions: "close" })).code).toBe("NOT_FOLLOWING");
  });

  test("[COPY-3] a leader's fill is copied, closed by the same part, and the share held, to the unit", async () => {
    const bob = await follower();
    const followed = await bob.post("/follow/v1/follow", { leaderId, ...FOLLOW });
    expect(followed.status).toBe(200);
    expect((await bob.post("/follow/v1/follow", { leaderId, ...FOLLOW })).code).toBe("ALREADY_FOLLOWING");
    await trade(leader, "buy", "0.1", "50000", { account: "lead" });
    await expect.poll(async () => (await bob.get("/follow/v1/positions")).data.length).toBe(1);
    const [position] = (await bob.get("/follow/v1/positions")).data;
    // 100 USDT at 20 times at 50 000.
    expect(position).toMatchObject({
      leaderId,
      nickname: "Ada",
      side: "long",
      quantity: "0.040",
      entryPrice: "50000.0",
    });
    await server.mark(server.linear, 550_000);
    await trade(leader, "sell", "0.1", "55000", { account: "lead" });
    await expect.poll(async () => (await bob.get("/follow/v1/positions")).data.length).toBe(0);
    // 0.04 × 5 000 less fees of 0.06 % on 2 000 and 2 200: 197.48, a tenth of it held.
    await expect.poll(async () => (await followOf(bob)).realizedPnl).toBe("197.48");
    expect(await followOf(bob)).toMatchObject({
      held: "19.748",
      highWaterMark: "0",
      copies: 2,
      skips: 0,
      shareRate: "0.1",
    });
    const { copies } = (await bob.get("/follow/v1/copies")).data;
    expect(copies.map(({ what, filled, slippageBps }: Record<string, unknown>) => [what, filled, slippageBps])).toEqual(
      [
        ["close", "0.040", "0.00"],
        ["open", "0.040", "0.00"],
      ],
    );
    const ended = await bob.post("/follow/v1/cancel", { leaderId, positions: "close" });
    expect(ended.data).toMatchObject({ isActive: false, endedBy: "closed", held: "0", paid: "19.748", equity: "0" });
    const profits = (await bob.get("/follow/v1/profits")).data;
    expect([profits.paid, profits.shares.length, profits.shares[0].role]).toEqual(["19.748", 1, "follower"]);
    expect((await leader.get("/follow/v1/profits")).data.earned).toBe("19.748");
    await server.mark(server.linear, 500_000);
  });

  test("[NET-6] a copy arrives only on the sockets of follower and leader, whole, without a request", async () => {
    const [bea, other] = [await follower(), await follower()];
    const sockets = { bea: await login(bea), other: await login(other), leader: await login(leader) };
    for (const client of [sockets.bea, sockets.other]) client.send({ event: "sub", channel: "copy", biz: "futures" });
    sockets.leader.send({ event: "sub", channel: "lead", biz: "futures" });
    const answer = (client: Client, channel: string, fits: (data: Published) => boolean) =>
      client.until((message) => message.channel === channel && fits(message.data as Published));
    for (const client of [sockets.bea, sockets.other])
      await answer(client, "copy", ({ follows }) => follows?.length === 0);
    await bea.post("/follow/v1/follow", { leaderId, ...FOLLOW });
    await answer(sockets.bea, "copy", ({ follows }) => follows?.[0]?.invested === "1000");
    await trade(leader, "buy", "0.1", "50000", { account: "lead" });
    // Read while the tables were being written, an overview may hold half of it; the next one holds all.
    const isWhole = (overview: Published): boolean =>
      overview.positions?.length === 1 && overview.copies?.copies.length === 1;
    const { data } = await answer(sockets.bea, "copy", isWhole);
    const { positions, copies } = data as Published;
    expect(positions?.[0]).toMatchObject({ leaderId, quantity: "0.040", side: "long" });
    expect(copies?.copies).toMatchObject([{ what: "open", filled: "0.040" }]);
    await answer(sockets.leader, "lead", ({ followers }) => followers?.[0]?.copies === 1);
    await trade(leader, "sell", "0.1", "50000", { account: "lead" });
    await answer(
      sockets.bea,
      "copy",
      (overview) => overview.positions?.length === 0 && overview.copies?.copies.length === 2,
    );
    await sockets.other.settle();
    // A user who follows no one was informed so once, and of nothing else.
    const received = sockets.other.messages.filter(({ channel }) => channel === "copy");
    expect(allOf(received, (message) => (message.data as Published).follows?.length === 0)).toBe(true);
    const outsider = await openClient(`${server.url.replace("http", "ws")}/ws`);
    outsider.send({ event: "sub", channel: "copy", biz: "futures" });
    expect((await outsider.until(({ event }) => event === "subfail")).data).toMatchObject({ code: "UNAUTHENTICATED" });
    for (const client of [...Object.values(sockets), outsider]) client.close();
    await bea.post("/follow/v1/cancel", { leaderId, positions: "close" });
  });

  test("[COPY-3] settings are replaced, money goes in and out, a follower who leads and a leader who follows are refused", async () => {
    const carl = await follower();
    await carl.post("/follow/v1/follow", { leaderId, ...FOLLOW });
    const settings = {
      leaderId,
      mode: "multiplier",
      multiplier: "0.5",
      slippage: "0.01",
      stopLoss: "0.8",
      pairs: ["BTC_USDT"],
    };
    const changed = await carl.post("/follow/v1/settings", settings);
    expect(changed.data.settings).toMatchObject({
      mode: "multiplier",
      multiplier: "0.5",
      slippage: "0.0100",
      stopLoss: "0.8000",
      pairs: ["BTC_USDT"],
    });
    const out = { direction: "out", leaderId, amount: "200", clientId: nextClient() };
    expect((await carl.post("/follow/v1/transfer", out)).data).toEqual({ done: true });
    expect((await carl.post("/follow/v1/transfer", out)).data).toEqual({ done: true });
    expect((await followOf(carl)).equity).toBe("800");
    const conditions = (await carl.get("/follow/v1/identity")).data.conditions;
    expect(conditions.find(({ name }: { name: string }) => name === "following").isMet).toBe(false);
    await carl.post("/follow/v1/cancel", { leaderId, positions: "keep" });
  });

  test("[COPY-3] trades that cannot be copied are listed with their reason", async () => {
    const dora = await follower();
    await dora.post("/follow/v1/follow", { leaderId, ...FOLLOW, mode: "multiplier", multiplier: "0.01", fixed: "0" });
    await trade(leader, "buy", "0.01", "50000", { account: "lead" });
    await expect.poll(async () => (await dora.get("/follow/v1/copies")).data.copies.length).toBe(1);
    const [skipped] = (await dora.get("/follow/v1/copies")).data.copies;
    expect([skipped.reason, skipped.filled]).toEqual(["BELOW_MINIMUM", "0.000"]);
    const data = await pageOf(server, dora, `/follow/v1/leaders/${leaderId}`);
    expect(data.quality).toMatchObject({ copies: 4, skips: 1, skipRate: "0.200000", medianSlippageBps: "0.00" });
    expect(data.positions[0]).toMatchObject({ pairCode: "BTC_USDT", side: "long", quantity: "0.010" });
    expect(data.isFollowed).toBe(true);
    await trade(leader, "sell", "0.01", "50000", { account: "lead" });
    await dora.post("/follow/v1/cancel", { leaderId, positions: "close" });
  });
});

describe("abuse", () => {
  test("[COPY-3] circles, a leader who follows, a follower who leads and one above the limit are refused with their codes", async () => {
    const eve = await openLeader("Eve");
    const follow = (who: Visitor, of: string) => who.post("/follow/v1/follow", { leaderId: of, ...FOLLOW });
    expect((await follow(leader, eve.id)).code).toBe("LEADER_FOLLOWS");
    expect((await follow(eve.visitor, leaderId)).code).toBe("LEADER_FOLLOWS");
    const [one, two] = [await follower(), await follower()];
    expect((await follow(one, eve.id)).status).toBe(200);
    expect((await follow(two, eve.id)).code).toBe("FOLLOWERS_FULL");
    const apply = { nickname: "One", bio: "Both.", shareRate: "0.1" };
    expect((await one.post("/follow/v1/apply", apply)).code).toBe("LEAD_CONDITIONS");
    expect((await two.get("/follow/v1/follows")).data).toEqual([]);
    // One operator suspends; two reinstate.
    const stop = { leaderId: eve.id, action: "suspend", reason: "asked for money" };
    expect((await chief.post("/v1/console/copy/leaders/stop", stop)).data).toEqual({ done: true });
    expect((await follow(two, eve.id)).code).toBe("LEADER_NOT_ACTIVE");
    expect((await chief.post("/v1/console/copy/leaders/stop", stop)).code).toBe("LEAD_STATE");
    expect((await approve(second, await decide(eve.id, "resume"))).status).toBe(200);
    await expect.poll(async () => (await reviewed(eve.id)).state).toBe("ACTIVE");
    // A user who enabled it is notified once that a place is free.
    expect((await two.post("/follow/v1/focus", { leaderId: eve.id, isOn: true, tellPlace: true })).status).toBe(200);
    const awaited = async () => (await two.get(`/follow/v1/leaders/${eve.id}`)).data.isAwaited;
    expect(await awaited()).toBe(true);
    const places = async () =>
      ((await two.get("/v2/users/letters")).data.letters as { title: string }[]).filter(
        ({ title }) => title === "Eve has a free place",
      ).length;
    expect(await places()).toBe(0);
    await one.post("/follow/v1/cancel", { leaderId: eve.id, positions: "close" });
    await expect.poll(places).toBe(1);
    await expect.poll(awaited).toBe(false);
    expect((await follow(one, eve.id)).status).toBe(200);
    // The third fill of a day far from the mark suspends her in the core, before it is copied; her own calls lift
    // nothing.
    for (let fill = 0; fill < 3; fill++) await trade(eve.visitor, "buy", "0.01", "51200", { account: "lead" });
    server.wait(2_000);
    await expect.poll(async () => (await reviewed(eve.id)).state).toBe("SUSPENDED");
    expect((await reviewed(eve.id)).reason).toMatch(/fair price/);
    const { copies } = (await one.get("/follow/v1/copies")).data;
    expect(copies.slice(0, 3).map(({ reason }: { reason: string }) => reason)).toEqual([
      "LEADER_PAUSED",
      "SLIPPAGE",
      "SLIPPAGE",
    ]);
    expect((await eve.visitor.post("/follow/v1/lead", { state: "active" })).code).toBe("NOT_LEADING");
    expect((await follow(two, eve.id)).code).toBe("LEADER_NOT_ACTIVE");
    const suspended = async () =>
      ((await one.get("/v2/users/letters")).data.letters as { title: string }[]).filter(
        ({ title }) => title === "Eve is suspended",
      ).length;
    await expect.poll(suspended).toBe(1);
    expect((await approve(second, await decide(eve.id, "resume"))).status).toBe(200);
    await expect.poll(async () => (await reviewed(eve.id)).state).toBe("ACTIVE");
    // Reinstated, she is not suspended again for earlier fills.
    server.wait(4_000);
    expect((await reviewed(eve.id)).state).toBe("ACTIVE");
    expect(await suspended()).toBe(1);
    await one.post("/follow/v1/cancel", { leaderId: eve.id, positions: "close" });
    expect(await places()).toBe(1);
  });

  test("[COPY-3] trades between a leader and their follower are flagged for operators, others are not", async () => {
    const gina = await follower();
    await gina.post("/follow/v1/follow", { leaderId, ...FOLLOW });
    expect((await reviewed(leaderId)).washTrades).toBe(0);
    await order(leader, { side: "sell", price: "50000", quantity: "0.01", account: "lead" });
    const taken = await order(gina, { side: "buy", price: "50000", quantity: "0.01", timeInForce: "IOC" });
    expect(taken.status).toBe(200);
    server.wait(61_000);
    await expect.poll(async () => (await reviewed(leaderId)).washTrades).toBe(1);
    await trade(leader, "buy", "0.01", "50000", { account: "lead" });
    await trade(gina, "sell", "0.01", "50000");
    const durable = server.engine.health().durableSequence;
    server.wait(61_000);
    const looked = async () => {
      const { rows } = await sql<{ sequence: number }>`select sequence from copy_cursor`.execute(
        server.kysely as never,
      );
      return Number(rows[0]?.sequence);
    };
    await expect.poll(looked).toBeGreaterThanOrEqual(durable);
    expect((await reviewed(leaderId)).washTrades).toBe(1);
    await gina.post("/follow/v1/cancel", { leaderId, positions: "close" });
  });

  test("[COPY-1] three announcements a day reach followers; a fourth is refused", async () => {
    const hugo = await follower();
    await hugo.post("/follow/v1/follow", { leaderId, ...FOLLOW });
    const announce = (text: string) => leader.post("/follow/v1/announce", { text, clientId: nextClient() });
    for (const text of ["one", "two", "three"]) expect((await announce(text)).data).toEqual({ done: true });
    const fourth = await announce("four");
    expect([fourth.status, fourth.code]).toEqual([429, "ANNOUNCED_TOO_OFTEN"]);
    expect((await hugo.post("/follow/v1/announce", { text: "x", clientId: "x" })).code).toBe("NOT_LEADING");
    await hugo.post("/follow/v1/cancel", { leaderId, positions: "close" });
  });
});

describe("talk", () => {
  test("[COPY-1] comments are bounded, deduplicated, reported and hidden; favourites keep notes; a text without a provider is returned untranslated", async () => {
    const emil = await follower("100");
    const say = (text: string, clientId = nextClient()) =>
      emil.post("/follow/v1/comments", { leaderId, text, clientId });
    const first = await say("Steady hands.", "same");
    expect((await say("Steady hands.", "same")).data.commentId).toBe(first.data.commentId);
    expect((await say("Steady hands.")).code).toBe("COMMENT_REPEATED");
    for (const text of ["a", "b", "c", "d"]) expect((await say(text)).status).toBe(200);
    const much = await say("e");
    expect([much.status, much.code]).toEqual([429, "COMMENTS_TOO_OFTEN"]);
    const report = { commentId: first.data.commentId, reason: "spam" };
    expect((await emil.post("/follow/v1/comments/report", report)).code).toBe("OWN_COMMENT");
    expect((await leader.post("/follow/v1/comments/report", report)).data).toEqual({ done: true });
    const shown = async () => (await emil.get(`/follow/v1/comments?leaderId=${leaderId}`)).data.comments.length;
    expect(await shown()).toBe(5);
    const { data: reported } = await chief.get("/v1/console/copy/comments");
    expect(reported).toMatchObject([{ commentId: first.data.commentId, reports: 1, text: "Steady hands." }]);
    const hide = { commentId: first.data.commentId, action: "hide" };
    expect((await chief.post("/v1/console/copy/comments", hide)).data).toEqual({ done: true });
    expect([await shown(), (await chief.get("/v1/console/copy/comments")).data]).toEqual([4, []]);
    const translated = await emil.post("/follow/v1/translate", { text: "Guten Tag", to: "en" });
    expect(translated.data).toEqual({ text: "Guten Tag", isTranslated: false, isSimulated: false, to: "en" });
    await emil.post("/follow/v1/focus", { leaderId, isOn: true, note: "watch the drawdown" });
    expect((await emil.get("/follow/v1/focus")).data).toMatchObject([{ leaderId, note: "watch the drawdown" }]);
    expect((await emil.get("/follow/v1/leaders?focused=true")).data.total).toBe(1);
  });
});

describe("the end of leading", () => {
  test("[COPY-1] pausing accepts no followers; closing waits for positions and blocks for thirty days", async () => {
    expect((await leader.post("/follow/v1/lead", { state: "paused" })).data.state).toBe("PAUSED");
    const late = await follower();
    expect((await late.post("/follow/v1/follow", { leaderId, ...FOLLOW })).code).toBe("LEADER_NOT_ACTIVE");
    expect((await leader.post("/follow/v1/lead", { state: "active" })).data.state).toBe("ACTIVE");
    await trade(leader, "buy", "0.01", "50000", { account: "lead" });
    expect((await leader.post("/follow/v1/apply/cancel", {})).data.state).toBe("CLOSING");
    await trade(leader, "sell", "0.01", "50000", { account: "lead" });
    server.wait(3_000);
    await expect.poll(async () => (await leader.get("/follow/v1/identity")).data.state).toBe("NONE");
    const again = await leader.post("/follow/v1/apply", { nickname: "Ada", bio: "Again.", shareRate: "0.1" });
    expect(again.code).toBe("LEAD_RESTS");
  });
});
