import { createLog } from "@clockwork/host/log";
import { NotReady } from "@clockwork/host/part";
import { answer, defineRoute } from "@clockwork/host/route";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";
import { createMetrics } from "./metrics.ts";
import { openApiDocument } from "./openapi.ts";
import type { SystemStatus } from "./system.ts";

const STATUS: SystemStatus = {
  version: "9.9.9",
  startedAt: "2026-01-01T00:00:00.000Z",
  core: { state: "running", sequence: 42, durableSequence: 41, stateHash: "abc", stateHashSequence: 40 },
};

async function using(served: ServedApp, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await served.close();
  }
}

test("[OPS-3] the status contains version, start and the core's health", async () => {
  const served = await serveApp({ status: () => STATUS });
  await using(served, async () => {
    const response = await fetch(`${served.url}/api/v1/system/status`);
    expect(await response.json()).toEqual({ code: 200, data: STATUS, message: "success" });
  });
});

test("[OPS-3] alive is not ready: readiness names what is missing, and never a driver's words", async () => {
  let isReady = false;
  const check = async () => {
    if (!isReady) throw new NotReady("replaying");
  };
  const database = async () => {
    if (!isReady) throw new Error("connect ECONNREFUSED admin:pw@10.0.0.5");
  };
  const served = await serveApp({
    readiness: [
      { name: "engine", check },
      { name: "database", check: database },
    ],
  });
  await using(served, async () => {
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    const waiting = await fetch(`${served.url}/readyz`);
    expect(waiting.status).toBe(503);
    expect(await waiting.json()).toMatchObject({
      code: "UNAVAILABLE",
      fields: { engine: "replaying", database: "not ready" },
    });
    isReady = true;
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
    served.app.drain.begin();
    const draining = await fetch(`${served.url}/readyz`);
    expect([draining.status, await draining.json()]).toMatchObject([503, { fields: { server: "shutting down" } }]);
  });
});

test("[OPS-3] the process is watched once, however many exchanges it has had: the runtime never lets go of a watcher", async () => {
  const [first, second] = [createMetrics({ processMetrics: true }), createMetrics({ processMetrics: true })];
  const watched = first.registry.getSingleMetric("nodejs_gc_duration_seconds");
  expect(watched).toBeDefined();
  expect(second.registry.getSingleMetric("nodejs_gc_duration_seconds")).toBe(watched);
  expect(first.registry.getSingleMetric("cw_sockets")).not.toBe(second.registry.getSingleMetric("cw_sockets"));
  expect(await second.registry.metrics()).toContain("process_cpu_user_seconds_total");
});

test("[OPS-3] metrics count requests by route, never by address, and show the engine", async () => {
  const metrics = createMetrics({
    processMetrics: true,
    readEngine: () => ({ sequence: 42, durableSequence: 41, running: true }),
  });
  const served = await serveApp({ status: () => STATUS, metrics });
  await using(served, async () => {
    await fetch(`${served.url}/api/v1/system/status?x=1`);
    await fetch(`${served.url}/api/v1/system/status`);
    for (const path of ["/api/a", "/api/b", "/c", "/d"]) await fetch(served.url + path);
    const text = await (await fetch(`${served.url}/metrics`)).text();
    expect(text).toContain('_count{method="GET",route="/api/v1/system/status",status="2xx"} 1');
    expect(text).toContain('_count{method="GET",route="/api/v1/system/status",status="4xx"} 1');
    expect(text).toContain('_count{method="GET",route="/api/*",status="4xx"} 2');
    expect(text).toContain('_count{method="GET",route="unmatched",status="4xx"} 2');
    expect(text).toContain('cw_http_refusals_total{code="NOT_FOUND"} 4');
    expect(text).toContain("cw_engine_sequence 42");
    expect(text).toContain("cw_engine_durable_sequence 41");
    expect(text).toContain("cw_engine_running 1");
    expect(text).toContain("process_cpu_seconds_total");
  });
});

test("[OPS-3] metrics are for this machine, or for the holder of the token", async () => {
  const open = await serveApp();
  await using(open, async () => {
    expect((await fetch(`${open.url}/metrics`)).status).toBe(200);
    expect((await fetch(`${open.url}/metrics`, { headers: { "x-forwarded-for": "1.2.3.4" } })).status).toBe(404);
  });
  const guarded = await serveApp({}, { CW_METRICS_TOKEN: "0123456789abcdef" });
  await using(guarded, async () => {
    const ask = (authorization: string) => fetch(`${guarded.url}/metrics`, { headers: { authorization } });
    expect((await fetch(`${guarded.url}/metrics`)).status).toBe(404);
    expect((await ask("Bearer 0123456789abcdeX")).status).toBe(404);
    expect((await ask("Bearer 0123456789abcdef")).status).toBe(200);
  });
});

test("[OPS-3] a refused call leaves one line with its request id, its route's path and no query", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const served = await serveApp({ log });
  await using(served, async () => {
    const headers = { "x-request-id": "trace-00000001", "x-authorization": "hunter2", cookie: "session=hunter2" };
    await fetch(`${served.url}/api/nothing?token=hunter2`, { headers });
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "info",
      fact: "http.answered",
      requestId: "trace-00000001",
      method: "GET",
      path: "/api/nothing",
      status: 404,
      refusal: "NOT_FOUND",
      address: "127.0.0.1",
    });
    expect(lines[0]).not.toContain("hunter2");
  });
});

test("[PAGE-4] the API document is made from the mounted routes, in one order however they were mounted", async () => {
  const routes = [
    defineRoute({
      method: "POST",
      path: "/v2/users/top-info",
      summary: "Who the visitor is",
      tag: "users",
      body: Type.Object({}),
      output: Type.Null(),
      handle: async () => answer(null),
    }),
    defineRoute({
      method: "GET",
      path: "/v2/users/language-menu",
      summary: "The languages",
      tag: "users",
      output: Type.Null(),
      handle: async () => answer(null),
    }),
  ];
  const served = await serveApp({ routes, status: () => STATUS, version: "1.2.3" });
  await using(served, async () => {
    const document = (await (await fetch(`${served.url}/openapi.json`)).json()) as {
      openapi: string;
      info: { version: string };
      paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("1.2.3");
    expect(Object.keys(document.paths)).toEqual([
      "/api/v1/system/status",
      "/api/v2/users/language-menu",
      "/api/v2/users/top-info",
      "/futuresapi/v1/system/status",
      "/healthz",
      "/readyz",
    ]);
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.paths["/api/v2/users/top-info"]?.post?.responses).toMatchObject({
      "200": { content: { "application/json": { schema: { properties: { code: { const: 0 } } } } } },
      default: { $ref: "#/components/responses/Refusal" },
    });
    const other = await serveApp({ routes: [...routes].reverse(), status: () => STATUS, version: "1.2.3" });
    expect(JSON.stringify(openApiDocument(other.app))).toBe(JSON.stringify(document));
    await other.close();
  });
});
