// The console's search and the page of one person over HTTP: what is found, masked, revealed and logged, and for whom.
import {
  approve,
  bindTotp,
  enterAsOperator,
  proposeRole,
  TWO_OPERATORS,
} from "@clockwork/identity/accounts/operator-fixture";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PERSON_SECTIONS } from "./contract.ts";

const CONSOLE = "/v2/operators";
let server: TradingServer;
let operator: Visitor;
let second: Visitor;
let trader: Visitor;
let user: string;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  operator = (await enterAsOperator(server, 0)).operator;
  second = (await enterAsOperator(server, 1)).operator;
  trader = await server.trader({ USDT: "1234" });
  user = String((await trader.post("/v2/users/top-info", {})).data.id);
});
afterAll(() => server.close());

const search = async (query: string, by: Visitor = operator) =>
  (await by.post(`${CONSOLE}/search`, { query })).data.hits;
const actions = async (): Promise<
  readonly { action: string; subject: string; detail: string; operatorName: string }[]
> => (await operator.get(`${CONSOLE}/audit`)).data.rows;

test("[OPS-1] one search finds a user by number, by the start of an address, and an order by its number", async () => {
  const { email } = (await operator.post(`${CONSOLE}/people/reveal`, { user, reason: "Ticket 7, own request" })).data;
  expect(await search(user)).toMatchObject([{ kind: "user", id: user, user }]);
  for (const typed of [email, email.toUpperCase(), email.slice(0, 8)]) {
    const hits = await search(typed);
    expect(hits.map(({ id }: { id: string }) => id)).toContain(user);
    expect(JSON.stringify(hits)).not.toContain(email);
  }
  const placed = await trader.post("/v1/spot/orders", {
    pairCode: "BTC_USDT",
    side: "buy",
    type: "limit",
    price: "60000",
    quantity: "0.001",
    clientOrderId: crypto.randomUUID(),
  });
  expect(placed.status).toBe(200);
  const { orderId } = placed.data;
  await expect
    .poll(() => search(orderId.padStart(4, " ")))
    .toContainEqual(expect.objectContaining({ kind: "order", id: orderId, user }));
  expect(await search("nobody@nowhere.example")).toEqual([]);
  expect((await actions())[0]).toMatchObject({ action: "console.searched", subject: "none" });
});

test("[OPS-1] a page of a person masks what is personal, and a look and a revealing are in the log with the operator", async () => {
  const head = (await operator.get(`${CONSOLE}/people/${user}`)).data;
  expect(head).toMatchObject({ user, status: "active", role: "user", equityUsdt: "1234", depositedUsdt: "0" });
  expect(head.email).toContain("***");
  const shown = (await operator.post(`${CONSOLE}/people/reveal`, { user, reason: "Ticket 8, lost phone" })).data;
  expect(shown.email).not.toContain("***");
  expect((await operator.post(`${CONSOLE}/people/reveal`, { user, reason: "curious" })).code).toBe("VALIDATION_FAILED");
  const log = (await actions()).slice(0, 2);
  expect(log).toMatchObject([
    { action: "person.revealed", subject: user, detail: "Ticket 8, lost phone" },
    { action: "person.opened", subject: user },
  ]);
  expect(log[0]?.operatorName).toBe("operator@clockwork.local");
  const devices = (await operator.get(`${CONSOLE}/people/${user}/devices`)).data;
  expect(devices.sessions).not.toHaveLength(0);
  expect(JSON.stringify(devices)).not.toContain("127.0.0.1");
  expect((await operator.get(`${CONSOLE}/people/999999999`)).code).toBe("USER_UNKNOWN");
});

