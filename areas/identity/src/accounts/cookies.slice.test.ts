// The six cookies from outside: those readable by scripts grant nothing, only the corrected token marks a login, and
// the futures API takes its own token, else the login's.

import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { SESSION_COOKIE, type SessionCookie } from "@clockwork/kit/constants";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RaceServer, startRaceServer } from "./race-fixture.ts";

const DEVICES = "/v2/users/devices";
const REFRESH = "/v2/users/session/refresh";
const NAMES = Object.values(SESSION_COOKIE);

describe("cookies", () => {
  let server: TestServer;
  let jo: Visitor;
  let cookies: readonly string[];
  beforeAll(async () => {
    server = await startTestServer();
    jo = new Visitor(server);
    ({ cookies } = await jo.signUp("jo@example.com"));
  });
  afterAll(() => server.close());

  const cookieHeader = (jar: ReadonlyMap<string, string>): string =>
    [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  const signInSocket = async (cookie: string | undefined, token: string | undefined): Promise<unknown> => {
    const headers = cookie === undefined ? {} : { cookie };
    const socket = await openClient(`ws://127.0.0.1:${server.port}/ws`, { headers });
    socket.send({ event: "login", data: token === undefined ? {} : { token } });
    const { event, data } = await socket.until((message) => message.event === "login" || message.event === "error");
    socket.close();
    return event === "login" ? (data as { account: string }).account : event;
  };

  test("[AUTH-3] tokens readable by scripts grant nothing, wherever they are sent", async () => {
    const readable = cookies.filter((cookie) => !cookie.includes("HttpOnly"));
    expect(readable.map((cookie) => cookie.split("=")[0]).sort()).toEqual(["cw_correct_token", "cw_token"]);
    for (const text of readable) {
      const value = text.split(/[=;]/)[1] ?? "";
      for (const header of ["x-authorization", "authorization", "token", "loginToken", "thirdAppToken"]) {
        expect((await new Visitor(server, { [header]: value }).get(DEVICES)).status).toBe(401);
      }
      const thief = new Visitor(server, {});
      for (const name of NAMES) thief.jar.set(name, value);
      expect((await thief.get(DEVICES)).status).toBe(401);
      expect((await thief.post(REFRESH)).status).toBe(401);
      expect(await signInSocket(cookieHeader(thief.jar), value)).toBe("error");
    }
  });

  test("[AUTH-3] logged in means the corrected token is present: without it every other cookie is ignored", async () => {
    const browser = new Visitor(server, jo.headers);
    for (const [name, value] of jo.jar) browser.jar.set(name, value);
    expect((await browser.get(DEVICES)).status).toBe(200);
    expect(await signInSocket(cookieHeader(browser.jar), browser.jar.get("cw_correct_token"))).toMatch(/^\d+$/);
    browser.jar.delete(SESSION_COOKIE.correctedToken);
    expect((await browser.get(DEVICES)).status).toBe(401);
    expect((await browser.post("/v2/users/top-info")).data.id).toBeNull();
    expect((await browser.post(REFRESH)).status).toBe(401);
    expect(await signInSocket(cookieHeader(browser.jar), undefined)).toBe("error");
  });

  const kinds = Object.keys(SESSION_COOKIE) as SessionCookie[];
  test.each(kinds)(
    "[AUTH-3] one cookie deleted (%s): calls and renewal agree with the corrected token",
    async (kind) => {
      const browser = new Visitor(server, jo.headers);
      for (const [name, value] of jo.jar) browser.jar.set(name, value);
      browser.jar.delete(SESSION_COOKIE[kind]);
      const isLoggedIn = kind !== "correctedToken";
      // Either of the two access tokens is enough.
      expect((await browser.get(DEVICES)).status).toBe(isLoggedIn ? 200 : 401);
      const canRenew = isLoggedIn && kind !== "webSession";
      const renewed = await browser.post(REFRESH);
      expect(renewed.status).toBe(canRenew ? 200 : 401);
      if (canRenew) for (const [name, value] of browser.jar) jo.jar.set(name, value);
    },
  );

  test("[AUTH-4] the corrected token changes with every renewal, so that tabs detect each other's", async () => {
    server.wait(1000);
    const before = jo.jar.get(SESSION_COOKIE.correctedToken);
    expect((await jo.post(REFRESH)).status).toBe(200);
    expect(jo.jar.get(SESSION_COOKIE.correctedToken)).not.toBe(before);
  });

  test("[NET-5] a browser's live connection is signed in by the cookies it was opened with, never from another site", async () => {
    const cookie = cookieHeader(jo.jar);
    expect(await signInSocket(cookie, "")).toMatch(/^\d+$/);
    expect(await signInSocket(undefined, jo.jar.get(SESSION_COOKIE.correctedToken))).toBe("error");
    expect(await signInSocket(undefined, jo.jar.get(SESSION_COOKIE.accessToken))).toMatch(/^\d+$/);
    const foreign = openClient(`ws://127.0.0.1:${server.port}/ws`, {
      headers: { cookie, origin: "https://evil.example" },
    });
    await expect(foreign).rejects.toThrow("403");
  });
});

const whoRoute = (base: "spot" | "futures"): RouteSpec =>
  defineRoute({
    method: "GET",
    path: `/v1/test/who-${base}`,
    bases: [base],
    summary: "Says who calls",
    tag: "test",
    scope: "user",
    output: Type.Object({ userId: Type.String(), locale: Type.String() }),
    handle: async (_, { userId, locale }) => answer({ userId: userId ?? "", locale }),
  });

forMigrated("sqlite", "futures tokens", (database) => {
  let server: RaceServer;
  let jo: Visitor;
  let id: string;
  beforeAll(async () => {
    server = await startRaceServer(database, {}, [whoRoute("spot"), whoRoute("futures")]);
    jo = new Visitor(server);
    id = (await jo.signUp("jo@example.com")).data.id;
  });
  afterAll(() => server.close());

  const ask = async (base: "spot" | "futures", headers: Record<string, string>): Promise<unknown> => {
    const prefix = base === "spot" ? "/api" : "/futuresapi";
    const response = await fetch(`${server.url}${prefix}/v1/test/who-${base}`, { headers });
    const { data, code } = (await response.json()) as { data: { userId: string } | null; code: unknown };
    return data?.userId ?? code;
  };

  test("[AUTH-13] the futures API takes a futures token, else the login token, in its own headers and the common ones", async () => {
    const futures = jo.jar.get(SESSION_COOKIE.futuresToken) ?? "";
    const access = jo.jar.get(SESSION_COOKIE.accessToken) ?? "";
    for (const header of ["authorization", "thirdAppToken", "x-authorization", "loginToken"]) {
      expect(await ask("futures", { [header]: futures })).toBe(id);
      expect(await ask("futures", { [header]: access })).toBe(id);
    }
    expect(await ask("futures", { authorization: `Bearer ${futures}` })).toBe(id);
    // An ended futures token falls back to the login's.
    expect(await ask("futures", { authorization: `${futures}x`, loginToken: access })).toBe(id);
    expect(await ask("futures", { authorization: `${futures}x` })).toBe("UNAUTHENTICATED");
  });

  test("[AUTH-13] a token for the futures API is valid for nothing else", async () => {
    const futures = jo.jar.get(SESSION_COOKIE.futuresToken) ?? "";
    for (const header of ["authorization", "thirdAppToken", "x-authorization", "loginToken", "token"]) {
      expect(await ask("spot", { [header]: futures })).toBe("UNAUTHENTICATED");
    }
    // Also after the futures API has just read it.
    expect(await ask("futures", { authorization: futures })).toBe(id);
    expect(await ask("spot", { "x-authorization": futures })).toBe("UNAUTHENTICATED");
    const mark = `${SESSION_COOKIE.correctedToken}=~x`;
    expect(await ask("spot", { cookie: `${mark}; ${SESSION_COOKIE.futuresToken}=${futures}` })).toBe("UNAUTHENTICATED");
  });

  test("[NET-1] the futures API uses the language its own header names, unless the common ones name another", async () => {
    const authorization = jo.jar.get(SESSION_COOKIE.futuresToken) ?? "";
    const speak = async (headers: Record<string, string>): Promise<unknown> => {
      const requested = { headers: { authorization, thirdAppId: "cw", appVersion: "100.100.100", ...headers } };
      const response = await fetch(`${server.url}/futuresapi/v1/test/who-futures`, requested);
      return ((await response.json()) as { data: { locale: string } }).data.locale;
    };
    expect(await speak({})).toBe("en_US");
    expect(await speak({ "x-locale": "ko_KR" })).toBe("ko_KR");
    expect(await speak({ "x-locale": "ko_KR", "x-language": "ja_JP" })).toBe("ja_JP");
    expect(await speak({ "x-locale": "nowhere" })).toBe("en_US");
  });

  test("[NET-1] a browser on the futures API shows marks in its headers and is known by its cookies", async () => {
    const mark = jo.jar.get(SESSION_COOKIE.correctedToken) ?? "";
    const cookie = [...jo.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { authorization: mark, thirdAppToken: mark, "x-authorization": mark, loginToken: mark };
    expect(await ask("futures", { ...headers, cookie })).toBe(id);
    expect(await ask("futures", headers)).toBe("UNAUTHENTICATED");
    const futuresAlone = `${SESSION_COOKIE.correctedToken}=${mark}; ${SESSION_COOKIE.futuresToken}=${jo.jar.get(SESSION_COOKIE.futuresToken)}`;
    expect(await ask("futures", { ...headers, cookie: futuresAlone })).toBe(id);
  });
});

forMigrated("sqlite", "the futures API at a name of its own", (database) => {
  let server: RaceServer;
  beforeAll(async () => {
    const domain = { CW_PUBLIC_ORIGIN: "https://exchange.example", CW_DOMAIN: "exchange.example" };
    server = await startRaceServer(database, domain, [whoRoute("futures")]);
  });
  afterAll(() => server.close());

  test("[NET-3] with only the domain configured, cookies a browser sends to that name sign in there", async () => {
    const { cookies, data } = await new Visitor(server).signUp("jo@example.com");
    // A browser at futuresapi.exchange.example sends cookies of the domain, and none bound to the host.
    const shared = cookies.filter((cookie) => cookie.includes("; Domain=exchange.example"));
    const cookie = shared.map((one) => one.split(";")[0]).join("; ");
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${server.url}/futuresapi/v1/test/who-futures`, { headers });
      return ((await response.json()) as { data: { userId: string } | null }).data?.userId;
    };
    expect(await ask({ cookie })).toBe(data.id);
    expect(await ask({})).toBeUndefined();
  });
});
