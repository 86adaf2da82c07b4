// Signing in over HTTP: factors, new devices, locks, and what unauthenticated clients cannot find out.
import { createHash } from "node:crypto";
import { readSecret, startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countZeroBits } from "../captcha/rules.ts";
import { hotp } from "../security/rules.ts";

const PASSWORD = "correct-horse-1";
const LOGIN = "/v2/users/login/do-login";

/** As the page's widget does it. */
function solve(work: { id: string; salt: string; zeroBits: number }): { id: string; nonce: string } {
  for (let nonce = 0; ; nonce += 1) {
    const digest = createHash("sha256").update(`${work.salt}:${nonce}`).digest();
    if (countZeroBits(digest) >= work.zeroBits) return { id: work.id, nonce: String(nonce) };
  }
}

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "login", (database) => {
    let server: TestServer;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer(url === undefined ? {} : { DATABASE_URL: url });
    });
    afterAll(() => server.close());

    test("[AUTH-5] a recognised device needs only the password, a new one a code too, and its owner is notified", async () => {
      const desk = new Visitor(server);
      await desk.signUp("jo@example.com");
      await desk.post("/v2/users/sign-out");
      const again = await desk.post(LOGIN, { account: "jo@example.com", password: PASSWORD });
      expect([again.status, again.code, again.data, again.cookies.length]).toEqual([
        200,
        0,
        { id: expect.any(String) },
        6,
      ]);
      expect((await desk.get("/v2/users/security/locks")).data).toEqual([]);

      const phone = new Visitor(server, { cwDeviceId: crypto.randomUUID(), deviceName: "New phone" });
      const first = await phone.post(LOGIN, { account: "JO@example.com", password: PASSWORD });
      expect([first.data, first.cookies]).toEqual([
        { next: ["email"], ticket: expect.any(String), sentTo: "j***@example.com" },
        [],
      ]);
      const code = await phone.readCode("jo@example.com");
      const wrong = await phone.post(LOGIN, {
        ticket: first.data.ticket,
        codes: { email: code === "111111" ? "2".repeat(6) : "111111" },
      });
      expect([wrong.status, wrong.code]).toEqual([403, "CODE_WRONG"]);
      const thief = new Visitor(server);
      const elsewhere = await thief.post(LOGIN, { ticket: first.data.ticket, codes: { email: code } });
      expect(elsewhere.code).toBe("TICKET_INVALID");
      const entered = await phone.post(LOGIN, { ticket: first.data.ticket, codes: { email: code } });
      expect([entered.status, entered.cookies.length]).toEqual([200, 6]);
      const used = await phone.post(LOGIN, { ticket: first.data.ticket, codes: { email: code } });
      expect(used.code).toBe("TICKET_INVALID");
      const [lock] = (await phone.get("/v2/users/security/locks")).data;
      expect([lock.cause, lock.leftMs > 23 * 3_600_000]).toEqual(["new-device", true]);
      const { letters } = (await phone.get("/v2/users/letters")).data;
      expect(letters[0]).toMatchObject({
        kind: "new-device",
        isRead: false,
        body: expect.stringContaining("New phone"),
      });
      const outbox = await phone.readOutbox("jo@example.com");
      expect(outbox[0]).toMatchObject({
        kind: "new-device",
        code: null,
        text: expect.stringContaining("freeze?token="),
      });
    });

    test("[AUTH-5] account, password and codes in one call do as well", async () => {
      server.wait(61_000);
      const program = new Visitor(server, {});
      const body = { account: "jo@example.com", password: PASSWORD };
      await program.post(LOGIN, body);
      const codes = { email: await program.readCode("jo@example.com") };
      const entered = await program.post(LOGIN, { ...body, codes, device: { fingerprint: "f".repeat(32) } });
      expect([entered.status, entered.cookies.length]).toEqual([200, 6]);
    });

    test("[AUTH-5] five wrong passwords lock their address for a quarter of an hour, then longer; unknown accounts alike", async () => {
      await new Visitor(server).signUp("locked@example.com");
      for (const account of ["locked@example.com", "unknown@example.com"]) {
        const eve = new Visitor(server, { "x-forwarded-for": "9.9.9.9" });
        const seen: unknown[] = [];
        for (let count = 0; count < 6; count += 1) {
          eve.headers["x-forwarded-for"] = `9.9.9.${count}`;
          eve.headers.cwDeviceId = crypto.randomUUID();
          const { status, code, headers } = await eve.post(LOGIN, { account, password: "wrong-horse-1" });
          seen.push([status, code, headers.get("retry-after")]);
        }
        expect(seen).toEqual([
          ...Array(4).fill([403, "CREDENTIALS_WRONG", null]),
          ...Array(2).fill([429, "LOGIN_LOCKED", expect.stringMatching(/^(?:900|8\d\d)$/)]),
        ]);
        const right = await eve.post(LOGIN, { account, password: PASSWORD });
        expect([right.status, right.code]).toEqual([429, "LOGIN_LOCKED"]);
      }
      server.wait(15 * 60_000);
      const eve = new Visitor(server);
      for (let count = 0; count < 5; count += 1) {
        await eve.post(LOGIN, { account: "locked@example.com", password: "wrong-horse-1" });
      }
      const longer = await eve.post(LOGIN, { account: "locked@example.com", password: PASSWORD });
      expect(Number(longer.headers.get("retry-after"))).toBeGreaterThan(1700);
    });

    test("[AUTH-5] concurrent guesses are counted one by one", async () => {
      await new Visitor(server).signUp("flood@example.com");
      const eve = new Visitor(server);
      const guesses = Array.from({ length: 30 }, () =>
        eve.post(LOGIN, { account: "flood@example.com", password: "wrong-horse-1" }),
      );
      const codes = (await Promise.all(guesses)).map(({ code }) => code);
      expect(codes.filter((code) => code === "CREDENTIALS_WRONG").length).toBeLessThanOrEqual(4);
      expect((await eve.post(LOGIN, { account: "flood@example.com", password: PASSWORD })).code).toBe("LOGIN_LOCKED");
    });
  });
}

