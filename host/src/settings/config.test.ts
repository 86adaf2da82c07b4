import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ALL_SETTINGS, fileKeyOf, SETTING_GROUPS } from "./all-settings.ts";
import { probeConfig, readConfig } from "./config.ts";

describe("reading", () => {
  test("[OPS-4] an empty environment gives a complete, frozen, working config", () => {
    const { config, problems } = readConfig({});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      port: 3000,
      host: "localhost",
      mode: "local",
      logLevel: "info",
      weightPerMinute: 6000,
    });
    expect(config.folder).toBe(resolve("data"));
    expect(config.databaseUrl).toBeUndefined();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.allowedOrigins)).toBe(true);
  });

  test("[OPS-4] every given value is read; empty means not given; surrounding space is ignored", () => {
    const { config, problems } = readConfig({
      PORT: " 8080 ",
      HOST: "0.0.0.0",
      CW_DATA: "",
      DATABASE_URL: "postgres://u:p@db:5432/cw",
      CW_MODE: "development",
      CW_ALLOWED_ORIGINS: "https://a.example, http://b.example:81",
      CW_TRUSTED_PROXIES: "10.0.0.0/8,::1",
    });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      port: 8080,
      host: "0.0.0.0",
      folder: resolve("data"),
      databaseUrl: "postgres://u:p@db:5432/cw",
      mode: "development",
      allowedOrigins: ["https://a.example", "http://b.example:81"],
      trustedProxies: ["10.0.0.0/8", "::1"],
    });
  });

  const bad: [string, string][] = [
    ["PORT", "abc"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["PORT", "1e3"],
    ["HOST", "not a host"],
    ["CW_DATA", "a\u0000b"],
    ["DATABASE_URL", "mysql://x"],
    ["DATABASE_URL", "nonsense"],
    ["CW_MODE", "prod"],
    ["CW_LOG_LEVEL", "loud"],
    ["CW_LOG_FORMAT", "xml"],
    ["CW_PUBLIC_ORIGIN", "exchange.example"],
    ["CW_PUBLIC_ORIGIN", "https://exchange.example/path"],
    ["CW_ALLOWED_ORIGINS", "https://ok.example,*"],
    ["CW_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["CW_TRUSTED_PROXIES", "10.0.0.0/8/8"],
    ["CW_TRUSTED_PROXIES", "localhost"],
    ["CW_METRICS_TOKEN", "short"],
    ["CW_BODY_LIMIT_BYTES", "1"],
    ["CW_RATE_WEIGHT_PER_MINUTE", "many"],
    ["CW_SOCKET_BUFFER_BYTES", "0"],
  ];
  test.each(bad)("[OPS-4] %s=%j is one problem in one line", (name, value) => {
    const { problems } = readConfig({ [name]: value });
    expect(problems.map(({ setting }) => setting)).toEqual([name]);
    expect(problems[0]?.message).toMatch(/^[^\n]+ is not [^\n]+$/);
  });

  test("[OPS-4] all problems are found at once, secrets are not shown, and the rest still has values", () => {
    const environment = Object.fromEntries(bad);
    const { config, problems } = readConfig(environment);
    expect(new Set(problems.map(({ setting }) => setting))).toEqual(new Set(Object.keys(environment)));
    expect(JSON.stringify(readConfig({ DATABASE_URL: "mysql://root:hunter2@db" }).problems)).not.toContain("hunter2");
    expect(config.port).toBe(3000);
  });

  test("[AUTH-8] a switched-off captcha is refused in production and nowhere else", () => {
    const off = (mode: string) =>
      readConfig({ CW_CAPTCHA: "off", CW_MODE: mode }).problems.map(({ setting }) => setting);
    expect(off("production")).toEqual(["CW_CAPTCHA"]);
    expect([off("local"), off("development")]).toEqual([[], []]);
    expect(readConfig({ CW_GEETEST_ID: "abcdefgh" }).problems).toHaveLength(1);
  });

  test("[NET-3] a session on the domain is valid at its futures API: cookies are set on the domain, or it is refused", () => {
    const read = (domain: string, cookieDomain?: string) => {
      const { config, problems } = readConfig({ CW_DOMAIN: domain, CW_COOKIE_DOMAIN: cookieDomain });
      return problems.length > 0 ? problems.map(({ setting }) => setting) : config.cookieDomain;
    };
    expect(read("clockwork.example")).toBe("clockwork.example");
    expect(read("trade.clockwork.example", "clockwork.example")).toBe("clockwork.example");
    expect(read("clockwork.example", "trade.clockwork.example")).toEqual(["CW_COOKIE_DOMAIN"]);
    expect(read("clockwork.example", "other.example")).toEqual(["CW_COOKIE_DOMAIN"]);
    // No browser accepts a cookie for all of localhost.
    expect(read("localhost")).toBe("");
    expect(read("")).toBe("");
  });

  test("[OPS-4] a misspelt setting is named and stops nothing", () => {
    const { problems, unknown } = readConfig({ CW_PROT: "1", CW_MODE: "production", CW_TEST_X: "1", PATH: "/bin" });
    expect([problems, unknown]).toEqual([[], ["CW_PROT"]]);
  });

  test("[OPS-4] every setting is described once, with a default that is itself valid", () => {
    const rows = SETTING_GROUPS.flatMap(({ settings }) => settings);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(new Set(rows.map(({ name }) => fileKeyOf(name))).size).toBe(rows.length);
    expect(new Set(rows)).toEqual(new Set(Object.values(ALL_SETTINGS)));
    const environment = Object.fromEntries(rows.map(({ name, fallback }) => [name, fallback]));
    expect(readConfig(environment).problems).toEqual([]);
    for (const { about, shape } of rows) expect(`${about}|${shape}`).toMatch(/^[A-Za-z0-9].{10,}[^.]\|.{3,}$/);
  });
});

describe("probing", () => {
  test("[OPS-4] a taken port and an impossible folder are both named; a free environment has no problems", async () => {
    const root = await mkdtemp(join(tmpdir(), "cw-config-"));
    const holder = createServer();
    await new Promise<void>((done) => holder.listen(0, "127.0.0.1", done));
    const address = holder.address();
    const port = String(typeof address === "object" && address !== null ? address.port : 0);
    await writeFile(join(root, "file"), "");
    const probe = (environment: Record<string, string>) =>
      probeConfig(readConfig({ HOST: "127.0.0.1", ...environment }).config);

    const taken = await probe({ PORT: port, CW_DATA: join(root, "file", "data") });
    expect(taken.map(({ setting }) => setting)).toEqual(["PORT", "CW_DATA"]);
    expect(taken[0]?.message).toContain(`port ${port} on 127.0.0.1 is taken`);
    expect(await probe({ PORT: "0", CW_DATA: join(root, "file") })).toMatchObject([{ setting: "CW_DATA" }]);
    expect(await probe({ PORT: "1", HOST: "203.0.113.1", CW_DATA: root })).toMatchObject([{ setting: "HOST" }]);

    await new Promise((done) => holder.close(done));
    expect(await probe({ PORT: port, CW_DATA: join(root, "new", "folder") })).toEqual([]);
    expect((await stat(join(root, "new", "folder"))).isDirectory()).toBe(true);
    await rm(root, { recursive: true });
  });
});
