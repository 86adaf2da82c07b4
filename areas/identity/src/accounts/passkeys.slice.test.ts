// Passkeys over HTTP against a listening process, with an authenticator in software.

import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mischief, SoftAuthenticator } from "./soft-authenticator.ts";

const PATH = "/v2/users/passkey";

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "passkeys", (database) => {
    let server: TestServer;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer(url === undefined ? {} : { DATABASE_URL: url });
    });
    afterAll(() => server.close());

    const challenge = async (visitor: Visitor, path: string): Promise<string> =>
      (await visitor.post(`${PATH}/${path}`)).data.options.challenge;
    const bind = async (visitor: Visitor, key: SoftAuthenticator, mischief: Mischief = {}, more: object = {}) =>
      visitor.post(`${PATH}/bind`, {
        response: key.create(await challenge(visitor, "bind/challenge"), mischief),
        ...more,
      });
    const login = async (visitor: Visitor, key: SoftAuthenticator, mischief: Mischief = {}) =>
      visitor.post(`${PATH}/login`, { response: key.get(await challenge(visitor, "challenge"), mischief) });

    test("[AUTH-5] a passkey is bound and signs in on a new device, without code and without a suspension", async () => {
      const jo = new Visitor(server);
      await jo.signUp("jo@example.com");
      const key = new SoftAuthenticator(server.url);
      const { options } = (await jo.post(`${PATH}/bind/challenge`)).data;
      expect(options).toMatchObject({
        rp: { id: "127.0.0.1" },
        user: { name: "jo@example.com" },
        authenticatorSelection: { userVerification: "required", residentKey: "required" },
      });
      const bound = await bind(jo, key, {}, { name: "Laptop" });
      expect([bound.status, bound.cookies.length]).toEqual([200, 6]);
      expect((await jo.get(`${PATH}/list`)).data.keys).toMatchObject([{ name: "Laptop", usedAtMs: 0 }]);
      const phone = new Visitor(server);
      const entered = await login(phone, key);
      expect([entered.status, entered.cookies.length]).toEqual([200, 6]);
      expect((await phone.post("/v2/users/top-info")).data.id).toBe(entered.data.id);
      const locks = (await phone.get("/v2/users/security/locks")).data;
      expect(locks.map(({ cause }: { cause: string }) => cause)).toEqual(["passkey-bound"]);
      expect((await phone.get("/v2/users/security/overview")).data.isVerified).toBe(true);
    });

    const wrong: readonly (readonly [string, Mischief])[] = [
      ["of another site", { origin: "https://evil.example" }],
      ["for another host", { host: "evil.example" }],
      ["without user verification", { isUnverified: true }],
      ["of another ceremony", { type: "payment.get" }],
    ];
    test.each(wrong)("[AUTH-5] an answer %s is refused, when binding and when signing in", async (_, mischief) => {
      const ann = new Visitor(server);
      await ann.signUp(`${crypto.randomUUID()}@example.com`);
      const key = new SoftAuthenticator(server.url);
      expect((await bind(ann, key, mischief)).code).toBe("PASSKEY_REFUSED");
      expect((await bind(ann, key)).status).toBe(200);
      const visitor = new Visitor(server);
      expect((await login(visitor, key, mischief)).code).toBe("PASSKEY_REFUSED");
      expect((await login(visitor, key)).status).toBe(200);
    });

    test("[AUTH-5] a decreasing counter, a challenge used twice and an unknown key are refused", async () => {
      const bob = new Visitor(server);
      await bob.signUp("bob@example.com");
      const key = new SoftAuthenticator(server.url);
      await bind(bob, key);
      expect((await login(bob, key, { counter: 9 })).status).toBe(200);
      expect((await login(bob, key, { counter: 9 })).code).toBe("PASSKEY_REFUSED");
      const response = key.get(await challenge(bob, "challenge"), { counter: 20 });
      expect((await bob.post(`${PATH}/login`, { response })).status).toBe(200);
      expect((await bob.post(`${PATH}/login`, { response })).code).toBe("PASSKEY_REFUSED");
      expect((await login(bob, new SoftAuthenticator(server.url))).code).toBe("PASSKEY_REFUSED");
      const late = await challenge(bob, "challenge");
      server.wait(5 * 60_000);
      const old = await bob.post(`${PATH}/login`, { response: key.get(late, { counter: 30 }) });
      expect(old.code).toBe("PASSKEY_REFUSED");
    });

    test("[AUTH-7] an own passkey is a fresh proof of its owner; another user's is none", async () => {
      const [dot, fay] = [new Visitor(server), new Visitor(server)];
      const [own, other] = [new SoftAuthenticator(server.url), new SoftAuthenticator(server.url)];
      await dot.signUp("dot@example.com");
      await bind(dot, own);
      await fay.signUp("fay@example.com");
      await bind(fay, other);
      expect((await dot.get("/v2/users/security/overview")).data.hasPasskeys).toBe(true);
      server.wait(6 * 60_000);
      const phishing = () => dot.post("/v2/users/security/anti-phishing/set", { code: "tulip" });
      const prove = async (key: SoftAuthenticator, mischief: Mischief = {}) =>
        dot.post(`${PATH}/step-up`, { response: key.get(await challenge(dot, "challenge"), mischief) });
      expect((await phishing()).code).toBe("STEP_UP_REQUIRED");
      expect((await prove(other)).code).toBe("PASSKEY_REFUSED");
      expect((await prove(own, { isUnverified: true })).code).toBe("PASSKEY_REFUSED");
      expect((await phishing()).code).toBe("STEP_UP_REQUIRED");
      const proved = await prove(own);
      expect([proved.status, proved.cookies.length]).toEqual([200, 6]);
      expect((await phishing()).status).toBe(200);
    });

    test("[AUTH-7] passkeys are named, limited to ten, removed with a suspension; others' are not accessible", async () => {
      const cat = new Visitor(server);
      await cat.signUp("cat@example.com");
      const keys = Array.from({ length: 10 }, () => new SoftAuthenticator(server.url));
      for (const key of keys) expect((await bind(cat, key)).status).toBe(200);
      expect((await cat.post(`${PATH}/bind/challenge`)).code).toBe("PASSKEY_LIMIT");
      const id = keys[0]?.id.toString("base64url");
      const eve = new Visitor(server);
      await eve.signUp("eve@example.com");
      expect((await eve.post(`${PATH}/remove`, { id })).code).toBe("PASSKEY_UNKNOWN");
      expect((await eve.post(`${PATH}/rename`, { id, name: "mine" })).code).toBe("PASSKEY_UNKNOWN");
      expect((await cat.post(`${PATH}/rename`, { id, name: "Key ring" })).status).toBe(200);
      expect((await cat.get(`${PATH}/list`)).data.keys[0].name).toBe("Key ring");
      server.wait(6 * 60_000);
      expect((await cat.post(`${PATH}/remove`, { id })).code).toBe("STEP_UP_REQUIRED");
      await cat.stepUp("cat@example.com");
      expect((await cat.post(`${PATH}/remove`, { id })).status).toBe(200);
      const locks = (await cat.get("/v2/users/security/locks")).data;
      expect(locks[0]).toMatchObject({ cause: "passkey-removed" });
    });
  });
}
