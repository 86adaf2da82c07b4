// Who may take an ad and how a release is proved: a second factor of the user's own, before anything is placed and
// again before coins leave; ads for previous partners, and lists by the time to pay.

import { bindTotp, showTotp } from "@clockwork/identity/accounts/operator-fixture";
import { SoftAuthenticator } from "@clockwork/identity/accounts/soft-authenticator";
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { act, clientId, FUND_PASSWORD, funding, type OtcServer, openOtc, type Person } from "./otc-fixture.ts";

const NAME = "شركة الخليج";
let server: OtcServer;
let maker: Person;
beforeAll(async () => {
  server = await openOtc();
  maker = await server.merchant(NAME, {});
}, 180_000);
afterAll(() => server?.close());

async function post(side: "buy" | "sell", more: object = {}): Promise<string> {
  const terms = { side, asset: "USDT", fiat: "AED", premium: "100", quantity: "1000", min: "100", max: "3000" };
  const body = { ...terms, paymentIds: [maker.paymentId], online: true, clientId: clientId(), ...more };
  const posted = await maker.visitor.post("/v2/otc/ads/add", body);
  expect([posted.status, posted.message]).toEqual([200, posted.message]);
  return posted.data.ads[0].adId;
}
const take = (visitor: Visitor, adId: string, paymentId: string): Promise<Answer> =>
  visitor.post("/v2/otc/orders/add", { adId, amount: "100", paymentId, clientId: clientId() });
async function code(person: Person): Promise<string> {
  await server.pass(61_000);
  await person.visitor.post("/v2/users/security/step-up/code");
  return person.visitor.readLastCode(person.email);
}
/** A user's sale to the merchant, marked as paid. */
async function paidSale(person: Person, adId: string): Promise<string> {
  const { orderId } = (await take(person.visitor, adId, person.paymentId)).data;
  expect((await act(maker.visitor, "pay", orderId)).data.state).toBe("PAID");
  return orderId;
}

test("[OTC-1] a user without a second factor cannot sell, by list, match and order, until one is added, and can buy", async () => {
  const [buys, sells] = [await post("buy"), await post("sell")];
  const fresh = await server.trader();
  await fresh.dev("/identity", { level: 2 });
  const list = async () => (await fresh.get("/v2/otc/ads/page?side=sell&asset=USDT&fiat=AED")).data.ads;
  const bar = async () => (await list()).find((ad: { adId: string }) => ad.adId === buys).bar;
  expect(await bar()).toBe("FACTOR");
  const request = { side: "sell", asset: "USDT", fiat: "AED", amount: "100" };
  expect((await fresh.post("/v2/otc/match", request)).code).toBe("SECOND_FACTOR_REQUIRED");
  const before = await funding(maker.visitor, "USDT");
  const refused = await take(fresh, buys, maker.paymentId);
  expect([refused.status, refused.code]).toEqual([403, "SECOND_FACTOR_REQUIRED"]);
  expect((await fresh.get("/v2/otc/orders/list")).data.orders).toEqual([]);
  expect(await funding(maker.visitor, "USDT")).toEqual(before);
  expect((await take(fresh, sells, maker.paymentId)).data.state).toBe("WAIT_PAY");
  await fresh.post("/v2/users/security/trade-password/set", { password: FUND_PASSWORD });
  expect(await bar()).toBeNull();
}, 180_000);