test("[OPS-1] every section of a page answers what the user's own read answers", async () => {
  const inputs: Readonly<Record<string, { query?: string; body?: object }>> = {
    balances: { body: { walletTypeList: ["1", "2"] } },
    spotOrders: { query: "?state=open" },
    futuresOrders: { query: "?biz=futures&state=open" },
    futuresFills: { query: "?biz=futures" },
    positions: { query: "?biz=futures" },
  };
  const names = Object.entries(PERSON_SECTIONS).filter(([name]) => !["devices", "activity"].includes(name));
  expect(names.length).toBeGreaterThan(12);
  for (const [name, { own, base, called }] of names) {
    const { query = "", body } = inputs[name] ?? {};
    const path = called.path.replace(":user", user);
    const read = called.method === "GET" ? operator.get(`${path}${query}`) : operator.post(path, body ?? {});
    const answered = await read;
    expect([name, answered.status]).toEqual([name, 200]);
    if (base !== "spot") continue;
    const mine = own.method === "GET" ? trader.get(`${own.path}${query}`) : trader.post(own.path, body ?? {});
    // Some answers carry the time of the call.
    const { timeMs: _, ...data } = answered.data;
    const { timeMs: __, ...owned } = (await mine).data;
    expect([name, data]).toEqual([name, owned]);
  }
});

test("[OPS-1] users find nothing; an auditor reads and reveals nothing; support finds no withdrawals", async () => {
  for (const path of [`people/${user}`, `people/${user}/bills`]) {
    expect((await trader.get(`${CONSOLE}/${path}`)).status).toBe(403);
  }
  expect((await trader.post(`${CONSOLE}/search`, { query: user })).status).toBe(403);
  const ria = await server.trader({});
  const { email } = (
    await operator.post(`${CONSOLE}/people/reveal`, {
      user: String((await ria.post("/v2/users/top-info", {})).data.id),
      reason: "role for a colleague",
    })
  ).data;
  await approve(second, await proposeRole(operator, email, "auditor"));

  await bindTotp(ria, server);
  expect((await ria.get(`${CONSOLE}/people/${user}`)).status).toBe(200);
  expect((await ria.post(`${CONSOLE}/people/reveal`, { user, reason: "no right to this" })).code).toBe("FORBIDDEN");
  expect((await ria.post(`${CONSOLE}/people/notes/add`, { user, text: "A note" })).code).toBe("FORBIDDEN");
});

test("[OPS-1] notes are added by operators, by name, and remain in their order", async () => {
  for (const text of ["Called on the number of record.", "Documents requested."]) {
    expect((await second.post(`${CONSOLE}/people/notes/add`, { user, text })).status).toBe(200);
  }
  expect((await operator.get(`${CONSOLE}/people/${user}/notes`)).data.notes).toMatchObject([
    { id: 2, by: "second@clockwork.local", text: "Documents requested." },
    { id: 1, by: "second@clockwork.local" },
  ]);
});

test("[OPS-1] an operator is named by an administrator; no two share a name, however it is written", async () => {
  const ids = await Promise.all(
    [operator, second].map(async (one) => String((await one.post("/v2/users/top-info", {})).data.id)),
  );
  const name = (by: Visitor, who: string | undefined, text: string) =>
    by.post(`${CONSOLE}/name`, { user: who, name: text });
  expect((await name(trader, ids[0], "L. Okafor")).code).toBe("FORBIDDEN");
  expect((await name(operator, ids[0], "L. Okafor")).status).toBe(200);
  expect((await name(operator, ids[1], "l okafor")).code).toBe("NAME_TAKEN");
  expect((await name(operator, user, "J. Weiss")).code).toBe("ACCOUNT_UNKNOWN");
  expect((await name(operator, ids[1], "N. Haddad")).status).toBe(200);
  expect((await operator.get(`${CONSOLE}/me`)).data).toMatchObject({ user: ids[0], name: "L. Okafor" });
  const own = (await operator.get(`${CONSOLE}/audit?action=operator.named&operator=${ids[0]}`)).data.rows;
  expect(own).toMatchObject([
    { operatorName: "L. Okafor", detail: "N. Haddad" },
    { operatorName: "L. Okafor", detail: "L. Okafor" },
  ]);
});
