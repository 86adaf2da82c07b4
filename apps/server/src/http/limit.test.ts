import { addressKey, clientAddress, trustProxies } from "@clockwork/host/address";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serveApp } from "./app-fixture.ts";
import { createLimiter } from "./limit.ts";

describe("limiter", () => {
  test("[NET-4] weight is spent per window and comes back with the next one", () => {
    const limiter = createLimiter({ weightMax: 10, windowMs: 1000 });
    expect(limiter.charge("a", 6, 0)).toMatchObject({ allowed: true, remaining: 4 });
    expect(limiter.charge("a", 5, 400)).toMatchObject({
      allowed: false,
      banned: false,
      remaining: 4,
      retryAfterSeconds: 1,
    });
    expect(limiter.charge("a", 4, 999)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.charge("b", 10, 999)).toMatchObject({ allowed: true });
    expect(limiter.charge("a", 10, 1000)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("[NET-4] a caller that continues after refusals is banned, each time for longer, at most three days", () => {
    const limiter = createLimiter({ weightMax: 1, windowMs: 1000, refusalsBeforeBan: 2 });
    let nowMs = 0;
    const bans: number[] = [];
    for (let round = 0; round < 14; round += 1) {
      limiter.charge("a", 1, nowMs);
      for (let call = 0; call < 2; call += 1) expect(limiter.charge("a", 1, nowMs).banned).toBe(false);
      const verdict = limiter.charge("a", 1, nowMs);
      expect(verdict.banned).toBe(true);
      bans.push(verdict.retryAfterSeconds);
      nowMs += verdict.retryAfterSeconds * 1000;
    }
    expect(bans.slice(0, 3)).toEqual([120, 240, 480]);
    expect(Math.max(...bans)).toBe(3 * 86_400);
  });

  test("[NET-4] no caller ever spends more than the window allows", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            caller: fc.constantFrom("a", "b"),
            weight: fc.integer({ min: 1, max: 5 }),
            waitMs: fc.integer({ min: 0, max: 400 }),
          }),
        ),
        (calls) => {
          const limiter = createLimiter({ weightMax: 12, windowMs: 1000 });
          const spent = new Map<string, { startMs: number; used: number }>();
          let nowMs = 0;
          for (const { caller, weight, waitMs } of calls) {
            nowMs += waitMs;
            const known = spent.get(caller);
            const window = known === undefined || nowMs - known.startMs >= 1000 ? { startMs: nowMs, used: 0 } : known;
            spent.set(caller, window);
            if (limiter.charge(caller, weight, nowMs).allowed) window.used += weight;
            expect(window.used).toBeLessThanOrEqual(12);
          }
        },
      ),
    );
  });

  test("[NET-4] a flood of addresses does not grow the table, and evicts no ban", () => {
    const limiter = createLimiter({ weightMax: 1, windowMs: 1000, refusalsBeforeBan: 1, callersMax: 100 });
    for (let call = 0; call < 4; call += 1) limiter.charge("villain", 1, 0);
    for (let index = 0; index < 10_000; index += 1) limiter.charge(`10.0.${index}`, 1, 1);
    expect(limiter.callers).toBeLessThanOrEqual(100);
    expect(limiter.charge("villain", 1, 2)).toMatchObject({ allowed: false, banned: true });
  });
});

describe("whose call it is", () => {
  test("[NET-4] an address is one address however it is written", () => {
    const trust = trustProxies(["10.0.0.0/8"]);
    const read = (forwarded: string, remoteAddress = "::ffff:10.1.2.3") =>
      clientAddress({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }, trust);
    const same = [
      "203.0.113.9",
      "::ffff:203.0.113.9",
      "::FFFF:cb00:7109",
      "0:0:0:0:0:ffff:203.0.113.9",
      "0000:0000:0000:0000:0000:ffff:cb00:7109",
    ];
    expect(same.map((one) => read(one))).toEqual(same.map(() => "203.0.113.9"));
    // Written in full, a trusted proxy is still one.
    expect(read("203.0.113.9, ::ffff:a01:203", "::ffff:0a01:0203")).toBe("203.0.113.9");
    expect(read("2001:DB8::1")).toBe("2001:db8::1");
  });

  test("[NET-4] an IPv6 customer is one caller, whichever of their addresses they use", () => {
    const keys = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:0db8:0001:0002:0:0:0:7"].map(addressKey);
    expect(new Set(keys)).toEqual(new Set(["2001:db8:1:2::/64"]));
    expect(addressKey("2001:db8:1:3::1")).not.toBe(keys[0]);
    expect(addressKey("::1")).toBe("0:0:0:0::/64");
    expect(addressKey("10.1.2.3")).toBe("10.1.2.3");
  });

  const ask = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/api/nothing`, { headers });

  test("[NET-4] responses state the limit; beyond it 429 with Retry-After, whatever headers claim", async () => {
    const served = await serveApp({}, { CW_RATE_WEIGHT_PER_MINUTE: "3" });
    const first = await ask(served.url);
    expect(first.headers.get("ratelimit-policy")).toBe('"address";q=3;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"address";r=2;t=\d+$/);
    await ask(served.url);
    await ask(served.url);
    const tricks = [
      {},
      { "x-forwarded-for": "1.2.3.4" },
      { "x-forwarded-for": "1.2.3.4, 5.6.7.8" },
      { "x-real-ip": "1.2.3.4" },
      { forwarded: "for=1.2.3.4" },
      { "cf-connecting-ip": "1.2.3.4" },
      { "true-client-ip": "1.2.3.4" },
      { "x-client-ip": "1.2.3.4" },
      { "x-request-id": "another-request-id" },
      { "user-agent": "someone else", cookie: "a=b" },
    ];
    for (const headers of tricks) {
      const response = await ask(served.url, headers as Record<string, string>);
      expect(response.status).toBe(429);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ code: "RATE_LIMITED" });
    }
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    await served.close();
  });

  test("[NET-4] behind a trusted proxy the client counts: the last address that no trusted proxy set", async () => {
    const served = await serveApp({}, { CW_RATE_WEIGHT_PER_MINUTE: "2", CW_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" });
    const remaining = async (chain: string) => {
      const response = await ask(served.url, { "x-forwarded-for": chain });
      return Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
    };
    expect(await remaining("203.0.113.9")).toBe(1);
    expect(await remaining("198.51.100.1")).toBe(1);
    // What the client wrote in front changes nothing; what an inner proxy added is skipped.
    expect(await remaining("6.6.6.6, 203.0.113.9")).toBe(0);
    expect(await remaining("7.7.7.7, 203.0.113.9, 10.1.1.1")).toBe(0);
    expect((await ask(served.url, { "x-forwarded-for": "nonsense, 203.0.113.9" })).status).toBe(429);
    await served.close();
  });

  test("[NET-4] in-process calls of a page are not charged", async () => {
    const served = await serveApp({}, { CW_RATE_WEIGHT_PER_MINUTE: "1" });
    for (let call = 0; call < 5; call += 1) {
      expect((await served.app.inject({ url: "/api/nothing" })).statusCode).toBe(404);
    }
    expect((await ask(served.url)).status).toBe(404);
    expect((await ask(served.url)).status).toBe(429);
    await served.close();
  });
});
