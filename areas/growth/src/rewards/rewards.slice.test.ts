// Rewards over the wire against the real ledger: tasks completed, concurrent claims, budgets, coupons of every kind,
// unused amounts, spring cards and the console.

import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { checkDraw } from "@clockwork/kit/earn/draw";
import { DAY_MS } from "@clockwork/kit/time";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import { holds, place, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ActivityPayload } from "../spring/contract.ts";
import { springStore } from "../spring/store.ts";
import type { Reward, TaskPayload } from "./contract.ts";
import { rewardStore } from "./store.ts";

const TASKS = "/v1/welfare/tasks";
const CLAIM = "/v1/welfare/claim";
const COUPONS = "/v1/welfare/coupons";
const DESK = "/v1/console/rewards";
const SPRING = "/v1/activity/spring";

let server: TradingServer;
let chief: Visitor;
let second: Visitor;
let maker: Visitor;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  const enter = async (which: number): Promise<Visitor> => (await enterAsOperator(server, which)).operator;
  [chief, second, maker] = await Promise.all([enter(0), enter(1), server.trader({ BTC: "5" })]);
  await place(maker, { side: "sell", price: "96000", quantity: "3" });
});
afterAll(() => server?.close());

let ids = 0;
const propose = (path: string, body: object) => {
  ids += 1;
  return chief.post(path, { ...body, clientId: `proposal-${ids}` });
};
const agreed = async (path: string, body: object): Promise<void> => {
  const end = await approve(second, await propose(path, body));
  if (end.status !== 200) throw new Error(`not approved: ${end.message}`);
};

/** With tasks that do not depend on one another. */
async function campaign(campaignId: string, amount: string, ...tasks: readonly Task[]): Promise<void> {
  await agreed(`${DESK}/campaign`, { campaignId, name: campaignId });
  const fund = agreed(`${DESK}/fund`, { campaignId, amount, reason: "test" });
  await Promise.all([fund, ...tasks.map(([taskId, reward, more = {}]) => task(taskId, campaignId, reward, more))]);
}
type Task = readonly [taskId: string, reward: Reward, more?: Partial<TaskPayload>];

const bodyOf = (taskId: string, campaignId: string, reward: Reward, more: Partial<TaskPayload> = {}): TaskPayload => ({
  taskId,
  campaignId,
  kind: "limitOrder",
  target: "1",
  course: "",
  after: null,
  levelNeeded: 1,
  reward,
  startsAtMs: server.nowMs() - DAY_MS,
  endsAtMs: server.nowMs() + 30 * DAY_MS,
  claimUntilMs: server.nowMs() + 60 * DAY_MS,
  position: 1,
  ...more,
});
const task = (...of: Parameters<typeof bodyOf>): Promise<void> => agreed(`${DESK}/task`, bodyOf(...of));
const airdrop = (amount: string): Reward => ({ kind: "airdrop", amount });

const spot = async (visitor: Visitor): Promise<string> => (await holds(visitor, "USDT"))[0];
const order = async (visitor: Visitor): Promise<void> => {
  const placed = await place(visitor, { side: "buy", price: "95000", quantity: "0.001" });
  if (placed.status !== 200) throw new Error(`the order was refused: ${placed.message}`);
};
const claim = (visitor: Visitor, taskId: string) => visitor.post(CLAIM, { taskId });
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const own = async (visitor: Visitor, taskId: string): Promise<any> =>
  (await visitor.get(TASKS)).data.tasks.find((one: { taskId: string }) => one.taskId === taskId);
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const reported = async (campaignId: string): Promise<any> =>
  (await chief.get(DESK)).data.campaigns.find((one: { campaignId: string }) => one.campaignId === campaignId);

/** A user with the given USDT who has placed a limit order far from the price. */
async function orderer(usdt = "1000"): Promise<Visitor> {
  const visitor = await server.trader({ USDT: usdt });
  await visitor.dev("/identity", { level: 1 });
  await order(visitor);
  return visitor;
}

