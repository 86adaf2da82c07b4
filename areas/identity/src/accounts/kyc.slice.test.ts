// Identity verification over HTTP against a listening process: written, submitted, reviewed, encrypted at rest.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { present } from "@clockwork/kit/assert";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, enterAsOperator, proposeRole, showTotp, TWO_OPERATORS } from "./operator-fixture.ts";

const PATH = "/v2/users/kyc";
const PERSON = {
  firstName: "Jo",
  lastName: "Doe",
  birthDate: "1990-05-01",
  country: "DE",
  documentType: "passport",
  documentNumber: "C01X00T47",
};
const PICTURE = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#369" } })
  .withExif({ IFD0: { ImageDescription: "SECRET PICTURE" } })
  .png()
  .toBuffer();

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "kyc", (database) => {
    let server: TestServer;
    let operator: Visitor;
    let secret: string;
    let second: Visitor;
    let secondSecret: string;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer({
        ...(url === undefined ? {} : { DATABASE_URL: url }),
        CW_KYC_BLOCKED_COUNTRIES: "XX",
        ...TWO_OPERATORS,
      });
      ({ operator, secret } = await enterAsOperator(server));
      ({ operator: second, secret: secondSecret } = await enterAsOperator(server, 1));
    });
    afterAll(() => server.close());

    const info = async (visitor: Visitor) => (await visitor.get(`${PATH}/base-info`)).data;
    const upload = (visitor: Visitor, kind: string, bytes = PICTURE, mediaType = "image/png") =>
      visitor.send(`${PATH}/upload?kind=${kind}`, bytes, mediaType);
    const proveLive = async (visitor: Visitor) => {
      const { kind, steps } = (await visitor.post(`${PATH}/liveness/begin`)).data;
      return { kind, ...(await visitor.post(`${PATH}/liveness/complete`, { answers: steps })).data };
    };
    const decide = async (user: string, decision: string, reason = "") => {
      await operator.get(`${PATH}/review/one?user=${user}`);
      return operator.post(`${PATH}/review/decide`, { user, decision, reason });
    };

    test("[AUTH-11] NONE, DRAFT, SUBMITTED, REVIEW, MORE_INFO, REJECTED, APPROVED, level by level", async () => {
      const jo = new Visitor(server);
      const { id } = (await jo.signUp("jo@example.com")).data;
      expect(await info(jo)).toMatchObject({ level: 0, state: "NONE", target: 1, submissionsLeft: 5 });
      await jo.post(`${PATH}/draft`, { firstName: "Jo" });
      const early = await jo.post(`${PATH}/submit`);
      expect([early.status, early.code]).toEqual([400, "KYC_INCOMPLETE"]);
      await jo.post(`${PATH}/draft`, PERSON);
      expect(await info(jo)).toMatchObject({ state: "DRAFT", details: PERSON });
      expect((await jo.post(`${PATH}/submit`)).status).toBe(200);
      expect((await info(jo)).state).toBe("SUBMITTED");
      expect((await jo.post(`${PATH}/draft`, { firstName: "Joe" })).code).toBe("KYC_LOCKED");
      expect((await operator.get(`${PATH}/review/waiting`)).data.waiting).toMatchObject([{ user: id, target: 1 }]);
      expect((await operator.post(`${PATH}/review/decide`, { user: id, decision: "APPROVED" })).code).toBe(
        "KYC_UNKNOWN",
      );
      const seen = await operator.get(`${PATH}/review/one?user=${id}`);
      expect(seen.data.details).toEqual(PERSON);
      expect((await info(jo)).state).toBe("REVIEW");
      expect((await decide(id, "MORE_INFO")).code).toBe("KYC_REASON_MISSING");
      await decide(id, "MORE_INFO", "Write your name as in the passport.");
      expect((await jo.get("/v2/users/letters")).data.letters[0]).toMatchObject({
        kind: "kyc-more-info",
        body: expect.stringContaining("Write your name as in the passport."),
      });
      expect((await jo.post("/v2/users/top-info")).data.userInfo.identityPopup).toBe(true);
      expect(await info(jo)).toMatchObject({ state: "MORE_INFO", reason: "Write your name as in the passport." });
      await jo.post(`${PATH}/draft`, { firstName: "Johanna" });
      await jo.post(`${PATH}/submit`);
      await decide(id, "REJECTED", "Not legible.");
      await jo.post(`${PATH}/draft`, {});
      await jo.post(`${PATH}/submit`);
      await decide(id, "APPROVED");
      expect(await info(jo)).toMatchObject({ level: 1, state: "APPROVED", target: 2 });
      expect((await jo.post("/v2/users/top-info")).data.userInfo).toMatchObject({ kycLevel: 1, identityPopup: false });
      expect((await jo.get("/v2/users/letters")).data.letters[0].kind).toBe("kyc-approved");

      await jo.post(`${PATH}/draft`, { documentExpires: "2040-01-01" });
      expect((await jo.post(`${PATH}/submit`)).code).toBe("KYC_INCOMPLETE");
      expect((await upload(jo, "document-front")).status).toBe(200);
      expect((await upload(jo, "selfie")).status).toBe(200);
      expect((await upload(jo, "selfie", Buffer.from("<html>no picture</html>"))).code).toBe("KYC_FILE_INVALID");
      expect((await jo.post(`${PATH}/submit`)).code).toBe("KYC_INCOMPLETE");
      expect((await jo.post(`${PATH}/liveness/complete`, { answers: [] })).code).toBe("KYC_LIVENESS_UNKNOWN");
      await jo.post(`${PATH}/liveness/begin`);
      expect((await jo.post(`${PATH}/liveness/complete`, { answers: ["sideways"] })).data.state).toBe("failed");
      expect((await jo.post(`${PATH}/submit`)).code).toBe("KYC_INCOMPLETE");
      expect(await proveLive(jo)).toEqual({ kind: "simulated", state: "passed" });
      expect((await jo.post(`${PATH}/submit`)).status).toBe(200);
      const file = await operator.get(`${PATH}/review/file?user=${id}&kind=selfie`);
      const kept = Buffer.from(file.data.data, "base64");
      expect(kept.includes("SECRET PICTURE")).toBe(false);
      expect(await sharp(kept).metadata()).toMatchObject({ format: "png", width: 400, height: 300 });
      await decide(id, "APPROVED");
      expect(await info(jo)).toMatchObject({ level: 2, state: "APPROVED", target: 3 });
    });

    test("[AUTH-11] the database holds nothing of it in clear text, and every access is logged", async () => {
      const kysely = present(server.kysely, "AUTH-11", "no database");
      const persons = await sql<{ sealed: Uint8Array }>`select sealed from kyc_person`.execute(kysely);
      const files = await sql<{ sealed: Uint8Array }>`select sealed from kyc_file`.execute(kysely);
      const bytes = Buffer.concat([...persons.rows, ...files.rows].map(({ sealed }) => sealed)).toString("latin1");
      expect(bytes).not.toMatch(/C01X00T47|Johanna|SECRET PICTURE|PNG|IHDR/);
      const views = await sql<{ viewer_id: number }>`select viewer_id from kyc_view`.execute(kysely);
      expect(views.rows).toHaveLength(1);
      const rows = await sql<{ action: string }>`select action from operators_audit order by id`.execute(kysely);
      const actions = rows.rows.map(({ action }) => action);
      expect(actions).toContain("kyc.viewed");
      expect(actions.filter((action) => action === "kyc.approved")).toHaveLength(2);
    });

    test("[AUTH-11] of eight concurrent submissions one counts, and a concurrent draft does not undo it", async () => {
      const kysely = present(server.kysely, "AUTH-11", "no database");
      const ida = new Visitor(server);
      const { id } = (await ida.signUp("ida@example.com")).data;
      const first = await Promise.all([
        ida.post(`${PATH}/draft`, { ...PERSON, documentNumber: "IDA1" }),
        ida.post(`${PATH}/draft`, { address: "1 Row" }),
        ida.post(`${PATH}/draft`, { sourceOfFunds: "Wages" }),
      ]);
      expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await info(ida)).details).toEqual({
        ...PERSON,
        documentNumber: "IDA1",
        address: "1 Row",
        sourceOfFunds: "Wages",
      });
      const [submitted, drafted] = await Promise.all([
        Promise.all(Array.from({ length: 8 }, () => ida.post(`${PATH}/submit`))),
        Promise.all(Array.from({ length: 4 }, (_, at) => ida.post(`${PATH}/draft`, { address: `${at}` }))),
      ]);
      expect(submitted.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(new Set([...submitted, ...drafted].map(({ code }) => code))).toEqual(new Set([0, "KYC_LOCKED"]));
      expect(await info(ida)).toMatchObject({ state: "SUBMITTED", submissionsLeft: 4 });
      const rows = await sql`select id from kyc_submission where user_id = ${Number(id)}`.execute(kysely);
      expect(rows.rows).toHaveLength(1);
      await decide(id, "REJECTED", "A test.");
    });

    test("[AUTH-11] a file that is no picture, hides data or decompresses too large is never stored", async () => {
      const mal = new Visitor(server);
      await mal.signUp("mal@example.com");
      const huge = Buffer.from(PICTURE);
      huge.writeUInt32BE(50_000, 16);
      huge.writeUInt32BE(50_000, 20);
      const jpegHead = Buffer.from("ffd8ffe000104a46494600", "hex");
      const html = Buffer.concat([jpegHead, Buffer.from("<html><script>alert(1)</script></html>")]);
      const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</S/JavaScript/JS(app.alert(1))>>endobj\n%%EOF\n");
      expect((await upload(mal, "selfie", huge)).code).toBe("KYC_FILE_INVALID");
      expect((await upload(mal, "selfie", html, "image/jpeg")).code).toBe("KYC_FILE_INVALID");
      expect((await upload(mal, "selfie", pdf, "image/png")).code).toBe("KYC_FILE_INVALID");
      expect((await upload(mal, "selfie", Buffer.concat([PICTURE, pdf]))).code).toBe("KYC_FILE_MIXED");
      expect((await upload(mal, "selfie", pdf, "application/pdf")).code).toBe("UNSUPPORTED_MEDIA");
      expect((await upload(mal, "selfie", Buffer.alloc(4_000_001))).code).toBe("BODY_TOO_LARGE");
      expect((await info(mal)).files).toEqual([]);
    });

    test("[AUTH-11] age, country, expiry, one document per person and five submissions a day are enforced", async () => {
      const eve = new Visitor(server);
      await eve.signUp("eve@example.com");
      const attempt = async (details: object) => {
        await eve.post(`${PATH}/draft`, { ...PERSON, documentNumber: "EVE1", ...details });
        return (await eve.post(`${PATH}/submit`)).code;
      };
      for (const nativeName of ["王 小明", "王小明1", "<b>"])
        expect((await eve.post(`${PATH}/draft`, { ...PERSON, nativeName })).code).toBe("KYC_NATIVE_NAME_INVALID");
      expect((await info(eve)).details).toEqual({});
      expect((await eve.post(`${PATH}/draft`, { nativeName: "王小明" })).code).toBe(0);
      expect((await info(eve)).details).toEqual({ nativeName: "王小明" });
      expect(await attempt({ birthDate: "2015-01-01" })).toBe("KYC_TOO_YOUNG");
      expect(await attempt({ country: "XX" })).toBe("KYC_COUNTRY_BLOCKED");
      expect(await attempt({ documentType: "id-card", country: "US" })).toBe("KYC_DOCUMENT_NOT_ACCEPTED");
      expect((await eve.get(`${PATH}/document-types?country=US`)).data.types).not.toContain("id-card");
      expect(await attempt({ documentExpires: "2020-01-01" })).toBe("KYC_DOCUMENT_EXPIRED");
      await eve.post(`${PATH}/draft`, { documentExpires: "2040-01-01" });
      expect(await attempt({ documentNumber: "c01-x00 t47" })).toBe("KYC_DOCUMENT_USED");
      const { data } = await eve.post("/v2/users/top-info");
      for (let count = 0; count < 5; count += 1) {
        expect(await attempt({})).toBe(0);
        await decide(data.id, "REJECTED", "Not legible.");
      }
      expect(await attempt({})).toBe("KYC_TOO_OFTEN");
      expect((await eve.get(`${PATH}/document-types?country=XX`)).data).toEqual({ isBlocked: true, types: [] });
    });

    test("[AUTH-11] no reviewer approves their own, and two concurrent decisions are one", async () => {
      await second.post(`${PATH}/draft`, { ...PERSON, documentNumber: "SECOND1" });
      expect((await second.post(`${PATH}/submit`)).status).toBe(200);
      const id = (await second.post("/v2/users/top-info")).data.id;
      for (const own of [
        await second.get(`${PATH}/review/one?user=${id}`),
        await second.get(`${PATH}/review/file?user=${id}&kind=selfie`),
        await second.post(`${PATH}/review/decide`, { user: id, decision: "APPROVED" }),
      ])
        expect([own.status, own.code]).toEqual([403, "KYC_OWN_REVIEW"]);
      await operator.get(`${PATH}/review/one?user=${id}`);
      expect((await second.post(`${PATH}/review/decide`, { user: id, decision: "APPROVED" })).code).toBe(
        "KYC_OWN_REVIEW",
      );
      expect((await info(second)).level).toBe(0);
      const both = await Promise.all([decide(id, "APPROVED"), decide(id, "REJECTED", "Not legible.")]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
      const { level, state } = await info(second);
      expect([level, state]).toEqual(both[0]?.status === 200 ? [1, "APPROVED"] : [0, "REJECTED"]);
    });

    test("[OPS-1] roles are granted and revoked with a fresh proof, permit what they list, and need an authenticator", async () => {
      const ria = new Visitor(server);
      const { id } = (await ria.signUp("ria@example.com")).data;
      const propose = (role: string) => proposeRole(operator, "ria@example.com", role);
      expect((await ria.get("/v2/operators/me")).code).toBe("FORBIDDEN");
      server.wait(6 * 60_000);
      expect((await propose("kyc-reviewer")).code).toBe("STEP_UP_REQUIRED");
      await operator.post("/v2/users/security/step-up", { codes: { totp: showTotp(secret, server.nowMs()) } });
      const made = await propose("kyc-reviewer");
      expect((await approve(second, made)).code).toBe("STEP_UP_REQUIRED");
      await second.post("/v2/users/security/step-up", { codes: { totp: showTotp(secondSecret, server.nowMs()) } });
      expect((await approve(second, made)).data.state).toBe("EXECUTED");
      expect((await ria.get(`${PATH}/review/waiting`)).code).toBe("OPERATOR_TOTP_REQUIRED");
      await ria.stepUp("ria@example.com");
      const own = (await ria.post("/v2/users/security/totp/begin")).data.secret;
      await ria.post("/v2/users/security/totp/bind", { code: showTotp(own, server.nowMs()) });
      const permissions = ["kyc.review", "people.read", "people.reveal", "console.open"];
      expect((await ria.get("/v2/operators/me")).data).toEqual({
        user: id,
        name: "ria@example.com",
        roles: ["kyc-reviewer"],
        permissions,
        readable: permissions,
        provedAtMs: expect.any(Number),
        hasTotp: true,
        isProved: true,
      });
      expect((await ria.get(`${PATH}/review/waiting`)).status).toBe(200);
      expect((await ria.get("/v2/operators/audit")).code).toBe("FORBIDDEN");
      expect((await ria.get("/v2/operators/list")).code).toBe("FORBIDDEN");
      expect((await operator.get("/v2/operators/list")).data.operators).toMatchObject([
        { roles: ["admin"] },
        { roles: ["admin"] },
        { user: id, roles: ["kyc-reviewer"], hasTotp: true },
      ]);
      server.wait(9 * 3_600_000);
      await Promise.all([ria, operator].map((one) => one.post("/v2/users/session/refresh")));
      expect((await ria.get(`${PATH}/review/waiting`)).code).toBe("STEP_UP_REQUIRED");
      await operator.post("/v2/users/security/step-up", { codes: { totp: showTotp(secret, server.nowMs()) } });
      expect((await operator.post("/v2/operators/revoke", { user: id, role: "kyc-reviewer" })).status).toBe(200);
      expect((await ria.get("/v2/operators/me")).status).toBe(401);
      const log = (await operator.get("/v2/operators/audit")).data;
      expect(log.tamperedAt).toBeNull();
      const hers = log.rows.filter(({ subject }: { subject: string }) => subject === id);
      expect(hers.slice(0, 2)).toMatchObject([
        { action: "operator.revoked", detail: "kyc-reviewer" },
        { action: "operator.granted", detail: "kyc-reviewer" },
      ]);
    });

    test("[AUTH-11] only operators review", async () => {
      const eve = new Visitor(server);
      await eve.signUp("mallory@example.com");
      const refused = [
        await eve.get(`${PATH}/review/waiting`),
        await eve.get(`${PATH}/review/one?user=1`),
        await eve.get(`${PATH}/review/file?user=1&kind=selfie`),
        await eve.post(`${PATH}/review/decide`, { user: "1", decision: "APPROVED" }),
      ];
      expect(refused.map(({ status, code }) => [status, code])).toEqual(Array(4).fill([403, "FORBIDDEN"]));
      expect((await new Visitor(server).get(`${PATH}/base-info`)).status).toBe(401);
    });

    test("[AUTH-11] an approval ends with its document", async () => {
      server.wait(Date.UTC(2040, 0, 2) - server.nowMs());
      const jo = new Visitor(server);
      await jo.signIn("jo@example.com");
      expect(await info(jo)).toMatchObject({ level: 0, state: "EXPIRED", target: 1 });
      await jo.post(`${PATH}/draft`, {});
      expect((await jo.post(`${PATH}/submit`)).code).toBe("KYC_DOCUMENT_EXPIRED");
      await jo.post(`${PATH}/draft`, { documentExpires: "2050-01-01", documentNumber: "NEW1" });
      expect((await jo.post(`${PATH}/submit`)).status).toBe(200);
    });
  });
}

