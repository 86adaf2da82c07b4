// Appeals over the wire: what counts as a statement, who may read and decide; the pause after too many cancellations,
// and regressions around orders and ads.

import { bindTotp, enterAsOperator, showTotp } from "@clockwork/identity/accounts/operator-fixture";
import { present } from "@clockwork/kit/assert";
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { peopleStore } from "../otcpeople/store.ts";
import { act, clientId, funding, type OtcServer, openOtc, type Person } from "./otc-fixture.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const DESK = "/v2/otc/complaints/desk";

let server: OtcServer;
let seller: Person;
let operator: Visitor | undefined;
beforeAll(async () => {
  server = await openOtc();
  seller = await server.merchant("Gulf Trading", {});
}, 180_000);
afterAll(() => server?.close());

async function post(more: object = {}): Promise<string> {
  const terms = {
    side: "sell",
    asset: "USDT",
    fiat: "AED",
    premium: "100.10",
    quantity: "500",
    min: "100",
    max: "3000",
  };
  const body = { ...terms, paymentIds: [seller.paymentId], online: true, clientId: clientId(), ...more };
  const posted = await seller.visitor.post("/v2/otc/ads/add", body);
  expect([posted.status, posted.message]).toEqual([200, posted.message]);
  return posted.data.ads[0].adId;
}
async function order(adId: string, visitor: Visitor): Promise<Answer> {
  const body = { adId, amount: "100", paymentId: seller.paymentId, clientId: clientId() };
  return visitor.post("/v2/otc/orders/add", body);
}
const show = (visitor: Visitor, orderId: string, use = "evidence") =>
  visitor.send(`/v2/otc/upload?id=${orderId}&use=${use}`, PNG, "image/png");
/** The operator's session is kept alive while time passes, and the proof expires. */
async function pass(ms: number): Promise<void> {
  await server.pass(ms);
  await operator?.post("/v2/users/session/refresh");
}
async function appealed(adId: string, visitor: Visitor): Promise<{ orderId: string; complaintId: number }> {
  const { orderId } = (await order(adId, visitor)).data;
  await act(visitor, "pay", orderId);
  expect((await show(visitor, orderId)).code).toBe("COMPLAINT_UNKNOWN");
  await pass(10 * MINUTE_MS);
  const opened = await act(visitor, "appeal", orderId, { reason: "not-released", statement: "Paid at once." });
  expect(opened.data.state).toBe("APPEAL");
  return { orderId, complaintId: opened.data.complaint.complaintId };
}