test("[OTC-1] a mailed code alone releases nothing; with the fund password it does", async () => {
  const adId = await post("buy");
  const seller = await server.person("Mona Ek", { USDT: "200" });
  const orderId = await paidSale(seller, adId);
  const state = async () => (await seller.visitor.get(`/v2/otc/orders/get?id=${orderId}`)).data.state;
  const held = await funding(seller.visitor, "USDT");
  const bought = await funding(maker.visitor, "USDT");
  const right = await code(seller);
  const refusals: readonly (readonly [object, string])[] = [
    [{}, "PROOF_REQUIRED"],
    [{ code: right }, "PROOF_REQUIRED"],
    [{ tradePassword: FUND_PASSWORD }, "PROOF_REQUIRED"],
    // The password is checked first, and spends no code.
    [{ tradePassword: "fund-password-2", code: right }, "PROOF_WRONG"],
  ];
  for (const [proof, refusal] of refusals) {
    const answer = await act(seller.visitor, "release", orderId, proof);
    expect([answer.status, answer.code]).toEqual([403, refusal]);
    expect(await state()).toBe("PAID");
    expect([await funding(seller.visitor, "USDT"), await funding(maker.visitor, "USDT")]).toEqual([held, bought]);
  }
  const proof = { tradePassword: FUND_PASSWORD, code: right };
  expect((await act(seller.visitor, "release", orderId, proof)).data.state).toBe("COMPLETED");
}, 180_000);

test("[OTC-1] the authenticator's code or the user's own passkey suffices for a release; a mailed code or another's key does not", async () => {
  const adId = await post("buy");
  const bound = await server.person("Tyra Holm", { USDT: "200" });
  const secret = await bindTotp(bound.visitor, server);
  const first = await paidSale(bound, adId);
  await server.pass(61_000);
  const shown = showTotp(secret, server.nowMs());
  expect((await act(bound.visitor, "release", first, { code: shown === "000000" ? "000001" : "000000" })).code).toBe(
    "PROOF_WRONG",
  );
  expect((await act(bound.visitor, "release", first, { code: shown })).data.state).toBe("COMPLETED");

  const keyed = await server.person("Elin Moe", { USDT: "200" });
  const [own, foreign] = [new SoftAuthenticator(server.url), new SoftAuthenticator(server.url)];
  for (const [person, key] of [
    [keyed, own],
    [await server.person("Karl Thief"), foreign],
  ] as const) {
    const { options } = (await person.visitor.post("/v2/users/passkey/bind/challenge")).data;
    const made = { response: key.create(options.challenge, {}) };
    expect((await person.visitor.post("/v2/users/passkey/bind", made)).status).toBe(200);
  }
  const show = async (key: SoftAuthenticator): Promise<object> => {
    const { options } = (await keyed.visitor.post("/v2/users/passkey/challenge")).data;
    return { passkey: key.get(options.challenge, {}) };
  };
  const second = await paidSale(keyed, adId);
  expect((await act(keyed.visitor, "release", second, await show(foreign))).code).toBe("PROOF_WRONG");
  expect((await act(keyed.visitor, "release", second, await show(own))).data.state).toBe("COMPLETED");
}, 180_000);

test("[OTC-1] an ad for previous partners is taken only by them; lists are filtered by the time to pay", async () => {
  const open = await post("sell", { windowMinutes: 30 });
  const kept = await post("sell", { needTraded: true, windowMinutes: 10 });
  const buyer = await server.person("Pia Grahn");
  const bars = async () => {
    const { data } = await buyer.visitor.get("/v2/otc/ads/page?side=buy&asset=USDT&fiat=AED&size=50");
    const found = (data.ads as { adId: string; bar: string | null }[]).filter(({ adId }) =>
      [open, kept].includes(adId),
    );
    return Object.fromEntries(found.map(({ adId, bar }) => [adId, bar]));
  };
  expect(await bars()).toEqual({ [open]: null, [kept]: "TRADED" });
  expect((await take(buyer.visitor, kept, maker.paymentId)).code).toBe("CONDITION_TRADED");
  const { orderId } = (await take(buyer.visitor, open, maker.paymentId)).data;
  await act(buyer.visitor, "pay", orderId);
  // Paid is not traded: the coins have to arrive.
  expect((await take(buyer.visitor, kept, maker.paymentId)).code).toBe("CONDITION_TRADED");
  const proof = { tradePassword: FUND_PASSWORD, code: await code(maker) };
  expect((await act(maker.visitor, "release", orderId, proof)).data.state).toBe("COMPLETED");
  // The receipt gives the merchant's name as written.
  const receipt = await buyer.visitor.get(`/v2/otc/orders/receipt?id=${orderId}`);
  const written = Buffer.from(NAME, "utf16le").swap16().toString("hex").toUpperCase();
  expect(Buffer.from(receipt.data.data, "base64").toString("latin1")).toContain(`/ActualText <FEFF${written}>`);
  expect(await bars()).toEqual({ [open]: null, [kept]: null });
  expect((await take(buyer.visitor, kept, maker.paymentId)).data.state).toBe("WAIT_PAY");

  const listed = async (query: string): Promise<readonly string[]> => {
    const { data } = await buyer.visitor.get(`/v2/otc/ads/page?side=buy&asset=USDT&fiat=AED&size=50${query}`);
    return (data.ads as { adId: string }[]).map(({ adId }) => adId).filter((id) => [open, kept].includes(id));
  };
  expect(new Set(await listed(""))).toEqual(new Set([open, kept]));
  expect(await listed("&windowMin=30")).toEqual([open]);
  expect(await listed("&windowMin=31")).toEqual([]);
  expect(await listed("&windowMax=15")).toEqual([kept]);
  expect(await listed("&windowMin=11&windowMax=29")).toEqual([]);
  expect((await buyer.visitor.get("/v2/otc/ads/page?windowMin=5")).status).toBe(400);
}, 180_000);

