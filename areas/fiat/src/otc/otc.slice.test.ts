// OTC trades over the wire: every end of an order, refusals, winners of races, and restarts.

import { bindTotp, enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  act,
  clientId,
  funding,
  kindsOfLetters,
  merchantState,
  type OtcServer,
  openOtc,
  type Person,
  release,
  until,
} from "./otc-fixture.ts";

let server: OtcServer;
let seller: Person;
beforeAll(async () => {
  server = await openOtc();
  seller = await server.merchant("Gulf Trading", {});
}, 180_000);
afterAll(() => server?.close());

const terms = (more: object = {}) => ({
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  premium: "100.10",
  quantity: "1000",
  min: "100",
  max: "3000",
  paymentIds: [seller.paymentId],
  ...more,
});
async function post(more: object = {}, person: Person = seller): Promise<string> {
  const body = { ...terms({ paymentIds: [person.paymentId], ...more }), online: true, clientId: clientId() };
  const posted = await person.visitor.post("/v2/otc/ads/add", body);
  expect([posted.status, posted.message]).toEqual([200, posted.message]);
  return posted.data.ads[0].adId;
}
const order = (visitor: Visitor, adId: string, more: object = {}): Promise<Answer> =>
  visitor.post("/v2/otc/orders/add", {
    adId,
    amount: "500",
    paymentId: seller.paymentId,
    clientId: clientId(),
    ...more,
  });
async function code(person: Person): Promise<string> {
  await server.pass(61_000);
  await person.visitor.post("/v2/users/security/step-up/code");
  return person.visitor.readLastCode(person.email);
}
const ownAd = async (adId: string) => {
  const { data } = await seller.visitor.get("/v2/otc/ads/own");
  return data.ads.find((ad: { adId: string }) => ad.adId === adId);
};
const stock = async (adId: string): Promise<string> => (await ownAd(adId)).stock;

test("[OTC-1] a purchase from the ad to the coins: escrow, paid, released with a code, fee from the advertiser, T+1", async () => {
  const [before] = await funding(seller.visitor, "USDT");
  const adId = await post();
  const buyer = await server.person("Tomas Brandt");
  const page = await buyer.visitor.get("/v2/otc/ads/page?side=buy&asset=USDT&fiat=AED&amount=500");
  expect(page.data.ads.find((ad: { adId: string }) => ad.adId === adId)).toMatchObject({
    price: "3.6761",
    stock: "1000",
    bar: null,
    side: "buy",
  });
  const placed = await order(buyer.visitor, adId);
  expect(placed.data).toMatchObject({
    state: "WAIT_PAY",
    side: "buy",
    amount: "500.00",
    quantity: "136.01371",
    fee: "0",
  });
  expect(placed.data.payment.fields).toContainEqual({ label: "IBAN", value: "AE070331234567890123456" });
  const { orderId } = placed.data;
  expect((await release(seller.visitor, orderId, "000000")).code).toBe("ORDER_STATE");
  expect((await act(seller.visitor, "pay", orderId)).code).toBe("ORDER_STATE");
  expect((await act(buyer.visitor, "pay", orderId)).data.state).toBe("PAID");
  expect((await act(buyer.visitor, "pay", orderId)).code).toBe("ORDER_STATE");
  expect((await release(buyer.visitor, orderId, "000000")).code).toBe("ORDER_UNKNOWN");
  expect((await release(seller.visitor, orderId, "000000")).code).toBe("PROOF_WRONG");
  const released = await release(seller.visitor, orderId, await code(seller));
  expect(released.data).toMatchObject({ state: "COMPLETED", fee: "0.136013" });
  expect(await funding(buyer.visitor, "USDT")).toEqual(["136.01371", "0"]);
  // Sold on to another user within a day, the ledger itself rejects it.
  const buying = await post({ side: "buy", premium: "99", quantity: "1000" });
  const sale = { adId: buying, amount: undefined, quantity: "100", paymentId: buyer.paymentId };
  expect((await order(buyer.visitor, buying, sale)).code).toBe("RESTRICTED");
  await server.pass(24 * 3_600_000 + 1_000);
  const sold = await order(buyer.visitor, buying, sale);
  expect(sold.data).toMatchObject({ state: "WAIT_PAY", side: "sell", quantity: "100" });
  expect((await act(seller.visitor, "pay", sold.data.orderId)).data.state).toBe("PAID");
  expect((await release(buyer.visitor, sold.data.orderId, await code(buyer))).data.state).toBe("COMPLETED");
  expect(await funding(buyer.visitor, "USDT")).toEqual(["36.01371", "0"]);
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
  // Sold with its fee on top, bought with its fee off.
  const [after] = await funding(seller.visitor, "USDT");
  expect(Number(after)).toBeCloseTo(Number(before) - 136.01371 - 0.136013 + 100 - 0.1, 5);
  const bills = await buyer.visitor.get("/v2/otc/finance/bills");
  expect(bills.data.bills.map(({ kind }: { kind: string }) => kind)).toEqual(["sell", "buy"]);
  const receipt = await buyer.visitor.get(`/v2/otc/orders/receipt?id=${orderId}`);
  expect(Buffer.from(receipt.data.data, "base64").toString("latin1").slice(0, 8)).toBe("%PDF-1.5");
}, 180_000);