test("[OTC-1] a picture answers a complaint as words do: within the hour, with its line in the log, and no side loses by silence", async () => {
  const adId = await post();
  const buyer = await server.person("Ada Brandt");
  const answered = await appealed(adId, buyer.visitor);
  expect((await show(seller.visitor, answered.orderId)).status).toBe(200);
  const { data } = await seller.visitor.get(`/v2/otc/orders/get?id=${answered.orderId}`);
  expect(data.log.at(-1)).toMatchObject({ actor: "seller", action: "evidence", detail: "picture" });
  expect(data.complaint.files).toMatchObject([{ by: "seller" }]);
  const silent = await appealed(adId, buyer.visitor);
  // Statements are readable by the parties and sealed in the tables.
  expect(data.complaint.buyerSays).toBe("Paid at once.");
  const { rows } = await sql<{ buyer_says: string }>`select buyer_says from otcorders_complaint`.execute(
    present(server.kysely, "OTC-1", "no database"),
  );
  expect(rows.map(({ buyer_says }) => buyer_says).filter((text) => !text.startsWith("sealed:"))).toEqual([]);
  await pass(HOUR_MS + 1);
  expect((await show(seller.visitor, silent.orderId)).code).toBe("EVIDENCE_CLOSED");
  await pass(23 * HOUR_MS);
  // The silent one is decided in the same turn in which the answered one is left to operators.
  const read = async ({ orderId }: { orderId: string }) =>
    (await buyer.visitor.get(`/v2/otc/orders/get?id=${orderId}`)).data;
  await expect.poll(async () => (await read(silent)).state).toBe("COMPLETED");
  expect(await read(answered)).toMatchObject({ state: "APPEAL", complaint: { state: "OPEN", winner: "" } });
  await buyer.visitor.post("/v2/otc/complaints/withdraw", { orderId: answered.orderId });
  await act(buyer.visitor, "cancel", answered.orderId, { confirmUnpaid: true });
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] a party of a complaint sees none of its pictures in the console, and a single operator needs a fresh proof to decide", async () => {
  const adId = await post();
  const entered = await enterAsOperator(server);
  operator = entered.operator;
  await operator.dev("/identity", { level: 3 });
  const own = await appealed(adId, operator);
  const { fileId } = (await show(seller.visitor, own.orderId)).data;
  expect((await operator.get(`${DESK}/file?id=${fileId}`)).code).toBe("OWN_COMPLAINT");
  await operator.post("/v2/otc/complaints/withdraw", { orderId: own.orderId });
  await act(operator, "cancel", own.orderId, { confirmUnpaid: true });

  const buyer = await server.person("Bea Lund");
  const quiet = (await order(adId, buyer.visitor)).data.orderId;
  const uncomplained = (await show(buyer.visitor, quiet, "chat")).data.fileId;
  expect((await operator.get(`${DESK}/file?id=${uncomplained}`)).code).toBe("FILE_UNKNOWN");
  await act(buyer.visitor, "cancel", quiet);
  const { orderId, complaintId } = await appealed(adId, buyer.visitor);
  const shown = (await show(seller.visitor, orderId)).data.fileId;
  expect((await operator.get(`${DESK}/file?id=${shown}`)).data.mediaType).toBe("image/png");
  const decision = { complaintId, winner: "seller", fault: "none", reason: "Read both.", compensationUsdt: "0" };
  const decide = () => entered.operator.post(`${DESK}/decide`, { ...decision, clientId: "alone" });
  expect((await decide()).code).toBe("STEP_UP_REQUIRED");
  expect((await buyer.visitor.get(`/v2/otc/orders/get?id=${orderId}`)).data.state).toBe("APPEAL");
  const proved = { codes: { totp: showTotp(entered.secret, server.nowMs()) } };
  expect((await operator.post("/v2/users/security/step-up", proved)).status).toBe(200);
  expect((await decide()).data).toEqual({ isDecided: true, proposalId: null });
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] a user who cancels three purchases within a day buys nothing until a day after the third, not through an own ad either", async () => {
  const desk = await server.merchant("Resting Desk");
  const holder = await server.person("Ina Falk", { USDT: "100" });
  const sells = await post();
  const terms = { side: "buy", asset: "USDT", fiat: "AED", premium: "99", quantity: "500", min: "10", max: "3000" };
  const body = { ...terms, paymentIds: [desk.paymentId], online: true, clientId: clientId() };
  const buys: string = (await desk.visitor.post("/v2/otc/ads/add", body)).data.ads[0].adId;
  const sell = () =>
    holder.visitor.post("/v2/otc/orders/add", {
      adId: buys,
      quantity: "10",
      paymentId: holder.paymentId,
      clientId: clientId(),
    });
  const isOffered = async () => {
    const { data } = await holder.visitor.get("/v2/otc/ads/page?side=sell&asset=USDT&fiat=AED");
    return data.ads.find(({ adId }: { adId: string }) => adId === buys)?.bar;
  };
  // As the advertiser, as a taker, and as the advertiser again.
  const cancelled = async (orderId: string) =>
    expect((await act(desk.visitor, "cancel", orderId)).data.state).toBe("CANCELLED");
  await cancelled((await sell()).data.orderId);
  await server.pass(20 * HOUR_MS);
  await cancelled((await order(sells, desk.visitor)).data.orderId);
  await server.pass(3 * HOUR_MS);
  await cancelled((await sell()).data.orderId);
  // The first of the three is a day old, the third is not.
  await server.pass(2 * HOUR_MS);
  expect((await order(sells, desk.visitor)).code).toBe("BUYING_RESTS");
  expect((await sell()).code).toBe("BUYER_RESTS");
  expect(await isOffered()).toBe("RESTS");
  await server.pass(22 * HOUR_MS);
  expect(await isOffered()).toBe(null);
  const again = (await order(sells, desk.visitor)).data;
  expect(again.state).toBe("WAIT_PAY");
  expect((await sell()).data.state).toBe("WAIT_PAY");
}, 180_000);

