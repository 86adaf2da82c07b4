// Around OTC orders: who is notified of which step by which channel, providers of money with their deals and bills, and
// attempts on other users' orders, ads and files.

import { request } from "node:http";
import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { allOf } from "@clockwork/kit/all-of";
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { type Client, openClient } from "@clockwork/server/socket/socket-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  act,
  clientId,
  funding,
  kindsOfLetters,
  type OtcServer,
  openOtc,
  type Person,
  release,
  until,
} from "./otc-fixture.ts";

let server: OtcServer;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  server = await openOtc();
  seller = await server.merchant("Gulf Trading", {});
  buyer = await server.person("Tomas Brandt");
}, 180_000);
afterAll(() => server?.close());

async function post(more: object = {}): Promise<string> {
  const terms = {
    side: "sell",
    asset: "USDT",
    fiat: "AED",
    premium: "100.10",
    quantity: "1000",
    min: "100",
    max: "3000",
  };
  const body = { ...terms, paymentIds: [seller.paymentId], online: true, clientId: clientId(), ...more };
  return (await seller.visitor.post("/v2/otc/ads/add", body)).data.ads[0].adId;
}
async function order(adId: string, person: Pick<Person, "visitor"> = buyer): Promise<string> {
  const body = { adId, amount: "100", paymentId: seller.paymentId, clientId: clientId() };
  return (await person.visitor.post("/v2/otc/orders/add", body)).data.orderId;
}
let entered: Visitor | undefined;
/** The operator, who binds an authenticator once and remains signed in. */
async function operate(): Promise<Visitor> {
  entered ??= (await enterAsOperator(server)).operator;
  await entered.post("/v2/users/session/refresh");
  return entered;
}
async function code(person: Person): Promise<string> {
  await server.pass(61_000);
  await person.visitor.post("/v2/users/security/step-up/code");
  return person.visitor.readCode(person.email);
}

/** Events received by a user's open pages; connections end with their sessions. */
class Ear {
  readonly #person: Person;
  readonly #received = new Map<string, string>();
  #client: Client | undefined;

  constructor(person: Person) {
    this.#person = person;
  }

  async listen(): Promise<void> {
    this.topics();
    this.#client?.close();
    this.#client = await openClient(`${server.url.replace("http", "ws")}/ws`);
    this.#client.send({ event: "login", data: { token: this.#person.visitor.jar.get("cw_access_token") } });
    await this.#client.until(({ event }) => event === "login");
    this.#client.send({ event: "sub", channel: "notices" });
    await this.#client.settle();
  }