/** Lets the part's own loops run until a condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  // The work in between has its own rate; a busy machine only makes it slower. Time is moved for a few rounds and then
  // runs normally: moved at every check, a slow machine would outlive all sessions.
  let moves = 10;
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await new Promise((done) => setTimeout(done, 10))) {
    if (await isSo()) return;
    if (moves > 0) server.wait(3_000);
    moves -= 1;
  }
  throw new Error("it never was so");
}

test("[USR-5] campaigns, budgets and tasks take two operators; bad ones are refused with their codes", async () => {
  await campaign("desk", "100");
  const code = async (path: string, body: object) => (await propose(path, body)).code;
  expect(await code(`${DESK}/campaign`, { campaignId: "desk", name: "again" })).toBe("CAMPAIGN_EXISTS");
  expect(await code(`${DESK}/fund`, { campaignId: "none", amount: "1", reason: "x" })).toBe("CAMPAIGN_UNKNOWN");
  expect(await code(`${DESK}/fund`, { campaignId: "desk", amount: "0", reason: "x" })).toBe("INVALID_AMOUNT");
  const bad = (more: Partial<TaskPayload>) => code(`${DESK}/task`, bodyOf("bad", "desk", airdrop("1"), more));
  expect(await bad({ campaignId: "none" })).toBe("CAMPAIGN_UNKNOWN");
  expect(await bad({ kind: "copy", target: "0.5" })).toBe("INVALID_TARGET");
  expect(await bad({ kind: "quiz", course: "no-such" })).toBe("COURSE_UNKNOWN");
  expect(await bad({ course: "first-steps" })).toBe("COURSE_UNKNOWN");
  expect(await bad({ after: "no-such" })).toBe("TASK_UNKNOWN");
  expect(await bad({ claimUntilMs: server.nowMs() })).toBe("INVALID_TIMES");
  expect(await bad({ reward: airdrop("0") })).toBe("INVALID_AMOUNT");
  expect(await reported("desk")).toMatchObject({ funded: "100", left: "100", spent: "0", difference: "0", tasks: [] });
  const anybody = await server.trader();
  expect((await anybody.get(DESK)).status).toBe(403);
  expect((await anybody.post(`${DESK}/open`, { campaignId: "desk", isOpen: false })).status).toBe(403);
  expect((await chief.post(`${DESK}/open`, { campaignId: "none", isOpen: false })).code).toBe("CAMPAIGN_UNKNOWN");
});

test("[USR-5] twenty concurrent claims of a completed task are one, with one letter and one bill", async () => {
  await campaign("many", "100", ["many-order", airdrop("10")]);
  await task("many-next", "many", airdrop("3"), { kind: "spotVolume", target: "500", after: "many-order" });
  const visitor = await server.trader({ USDT: "1000" });
  expect(await own(visitor, "many-order")).toMatchObject({ state: "OPEN", progress: "0", target: "1" });
  expect(await own(visitor, "many-next")).toMatchObject({ state: "LOCKED", target: "500" });
  expect((await claim(visitor, "many-order")).code).toBe("TASK_NOT_DONE");
  expect((await claim(visitor, "many-next")).code).toBe("TASK_LOCKED");
  expect((await claim(visitor, "no-such")).code).toBe("TASK_UNKNOWN");
  await visitor.dev("/identity", { level: 1 });
  await order(visitor);
  expect(await own(visitor, "many-order")).toMatchObject({ state: "DONE", progress: "1" });
  expect(await own(visitor, "many-next")).toMatchObject({ state: "OPEN" });
  const before = Number(await spot(visitor));
  const answers = await Promise.all(Array.from({ length: 20 }, () => claim(visitor, "many-order")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ data }) => data.claimId)).size).toBe(1);
  expect(Number(await spot(visitor)) - before).toBe(10);
  expect(await own(visitor, "many-order")).toMatchObject({ state: "CLAIMED" });
  const { letters } = (await visitor.get("/v2/users/letters")).data;
  const titles = letters.map(({ title }: { title: string }) => title);
  expect(titles.filter((title: string) => title === "Your reward is here")).toHaveLength(1);
  expect((await visitor.get(TASKS)).data.claimed).toMatchObject({ count: 1, value: "10" });
  expect(await reported("many")).toMatchObject({ spent: "10", left: "90", difference: "0" });
});

test("[USR-5] five concurrent users never take more than the budget; a refused one gets the reward when there is more", async () => {
  const [people] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => orderer())),
    campaign("short", "25", ["short-order", airdrop("10")]),
  ]);
  const answers = await Promise.all(people.map((person) => claim(person, "short-order")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ code }) => code === "REWARD_BUDGET_SPENT")).toHaveLength(3);
  const late = people[answers.findIndex(({ status }) => status !== 200)] as Visitor;
  expect(await own(late, "short-order")).toMatchObject({ state: "DONE", isSpent: true });
  expect(await reported("short")).toMatchObject({ spent: "20", left: "5", difference: "0" });
  await agreed(`${DESK}/fund`, { campaignId: "short", amount: "5", reason: "more" });
  expect((await claim(late, "short-order")).status).toBe(200);
  expect(await reported("short")).toMatchObject({ funded: "30", spent: "30", left: "0", difference: "0" });
});

test("[USR-5] a reward is given once to a user and once to a device, and ends with its time", async () => {
  const nowMs = server.nowMs();
  const over = { claimUntilMs: nowMs + 2, endsAtMs: nowMs + 1 };
  const made = campaign(
    "once",
    "100",
    ["once-known", airdrop("5"), { levelNeeded: 2 }],
    ["once-device", airdrop("5")],
    ["once-over", airdrop("5"), over],
  );
  const [visitor] = await Promise.all([orderer(), made]);
  expect((await claim(visitor, "once-known")).code).toBe("KYC_LEVEL_REQUIRED");
  await visitor.dev("/identity", { level: 2 });
  expect((await claim(visitor, "once-known")).status).toBe(200);
  expect((await claim(visitor, "once-device")).status).toBe(200);
  const join = async (email: string, headers?: Record<string, string>) => {
    const other = new Visitor(server, headers);
    await other.signUp(email);
    await other.faucet("USDT", "1000");
    await order(other);
    return other;
  };
  const other = await join("same-device@example.com", visitor.headers);
  expect((await claim(other, "once-device")).code).toBe("KYC_LEVEL_REQUIRED");
  await other.dev("/identity", { level: 1 });
  expect((await claim(other, "once-device")).code).toBe("DEVICE_USED");
  // Tags and dots of one mailbox belong to one person.
  const [name, host] = ["first.name", "gmail.com"];
  for (const [email, answered] of [
    [`${name}@${host}`, 200],
    [`${name}+2@${host}`, "MAILBOX_USED"],
    [`firstname@${host}`, "MAILBOX_USED"],
  ] as const) {
    const person = await join(email);
    await person.dev("/identity", { level: 1 });
    expect((await claim(person, "once-device")).code).toBe(answered);
  }
  expect((await claim(other, "once-over")).code).toBe("TASK_EXPIRED");
  await chief.post(`${DESK}/open`, { campaignId: "once", isOpen: false });
  expect((await claim(await orderer(), "once-device")).code).toBe("TASK_EXPIRED");
});

test("[USR-5] a fee coupon returns its part of the fees after the fill", async () => {
  const fees: Reward = { kind: "feeCoupon", amount: "2", biz: "spot", ratioPercent: 50, days: 3 };
  const [visitor] = await Promise.all([orderer("20000"), campaign("fees", "100", ["fees-order", fees])]);
  const claimed = await claim(visitor, "fees-order");
  expect(claimed.status).toBe(200);
  expect((await reported("fees")).left).toBe("98");
  const before = await spot(visitor);
  await place(visitor, { side: "buy", price: "96000", quantity: "0.01" });
  // 960 USDT at 0.1 % cost 0.96 in BTC; half of it comes back in USDT.
  const coupon = async () =>
    (await visitor.get(COUPONS)).data.coupons.find((one: { kind: string }) => one.kind === "fee");
  await until(async () => (await coupon()).left !== "2");
  expect(await coupon()).toMatchObject({ state: "USABLE", face: "2", left: "1.52", ratioPercent: 50 });
  // It is deducted from the coupon before it is paid.
  await expect.poll(async () => Number(await spot(visitor))).toBeCloseTo(Number(before) - 960 + 0.48, 6);
});

test("[USR-5] gold counts as margin and coupons appear where they are used; twenty concurrent claims of each kind are one", async () => {
  const earn = { kind: "earnCoupon", product: "flexible", rate: "0.01", cap: "1000", days: 7, validDays: 2 } as const;
  const made = campaign(
    "kinds",
    "200",
    ["kinds-gold", { kind: "gold", amount: "40", days: 14, ratioPercent: 100, maxLeverage: 20 }],
    ["kinds-earn", earn],
    ["kinds-spot", { kind: "spotCoupon", amount: "10", asset: "BTC", volume: "500", days: 2 }],
    ["kinds-fees", { kind: "feeCoupon", amount: "3", biz: "futures", ratioPercent: 20, days: 2 }],
  );
  const [visitor] = await Promise.all([orderer("20000"), made]);
  const names = ["kinds-gold", "kinds-earn", "kinds-spot", "kinds-fees"];
  const first = (await visitor.get(COUPONS)).data.coupons;
  // The initial ones exist before earn is first read, and once.
  const earned = first.filter(({ kind, state }: Record<string, string>) => kind === "earn" && state === "USABLE");
  expect(earned.map(({ product }: { product: string }) => product).sort()).toEqual(["fixed", "flexible"]);
  const before = first.length;
  for (const taskId of names) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim(visitor, taskId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ data }) => data.claimId)).size).toBe(1);
    // Sixty claims a minute are allowed.
    server.wait(61_000);
  }
  await expect
    .poll(async () => (await visitor.get("/v1/common/almighty-gold/state")).data)
    .toMatchObject({
      isActive: true,
      count: 1,
      amounts: [{ asset: "USDT", left: "40", given: "40" }],
    });
  const { coupons } = (await visitor.get(COUPONS)).data;
  // One of each, gold separately.
  expect(coupons).toHaveLength(before + 3);
  expect(coupons).toContainEqual(expect.objectContaining({ kind: "fee", face: "3", left: "3", biz: "futures" }));
  expect(coupons).toContainEqual(expect.objectContaining({ kind: "earn", rate: "0.01", cap: "1000", state: "USABLE" }));
  const bonus = { kind: "bonus", face: "10", asset: "BTC", volumeNeeded: "500", state: "USABLE", isReady: false };
  expect(coupons).toContainEqual(expect.objectContaining(bonus));
  const spent = 40 + 0.191781 + 10 + 3;
  expect(Number((await reported("kinds")).spent)).toBeCloseTo(spent, 6);
});

const cards = (activityId: string, campaignId: string, more: Partial<ActivityPayload> = {}): ActivityPayload => ({
  activityId,
  campaignId,
  name: "Spring",
  startsAtMs: server.nowMs() - DAY_MS,
  endsAtMs: server.nowMs() + 30 * DAY_MS,
  volumePerDraw: "500",
  drawsPerDayMax: 20,
  prizes: [
    { count: 1, amount: "100" },
    { count: 3, amount: "20" },
  ],
  ...more,
});

test("[USR-5] two operators open spring cards, one closes them; bad terms and a second at the same time are refused", async () => {
  const path = `${DESK}/spring/activity`;
  await campaign("cards", "100");
  const code = async (more: Partial<ActivityPayload>) => (await propose(path, cards("early", "cards", more))).code;
  expect(await code({ campaignId: "none" })).toBe("CAMPAIGN_UNKNOWN");
  expect(await code({ endsAtMs: server.nowMs() - DAY_MS })).toBe("INVALID_TIMES");
  expect(await code({ volumePerDraw: "0" })).toBe("INVALID_AMOUNT");
  expect(await code({ prizes: [{ count: 1, amount: "0.0" }] })).toBe("INVALID_AMOUNT");
  expect((await propose(path, cards("early", "cards", { prizes: [] }))).status).toBe(400);
  // Both were proposed while none was open: of two concurrent approvals one opens.
  const made = [await propose(path, cards("early", "cards")), await propose(path, cards("late", "cards"))];
  await Promise.all(made.map((one) => approve(second, one)));
  const listed = async () => (await chief.get(`${DESK}/spring`)).data.activities;
  const [one] = await listed();
  expect(await listed()).toHaveLength(1);
  expect(await code({ activityId: "third" })).toBe("ACTIVITY_OVERLAPS");
  expect(await code({ activityId: one.activityId })).toBe("ACTIVITY_EXISTS");
  const set = (activityId: string, isOpen: boolean) => chief.post(`${DESK}/spring/open`, { activityId, isOpen });
  const visitor = await server.trader();
  expect((await visitor.get(SPRING)).data.activity).toMatchObject({ activityId: one.activityId, isOpen: true });
  expect((await visitor.post(`${DESK}/spring/open`, { activityId: "early", isOpen: false })).status).toBe(403);
  expect((await set("none", false)).code).toBe("ACTIVITY_UNKNOWN");
  expect((await set(one.activityId, false)).status).toBe(200);
  expect((await visitor.post(`${SPRING}/draw`)).code).toBe("NO_ACTIVITY");
  // Closed, it makes room for another, and cannot be opened at the same time.
  await agreed(path, cards("next", "cards"));
  expect((await visitor.get(SPRING)).data.activity).toMatchObject({ activityId: "next", isOpen: true });
  expect((await set(one.activityId, true)).code).toBe("ACTIVITY_OVERLAPS");
  expect((await set("next", false)).status).toBe(200);
});

test("[USR-5] twenty concurrent draws take the one draw available; anyone can repeat it when its day is over", async () => {
  await campaign("spring", "250");
  const springs = springStore(server.kysely as never);
  await agreed(`${DESK}/spring/activity`, cards("spring-test", "spring"));
  const visitor = await server.trader({ USDT: "20000" });
  const { activity, own: mine } = (await visitor.get(SPRING)).data;
  expect(activity).toMatchObject({ pool: "250", left: "250", promise: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(mine).toMatchObject({ drawsLeft: 1, movements: 0 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.post(`${SPRING}/draw`)));
  const [drawn] = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ code }) => code === "NO_DRAWS_LEFT")).toHaveLength(19);
  expect(drawn?.data).toMatchObject({ state: "DRAWN", promise: activity.promise, serverSeed: null });
  // Turnover of the day gives more; one press of the button is one draw however often it is received.
  await place(visitor, { side: "buy", price: "96000", quantity: "0.011" });
  const path = `${SPRING}/draw`;
  const same = await Promise.all([
    ...[1, 2].map(() => visitor.post(path, { clientId: "press-1234" })),
    visitor.post(`${path}?clientId=press-1234`),
  ]);
  expect(new Set(same.map(({ data }) => data.drawId)).size).toBe(1);
  expect((await visitor.get(SPRING)).data.own).toMatchObject({ drawsUsed: 2, drawsLeft: 1 });
  expect((await visitor.post(`${SPRING}/assemble`)).code).toBe("CARDS_MISSING");
  const [row] = await springs.listOwn("spring-test", Number((await visitor.post("/v2/users/top-info")).data.id));
  const day = row === undefined ? undefined : await springs.findDay("spring-test", row.seed_day);
  const { data } = drawn as { data: Parameters<typeof checkDraw>[0] };
  expect(checkDraw({ ...data, serverSeed: day?.server_seed ?? "" }, () => undefined)).toBe(true);
  // A second account at the same device draws nothing.
  const reference = new Visitor(server, visitor.headers);
  await reference.signUp("spring-twin@example.com");
  expect((await reference.post(`${SPRING}/draw`)).code).toBe("DEVICE_USED");
});

test("[USR-5] one of each card is one prize however often it is requested, from the reserved amount", async () => {
  const springs = springStore(server.kysely as never);
  const visitor = await server.trader({ USDT: "100" });
  const userId = Number((await visitor.post("/v2/users/top-info")).data.id);
  /** This many whole sets, as if from draws of past days. */
  const collect = async (sets: number): Promise<void> => {
    const drawn = Array.from({ length: sets * 5 }, (_, index) => {
      ids += 1;
      return springs.add({
        draw_id: ids.toString(16).padStart(32, "0"),
        activity_id: "spring-test",
        user_id: userId,
        what: "card",
        day: 1,
        slot: ids,
        seed_day: 1,
        client_id: `c${ids}`,
        tickets: 5,
        close_sequence: 1,
        root: "00",
        public_seed: "00",
        journal: null,
        seed: "00",
        ticket: (index % 5) + 1,
        prize_units: 0n,
        state: "DONE",
        made_ms: ids,
      });
    });
    await Promise.all(drawn);
  };
  await collect(1);
  expect((await visitor.post(`${SPRING}/assemble`)).code).toBe("KYC_LEVEL_REQUIRED");
  await visitor.dev("/identity", { level: 1 });
  const before = Number(await spot(visitor));
  const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.post(`${SPRING}/assemble`)));
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "CARDS_MISSING")).toHaveLength(19);
  const prize = Number(won[0]?.data.prize);
  expect([100, 20]).toContain(prize);
  expect(Number(await spot(visitor)) - before).toBe(prize);
  expect(await reported("spring")).toMatchObject({ held: "0", difference: "0", spent: String(prize) });
  // As long as the largest prize can be reserved there are draws, and never one more.
  await collect(20);
  await Promise.all(Array.from({ length: 20 }, () => visitor.post(`${SPRING}/assemble`)));
  // Concurrently some find nothing left while others' largest prizes are reserved; sequential calls decide.
  let last = await visitor.post(`${SPRING}/assemble`);
  for (let turns = 0; turns < 15 && last.status === 200; turns++) last = await visitor.post(`${SPRING}/assemble`);
  expect(last.code).toBe("REWARD_BUDGET_SPENT");
  const end = await reported("spring");
  expect(Number(end.left)).toBeLessThan(100);
  expect(end).toMatchObject({ held: "0", difference: "0", funded: "250" });
});

test("[USR-5] the unused part of coupons is back in the budget after their time", async () => {
  const store = rewardStore(server.kysely as never);
  const returned = async (campaignId: string): Promise<bigint> =>
    (await store.sumClaims(campaignId)).reduce((sum, { returnedUnits }) => sum + returnedUnits, 0n);
  const left = async (campaignId: string): Promise<bigint> => {
    const number = (await store.findCampaign(campaignId))?.number;
    const account = await openHouseAccount(server.engine.submit, "campaignTreasury", number);
    const view = await server.engine.cache?.open(account ?? 0, server.nowMs());
    return [...(view?.of(ledgerView).balances.values() ?? [])][0]?.available_units ?? 0n;
  };
  server.wait(3 * DAY_MS + 61_000);
  await until(async () => (await returned("kinds")) > 0n && (await returned("fees")) > 0n);
  await until(async () => (await returned("kinds")) === 13_191_781n);
  // Of two USDT 0.48 were returned; interest and spot coupons were not used at all.
  expect(await returned("fees")).toBe(1_520_000n);
  expect(await left("fees")).toBe(99_520_000n);
  expect(await left("kinds")).toBe(160_000_000n);
});