test("[OTC-1] an unpaid order returns the coins by the core's own clock, and three pause the buyer for a day", async () => {
  const adId = await post();
  const buyer = await server.person("Mara Quist");
  const first = await order(buyer.visitor, adId);
  await server.pass(15 * 60_000 + 1);
  // The timer may not have run yet; the core decides all the same.
  const late = await act(buyer.visitor, "pay", first.data.orderId);
  expect(["ORDER_EXPIRED", "ORDER_STATE", "ORDER_BUSY"]).toContain(late.code);
  const state = (orderId: string, wanted: string) =>
    until(wanted, async () => {
      const { data } = await buyer.visitor.get(`/v2/otc/orders/get?id=${orderId}`);
      return data.state === wanted ? true : undefined;
    });
  await state(first.data.orderId, "CANCELLED");
  expect(await stock(adId)).toBe("1000");
  for (const paysFirst of [false, true]) {
    const { data } = await order(buyer.visitor, adId);
    if (paysFirst) await act(buyer.visitor, "pay", data.orderId);
    if (paysFirst) expect((await act(buyer.visitor, "cancel", data.orderId)).code).toBe("CONFIRM_UNPAID");
    expect((await act(buyer.visitor, "cancel", data.orderId, { confirmUnpaid: true })).data.state).toBe("CANCELLED");
  }
  expect((await order(buyer.visitor, adId)).code).toBe("BUYING_RESTS");
  expect(await stock(adId)).toBe("1000");
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] many concurrent orders never oversell an ad, and one intent is one order", async () => {
  const adId = await post({ quantity: "50", min: "10", max: "500" });
  const buyers = await Promise.all(["A One", "B Two", "C Three"].map((name) => server.person(name)));
  const requested = buyers.flatMap(({ visitor }) =>
    Array.from({ length: 9 }, () => order(visitor, adId, { amount: undefined, quantity: "4" })),
  );
  const answer = await Promise.all(requested);
  const placed = answer.filter(({ status }) => status === 200);
  expect(placed.length).toBe(12);
  expect(new Set(answer.filter(({ status }) => status !== 200).map((one) => one.code))).toEqual(
    new Set(["STOCK_TOO_SMALL"]),
  );
  expect(await stock(adId)).toBe("2");
  const [first] = placed;
  const [buyer] = buyers;
  if (first === undefined || buyer === undefined) throw new Error("nothing was placed");
  await Promise.all(
    buyers.map(async ({ visitor }) => {
      const { data } = await visitor.get("/v2/otc/orders/list?open=true");
      for (const { orderId } of data.orders) await act(visitor, "cancel", orderId);
    }),
  );
  expect(await stock(adId)).toBe("50");
  const other = await server.person("D Four");
  const same = { quantity: "3", amount: undefined, clientId: "same-intent" };
  const twice = await Promise.all(Array.from({ length: 5 }, () => order(other.visitor, adId, same)));
  expect(new Set(twice.map(({ data }) => data.orderId)).size).toBe(1);
  expect(await stock(adId)).toBe("47");
  expect((await seller.visitor.post("/v2/otc/ads/update", { adId, terms: terms({ quantity: "50" }) })).code).toBe(
    "AD_ORDERS_OPEN",
  );
  // Offline with an order open: the rest is returned now, the order's coins when it ends.
  expect((await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" })).status).toBe(200);
  const [early] = await funding(seller.visitor, "USDT");
  await act(other.visitor, "cancel", twice[0]?.data.orderId);
  const [late] = await funding(seller.visitor, "USDT");
  expect(Number(late) - Number(early)).toBeCloseTo(3.003, 6);
}, 180_000);

test("[OTC-1] an appeal is withdrawn only by the side that opened it, and a day of silence loses it", async () => {
  const adId = await post();
  const buyer = await server.person("Lena Farr");
  const { orderId } = (await order(buyer.visitor, adId)).data;
  await act(buyer.visitor, "pay", orderId);
  const appeal = { reason: "not-released", statement: "I paid at 01:34." };
  expect((await act(buyer.visitor, "appeal", orderId, appeal)).code).toBe("APPEAL_TOO_EARLY");
  await server.pass(10 * 60_000);
  expect((await act(buyer.visitor, "appeal", orderId, appeal)).data.state).toBe("APPEAL");
  expect((await seller.visitor.post("/v2/otc/complaints/withdraw", { orderId })).code).toBe("APPEAL_NOT_YOURS");
  expect((await buyer.visitor.post("/v2/otc/complaints/withdraw", { orderId })).data.state).toBe("PAID");
  expect((await act(buyer.visitor, "appeal", orderId, appeal)).data.state).toBe("APPEAL");
  expect((await seller.visitor.get("/v2/otc/complaints/desk")).status).toBe(403);
  // The other side is silent for a day: the side with a statement wins.
  await server.pass(24 * 3_600_000);
  await until("the decision", async () => {
    const { data } = await buyer.visitor.get(`/v2/otc/orders/get?id=${orderId}`);
    return data.state === "COMPLETED" && data.complaint.state === "DECIDED" ? true : undefined;
  });
  expect((await funding(buyer.visitor, "USDT"))[0]).toBe("136.01371");
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] a merchant pays a bond and is accepted; an operator decides against them, the bond pays, and refilled they continue", async () => {
  const maker = await server.person("Nadia Rask", { USDT: "8000" });
  const apply = (level: number) => maker.visitor.post("/v2/otc/merchant/apply", { level, name: "Rask Desk" });
  expect((await apply(1)).code).toBe("SECOND_FACTOR_REQUIRED");
  await server.pass(30 * 24 * 3_600_000);
  await maker.visitor.stepUp(maker.email);
  await bindTotp(maker.visitor, server);
  expect((await apply(3)).code).toBe("BOND_SHORT");
  expect((await apply(1)).data.merchant.state).toBe("AUDIT");
  expect((await funding(maker.visitor, "USDT"))[0]).toBe("7000");
  const centre = async () => (await maker.visitor.get("/v2/otc/merchant/get")).data;
  // Moved once: moved at every check, a slow machine would outlive the session.
  server.wait(2_000);
  await until("the simulated operator", async () => ((await centre()).merchant.state === "ACTIVE" ? true : undefined));
  const adId = await post({ quantity: "200", min: "100", max: "700" }, maker);
  const buyer = await server.person("Oskar Vey");
  const taken = await order(buyer.visitor, adId, { paymentId: maker.paymentId });
  const { orderId } = taken.data;
  await act(buyer.visitor, "pay", orderId);
  await server.pass(10 * 60_000);
  await act(buyer.visitor, "appeal", orderId, { reason: "not-released", statement: "Paid at once." });
  const { operator } = await enterAsOperator(server);
  const { data } = await operator.get("/v2/otc/complaints/desk");
  const { complaintId, openedAtMs } = data.complaints.find((one: { orderId: string }) => one.orderId === orderId);
  const decision = { complaintId, winner: "buyer", fault: "seller", reason: "The bank confirmed it.", clientId: "d1" };
  const desk = "/v2/otc/complaints/desk";
  // One side has made a statement: the other has its hour, whether one or two people would decide.
  for (const compensationUsdt of ["50", "1000"])
    expect((await operator.post(`${desk}/decide`, { ...decision, compensationUsdt })).code).toBe("EVIDENCE_OPEN");
  const shown = async () => (await operator.get(`${desk}/get?id=${complaintId}`)).data;
  expect(await shown()).toMatchObject({
    isDecidable: false,
    complaint: { decidableFromMs: openedAtMs + 3_600_000 },
  });
  expect(
    (await maker.visitor.post("/v2/otc/complaints/evidence", { orderId, statement: "Nothing came." })).status,
  ).toBe(200);
  expect(await shown()).toMatchObject({ isDecidable: true, complaint: { decidableFromMs: openedAtMs } });
  expect((await operator.post(`${desk}/decide`, { ...decision, compensationUsdt: "1000.01" })).code).toBe(
    "COMPENSATION_TOO_LARGE",
  );
  const decide = (more: object) => operator.post(`${desk}/decide`, { ...decision, compensationUsdt: "50", ...more });
  // One intent is one decision however often it is sent; another one is too late.
  const pressed = await Promise.all([decide({}), decide({}), decide({})]);
  expect(pressed.some(({ status }) => status === 200)).toBe(true);
  expect((await decide({})).data).toEqual({ isDecided: true, proposalId: null });
  expect((await decide({ winner: "seller", clientId: "d2" })).code).toBe("COMPLAINT_DECIDED");
  expect((await funding(buyer.visitor, "USDT"))[0]).toBe("186.01371");
  expect(await kindsOfLetters(buyer.visitor)).toContain("otc-compensation");
  const answer = ["merchant-applied", "merchant-active", "merchant-drawn"];
  // The simulated operator's decision is notified a moment later.
  await expect.poll(() => kindsOfLetters(maker.visitor)).toEqual(expect.arrayContaining(answer));
  // Until the bond is complete again no ad is offered.
  expect((await maker.visitor.get("/v2/otc/ads/own")).data.ads[0].state).toBe("OFFLINE");
  expect((await maker.visitor.post("/v2/otc/ads/update", { adId, state: "ONLINE" })).code).toBe("BOND_INCOMPLETE");
  expect((await maker.visitor.post("/v2/otc/merchant/refill")).data.merchant.bondUsdt).toBe("1000");
  expect((await maker.visitor.post("/v2/otc/ads/update", { adId, state: "ONLINE" })).status).toBe(200);
  expect((await maker.visitor.post("/v2/otc/merchant/exit")).data.merchant.state).toBe("EXITING");
  const bills = (await maker.visitor.get("/v2/otc/finance/bills")).data.bills as { kind: string; quantity: string }[];
  expect(bills.map(({ kind, quantity }) => `${kind} ${quantity}`)).toEqual(
    expect.arrayContaining(["bond -1000", "bond -50", "compensation -50", "sell -136.01371", "fee -0.136013"]),
  );
  // The session ends with the week; what the exchange returned is in its table and in the ledger.
  await server.pass(7 * 24 * 3_600_000);
  await until("the bond", async () => ((await merchantState(server, maker)) === "EXITED" ? true : undefined));
}, 180_000);

