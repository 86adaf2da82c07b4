// Levels over the wire against the real ledger: volumes of both kinds, the rates the core charges, trials by two
// operators, falls, and the benefits of a level elsewhere.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { type FuturesServer, order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { place } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TIERS, tierOf } from "./rules.ts";
import { vipStore } from "./store.ts";

let server: FuturesServer;
let maker: Visitor;
let taker: Visitor;
let assets: ReadonlyMap<string, number>;

beforeAll(async () => {
  server = await startFuturesServer(TWO_OPERATORS);
  assets = new Map((await server.engine.readListing())?.assets.map(({ symbol, asset }) => [symbol, asset]));
  maker = await server.player();
  taker = await server.player();
  await give(maker, "spot", "BTC", 13 * 1e8);
  await give(taker, "spot", "USDT", 1_330_000 * 1e6);
  for (const one of [maker, taker]) {
    await give(one, "linear", "USDT", 50_000 * 1e6);
    await give(one, "inverse", "BTC", 1e8);
  }
}, 180_000);
afterAll(() => server?.close());

let references = 0;
async function give(
  visitor: Visitor,
  book: "spot" | "linear" | "inverse",
  symbol: string,
  units: number,
): Promise<void> {
  const asset = assets.get(symbol) ?? 0;
  // Opened long ago: the core returns the existing one.
  const sub = book === "inverse" ? { sub: asset } : {};
  const opened = await server.engine.submit({ kind: "createAccount", user: await idOf(visitor), book, ...sub });
  references += 1;
  const to = opened.events.find((event) => event.kind === "accountCreated")?.account ?? 0;
  await server.submit({
    kind: "transfer",
    account: RESERVES_ACCOUNT,
    to,
    asset,
    units,
    reference: `give:${references}`,
  });
}

const db = () => {
  if (server.kysely === undefined) throw new Error("no database");
  return server.kysely;
};
const idOf = async (visitor: Visitor): Promise<number> => Number((await visitor.post("/v2/users/top-info")).data.id);
const sure = (answer: { status: number; message: string }): void => {
  if (answer.status !== 200) throw new Error(answer.message);
};

/** Both trade with each other on spot, the maker selling. */
async function trade(quantity: string, price = "100000"): Promise<void> {
  sure(await place(maker, { side: "sell", price, quantity }));
  sure(await place(taker, { side: "buy", price, quantity }));
}

async function tradeFutures(body: { readonly quantity: string; readonly biz?: "delivery" }): Promise<void> {
  const about = { price: "50000", ...(body.biz === undefined ? {} : { pairCode: "BTC_USD" }), ...body };
  sure(await order(maker, { side: "sell", ...about }));
  sure(await order(taker, { side: "buy", ...about }));
}

async function until<Value>(what: string, read: () => Promise<Value | undefined>): Promise<Value> {
  // A busy machine only delays it.
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; ) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`never came: ${what}`);
}

/** Sessions do not last for days. */
async function signInAgain(): Promise<void> {
  for (const visitor of [maker, taker]) {
    const row = await sql<{ email: string }>`select email from users_account where id = ${ids.get(visitor)}`.execute(
      db(),
    );
    visitor.jar.clear();
    await visitor.signIn(row.rows[0]?.email ?? "");
  }
}
const ids = new Map<Visitor, number>();

async function toCount(days = 1): Promise<void> {
  for (const visitor of [maker, taker]) if (!ids.has(visitor)) ids.set(visitor, await idOf(visitor));
  const toMidnight = DAY_MS - (server.nowMs() % DAY_MS);
  server.wait(toMidnight + (days - 1) * DAY_MS + 11 * MINUTE_MS);
  const today = Math.floor(server.nowMs() / DAY_MS) * DAY_MS;
  await until("the count", async () => {
    // Counted, and the earned levels set in the core.
    const { rows } = await sql<{ at: number | null; untold: number | null }>`
      select max(counted_ms) as at, sum(case when trial_level = 0 and earned_level <> fees_level then 1 else 0 end) as untold
      from vip_user`.execute(db());
    return Number(rows[0]?.at ?? 0) >= today && Number(rows[0]?.untold ?? 0) === 0 ? true : undefined;
  });
  await signInAgain();
}

const setLevel = async (visitor: Visitor, level: number): Promise<void> => {
  const userId = ids.get(visitor) ?? 0;
  references += 1;
  const untilMs = level === 0 ? server.nowMs() : server.nowMs() + DAY_MS;
  await vipStore(db()).putTrial(userId, level, untilMs, `test:${references}`);
  server.wait(11_000);
  await until("the level", async () => ((await vipStore(db()).findLevel(userId)) === level ? true : undefined));
};

