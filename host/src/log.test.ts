import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLog, type LogFields, redact, redactText } from "./log.ts";

const SECRET = "s3cr3t-Value-9x";

function lines(
  work: (log: ReturnType<typeof createLog>) => void,
  level: "debug" | "warn" = "debug",
  format: "json" | "text" = "json",
) {
  const written: string[] = [];
  work(createLog({ level, format, write: (line) => written.push(line), clock: () => 0 }));
  return written;
}

describe("form", () => {
  test("[OPS-3] a fact with fields is one JSON line", () => {
    const [line] = lines((log) => log.info("order.accepted", { seq: 7, orderId: "a", tookUs: 12 }));
    expect(line?.endsWith("\n")).toBe(true);
    expect(JSON.parse(line ?? "")).toEqual({
      time: "1970-01-01T00:00:00.000Z",
      level: "info",
      fact: "order.accepted",
      seq: 7,
      orderId: "a",
      tookUs: 12,
    });
  });

  test("[OPS-3] the level decides, inherited fields are kept, and text is for reading", () => {
    const written = lines(
      (log) => {
        const child = log.with({ requestId: "r-1" });
        child.info("quiet");
        child.warn("disk.slow", { path: "/a b", tookMs: 5 });
        expect([log.enabled("info"), log.enabled("warn")]).toEqual([false, true]);
      },
      "warn",
      "text",
    );
    expect(written).toEqual(['00:00:00.000 warn  disk.slow requestId=r-1 path="/a b" tookMs=5\n']);
  });

  test("[OPS-3] any logged value gives a line and no exception", () => {
    const cycle: Record<string, unknown> = {
      big: 10n,
      at: new Date(Number.NaN),
      f: () => 1,
      s: Symbol("x"),
      n: Number.NaN,
    };
    cycle.self = cycle;
    cycle.bytes = new Uint8Array(9);
    cycle.map = new Map([["password", SECRET]]);
    cycle.error = new Error("outer", { cause: new Error(`inner Bearer ${SECRET}`) });
    cycle.trap = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    const [line] = lines((log) => log.error("odd", cycle));
    expect(JSON.parse(line ?? "")).toMatchObject({ fact: "odd" });
    delete cycle.trap;
    const [whole = ""] = lines((log) => log.error("odd", cycle));
    expect(JSON.parse(whole)).toMatchObject({
      big: "10",
      self: { self: "[cycle]" },
      bytes: "[9 bytes]",
      map: { password: "[hidden]" },
    });
    expect(whole).not.toContain(SECRET);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (fields) => {
        const written = lines((log) => log.info("any", fields as LogFields));
        expect(written).toHaveLength(1);
        expect(written[0]?.indexOf("\n")).toBe((written[0]?.length ?? 0) - 1);
        JSON.parse(written[0] ?? "");
      }),
    );
  });

  test("[OPS-3] long texts, long lists and deep objects are truncated", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 50; level += 1) deep = { deep };
    const [line = ""] = lines((log) =>
      log.info("big", { text: "x".repeat(1e6), list: Array.from({ length: 1e5 }, () => 1), deep }),
    );
    expect(line.length).toBeLessThan(5000);
  });
});

describe("redaction", () => {
  const names = [
    "authorization",
    "Authorization",
    "X-Authorization",
    "proxy-authorization",
    "cookie",
    "Set-Cookie",
    "token",
    "loginToken",
    "accessToken",
    "access_token",
    "refresh-token",
    "thirdAppToken",
    "futuresToken",
    "csrfToken",
    "password",
    "newPassword",
    "trade_password",
    "passwd",
    "passphrase",
    "secret",
    "apiSecret",
    "client_secret",
    "apiKey",
    "X-MBX-APIKEY",
    "privateKey",
    "mnemonic",
    "signature",
    "smsCode",
    "emailCode",
    "googleCode",
    "verification_code",
    "captchaCode",
    "totp",
    "otp",
    "pin",
    "session",
    "sessionId",
    "webSession",
    "DATABASE_URL",
    "recoveryCode",
    "antiPhishingCode",
  ];
  test.each(names)("[OPS-3] a field named %s is never written, at any depth", (name) => {
    const written = lines((log) => {
      log.info("a", { [name]: SECRET });
      log.info("b", { headers: { [name]: [SECRET] }, list: [{ deep: { [name]: { inner: SECRET } } }] });
      log.with({ [name]: SECRET }).error("c", { error: Object.assign(new Error("x"), { [name]: SECRET }) });
    });
    expect(written).toHaveLength(3);
    expect(written.join("")).not.toContain(SECRET);
  });

  const texts = [
    `Authorization: Bearer ${SECRET}`,
    `basic ${btoa(SECRET)}`,
    `postgres://user:${SECRET}@db:5432/x refused`,
    `GET /login?token=${SECRET}&x=1`,
    `/a?redirectUrl=b&access_token=${SECRET}`,
    `body was {"password":"${SECRET}"}`,
    `failed: apiKey=${SECRET}, more`,
    `Cookie: a=1; session=${SECRET}`,
    `jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${SECRET}`,
  ];
  test.each(texts)("[OPS-3] secrets inside a text are removed: %s", (text) => {
    const clean = redactText(text);
    expect(clean).not.toContain(SECRET);
    expect(clean).not.toContain(btoa(SECRET));
    const [line = ""] = lines((log) => log.error("x", { message: text, error: new Error(text) }));
    expect(line).not.toContain(SECRET);
  });

  test("[OPS-3] a verification code is hidden, a refusal's code is not; ordinary fields are kept", () => {
    expect(redact({ code: "123456" })).toEqual({ code: "[hidden]" });
    expect(redact({ code: 123456 })).toEqual({ code: "[hidden]" });
    const plain = {
      code: "NOT_FOUND",
      refusal: "RATE_LIMITED",
      pairCode: "BTCUSDT",
      path: "/v2/users",
      seq: 5,
      ok: true,
      none: null,
    };
    expect(redact(plain)).toEqual(plain);
  });
});
