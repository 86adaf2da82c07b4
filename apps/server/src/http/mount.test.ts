import { SILENT_LOG } from "@clockwork/host/log";
import { answer, defineRoute, refuse } from "@clockwork/host/route";
import * as fc from "fast-check";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "./app.ts";
import { type ServedApp, serveApp, testConfig } from "./app-fixture.ts";

const Order = Type.Object({
  pair: Type.String({ minLength: 3, maxLength: 16, pattern: "^[A-Z]+$" }),
  amount: Type.String({ format: "decimal" }),
  count: Type.Integer({ minimum: 1, maximum: 100 }),
  isHidden: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 8 }), { maxItems: 3 })),
});
const GOOD = { pair: "BTCUSDT", amount: "1.50", count: 2 };

const BROKEN_TEXT = "must be text without NUL or broken characters";

const ROUTES = [
  defineRoute({
    method: "POST",
    path: "/v1/test/orders",
    summary: "Echoes an order",
    tag: "test",
    body: Order,
    output: Type.Object({ order: Order, user: Type.Union([Type.String(), Type.Null()]) }),
    handle: async ({ body }, { userId }) => answer({ order: body, user: userId }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/test/orders/:id",
    summary: "Reads one",
    tag: "test",
    params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 999_999 }) }),
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, default: 0 })),
      open: Type.Optional(Type.Boolean()),
      side: Type.Optional(Type.Array(Type.String({ maxLength: 4 }), { maxItems: 2 })),
    }),
    output: Type.Object({
      id: Type.Integer(),
      page: Type.Integer(),
      open: Type.Boolean(),
      side: Type.Array(Type.String()),
    }),
    handle: async ({ params, query }) =>
      answer({ id: params.id, page: query.page ?? -1, open: query.open ?? false, side: query.side ?? [] }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/test/orders/:id",
    summary: "Refuses",
    tag: "test",
    params: Type.Object({ id: Type.String({ maxLength: 20 }) }),
    body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 20 })) }),
    output: Type.Null(),
    handle: async () => refuse({ code: "ORDER_GONE", status: 409, message: "The order is done; nothing to cancel." }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/test/own",
    summary: "For the signed in",
    tag: "test",
    scope: "user",
    output: Type.Null(),
    handle: async () => answer(null),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/test/fault",
    summary: "Fails",
    tag: "test",
    output: Type.Null(),
    handle: async () => {
      throw new Error("password=hunter2 at db.internal");
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/test/liar",
    summary: "Answers against its schema",
    tag: "test",
    output: Type.Object({ id: Type.Integer() }),
    handle: async () => answer({ id: 1, secret: "leaked" } as { id: number }),
  }),
  defineRoute({
    method: "GET",
    path: "/v2/users/test",
    summary: "Success is 0 here",
    tag: "test",
    output: Type.Null(),
    handle: async () => answer(null),
  }),
];

let served: ServedApp;
beforeAll(async () => {
  served = await serveApp({ routes: ROUTES });
});
afterAll(() => served.close());