  topics(): readonly string[] {
    for (const { event, channel, data } of this.#client?.messages ?? []) {
      const reply = data as { topic?: string; reference?: string } | undefined;
      if (event === "data" && channel === "notices" && reply?.reference !== undefined)
        this.#received.set(reply.reference, reply.topic ?? "");
    }
    return [...this.#received.values()];
  }

  close(): void {
    this.#client?.close();
  }
}

const ofOrders = (kinds: readonly string[]): readonly string[] =>
  kinds.filter((kind) => kind.startsWith("otc-")).sort();

test("[OTC-1] every step of an order is notified to its parties by letter, mail, push and the live channel, each once", async () => {
  const ears = [new Ear(seller), new Ear(buyer)] as const;
  const listen = async () => {
    for (const ear of ears) await ear.listen();
  };
  /** A new connection receives nothing from before: earlier events are awaited first. */
  const received = (sellers: number, buyers: number) =>
    expect.poll(() => ears.map((ear) => ofOrders(ear.topics()).length)).toEqual([sellers, buyers]);
  const phone = "phone-of-the-seller-0123456789";
  await seller.visitor.post("/v1/common/push-token/private", { token: phone, system: "ios" });
  await seller.visitor.post("/v2/users/notices/choices", { kind: "otc", channel: "push", isOn: true });
  await listen();
  const adId = await post();
  const [argued, released, cancelled, forgotten, returned] = [
    await order(adId),
    await order(adId),
    await order(adId),
    await order(adId),
    await order(adId),
  ];
  await act(buyer.visitor, "cancel", cancelled);
  for (const one of [argued, released, returned]) await act(buyer.visitor, "pay", one);
  expect((await act(seller.visitor, "ask-cancel", argued)).status).toBe(200);
  await received(9, 1);
  const proof = await code(seller);
  await listen();
  expect((await release(seller.visitor, released, proof)).data.state).toBe("COMPLETED");
  await received(10, 2);
  await server.pass(10 * 60_000);
  await listen();
  const appeal = { reason: "not-released", statement: "Paid." };
  await act(buyer.visitor, "appeal", argued, appeal);
  await buyer.visitor.post("/v2/otc/complaints/withdraw", { orderId: argued });
  // Opened a second time it is notified a second time.
  expect((await act(buyer.visitor, "appeal", argued, appeal)).data.state).toBe("APPEAL");
  expect((await act(seller.visitor, "appeal", returned, { ...appeal, reason: "not-received" })).data.state).toBe(
    "APPEAL",
  );
  await received(14, 6);
  await server.pass(3 * 60_000);
  await listen();
  server.wait(60_000);
  await until("the time to pay", async () => {
    const { data } = await buyer.visitor.get(`/v2/otc/orders/get?id=${forgotten}`);
    return data.state === "CANCELLED" ? true : undefined;
  });
  const speak = (visitor: Visitor, orderId: string) =>
    visitor.post("/v2/otc/complaints/evidence", { orderId, statement: "It is as I say." });
  expect((await speak(seller.visitor, argued)).status).toBe(200);
  expect((await speak(buyer.visitor, returned)).status).toBe(200);
  const operator = await operate();
  const { complaints } = (await operator.get("/v2/otc/complaints/desk")).data;
  for (const [orderId, winner] of [
    [argued, "buyer"],
    [returned, "seller"],
  ] as const) {
    const { complaintId } = complaints.find((one: { orderId: string }) => one.orderId === orderId);
    const decision = { complaintId, winner, fault: "none", reason: "Read both.", compensationUsdt: "0" };
    const decided = await operator.post("/v2/otc/complaints/desk/decide", { ...decision, clientId: clientId() });
    expect(decided.data).toMatchObject({ isDecided: true });
  }
  const both = ["appeal", "appeal", "appeal", "awardBuyer", "awardSeller", "expire", "release", "withdrawAppeal"];
  const sellers = [...both, "cancel", "pay", "pay", "pay", ...Array.from({ length: 5 }, () => "placed")];
  for (const [index, person, answer] of [
    [0, seller, sellers],
    [1, buyer, [...both, "askCancel"]],
  ] as const) {
    const wanted = answer.map((one) => `otc-${one}`).sort();
    await expect.poll(async () => ofOrders(await kindsOfLetters(person.visitor))).toEqual(wanted);
    const mails = async () => ofOrders((await person.visitor.readOutbox(person.email)).map(({ kind }) => kind));
    await expect.poll(mails).toEqual(wanted);
    await expect.poll(() => ofOrders(ears[index].topics())).toEqual(wanted);
    const pushes = async () => ofOrders((await person.visitor.readOutbox(phone)).map(({ kind }) => kind));
    if (person === seller) await expect.poll(pushes).toEqual(wanted);
  }
  for (const ear of ears) ear.close();
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] an operator neither decides nor reads nor answers their own complaint", async () => {
  const adId = await post({ quantity: "200" });
  const operator = await operate();
  await operator.dev("/identity", { level: 3 });
  const orderId = await order(adId, { visitor: operator });
  await act(operator, "pay", orderId);
  await server.pass(10 * 60_000);
  expect(
    (await act(seller.visitor, "appeal", orderId, { reason: "not-received", statement: "None." })).data.state,
  ).toBe("APPEAL");
  const desk = "/v2/otc/complaints/desk";
  const { complaints } = (await operator.get(desk)).data;
  const { complaintId } = complaints.find((one: { orderId: string }) => one.orderId === orderId);
  const decision = { complaintId, winner: "buyer", fault: "seller", reason: "Mine.", compensationUsdt: "0" };
  const tries = [
    await operator.post(`${desk}/decide`, { ...decision, clientId: clientId() }),
    await operator.post(`${desk}/say`, { complaintId, text: "Release it." }),
    await operator.get(`${desk}/get?id=${complaintId}`),
  ];
  expect(tries.map(({ status, code: reply }) => [status, reply])).toEqual(tries.map(() => [403, "OWN_COMPLAINT"]));
  const { data } = await seller.visitor.get(`/v2/otc/orders/get?id=${orderId}`);
  expect(data).toMatchObject({ state: "APPEAL", complaint: { state: "OPEN", decision: "" } });
  await seller.visitor.post("/v2/otc/complaints/withdraw", { orderId });
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

const DEAL = { provider: "simulated-pay", asset: "USDT", fiat: "EUR" };
const quote = (body: object) => buyer.visitor.post("/v2/otc/providers/quote", { ...DEAL, ...body });
const accept = (dealId: string) => buyer.visitor.post("/v2/otc/providers/accept", { dealId });
const ended = (id: string, wanted: string) =>
  until(wanted, async () => {
    await server.pass(3_000);
    const { data } = await buyer.visitor.get(`/v2/otc/providers/get?id=${id}`);
    return data.state === wanted ? true : undefined;
  });
const held = async () => (await buyer.visitor.get("/v2/otc/legal-tender")).data.assets;

test("[OTC-1] a provider's deal ends only by its signed callback; coins paid from outside are locked for a day; failed deals moved nothing", async () => {
  const [before] = await funding(buyer.visitor, "USDT");
  const quoted = await quote({ side: "buy", amount: "86.20" });
  expect(quoted.data).toMatchObject({ state: "QUOTED", fiat: "EUR" });
  const { dealId } = quoted.data;
  const forged = { provider: "simulated-pay", dealId, state: "SUCCESS", at: 1 };
  expect((await buyer.visitor.post("/v2/otc/providers/callback", forged)).code).toBe("SIGNATURE_WRONG");
  expect((await seller.visitor.post("/v2/otc/providers/accept", { dealId })).code).toBe("DEAL_UNKNOWN");
  const taken = await Promise.all([accept(dealId), accept(dealId), accept(dealId)]);
  expect(taken.some(({ data }) => data?.state === "PENDING")).toBe(true);
  await ended(dealId, "SUCCESS");
  const freeUsdt = async () => Number((await funding(buyer.visitor, "USDT"))[0]);
  await expect.poll(freeUsdt).toBeCloseTo(Number(before) + Number(quoted.data.quantity), 6);
  // Everything that is there was bought within a day.
  const early = (await quote({ side: "sell", amount: "40" })).data;
  expect((await accept(early.dealId)).code).toBe("RESTRICTED");
  await server.pass(24 * 3_600_000 + 1_000);
  const sale = (await quote({ side: "sell", amount: "40" })).data;
  await accept(sale.dealId);
  await ended(sale.dealId, "SUCCESS");
  expect(await held()).toEqual([{ fiat: "EUR", name: "Euro", amount: "40.00" }]);
  // Paid from the held balance: spent at once, returned on failure, never more than there is.
  const unlucky = (await quote({ side: "buy", amount: "20.13", source: "balance" })).data;
  const rest = (await quote({ side: "buy", amount: "25", source: "balance" })).data;
  expect((await accept(unlucky.dealId)).data.state).toBe("PENDING");
  expect((await held())[0].amount).toBe("19.87");
  expect((await accept(rest.dealId)).code).toBe("MONEY_SHORT");
  await ended(unlucky.dealId, "FAILED");
  expect((await held())[0].amount).toBe("40.00");
  expect((await quote({ side: "buy", amount: "1" })).code).toBe("PROVIDER_LIMITS");
  const late = (await quote({ side: "buy", amount: "30" })).data;
  await server.pass(60_000);
  expect((await accept(late.dealId)).code).toBe("QUOTE_EXPIRED");
  const { deals } = (await buyer.visitor.get("/v2/otc/providers/deals")).data;
  expect(deals.map((deal: { state: string }) => deal.state)).toEqual(["FAILED", "SUCCESS", "FAILED", "SUCCESS"]);
  const answer = async () => (await kindsOfLetters(buyer.visitor)).filter((kind) => kind === "otc-provider");
  await expect.poll(answer).toHaveLength(3);
}, 180_000);

test("[OTC-1] bills are listed newest first, by kind, coin, currency and time, page by page without a gap", async () => {
  const bills = async (query = ""): Promise<Answer["data"]> =>
    (await buyer.visitor.get(`/v2/otc/finance/bills${query}`)).data;
  const kinds = async (query: string): Promise<readonly string[]> =>
    (await bills(query)).bills.map(({ kind, asset }: { kind: string; asset: string }) => `${kind} ${asset}`);
  // One of the two was awarded, one released; two deals with the provider were done.
  expect(await kinds("")).toEqual(["provider USDT", "provider USDT", "buy USDT", "buy USDT"]);
  expect(await kinds("?kind=buy")).toEqual(["buy USDT", "buy USDT"]);
  expect(await kinds("?kind=provider&fiat=EUR")).toHaveLength(2);
  expect(await kinds("?fiat=AED")).toEqual(["buy USDT", "buy USDT"]);
  expect(await kinds("?asset=BTC")).toEqual([]);
  expect(await kinds(`?since=${server.nowMs()}`)).toEqual([]);
  const [newest, second] = (await bills()).bills;
  expect((await bills(`?before=${newest.atMs}`)).bills[0]).toEqual(second);
  expect((await bills()).nextBefore).toBeNull();
  expect((await buyer.visitor.get("/v2/otc/finance/bills?kind=gift")).status).toBe(400);
  const fees = (await seller.visitor.get("/v2/otc/finance/bills?kind=fee")).data.bills;
  expect(fees).toHaveLength(2);
  expect(fees[0]).toMatchObject({ kind: "fee", asset: "USDT", amount: null });
  expect((await seller.visitor.get("/v2/otc/finance/bills?kind=sell")).data.bills).toHaveLength(2);
});

/** A body of a hundred megabytes; returns the status as soon as there is one, however much of it was read. */
function sendHuge(path: string, person: Person, isDeclared: boolean): Promise<{ status: number; sentBytes: number }> {
  const size = 100 * 1024 * 1024;
  const cookie = [...person.visitor.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { "content-type": "image/png", cookie, ...person.visitor.headers };
  return new Promise((done, fail) => {
    let [sentBytes, isOver] = [0, false];
    const call = request(`${server.url}/api${path}`, {
      method: "POST",
      headers: { ...headers, ...(isDeclared ? { "content-length": String(size) } : {}) },
    });
    const part = Buffer.alloc(256 * 1024, 0x89);
    call.on("response", (response) => {
      isOver = true;
      response.resume();
      done({ status: response.statusCode ?? 0, sentBytes });
      call.destroy();
    });
    call.on("error", (error) => !isOver && fail(error));
    const write = (): void => {
      if (isOver || sentBytes >= size) return;
      sentBytes += part.length;
      if (call.write(part)) setImmediate(write);
      else call.once("drain", write);
    };
    write();
  });
}

test("[OTC-1] access to another user's objects is refused and moves nothing: orders, ads, files, floods and huge bodies", async () => {
  const adId = await post();
  const thief = await server.person("Eve Stranger", { USDT: "10" });
  const orderId = await order(adId);
  const pays = await Promise.all([1, 2, 3, 4].map(() => act(buyer.visitor, "pay", orderId)));
  expect(pays.filter(({ status }) => status === 200)).toHaveLength(1);
  const before = [await funding(buyer.visitor, "USDT"), await funding(seller.visitor, "USDT")];
  // A valid code opens no other user's order, and never the buyer's.
  const proof = await code(thief);
  expect((await release(thief.visitor, orderId, proof)).code).toBe("ORDER_UNKNOWN");
  for (const action of ["pay", "cancel", "ask-cancel"])
    expect((await act(thief.visitor, action, orderId)).code).toBe("ORDER_UNKNOWN");
  expect((await act(thief.visitor, "appeal", orderId, { reason: "other", statement: "Mine." })).code).toBe(
    "ORDER_UNKNOWN",
  );
  expect((await thief.visitor.post("/v2/otc/complaints/withdraw", { orderId })).code).toBe("ORDER_UNKNOWN");
  const evidence = { orderId, statement: "Mine." };
  expect((await thief.visitor.post("/v2/otc/complaints/evidence", evidence)).code).toBe("ORDER_UNKNOWN");
  expect((await thief.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" })).code).toBe("AD_UNKNOWN");
  expect((await thief.visitor.post("/v2/otc/payments/remove", { paymentId: seller.paymentId })).status).toBe(404);
  expect((await seller.visitor.post("/v2/otc/ads/update", { adId, state: "DELETED" })).code).not.toBe(0);
  for (const isDeclared of [true, false]) {
    const huge = await sendHuge(`/v2/otc/upload?id=${orderId}&use=chat`, buyer, isDeclared);
    expect(huge.status).toBe(413);
    expect(huge.sentBytes).toBeLessThan(32 * 1024 * 1024);
  }
  const png = Buffer.from("89504e470d0a1a0a", "hex");
  const named = { "content-disposition": 'attachment; filename="<script>alert(1)</script>.png"' };
  const lying = await buyer.visitor.send(`/v2/otc/upload?id=${orderId}&use=chat`, png, "image/png", named);
  expect(lying.code).toBe("FILE_INVALID");
  const reply = { orderId, text: "hello" };
  const flood = await Promise.all(Array.from({ length: 60 }, () => buyer.visitor.post("/v2/otc/chat/send", reply)));
  const written = flood.filter(({ status }) => status === 200).length;
  expect(allOf(flood, ({ status }) => status === 200 || status === 429)).toBe(true);
  expect(written).toBeLessThan(60);
  const { messages } = (await seller.visitor.get(`/v2/otc/chat/list?id=${orderId}`)).data;
  expect(messages.filter(({ text }: { text: string }) => text === "hello")).toHaveLength(written);
  expect([await funding(buyer.visitor, "USDT"), await funding(seller.visitor, "USDT")]).toEqual(before);
  const right = await code(seller);
  const releases = await Promise.all([1, 2, 3].map(() => release(seller.visitor, orderId, right)));
  expect(releases.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(Number((await funding(buyer.visitor, "USDT"))[0])).toBeCloseTo(Number(before[0]?.[0]) + 27.202741, 5);
}, 180_000);
