// Earn over the wire against the real ledger: subscriptions, tiers, credits after stops, terms, refusals and races.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { accrueTo, PARTS_IN_UNIT } from "@clockwork/kit/earn/accrual";
import { termInterest } from "@clockwork/kit/earn/terms";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type FuturesServer, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { holds, place } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { offer, pass, saver, TIERS } from "./earn-fixture.ts";

let server: FuturesServer;
beforeAll(async () => {
  server = await startFuturesServer();
  const kysely = server.kysely;
  if (kysely === undefined) throw new Error("no database");
  await offer(kysely, { product_id: "flex" });
  await offer(kysely, { product_id: "small", quota_units: 1_000_000_000n, user_max_units: 700_000_000n });
  await offer(kysely, { product_id: "slow", day_out_units: 100_000_000n });
  await offer(kysely, { product_id: "term", kind: "fixed", days: 7, rate: 5_000_000 });
  await offer(kysely, { product_id: "shut", closes_ms: 1 });
}, 180_000);
afterAll(() => server?.close());

let ids = 0;
const put = (visitor: Visitor, productId: string, amount: string, more: object = {}) => {
  ids += 1;
  return visitor.post("/financial/v1/subscribe", { productId, amount, clientId: `c${ids}`, ...more });
};
const spot = async (visitor: Visitor): Promise<string> => (await holds(visitor, "USDT"))[0];
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const holdings = async (visitor: Visitor): Promise<any[]> =>
  (await visitor.get("/financial/v1/holdings")).data.holdings;
/** To this time after the next midnight. */
const toMidnight = (afterMs: number, ...visitors: readonly Visitor[]): Promise<void> =>
  pass(server, DAY_MS - (server.nowMs() % DAY_MS) + afterMs, ...visitors);

test("[EARN-1] bad input is refused with its code and moves nothing", async () => {
  const visitor = await saver(server);
  const code = async (productId: string, amount: string, more: object = {}) =>
    (await put(visitor, productId, amount, more)).code;
  expect(await code("nothing", "1")).toBe("PRODUCT_UNKNOWN");
  expect(await code("shut", "10")).toBe("PRODUCT_CLOSED");
  // Closed this very millisecond.
  if (server.kysely !== undefined) await offer(server.kysely, { product_id: "just", closes_ms: server.nowMs() });
  expect(await code("just", "10")).toBe("PRODUCT_CLOSED");
  expect(await code("flex", "0.5")).toBe("BELOW_MINIMUM");
  expect(await code("flex", "0")).toBe("INVALID_AMOUNT");
  expect(await code("small", "800")).toBe("USER_QUOTA");
  expect(await code("small", "1001")).toBe("QUOTA_EXCEEDED");
  expect(await code("flex", "10001")).toBe("INSUFFICIENT_BALANCE");
  const other = await saver(server);
  const { coupons } = (await other.get("/spot-coupon/v1/earn-coupons")).data;
  expect(await code("term", "100", { couponId: coupons[0].couponId })).toBe("COUPON_UNKNOWN");
  const anybody = await server.trader({ USDT: "100" });
  expect((await put(anybody, "flex", "10")).code).toBe("KYC_LEVEL_REQUIRED");
  // Interest above the treasury's balance is not promised, for a term or for a month, whatever else is wrong.
  const boundless = { user_max_units: 1n << 60n, quota_units: 1n << 60n, day_in_units: 1n << 60n };
  const wide = { rate: 99_000_000, days: 90, ...boundless };
  if (server.kysely !== undefined) {
    await offer(server.kysely, { product_id: "wide-term", kind: "fixed", ...wide });
    await offer(server.kysely, { product_id: "wide-flex", ...wide, taken_units: 40_000_000_000_000_000n });
  }
  for (const name of ["wide-term", "wide-flex"]) expect(await code(name, "8000000000")).toBe("TREASURY_SHORT");
  // Interest promised to one product is not promised to another of the same coin.
  for (const name of ["flex", "term"]) expect(await code(name, "100")).toBe("TREASURY_SHORT");
  if (server.kysely !== undefined)
    await sql`update earn_product set taken_units = 0 where product_id = 'wide-flex'`.execute(server.kysely);
  expect(await spot(visitor)).toBe("10000");
  expect(await holdings(visitor)).toEqual([]);
});