/** The fee of a user's newest fill. */
async function feeTaken(visitor: Visitor, kind: "spot" | "futures" | "delivery"): Promise<number> {
  const { data } =
    kind === "spot"
      ? await visitor.get("/v1/spot/fills?limit=1")
      : await visitor.futures(`/v1/futuresc/fills?limit=1&biz=${kind}`);
  return Number(data.fills[0].fee);
}

/** Trades once on every kind of market and compares the fee shown with the fee charged. */
async function compareFees({ level, spot, perpetual }: (typeof TIERS)[number]): Promise<void> {
  const text = (rate: number): string => (rate / 1e8).toFixed(8).replace(/\.?0+$/, "");
  const shown = async (visitor: Visitor) => [
    (await visitor.get("/v1/spot/fee")).data,
    (await visitor.futures("/v1/futuresc/user-level-fee?biz=futures")).data,
    (await visitor.futures("/v1/futuresc/user-level-fee?biz=delivery")).data,
  ];
  const before = { maker: await shown(maker), taker: await shown(taker) };
  await trade("0.1");
  await tradeFutures({ quantity: "0.1" });
  await tradeFutures({ quantity: "5000", biz: "delivery" });
  for (const [visitor, role] of [
    [maker, "maker"],
    [taker, "taker"],
  ] as const) {
    const [spotFee, linearFee, inverseFee] = before[role];
    expect(spotFee).toMatchObject({ level, [`${role}Rate`]: text(spot[role]) });
    for (const fee of [linearFee, inverseFee])
      expect(fee).toMatchObject({ level, [`${role}Rate`]: text(perpetual[role]) });
    // The maker sold for 10 000 USDT, the taker bought 0.1 BTC; both traded 5 000 USDT of one contract and 0.1 BTC of
    // the other.
    expect(await feeTaken(visitor, "spot")).toBeCloseTo(((role === "maker" ? 10_000 : 0.1) * spot[role]) / 1e8, 8);
    expect(await feeTaken(visitor, "futures")).toBeCloseTo((5_000 * perpetual[role]) / 1e8, 6);
    expect(await feeTaken(visitor, "delivery")).toBeCloseTo((0.1 * perpetual[role]) / 1e8, 8);
  }
}

test("[USR-1] at the lowest level the fee shown before the order is the fee the core charges, on every kind of market", () =>
  compareFees(tierOf(0)));

test("[USR-1] thirty days of volume give a level at ten past midnight, and the core charges its fees at once", async () => {
  const before = (await taker.get("/v2/users/vip")).data;
  expect(before).toMatchObject({ level: 0, nextLevel: 1, trial: null, falling: null });
  expect(before.rates).toEqual({
    spotMaker: "0.100",
    spotTaker: "0.100",
    futuresMaker: "0.020",
    futuresTaker: "0.060",
  });
  const { levels } = (await new Visitor(server).get("/v2/users/vip/levels")).data;
  expect(levels).toEqual(before.levels);
  expect(levels.map(({ level }: { level: number }) => level)).toEqual(TIERS.map(({ level }) => level));
  for (let turn = 0; turn < 2; turn += 1) await trade("6");
  await toCount();
  const after = (await taker.get("/v2/users/vip")).data;
  expect(after).toMatchObject({ level: 1, earnedLevel: 1, nextLevel: 2 });
  expect(after.rates).toEqual({ spotMaker: "0.080", spotTaker: "0.090", futuresMaker: "0.018", futuresTaker: "0.055" });
  const spot = after.measures.find(({ measure }: { measure: string }) => measure === "spot");
  expect(spot).toMatchObject({
    usdt: "1210000",
    reachedLevel: 1,
    heldUsdt: "1000000",
    nextUsdt: "5000000",
    progress: 2_420,
  });
  expect((await taker.get("/v1/spot/fee")).data).toMatchObject({ level: 1, takerRate: "0.0009" });
  expect((await taker.post("/v2/users/top-info")).data.userInfo.vipLevel).toBe(1);
  const { changes } = (await taker.get("/v2/users/vip/history")).data;
  expect(changes).toMatchObject([{ fromLevel: 0, toLevel: 1, cause: "counted" }]);
});

test("[USR-1] the fee shown before the order is the fee the core charges, for every level and kind of market", async () => {
  for (const tier of TIERS.slice(1)) {
    for (const visitor of [maker, taker]) if (tier.level > 1) await setLevel(visitor, tier.level);
    await compareFees(tier);
  }
});

