import { request } from "node:http";
import { answer, defineRoute } from "@clockwork/host/route";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";
import { createMetrics } from "./metrics.ts";

const DO = defineRoute({
  method: "POST",
  path: "/v1/test/do",
  summary: "Changes something",
  tag: "test",
  body: Type.Object({}),
  output: Type.Null(),
  handle: async () => answer(null),
});
const CHOOSE = defineRoute({
  method: "GET",
  path: "/v1/test/choose",
  summary: "Changes something by GET",
  tag: "test",
  changes: true,
  output: Type.Null(),
  handle: async () => answer(null),
});
const LOOK = defineRoute({
  method: "GET",
  path: "/v1/test/look",
  summary: "An operator's look, which is written down",
  tag: "test",
  scope: { operator: "tickets.read" },
  output: Type.Null(),
  handle: async () => answer(null),
});
const pages = (app: {
  get(path: string, handler: (request: { cspNonce: string }, reply: unknown) => unknown): unknown;
}) => {
  app.get("/*", (request) => `<script nonce="${request.cspNonce}"></script>`);
};
const metrics = createMetrics();

let served: ServedApp;
beforeAll(async () => {
  served = await serveApp(
    { routes: [DO, CHOOSE, LOOK], pages, metrics },
    { CW_MODE: "production", CW_ALLOWED_ORIGINS: "https://futures.example", CW_TRUSTED_PROXIES: "127.0.0.1" },
  );
});
afterAll(() => served.close());

function post(headers: Record<string, string>) {
  return fetch(`${served.url}/api/v1/test/do`, { method: "POST", headers });
}