test("[EARN-1] one id is one subscription, and redeeming twice at once pays once", async () => {
  const visitor = await saver(server);
  const body = { productId: "flex", amount: "600", clientId: "once" };
  const answers = await Promise.all(Array.from({ length: 6 }, () => visitor.post("/financial/v1/subscribe", body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await spot(visitor)).toBe("9400");
  expect((await visitor.post("/financial/v1/subscribe", { ...body, amount: "601" })).code).toBe("CLIENT_ID_REUSED");
  const [held] = await holdings(visitor);
  const { holdingId } = held;
  const redeemed = await Promise.all(
    [1, 2].map(() => visitor.post("/financial/v1/redeem", { holdingId, amount: "400" })),
  );
  expect(redeemed.map(({ code }) => code).sort()).toEqual([200, "HOLDING_SHORT"]);
  expect(await spot(visitor)).toBe("9800");
  const outsider = await saver(server);
  expect((await outsider.post("/financial/v1/redeem", { holdingId })).code).toBe("HOLDING_UNKNOWN");
});

test("[EARN-1] eight concurrent users never exceed the quota", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => saver(server)));
  const answers = await Promise.all(people.map((person) => put(person, "small", "300")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200, "QUOTA_EXCEEDED"]));
});

test("[EARN-1] interest of unread days is credited day by day, once, and compounding grows it", async () => {
  await toMidnight(HOUR_MS);
  const [plain, growing] = [await saver(server), await saver(server)];
  for (const visitor of [plain, growing]) await put(visitor, "flex", "4000");
  const grownId = (await holdings(growing))[0].holdingId;
  await growing.post("/financial/v1/holding-settings", { holdingId: grownId, compound: true });
  const startHour = Math.floor(server.nowMs() / HOUR_MS);
  const firstDay = Math.floor(server.nowMs() / DAY_MS) + 1;
  await pass(server, 5 * DAY_MS - HOUR_MS + 11 * MINUTE_MS, plain, growing);
  const spans = [{ fromHour: 0, tiers: TIERS }];
  const units = 4_000_000_000n;
  let state = { principalUnits: units, earningUnits: 0n, hour: startHour, parts: 0n, boostParts: 0n };
  let grown = state;
  let paid = 0n;
  for (let day = firstDay; day < firstDay + 5; day++) {
    state = accrueTo(state, day * 24, spans);
    paid += state.parts / PARTS_IN_UNIT;
    state = { ...state, parts: state.parts % PARTS_IN_UNIT };
    grown = accrueTo(grown, day * 24, spans);
    const interest = grown.parts / PARTS_IN_UNIT;
    grown = { ...grown, parts: grown.parts % PARTS_IN_UNIT, principalUnits: grown.principalUnits + interest };
  }
  const text = (amount: bigint): string => String(Number(amount) / 1_000_000);
  await expect.poll(() => spot(plain)).toBe(text(6_000_000_000n + paid));
  await expect.poll(async () => (await holdings(growing))[0].principal).toBe(text(grown.principalUnits));
  expect(await spot(growing)).toBe("6000");
  await pass(server, 20 * MINUTE_MS, plain);
  expect(await spot(plain)).toBe(text(6_000_000_000n + paid));
  // The row follows the money.
  const credits = async () =>
    (await plain.get("/financial/v1/records")).data.records.filter(({ kind }: { kind: string }) => kind === "credit");
  await expect.poll(credits).toHaveLength(5);
});

test("[EARN-1] amounts beyond the day's pool are paid next day", async () => {
  const visitor = await saver(server);
  await put(visitor, "slow", "300");
  const { holdingId } = (await holdings(visitor))[0];
  expect((await visitor.post("/asset/v1/api/redeem", { holdingId, amount: "80" })).data.state).toBe("done");
  const queued = await visitor.post("/financial/v1/redeem", { holdingId, amount: "50" });
  expect(queued.data.state).toBe("queued");
  expect(await spot(visitor)).toBe("9780");
  await toMidnight(MINUTE_MS, visitor);
  await expect.poll(() => spot(visitor)).toBe("9830");
});