test("[USR-1] where the general fee is lower than a level's, users with the level pay that too", async () => {
  const setGroup = async (makerRate: number, takerRate: number, shown: string) => {
    await server.submit({ kind: "setFeeGroup", feeGroup: 0, makerRate, takerRate });
    server.wait(11_000);
    await until("the rate", async () =>
      (await taker.get("/v1/spot/fee")).data.takerRate === shown ? true : undefined,
    );
  };
  await setGroup(10_000, 20_000, "0.0002");
  await trade("0.1");
  expect(await feeTaken(taker, "spot")).toBeCloseTo(0.1 * 0.0002, 8);
  // The level's own is lower for makers, and is unchanged.
  expect(await feeTaken(maker, "spot")).toBe(0);
  await setGroup(100_000, 100_000, "0.0003");
});

test("[USR-1] a trial takes two operators, ends automatically and can be ended before", async () => {
  // Days pass from here on: the taker's holdings would earn a level.
  await takeAll(taker);
  const [{ operator }, { operator: second }] = [await enterAsOperator(server), await enterAsOperator(server, 1)];
  const user = String(ids.get(taker));
  const body = { user, level: 5, days: 7, reason: "a partner tries us", clientId: "trial-1" };
  expect((await taker.post("/v1/console/vip/trial", body)).status).toBe(403);
  expect((await operator.post("/v1/console/vip/trial", { ...body, user: "5", clientId: "t0" })).code).toBe(
    "UNKNOWN_USER",
  );
  expect((await operator.post("/v1/console/vip/trial", { ...body, level: 1, clientId: "t1" })).code).toBe("LEVEL_HELD");
  expect((await operator.post("/v1/console/vip/trial", { ...body, level: 9, clientId: "t2" })).status).toBe(400);
  const made = await operator.post("/v1/console/vip/trial", body);
  expect((await approve(operator, made)).status).not.toBe(200);
  expect((await taker.get("/v2/users/vip")).data.level).not.toBe(5);
  sure(await approve(second, made));
  const leased = await until("the trial", async () => {
    const { data } = await taker.get("/v2/users/vip");
    return data.level === 5 ? data : undefined;
  });
  const { trials } = (await second.get("/v1/console/vip/trials")).data;
  expect(trials).toContainEqual(expect.objectContaining({ user, level: 5 }));
  expect((await taker.get("/v1/console/vip/trials")).status).toBe(403);
  expect(leased).toMatchObject({ earnedLevel: 1, trial: { level: 5 } });
  // 20 000 USDT a day at the first identity level, six times at VIP 5.
  expect((await taker.get("/asset/v1/api/withdraw/limits")).data.limitUsdt).toBe("120000");
  server.wait(7 * DAY_MS + HOUR_MS);
  await until("the end", async () => ((await vipStore(db()).findLevel(ids.get(taker) ?? 0)) === 1 ? true : undefined));
  await signInAgain();
  const { changes } = (await taker.get("/v2/users/vip/history")).data;
  expect(changes[0]).toMatchObject({ fromLevel: 5, toLevel: 1, cause: "trialEnded" });
});

/** Returns the rest of the coin to its origin, so that it counts for no user. */
async function takeAll(visitor: Visitor): Promise<void> {
  await server.engine.projection.reached(server.engine.health().sequence);
  const { rows } = await sql<{ account: number; asset: number; all: number; book: string }>`
    select balance.account, balance.asset, cast(balance.available_units as bigint) as "all", owner.book
    from engine_balances balance join engine_accounts owner on owner.account = balance.account
    where owner.user_id = ${ids.get(visitor)} and owner.book in ('spot', 'linear', 'inverse')
      and balance.available_units > 0
  `.execute(db());
  for (const { account, asset, all, book } of rows) {
    references += 1;
    // Positions keep their margin.
    const units = Number(book === "spot" ? all : (BigInt(all) * 4n) / 5n);
    const money = { asset, units, reference: `take:${references}` };
    await server.submit({ kind: "transfer", account, to: RESERVES_ACCOUNT, ...money });
  }
}

test("[USR-1] volume that is past leaves the level for fourteen days, then it falls", async () => {
  await toCount(30);
  const falling = (await taker.get("/v2/users/vip")).data;
  expect(falling.level).toBe(1);
  expect(falling.falling?.toLevel).toBe(0);
  await toCount(15);
  await until("the fall", async () => ((await vipStore(db()).findLevel(ids.get(taker) ?? 0)) === 0 ? true : undefined));
  const { data } = await taker.get("/v2/users/vip");
  expect(data).toMatchObject({ level: 0, falling: null });
  expect(data.rates.spotTaker).toBe("0.100");
});

test("[USR-1] missed midnights count with the balances at that time", async () => {
  const first = Math.floor(server.nowMs() / DAY_MS) + 1;
  await toCount(3);
  const { rows } = await sql<{ day: number }>`
    select day from vip_counted where what = 'assets' and day >= ${first} order by day`.execute(db());
  expect(rows.map(({ day }) => Number(day))).toEqual([first, first + 1, first + 2]);
});
