// Every OTC call with invalid input: fields missing, of another type, negative, huge, another user's. Each is refused
// with a code, and nothing has moved or is stored afterwards.
import { afterAll, beforeAll, expect, test } from "vitest";
import { act, clientId, funding, type OtcServer, openOtc, type Person } from "./otc-fixture.ts";

let server: OtcServer;
let seller: Person;
let buyer: Person;
let adId: string;
let orderId: string;
beforeAll(async () => {
  server = await openOtc();
  seller = await server.merchant("Gulf Trading", {});
  buyer = await server.person("Tomas Brandt", { USDT: "50" });
  const posted = await seller.visitor.post("/v2/otc/ads/add", { ...terms(), online: true, clientId: clientId() });
  adId = posted.data.ads[0].adId;
  const taken = { adId, amount: "500", paymentId: seller.paymentId, clientId: clientId() };
  orderId = (await buyer.visitor.post("/v2/otc/orders/add", taken)).data.orderId;
}, 180_000);
afterAll(() => server?.close());

const terms = () => ({
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  premium: "100.10",
  quantity: "1000",
  min: "100",
  max: "3000",
  paymentIds: [seller.paymentId],
});
const request = { side: "buy", asset: "USDT", fiat: "AED", amount: "500" };
const account = {
  kind: "bank",
  fiat: "AED",
  name: "Tomas Brandt",
  bank: "Harbour Bank",
  account: "AE070331234567890123456",
};

/** A valid body, and its optional fields. */
type Call = readonly [
  path: string,
  who: () => Person,
  body: () => Record<string, unknown>,
  optional?: readonly string[],
];
const her = () => seller;
const theirs = () => buyer;
const CALLS: readonly Call[] = [
  ["ads/add", her, () => ({ ...terms(), online: true, clientId: clientId() }), ["online"]],
  ["ads/validate", her, terms],
  ["ads/update", her, () => ({ adId, terms: terms() })],
  ["ads/update", her, () => ({ adId, state: "OFFLINE" })],
  ["orders/add", theirs, () => ({ adId, amount: "200", paymentId: seller.paymentId, clientId: clientId() })],
  ["orders/pay", theirs, () => ({ orderId })],
  ["orders/cancel", theirs, () => ({ orderId, confirmUnpaid: true }), ["confirmUnpaid"]],
  ["orders/release", her, () => ({ orderId, code: "123456", tradePassword: "fund-password-1" })],
  ["orders/ask-cancel", her, () => ({ orderId })],
  ["orders/appeal", theirs, () => ({ orderId, reason: "other", statement: "Nothing came." })],
  ["complaints/evidence", theirs, () => ({ orderId, statement: "Nothing came." })],
  ["complaints/withdraw", theirs, () => ({ orderId })],
  ["chat/send", theirs, () => ({ orderId, text: "hello" })],
  ["chat/read", theirs, () => ({ orderId, messageId: 1 })],
  ["match", theirs, () => request],
  ["payments/add", theirs, () => account],
  ["payments/remove", theirs, () => ({ paymentId: buyer.paymentId })],
  ["blacklist/add", theirs, () => ({ user: String(seller.userId) })],
  ["blacklist/remove", theirs, () => ({ user: String(seller.userId) })],
  ["merchant/apply", theirs, () => ({ level: 1, name: "Brandt Desk" })],
  ["merchant/upgrade", theirs, () => ({ level: 2 })],
  ["merchant/settings", her, () => ({ opensMinute: 0, closesMinute: 0, reply: "Hello" })],
  [
    "providers/quote",
    theirs,
    () => ({ provider: "simulated", side: "buy", asset: "USDT", fiat: "AED", amount: "100" }),
  ],
  ["providers/accept", theirs, () => ({ dealId: "0123456789abcdef" })],
  [
    "providers/callback",
    theirs,
    () => ({ provider: "simulated", dealId: "0123456789abcdef", state: "SUCCESS", at: 1 }),
  ],
];

