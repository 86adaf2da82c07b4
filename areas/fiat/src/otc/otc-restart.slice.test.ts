// The process is killed while orders are placed, paid, cancelled, released, appealed and decided, and restarted each
// time: what was confirmed holds, the rest is requested again, every order ends once and every book adds up.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bindTotp } from "@clockwork/identity/accounts/operator-fixture";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { type ServedProgram, serveProgram } from "@clockwork/server/process/program-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UNDER_WAY_MS } from "../otcorders/rules.ts";
import { act, clientId, FUND_PASSWORD, funding, release, until } from "./otc-fixture.ts";

const MONTH_MS = 30 * 86_400_000;
const APPEAL_FROM_MS = 11 * 60_000;
const SELLERS = 6;
const SOLD = "10";

interface Seller {
  readonly visitor: Visitor;
  readonly email: string;
  readonly paymentId: string;
}

const at = { url: "" };
let folder = "";
let served: ServedProgram | undefined;
/** The first start printed the first operator's password. */
let first: ServedProgram | undefined;

async function serve(): Promise<void> {
  served = await serveProgram(folder);
  at.url = served.url;
  first ??= served;
}

async function person(index: number, usdt: string, name = `Person ${"ABCDEFG"[index]}`): Promise<Seller> {
  const visitor = new Visitor(at);
  const email = `restart-${index}@example.com`;
  expect((await visitor.signUp(email)).code).toBe(0);
  await visitor.dev("/identity", { level: 3 });
  const safe = await visitor.post("/v2/users/security/trade-password/set", { password: FUND_PASSWORD });
  expect(safe.status).toBe(200);
  await visitor.faucet("USDT", usdt);
  const moved = { asset: "USDT", amount: usdt, from: "1", to: "2", clientId: "fund" };
  expect((await visitor.post("/asset/v1/api/wallet/transfer", moved)).status).toBe(200);
  const account = { kind: "bank", fiat: "AED", name, bank: "Harbour Bank" };
  const added = await visitor.post("/v2/otc/payments/add", { ...account, account: "AE070331234567890123456" });
  return { visitor, email, paymentId: added.data.payments[0].paymentId };
}

const pass = async (ms: number): Promise<number> => (await new Visitor(at).dev("/clock", { advanceMs: ms })).data.nowMs;

/** By the clock of the process, read just before: a code is valid for half a minute. */
async function bind(visitor: Visitor): Promise<void> {
  const nowMs = await pass(1);
  await bindTotp(visitor, { nowMs: () => nowMs });
}

/** A month passes, all users sign in again, and one becomes a merchant. */
async function merchantBuys(merchant: Seller, others: readonly Seller[]): Promise<string> {
  await pass(MONTH_MS);
  for (const { visitor, email } of [merchant, ...others]) await visitor.signIn(email);
  await merchant.visitor.stepUp(merchant.email);
  await bind(merchant.visitor);
  expect((await merchant.visitor.post("/v2/otc/merchant/apply", { level: 1, name: "Restart Desk" })).status).toBe(200);
  await until("the simulated operator", async () => {
    const { data } = await merchant.visitor.get("/v2/otc/merchant/get");
    return data.merchant.state === "ACTIVE" ? true : undefined;
  });
  const terms = { side: "buy", asset: "USDT", fiat: "AED", premium: "100", quantity: "500", min: "10", max: "100" };
  const body = { ...terms, paymentIds: [merchant.paymentId], online: true, clientId: clientId() };
  return (await merchant.visitor.post("/v2/otc/ads/add", body)).data.ads[0].adId;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-otc-restart-"));
  await serve();
});
afterAll(async () => {
  await served?.kill();
  await rm(folder, { recursive: true, force: true });
});

/** All concurrently; killed after a number of responses, and restarted. Returns the successful ones. */
async function killAmid(calls: readonly (() => Promise<Answer>)[], answers: number): Promise<readonly boolean[]> {
  let enough = (): void => undefined;
  const isEnough = new Promise<void>((done) => {
    enough = done;
  });
  let answered = 0;
  const requested = calls.map(async (call) => {
    const answer = await call().catch(() => undefined);
    answered += 1;
    if (answered === answers) enough();
    return answer?.status === 200;
  });
  await isEnough;
  await served?.kill();
  const done = await Promise.all(requested);
  await serve();
  // Unfinished steps are now old enough to be resumed.
  await pass(UNDER_WAY_MS);
  return done;
}

interface Placed extends Seller {
  readonly orderId: string;
}
const OPEN = ["WAIT_PAY", "PAID", "APPEAL"];
const readOrder = async ({ visitor, orderId }: Placed): Promise<Answer["data"]> =>
  (await visitor.get(`/v2/otc/orders/get?id=${orderId}`)).data;