async function post(body: string, type = "application/json", path = "/api/v1/test/orders") {
  const response = await fetch(served.url + path, { method: "POST", body, headers: { "content-type": type } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, response };
}

describe("envelope", () => {
  test("[NET-4] success is code 200, and 0 under /v2/users", async () => {
    const { status, body } = await post(JSON.stringify(GOOD));
    expect([status, body]).toEqual([200, { code: 200, data: { order: GOOD, user: null }, message: "success" }]);
    const users = await fetch(`${served.url}/api/v2/users/test`);
    expect(await users.json()).toEqual({ code: 0, data: null, message: "success" });
  });

  test("[NET-4] a slice's refusal keeps its code, status and message, with the request id", async () => {
    const response = await fetch(`${served.url}/api/v1/test/orders/7`, { method: "DELETE" });
    expect(response.status).toBe(409);
    expect(await response.json()).toEqual({
      code: "ORDER_GONE",
      data: null,
      message: "The order is done; nothing to cancel.",
      requestId: response.headers.get("x-request-id"),
    });
  });

  test("[NET-4] a fault answers INTERNAL without its cause", async () => {
    const response = await fetch(`${served.url}/api/v1/test/fault`);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ code: "INTERNAL", data: null });
    expect(text).not.toMatch(/hunter2|internal\b.*db|Error/);
  });

  test("[NET-4] an answer against its schema never leaves: a fault in development, cut to the schema in production", async () => {
    expect((await fetch(`${served.url}/api/v1/test/liar`)).status).toBe(500);
    const production = await serveApp({ routes: ROUTES }, { CW_MODE: "production" });
    const response = await fetch(`${production.url}/api/v1/test/liar`);
    expect(await response.json()).toEqual({ code: 200, data: { id: 1 }, message: "success" });
    await production.close();
  });

  test("[NET-4] a call that needs a session is refused without one", async () => {
    const response = await fetch(`${served.url}/api/v1/test/own`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("[NET-4] an unknown address is 404, a known one with another method 405 with Allow", async () => {
    const cases: [string, string, number, string | null][] = [
      ["GET", "/api/v1/test/nothing", 404, null],
      ["GET", "/api", 404, null],
      ["GET", "/api/", 404, null],
      ["POST", "/api/v1/test/orders/7", 405, "DELETE, GET, HEAD"],
      ["OPTIONS", "/api/v1/test/orders", 405, "POST"],
      ["PUT", "/api/v1/test/orders", 405, "POST"],
      ["GET", "/api/v1/test/orders/7/", 404, null],
    ];
    for (const [method, path, status, allow] of cases) {
      const response = await fetch(served.url + path, { method });
      expect([method, path, response.status, response.headers.get("allow")]).toEqual([method, path, status, allow]);
      const { code } = (await response.json()) as { code: string };
      expect(code).toBe(status === 405 ? "METHOD_NOT_ALLOWED" : "NOT_FOUND");
    }
  });

  test("[OPS-3] a plain request id is kept, anything else is replaced", async () => {
    const ask = async (id: string) => {
      const response = await fetch(`${served.url}/api/v1/test/nothing`, { headers: { "x-request-id": id } });
      const { requestId } = (await response.json()) as { requestId: string };
      expect(response.headers.get("x-request-id")).toBe(requestId);
      return requestId;
    };
    expect(await ask("trace-0123.abc_DEF")).toBe("trace-0123.abc_DEF");
    for (const bad of ["short", "x".repeat(65), "has space in it", "<script>alert(1)", "a;b;c;d;e"]) {
      expect(await ask(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe("bad input", () => {
  const bodies: [string, string, Record<string, string>][] = [
    ["nothing", "{}", { "body.pair": "is required" }],
    ["an unknown field", JSON.stringify({ ...GOOD, admin: true }), { "body.admin": "is not known here" }],
    ["a number as text", JSON.stringify({ ...GOOD, count: "2" }), { "body.count": "must be integer" }],
    ["a number for text", JSON.stringify({ ...GOOD, pair: 5 }), { "body.pair": "must be string" }],
    ["a fraction", JSON.stringify({ ...GOOD, count: 1.5 }), { "body.count": "must be integer" }],
    ["too large a number", JSON.stringify({ ...GOOD, count: 101 }), { "body.count": "must be <= 100" }],
    ["a huge exponent", JSON.stringify({ ...GOOD }).replace("2}", "1e999}"), { "body.count": "must be integer" }],
    ["a boolean as text", JSON.stringify({ ...GOOD, isHidden: "true" }), { "body.isHidden": "must be boolean" }],
    ["null for a text", JSON.stringify({ ...GOOD, pair: null }), { "body.pair": "must be string" }],
    [
      "too many items",
      JSON.stringify({ ...GOOD, tags: ["a", "b", "c", "d"] }),
      { "body.tags": "must NOT have more than 3 items" },
    ],
    ["a wrong item", JSON.stringify({ ...GOOD, tags: ["a", 5] }), { "body.tags.1": "must be string" }],
    ["a NUL", JSON.stringify({ ...GOOD, tags: ["a\0"] }), { "body.tags.0": BROKEN_TEXT }],
    ["half a character", JSON.stringify({ ...GOOD, tags: ["ok", "\ud800"] }), { "body.tags.1": BROKEN_TEXT }],
    ["a list", "[]", { body: "must be object" }],
    ["a text", '"x"', { body: "must be object" }],
    ["a number", "5", { body: "must be object" }],
    ["true", "true", { body: "must be object" }],
  ];
  test.each(bodies)("[NET-4] a body with %s is refused with the field's path", async (_, body, fields) => {
    const result = await post(body);
    expect(result.status).toBe(400);
    expect(result.body).toMatchObject({ code: "VALIDATION_FAILED", data: null, fields });
  });

  const amounts = [
    "1e3",
    "1E3",
    "-1",
    "+1",
    "NaN",
    "Infinity",
    "0x10",
    "01",
    ".5",
    "5.",
    "1,5",
    "1 ",
    "",
    "1".repeat(65),
    "٣",
    "1_000",
  ];
  test.each(amounts)("[NET-4] %j is no decimal", async (amount) => {
    const { status, body } = await post(JSON.stringify({ ...GOOD, amount }));
    expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.fields).toHaveProperty(["body.amount"]);
  });

  const broken: [string, string, string, number, string][] = [
    ["half a JSON", '{"pair":', "application/json", 400, "MALFORMED_BODY"],
    ["an empty JSON body", "", "application/json", 400, "MALFORMED_BODY"],
    ["a prototype", '{"__proto__":{"a":1}}', "application/json", 400, "MALFORMED_BODY"],
    ["a constructor's prototype", '{"constructor":{"prototype":{"a":1}}}', "application/json", 400, "MALFORMED_BODY"],
    ["NaN", '{"count":NaN}', "application/json", 400, "MALFORMED_BODY"],
    ["plain text", JSON.stringify(GOOD), "text/plain", 415, "UNSUPPORTED_MEDIA"],
    ["XML", "<a/>", "application/xml", 415, "UNSUPPORTED_MEDIA"],
    ["a multipart form", "--x--", "multipart/form-data; boundary=x", 415, "UNSUPPORTED_MEDIA"],
    ["a nonsense type", "{}", "nonsense", 415, "UNSUPPORTED_MEDIA"],
  ];
  test.each(broken)("[NET-4] %s is refused", async (_, body, type, status, code) => {
    const result = await post(body, type);
    expect([result.status, result.body.code]).toEqual([status, code]);
  });

  const queries: [string, Record<string, string>][] = [
    ["page=11", { "query.page": "must be <= 10" }],
    ["page=1e1", { "query.page": "must be integer" }],
    ["page=01", { "query.page": "must be integer" }],
    ["page=0x1", { "query.page": "must be integer" }],
    ["page=%201", { "query.page": "must be integer" }],
    ["page=1&page=2", { "query.page": "must be integer" }],
    ["page=", { "query.page": "must be integer" }],
    ["open=1", { "query.open": "must be boolean" }],
    ["side=a&side=b&side=c", { "query.side": "must NOT have more than 2 items" }],
    ["side=%00", { "query.side.0": BROKEN_TEXT }],
    ["unknown=1", { "query.unknown": "is not known here" }],
    ["__proto__=1", { "query.__proto__": "is not known here" }],
    ["page[a]=1", { "query.page[a]": "is not known here" }],
  ];
  test.each(queries)("[NET-4] the query %s is refused", async (query, fields) => {
    const response = await fetch(`${served.url}/api/v1/test/orders/7?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_FAILED", fields });
  });

  test("[NET-4] path parameters are read strictly too", async () => {
    for (const id of ["0", "1000000", "1e3", "-1", "abc", "%31%20"]) {
      const response = await fetch(`${served.url}/api/v1/test/orders/${id}`);
      expect([id, response.status]).toEqual([id, 400]);
    }
    expect((await fetch(`${served.url}/api/v1/test/orders/${"9".repeat(300)}`)).status).toBeGreaterThanOrEqual(400);
  });

  test("[NET-4] no body, however strange, gets another answer than a 200 or a named refusal", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify({ ...GOOD, x: value })),
        ),
        async (body) => {
          const result = await post(body);
          expect([200, 400]).toContain(result.status);
          expect(["VALIDATION_FAILED", "MALFORMED_BODY", 200]).toContain(result.body.code);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("forms and queries", () => {
  test("[NET-1] a form is read by the same schema, its texts as the schema's types", async () => {
    const form = "pair=BTCUSDT&amount=1.50&count=2&isHidden=true&tags=a&tags=b";
    const { status, body } = await post(form, "application/x-www-form-urlencoded; charset=utf-8");
    expect(status).toBe(200);
    expect(body.data).toEqual({ order: { ...GOOD, isHidden: true, tags: ["a", "b"] }, user: null });
  });

  test("[NET-1] a form with a wrong, unknown or endless field is refused", async () => {
    for (const [form, refused] of [
      ["pair=BTCUSDT&amount=1e3&count=2", 400],
      ["pair=BTCUSDT&amount=1&count=2&__proto__=1", 400],
      ["a=1&".repeat(300), 413],
    ] as const) {
      const { status } = await post(form, "application/x-www-form-urlencoded");
      expect(status).toBe(refused);
    }
  });

  test("[NET-1] a query is typed and defaulted; one item of a list is a list", async () => {
    const response = await fetch(`${served.url}/api/v1/test/orders/7?open=true&side=buy`);
    expect(await response.json()).toMatchObject({ data: { id: 7, page: 0, open: true, side: ["buy"] } });
  });

  test("[NET-1] DELETE takes JSON, a form or nothing", async () => {
    const url = `${served.url}/api/v1/test/orders/7`;
    const kinds: [string | undefined, string | undefined][] = [
      [undefined, undefined],
      ["application/json", '{"reason":"x"}'],
      // Announced and not sent, as clients do that announce it always.
      ["application/json", undefined],
      ["application/x-www-form-urlencoded", "reason=x"],
    ];
    for (const [type, body] of kinds) {
      const response = await fetch(url, {
        method: "DELETE",
        ...(body === undefined ? {} : { body }),
        ...(type === undefined ? {} : { headers: { "content-type": type } }),
      });
      expect(response.status).toBe(409);
    }
  });
});

describe("a route is checked before the server starts", () => {
  const faulty: [string, object][] = [
    ["a text without a length", Type.Object({ a: Type.String() })],
    ["a number without bounds", Type.Object({ a: Type.Integer({ minimum: 0 }) })],
    ["a number beyond exactness", Type.Object({ a: Type.Number({ minimum: 0, maximum: 1e300 }) })],
    ["a list without an end", Type.Object({ a: Type.Array(Type.Boolean()) })],
    ["an unbounded text deep inside", Type.Object({ a: Type.Object({ b: Type.Union([Type.Null(), Type.String()]) }) })],
    ["anything at all", Type.Object({ a: Type.Unknown() })],
    ["no object", Type.String({ maxLength: 5 })],
    ["an unknown format", Type.Object({ a: Type.String({ format: "nonsense", maxLength: 5 }) })],
  ];
  test.each(faulty)("[NET-4] an input with %s does not start", async (_, body) => {
    const route = defineRoute({
      method: "POST",
      path: "/v1/faulty",
      summary: "Faulty",
      tag: "test",
      body,
      output: Type.Null(),
      handle: async () => answer(null),
    });
    const start = async () => {
      const app = await buildApp({ config: testConfig(), log: SILENT_LOG, routes: [route] });
      await app.ready();
    };
    await expect(start()).rejects.toThrow();
  });
});
