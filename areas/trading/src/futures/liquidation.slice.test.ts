// A liquidation from the outside: who receives what, every step with its numbers, and almighty gold that bears losses.
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FuturesServer, meet, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

let server: FuturesServer;
beforeAll(async () => {
  server = await startFuturesServer();
});
afterAll(() => server.close());

const until = async <Value>(read: () => Promise<Value | undefined>): Promise<Value> => {
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test("[FUT-2] a liquidation has a report: the owner's with balances, the public one without the user", async () => {
  const [alice, bob] = [await server.player("3000"), await server.player("100000")];
  await alice.futures("/v1/futuresc/positions/margin-mode", { pairCode: "BTC_USDT", mode: "isolated" });
  await meet(alice, bob, { price: "50000", quantity: "1" });
  const [{ positionId }] = await positionsOf(alice);
  await server.mark(server.linear, 477_000);
  expect(await positionsOf(alice)).toEqual([]);
  const own = await until(async () => (await alice.futures("/v1/futuresc/my-liquidations")).data.liquidations[0]);
  expect(own).toMatchObject({
    isOwn: true,
    positionId,
    side: "long",
    mode: "isolated",
    markPrice: "47700.0",
    quantity: "1.000",
    entryPrice: "50000.0",
    leverage: 20,
    cash: "2500",
    profit: "-2300",
    tier: 1,
    liquidatedQuantity: "1.000",
    fundQuantity: "1.000",
    deleveragedQuantity: "0.000",
  });
  expect(Number(own.ratio)).toBeGreaterThanOrEqual(1);
  expect(own.steps.map(({ step }: { step: string }) => step)).toEqual(["takenOver"]);
  expect(own.steps[0]).toMatchObject({ quantity: "1.000", tierBefore: 1, fee: own.fee, fund: own.fund });
  const [print] = (await new Visitor(server).futures("/v1/futuresc/liquidations?pairCode=BTC_USDT")).data;
  expect(print).toMatchObject({ side: "long", quantity: "1.000", outcome: "takenOver" });
  // Also all contracts of a kind together; the other kind has none of them.
  const ofAll = async (biz: string) => (await new Visitor(server).futures(`/v1/futuresc/liquidations?biz=${biz}`)).data;
  expect([await ofAll("futures"), await ofAll("delivery")]).toEqual([[print], []]);
  const shown = await new Visitor(server).futures(`/v1/futuresc/liquidations/${print.id}`);
  expect(shown.data).toMatchObject({ id: own.id, isOwn: false, positionId: null, balanceAfter: null, need: own.need });
  expect(JSON.stringify(shown.data)).not.toContain(positionId.padStart(4, "!"));
  const history = (await alice.futures("/v1/futuresc/positions/history")).data.positions;
  expect(history).toMatchObject([{ endedBy: "liquidation", liquidationId: own.id }]);
  const none = await alice.futures("/v1/futuresc/liquidations/999999-0");
  expect([none.status, none.code]).toEqual([404, "UNKNOWN_LIQUIDATION"]);
  // The value liquidated and the fund's share are public too.
  const { data: risk } = await new Visitor(server).futures("/v1/futuresc/risk-state?pairCode=BTC_USDT");
  expect(risk).toMatchObject({
    pairCode: "BTC_USDT",
    asset: "USDT",
    liquidatedValue: String(Number(print.price)),
    liquidations: 1,
    deleveragesFrom: "0.3",
    deleveragesUntil: "0.25",
    isDeleveraging: false,
    deleveragings: 0,
  });
  expect(Number(risk.drawdown)).toBeLessThan(1);
  const unknown = await new Visitor(server).futures("/v1/futuresc/risk-state?pairCode=AAA_BBB");
  expect([unknown.status, unknown.code]).toEqual([404, "UNKNOWN_MARKET"]);
  await server.mark(server.linear, 500_000);
});

test("[FUT-2] almighty gold counts as margin, pays fees first and is reported with what is left", async () => {
  const alice = await server.player("100");
  // The last account that was opened is hers: money was moved into it.
  const own = server.engine.cache.facts.lastAccount;
  const bob = await server.player("100000");
  const refused = await alice.post("/v1/console/almighty-gold", {
    user: "1",
    asset: "USDT",
    amount: "1",
    biz: "futures",
    days: 1,
    ratioPercent: 100,
    maxLeverage: 0,
    reason: "none",
    clientId: "intent-0001",
  });
  expect(refused.status).toBe(403);
  expect((await alice.futures("/v1/futuresc/almighty-gold/status")).data).toEqual({
    isActive: false,
    count: 0,
    nextExpiryMs: null,
  });
  const [view] = (await alice.futures("/v1/futuresc/accounts")).data;
  expect(view).toMatchObject({ balance: "100", bonus: "0", available: "100" });
  const asset = (await server.engine.readListing())?.assets.find(({ symbol }) => symbol === "USDT")?.asset ?? 0;
  await server.submit({
    kind: "grantBonus",
    account: own,
    asset,
    units: 50_000_000,
    reference: "gold:1",
    expiresAt: server.nowMs() + 86_400_000,
  });
  expect((await alice.futures("/v1/futuresc/accounts")).data[0]).toMatchObject({ bonus: "50", available: "150" });
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: alice.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  client.send({ event: "sub", channel: "fills", biz: "futures" });
  await client.settle();
  await meet(alice, bob, { price: "50000", quantity: "0.04" });
  // The fee and its payer, live and in history.
  const borne = { fee: "1.2", goldFee: "1.2", feeAsset: "USDT" };
  const answer = await client.until(
    ({ channel, data }) => channel === "fills" && (data as unknown[] | null)?.length === 1,
  );
  client.close();
  expect(answer.data).toMatchObject([borne]);
  expect((await alice.futures("/v1/futuresc/fills")).data.fills).toMatchObject([borne]);
  expect((await bob.futures("/v1/futuresc/fills")).data.fills).toMatchObject([{ goldFee: "0" }]);
  const feesOf = async (payer: string) =>
    (await alice.futures(`/v1/futuresc/bills?type=OPEN_FEE&payer=${payer}`)).data.bills;
  const bill = { payer: "gold", walletType: "3", change: "-1.2", balance: "48.8", pairCode: "BTC_USDT" };
  expect([await feesOf("wallet"), await feesOf("gold"), await feesOf("all")]).toMatchObject([[], [bill], [bill]]);
  expect((await alice.futures("/v1/futuresc/bills?payer=nobody")).code).toBe("VALIDATION_FAILED");
  const list = await until(async () => {
    const { bonuses } = (await alice.futures("/v1/futuresc/almighty-gold/list")).data;
    return bonuses.length === 0 || bonuses[0].left === "50" ? undefined : bonuses;
  });
  expect(list).toMatchObject([{ amount: "50", left: "48.8", state: "ACTIVE", ratio: "1", biz: "futures" }]);
  expect((await alice.futures("/v1/futuresc/almighty-gold/amount")).data.amounts).toEqual([
    { asset: "USDT", left: "48.8", given: "50" },
  ]);
  expect((await order(alice, { side: "sell", price: "50000", quantity: "0.04", reduceOnly: true })).status).toBe(200);
});

test("[FUT-2] a user is notified once of exhausted margin and once of a liquidation, and no other user is", async () => {
  const [alice, bob] = [await server.player("3000"), await server.player("100000")];
  const letters = async (): Promise<{ kind: string; title: string; body: string }[]> =>
    (await alice.get("/v2/users/letters")).data.letters;
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: alice.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  client.send({ event: "sub", channel: "notices" });
  await client.settle();
  await alice.futures("/v1/futuresc/positions/margin-mode", { pairCode: "BTC_USDT", mode: "isolated" });
  await meet(alice, bob, { price: "50000", quantity: "1" });
  await server.mark(server.linear, 478_000);
  const called = await until(async () => {
    const found = (await letters()).filter(({ kind }) => kind === "margin-call");
    return found.length > 0 ? found : undefined;
  });
  expect(called.map(({ title }) => title)).toEqual(["70% of your margin is used"]);
  await server.mark(server.linear, 477_000);
  await until(async () => (await letters()).find(({ kind }) => kind === "liquidation"));
  const answer = (await letters()).filter(({ kind }) => kind === "liquidation");
  expect(answer).toMatchObject([{ title: "Your BTC_USDT position was liquidated" }]);
  // The event on the user's pages leads to the report itself.
  const reply = await client.until(
    ({ channel, data }) => channel === "notices" && (data as { kind?: string } | undefined)?.kind === "liquidation",
  );
  client.close();
  const id = /\?report=(\d+-\d+)$/.exec((reply.data as { path: string }).path)?.[1];
  const report = await until(async () => {
    const read = await alice.futures(`/v1/futuresc/liquidations/${id}`);
    return read.status === 200 ? read.data : undefined;
  });
  expect(report).toMatchObject({ isOwn: true, pairCode: "BTC_USDT", side: "long" });
  expect((await bob.get("/v2/users/letters")).data.letters.map(({ kind }: { kind: string }) => kind)).not.toContain(
    "liquidation",
  );
  await server.mark(server.linear, 500_000);
});