test("[EARN-1] a recurring buy that finds the day's pool used up is skipped whole, and redeems nothing for tomorrow", async () => {
  const visitor = await saver(server);
  await put(visitor, "slow", "300");
  const { holdingId } = (await holdings(visitor))[0];
  await toMidnight(MINUTE_MS, visitor);
  // The day's credit may be under way, and is waited for.
  const redeem = () => visitor.post("/financial/v1/redeem", { holdingId, amount: "80" });
  await expect
    .poll(async () => {
      const { code, data } = await redeem();
      return data?.state ?? code;
    })
    .toBe("done");
  const coin = { coins: [{ asset: "BTC", weight: 100 }], amount: "50", rhythm: "1h", minuteOfDay: 0 };
  const plan = { name: "One", ...coin, weekday: 1, monthDay: 1, sources: ["flexible"], clientId: "pool" };
  const { planId } = (await visitor.post("/financial/v1/plans/create", plan)).data.plans[0];
  await pass(server, HOUR_MS, visitor);
  const runs = async () => (await visitor.get(`/financial/v1/plans/runs?planId=${planId}`)).data.runs;
  // A run that finds the holding busy resumes at the next check, triggered by the clock.
  const state = async () => {
    server.wait(MINUTE_MS / 4);
    return (await runs()).at(-1)?.state;
  };
  await expect.poll(state).toBe("SKIPPED");
  expect((await runs()).at(-1).note).toContain("redemption quota");
  const { records } = (await visitor.get("/financial/v1/records")).data;
  expect(records.filter(({ kind }: { kind: string }) => kind === "redeem")).toHaveLength(1);
  expect((await holdings(visitor))[0].principal).toBe("220");
});

test("[EARN-1] a small recurring buy that was paid before a stop is recorded as paid, and not bought again", async () => {
  const visitor = await saver(server);
  const coin = { coins: [{ asset: "BTC", weight: 100 }], amount: "1", rhythm: "1h", minuteOfDay: 0 };
  const plan = { name: "Small", ...coin, weekday: 1, monthDay: 1, sources: ["spot"], clientId: "small" };
  const made = (await visitor.post("/financial/v1/plans/create", plan)).data.plans[0];
  const { engine } = server;
  const asset = async (symbol: string) =>
    (await engine.readListing())?.assets.find((one) => one.symbol === symbol)?.asset ?? 0;
  let own = 0;
  // The tables follow the engine.
  const find = async () => {
    const rows = await sql<{ account: number }>`select account from engine_accounts where book = 'spot'
      and user_id = (select user_id from plans_plan where plan_id = ${made.planId})`.execute(server.kysely as never);
    own = Number(rows.rows[0]?.account ?? 0);
    return own;
  };
  await expect.poll(find).toBeGreaterThan(0);
  // The state a process left when it was stopped, at a price that is gone.
  const reference = `plan:${made.planId}:${Math.floor(made.nextRunMs / MINUTE_MS).toString(36)}:0`;
  const legs = [
    { from: own, to: RESERVES_ACCOUNT, asset: await asset("USDT"), units: 1_000_000, business: "convert" as const },
    { from: RESERVES_ACCOUNT, to: own, asset: await asset("BTC"), units: 1_234, business: "convert" as const },
  ];
  expect((await engine.submit({ kind: "settle", reference, legs })).done).toBe(true);
  await pass(server, HOUR_MS, visitor);
  const last = async () => {
    server.wait(MINUTE_MS / 4);
    return (await visitor.get(`/financial/v1/plans/runs?planId=${made.planId}`)).data.runs.at(-1);
  };
  await expect.poll(async () => (await last())?.state).toBe("DONE");
  expect(await last()).toMatchObject({ spent: "1", bought: [{ asset: "BTC", amount: "0.00001234", code: "" }] });
  expect(await spot(visitor)).toBe("9999");
});

