// Signing up and the life of a session, over HTTP against a listening process.
import { allOf } from "@clockwork/kit/all-of";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { startEngineWithTables } from "@clockwork/server/projectors/start";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const SIX = [
  "cw_correct_access_token",
  "cw_correct_token",
  "cw_futures_token",
  "cw_access_token",
  "cw_token",
  "cw_session",
];

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "sign-up", (database) => {
    let server: TestServer;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer(url === undefined ? {} : { DATABASE_URL: url }, (options) =>
        startEngineWithTables({ ...options, segmentBytes: 1 << 20 }),
      );
    });
    afterAll(() => server.close());

    test("[AUTH-5] sign-up by mail: code from the outbox, six cookies, signed in, books in the core", async () => {
      const jo = new Visitor(server);
      const sent = await jo.post("/v2/users/sign-up/code", { account: " Jo@Example.com" });
      expect([sent.status, sent.code, sent.data]).toEqual([200, 0, { resendSeconds: 60 }]);
      const outbox = await (await fetch(`${server.url}/dev/outbox.json?to=jo@example.com`)).json();
      expect(outbox).toEqual([
        {
          to: "jo@example.com",
          kind: "sign-up",
          subject: expect.any(String),
          text: expect.any(String),
          code: expect.stringMatching(/^\d{6}$/),
          unsubscribeUrl: null,
          at: expect.any(Number),
        },
      ]);
      const body = {
        account: "jo@example.com",
        code: await jo.readCode("jo@example.com"),
        password: "correct-horse-1",
      };
      const wrong = await jo.post("/v2/users/sign-up", { ...body, code: "000000" });
      expect([wrong.status, wrong.code]).toEqual([403, "CODE_WRONG"]);
      const made = await jo.post("/v2/users/sign-up", body);
      expect([made.status, made.code, made.data]).toEqual([200, 0, { id: expect.stringMatching(/^\d{9,10}$/) }]);
      expect([...jo.jar.keys()].sort()).toEqual([...SIX].sort());
      const info = await jo.post("/v2/users/top-info");
      expect(info.data).toMatchObject({
        id: made.data.id,
        userInfo: { email: "j***@example.com", phone: null, role: "user", hasTotp: false, unreadLetters: 0 },
      });
      const again = await jo.post("/v2/users/sign-up", body);
      expect([again.status, again.code]).toEqual([403, "CODE_WRONG"]);
      const status = await jo.get("/v1/system/status");
      expect(status.data.core.sequence).toBeGreaterThanOrEqual(2);
    });

    test("[AUTH-5] sign-up by phone with an invite code", async () => {
      const jo = new Visitor(server);
      await jo.signIn("jo@example.com");
      const inviteCode = (await jo.post("/v2/users/top-info")).data.userInfo.inviteCode;
      const ann = new Visitor(server);
      const unknown = await ann.signUp("+44 20 7946 0958", "correct-horse-1", { inviteCode: "NOBODY22" });
      expect([unknown.status, unknown.code]).toEqual([400, "INVITE_UNKNOWN"]);
      const code = await ann.readCode("442079460958");
      const made = await ann.post("/v2/users/sign-up", {
        account: "442079460958",
        code,
        password: "correct-horse-1",
        inviteCode,
      });
      expect(made.status).toBe(200);
      expect((await ann.post("/v2/users/top-info")).data.userInfo).toMatchObject({ email: null, phone: "442***58" });
    });

    test("[AUTH-9] the server holds passwords and accounts to the shared rules", async () => {
      const eve = new Visitor(server);
      const weak = await eve.signUp("eve@example.com", "onlyletters");
      expect([weak.status, weak.code]).toEqual([400, "PASSWORD_INVALID"]);
      const odd = await eve.post("/v2/users/sign-up/code", { account: "not an account" });
      expect([odd.status, odd.code]).toEqual([400, "ACCOUNT_INVALID"]);
      const soon = await eve.post("/v2/users/sign-up/code", { account: "eve@example.com" });
      expect([soon.status, soon.code, Number(soon.headers.get("retry-after"))]).toEqual([
        429,
        "CODE_TOO_SOON",
        expect.any(Number),
      ]);
    });

    test("[AUTH-5] an existing account cannot be distinguished from a missing one", async () => {
      const eve = new Visitor(server);
      server.wait(61_000);
      const known = await eve.post("/v2/users/sign-up/code", { account: "jo@example.com" });
      const unknown = await eve.post("/v2/users/sign-up/code", { account: "nobody@example.com" });
      expect([known.status, known.code, known.data]).toEqual([unknown.status, unknown.code, unknown.data]);
      expect(await eve.readCode("jo@example.com")).toBe("");
      const wrong = { code: "123456", password: "correct-horse-1" };
      const a = await eve.post("/v2/users/sign-up", { account: "jo@example.com", ...wrong });
      const b = await eve.post("/v2/users/sign-up", { account: "nobody@example.com", ...wrong });
      expect([a.status, a.code]).toEqual([b.status, b.code]);
    });

    test("[AUTH-5] unauthenticated requests send a limited number of mails to one mailbox per hour, in any spelling and form", async () => {
      const eve = new Visitor(server);
      server.wait(61_000);
      const ask = (account: string) => eve.post("/v2/users/sign-up/code", { account });
      const form = { kind: "contact", name: "Eve", message: "Hello." };
      const ticket = (email: string) => eve.post("/v1/support/tickets", { ...form, email });
      const codes: unknown[] = [];
      for (let at = 0; at < 19; at += 1) codes.push((await ask(`jo.flooded+${at}@gmail.com`)).code);
      expect(new Set(codes)).toEqual(new Set([0]));
      // The twentieth by another form, from there on none by any; a ticket is opened all the same.
      const mailed = async (email: string) => (await eve.readOutbox(email)).length;
      expect((await ticket("joflooded@gmail.com")).status).toBe(200);
      expect(await mailed("joflooded@gmail.com")).toBe(1);
      const rests = await ask("j.o.f.looded@googlemail.com");
      expect([rests.status, rests.code]).toEqual([429, "CODE_TOO_SOON"]);
      expect((await ticket("joflooded@gmail.com")).status).toBe(200);
      expect(await mailed("joflooded@gmail.com")).toBe(1);
      expect((await ask("somebody-else@gmail.com")).code).toBe(0);
      server.wait(3_600_000);
      expect((await ask("joflooded@gmail.com")).code).toBe(0);
    });

    test("[AUTH-12] preferences are stored with the account, by the seed's own paths", async () => {
      const jo = new Visitor(server);
      expect((await jo.get("/v2/users/membership/user-perfenerce/get")).status).toBe(401);
      await jo.signIn("jo@example.com");
      const first = await jo.get("/v2/users/membership/user-perfenerce/get");
      expect([first.code, first.data]).toEqual([0, { userLanguage: "en_US", pricingCurrency: "USD" }]);
      const update = { pricingCurrency: "EUR", deviceType: "web" };
      expect((await jo.post("/v2/users/membership/user-perfenerce/update", update)).code).toBe(0);
      await jo.post("/v2/users/membership/user-perfenerce/update", { userLanguage: "fr_FR", deviceType: "h5" });
      expect((await jo.get("/v2/users/membership/user-perfenerce/get")).data).toEqual({
        userLanguage: "fr_FR",
        pricingCurrency: "EUR",
      });
      const odd = await jo.post("/v2/users/membership/user-perfenerce/update", { pricingCurrency: "XXX" });
      expect(odd.status).toBe(400);
      expect((await jo.get("/index/changePriceType?priceType=JPY")).code).toBe(200);
      expect((await jo.get("/v2/users/membership/user-perfenerce/get")).data.pricingCurrency).toBe("JPY");
    });

    test("[AUTH-13] a profile is public only when its owner enables it, and never shows more than it should", async () => {
      const kay = new Visitor(server);
      const { id } = (await kay.signUp("kay@example.com")).data;
      const anybody = new Visitor(server);
      const shown = () => anybody.get(`/v2/users/profile/public?user=${id}`);
      expect([(await shown()).status, (await anybody.get("/v2/users/profile/public?user=1")).status]).toEqual([
        404, 404,
      ]);
      const update = (body: object) => kay.post("/v2/users/profile/update", body);
      expect((await update({ nickname: "x" })).code).toBe("NICKNAME_INVALID");
      expect((await update({ nickname: "ka\u202ey" })).code).toBe("NICKNAME_INVALID");
      expect((await update({ intro: "a\u202eb" })).code).toBe("INTRO_INVALID");
      expect((await update({ avatar: 12 })).status).toBe(400);
      const profile = { nickname: "Kay 7", avatar: 4, intro: "Swing trader.\nNo signals.", isPublic: true };
      expect((await update(profile)).data).toEqual(profile);
      const { data } = await shown();
      expect(Object.keys(data).sort()).toEqual(["avatar", "id", "intro", "nickname", "sinceMs"]);
      expect(data).toMatchObject({ id, nickname: "Kay 7", avatar: 4, intro: "Swing trader.\nNo signals." });
      expect((await kay.post("/v2/users/top-info")).data.userInfo.anchorInfo).toEqual(profile);
      await update({ isPublic: false });
      expect((await shown()).code).toBe("PROFILE_UNKNOWN");
      expect((await anybody.post("/v2/users/profile/update", {})).status).toBe(401);
    });
  });
}