test("[OTC-1] chat is sealed at rest, pictures are re-encoded, outsiders see nothing, floods, polyglots and mislabelled files are refused", async () => {
  const adId = await post();
  const buyer = await server.person("Nils Orme");
  const outsider = await server.person("Eve Stranger");
  const { orderId } = (await order(buyer.visitor, adId)).data;
  const text = "<script>alert(1)</script> on its way";
  expect((await buyer.visitor.post("/v2/otc/chat/send", { orderId, text })).data).toMatchObject({ author: "me", text });
  const seen = await seller.visitor.get(`/v2/otc/chat/list?id=${orderId}`);
  expect(seen.data.messages.map(({ author }: { author: string }) => author)).toEqual(["system", "me", "other"]);
  for (const path of [`orders/get?id=${orderId}`, `chat/list?id=${orderId}`, `orders/receipt?id=${orderId}`])
    expect((await outsider.visitor.get(`/v2/otc/${path}`)).code).toBe("ORDER_UNKNOWN");
  expect((await act(outsider.visitor, "cancel", orderId)).code).toBe("ORDER_UNKNOWN");
  const rows = await server.kysely
    ?.$extendTables<{ otcorders_message: { sealed: Uint8Array } }>()
    .selectFrom("otcorders_message")
    .select("sealed")
    .execute();
  for (const { sealed } of rows ?? []) expect(Buffer.from(sealed).includes("script")).toBe(false);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const upload = (bytes: Uint8Array, mediaType = "image/png") =>
    buyer.visitor.send(`/v2/otc/upload?id=${orderId}&use=chat`, bytes, mediaType);
  const polyglot = await upload(Buffer.concat([png, Buffer.from("<script>alert(1)</script>")]));
  expect([polyglot.status, polyglot.code]).toEqual([400, "FILE_MIXED"]);
  const kept = await buyer.visitor.get(`/v2/otc/chat/list?id=${orderId}`);
  expect(kept.data.messages.some(({ kind }: { kind: string }) => kind === "picture")).toBe(false);
  const wide = await sharp({ create: { width: 1200, height: 600, channels: 3, background: "#369" } })
    .png()
    .toBuffer();
  const { fileId } = (await upload(wide)).data;
  const sized = async (size: string) => {
    const { data } = await seller.visitor.get(`/v2/otc/file?id=${fileId}&size=${size}`);
    return sharp(Buffer.from(data.data, "base64")).metadata();
  };
  expect(await sized("small")).toMatchObject({ format: "jpeg", width: 480, height: 240 });
  expect(await sized("full")).toMatchObject({ format: "png", width: 1200, height: 600 });
  expect((await seller.visitor.get(`/v2/otc/file?id=${fileId}&size=huge`)).status).toBe(400);
  expect((await outsider.visitor.get(`/v2/otc/file?id=${fileId}&size=small`)).code).toBe("FILE_UNKNOWN");
  expect((await upload(Buffer.from("<svg onload=alert(1)>"))).code).toBe("FILE_INVALID");
  expect((await upload(Buffer.alloc(6 * 1024 * 1024))).status).toBe(413);
  // More than twice as many as are allowed in a minute, which may end in the middle of them.
  const flood = await Promise.all(
    Array.from({ length: 70 }, () => buyer.visitor.post("/v2/otc/chat/send", { orderId, text: "hello" })),
  );
  expect(flood.some(({ status }) => status === 429)).toBe(true);
  await act(buyer.visitor, "cancel", orderId);
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] limits, names, blocks and conditions are refused with nothing changed", async () => {
  const adId = await post({ min: "100", max: "1000", needOrders: 0 });
  const buyer = await server.person("Ivo Lang");
  const before = await stock(adId);
  const codes = async (more: object) => (await order(buyer.visitor, adId, more)).code;
  expect(await codes({ amount: "99.99" })).toBe("AMOUNT_BELOW_MIN");
  expect(await codes({ amount: "1000.01" })).toBe("AMOUNT_ABOVE_MAX");
  // Rounded up to a payable amount, not down into the limits.
  expect(await codes({ amount: undefined, quantity: "272.028" })).toBe("AMOUNT_ABOVE_MAX");
  expect(await codes({ amount: "100", quantity: "10" })).toBe("AMOUNT_INVALID");
  expect(await codes({ paymentId: buyer.paymentId })).toBe("PAYMENT_UNKNOWN");
  expect(await codes({ price: "3.6" })).toBe("PRICE_MOVED");
  expect((await order(seller.visitor, adId)).code).toBe("OWN_AD");
  const account = { kind: "bank", fiat: "AED", bank: "Harbour Bank", account: "AE070331234567890123457" };
  const add = (name: string) => buyer.visitor.post("/v2/otc/payments/add", { ...account, name });
  expect((await add("Somebody Else")).code).toBe("PAYMENT_NAME");
  expect(
    (await buyer.visitor.post("/v2/otc/payments/add", { ...account, name: "Ivo Lang", account: "1" })).fields,
  ).toHaveProperty("body.account");
  const block = (user: number) => buyer.visitor.post("/v2/otc/blacklist/add", { user: String(user) });
  // Existing and missing users are not distinguished.
  const outsider = await server.person("Nils Holm");
  const answer = await Promise.all([block(outsider.userId), block(123_456_789)]);
  expect(answer.map(({ status, code, message }) => [status, code, message])).toEqual(
    answer.map(() => [404, "BLOCK_UNKNOWN", answer[0]?.message]),
  );
  expect((await block(seller.userId)).status).toBe(200);
  expect(await codes({})).toBe("AD_BLOCKED");
  const page = await buyer.visitor.get("/v2/otc/ads/page?side=buy&asset=USDT&fiat=AED");
  expect(page.data.ads.some((ad: { adId: string }) => ad.adId === adId)).toBe(false);
  expect(page.data.hidden).toBeGreaterThan(0);
  await buyer.visitor.post("/v2/otc/blacklist/remove", { user: String(seller.userId) });
  const fresh = await server.trader();
  expect((await order(fresh, adId)).code).toBe("IDENTITY_LEVEL");
  expect((await fresh.post("/v2/otc/ads/add", { ...terms(), clientId: "x" })).code).toBe("MERCHANT_REQUIRED");
  const wrong = async (more: object) =>
    (await seller.visitor.post("/v2/otc/ads/add", { ...terms(more), clientId: clientId() })).code;
  expect(await wrong({ premium: "120.01" })).toBe("AD_PRICE_BAND");
  expect(await wrong({ premium: undefined, price: "4.1" })).toBe("AD_PRICE_BAND");
  expect(await wrong({ min: "200", max: "100" })).toBe("AD_LIMITS");
  expect(await wrong({ paymentIds: [buyer.paymentId] })).toBe("AD_PAYMENT");
  expect(await wrong({ max: "9000000" })).toBe("AD_ORDER_MAX");
  expect(await stock(adId)).toBe(before);
  await seller.visitor.post("/v2/otc/ads/update", { adId, state: "OFFLINE" });
}, 180_000);