test("[EARN-1] orders another user places for a recurring buy do not set its price, neither against the user nor against the exchange", async () => {
  const visitor = await saver(server);
  const sell = async (price: string) =>
    (await place(await server.trader({ ETH: "1" }), { pairCode: "ETH_USDT", side: "sell", quantity: "0.5", price }))
      .status;
  const rule = { coins: [{ asset: "ETH", weight: 100 }], rhythm: "1h", minuteOfDay: 0, weekday: 1, monthDay: 1 };
  const make = (name: string, amount: string) =>
    visitor.post("/financial/v1/plans/create", { ...rule, name, amount, sources: ["spot"], clientId: name });
  const last = async (planId: string) => {
    server.wait(MINUTE_MS / 4);
    return (await visitor.get(`/financial/v1/plans/runs?planId=${planId}`)).data.runs.at(-1);
  };
  // The coin is worth 3 318 USDT: a swept book offers four percent above.
  expect(await sell("3450")).toBe(200);
  const expensive = (await make("Dear", "50")).data.plans[0];
  await pass(server, HOUR_MS, visitor);
  await expect.poll(async () => (await last(expensive.planId))?.state).toBe("PART");
  expect(await last(expensive.planId)).toMatchObject({ spent: "0", bought: [{ asset: "ETH", code: "BOOK_TOO_THIN" }] });
  await visitor.post("/financial/v1/plans/end", { planId: expensive.planId });
  // Less than the minimum order comes from the exchange, never below the fair price.
  expect(await sell("3000")).toBe(200);
  const cheap = (await make("Cheap", "1")).data.plans[0];
  await pass(server, HOUR_MS, visitor);
  await expect.poll(async () => (await last(cheap.planId))?.state).toBe("DONE");
  const [bought] = (await last(cheap.planId)).bought;
  expect(Number(bought.amount)).toBeGreaterThan(0.000_29);
  expect(Number(bought.amount)).toBeLessThanOrEqual(1 / 3_300);
});

test("[EARN-1] a fixed term pays at its end, renews on request, and pays no interest before", async () => {
  const [early, whole] = [await saver(server), await saver(server)];
  const { coupons } = (await whole.get("/spot-coupon/v1/earn-coupons")).data;
  const { couponId } = coupons.find(({ kind }: { kind: string }) => kind === "fixed");
  await put(early, "term", "1000");
  // Used by twenty concurrent subscriptions it is applied to one, and the others are not made without it.
  const couponed = await Promise.all(
    Array.from({ length: 20 }, () => put(whole, "term", "1000", { couponId, autoRenew: true })),
  );
  expect(couponed.map(({ code }) => code).sort()).toEqual([200, ...Array.from({ length: 19 }, () => "COUPON_USED")]);
  expect(await spot(whole)).toBe("9000");
  const { holdingId } = (await holdings(early))[0];
  expect((await early.post("/financial/v1/redeem", { holdingId, amount: "500" })).code).toBe("WHOLE_ONLY");
  expect((await early.post("/financial/v1/redeem", { holdingId })).status).toBe(200);
  expect((await early.post("/financial/v1/redeem", { holdingId })).code).toBe("HOLDING_ENDED");
  expect(await spot(early)).toBe("10000");
  await toMidnight(7 * DAY_MS + MINUTE_MS, whole);
  const first = termInterest(1_000_000_000n, 5_000_000, 7, { rate: 2_000_000, capUnits: 3_000_000_000n, days: 30 });
  const second = termInterest(1_000_000_000n, 5_000_000, 7);
  const text = (amount: bigint): string => String(Number(9_000_000_000n + amount) / 1_000_000);
  await expect.poll(() => spot(whole)).toBe(text(first));
  const [again] = await holdings(whole);
  const settings = { holdingId: again.holdingId, autoRenew: false };
  // The next term may be starting.
  await expect.poll(async () => (await whole.post("/financial/v1/holding-settings", settings)).status).toBe(200);
  await pass(server, 7 * DAY_MS, whole);
  await expect.poll(() => spot(whole)).toBe(text(first + second + 1_000_000_000n));
  await expect.poll(() => holdings(whole)).toEqual([]);
});