describe("security headers", () => {
  test("[SITE-1] a page's policy lets scripts run by this request's nonce alone", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const response = await fetch(`${served.url}/any/page`);
      const policy = response.headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'nonce-([A-Za-z0-9_-]{22})' 'strict-dynamic'(?:;|$)/.exec(policy)?.[1] ?? "";
      expect(await response.text()).toBe(`<script nonce="${nonce}"></script>`);
      seen.add(nonce);
      const scripts = policy.split("; ").filter((part) => part.startsWith("script-src"));
      expect(scripts.join(" ")).not.toMatch(/unsafe|\*|https?:/);
      for (const part of [
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "report-uri /csp-report",
        `style-src 'self' 'nonce-${nonce}'`,
        "require-trusted-types-for 'script'; trusted-types default;",
      ]) {
        expect(policy).toContain(part);
      }
    }
    expect(seen.size).toBe(3);
  });

  test("[SITE-1] with an external captcha, trusted types are reported and not enforced", async () => {
    const settings = { CW_MODE: "production", CW_GEETEST_ID: "a".repeat(32), CW_GEETEST_KEY: "b".repeat(32) };
    const requested = await serveApp({ pages }, settings);
    const { headers } = await fetch(`${requested.url}/any/page`);
    expect(headers.get("content-security-policy")).not.toContain("trusted-types");
    expect(headers.get("content-security-policy-report-only")).toBe(
      "require-trusted-types-for 'script'; trusted-types default captcha; report-uri /csp-report; report-to csp",
    );
    expect((await fetch(`${served.url}/any/page`)).headers.get("content-security-policy-report-only")).toBeNull();
    await requested.close();
  });

  test("[SITE-1] every answer carries the fixed headers, refusals and broken addresses too", async () => {
    for (const path of ["/", "/api/nothing", "/healthz", "/openapi.json", "/%zz"]) {
      const { headers } = await fetch(served.url + path);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("geolocation=()");
      expect(headers.get("x-request-id")).toBeTruthy();
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
    const futures = await fetch(`${served.url}/futuresapi/nothing`);
    expect(await futures.json()).toMatchObject({ code: "NOT_FOUND" });
    const api = await fetch(`${served.url}/api/nothing`);
    expect(api.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(api.headers.get("cache-control")).toBe("no-store");
  });

  test("[SITE-1] a call of the API answers with the headers of every other answer, each once", async () => {
    const open = await serveApp({ routes: [DO], pages });
    const names = async (path: string, method: string): Promise<string[]> =>
      new Promise((done, fail) => {
        const requested = request(open.url + path, { method }, (response) => {
          response.resume();
          done(response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
        });
        requested.once("error", fail);
        requested.end();
      });
    const done = await names("/api/v1/test/do", "POST");
    expect(new Set(done).size).toBe(done.length);
    expect(done.sort()).toEqual((await names("/api/nothing", "POST")).sort());
    const own = await fetch(`${open.url}/api/v1/test/do`, {
      method: "POST",
      headers: { "x-request-id": "trace-1234" },
    });
    expect(own.headers.get("x-request-id")).toBe("trace-1234");
    expect(own.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(own.headers.get("cache-control")).toBe("no-store");
    const secure = await serveApp({ routes: [DO] }, { CW_PUBLIC_ORIGIN: "https://exchange.example" });
    const answered = await fetch(`${secure.url}/api/v1/test/do`, { method: "POST" });
    expect(answered.headers.get("strict-transport-security")).toContain("max-age");
    await Promise.all([open.close(), secure.close()]);
  });

  test("[SITE-1] HSTS is sent behind https only, and no client can cause it", async () => {
    const plain = await fetch(served.url);
    expect(plain.headers.get("strict-transport-security")).toBeNull();
    const secure = await fetch(served.url, { headers: { "x-forwarded-proto": "https" } });
    expect(secure.headers.get("strict-transport-security")).toContain("max-age=63072000");
    const open = await serveApp({ pages });
    const forged = await fetch(open.url, { headers: { "x-forwarded-proto": "https" } });
    expect(forged.headers.get("strict-transport-security")).toBeNull();
    await open.close();
    const configured = await serveApp({ pages }, { CW_PUBLIC_ORIGIN: "https://exchange.example" });
    const answered = await fetch(configured.url);
    expect(answered.headers.get("strict-transport-security")).toContain("max-age");
    expect(answered.headers.get("content-security-policy")).toContain("connect-src 'self' wss://exchange.example");
    await configured.close();
  });
});

describe("calls from foreign sites", () => {
  const own = () => `http://127.0.0.1:${served.port}`;
  const cases: [string, () => Record<string, string>, number][] = [
    ["no browser at all", () => ({}), 200],
    ["our own page", () => ({ origin: own(), "sec-fetch-site": "same-origin" }), 200],
    ["our own page, old browser", () => ({ origin: own() }), 200],
    ["a configured origin", () => ({ origin: "https://futures.example", "sec-fetch-site": "cross-site" }), 200],
    ["a foreign page", () => ({ origin: "https://evil.example", "sec-fetch-site": "cross-site" }), 403],
    ["a foreign page, old browser", () => ({ origin: "https://evil.example" }), 403],
    ["a sandboxed page", () => ({ origin: "null" }), 403],
    ["a neighbour subdomain", () => ({ origin: own(), "sec-fetch-site": "same-site" }), 403],
    ["no origin but a foreign site", () => ({ "sec-fetch-site": "cross-site" }), 403],
    ["another port of this host", () => ({ origin: "http://127.0.0.1:1" }), 403],
    ["a look-alike", () => ({ origin: `http://127.0.0.1:${served.port}.evil.example` }), 403],
    ["a broken origin", () => ({ origin: "http://" }), 403],
  ];
  test.each(cases)("[NET-4] a change requested by %s", async (_, headers, status) => {
    const response = await post(headers());
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.json()).toMatchObject({ code: "CROSS_SITE_REFUSED" });
  });

  const byGet: typeof cases = [
    ["nobody who says whence, as a picture elsewhere", () => ({}), 403],
    ["a typed address", () => ({ "sec-fetch-site": "none" }), 403],
    ["our own page, without origin", () => ({ "sec-fetch-site": "same-origin" }), 200],
    ["our own client", () => ({ cwdeviceid: "a-device" }), 200],
    ...cases.slice(1),
  ];
  test.each(byGet)("[NET-4] a change by GET requested by %s", async (_, headers, status) => {
    const response = await fetch(`${served.url}/api/v1/test/choose`, { headers: headers() });
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.json()).toMatchObject({ code: "CROSS_SITE_REFUSED" });
  });

  test("[AUTH-5] no foreign site can make an operator read anything", async () => {
    const look = async (site: string) =>
      (await fetch(`${served.url}/api/v1/test/look`, { headers: { "sec-fetch-site": site } })).status;
    expect([await look("cross-site"), await look("same-site"), await look("same-origin")]).toEqual([403, 403, 401]);
  });

  test("[NET-4] with a public origin configured, that origin is ours and the host's own name is not", async () => {
    const configured = await serveApp({ routes: [DO] }, { CW_PUBLIC_ORIGIN: "https://exchange.example" });
    const ask = async (origin: string) =>
      (await fetch(`${configured.url}/api/v1/test/do`, { method: "POST", headers: { origin } })).status;
    expect(await ask("https://exchange.example")).toBe(200);
    expect(await ask(configured.url)).toBe(403);
    expect(await ask("http://exchange.example")).toBe(403);
    await configured.close();
  });

  test("[NET-4] no foreign origin may read; a configured one may", async () => {
    const foreign = await fetch(`${served.url}/api/v1/test/do`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    expect(foreign.status).toBe(405);
    const allowed = await fetch(`${served.url}/api/v1/test/do`, {
      method: "OPTIONS",
      headers: { origin: "https://futures.example", "access-control-request-method": "POST" },
    });
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "https://futures.example",
    ]);
    expect(allowed.headers.get("access-control-allow-headers")).toContain("x-authorization");
    // What futures calls and repeated calls carry: a browser sends nothing that is not named.
    for (const name of ["authorization", "idempotency-key", "thirdapptoken", "content-type"])
      expect(allowed.headers.get("access-control-allow-headers")?.split(", ")).toContain(name);
    expect(allowed.headers.get("vary")).toContain("Origin");
  });
});

