// The rights of every route, over HTTP: an unauthorised caller learns nothing of what a call takes, and every open
// route is listed with its reason.

import type { RouteSpec } from "@clockwork/host/route";
import { bindTotp } from "@clockwork/identity/accounts/operator-fixture";
import { OPERATOR_ROLES, type OperatorRole } from "@clockwork/identity/operators/rules";
import { present } from "@clockwork/kit/assert";
import { needsUser } from "@clockwork/kit/caller";
import { findResting, OPEN_WHILE_DOWN } from "@clockwork/site/content/module-calls";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer, Visitor } from "../process/account-fixture.ts";
import { OPEN_ROUTES } from "./open-routes.ts";

let server: TestServer;
let routes: readonly { readonly name: string; readonly url: string; readonly spec: RouteSpec }[];
beforeAll(async () => {
  server = await startTestServer({ CW_RATE_WEIGHT_PER_MINUTE: "0" });
  routes = server.one.app.mountedRoutes.map(({ base, spec }) => ({
    name: `${spec.method} ${spec.path}`,
    url: server.url + base + spec.path.replace(/:[A-Za-z0-9_]+/g, "~"),
    spec,
  }));
});
afterAll(() => server.close());

/** An empty body, no query, and invalid parameters; by our own client, so that identification is the first check. */
async function call({ url, spec: { method } }: (typeof routes)[number], cookie = ""): Promise<string> {
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
  const headers = { "content-type": "application/json", cwdeviceid: "a-device", ...(cookie === "" ? {} : { cookie }) };
  const response = await fetch(url, { method, headers, ...body });
  const { code } = (await response.json()) as { code: unknown };
  return `${response.status} ${code}`;
}

async function answersOf(list: typeof routes, cookie?: string): Promise<readonly (readonly [string, string])[]> {
  const answers: (readonly [string, string])[] = [];
  for (const route of list) answers.push([route.name, await call(route, cookie)]);
  return answers;
}

test("[NET-4] an unauthenticated caller must sign in before anything of a call is read", async () => {
  const guarded = routes.filter(({ spec }) => needsUser(spec.scope));
  expect(guarded.length).toBeGreaterThan(400);
  expect((await answersOf(guarded)).filter(([, answer]) => answer !== "401 UNAUTHENTICATED")).toEqual([]);
});