describe("sessions", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await new Visitor(server).signUp("jo@example.com");
  });
  afterAll(() => server.close());

  test("[AUTH-3] flags: SameSite on all, HttpOnly on what authorises, kept only on request", async () => {
    const { cookies } = await new Visitor(server).signIn("jo@example.com");
    expect(cookies).toHaveLength(6);
    for (const cookie of cookies) {
      expect(cookie).toContain("; SameSite=Lax");
      expect(cookie).not.toMatch(/Secure|Max-Age/);
      expect(cookie.includes("HttpOnly")).toBe(!/^cw_(correct_)?token=/.test(cookie));
    }
    server.wait(61_000);
    const kept = await new Visitor(server).signIn("jo@example.com", "correct-horse-1", { staySignedIn: true });
    for (const cookie of kept.cookies) expect(cookie).toContain("; Max-Age=2592000");
  });

  test("[AUTH-3] over https every cookie is Secure, the corrected ones on the parent domain", async () => {
    const secure = await startTestServer({
      CW_PUBLIC_ORIGIN: "https://www.exchange.example",
      CW_COOKIE_DOMAIN: "exchange.example",
    });
    try {
      const { cookies } = await new Visitor(secure).signUp("jo@example.com");
      expect(allOf(cookies, (cookie) => cookie.includes("; Secure"))).toBe(true);
      const onParent = cookies.filter((cookie) => cookie.includes("; Domain=exchange.example"));
      expect(onParent.map((cookie) => cookie.split("=")[0]).sort()).toEqual([
        "__Secure-cw_correct_access_token",
        "cw_correct_token",
      ]);
      const bound = cookies.filter((cookie) => cookie.startsWith("__Host-"));
      expect(bound.map((cookie) => cookie.split("=")[0]).sort()).toEqual([
        "__Host-cw_access_token",
        "__Host-cw_futures_token",
        "__Host-cw_session",
      ]);
      const jo = new Visitor(secure);
      await jo.signIn("jo@example.com");
      expect((await jo.get("/v2/users/devices")).status).toBe(200);
      expect((await jo.post("/v2/users/session/refresh")).status).toBe(200);
      // The name without its prefix could have been set by a sister site.
      const planted = new Visitor(secure);
      for (const [name, value] of jo.jar) planted.jar.set(name.replace(/^__(Host|Secure)-/, ""), value);
      expect((await planted.get("/v2/users/devices")).status).toBe(401);
      expect((await planted.post("/v2/users/session/refresh")).status).toBe(401);
    } finally {
      await secure.close();
    }
  });

  test("[AUTH-3] signing out empties all six cookies and ends the session on the server", async () => {
    server.wait(61_000);
    const jo = new Visitor(server);
    await jo.signIn("jo@example.com");
    const stolen = new Visitor(server, {});
    for (const [name, value] of jo.jar) stolen.jar.set(name, value);
    expect((await stolen.post("/v2/users/top-info")).data.id).not.toBeNull();
    const out = await jo.post("/v2/users/sign-out");
    expect(out.cookies.filter((cookie) => /=; .*Max-Age=0/.test(cookie))).toHaveLength(6);
    expect(jo.jar.size).toBe(0);
    expect((await stolen.post("/v2/users/top-info")).data.id).toBeNull();
    expect((await stolen.post("/v2/users/session/refresh")).status).toBe(401);
  });

  test("[AUTH-4] access tokens end after a quarter of an hour and are renewed from the web session", async () => {
    server.wait(61_000);
    const jo = new Visitor(server);
    await jo.signIn("jo@example.com");
    const before = jo.jar.get("cw_access_token");
    server.wait(16 * 60_000);
    expect((await jo.get("/v2/users/devices")).status).toBe(401);
    expect((await jo.post("/v2/users/session/refresh")).status).toBe(200);
    expect(jo.jar.get("cw_access_token")).not.toBe(before);
    expect((await jo.get("/v2/users/devices")).status).toBe(200);
    server.wait(12 * 3_600_000);
    expect((await jo.post("/v2/users/session/refresh")).status).toBe(401);
  });

  test("[AUTH-3] a renewed secret used again later ends the session; two concurrent tabs do not", async () => {
    const jo = new Visitor(server);
    await jo.signIn("jo@example.com");
    const old = new Map(jo.jar);
    const tabs = await Promise.all([jo.post("/v2/users/session/refresh"), jo.post("/v2/users/session/refresh")]);
    expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
    expect((await jo.post("/v2/users/session/refresh")).status).toBe(200);
    server.wait(31_000);
    const thief = new Visitor(server, {});
    for (const [name, value] of old) thief.jar.set(name, value);
    expect((await thief.post("/v2/users/session/refresh")).status).toBe(401);
    expect((await jo.post("/v2/users/session/refresh")).status).toBe(401);
    expect((await jo.get("/v2/users/devices")).status).toBe(401);
  });

  test("[AUTH-3] keeping signed in renames the session and outlives half a day without use", async () => {
    server.wait(61_000);
    const jo = new Visitor(server);
    await jo.signIn("jo@example.com");
    const before = new Map(jo.jar);
    const stay = await jo.post("/v2/users/session/stay", { stay: true });
    expect(stay.cookies).toHaveLength(6);
    const old = new Visitor(server, {});
    for (const [name, value] of before) old.jar.set(name, value);
    expect((await old.get("/v2/users/devices")).status).toBe(401);
    expect((await jo.get("/v2/users/devices")).status).toBe(200);
    server.wait(20 * 86_400_000);
    expect((await jo.post("/v2/users/session/refresh")).status).toBe(200);
    server.wait(11 * 86_400_000);
    expect((await jo.post("/v2/users/session/refresh")).status).toBe(401);
  });

  test("[AUTH-7] devices are listed and revoked, others' are not accessible", async () => {
    const phone = new Visitor(server, { cwDeviceId: crypto.randomUUID(), deviceName: "Phone" });
    await phone.signIn("jo@example.com");
    server.wait(61_000);
    const desk = new Visitor(server, { cwDeviceId: crypto.randomUUID(), deviceName: "Desk" });
    await desk.signIn("jo@example.com");
    const list = (await desk.get("/v2/users/devices")).data;
    const current = list.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(current.deviceName).toBe("Desk");
    const other = list.devices.find(({ name }: { name: string }) => name === "Phone");
    expect(other.isCurrent).toBe(false);
    const outsider = new Visitor(server);
    await outsider.signUp("stranger@example.com");
    expect((await outsider.post("/v2/users/devices/revoke", { session: current.id })).code).toBe("DEVICE_UNKNOWN");
    expect((await outsider.post("/v2/users/devices/revoke", { device: other.id })).code).toBe("DEVICE_UNKNOWN");
    expect((await desk.post("/v2/users/devices/revoke", { device: other.id })).status).toBe(200);
    expect((await phone.get("/v2/users/devices")).status).toBe(401);
    const rows = (await desk.get("/v2/users/activity")).data.rows as { kind: string }[];
    expect(rows.slice(0, 2).map(({ kind }) => kind)).toEqual(["device-removed", "signed-in:password"]);
    expect((await outsider.get("/v2/users/activity")).data.rows).toHaveLength(1);
  });

  test("[AUTH-5] signing out everywhere ends every session and its sockets at once", async () => {
    server.wait(61_000);
    const desk = new Visitor(server);
    await desk.signIn("jo@example.com");
    server.wait(61_000);
    const phone = new Visitor(server);
    await phone.signIn("jo@example.com");
    const socket = await openClient(`ws://127.0.0.1:${server.port}/ws`);
    socket.send({ event: "login", channel: "letters", data: { token: phone.jar.get("cw_access_token") } });
    const first = await socket.until(({ event }) => event === "data");
    expect(first.data).toEqual({ count: expect.any(Number) });
    await desk.post("/v2/users/sign-out", { everywhere: true });
    expect(await socket.closed).toEqual({ code: 1008, reason: "session" });
    expect((await phone.get("/v2/users/devices")).status).toBe(401);
  });

  test("[AUTH-3] a page of another site can neither sign in nor sign out", async () => {
    const eve = new Visitor(server);
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const path of ["/v2/users/login/do-login", "/v2/users/sign-out", "/v2/users/session/refresh"]) {
      expect((await eve.post(path, {}, foreign)).code).toBe("CROSS_SITE_REFUSED");
    }
  });

  test("[AUTH-13] a token for the futures API is valid for nothing else", async () => {
    server.wait(61_000);
    const jo = new Visitor(server);
    await jo.signIn("jo@example.com");
    const program = new Visitor(server, { "x-authorization": jo.jar.get("cw_futures_token") ?? "" });
    expect((await program.get("/v2/users/devices")).status).toBe(401);
    const good = new Visitor(server, { "x-authorization": `Bearer ${jo.jar.get("cw_access_token")}` });
    expect((await good.get("/v2/users/devices")).status).toBe(200);
  });
});
