// Operators restrict a user over HTTP: one of them stops, two lift, and the core, sign-in and withdrawals follow.
import {
  approve,
  bindTotp,
  enterAsOperator,
  proposeRole,
  showTotp,
  TWO_OPERATORS,
} from "@clockwork/identity/accounts/operator-fixture";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

const CONSOLE = "/v2/operators";
const REASON = "Reported theft, ticket 12";
let server: TradingServer;
let operator: Visitor;
let second: Visitor;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  operator = (await enterAsOperator(server, 0)).operator;
  second = (await enterAsOperator(server, 1)).operator;
});
afterAll(() => server.close());

const numberOf = async (visitor: Visitor) => String((await visitor.post("/v2/users/top-info", {})).data.id);
const set = (user: string, parts: readonly string[], by = operator, reason = REASON): Promise<Answer> =>
  by.post(`${CONSOLE}/restrictions/set`, { user, parts, reason });
const lift = (user: string, parts: readonly string[], by = operator): Promise<Answer> =>
  by.post(`${CONSOLE}/restrictions/lift`, { user, parts, reason: REASON, clientId: crypto.randomUUID() });
const ORDER = { side: "buy", price: "60000", quantity: "0.001" };

test("[OPS-1] one operator stops trading and transfers of a user in every account, two lift them, never the same twice", async () => {
  const trader = await server.trader({ USDT: "1000" });
  const user = await numberOf(trader);
  const move = { asset: "USDT", amount: "1", from: "1", to: "2" };
  const transfer = () => trader.post("/asset/v1/api/wallet/transfer", { ...move, clientId: crypto.randomUUID() });
  expect((await place(trader, ORDER)).status).toBe(200);
  expect((await set(user, ["trading"])).status).toBe(200);
  expect((await place(trader, ORDER)).code).toBe("ACCOUNT_BLOCKED");
  expect((await transfer()).status).toBe(200);
  expect((await set(user, ["transfers", "trading"])).status).toBe(200);
  expect((await transfer()).status).not.toBe(200);
  const listed = (await operator.get(`${CONSOLE}/restrictions?user=${user}`)).data.restrictions;
  expect(listed).toMatchObject([
    { part: "transfers", reason: REASON, isApplied: true },
    { part: "trading", by: "operator@clockwork.local", isApplied: true },
  ]);
  const made = await lift(user, ["trading"]);
  expect((await approve(operator, made)).code).toBe("PROPOSER_IS_APPROVER");
  expect((await place(trader, ORDER)).code).toBe("ACCOUNT_BLOCKED");
  expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED", outcome: "lifted" });
  expect((await place(trader, ORDER)).status).toBe(200);
  expect((await transfer()).status).not.toBe(200);
  expect((await lift(user, ["trading"])).code).toBe("NOT_RESTRICTED");
  const inbox = (await trader.get("/v2/users/letters")).data.letters.map(({ body }: { body: string }) => body);
  expect(inbox.join(" ")).toContain("transfers, trading");
});

test("[OPS-1] an approval lifts the restriction it read and no later one", async () => {
  const trader = await server.trader({ USDT: "1000" });
  const user = await numberOf(trader);
  await set(user, ["trading"]);
  const first = await lift(user, ["trading"]);
  const again = await lift(user, ["trading"], second);
  expect((await approve(second, first)).data.state).toBe("EXECUTED");
  await set(user, ["trading"]);
  expect((await approve(operator, again)).data).toMatchObject({ state: "FAILED" });
  expect((await place(trader, ORDER)).code).toBe("ACCOUNT_BLOCKED");
});

test("[OPS-1] a user without sign-in has no session, cannot release the account, and signs in again after two agreed", async () => {
  const trader = await server.trader({ USDT: "10" });
  const user = await numberOf(trader);
  const { email } = (await operator.post(`${CONSOLE}/people/reveal`, { user, reason: REASON })).data;
  expect((await set(user, ["signIn", "withdrawals"])).status).toBe(200);
  expect((await trader.get("/v1/spot/balance")).status).toBe(401);
  const head = (await operator.get(`${CONSOLE}/people/${user}`)).data;
  expect(head).toMatchObject({ status: "frozen", locks: [{ cause: "operator" }] });
  const visitor = new Visitor(server);
  await visitor.post("/v2/users/risk-control/release/code", { account: email });
  const all = { account: email, password: "correct-horse-1", code: await visitor.readCode(email) };
  expect((await visitor.post("/v2/users/risk-control/release", all)).code).toBe("HELD_BY_EXCHANGE");
  expect((await operator.get(`${CONSOLE}/people/${user}`)).data.status).toBe("frozen");
  await approve(second, await lift(user, ["signIn", "withdrawals"]));
  expect((await operator.get(`${CONSOLE}/people/${user}`)).data).toMatchObject({
    status: "active",
    locks: [{ cause: "released" }],
  });
});

test("[OPS-1] every session of a user is ended by one operator, with a reason", async () => {
  const trader = await server.trader({});
  const user = await numberOf(trader);
  expect((await operator.post(`${CONSOLE}/people/sign-out`, { user, reason: "short" })).code).toBe("VALIDATION_FAILED");
  expect((await operator.post(`${CONSOLE}/people/sign-out`, { user, reason: REASON })).status).toBe(200);
  expect((await trader.get("/v1/spot/balance")).status).toBe(401);
});

test("[OPS-1] an authenticator is removed after identity by two, and withdrawals rest", async () => {
  const trader = await server.trader({});
  const user = await numberOf(trader);
  const reset = () =>
    operator.post(`${CONSOLE}/people/reset-factor`, { user, reason: REASON, clientId: crypto.randomUUID() });
  expect((await reset()).code).toBe("NO_SECOND_FACTOR");
  const secret = await bindTotp(trader, server);
  expect(showTotp(secret, server.nowMs())).toHaveLength(6);
  expect((await reset()).code).toBe("IDENTITY_REQUIRED");
  const cookie = [...trader.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, "content-type": "application/json", ...trader.headers };
  const given = await fetch(`${server.url}/dev/identity`, { method: "POST", headers, body: '{"level":1}' });
  expect(given.status).toBe(200);
  const made = await reset();
  expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED" });
  const head = (await operator.get(`${CONSOLE}/people/${user}`)).data;
  expect(head.hasTotp).toBe(false);
  expect(head.locks.map(({ cause }: { cause: string }) => cause)).toContain("totp-removed");
});

test("[OPS-1] support reads restrictions and sets none; an operator's own account is not restricted here", async () => {
  const ria = await server.trader({});
  const user = await numberOf(ria);
  const { email } = (await operator.post(`${CONSOLE}/people/reveal`, { user, reason: REASON })).data;
  await approve(second, await proposeRole(operator, email, "support"));
  await bindTotp(ria, server);
  expect((await ria.get(`${CONSOLE}/restrictions`)).status).toBe(200);
  expect((await set(user, ["trading"], ria)).code).toBe("FORBIDDEN");
  expect((await set(user, ["trading"])).code).toBe("USER_IS_OPERATOR");
  expect((await set("999999999", ["trading"])).code).toBe("USER_UNKNOWN");
});