/** Retries until the state is reached, as a user would whose page got no response. */
function comesTo(order: Placed, state: string, again: () => Promise<unknown>): Promise<true> {
  return until(`${state} of ${order.orderId}`, async () => {
    if ((await readOrder(order)).state === state) return true;
    await again();
    return undefined;
  });
}

/** The coins in escrow are those of the open orders, and a completed one took its coins once. */
async function checkEscrow(orders: readonly Placed[]): Promise<void> {
  for (const order of orders) {
    const { state } = await readOrder(order);
    const held = OPEN.includes(state) ? ["40", "10"] : state === "COMPLETED" ? ["40", "0"] : ["50", "0"];
    expect([order.orderId, state, ...(await funding(order.visitor, "USDT"))]).toEqual([order.orderId, state, ...held]);
  }
}

async function releaseOrder({ visitor, email, orderId }: Placed): Promise<Answer> {
  await pass(61_000);
  await visitor.post("/v2/users/security/step-up/code");
  return release(visitor, orderId, await visitor.readLastCode(email));
}

async function operate(): Promise<Visitor> {
  const [, email = "", password = ""] = /account (\S+), password (\S+) /.exec(first?.announced[0] ?? "") ?? [];
  const operator = new Visitor(at);
  await operator.signIn(email, password);
  await bind(operator);
  return operator;
}

test("[OTC-1] killed amid every step of orders, each is done once, escrow is the open orders, and the books add up", async () => {
  const merchant = await person(0, "1100");
  const sellers = await Promise.all(Array.from({ length: SELLERS }, (_, index) => person(index + 1, "50")));
  const adId = await merchantBuys(merchant, sellers);
  const buyer = merchant.visitor;
  const adds = sellers.map(({ visitor, paymentId }) => {
    const body = { adId, quantity: SOLD, paymentId, clientId: clientId() };
    return () => visitor.post("/v2/otc/orders/add", body);
  });
  const placed = async (index: number): Promise<Placed> => {
    const { orderId } = (await adds[index]?.())?.data ?? {};
    const seller = sellers[index] as Seller;
    expect((await seller.visitor.get("/v2/otc/orders/list")).data.orders).toHaveLength(1);
    return { ...seller, orderId };
  };
  const pay = ({ orderId }: Placed) => act(buyer, "pay", orderId);
  const cancel = ({ orderId }: Placed) => act(buyer, "cancel", orderId);

  // Two are placed while three others are paid and one is cancelled.
  const [released, awarded, returned, called] = [await placed(0), await placed(1), await placed(2), await placed(3)];
  const paid = [released, awarded, returned];
  const started = [adds[4], adds[5], ...paid.map((one) => () => pay(one)), () => cancel(called)];
  const wereDone = await killAmid(started as (() => Promise<Answer>)[], 2);
  for (const index of [4, 5]) {
    const { orders: found } = (await (sellers[index] as Seller).visitor.get("/v2/otc/orders/list")).data;
    expect(found.length).toBeGreaterThanOrEqual(wereDone[index - 4] ? 1 : 0);
  }
  const [late, dropped] = [await placed(4), await placed(5)];
  const orders = [...paid, called, late, dropped];
  for (const one of [...paid, late]) await comesTo(one, "PAID", () => pay(one));
  for (const one of [called, dropped]) await comesTo(one, "CANCELLED", () => cancel(one));
  await checkEscrow(orders);

  // Two are released while two are appealed.
  await pass(APPEAL_FROM_MS);
  for (const { visitor } of [merchant, ...sellers]) await visitor.post("/v2/users/session/refresh");
  const codes = await Promise.all(
    [released, late].map(async ({ visitor, email }) => {
      await visitor.post("/v2/users/security/step-up/code");
      return visitor.readLastCode(email);
    }),
  );
  const appeal = ({ orderId }: Placed) =>
    act(buyer, "appeal", orderId, { reason: "not-released", statement: "Paid at once." });
  const second = [
    ...[released, late].map((one, index) => () => release(one.visitor, one.orderId, codes[index] ?? "")),
    ...[awarded, returned].map((one) => () => appeal(one)),
  ];
  const wereReleased = await killAmid(second, 1);
  for (const [index, one] of [released, late].entries()) {
    const { state } = await readOrder(one);
    expect(wereReleased[index] ? state : "COMPLETED").toBe("COMPLETED");
    await comesTo(one, "COMPLETED", () => releaseOrder(one));
  }
  for (const one of [awarded, returned]) await comesTo(one, "APPEAL", () => appeal(one));
  await checkEscrow(orders);

  // Both appeals are answered and decided, one for each side.
  for (const { visitor, orderId } of [awarded, returned]) {
    const reply = await visitor.post("/v2/otc/complaints/evidence", { orderId, statement: "Nothing came." });
    expect(reply.status).toBe(200);
  }
  const operator = await operate();
  const { complaints } = (await operator.get("/v2/otc/complaints/desk")).data;
  const decide = (order: Placed, winner: string) => {
    const { complaintId } = complaints.find(({ orderId }: { orderId: string }) => orderId === order.orderId);
    const body = { complaintId, winner, fault: "none", reason: "Read both.", compensationUsdt: "0", clientId: winner };
    return () => operator.post("/v2/otc/complaints/desk/decide", body);
  };
  const decisions = [decide(awarded, "buyer"), decide(returned, "seller")];
  await killAmid(decisions, 1);
  for (const decision of decisions)
    await until("the decision", async () => ((await decision()).data?.isDecided === true ? true : undefined));
  expect([(await readOrder(awarded)).state, (await readOrder(returned)).state]).toEqual(["COMPLETED", "CANCELLED"]);
  await checkEscrow(orders);
  // 1 100 less the bond, and ten of three sellers less the advertiser's fee of 0.1 %.
  expect(await funding(buyer, "USDT")).toEqual(["129.97", "0"]);
}, 300_000);