test("[OTC-1] new terms of an own ad are checked without its own slot and coins, and refused with the field's name", async () => {
  const adId = await post({ quantity: "40", min: "10", max: "100" });
  const update = (more: object) => seller.visitor.post("/v2/otc/ads/update", { adId, ...more });
  const before = await ownAd(adId);
  const edited = (more: object = {}) => terms({ quantity: "40", min: "10", max: "100", ...more });
  for (const [field, code, more] of [
    ["premium", "AD_PRICE_BAND", { premium: "120.01" }],
    ["price", "AD_PRICE_BAND", { premium: undefined, price: "4.1" }],
    ["min", "AD_LIMITS", { min: "200" }],
    ["max", "AD_ORDER_MAX", { max: "9000000" }],
    ["quantity", "AD_ONLINE", { quantity: "41" }],
    ["paymentIds", "AD_PAYMENT", { paymentIds: ["0123456789abcdef"] }],
  ] as const) {
    const refused = await update({ terms: edited(more) });
    expect([refused.code, Object.keys(refused.fields ?? {})]).toEqual([code, [`body.terms.${field}`]]);
  }
  const late = await update({ terms: edited({ windowMinutes: 5 }) });
  expect([late.status, Object.keys(late.fields ?? {})]).toEqual([400, ["body.terms.windowMinutes"]]);
  expect(await ownAd(adId)).toEqual(before);
  const checked = await seller.visitor.post("/v2/otc/ads/validate", { ...edited({ premium: "101" }), adId });
  expect(checked.data).toMatchObject({ missing: "0" });
  expect(checked.data.checks.filter(({ isMet }: { isMet: boolean }) => !isMet)).toEqual([]);
  const { visitor } = await server.person("Hanne Vik");
  expect((await visitor.post("/v2/otc/ads/validate", { ...edited(), adId })).code).toBe("AD_UNKNOWN");
  expect((await update({ terms: edited({ premium: undefined, price: "3.6543", max: "90" }) })).status).toBe(200);
  expect(await ownAd(adId)).toMatchObject({
    state: "ONLINE",
    isFloating: false,
    price: "3.6543",
    max: "90.00",
    stock: "40",
  });
  await update({ state: "OFFLINE" });
}, 180_000);

