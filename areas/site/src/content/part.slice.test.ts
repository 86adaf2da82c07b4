// What every page shares, over a listening server and its sockets, on both databases.

import { SILENT_LOG } from "@clockwork/host/log";
import { refuse } from "@clockwork/host/route";
import { COUNTRIES } from "@clockwork/kit/countries";
import { clockOf } from "@clockwork/server/clock/clock-fixture";
import { type ServedApp, serveApp, testConfig } from "@clockwork/server/http/app-fixture";
import { createMetrics } from "@clockwork/server/http/metrics";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { mountSockets, type Sockets } from "@clockwork/server/socket/gate";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Content, contentPart } from "./part.ts";
import { ContentService } from "./service.ts";
import { contentStore } from "./store.ts";

const AT_MS = Date.UTC(2026, 2, 9, 12);
const ENVIRONMENT = {
  CW_MODE: "development",
  CW_FAST_ORIGINS: "https://fast.example",
  CW_PARTNER_DOMAINS: "partner.example=AB12CD",
};

forEachMigrated("content over HTTP", (server) => {
  let served: ServedApp;
  let sockets: Sockets;
  let content: Content;
  let nowMs = AT_MS;

  beforeAll(async () => {
    await migrate(server.database(), collectMigrations(ROOT_FOLDER));
    const config = testConfig(ENVIRONMENT);
    content = contentPart(
      {
        config,
        log: SILENT_LOG,
        clock: clockOf(() => nowMs),
        database: server.database(),
        audit: { record: async () => undefined },
        isTestMoney: true,
        accounts: {
          hasOutbox: true,
          proposals: { register: () => async () => refuse({ code: "FORBIDDEN", status: 403, message: "" }) },
        },
        live: {
          publish: (topic, data) => sockets.hub.publish(topic, data),
          isOpen: (topic) => sockets.hub.isOpen(topic),
          endSessions: () => undefined,
          tap: () => undefined,
        },
      },
      { legalName: "Example Limited", isSample: "true" },
    );
    const metrics = createMetrics();
    served = await serveApp({ routes: content.routes, clock: () => nowMs, metrics }, ENVIRONMENT, (app) => {
      content.mount(app);
      sockets = mountSockets(app, { config, log: SILENT_LOG, metrics, channels: content.channels });
    });
  });
  afterAll(async () => {
    await sockets?.close();
    await served?.close();
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(served.url + path, { headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test.each(["/api", "/futuresapi"])("[NET-3] what pages share answers below %s", async (base) => {
    for (const name of [
      "exchange-rate",
      "global-config",
      "modules",
      "footer-list",
      "social-media",
      "countries",
      "ping",
    ]) {
      const { status, body } = await get(`${base}/v1/common/${name}`);
      expect([name, status, (body as { code: unknown }).code]).toEqual([name, 200, 200]);
    }
  });

  test("[SITE-7] rates are decimal text per dollar, with age, source and the simulated mark", async () => {
    const { body } = await get("/api/v1/common/exchange-rate");
    const { data } = body as { data: { rates: Record<string, string> } };
    expect(data).toMatchObject({ base: "USD", asOf: "2026-03-09T12:00:00.000Z", source: "built-in", simulated: true });
    expect(Object.keys(data.rates).sort()).toEqual("CNY EUR JPY KRW RUB TRY TWD UAH USD VND".split(" "));
    for (const rate of Object.values(data.rates)) expect(rate).toMatch(/^\d+(\.\d+)?$/);
    expect(data.rates.USD).toBe("1");
  });

  test("[USR-8] countries carry a code, a name and a dial code", async () => {
    const { body } = await get("/api/v1/common/countries");
    const { countries } = (body as { data: { countries: readonly unknown[] } }).data;
    expect(countries).toHaveLength(COUNTRIES.length);
    expect(countries).toContainEqual({ code: "TR", name: "Türkiye", dialCode: "90" });
  });

  test.each([
    ["no module", ""],
    ["an unknown module", "?module=casino"],
    ["two modules", "?module=spot&module=otc"],
    ["an inherited name", "?module=__proto__"],
    ["an unknown field", "?module=spot&deep=1"],
    ["a long name", `?module=${"a".repeat(5000)}`],
  ])("[USR-8] a downtime check with %s is refused", async (_what, query) => {
    const { status, body } = await get(`/api/v1/common/module-downtime${query}`);
    expect([status, body]).toMatchObject([400, { code: "VALIDATION_FAILED", data: null }]);
  });

  test.each([
    ["a foreign alphabet", "?host=%D1%84.example"],
    ["a script", "?host=%3Cscript%3E"],
    ["a path", "?host=a.example/b"],
    ["nothing", "?host="],
    ["a long text", `?host=${"a".repeat(261)}`],
  ])("[NET-7] a domain list for %s is refused", async (_what, query) => {
    expect((await get(`/api/v1/common/domain-list${query}`)).status).toBe(400);
  });

  test("[NET-7] the list is an envelope below the API and a plain file at the root, the same inside", async () => {
    const { body } = await get("/api/v1/common/domain-list?host=www.partner.example");
    const file = await get("/domain-list.json");
    expect((body as { data: unknown }).data).toMatchObject({
      invite: "AB12CD",
      domains: [{ api: "/api", invite: "AB12CD" }, {}],
    });
    expect(file.body).toEqual(((await get("/api/v1/common/domain-list")) as { body: { data: unknown } }).body.data);
    expect(file.body).toMatchObject({ invite: null, domains: [{ api: "/api" }, { api: "https://fast.example/api" }] });
    expect(file.headers.get("access-control-allow-origin")).toBe("*");
    expect(file.headers.get("cache-control")).toBe("no-cache");
    const raw = await served.raw(
      "GET /domain-list.json HTTP/1.1\r\nhost: partner.example\r\nconnection: close\r\n\r\n",
    );
    expect(raw).toContain('"invite":"AB12CD"');
  });

  test("[NET-7] pages may reach the fast addresses, and pages served there may call this one", async () => {
    const page = await fetch(`${served.url}/nothing`);
    expect(page.headers.get("content-security-policy")).toContain(
      "connect-src 'self' https://fast.example wss://fast.example",
    );
    const { headers } = await get("/api/v1/common/ping", { origin: "https://fast.example" });
    expect(headers.get("access-control-allow-origin")).toBe("https://fast.example");
    const foreign = await get("/api/v1/common/ping", { origin: "https://evil.example" });
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("[SITE-7] a reader of common/rate gets the rates at once and every change after", async () => {
    const client = await openClient(`ws://127.0.0.1:${served.port}/ws`);
    client.send({ event: "sub", channel: "common", type: "rate" });
    const first = await client.until(({ channel }) => channel === "common");
    expect(first.data).toEqual(await content.rates.read(nowMs));
    nowMs += 30 * 60_000;
    const next = await content.rates.refresh(nowMs);
    const answer = await client.until(({ data }) => JSON.stringify(data) === JSON.stringify(next));
    expect(answer).toMatchObject({ event: "data", channel: "common", type: "rate" });
    client.send({ event: "sub", channel: "common", type: "secrets" });
    expect((await client.until(({ event }) => event === "subfail")).data).toMatchObject({ code: "UNKNOWN_CHANNEL" });
    client.close();
  });

  test("[USR-8] readers see a changed switch and a module in maintenance, also when set by another process", async () => {
    const other = new ContentService({
      store: contentStore(server.database().kysely),
      needs: { publish: () => undefined },
      domains: { fastOrigins: [], partners: [] },
    });
    const client = await openClient(`ws://127.0.0.1:${served.port}/ws`);
    client.send({ event: "sub", channel: "common", type: "config" });
    client.send({ event: "sub", channel: "common", type: "modules" });
    await client.until(({ type, event }) => event === "data" && type === "config");
    await client.until(({ type, event }) => event === "data" && type === "modules");
    await other.setConfig("hbtSwitch", "1", { by: "7", timeMs: nowMs });
    await other.setDowntime("otc", { reason: "Audit", startsAtMs: 0 }, { by: "7", timeMs: nowMs });
    await content.content.refresh(nowMs);
    await client.until(({ data }) => (data as { hbtSwitch?: string } | undefined)?.hbtSwitch === "1");
    await client.until(({ data }) => JSON.stringify(data ?? "").includes('"module":"otc","isDown":true'));
    const { body } = await get("/api/v1/common/module-downtime?module=otc");
    expect(body).toMatchObject({ data: { isDown: true, reason: "Audit", endsAt: null } });
    client.close();
  });
});

describe("price currency", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  test.each([
    ["none", ""],
    ["an unknown one", "?priceType=GBP"],
    ["a small one", "?priceType=eur"],
    ["a forged one", "?priceType=EUR%3B%20Domain%3Devil.example"],
    ["two", "?priceType=EUR&priceType=JPY"],
    ["an inherited name", "?priceType=constructor"],
  ])("[SITE-7] choosing %s is refused and sets nothing", async (_what, query) => {
    const { status, code, cookies } = await new Visitor(server).get(`/index/changePriceType${query}`);
    expect([status, code, cookies]).toEqual([400, "VALIDATION_FAILED", []]);
  });

  test("[SITE-7] no link or picture elsewhere changes a choice, whether its browser names sites or not", async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/index/changePriceType?priceType=TRY`, { headers }).then(({ status }) => status);
    expect(await ask({ "sec-fetch-site": "same-origin" })).toBe(200);
    for (const site of ["cross-site", "same-site", "none"]) expect(await ask({ "sec-fetch-site": site })).toBe(403);
    expect(await ask({})).toBe(403);
    expect(await ask({ cwDeviceId: crypto.randomUUID() })).toBe(200);
  });

  test("[SITE-7] a visitor's choice is a cookie for a year", async () => {
    const { data, cookies } = await new Visitor(server).get("/index/changePriceType?priceType=TRY");
    expect(data).toEqual({ priceType: "TRY" });
    expect(cookies).toEqual(["cw_currency=TRY; Max-Age=31536000; Path=/; SameSite=Lax"]);
  });

  test("[SITE-7] signed in, the choice is stored with the account and follows it to another browser", async () => {
    const first = new Visitor(server);
    await first.signUp("rates@example.com");
    await first.get("/index/changePriceType?priceType=JPY");
    const second = new Visitor(server);
    await second.signIn("rates@example.com");
    const { data } = await second.get("/v2/users/membership/user-perfenerce/get");
    expect(data).toMatchObject({ pricingCurrency: "JPY" });
  });
});
