// Pages asking the API inside the process: whose request it was stays known.

import { carriesSession } from "@clockwork/kit/session-cookie";
import fastify from "fastify";
import { expect, test } from "vitest";
import { createPagesApi } from "./pages-api.ts";

function open() {
  const app = fastify();
  const seen: (readonly [string, unknown])[] = [];
  app.get("/api/v1/one", async (request) => {
    seen.push([request.url, request.headers["x-request-id"]]);
    return { code: 200, data: { cookie: request.headers.cookie ?? null }, message: "" };
  });
  const api = createPagesApi(app, {
    base: "/api",
    keepMs: 1_000,
    keptMax: 10,
    nowMs: () => 0,
    onFault: () => undefined,
  });
  return { api, seen };
}

test("[NET-4] the page's request id goes with every call it makes", async () => {
  const { api, seen } = open();
  const call = { method: "GET", path: "/v1/one" } as const;
  const answer = await api.withSession("page-0001", { cookie: "a=1" })(call);
  expect(answer).toMatchObject({ data: { cookie: "a=1" } });
  await api.anonymous("page-0002")(call);
  expect(seen.map(([, id]) => id)).toEqual(["page-0001", "page-0002"]);
});

test("[NET-4] a shared answer was asked for once, by the page that came first", async () => {
  const { api, seen } = open();
  const call = { method: "GET", path: "/v1/one", shared: true } as const;
  await Promise.all([api.anonymous("page-0001")(call), api.withSession("page-0002", { cookie: "a=1" })(call)]);
  expect(seen).toEqual([["/api/v1/one", "page-0001"]]);
});

test("[NET-4] an answer that is none is told with the page it was for", async () => {
  const faults: unknown[] = [];
  const broken = fastify();
  broken.get("/api/v1/one", async () => "no json");
  const other = createPagesApi(broken, {
    base: "/api",
    keepMs: 0,
    keptMax: 1,
    nowMs: () => 0,
    onFault: (call, requestId) => faults.push([call.path, requestId]),
  });
  expect(await other.anonymous("page-0003")({ method: "GET", path: "/v1/one" })).toBeUndefined();
  expect(faults).toEqual([["/v1/one", "page-0003"]]);
});

test.each([
  ["nothing at all", undefined, false],
  ["a visitor's choices and somebody else's cookie", "theme=dark; _ga=GA1.2.3", false],
  ["a name that only begins like one", "cw_sessions=1; xcw_token=2", false],
  ["an access token", "theme=dark; cw_access_token=abc", true],
  ["the web session alone", "cw_session=abc", true],
  ["an emptied cookie of a session", "cw_token=", true],
  ["odd spaces", " ;  cw_correct_token =x", true],
  ["more than is looked through", `a=${"b".repeat(20_000)}`, true],
])("[AUTH-3] whether a page may show what everybody sees: %s", (_, header, isNamed) => {
  expect(carriesSession(header)).toBe(isNamed);
});