test("[AUTH-11] in the default run a simulated reviewer decides within seconds and is labelled as such", async () => {
  const server = await startTestServer();
  try {
    const lou = new Visitor(server);
    await lou.signUp("lou@example.com");
    await lou.post(`${PATH}/draft`, PERSON);
    expect((await lou.post(`${PATH}/submit`)).status).toBe(200);
    await expect
      .poll(async () => (await lou.get(`${PATH}/base-info`)).data)
      .toMatchObject({ level: 1, state: "APPROVED", reason: expect.stringContaining("simulated") });
    await expect.poll(async () => (await lou.get("/v2/users/letters")).data.letters[0]?.body).toContain("simulated");
  } finally {
    await server.close();
  }
});

test("[AUTH-11] an outside provider decides about liveness; while it is unavailable nothing is decided", async () => {
  let status = "pending";
  const requested: (string | undefined)[] = [];
  // Implements the provider's two calls for the test.
  const provider = createServer((request, response) => {
    requested.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(request.method === "POST" ? { token: "t-1", url: "https://faces.example/t-1" } : { status }),
    );
  });
  await new Promise<void>((done) => provider.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const server = await startTestServer({
    CW_LIVENESS_URL: url,
    CW_LIVENESS_KEY: "key-of-the-house",
    CW_KYC_STRICT: "on",
  });
  try {
    const lou = new Visitor(server);
    await lou.signUp("lou@example.com");
    const started = await lou.post(`${PATH}/liveness/begin`);
    expect(started.data).toEqual({ kind: "outside", url: "https://faces.example/t-1" });
    expect((await lou.post(`${PATH}/liveness/complete`)).data).toEqual({ kind: "outside", state: "waiting" });
    status = "passed";
    expect((await lou.post(`${PATH}/liveness/complete`)).data).toEqual({ kind: "outside", state: "passed" });
    expect(requested[0]).toBe("POST /sessions Bearer key-of-the-house");
    expect(requested[1]).toBe("GET /sessions/t-1 Bearer key-of-the-house");
    provider.closeAllConnections();
    await new Promise((done) => provider.close(done));
    expect((await lou.post(`${PATH}/liveness/begin`)).code).toBe("KYC_LIVENESS_AWAY");
    // Strict: no withdrawal before the first level, and the user is shown the next step.
    const info = (await lou.get(`${PATH}/base-info`)).data;
    expect([info.isStrict, info.levels[0].withdrawalUsdtPerDay]).toEqual([true, "0"]);
    expect((await lou.post("/v2/users/top-info")).data.userInfo.identityPopup).toBe(true);
  } finally {
    provider.close();
    await server.close();
  }
});
