// Invitations over the wire against the real ledger: links, sign-ups by them, rebates to the unit from the fee book,
// and users who invite themselves.
import { FEES_ACCOUNT, RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { HOUR_MS } from "@clockwork/kit/time";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { type FuturesServer, order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { place } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rewardStore } from "../rewards/store.ts";

const PATH = "/v1/common/invite";
let server: FuturesServer;
let house: Visitor;
beforeAll(async () => {
  server = await startFuturesServer(TWO_OPERATORS);
  house = await join(undefined);
  await give(house, "BTC", 100e8);
  await toFutures(house);
}, 180_000);
afterAll(() => server?.close());

const db = () => {
  if (server.kysely === undefined) throw new Error("no database");
  return server.kysely;
};
const idOf = async (visitor: Visitor): Promise<number> => Number((await visitor.post("/v2/users/top-info")).data.id);
const sure = (answer: { status: number; message: string }): void => {
  if (answer.status !== 200) throw new Error(answer.message);
};

let names = 0;
const addresses = new Map<Visitor, string>();
async function give(visitor: Visitor, symbol: string, units: number): Promise<void> {
  const opened = await server.engine.submit({ kind: "createAccount", user: await idOf(visitor), book: "spot" });
  const to = opened.events.find((event) => event.kind === "accountCreated")?.account ?? 0;
  const asset = (await server.engine.readListing())?.assets.find((one) => one.symbol === symbol)?.asset ?? 0;
  names += 1;
  await server.submit({ kind: "transfer", account: RESERVES_ACCOUNT, to, asset, units, reference: `give:${names}` });
}

async function join(inviteCode: string | undefined, headers?: Record<string, string>): Promise<Visitor> {
  const visitor = headers === undefined ? new Visitor(server) : new Visitor(server, headers);
  names += 1;
  const address = `friend-${names}@example.com`;
  addresses.set(visitor, address);
  const signed = await visitor.signUp(address, "correct-horse-1", { inviteCode });
  if (signed.code !== 0) throw new Error(`could not sign up: ${String(signed.code)}`);
  await visitor.dev("/identity", { level: 1 });
  await give(visitor, "USDT", 200_000e6);
  return visitor;
}

async function buy(visitor: Visitor, quantity: string): Promise<void> {
  sure(await place(house, { side: "sell", price: "100000", quantity }));
  sure(await place(visitor, { side: "buy", price: "100000", quantity }));
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

async function toFutures(visitor: Visitor): Promise<void> {
  const move = { asset: "USDT", amount: "10000", from: "1", to: "3", clientId: "m" };
  sure(await visitor.post("/asset/v1/api/wallet/transfer", move));
}

/** The tables hold everything confirmed. */
const settled = (): Promise<void> => server.engine.projection.reached(server.engine.health().durableSequence);

/** The hour ends and its rebates are paid; sessions have expired by then. */
async function endHour(...visitors: readonly Visitor[]): Promise<void> {
  const hour = Math.floor(server.nowMs() / HOUR_MS);
  server.wait(HOUR_MS - (server.nowMs() % HOUR_MS) + 1_000);
  await until("the hour", async () => {
    const { rows } = await sql<{ last: number | null }>`select max(hour) as last from invite_hour`.execute(db());
    const planned = await sql`select 1 from invite_payment where state = 'planned'`.execute(db());
    return Number(rows[0]?.last ?? 0) >= hour && planned.rows.length === 0 ? true : undefined;
  });
  await settled();
  for (const visitor of [house, ...visitors]) {
    visitor.jar.clear();
    await visitor.signIn(addresses.get(visitor) ?? "");
  }
}

test("[USR-4] links have their own split, one id makes one, and no user has more than twenty", async () => {
  const ann = await join(undefined);
  const first = (await ann.get(`${PATH}/profile`)).data;
  expect(first.links).toMatchObject([{ name: "Default", friendPercent: 0, isDefault: true }]);
  expect(first.links[0].code).toBe((await ann.post("/v2/users/top-info")).data.userInfo.inviteCode);
  const body = { name: "Channel", friendPercent: 8, clientId: "one" };
  const made = await Promise.all(Array.from({ length: 6 }, () => ann.post(`${PATH}/links`, body)));
  expect(new Set(made.map(({ data }) => data.code)).size).toBe(1);
  expect((await ann.post(`${PATH}/links`, { ...body, friendPercent: 9 })).code).toBe("CLIENT_ID_REUSED");
  expect((await ann.post(`${PATH}/links`, { ...body, friendPercent: 21, clientId: "x" })).status).toBe(400);
  const many = await Promise.all(
    Array.from({ length: 24 }, (_, at) => ann.post(`${PATH}/links`, { ...body, clientId: `many-${at}` })),
  );
  expect(many.filter(({ status }) => status === 200)).toHaveLength(18);
  expect(new Set(many.filter(({ status }) => status !== 200).map(({ code }) => code))).toEqual(
    new Set(["TOO_MANY_LINKS"]),
  );
  expect((await ann.get(`${PATH}/rate`)).data).toEqual({ sharedPercent: 20, secondPercent: 5, linksMax: 20 });
  const outsider = await join(undefined);
  const { code } = made[0]?.data ?? {};
  expect((await outsider.post(`${PATH}/links/change`, { code, friendPercent: 20 })).code).toBe("LINK_UNKNOWN");
  expect((await ann.post(`${PATH}/links/change`, { code, friendPercent: 3 })).data).toMatchObject({ friendPercent: 3 });
});

test("[USR-4] rebates of two levels are paid from the fee book, hour by hour, to the unit the journal gives", async () => {
  const ann = await join(undefined);
  const annCode = (await ann.get(`${PATH}/profile`)).data.links[0].code;
  const ben = await join(annCode);
  const made = await ben.post(`${PATH}/links`, { name: "Friends", friendPercent: 5, clientId: "f" });
  const cay = await join(String(made.data.code).toLowerCase());
  // A later split is for later friends.
  sure(await ben.post(`${PATH}/links/change`, { code: made.data.code, friendPercent: 20 }));
  const feesBefore = await feeBook();
  await buy(cay, "0.33333");
  await buy(ben, "0.1");
  await endHour(ann, ben, cay);
  await buy(cay, "0.7");
  await endHour(ann, ben, cay);
  const [annId, benId, cayId] = [await idOf(ann), await idOf(ben), await idOf(cay)];
  const inviterOf = new Map([
    [benId, { inviter: annId, friend: 0n }],
    [cayId, { inviter: benId, friend: 5n }],
  ]);
  // From the bills of the journal only: every fee by payer, coin and hour.
  const { rows: fees } = await sql<{ user: number; asset: number; hour: number; fee: string }>`
    select owner.user_id as "user", bill.asset as asset, cast(bill.time_ms / 3600000 as bigint) as hour,
      cast(-sum(bill.delta_units) as text) as fee
    from engine_bills bill join engine_accounts owner on owner.account = bill.account
    where bill.business in ('fee', 'openFee', 'closeFee') and owner.user_id in (${benId}, ${cayId})
    group by 1, 2, 3
  `.execute(db());
  expect(fees.length).toBeGreaterThanOrEqual(3);
  const expected = new Map<string, bigint>();
  const pay = (user: number, asset: number, units: bigint) =>
    units > 0n && expected.set(`${user}:${asset}`, (expected.get(`${user}:${asset}`) ?? 0n) + units);
  for (const { user, asset, fee } of fees) {
    const own = inviterOf.get(Number(user));
    if (own === undefined) throw new Error("a stranger");
    pay(Number(user), asset, (BigInt(fee) * own.friend) / 100n);
    pay(own.inviter, asset, (BigInt(fee) * (20n - own.friend)) / 100n);
    const above = inviterOf.get(own.inviter);
    if (above !== undefined) pay(above.inviter, asset, (BigInt(fee) * 5n) / 100n);
  }
  const { rows: paid } = await sql<{ user: number; asset: number; units: string }>`
    select owner.user_id as "user", bill.asset as asset, cast(sum(bill.delta_units) as text) as units
    from engine_bills bill join engine_accounts owner on owner.account = bill.account
    where bill.business = 'rebate' and owner.user_id in (${annId}, ${benId}, ${cayId}) group by 1, 2
  `.execute(db());
  expect(new Map(paid.map(({ user, asset, units }) => [`${user}:${asset}`, BigInt(units)]))).toEqual(expected);
  // Nothing is minted: the fee book is reduced by exactly this amount.
  const out = [...expected.values()].reduce((sum, units) => sum + units, 0n);
  const charged = await chargedSince(feesBefore.sequence);
  expect((await feeBook()).units).toBe(feesBefore.units + charged - out);
  const detail = (await ben.get(`${PATH}/detail`)).data;
  expect(detail).toMatchObject({ total: 1, nextCursor: null });
  expect(detail.friends[0]).toMatchObject({ state: "trading", friendPercent: 5 });
  expect(detail.friends[0].friend).not.toContain("friend-");
  const profile = (await ann.get(`${PATH}/profile`)).data;
  expect(profile).toMatchObject({ invited: 1, traded: 1 });
  expect(Number(profile.allTimeUsdt)).toBeGreaterThan(0);
  // The link with the highest income is the recommended one.
  const { code: best, path } = (await ben.get(`${PATH}/recommendation`)).data;
  expect([best, path]).toEqual([made.data.code, `/register?inviteCode=${best}`]);
  const ranking = (await ben.get(`${PATH}/ranking`)).data;
  expect(ranking.rows.filter(({ isCaller }: { isCaller: boolean }) => isCaller)).toHaveLength(1);
});

/** The fee book's balance of the base coin, and the position of the journal. */
async function feeBook(): Promise<{ units: bigint; sequence: number }> {
  const { rows } = await sql<{ units: string | null; sequence: number | null }>`
    select cast(sum(available_units + frozen_units) as text) as units,
      (select max(sequence) from engine_bills) as sequence
    from engine_balances where account = ${FEES_ACCOUNT}
  `.execute(db());
  return { units: BigInt(rows[0]?.units ?? "0"), sequence: Number(rows[0]?.sequence ?? 0) };
}

async function chargedSince(sequence: number): Promise<bigint> {
  const { rows } = await sql<{ units: string | null }>`
    select cast(sum(delta_units) as text) as units from engine_bills
    where account = ${FEES_ACCOUNT} and business <> 'rebate' and sequence > ${sequence}
  `.execute(db());
  return BigInt(rows[0]?.units ?? "0");
}

test("[USR-4] fees of contracts count, and an hour computed again pays nothing more", async () => {
  const ann = await join(undefined);
  const { code } = (await ann.get(`${PATH}/profile`)).data.links[0];
  const ben = await join(code);
  await toFutures(ben);
  sure(await order(house, { side: "sell", price: "50000", quantity: "0.1" }));
  sure(await order(ben, { side: "buy", price: "50000", quantity: "0.1" }));
  await endHour(ann);
  // 5 000 USDT at 0.06 % is 3 USDT; a fifth of it is 0.6.
  expect((await ann.get(`${PATH}/profile`)).data.allTimeUsdt).toBe("0.6");
  const planned = await sql`update invite_payment set state = 'planned'`.execute(db());
  expect(planned).toBeDefined();
  server.wait(11_000);
  await until("paid again", async () => {
    const { rows } = await sql`select 1 from invite_payment where state = 'planned'`.execute(db());
    return rows.length === 0 ? true : undefined;
  });
  await settled();
  const { rows } = await sql<{ units: string }>`
    select cast(sum(delta_units) as text) as units from engine_bills bill
    join engine_accounts owner on owner.account = bill.account
    where bill.business = 'rebate' and owner.user_id = ${await idOf(ann)}
  `.execute(db());
  expect(rows[0]?.units).toBe("600000");
});

/** Grants a fee coupon, with its money where it is paid from. */
async function giveFeeCoupon(visitor: Visitor, faceUnits: number, ratioPercent: number): Promise<void> {
  const treasury = await openHouseAccount(server.engine.submit, "couponTreasury");
  const asset = (await server.engine.readListing())?.assets.find(({ symbol }) => symbol === "USDT")?.asset ?? 0;
  names += 1;
  const money = { asset, units: faceUnits, reference: `face:${names}` };
  await server.submit({ kind: "transfer", account: RESERVES_ACCOUNT, to: treasury ?? 0, ...money });
  await rewardStore(db()).addFeeCoupon({
    coupon_id: `coupon-${names}`,
    user_id: await idOf(visitor),
    biz: "spot",
    ratio_bps: ratioPercent * 100,
    face_units: BigInt(faceUnits),
    paid_units: 0n,
    pending_units: 0n,
    turn: 0,
    cursor_sequence: server.engine.health().sequence,
    state: "OPEN",
    issued_ms: server.nowMs(),
    expires_ms: server.nowMs() + 24 * HOUR_MS,
  });
}

test("[USR-4] fees returned by a coupon are deducted before the fee is shared", async () => {
  const ann = await join(undefined);
  const { code } = (await ann.get(`${PATH}/profile`)).data.links[0];
  const ben = await join(code);
  await giveFeeCoupon(ben, 3e6, 50);
  // 10 000 satoshi, worth 10 USDT, of which the coupon returns its last 3; the second fee is whole.
  await buy(ben, "0.1");
  await buy(ben, "0.1");
  await endHour(ann, ben);
  const { rows } = await sql<{ fee: string; rebate: string }>`
    select cast(fee_units as text) as fee, cast(rebate_units as text) as rebate from invite_rebate
    where friend_id = ${await idOf(ben)}
  `.execute(db());
  expect(rows).toEqual([{ fee: "17000", rebate: "3400" }]);
  const { rows: paid } = await sql<{ units: string }>`
    select cast(sum(delta_units) as text) as units from engine_bills bill
    join engine_accounts owner on owner.account = bill.account
    where bill.business = 'coupon' and owner.user_id = ${await idOf(ben)}
  `.execute(db());
  expect(paid).toEqual([{ units: "3000000" }]);
});

test("[USR-4] inviting oneself, or the same device twice, pays nothing", async () => {
  const device = { cwDeviceId: crypto.randomUUID() };
  const ann = await join(undefined, device);
  const { code } = (await ann.get(`${PATH}/profile`)).data.links[0];
  const self = await join(code, { ...device });
  const shared = { cwDeviceId: crypto.randomUUID() };
  const friend = await join(code, shared);
  const model = await join(code, { ...shared });
  for (const one of [self, friend, model]) await buy(one, "0.1");
  await endHour(ann, friend);
  const { friends } = (await ann.get(`${PATH}/detail`)).data;
  const states = friends.map(({ state }: { state: string }) => state).sort();
  expect(states).toEqual(["trading", "void", "void"]);
  const id = await idOf(ann);
  const { rows } = await sql<{ friend_id: number }>`
    select distinct friend_id from invite_rebate where receiver_id = ${id}
  `.execute(db());
  expect(rows.map((row) => Number(row.friend_id))).toEqual([await idOf(friend)]);
});

/** Neither the friend nor either inviter: an operator is two steps above one, and three above another. */
async function expectGainersOut(operator: Visitor, second: Visitor): Promise<void> {
  const codeOf = async (one: Visitor): Promise<string> => (await one.get(`${PATH}/profile`)).data.links[0].code;
  const device = { cwDeviceId: crypto.randomUUID() };
  const ann = await join(await codeOf(second));
  const cay = await join(await codeOf(ann), device);
  const ben = await join(await codeOf(cay), { ...device });
  const judge = async (by: Visitor, friend: Visitor, inviter: Visitor, counts: boolean) =>
    by.post("/v1/console/invite/judge", {
      user: String(await idOf(friend)),
      inviter: String(await idOf(inviter)),
      counts,
      reason: "a family at one table",
      clientId: crypto.randomUUID(),
    });
  expect((await judge(second, cay, ann, false)).code).toBe("BENEFICIARY_DECIDES");
  const made = await judge(operator, cay, ann, false);
  expect((await approve(second, made)).code).toBe("BENEFICIARY_DECIDES");
  const proposals = "/v2/operators/proposals";
  const { proposalId } = made.data;
  expect((await second.post(`${proposals}/reject`, { proposalId, reason: "mine" })).code).toBe("BENEFICIARY_DECIDES");
  const release = await judge(operator, ben, cay, true);
  const listed = (await operator.get(`${proposals}?openOnly=true`)).data.proposals;
  const shown = listed.find((one: { proposalId: string }) => one.proposalId === release.data.proposalId);
  const gaining = await Promise.all([ann, cay, ben].map(idOf));
  expect(shown.beneficiaries.map(({ user }: { user: string }) => Number(user))).toEqual(
    gaining.sort((left, right) => left - right),
  );
  for (const one of [made, release]) {
    sure(await operator.post(`${proposals}/withdraw`, { proposalId: one.data.proposalId }));
  }
}

test("[USR-4] users who invite each other's second accounts are paid nothing, and the console shows by which accounts", async () => {
  const codeOf = async (one: Visitor): Promise<string> => (await one.get(`${PATH}/profile`)).data.links[0].code;
  const [here, there] = [{ cwDeviceId: crypto.randomUUID() }, { cwDeviceId: crypto.randomUUID() }];
  const ann = await join(undefined, here);
  const bob = await join(undefined, there);
  const second = await join(await codeOf(ann), { ...there });
  const other = await join(await codeOf(bob), { ...here });
  for (const one of [second, other]) await buy(one, "0.1");
  const [secondId, otherId] = [await idOf(second), await idOf(other)];
  await endHour(ann, bob);
  for (const one of [ann, bob]) {
    const { friends } = (await one.get(`${PATH}/detail`)).data;
    expect(friends.map(({ state }: { state: string }) => state)).toEqual(["void"]);
  }
  const { rows } = await sql<{ user_id: number; reason: string; through: string }>`
    select user_id, reason, through from invite_friend where user_id in (${secondId}, ${otherId})
  `.execute(db());
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual({ user_id: secondId, reason: "ring", through: String(otherId) });
  expect(rows).toContainEqual({ user_id: otherId, reason: "ring", through: String(secondId) });
});

test("[USR-4] two operators who gain nothing release a friend; no device voids them again, and past hours are unchanged", async () => {
  const device = { cwDeviceId: crypto.randomUUID() };
  const ann = await join(undefined, device);
  const { code } = (await ann.get(`${PATH}/profile`)).data.links[0];
  const ben = await join(code, { ...device });
  await buy(ben, "0.1");
  await endHour(ann, ben);
  const [inviter, user] = [await idOf(ann), await idOf(ben)];
  const paid = async () =>
    (
      await sql<{ units: string }>`
        select cast(rebate_units as text) as units from invite_rebate where receiver_id = ${inviter} order by hour
      `.execute(db())
    ).rows.map(({ units }) => units);
  expect(await paid()).toEqual([]);
  const [{ operator }, { operator: second }] = [await enterAsOperator(server), await enterAsOperator(server, 1)];
  await expectGainersOut(operator, second);
  const body = { user: String(user), inviter: String(inviter), counts: true, reason: "a family at one table" };
  const judge = (by: Visitor, clientId: string, more: object = {}) =>
    by.post("/v1/console/invite/judge", { ...body, ...more, clientId });
  expect((await judge(ann, "j0")).status).toBe(403);
  expect((await judge(operator, "j1", { inviter: String(user) })).code).toBe("FRIEND_UNKNOWN");
  expect((await judge(operator, "j2", { counts: false })).code).toBe("FRIEND_VOID");
  expect((await judge(operator, "j3", { user: "x" })).status).toBe(400);
  const listed = async () => (await operator.get("/v1/console/invite/friends")).data.friends;
  const mine = { user: body.user, inviter: body.inviter };
  expect(await listed()).toContainEqual(expect.objectContaining({ ...mine, counts: false, reason: "self" }));
  sure(await approve(second, await judge(operator, "j4")));
  expect((await judge(operator, "j5")).code).toBe("FRIEND_COUNTS");
  expect(await listed()).toContainEqual(expect.objectContaining({ ...mine, counts: true, reason: "" }));
  sure(await approve(second, await judge(operator, "j6", { counts: false })));
  expect(await listed()).toContainEqual(expect.objectContaining({ ...mine, counts: false, reason: "operator" }));
  sure(await approve(second, await judge(operator, "j7")));
  for (const _ of [1, 2]) {
    await buy(ben, "0.1");
    await endHour(ann, ben);
  }
  // 20 % of 0.0001 BTC for each hour after the operators' decision, and nothing for the one before.
  expect(await paid()).toEqual(["2000", "2000"]);
});