test("[OTC-1] matching holds the best price for a minute", async () => {
  await post({ premium: "100.30" });
  const best = await post({ premium: "100.05", min: "100", max: "3000" });
  await seller.visitor.get("/v2/otc/ads/own");
  const buyer = await server.person("Rhea Sol");
  const body = { side: "buy", asset: "USDT", fiat: "AED", amount: "500" };
  const matched = await buyer.visitor.post("/v2/otc/match", body);
  expect(matched.data).toMatchObject({ state: "HELD", candidates: 2, price: "3.6743", amount: "500.00" });
  expect(matched.data.ad.adId).toBe(best);
  const { matchId } = matched.data;
  // For this amount and for one order, however many are requested at once.
  expect((await order(buyer.visitor, best, { matchId, amount: "3000" })).code).toBe("MATCH_UNKNOWN");
  const requested = await Promise.all(Array.from({ length: 5 }, () => order(buyer.visitor, best, { matchId })));
  expect(requested.filter((one) => one.code === "MATCH_UNKNOWN").length).toBe(4);
  const placed = requested.find(({ status }) => status === 200) as Answer;
  expect(placed.data.state).toBe("WAIT_PAY");
  const status = await buyer.visitor.get(`/v2/otc/match/status?id=${matchId}`);
  expect(status.data).toMatchObject({ state: "TAKEN", orderId: placed.data.orderId });
  expect((await order(buyer.visitor, best, { matchId })).code).toBe("MATCH_UNKNOWN");
  await act(buyer.visitor, "cancel", placed.data.orderId);
  expect((await buyer.visitor.post("/v2/otc/match", { ...body, amount: "999999" })).code).toBe("NO_MATCH");
  const late = await buyer.visitor.post("/v2/otc/match", body);
  await server.pass(60_001);
  expect((await order(buyer.visitor, best, { matchId: late.data.matchId })).code).toBe("MATCH_UNKNOWN");
}, 180_000);
