// Names this server answers to: a page that has its own name point at this machine reads nothing, by any path.
import { answer, defineRoute } from "@clockwork/host/route";
import { mountOutbox } from "@clockwork/identity/accounts/outbox";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedApp, serveApp, testConfig } from "./app-fixture.ts";
import { knowsHost } from "./host.ts";

const QUICK = defineRoute({
  method: "POST",
  path: "/v1/test/quick",
  summary: "Is answered in front of the library",
  tag: "test",
  isQuick: true,
  isPrompt: true,
  body: Type.Object({}),
  output: Type.Null(),
  handle: async () => answer(null),
});

describe("which names are known", () => {
  const known = (host: string | undefined, environment: Record<string, string> = {}) =>
    knowsHost(testConfig(environment))(host);
  test.each([
    "localhost",
    "localhost:3000",
    "LOCALHOST.:3000",
    "127.0.0.1:3000",
    "127.8.9.10",
    "[::1]:3000",
    "192.168.1.20:3000",
    "[fe80::1]",
  ])("[NET-4] %s is: it names this machine or a number, which no name server can turn elsewhere", (host) => {
    expect(known(host)).toBe(true);
  });
  test.each([
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "a",
    "",
    "@",
    "[",
    "1.2.3",
  ])("[NET-4] %j is not", (host) => {
    expect(known(host)).toBe(false);
  });
  test("[NET-4] the configured names are those", () => {
    const environment = {
      CW_PUBLIC_ORIGIN: "https://exchange.example",
      CW_FAST_ORIGINS: "https://fast.example",
      CW_PARTNER_DOMAINS: "partner.example=AB12CD",
    };
    const hosts = ["exchange.example", "Exchange.Example:443", "fast.example", "partner.example", "localhost"];
    expect(hosts.map((host) => known(host, environment))).toEqual(Array(5).fill(true));
    expect(known("www.exchange.example", environment)).toBe(false);
    expect(known("mybox", { HOST: "mybox" })).toBe(true);
  });
});

describe("a server", () => {
  let served: ServedApp;
  beforeAll(async () => {
    served = await serveApp({ routes: [QUICK], pages: (app) => void app.get("/*", () => "a page") }, {}, (app) =>
      mountOutbox(app, async () => [
        { to: "a", kind: "code", subject: "s", text: "t", code: "123456", unsubscribeUrl: null, at: 0 },
      ]),
    );
  });
  afterAll(() => served.close());

  const get = (path: string, host: string) =>
    served.raw(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);

  test.each(["/dev/outbox", "/dev/outbox.json", "/metrics", "/openapi.json", "/api/nothing", "/", "/%zz"])(
    "[NET-4] [AUTH-5] %s refuses an unknown host name",
    async (path) => {
      const text = await get(path, `rebound.example:${served.port}`);
      expect(text).toMatch(/^HTTP\/1\.1 4(?:21|00) /);
      expect(text).not.toMatch(/123456|a page/);
    },
  );

  test("[NET-4] supervisors call under any host name", async () => {
    expect(await get("/healthz", "clockwork:3000")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get("/readyz", "clockwork:3000")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get("/dev/outbox.json", `localhost:${served.port}`)).toContain("123456");
  });

  test("[NET-4] the quick lane does not open to a foreign name", async () => {
    const ask = (host: string) =>
      served.raw(
        `POST /api/v1/test/quick HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}` +
          `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      );
    expect(await ask("localhost")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask("rebound.example")).toMatch(/^HTTP\/1\.1 421 [\s\S]*HOST_UNKNOWN/);
  });
});