test("[WAL-1] coins bought from others are distinguished in what may leave, with the reason and the hour, for a day", async () => {
  const adId = await post("sell");
  const buyer = await server.person("Odd Berg", { USDT: "50" });
  const other = await server.person("Siv Dahl");
  const limits = async () => (await buyer.visitor.get("/asset/v1/api/withdraw/limits")).data;
  const withdrawable = async () =>
    (await limits()).withdrawable.filter(({ asset, from }: Record<string, string>) => `${asset}${from}` === "USDT2");
  expect(await limits()).toMatchObject({ stays: [], mayLeaveUsdt: null });
  expect(await withdrawable()).toEqual([{ asset: "USDT", from: "2", amount: "50" }]);
  const { orderId } = (await take(buyer.visitor, adId, maker.paymentId)).data;
  await act(buyer.visitor, "pay", orderId);
  const proof = { tradePassword: FUND_PASSWORD, code: await code(maker) };
  const { quantity } = (await act(maker.visitor, "release", orderId, proof)).data;
  const result = await limits();
  expect(result.stays).toMatchObject([{ cause: "otc", usdt: quantity }]);
  expect(result.mayLeaveUsdt).toBe("50");
  expect(await withdrawable()).toEqual([{ asset: "USDT", from: "2", amount: "50" }]);
  const send = async (amount: string) => {
    const sent = { asset: "USDT", amount, from: "2", to: other.email };
    await server.pass(61_000);
    await buyer.visitor.post("/asset/v1/api/withdraw/code", sent);
    const proved = { tradePassword: FUND_PASSWORD, code: await buyer.visitor.readLastCode(buyer.email) };
    return buyer.visitor.post("/asset/v1/api/internal/transfer", { ...sent, clientId: clientId(), proof: proved });
  };
  const before = await funding(buyer.visitor, "USDT");
  const refused = await send("50.000001");
  expect([refused.status, refused.code]).toEqual([422, "RESTRICTED"]);
  expect(refused.message).toContain(`${quantity} USDT bought on OTC can be withdrawn from `);
  expect(refused.message).toContain(new Date(result.stays[0].untilMs).toISOString());
  expect(await funding(buyer.visitor, "USDT")).toEqual(before);
  // Unlocked funds leave, to the last unit.
  expect((await send("50")).status).toBe(200);
  expect(await withdrawable()).toEqual([{ asset: "USDT", from: "2", amount: "0" }]);
  await server.pass(24 * 3_600_000 + 1_000);
  expect((await send(quantity)).status).toBe(200);
  expect(await limits()).toMatchObject({ stays: [], mayLeaveUsdt: null });
}, 180_000);