describe("login", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await new Visitor(server).signUp("known@example.com");
  });
  afterAll(() => server.close());

  test("[AUTH-5] the first step of a sign-in is the same for every account", async () => {
    const eve = new Visitor(server);
    const known = await eve.post("/v2/users/login/validate-type", { account: "known@example.com" });
    const unknown = await eve.post("/v2/users/login/validate-type", { account: "unknown@example.com" });
    expect([known.status, known.data]).toEqual([unknown.status, unknown.data]);
    expect(known.data).toEqual({ types: ["password", "passkey"] });
  });

  test("[AUTH-5] with an authenticator its code is required at every sign-in and counts once", async () => {
    const jo = new Visitor(server);
    await jo.signUp("totp@example.com");
    const { secret, uri } = (await jo.post("/v2/users/security/totp/begin")).data;
    expect(uri).toContain(`secret=${secret}`);
    const code = () => hotp(readSecret(secret), Math.floor(server.nowMs() / 30_000));
    expect((await jo.post("/v2/users/security/totp/bind", { code: code() })).status).toBe(200);
    server.wait(60_000);
    await jo.post("/v2/users/sign-out");
    const first = await jo.post(LOGIN, { account: "totp@example.com", password: PASSWORD });
    expect(first.data.next).toEqual(["totp"]);
    const used = code();
    const entered = await jo.post(LOGIN, { ticket: first.data.ticket, codes: { totp: used } });
    expect([entered.status, entered.cookies.length]).toEqual([200, 6]);
    const second = await jo.post(LOGIN, { account: "totp@example.com", password: PASSWORD });
    const replayed = await jo.post(LOGIN, { ticket: second.data.ticket, codes: { totp: used } });
    expect(replayed.code).toBe("CODE_WRONG");
    const phone = new Visitor(server);
    const both = await phone.post(LOGIN, { account: "totp@example.com", password: PASSWORD });
    expect(both.data.next).toEqual(["totp", "email"]);
    server.wait(60_000);
    const half = await phone.post(LOGIN, { ticket: both.data.ticket, codes: { totp: code() } });
    expect(half.data.next).toEqual(["email"]);
    const mail = { email: await phone.readCode("totp@example.com") };
    expect((await phone.post(LOGIN, { ticket: half.data.ticket, codes: mail })).cookies).toHaveLength(6);
  });

  test("[AUTH-5] codes of an authenticator cannot be guessed without end", async () => {
    const jo = new Visitor(server);
    await jo.signUp("guess@example.com");
    const { secret } = (await jo.post("/v2/users/security/totp/begin")).data;
    const code = () => hotp(readSecret(secret), Math.floor(server.nowMs() / 30_000));
    await jo.post("/v2/users/security/totp/bind", { code: code() });
    server.wait(60_000);
    const { ticket } = (await jo.post(LOGIN, { account: "guess@example.com", password: PASSWORD })).data;
    const wrong = code() === "111111" ? "222222" : "111111";
    for (let count = 0; count < 5; count += 1) await jo.post(LOGIN, { ticket, codes: { totp: wrong } });
    const locked = await jo.post(LOGIN, { ticket, codes: { totp: code() } });
    expect([locked.status, locked.code]).toEqual([429, "LOGIN_LOCKED"]);
  });

  test("[AUTH-5] the operator of a first start signs in with the password that was shown once", async () => {
    const [, email = "", password = ""] = /account (\S+), password (\S+) /.exec(server.announced[0] ?? "") ?? [];
    const operator = new Visitor(server);
    const entered = await operator.signIn(email, password);
    expect(entered.cookies).toHaveLength(6);
    expect((await operator.post("/v2/users/top-info")).data.userInfo.role).toBe("operator");
    expect(server.announced).toHaveLength(1);
  });

  test("[AUTH-5] many users behind one address sign in at once; the process serves other calls during it", async () => {
    const people = Array.from({ length: 8 }, () => new Visitor(server));
    for (const [index, person] of people.entries()) await person.signUp(`crowd${index}@example.com`);
    const participants = Array.from({ length: 160 }, (_, index) =>
      (people[index % 8] as Visitor).post(LOGIN, { account: `crowd${index % 8}@example.com`, password: PASSWORD }),
    );
    expect((await new Visitor(server).get("/v1/system/status")).status).toBe(200);
    const answers = await Promise.all(participants);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const outsider = new Visitor(server);
    expect((await outsider.signUp("late@example.com")).status).toBe(200);
    await outsider.post("/v2/users/sign-out");
    expect((await outsider.post(LOGIN, { account: "late@example.com", password: PASSWORD })).status).toBe(200);
  });

  test("[AUTH-5] an address with too many failures is locked, whatever its headers", async () => {
    const eve = new Visitor(server);
    for (let count = 0; count < 60; count += 1) {
      eve.headers["x-forwarded-for"] = `9.9.9.${count}`;
      eve.headers["x-real-ip"] = `9.9.8.${count}`;
      await eve.post(LOGIN, { account: `victim${count}@example.com`, password: "wrong-horse-1" });
    }
    const locked = await eve.post(LOGIN, { account: "another@example.com", password: "wrong-horse-1" });
    expect([locked.status, locked.code]).toEqual([429, "LOGIN_LOCKED"]);
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("captcha on", () => {
  test("[AUTH-8] no message is sent and no password tried before the puzzle is solved", async () => {
    const server = await startTestServer({ CW_CAPTCHA: "on" });
    try {
      const jo = new Visitor(server);
      const account = "jo@example.com";
      const refused = [
        await jo.post("/v2/users/sign-up/code", { account }),
        await jo.post("/v2/users/forget/code", { account }),
        await jo.post("/v2/users/risk-control/release/code", { account }),
        await jo.post(LOGIN, { account, password: PASSWORD }),
      ];
      expect(refused.map(({ status, code }) => [status, code])).toEqual(Array(4).fill([403, "CAPTCHA_REQUIRED"]));
      const { work } = (await jo.post("/v2/users/captcha")).data;
      const captcha = solve(work);
      const body = { account, captcha };
      expect((await jo.post("/v2/users/sign-up/code", body)).status).toBe(200);
      expect((await jo.post("/v2/users/forget/code", body)).code).toBe("CAPTCHA_REQUIRED");
    } finally {
      await server.close();
    }
  });
});