const HUGE = "9".repeat(5_000);
/** Texts may contain anything that is not too long; numbers and names may not. */
const TEXTS = ["clientId", "name", "bank", "text", "statement", "reply", "tradePassword"];
const FAKES: Readonly<Record<string, readonly unknown[]>> = {
  text: [HUGE, 5, null, [], {}, true],
  string: ["-1", "1e5", "0x10", " 1", "NaN", "∞", "<script>", "", HUGE, 5, -5, 1e300, null, [], {}, true],
  number: ["1", "x", -1, 1.5, 1e21, null, [], {}],
  boolean: ["true", 1, null, [], {}],
  object: ["x", 5, [], [5], null, {}, { length: 1 }, Array.from({ length: 6 }, () => "0123456789abcdef")],
};

function* spoiled(body: Record<string, unknown>, optional: readonly string[] = []): Generator<Record<string, unknown>> {
  for (const [name, value] of Object.entries(body)) {
    const { [name]: _, ...others } = body;
    if (!optional.includes(name)) yield others;
    for (const fake of FAKES[TEXTS.includes(name) ? "text" : typeof value] ?? []) yield { ...body, [name]: fake };
  }
  yield { ...body, isAdmin: true };
}

/** Everything of the two that a call could change. */
async function world(): Promise<unknown> {
  const paths = ["ads/own", "orders/list", "payments/list", "blacklist/list", "merchant/get", "providers/deals"];
  const lists = ["complaints/list", "legal-tender", "finance/bills", `chat/list?id=${orderId}`];
  const seen: unknown[] = [];
  for (const { visitor } of [seller, buyer]) {
    for (const path of [...paths, ...lists]) seen.push((await visitor.get(`/v2/otc/${path}`)).data);
    seen.push(await funding(visitor, "USDT"));
  }
  return JSON.parse(JSON.stringify(seen, (key, value) => (["nowMs", "accountDays"].includes(key) ? undefined : value)));
}

test("[OTC-1] invalid values in any field of a call are refused with a code, and nothing has moved", async () => {
  const before = await world();
  const taken: unknown[] = [];
  for (const [path, who, body, optional] of CALLS) {
    for (const wrong of spoiled(body(), optional)) {
      const answer = await who().visitor.post(`/v2/otc/${path}`, wrong);
      const isRefused = answer.status >= 400 && answer.status < 500 && typeof answer.code === "string";
      if (!isRefused) taken.push([path, answer.status, JSON.stringify(wrong).slice(0, 300)]);
    }
    for (const wrong of [null, [], "x", 5]) {
      const answer = await who().visitor.post(`/v2/otc/${path}`, wrong);
      if (answer.status !== 400) taken.push([path, answer.status, wrong]);
    }
  }
  expect(taken).toEqual([]);
  expect(await world()).toEqual(before);
}, 300_000);

test("[OTC-1] queries are refused with a code when they request the impossible, and pages beyond the end are empty", async () => {
  const long = "9".repeat(400);
  const wrongs = [
    ...["index?fiat=XXX", "ads/page?side=hold", "ads/page?asset=DOGE", "ads/page?fiat=", "ads/page?page=0"],
    ...["ads/page?page=-1", "ads/page?size=51", "ads/page?size=x", "ads/page?amount=-5", `ads/page?amount=${long}`],
    ...["ads/page?merchant=9", "ads/page?windowMin=5", "ads/page?payment=gold", "ads/page?sort=random"],
    ...[
      "orders/get",
      "orders/get?id=1",
      `orders/get?id=${long}`,
      "orders/get?id=00000000000000",
      "orders/list?before=x",
    ],
    ...["orders/receipt?id=1", "orders/receipt?id=00000000000000", "chat/list", "chat/list?id=00000000000000"],
    ...["match/status", "match/status?id=1", "match/status?id=0123456789abcdef", "match/nearest?side=buy"],
    ...["match/nearest?side=buy&asset=USDT&fiat=AED", "match/nearest?side=buy&asset=USDT&fiat=AED&amount=0"],
    ...["match/nearest?side=buy&asset=USDT&fiat=AED&amount=1&quantity=1", "file", "file?id=0123456789abcdef"],
    ...["providers/get?id=0123456789abcdef", "providers/deals?before=x", "finance/bills?kind=gift"],
    ...["finance/bills?before=x", "finance/bills?since=-1", "finance/bills?asset=DOGE", "complaints/desk", "ads/desk"],
  ];
  for (const path of wrongs) {
    const { status, code } = await buyer.visitor.get(`/v2/otc/${path}`);
    expect([path, status >= 400 && status < 500, typeof code]).toEqual([path, true, "string"]);
  }
  expect((await buyer.visitor.get("/v2/otc/ads/page?page=10000")).data.ads).toEqual([]);
  const sent = await buyer.visitor.send("/v2/otc/upload?id=1&use=chat", Buffer.from("x"), "image/png");
  expect(sent.status).toBe(400);
});

