// Pages call the API inside the process: the caller remains the page's visitor.

import { carriesSession } from "@clockwork/kit/session-cookie";
import fastify from "fastify";
import { expect, test } from "vitest";
import { createRequestApi, shareCalls } from "./pages-api.ts";

function open() {
  const app = fastify();
  const seen: (readonly [string, unknown])[] = [];
  app.get("/api/v1/one", async (request) => {
    seen.push([request.url, request.headers["x-request-id"]]);
    return { code: 200, data: { cookie: request.headers.cookie ?? null }, message: "" };
  });
  return { ask: createRequestApi(app, { base: "/api", onFault: () => undefined }), seen };
}
const CALL = { method: "GET", path: "/v1/one" } as const;

test("[NET-4] the page's request id goes with every call it makes", async () => {
  const { ask, seen } = open();
  expect(JSON.parse((await ask(CALL, "page-0001", { cookie: "a=1" })) ?? "")).toMatchObject({
    data: { cookie: "a=1" },
  });
  await ask(CALL, "page-0002", {});
  expect(seen.map(([, id]) => id)).toEqual(["page-0001", "page-0002"]);
});

test("[NET-4] a shared answer is requested once a moment, by the first page", async () => {
  const { ask, seen } = open();
  let nowMs = 0;
  const share = shareCalls({ keepMs: 1_000, keptMax: 10, nowMs: () => nowMs });
  const page = (id: string) => share(CALL, (call) => ask(call, id, {}));
  await Promise.all([page("page-0001"), page("page-0002")]);
  nowMs = 999;
  await page("page-0003");
  expect(seen).toEqual([["/api/v1/one", "page-0001"]]);
  nowMs = 1_000;
  await page("page-0004");
  expect(seen).toHaveLength(2);
});

test("[NET-4] a call that fails is reported with the page it was for", async () => {
  const faults: unknown[] = [];
  const ended = fastify();
  await ended.ready();
  await ended.close();
  const ask = createRequestApi(ended, { base: "/api", onFault: (call, id) => faults.push([call.path, id]) });
  expect(await ask(CALL, "page-0003", {})).toBeUndefined();
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
