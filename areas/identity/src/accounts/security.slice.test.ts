// The security centre, forgotten passwords and the inbox, over HTTP against a listening process.

import { present } from "@clockwork/kit/assert";
import { readSecret, startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hotp } from "../security/rules.ts";

const PASSWORD = "correct-horse-1";
const LOGIN = "/v2/users/login/do-login";
const SECURITY = "/v2/users/security";
const HOUR_MS = 3_600_000;

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "security", (database) => {
    let server: TestServer;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer(url === undefined ? {} : { DATABASE_URL: url });
    });
    afterAll(() => server.close());

    const hoursLeft = async (visitor: Visitor): Promise<Record<string, number>> => {
      const { data } = await visitor.get(`${SECURITY}/locks`);
      return Object.fromEntries(
        data.map(({ cause, leftMs }: { cause: string; leftMs: number }) => [cause, Math.round(leftMs / HOUR_MS)]),
      );
    };

    test("[AUTH-7] changes need a proof within five minutes; each renames the session", async () => {
      const jo = new Visitor(server);
      await jo.signUp("jo@example.com");
      expect((await jo.get(`${SECURITY}/overview`)).data).toEqual({
        email: "j***@example.com",
        phone: null,
        hasTotp: false,
        hasPasskeys: false,
        hasTradePassword: false,
        antiPhishingCode: null,
        stepUp: "email",
        isVerified: true,
        withdrawalLocks: [],
      });
      server.wait(6 * 60_000);
      const trade = { password: "trade-horse-1" };
      for (const [path, body] of [
        ["trade-password/set", trade],
        ["anti-phishing/set", { code: "tulip" }],
        ["totp/bind", { code: "123456" }],
        ["totp/remove", { code: "123456" }],
      ] as const) {
        const refused = await jo.post(`${SECURITY}/${path}`, body);
        expect([refused.status, refused.code]).toEqual([403, "STEP_UP_REQUIRED"]);
      }
      const before = new Map(jo.jar);
      const proved = await jo.stepUp("jo@example.com");
      expect([proved.status, proved.cookies.length]).toEqual([200, 6]);
      const old = new Visitor(server, {});
      for (const [name, value] of before) old.jar.set(name, value);
      expect((await old.get(`${SECURITY}/overview`)).status).toBe(401);
      const set = await jo.post(`${SECURITY}/trade-password/set`, trade);
      expect([set.status, set.cookies.length]).toEqual([200, 6]);
      expect(await hoursLeft(jo)).toEqual({});
      await jo.post(`${SECURITY}/trade-password/set`, { password: "trade-horse-2" });
      expect(await hoursLeft(jo)).toEqual({ "trade-password-changed": 24 });
      await jo.post(`${SECURITY}/anti-phishing/set`, { code: "tulip" });
      const [mail] = await jo.readOutbox("jo@example.com");
      expect(mail?.text).toMatch(/^Anti-phishing code: tulip\n/);
      // Codes too, and to nobody else.
      server.wait(61_000);
      await jo.post(`${SECURITY}/step-up/code`);
      expect((await jo.readOutbox("jo@example.com"))[0]?.text).toMatch(/^Anti-phishing code: tulip\n\n[0-9]{6} is/);
      const rows = (await jo.get("/v2/users/activity")).data.rows as { kind: string; address: string }[];
      expect(rows.slice(0, 3).map(({ kind }) => kind)).toEqual([
        "anti-phishing-set",
        "trade-password-changed",
        "trade-password-set",
      ]);
      expect(new Set(rows.map(({ address }) => address)).size).toBe(1);
    });

    test("[AUTH-7] an authenticator is bound, replaces mail as proof, is encrypted at rest and removed with a suspension", async () => {
      const ann = new Visitor(server);
      await ann.signUp("ann@example.com");
      const { secret } = (await ann.post(`${SECURITY}/totp/begin`)).data;
      const code = () => hotp(readSecret(secret), Math.floor(server.nowMs() / 30_000));
      const wrong = await ann.post(`${SECURITY}/totp/bind`, { code: code() === "111111" ? "222222" : "111111" });
      expect(wrong.code).toBe("CODE_WRONG");
      expect((await ann.post(`${SECURITY}/totp/bind`, { code: code() })).status).toBe(200);
      expect(await hoursLeft(ann)).toEqual({ "totp-bound": 6 });
      expect((await ann.post(`${SECURITY}/totp/begin`)).code).toBe("TOTP_BOUND");
      server.wait(6 * 60_000);
      const byMail = await ann.stepUp("ann@example.com");
      expect(byMail.code).toBe("CODE_WRONG");
      expect((await ann.post(`${SECURITY}/step-up`, { codes: { totp: code() } })).status).toBe(200);
      const query = sql<{ sealed: Uint8Array }>`select sealed from security_totp`;
      const { rows } = await query.execute(present(server.kysely, "AUTH-7", "no database"));
      const bytes = Buffer.concat(rows.map(({ sealed }) => sealed));
      expect(bytes.length).toBeGreaterThan(20);
      expect(bytes.includes(Buffer.from(readSecret(secret))) || bytes.includes(Buffer.from(secret))).toBe(false);
      server.wait(60_000);
      expect((await ann.post(`${SECURITY}/totp/remove`, { code: code() })).status).toBe(200);
      expect(await hoursLeft(ann)).toMatchObject({ "totp-removed": 24 });
      expect((await ann.get(`${SECURITY}/overview`)).data).toMatchObject({ hasTotp: false, stepUp: "email" });
    });

    test("[AUTH-6] a forgotten password: code, ticket, new password, all sessions ended, withdrawals suspended for a day", async () => {
      const bob = new Visitor(server);
      await bob.signUp("bob@example.com");
      const eve = new Visitor(server);
      const known = await eve.post("/v2/users/forget/code", { account: "bob@example.com" });
      const unknown = await eve.post("/v2/users/forget/code", { account: "nobody@example.com" });
      expect([known.status, known.data]).toEqual([unknown.status, unknown.data]);
      expect(await eve.readOutbox("nobody@example.com")).toEqual([]);
      const code = await eve.readCode("bob@example.com");
      const bad = await eve.post("/v2/users/forget/validate", { account: "nobody@example.com", code });
      expect([bad.status, bad.code]).toEqual([403, "CODE_WRONG"]);
      const { ticket, needsTotp } = (await eve.post("/v2/users/forget/validate", { account: "bob@example.com", code }))
        .data;
      expect(needsTotp).toBe(false);
      const weak = await eve.post("/v2/users/forget/reset", { ticket, password: "short" });
      expect(weak.code).toBe("PASSWORD_INVALID");
      const reset = await eve.post("/v2/users/forget/reset", { ticket, password: "battery-staple-2" });
      expect(reset.status).toBe(200);
      expect((await eve.post("/v2/users/forget/reset", { ticket, password: "battery-staple-3" })).code).toBe(
        "TICKET_INVALID",
      );
      expect((await bob.get(`${SECURITY}/locks`)).status).toBe(401);
      const old = await bob.post(LOGIN, { account: "bob@example.com", password: PASSWORD });
      expect(old.code).toBe("CREDENTIALS_WRONG");
      await bob.post(LOGIN, { account: "bob@example.com", password: "battery-staple-2" });
      expect(await hoursLeft(bob)).toEqual({ "password-reset": 24 });
      expect((await bob.get("/v2/users/letters")).data.letters[0].kind).toBe("password-reset");
    });

    test("[AUTH-7] a changed password and a changed address end other sessions and suspend withdrawals", async () => {
      const desk = new Visitor(server);
      await desk.signUp("cat@example.com");
      const phone = new Visitor(server);
      await phone.signIn("cat@example.com");
      server.wait(61_000);
      const change = { oldPassword: "wrong-horse-1", newPassword: "battery-staple-2" };
      expect((await desk.post("/v2/users/password/change", change)).code).toBe("PASSWORD_WRONG");
      const changed = await desk.post("/v2/users/password/change", { ...change, oldPassword: PASSWORD });
      expect([changed.status, changed.cookies.length]).toEqual([200, 6]);
      expect((await phone.get(`${SECURITY}/locks`)).status).toBe(401);
      expect(await hoursLeft(desk)).toMatchObject({ "password-changed": 24 });

      await desk.post("/v2/users/contact/code", { account: "447700900123" });
      const first = { account: "447700900123", code: await desk.readCode("447700900123") };
      expect((await desk.post("/v2/users/contact/bind", first)).status).toBe(200);
      await desk.post("/v2/users/contact/code", { account: "kitten@example.com" });
      const second = { account: "kitten@example.com", code: await desk.readCode("kitten@example.com") };
      expect((await desk.post("/v2/users/contact/bind", second)).status).toBe(200);
      expect(await hoursLeft(desk)).toMatchObject({ "phone-bound": 6, "email-changed": 24 });
      const taken = await desk.post("/v2/users/contact/code", { account: "jo@example.com" });
      expect(taken.status).toBe(200);
      expect((await desk.readOutbox("jo@example.com"))[0]?.kind).not.toBe("contact");
      const entered = await desk.post(LOGIN, { account: "447700900123", password: "battery-staple-2" });
      expect(entered.cookies).toHaveLength(6);
    });

    test("[AUTH-7] the link of a security mail freezes the account; its owner releases it with all they have", async () => {
      const dan = new Visitor(server);
      await dan.signUp("dan@example.com");
      await dan.post(`${SECURITY}/anti-phishing/set`, { code: "daisy" });
      const mail = (await dan.readOutbox("dan@example.com"))[0];
      const token = /token=(\S+)/.exec(mail?.text ?? "")?.[1];
      const anyone = new Visitor(server);
      expect((await anyone.post(`${SECURITY}/freeze`, { token: `${token}x` })).code).toBe("LINK_INVALID");
      expect((await anyone.post(`${SECURITY}/freeze`, {})).status).toBe(401);
      expect((await anyone.post(`${SECURITY}/freeze`, { token })).status).toBe(200);
      expect((await dan.get(`${SECURITY}/locks`)).status).toBe(401);
      const wrong = await dan.post(LOGIN, { account: "dan@example.com", password: "wrong-horse-1" });
      expect(wrong.code).toBe("CREDENTIALS_WRONG");
      const frozen = await dan.post(LOGIN, { account: "dan@example.com", password: PASSWORD });
      expect([frozen.status, frozen.code, frozen.cookies]).toEqual([403, "ACCOUNT_FROZEN", []]);
      const release = "/v2/users/risk-control/release";
      await dan.post(`${release}/code`, { account: "dan@example.com" });
      const code = await dan.readCode("dan@example.com");
      const half = await dan.post(release, { account: "dan@example.com", password: "wrong-horse-1", code });
      expect(half.code).toBe("CREDENTIALS_WRONG");
      expect((await dan.post(release, { account: "dan@example.com", password: PASSWORD, code })).status).toBe(200);
      await dan.post(LOGIN, { account: "dan@example.com", password: PASSWORD });
      expect(await hoursLeft(dan)).toMatchObject({ released: 24 });
    });

    test("[AUTH-7] an account is closed by its owner with a fresh proof, and no code opens it again", async () => {
      const eva = new Visitor(server);
      await eva.signUp("eva@example.com");
      server.wait(6 * 60_000);
      expect((await eva.post(`${SECURITY}/close`)).code).toBe("STEP_UP_REQUIRED");
      await eva.stepUp("eva@example.com");
      expect((await eva.post(`${SECURITY}/close`)).status).toBe(200);
      expect((await eva.readOutbox("eva@example.com"))[0]).toMatchObject({ kind: "closed" });
      expect((await eva.get(`${SECURITY}/locks`)).status).toBe(401);
      const again = await eva.post(LOGIN, { account: "eva@example.com", password: PASSWORD });
      expect([again.status, again.code, again.cookies]).toEqual([403, "ACCOUNT_FROZEN", []]);
      const release = "/v2/users/risk-control/release";
      await eva.post(`${release}/code`, { account: "eva@example.com" });
      const code = await eva.readCode("eva@example.com");
      const released = await eva.post(release, { account: "eva@example.com", password: PASSWORD, code });
      expect([released.status, released.code]).toEqual([403, "ACCOUNT_CLOSED"]);
    });

    test("[USR-3] letters are counted live, listed and read only by their owner", async () => {
      const fay = new Visitor(server);
      await fay.signUp("fay@example.com");
      const socket = await openClient(`ws://127.0.0.1:${server.port}/ws`);
      socket.send({ event: "login", channel: "letters", data: { token: fay.jar.get("cw_access_token") } });
      expect((await socket.until(({ event }) => event === "data")).data).toEqual({ count: 0 });
      const phone = new Visitor(server);
      await phone.signIn("fay@example.com");
      await socket.until(({ data }) => (data as { count?: number } | undefined)?.count === 1);
      expect((await fay.get("/v2/users/letters/unread-count")).data).toEqual({ count: 1 });
      const { letters } = (await fay.get("/v2/users/letters?unreadOnly=true")).data;
      expect(letters).toHaveLength(1);
      const other = new Visitor(server);
      await other.signUp("other@example.com");
      await other.post("/v2/users/letters/read", { ids: [letters[0].id] });
      expect((await other.get("/v2/users/letters")).data.letters).toEqual([]);
      expect((await fay.get("/v2/users/letters/unread-count")).data).toEqual({ count: 1 });
      expect((await fay.post("/v2/users/letters/read", { ids: [letters[0].id] })).data).toEqual({ count: 0 });
      // The last of all: there was none at the beginning as well.
      await expect.poll(() => socket.messages.findLast(({ event }) => event === "data")?.data).toEqual({ count: 0 });
      socket.close();
    });
  });
}