test("[EARN-1] a shark fin settles at the average of the index's own record, and renews into the next series on request", async () => {
  const startsMs = Math.ceil(server.nowMs() / DAY_MS + 1) * DAY_MS + 8 * HOUR_MS;
  const terms = {
    index: "BTC",
    direction: "bullish",
    isTouch: false,
    low: "450000",
    high: "550000",
    baseRate: 1_000_000,
    lowRate: 4_000_000,
    highRate: 18_000_000,
  };
  const shark = {
    product_id: "shark",
    kind: "shark",
    days: 7,
    rate: 18_000_000,
    closes_ms: startsMs - HOUR_MS,
  } as const;
  const times = { starts_ms: startsMs, ends_ms: startsMs + 7 * DAY_MS };
  if (server.kysely !== undefined) await offer(server.kysely, { ...shark, ...times, terms: JSON.stringify(terms) });
  const next = { starts_ms: times.ends_ms + 7 * DAY_MS, ends_ms: times.ends_ms + 14 * DAY_MS };
  const series = { ...shark, closes_ms: next.starts_ms - HOUR_MS, ...next };
  const other = JSON.stringify({ ...terms, direction: "bearish" });
  if (server.kysely !== undefined) {
    // A later one with other strikes, and one that is not similar.
    const later = { ...series, closes_ms: next.ends_ms, starts_ms: next.ends_ms + HOUR_MS, ends_ms: next.ends_ms * 2 };
    await offer(server.kysely, { ...later, product_id: "shark-later", terms: JSON.stringify(terms) });
    const strikes = JSON.stringify({ ...terms, low: "460000", high: "560000" });
    await offer(server.kysely, { ...series, product_id: "shark-next", terms: strikes });
    await offer(server.kysely, { ...series, product_id: "shark-bearish", terms: other });
  }
  const touching = JSON.stringify({ ...terms, isTouch: true });
  if (server.kysely !== undefined)
    await offer(server.kysely, { ...shark, ...times, product_id: "touch", terms: touching });
  const [visitor, again, changed, touched] = await Promise.all([1, 2, 3, 4].map(() => saver(server)));
  if (visitor === undefined || again === undefined || changed === undefined || touched === undefined) throw new Error();
  expect((await put(visitor, "shark", "1000")).status).toBe(200);
  expect((await put(touched, "touch", "1000")).status).toBe(200);
  for (const one of [again, changed]) expect((await put(one, "shark", "1000", { autoRenew: true })).status).toBe(200);
  const { holdingId } = (await holdings(visitor))[0];
  expect((await visitor.post("/financial/v1/redeem", { holdingId })).code).toBe("NO_EARLY_EXIT");
  const [requested] = await holdings(changed);
  await changed.post("/financial/v1/holding-settings", { holdingId: requested.holdingId, autoRenew: false });
  // The product closes a millisecond before.
  await pass(server, startsMs - HOUR_MS - server.nowMs(), visitor);
  expect((await put(visitor, "shark", "100")).code).toBe("PRODUCT_CLOSED");
  // One second above the upper strike, in a minute that closes below it: the touch variant is out, the plain one is
  // not.
  await pass(server, 2 * DAY_MS, visitor);
  await server.mark(server.linear, 550_001);
  server.wait(2_000);
  await server.mark(server.linear, 500_000);
  await pass(server, times.ends_ms - 20 * MINUTE_MS - server.nowMs(), visitor);
  // The record's last twenty of thirty minutes are at 500 000 ticks, as before, then at 530 000 for ten.
  await server.mark(server.linear, 500_000);
  server.wait(10 * MINUTE_MS);
  await server.mark(server.linear, 530_000);
  await pass(server, 10 * MINUTE_MS + MINUTE_MS, visitor, again, changed);
  const average = (20n * 500_000n + 10n * 530_000n) * 1_000_000n;
  const rate = 4_000_000n * 100_000n * 30n + (average / 1_000_000n - 450_000n * 30n) * 14_000_000n;
  const interest = (1_000_000_000n * rate * 7n) / (100_000n * 30n * 365n * 100_000_000n);
  const text = String(Number(10_000_000_000n + interest) / 1_000_000);
  await expect.poll(() => spot(visitor)).toBe(text);
  await expect.poll(() => spot(changed)).toBe(text);
  await pass(server, 0, touched);
  // 1 % a year, for seven days.
  await expect.poll(() => spot(touched)).toBe("10000.19178");
  const inNext = async () =>
    (await holdings(again)).map(({ productId, principal, isRenewed }: Record<string, unknown>) => [
      productId,
      principal,
      isRenewed,
    ]);
  await expect.poll(inNext).toEqual([["shark-next", "1000", true]]);
  await pass(server, 10 * MINUTE_MS, visitor, again, changed);
  expect(await inNext()).toEqual([["shark-next", "1000", true]]);
  expect(await spot(again)).toBe(String(Number(9_000_000_000n + interest) / 1_000_000));
  await expect.poll(() => Promise.all([holdings(visitor), holdings(changed)])).toEqual([[], []]);
});