describe("policy reports", () => {
  const send = (type: string, body: unknown) =>
    fetch(`${served.url}/csp-report`, {
      method: "POST",
      headers: { "content-type": type, origin: "null", "sec-fetch-site": "cross-site" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  test("[OPS-3] both spellings are counted by directive, invented ones as other", async () => {
    expect(
      (await send("application/csp-report", { "csp-report": { "effective-directive": "script-src-elem" } })).status,
    ).toBe(204);
    const modern = [
      { type: "csp-violation", body: { effectiveDirective: "img-src", blockedURL: "https://x.example/?token=1" } },
    ];
    expect((await send("application/reports+json", modern)).status).toBe(204);
    expect((await send("application/csp-report", { "csp-report": { "effective-directive": 'evil"} 1' } })).status).toBe(
      204,
    );
    for (const odd of [null, 5, "x", [], [null, 5], { body: null }])
      expect((await send("application/json", JSON.stringify(odd))).status).toBe(204);
    const text = await metrics.registry.metrics();
    expect(text).toContain('cw_csp_reports_total{directive="script-src-elem"} 1');
    expect(text).toContain('cw_csp_reports_total{directive="img-src"} 1');
    expect(text).toMatch(/cw_csp_reports_total\{directive="other"\} [1-9]/);
    expect(text).not.toContain("evil");
  });

  test("[OPS-3] a broken, large or foreign body is refused", async () => {
    expect((await send("application/csp-report", "{")).status).toBe(400);
    expect((await send("application/csp-report", "x".repeat(20_000))).status).toBe(413);
    expect((await send("text/html", "x")).status).toBe(415);
  });
});