test("[OTC-1] another user's objects are unknown: matches, deals, files, chats and receipts", async () => {
  const { matchId } = (await buyer.visitor.post("/v2/otc/match", request)).data;
  const quote = { provider: "simulated", side: "buy", asset: "USDT", fiat: "AED", amount: "100" };
  const { name } = (await buyer.visitor.get("/v2/otc/providers/list")).data.providers[0];
  const { dealId } = (await buyer.visitor.post("/v2/otc/providers/quote", { ...quote, provider: name })).data;
  const outsider = await server.person("Eve Stranger", { USDT: "5" });
  const before = await world();
  for (const [path, code] of [
    [`match/status?id=${matchId}`, "MATCH_UNKNOWN"],
    [`providers/get?id=${dealId}`, "DEAL_UNKNOWN"],
    [`chat/list?id=${orderId}`, "ORDER_UNKNOWN"],
    [`orders/receipt?id=${orderId}`, "ORDER_UNKNOWN"],
  ] as const)
    expect([path, (await outsider.visitor.get(`/v2/otc/${path}`)).code]).toEqual([path, code]);
  const taken = { adId, amount: "500", paymentId: seller.paymentId, clientId: clientId(), matchId };
  expect((await outsider.visitor.post("/v2/otc/orders/add", taken)).code).toBe("MATCH_UNKNOWN");
  expect((await outsider.visitor.post("/v2/otc/providers/accept", { dealId })).code).toBe("DEAL_UNKNOWN");
  const forged = { provider: name, dealId, state: "SUCCESS", at: 1 };
  expect((await outsider.visitor.post("/v2/otc/providers/callback", forged)).code).toBe("SIGNATURE_WRONG");
  expect(await world()).toEqual(before);
});

test("[OTC-1] where no ad accepts a deal the nearest amount or quantity is returned, and is accepted when requested", async () => {
  await seller.visitor.get("/v2/otc/ads/own");
  const ask = async (requested: string) =>
    (await buyer.visitor.get(`/v2/otc/match/nearest?side=buy&asset=USDT&fiat=AED&${requested}`)).data.nearest;
  expect((await buyer.visitor.post("/v2/otc/match", { ...request, amount: "9000" })).code).toBe("NO_MATCH");
  expect(await ask("amount=9000")).toEqual({ value: "3000.00", min: "100.00", max: "3000.00" });
  expect(await ask("amount=20")).toMatchObject({ value: "100.00" });
  const { value: quantity } = await ask("quantity=5000");
  for (const deal of [{ amount: "3000.00" }, { amount: "100.00" }, { amount: undefined, quantity }])
    expect((await buyer.visitor.post("/v2/otc/match", { ...request, ...deal })).data).toMatchObject({ state: "HELD" });
  // The nearer one of two; none if none can be taken in this way.
  const more = {
    ...terms(),
    quantity: "40",
    min: "50",
    max: "110",
    premium: "101",
    online: true,
    clientId: clientId(),
  };
  await seller.visitor.post("/v2/otc/ads/add", more);
  expect(await ask("amount=20")).toEqual({ value: "50.00", min: "50.00", max: "110.00" });
  expect(await ask("amount=9000")).toMatchObject({ value: "3000.00" });
  expect(await ask("amount=9000&payment=card")).toBeNull();
  // Inactive merchants are not offered.
  server.wait(6 * 60_000);
  expect(await ask("amount=9000")).toBeNull();
  await act(buyer.visitor, "cancel", orderId);
});