test("[OTC-1] the seller sees the name the transfer must bear; asks three times at most; unwritten messages are never marked read", async () => {
  const adId = await post();
  const buyer = await server.person("Cleo Strand");
  const { orderId } = (await order(adId, buyer.visitor)).data;
  const seen = async ({ visitor }: Person) => (await visitor.get(`/v2/otc/orders/get?id=${orderId}`)).data;
  expect([(await seen(seller)).payerName, (await seen(buyer)).payerName]).toEqual(["Cleo Strand", "Cleo Strand"]);
  await act(buyer.visitor, "pay", orderId);
  const requested: unknown[] = [];
  for (let i = 0; i < 4; i += 1) requested.push((await act(seller.visitor, "ask-cancel", orderId)).code);
  expect(requested).toEqual([200, 200, 200, "ASKS_FULL"]);
  // A refusal leaves the order free for the next step.
  const { messages } = (await buyer.visitor.get(`/v2/otc/chat/list?id=${orderId}`)).data;
  const last = messages.at(-1).id;
  const read = (messageId: number) => buyer.visitor.post("/v2/otc/chat/read", { orderId, messageId });
  expect((await read(last + 1_000_000)).code).toBe("MESSAGE_UNKNOWN");
  expect((await read(last)).status).toBe(200);
  expect((await act(buyer.visitor, "cancel", orderId)).code).toBe("CONFIRM_UNPAID");
  expect((await act(buyer.visitor, "cancel", orderId, { confirmUnpaid: true })).data.state).toBe("CANCELLED");
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] an ad its owner cannot cover is not posted, however often it is requested; a sold out one is restocked", async () => {
  const own = async () => (await seller.visitor.get("/v2/otc/ads/own")).data.ads as { adId: string; state: string }[];
  const before = (await own()).length;
  const terms = {
    side: "sell",
    asset: "USDT",
    fiat: "AED",
    premium: "100",
    quantity: "900000",
    min: "100",
    max: "3000",
  };
  const body = { ...terms, paymentIds: [seller.paymentId], online: true, clientId: clientId() };
  for (let i = 0; i < 2; i += 1) {
    const refused = await seller.visitor.post("/v2/otc/ads/add", body);
    expect([refused.code, Object.keys(refused.fields ?? {})]).toEqual(["INSUFFICIENT_BALANCE", ["body.quantity"]]);
  }
  expect(await own()).toHaveLength(before);
  const adId = await post({ quantity: "30", min: "10", max: "500" });
  const buyer = await server.person("Dora Helm");
  const bought = { adId, quantity: "30", paymentId: seller.paymentId, clientId: clientId() };
  const { orderId } = (await buyer.visitor.post("/v2/otc/orders/add", bought)).data;
  const found = async () => (await own()).find((ad) => ad.adId === adId);
  expect(await found()).toMatchObject({ state: "SOLD_OUT", stock: "0" });
  expect((await seller.visitor.post("/v2/otc/ads/update", { adId, state: "ONLINE" })).status).toBe(200);
  expect(await found()).toMatchObject({ state: "ONLINE", stock: "30" });
  // The coins returned from the first round join the current stock.
  await act(buyer.visitor, "cancel", orderId);
  expect(await found()).toMatchObject({ state: "ONLINE", stock: "60" });
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] a merchant raises the bond and with it the limits, once funds suffice; the name cannot be taken in other letters", async () => {
  const desk = await server.merchant("Rising Desk", { USDT: "4500" });
  const tables = server.kysely as NonNullable<OtcServer["kysely"]>;
  await tables
    .$extendTables<{ otcpeople_merchant: { user_id: number; level: number; bond_units: bigint } }>()
    .updateTable("otcpeople_merchant")
    .set({ level: 1, bond_units: 1_000_000_000n })
    .where("user_id", "=", desk.userId)
    .execute();
  await server.pass(30 * 24 * HOUR_MS);
  const upgrade = (level: number) => desk.visitor.post("/v2/otc/merchant/upgrade", { level });
  expect((await upgrade(2)).code).toBe("SECOND_FACTOR_REQUIRED");
  await desk.visitor.stepUp(desk.email);
  await bindTotp(desk.visitor, server);
  expect((await upgrade(2)).data.merchant).toMatchObject({ level: 2, bondUsdt: "5000" });
  expect(await funding(desk.visitor, "USDT")).toEqual(["500", "0"]);
  expect((await upgrade(2)).code).toBe("LEVEL_NOT_HIGHER");
  expect((await upgrade(3)).code).toBe("BOND_SHORT");
  expect((await desk.visitor.get("/v2/otc/merchant/get")).data.merchant).toMatchObject({ level: 2, bondUsdt: "5000" });
  await desk.visitor.faucet("USDT", "15000");
  const moved = { asset: "USDT", amount: "15000", from: "1", to: "2", clientId: "more" };
  expect((await desk.visitor.post("/asset/v1/api/wallet/transfer", moved)).status).toBe(200);
  // A retry after a failure is a new attempt; pressed twice it is paid once.
  const pressed = await Promise.all([upgrade(3), upgrade(3)]);
  expect(pressed.some(({ status }) => status === 200)).toBe(true);
  expect((await desk.visitor.get("/v2/otc/merchant/get")).data.merchant).toMatchObject({ level: 3, bondUsdt: "20000" });
  expect(await funding(desk.visitor, "USDT")).toEqual(["500", "0"]);

  const store = peopleStore(tables);
  const row = await store.findMerchant(desk.userId);
  if (row === undefined) throw new Error("there is no merchant");
  const named = (user_id: number, name: string) => store.addMerchant({ ...row, user_id, name });
  expect(await named(9_001, "Gulf Star")).toBe(true);
  expect(await store.isNameTaken("gulf  STAR", 9_002)).toBe(true);
  expect(await named(9_002, "GULF star")).toBe(false);
}, 180_000);

test("[OTC-1] payment accounts change only with a fresh proof", async () => {
  const person = await server.person("Finn Aker");
  await pass(6 * MINUTE_MS);
  const account = { kind: "wallet", fiat: "AED", name: "Finn Aker", provider: "Purse", handle: "Finn.Aker" };
  const add = () => person.visitor.post("/v2/otc/payments/add", account);
  const remove = () => person.visitor.post("/v2/otc/payments/remove", { paymentId: person.paymentId });
  expect([(await add()).code, (await remove()).code]).toEqual(["STEP_UP_REQUIRED", "STEP_UP_REQUIRED"]);
  expect((await person.visitor.get("/v2/otc/payments/list")).data.payments).toHaveLength(1);
  await person.visitor.stepUp(person.email);
  const added = await add();
  expect(added.data.payments.at(-1).fields).toContainEqual({ label: "Wallet number or name", value: "Finn.Aker" });
  expect((await remove()).data.payments).toHaveLength(1);
}, 180_000);
