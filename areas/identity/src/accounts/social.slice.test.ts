// Signing in through a real OpenID provider running on this machine, over HTTP against a listening process.

import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Elsewhere, openElsewhere, visit } from "./openid-fixture.ts";

const PATH = "/v2/users/social";

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "social", (database) => {
    let server: TestServer;
    let elsewhere: Elsewhere;
    let returnUrl: string;
    beforeAll(async () => {
      elsewhere = await openElsewhere();
      const url = database.options().url;
      server = await startTestServer({
        ...(url === undefined ? {} : { DATABASE_URL: url }),
        CW_OPENID_PROVIDERS: elsewhere.setting,
      });
      returnUrl = `${server.url}/login-cw/social-verification`;
      elsewhere.allow(returnUrl);
    });
    afterAll(async () => {
      await server?.close();
      elsewhere?.close();
    });

    const prove = async (visitor: Visitor, name: string) => {
      const { url, secret } = (await visitor.post(`${PATH}/begin`, { provider: "google" })).data;
      return { secret, query: await visit(url, name, returnUrl) };
    };

    test("[AUTH-5] a user of another site links it after signing in here, then signs in through it", async () => {
      const jo = new Visitor(server);
      expect((await jo.get(`${PATH}/providers`)).data).toEqual({ providers: ["google"] });
      const first = await jo.post(`${PATH}/finish`, await prove(jo, "jo"));
      expect([first.status, first.data, first.cookies]).toEqual([
        200,
        { linkTicket: expect.any(String), email: "jo@elsewhere.example", isKnown: false },
        [],
      ]);
      await jo.signUp("jo@example.com");
      const linked = await jo.post(`${PATH}/link`, { linkTicket: first.data.linkTicket });
      expect([linked.status, linked.cookies.length]).toEqual([200, 6]);
      expect((await jo.get(`${PATH}/links`)).data.links).toMatchObject([
        { provider: "google", email: "jo@elsewhere.example" },
      ]);
      await jo.post("/v2/users/sign-out");
      const entered = await jo.post(`${PATH}/finish`, await prove(jo, "jo"));
      expect([entered.status, entered.data, entered.cookies.length]).toEqual([200, { id: expect.any(String) }, 6]);
      const phone = new Visitor(server);
      const requested = await phone.post(`${PATH}/finish`, await prove(phone, "jo"));
      expect(requested.data).toMatchObject({ next: ["email"], ticket: expect.any(String) });
      const codes = { email: await phone.readCode("jo@example.com") };
      const done = await phone.post("/v2/users/login/do-login", { ticket: requested.data.ticket, codes });
      expect(done.cookies).toHaveLength(6);
    });

    test("[AUTH-5] an equal address links nothing; other users', used or changed answers are refused", async () => {
      await new Visitor(server).signUp("ann@elsewhere.example");
      const ann = new Visitor(server);
      const answer = await prove(ann, "ann");
      const foreign = await ann.post(`${PATH}/finish`, { ...answer, secret: "x".repeat(32) });
      expect(foreign.code).toBe("SOCIAL_REFUSED");
      const again = await prove(ann, "ann");
      const changed = new URLSearchParams(again.query);
      changed.set("code", "invented");
      expect((await ann.post(`${PATH}/finish`, { ...again, query: String(changed) })).code).toBe("SOCIAL_REFUSED");
      const good = await prove(ann, "ann");
      const unlinked = (await ann.post(`${PATH}/finish`, good)).data;
      expect(unlinked).toMatchObject({ linkTicket: expect.any(String), isKnown: true });
      const taken = await ann.post(`${PATH}/sign-up`, { linkTicket: unlinked.linkTicket, password: "correct-horse-1" });
      expect([taken.status, taken.code, taken.cookies]).toEqual([409, "ACCOUNT_KNOWN", []]);
      expect((await ann.post(`${PATH}/finish`, good)).code).toBe("SOCIAL_REFUSED");
      expect((await ann.post(`${PATH}/begin`, { provider: "apple" })).code).toBe("PROVIDER_UNKNOWN");
    });

    test("[AUTH-7] one account elsewhere opens one account here; a link is removed with a fresh proof", async () => {
      const bob = new Visitor(server);
      const { linkTicket } = (await bob.post(`${PATH}/finish`, await prove(bob, "bob"))).data;
      const second = (await bob.post(`${PATH}/finish`, await prove(bob, "bob"))).data.linkTicket;
      await bob.signUp("bob@example.com");
      expect((await bob.post(`${PATH}/link`, { linkTicket })).status).toBe(200);
      const eve = new Visitor(server);
      await eve.signUp("eve@example.com");
      expect((await eve.post(`${PATH}/link`, { linkTicket: second })).code).toBe("SOCIAL_LINKED");
      expect((await eve.post(`${PATH}/unlink`, { provider: "google" })).code).toBe("SOCIAL_UNKNOWN");
      server.wait(6 * 60_000);
      expect((await bob.post(`${PATH}/unlink`, { provider: "google" })).code).toBe("STEP_UP_REQUIRED");
      await bob.stepUp("bob@example.com");
      expect((await bob.post(`${PATH}/unlink`, { provider: "google" })).status).toBe(200);
      expect((await bob.get(`${PATH}/links`)).data.links).toEqual([]);
      const { withdrawalLocks } = (await bob.get("/v2/users/security/overview")).data;
      expect(withdrawalLocks[0]).toMatchObject({ cause: "social-removed" });
      expect(withdrawalLocks[0].leftMs).toBeGreaterThan(23 * 3_600_000);
    });

    test("[AUTH-5] a proved address opens an account of its own, linked from its first day", async () => {
      const kim = new Visitor(server);
      const { linkTicket } = (await kim.post(`${PATH}/finish`, await prove(kim, "kim"))).data;
      const weak = await kim.post(`${PATH}/sign-up`, { linkTicket, password: "short" });
      expect(weak.code).toBe("PASSWORD_INVALID");
      const made = await kim.post(`${PATH}/sign-up`, { linkTicket, password: "correct-horse-1", country: "GB" });
      expect([made.status, made.cookies.length]).toEqual([200, 6]);
      const again = await kim.post(`${PATH}/sign-up`, { linkTicket, password: "correct-horse-1" });
      expect(again.code).toBe("TICKET_INVALID");
      expect((await kim.get(`${PATH}/links`)).data.links).toMatchObject([{ provider: "google" }]);
      const entered = await kim.post(`${PATH}/finish`, await prove(kim, "kim"));
      expect(entered.data).toEqual({ id: made.data.id });
      const linking = await kim.post(`${PATH}/finish`, { ...(await prove(kim, "kim")), isLinking: true });
      expect([linking.code, linking.cookies]).toEqual(["SOCIAL_LINKED", []]);
    });
  });
}

