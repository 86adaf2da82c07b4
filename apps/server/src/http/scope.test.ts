// Scopes over a listening server and from inside: who a route admits, by any proof of identity.

import type { Identifier } from "@clockwork/host/call";
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { sessionIdentifier } from "@clockwork/identity/sessions/session-identifier";
import type { Caller, RouteScope } from "@clockwork/kit/caller";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";
import { internalCalls } from "./internal-calls.ts";

const SCOPES: Readonly<Record<string, RouteScope | undefined>> = {
  open: undefined,
  visitor: "visitor",
  user: "user",
  read: { key: "read" },
  spot: { key: "spot" },
  operator: { operator: "content.edit" },
  internal: "internal",
};

const routes: readonly RouteSpec[] = Object.entries(SCOPES).map(([name, scope]) =>
  defineRoute({
    method: "POST",
    path: `/v1/test/${name}`,
    summary: "Says who calls",
    tag: "test",
    ...(scope === undefined ? {} : { scope }),
    body: Type.Object({ amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) }),
    output: Type.Object({ kind: Type.String(), userId: Type.Union([Type.String(), Type.Null()]) }),
    handle: async (_, { caller, userId }) => answer({ kind: caller.kind, userId }),
  }),
);

/** A key of user 9 with the right to read, given by a header as a signature would be. */
const keys: Identifier = {
  name: "key",
  identify: ({ headers }) => {
    if (headers["x-key"] === "wrong") {
      return { kind: "refused", refusal: { code: "KEY_UNKNOWN", status: 401, message: "There is no such key." } };
    }
    if (headers["x-key"] !== "nine") return undefined;
    return { kind: "key", userId: "9", keyId: "nine", permissions: ["read"] };
  },
};
const sessions = sessionIdentifier({
  readAccess: async (token) => (token.startsWith("good") ? { userId: token.slice(4), sessionId: "s" } : null),
  recallAccess: (token) => (token === "good7" ? { userId: "7", sessionId: "s" } : undefined),
  readWebSession: async () => null,
});

const calls = internalCalls();
let served: ServedApp;
beforeAll(async () => {
  served = await serveApp({
    routes,
    calls,
    identifiers: [sessions, keys],
    permit: async ({ userId }) => (userId === "1" ? undefined : { code: "FORBIDDEN", status: 403, message: "No." }),
  });
});
afterAll(() => served.close());

async function post(name: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`${served.url}/api/v1/test/${name}`, { method: "POST", headers });
  const { code, data } = (await response.json()) as { code: unknown; data: { kind: string; userId: string } | null };
  return response.status === 200 ? `${data?.kind} ${data?.userId}` : code;
}
async function answers(headers: Record<string, string>): Promise<unknown> {
  const all = await Promise.all(Object.keys(SCOPES).map(async (name) => [name, await post(name, headers)] as const));
  return Object.fromEntries(all);
}

test("[NET-4] a visitor reaches open routes and must sign in elsewhere", async () => {
  expect(await answers({})).toEqual({
    open: "visitor null",
    visitor: "visitor null",
    user: "UNAUTHENTICATED",
    read: "UNAUTHENTICATED",
    spot: "UNAUTHENTICATED",
    operator: "UNAUTHENTICATED",
    internal: "NOT_FOUND",
  });
});

test.each(["good7", "good8"])(
  "[NET-4] a user in a session (%s) reaches all but consoles and internal routes",
  async (token) => {
    const me = `user ${token.slice(4)}`;
    expect(await answers({ "x-authorization": token })).toEqual({
      open: me,
      visitor: me,
      user: me,
      read: me,
      spot: me,
      operator: "FORBIDDEN",
      internal: "NOT_FOUND",
    });
  },
);

test("[NET-4] a user is an operator if their role permits it", async () => {
  expect(await post("operator", { "x-authorization": "good1" })).toBe("operator 1");
  expect(await post("user", { "x-authorization": "good1" })).toBe("user 1");
});

test("[NET-4] a key reaches what its permissions name and never what requires a user's session", async () => {
  expect(await answers({ "x-key": "nine" })).toEqual({
    open: "key 9",
    visitor: "key 9",
    user: "KEY_FORBIDDEN",
    read: "key 9",
    spot: "KEY_FORBIDDEN",
    operator: "KEY_FORBIDDEN",
    internal: "NOT_FOUND",
  });
});

test("[NET-4] an identifier that rejects its credential refuses at once, after earlier ones were tried", async () => {
  expect(await post("open", { "x-key": "wrong" })).toBe("KEY_UNKNOWN");
  expect(await post("user", { "x-key": "wrong", "x-authorization": "good7" })).toBe("user 7");
});

test("[NET-4] an internal call names its caller, passes the same schemas and scopes, and has every route", async () => {
  const call = async (name: string, caller: Caller, body: unknown = {}) => {
    const where = { method: "POST", route: `/api/v1/test/${name}` } as const;
    const answered = await calls.call({ ...where, caller, body, requestId: "r", address: "::1" });
    return answered.refusal?.code ?? (answered.refusal === undefined ? answered.envelope.data : undefined);
  };
  const process: Caller = { kind: "internal", name: "test", userId: null };
  const key: Caller = { kind: "key", userId: "9", keyId: "k", permissions: ["spot"] };
  expect(await call("internal", process)).toEqual({ kind: "internal", userId: null });
  expect(await call("user", process)).toBe("UNAUTHENTICATED");
  expect(await call("user", { ...process, userId: "5" })).toEqual({ kind: "internal", userId: "5" });
  expect(await call("spot", key)).toEqual({ kind: "key", userId: "9" });
  expect(await call("read", key)).toBe("KEY_FORBIDDEN");
  expect(await call("spot", key, { amount: 0 })).toBe("VALIDATION_FAILED");
  await expect(call("nothing", process)).rejects.toThrow("no route POST /api/v1/test/nothing");
});