test("[EARN-1] idle money above the reserve is swept once a day", async () => {
  const visitor = await saver(server);
  expect((await visitor.post("/financial/v1/auto-apply", { asset: "NONE", isOn: true, reserve: "1" })).code).toBe(
    "PRODUCT_UNKNOWN",
  );
  await visitor.post("/financial/v1/auto-apply", { asset: "USDT", isOn: true, reserve: "5000" });
  await toMidnight(31 * MINUTE_MS, visitor);
  await expect.poll(() => spot(visitor)).toBe("5000");
  // The row follows the money.
  const held = async () => (await visitor.get("/financial/v1/balance")).data.totalUsdt;
  await expect.poll(held).toBe("5000");
});

test("[EARN-1] a sweep subscribes up to the limits; records made at once are all on some page", async () => {
  const visitor = await saver(server, "120000");
  await visitor.post("/financial/v1/auto-apply", { asset: "USDT", isOn: true, reserve: "5000" });
  for (const amount of ["10", "20", "30"]) expect((await put(visitor, "small", amount)).status).toBe(200);
  if (server.kysely !== undefined)
    await sql`update earn_move set at_ms = 1000 where client_id like 'c%' and product_id = 'small' and state = 'done'`.execute(
      server.kysely,
    );
  const pages: string[] = [];
  for (let cursor = ""; ; ) {
    const { records, next } = (await visitor.get(`/financial/v1/records?limit=1${cursor}`)).data;
    pages.push(...records.map(({ amount }: { amount: string }) => amount));
    if (next === null) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  expect(pages.sort()).toEqual(["10", "20", "30"]);
  await toMidnight(31 * MINUTE_MS, visitor);
  // One user may have a hundred thousand of it; the day's interest on sixty was the rest.
  await expect.poll(async () => Math.floor(Number(await spot(visitor)))).toBe(19_940);
});

test("[EARN-1] yesterday's payments are shown as an annual rate, from the movements themselves and without coupons", async () => {
  if (server.kysely === undefined) throw new Error("no database");
  await offer(server.kysely, { product_id: "paid" });
  await toMidnight(HOUR_MS);
  const [visitor, boosted] = [await saver(server), await saver(server)];
  const { coupons } = (await boosted.get("/spot-coupon/v1/earn-coupons")).data;
  const { couponId } = coupons.find(({ kind }: { kind: string }) => kind === "flexible");
  expect((await put(visitor, "paid", "1000")).status).toBe(200);
  expect((await put(boosted, "paid", "1000", { couponId })).status).toBe(200);
  const answer = async (): Promise<string | null> =>
    (await visitor.get("/financial/v1/products")).data.products.find(
      ({ productId }: { productId: string }) => productId === "paid",
    ).paidRate;
  // No rate is shown on the first day, nor before the credit of the first whole one.
  await toMidnight(11 * MINUTE_MS, visitor);
  const credits = async (): Promise<{ interest: string }[]> =>
    (await visitor.get("/financial/v1/records")).data.records.filter(({ kind }: { kind: string }) => kind === "credit");
  await expect.poll(credits).toHaveLength(1);
  expect(await answer()).toBeNull();
  await toMidnight(11 * MINUTE_MS, visitor);
  await expect.poll(credits).toHaveLength(2);
  const interest = BigInt(Math.round(Number((await credits())[0]?.interest) * 1e6));
  // 500 at 8 % and 500 at 2 % are 5 % of a thousand, but for the last unit.
  expect([136_986n, 136_987n]).toContain(interest);
  const rate = async (): Promise<number> => {
    // The rate is cached for a while, and the other user's credit may come after one's own.
    server.wait(MINUTE_MS);
    return Number(await answer());
  };
  await expect.poll(rate).toBe(Number((interest * 365n * 100_000_000n) / 1_000_000_000n) / 1e8);
});
