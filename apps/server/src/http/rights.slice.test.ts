// The rights of every route there is, over HTTP: who may not call learns nothing of what a call takes, and what anybody
// may call is listed with its reason.

import type { RouteSpec } from "@clockwork/host/route";
import { needsUser } from "@clockwork/kit/caller";
import { findResting, OPEN_WHILE_DOWN } from "@clockwork/site/content/module-calls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPlace, type Place, Visitor } from "../process/account-fixture.ts";
import { OPEN_ROUTES } from "./open-routes.ts";

let place: Place;
let routes: readonly { readonly name: string; readonly url: string; readonly spec: RouteSpec }[];
beforeAll(async () => {
  place = await openPlace({ CW_RATE_WEIGHT_PER_MINUTE: "0" });
  routes = place.one.app.mountedRoutes.map(({ base, spec }) => ({
    name: `${spec.method} ${spec.path}`,
    url: place.url + base + spec.path.replace(/:[A-Za-z0-9_]+/g, "~"),
    spec,
  }));
});
afterAll(() => place.close());

/** An empty body, no query, and parameters that are none; by our own client, so that who calls is what is asked first. */
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

test("[NET-4] whoever is nobody is asked to sign in before anything of a call is looked at", async () => {
  const guarded = routes.filter(({ spec }) => needsUser(spec.scope));
  expect(guarded.length).toBeGreaterThan(400);
  expect((await answersOf(guarded)).filter(([, answer]) => answer !== "401 UNAUTHENTICATED")).toEqual([]);
});

test("[NET-4] a customer is refused by every console before anything of a call is looked at", async () => {
  const customer = new Visitor(place);
  await customer.signUp("customer@example.com");
  const cookie = [...customer.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const consoles = routes.filter(({ spec: { scope } }) => typeof scope === "object" && "operator" in scope);
  expect(consoles.length).toBeGreaterThan(50);
  expect((await answersOf(consoles, cookie)).filter(([, answer]) => !answer.startsWith("403 "))).toEqual([]);
});

test("[NET-4] every route whose caller may be nobody is listed with its reason, and nothing else is", () => {
  const open = routes.flatMap(({ name, spec: { scope } }) =>
    scope === undefined || scope === "visitor" ? [name] : [],
  );
  expect(open.length).toBeGreaterThan(100);
  expect([...new Set(open)].sort()).toEqual([...OPEN_ROUTES.keys()].sort());
});

test("[USR-8] every call that changes something of a part under maintenance is refused, but for what lets go", () => {
  const names = new Set(routes.map(({ name }) => name));
  expect([...OPEN_WHILE_DOWN].filter((name) => !names.has(name))).toEqual([]);
  const state = { module: "spot", isDown: true, reason: "Rest.", startsAt: null, endsAt: null } as const;
  const tell = (spec: RouteSpec, body: object = {}) =>
    findResting(spec, { query: {}, params: {}, body }, () => state, 0)?.message;
  const changing = routes.filter(({ spec }) => spec.method !== "GET" && needsUser(spec.scope));
  const told = changing.filter(({ spec }) => tell(spec) !== undefined);
  expect(told.length).toBeGreaterThan(100);
  expect(told.filter(({ name }) => OPEN_WHILE_DOWN.has(name))).toEqual([]);
  const order = routes.find(({ name }) => name === "POST /v1/futuresc/orders")?.spec as RouteSpec;
  const batch = routes.find(({ name }) => name === "POST /v1/futuresc/orders/batch")?.spec as RouteSpec;
  const [opens, closes, reduces] = [
    { side: "buy", positionSide: "long" },
    { side: "sell", positionSide: "long" },
    { side: "buy", positionSide: "both", reduceOnly: true },
  ];
  expect([opens, closes, reduces].map((body) => tell(order, body))).toEqual(["Rest.", undefined, undefined]);
  expect(tell(batch, { orders: [closes, reduces] })).toBeUndefined();
  expect(tell(batch, { orders: [closes, opens] })).toBe("Rest.");
});