/** In the account, or undefined while the merchant is in another state. */
const centre = async ({ visitor }: Seller): Promise<string> =>
  (await visitor.get("/v2/otc/merchant/get")).data.merchant?.state;
const adsOf = async ({ visitor }: Seller): Promise<{ readonly adId: string; readonly state: string }[]> =>
  (await visitor.get("/v2/otc/ads/own")).data.ads;

test("[OTC-1] killed amid bond payments, ads going online and offline and timeouts, every coin is where it belongs", async () => {
  const [one, other] = [await person(11, "1200", "Desk One"), await person(12, "1200", "Desk Two")];
  const desks = [one, other];
  const buyer = await person(13, "1", "Buyer One");
  await pass(MONTH_MS);
  for (const { visitor, email } of [...desks, buyer]) await visitor.signIn(email);
  for (const desk of desks) {
    await desk.visitor.stepUp(desk.email);
    await bind(desk.visitor);
  }
  const apply = (desk: Seller) => () =>
    desk.visitor.post("/v2/otc/merchant/apply", { level: 1, name: desk.email.slice(0, 10) });
  await killAmid(desks.map(apply), 1);
  for (const desk of desks) {
    await until("the merchant", async () => {
      if ((await centre(desk)) === "ACTIVE") return true;
      await apply(desk)();
      return undefined;
    });
    expect(await funding(desk.visitor, "USDT")).toEqual(["200", "0"]);
  }

  // Both post an ad; one is taken.
  const terms = { side: "sell", asset: "USDT", fiat: "AED", premium: "100", quantity: "100", min: "10", max: "400" };
  const posts = desks.map(({ visitor, paymentId }) => {
    const body = { ...terms, paymentIds: [paymentId], online: true, clientId: clientId() };
    return () => visitor.post("/v2/otc/ads/add", body);
  });
  await killAmid(posts, 1);
  for (const [index, desk] of desks.entries()) {
    await until("the ad", async () => {
      const [ad] = await adsOf(desk);
      if (ad?.state === "ONLINE") return true;
      await posts[index]?.();
      return undefined;
    });
    expect(await adsOf(desk)).toHaveLength(1);
    expect(await funding(desk.visitor, "USDT")).toEqual(["99.9", "0"]);
  }
  const ids = await Promise.all(desks.map(async (desk) => (await adsOf(desk))[0]?.adId ?? ""));
  const taken = { adId: ids[0], quantity: "50", paymentId: one.paymentId, clientId: clientId() };
  const { orderId } = (await buyer.visitor.post("/v2/otc/orders/add", taken)).data;

  // One goes offline while the time to pay of its order runs out, the other leaves with its bond.
  const close = () => one.visitor.post("/v2/otc/ads/update", { adId: ids[0], state: "OFFLINE" });
  const leave = () => other.visitor.post("/v2/otc/merchant/exit");
  const runOut = async (): Promise<Answer> => {
    await pass(15 * 60_000);
    return buyer.visitor.get("/v2/otc/orders/list");
  };
  await killAmid([close, leave, runOut], 1);
  await pass(15 * 60_000);
  for (const { visitor } of [one, other, buyer]) await visitor.post("/v2/users/session/refresh");
  await comesTo({ ...buyer, orderId }, "CANCELLED", async () => undefined);
  const has = (desk: Seller, usdt: string, again: () => Promise<unknown>) =>
    until(`${usdt} of ${desk.email}`, async () => {
      await again();
      return (await funding(desk.visitor, "USDT"))[0] === usdt ? true : undefined;
    });
  await has(one, "200", close);
  await has(other, "1200", leave);
  expect((await adsOf(one))[0]?.state).toBe("OFFLINE");
  expect([await centre(one), await centre(other)]).toEqual(["ACTIVE", "EXITED"]);
  expect([await funding(one.visitor, "USDT"), await funding(other.visitor, "USDT")]).toEqual([
    ["200", "0"],
    ["1200", "0"],
  ]);
}, 300_000);