test("[NET-4] a customer is refused by every console before anything of a call is read", async () => {
  const customer = new Visitor(server);
  await customer.signUp("customer@example.com");
  const cookie = [...customer.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const consoles = routes.filter(({ spec: { scope } }) => typeof scope === "object" && "operator" in scope);
  expect(consoles.length).toBeGreaterThan(50);
  expect((await answersOf(consoles, cookie)).filter(([, answer]) => !answer.startsWith("403 "))).toEqual([]);
});

/** What each role may do besides administrators; a permission that is not here is theirs alone. */
const HELD: Readonly<Record<Exclude<OperatorRole, "admin">, readonly string[]>> = {
  "kyc-reviewer": ["console.open", "kyc.review", "people.read", "people.reveal"],
  auditor: ["audit.read", "console.open", "ledger.read", "overview.read", "people.read", "visits.read"],
  editor: ["broadcasts.send", "console.open", "content.edit", "visits.read"],
  support: [
    "console.open",
    "copy.read",
    "invite.manage",
    "otc.complaints",
    "people.read",
    "people.reveal",
    "support.answer",
    "vip.manage",
  ],
  compliance: [
    "audit.read",
    "console.open",
    "copy.read",
    "copy.review",
    "ledger.read",
    "otc.complaints",
    "otc.merchants",
    "overview.read",
    "people.read",
    "people.restrict",
    "people.reveal",
    "reports.read",
    "support.answer",
    "withdrawals.review",
  ],
};

test("[OPS-1] every console is open to exactly the roles that hold its permission; auditors read and change nothing", async () => {
  const consoles = routes.flatMap((route) => {
    const { scope } = route.spec;
    return typeof scope === "object" && "operator" in scope ? [{ ...route, permission: scope.operator }] : [];
  });
  for (const role of OPERATOR_ROLES) {
    const operator = new Visitor(server);
    await operator.signUp(`${role}@example.com`);
    const { id } = (await operator.post("/v2/users/top-info")).data;
    const kysely = present(server.kysely, "OPS-1", "no database");
    await sql`insert into operators_role values (${Number(id)}, ${role}, 0, 0)`.execute(kysely);
    await bindTotp(operator, server);
    const { permissions, readable } = (await operator.get("/v2/operators/me")).data;
    if (role !== "admin") expect([role, [...permissions].sort()]).toEqual([role, HELD[role]]);
    const cookie = [...operator.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answers: string[] = [];
    const wanted: string[] = [];
    for (const route of consoles) {
      const isRead = route.spec.method === "GET" && route.spec.changes !== true;
      const held: readonly string[] = isRead ? readable : permissions;
      const isRefused = (await call(route, cookie)) === "403 FORBIDDEN";
      answers.push(`${route.name} ${isRefused ? "refused" : "open"}`);
      wanted.push(`${route.name} ${held.includes(route.permission) ? "open" : "refused"}`);
    }
    expect([role, answers]).toEqual([role, wanted]);
    expect(answers.some((one) => one.endsWith("open"))).toBe(true);
  }
});

test("[NET-4] every route open to unauthenticated callers is listed with its reason, and no other is", () => {
  const openOf = (list: typeof routes): readonly string[] =>
    list.flatMap(({ name, spec: { scope } }) => (scope === undefined || scope === "visitor" ? [name] : []));
  const open = openOf(routes);
  expect(open.length).toBeGreaterThan(100);
  expect([...new Set(open)].sort()).toEqual([...OPEN_ROUTES.keys()].sort());
  // A planted route that is open to unauthenticated callers and not listed is found.
  const guarded = routes.find(({ spec }) => needsUser(spec.scope)) as (typeof routes)[number];
  const { scope: _, ...spec } = guarded.spec;
  const planted = openOf(routes.map((one) => (one === guarded ? { ...one, spec: spec as RouteSpec } : one)));
  expect(planted.filter((name) => !OPEN_ROUTES.has(name))).toEqual([guarded.name]);
});

test("[USR-8] every call that changes something of a part under maintenance is refused, but for what lets go", () => {
  const names = new Set(routes.map(({ name }) => name));
  expect([...OPEN_WHILE_DOWN].filter((name) => !names.has(name))).toEqual([]);
  const state = { module: "spot", isDown: true, reason: "Rest.", startsAt: null, endsAt: null } as const;
  const notify = (spec: RouteSpec, body: object = {}) =>
    findResting(spec, { query: {}, params: {}, body }, () => state, 0)?.message;
  const changing = routes.filter(({ spec }) => spec.method !== "GET" && needsUser(spec.scope));
  const result = changing.filter(({ spec }) => notify(spec) !== undefined);
  expect(result.length).toBeGreaterThan(100);
  expect(result.filter(({ name }) => OPEN_WHILE_DOWN.has(name))).toEqual([]);
  const order = routes.find(({ name }) => name === "POST /v1/futuresc/orders")?.spec as RouteSpec;
  const batch = routes.find(({ name }) => name === "POST /v1/futuresc/orders/batch")?.spec as RouteSpec;
  const [opens, closes, reduces] = [
    { side: "buy", positionSide: "long" },
    { side: "sell", positionSide: "long" },
    { side: "buy", positionSide: "both", reduceOnly: true },
  ];
  expect([opens, closes, reduces].map((body) => notify(order, body))).toEqual(["Rest.", undefined, undefined]);
  expect(notify(batch, { orders: [closes, reduces] })).toBeUndefined();
  expect(notify(batch, { orders: [closes, opens] })).toBe("Rest.");
});