describe("the simulated provider", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server?.close());

  test("[AUTH-5] where none is configured a labelled provider proves any name, by code with PKCE, once", async () => {
    const ada = new Visitor(server);
    expect((await ada.get(`${PATH}/providers`)).data).toEqual({ providers: ["simulated"] });
    const { url, secret } = (await ada.post(`${PATH}/begin`, { provider: "simulated" })).data;
    const form = await fetch(url);
    expect([form.status, await form.text()]).toEqual([200, expect.stringContaining("Simulated sign-in provider")]);
    const enter = async (change: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams({ ...Object.fromEntries(new URL(url).searchParams), ...change });
      const answer = await fetch(`${server.url}/dev/openid/enter?${query}`, { redirect: "manual" });
      return { status: answer.status, location: answer.headers.get("location") ?? "" };
    };
    expect((await enter({ name: "ada", redirect_uri: "https://elsewhere.example/login-cw" })).status).toBe(400);
    expect((await enter({ name: "ada", client_id: "other" })).status).toBe(400);
    expect((await enter({ name: "<b>" })).location).toContain("/dev/openid?");
    const back = new URL((await enter({ name: "Ada" })).location);
    expect(back.href.startsWith(`${server.url}/login-cw/social-verification?code=`)).toBe(true);
    const query = back.search.slice(1);
    const proved = await ada.post(`${PATH}/finish`, { secret, query });
    expect(proved.data).toMatchObject({ email: "ada@simulated.example", isKnown: false });
    const again = (await ada.post(`${PATH}/begin`, { provider: "simulated" })).data;
    const state = new URL(again.url).searchParams.get("state") as string;
    const used = new URLSearchParams({ code: new URLSearchParams(query).get("code") as string, state });
    expect((await ada.post(`${PATH}/finish`, { secret: again.secret, query: String(used) })).code).toBe(
      "SOCIAL_REFUSED",
    );
    const { linkTicket } = proved.data;
    const made = await ada.post(`${PATH}/sign-up`, { linkTicket, password: "correct-horse-1", country: "GB" });
    expect([made.status, made.cookies.length]).toEqual([200, 6]);
  });
});
