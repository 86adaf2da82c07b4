// Broadcasts over a listening process with an engine, whose job sends them: mails and pushes in the outbox.

import { enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";

const DESK = "/v2/operators/broadcasts";
const WORDS = {
  en_US: { subject: "Weekly news", body: "Bitcoin rose." },
  fr_FR: { subject: "Nouvelles", body: "Bon." },
};
const PUBLIC_PHONE = "public-phone-0123456789";

let server: TradingServer;
let operator: Visitor;
let ann: Visitor;
let visitor: Visitor;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  ({ operator } = await enterAsOperator(server));
  ann = await server.trader();
  visitor = new Visitor(server);
});
afterAll(() => server.close());

const subscribe = async (email: string): Promise<void> => {
  await visitor.post("/v1/common/marketing/sign-up", { email });
  const [mail] = await visitor.readOutbox(email);
  const token = /confirm=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  expect((await visitor.post("/v1/common/marketing/confirm", { token })).status).toBe(200);
};
const inbox = async (to: string) => (await visitor.readOutbox(to)).filter(({ kind }) => kind === "broadcast");
const send = (audience: string, more: object = {}) =>
  operator.post(`${DESK}/send`, { audience, words: WORDS, sendAtMs: null, clientId: crypto.randomUUID(), ...more });

test("[USR-7] [SITE-15] an editor's issue reaches subscribers and phones, including those without an account, once", async () => {
  await subscribe("reader@example.com");
  await visitor.post("/v1/common/marketing/sign-up", { email: "waiting@example.com" });
  await visitor.post("/v1/common/push-token/public", { token: PUBLIC_PHONE, system: "ios" });
  await ann.post("/v1/common/push-token/private", { token: "anns-phone-0123456789", system: "android" });
  expect((await operator.get(DESK)).data).toMatchObject({ subscribers: 1, phones: 2, hasMail: true, hasPush: true });
  const preview = (await operator.post(`${DESK}/preview`, { words: WORDS, locale: "fr_FR" })).data;
  expect(preview).toMatchObject({ subject: "Nouvelles", push: "Bon." });
  expect(preview.mail).toContain("To leave it:");
  expect(await send("both")).toMatchObject({ status: 200, data: { state: "scheduled", subject: "Weekly news" } });
  const [row] = (await operator.get("/v2/operators/audit")).data.rows;
  expect(row).toMatchObject({ action: "broadcast.send", subject: "both", detail: "Weekly news" });
  server.wait(10_000);
  await expect.poll(async () => (await operator.get(DESK)).data.broadcasts[0].state).toBe("sent");
  expect((await operator.get(DESK)).data.broadcasts[0]).toMatchObject({ mails: 1, pushes: 2 });
  expect(await inbox("reader@example.com")).toHaveLength(1);
  expect(await inbox("waiting@example.com")).toEqual([]);
  for (const phone of [PUBLIC_PHONE, "anns-phone-0123456789"])
    expect(await inbox(phone)).toMatchObject([{ text: "Bitcoin rose.", unsubscribeUrl: null }]);
  server.wait(60_000);
  expect(await inbox("reader@example.com")).toHaveLength(1);
});

test("[USR-7] one press in a mail program, or on the page of the mail's link, unsubscribes; a second one is no mistake", async () => {
  await subscribe("second@example.com");
  await send("newsletter");
  server.wait(10_000);
  const newest = async (to: string, count: number) => {
    await expect.poll(async () => (await inbox(to)).length).toBe(count);
    return (await inbox(to))[0];
  };
  const first = await newest("reader@example.com", 2);
  const url = new URL(first?.unsubscribeUrl ?? "");
  const press = () =>
    fetch(`${server.url}${url.pathname}${url.search}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
  expect([(await press()).status, (await press()).status]).toEqual([200, 200]);
  const link = /leave=([\w-]+)/.exec((await newest("second@example.com", 1))?.text ?? "")?.[1] ?? "";
  const leave = (token: string) => visitor.post("/v1/common/marketing/leave", { token });
  const forged = `${link.slice(0, -4)}${link.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
  expect(await leave(forged)).toMatchObject({ status: 404, code: "TOKEN_INVALID" });
  expect((await operator.get(DESK)).data.subscribers).toBe(1);
  expect((await leave(link)).status).toBe(200);
  expect((await operator.get(DESK)).data.subscribers).toBe(0);
});

test("[USR-3] users who disabled news by push receive none", async () => {
  await ann.post("/v2/users/notices/choices", { kind: "news", channel: "push", isOn: false });
  const before = (await inbox("anns-phone-0123456789")).length;
  await send("push");
  server.wait(10_000);
  await expect.poll(async () => (await inbox(PUBLIC_PHONE)).length).toBe(2);
  expect(await inbox("anns-phone-0123456789")).toHaveLength(before);
});

test("[USR-7] only editors broadcast; invalid broadcasts are refused", async () => {
  expect((await ann.get(DESK)).status).toBe(403);
  expect((await visitor.post(`${DESK}/send`, {})).status).toBe(401);
  expect(await send("newsletter", { words: { fr_FR: WORDS.fr_FR } })).toMatchObject({ code: "ENGLISH_REQUIRED" });
  expect((await send("everybody")).status).toBe(400);
  const later = await send("newsletter", { sendAtMs: server.nowMs() + 3_600_000 });
  expect((await operator.post(`${DESK}/cancel`, { number: later.data.number })).status).toBe(200);
  expect((await operator.get(DESK)).data.broadcasts[0]).toMatchObject({ state: "cancelled" });
  expect(await operator.post(`${DESK}/cancel`, { number: later.data.number })).toMatchObject({ status: 404 });
});
