// The operators' console for support and the chat's sign-in over a listening process with accounts, on both databases.
import { createHmac } from "node:crypto";
import {
  approve,
  bindTotp,
  enterAsOperator,
  proposeRole,
  TWO_OPERATORS,
} from "@clockwork/identity/accounts/operator-fixture";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

const CONSOLE = "/v2/operators/tickets";
const SECRET = "a-secret-shared-with-the-chat-alone";
const CHAT = { CW_CHAT_URL: "https://chat.example/widget", CW_CHAT_APP_ID: "cw.test", CW_CHAT_SECRET: SECRET };
const HOSTILE = '<script>alert(1)</script> =HYPERLINK("x") {{legalName}}';

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "operators' console for support", (database) => {
    let server: TestServer;
    let operator: Visitor;
    let visitor: Visitor;
    let customer: Visitor;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer({
        ...CHAT,
        ...TWO_OPERATORS,
        ...(url === undefined ? {} : { DATABASE_URL: url }),
      });
      ({ operator } = await enterAsOperator(server));
      visitor = new Visitor(server);
      customer = new Visitor(server);
      await customer.signUp("customer@example.com");
    });
    afterAll(() => server.close());

    const open = async (who: Visitor, extra: Record<string, unknown> = {}) => {
      const form = { kind: "complaint", name: HOSTILE, email: "ada@example.com", message: HOSTILE, ...extra };
      return (await who.post("/v1/support/tickets", form)).data as { number: string; key: string };
    };
    const lastAction = async () => (await operator.get("/v2/operators/audit")).data.rows[0];

    test("[PAGE-1] a complaint reaches the console as typed, is answered, and the writer reads it", async () => {
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#369" } })
        .png()
        .toBuffer();
      const { number, key } = await open(customer);
      const about = { "x-ticket-number": number, "x-ticket-key": key, "x-file-name": "a.png" };
      const sent = await customer.send("/v1/support/ticket/picture", picture, "image/png", about);
      expect(sent.status).toBe(200);
      const listed = (await operator.get(`${CONSOLE}?state=received`)).data.tickets;
      expect(listed[0]).toMatchObject({ number, kind: "complaint", state: "received", name: HOSTILE });
      const { data } = await operator.get(`${CONSOLE}/one?number=${number}`);
      expect(data.messages[0].text).toBe(HOSTILE);
      expect(data.user).toMatch(/^\d+$/);
      expect(await lastAction()).toMatchObject({ action: "ticket.read", subject: number });
      const file = await operator.get(`${CONSOLE}/file?number=${number}&id=${data.files[0].id}`);
      expect(file.data.mediaType).toMatch(/^image\/(?:png|jpeg)$/);
      expect((await sharp(Buffer.from(file.data.data, "base64")).metadata()).width).toBe(8);
      expect((await operator.get(`${CONSOLE}/file?number=${number}&id=999999`)).status).toBe(404);

      const answered = await operator.post(`${CONSOLE}/answer`, { number, message: HOSTILE, state: "answered" });
      expect(answered.data).toMatchObject({ state: "answered" });
      expect(await lastAction()).toMatchObject({ action: "ticket.answered", subject: number });
      const read = await visitor.post("/v1/support/ticket", { number, key });
      expect(read.data.messages.map(({ author }: { author: string }) => author)).toEqual(["visitor", "staff"]);
      const blank = await operator.post(`${CONSOLE}/answer`, { number, message: "  ", state: "closed" });
      expect(blank.code).toBe("TICKET_INVALID");
    });

    test("[PAGE-1] a report is visible to compliance only, not even to an administrator", async () => {
      const { number } = await open(visitor, { kind: "whistleblower", name: "", email: "" });
      const sees = async () =>
        (await operator.get(CONSOLE)).data.tickets.some((ticket: { number: string }) => ticket.number === number);
      expect(await sees()).toBe(false);
      expect((await operator.get(`${CONSOLE}/one?number=${number}`)).status).toBe(404);
      const answer = { number, message: "Thank you.", state: "in-progress" };
      expect((await operator.post(`${CONSOLE}/answer`, answer)).status).toBe(404);
      const cora = new Visitor(server);
      await cora.signUp("cora@example.com");
      await bindTotp(cora, server);
      const { operator: second } = await enterAsOperator(server, 1);
      expect((await approve(second, await proposeRole(operator, "cora@example.com", "compliance"))).status).toBe(200);
      expect(await sees()).toBe(false);
      const { data } = await cora.get(`${CONSOLE}/one?number=${number}`);
      expect([data.name, data.email, data.user]).toEqual(["", "", null]);
      expect((await cora.post(`${CONSOLE}/answer`, answer)).status).toBe(200);
    });

    test("[PAGE-1] only support has access", async () => {
      for (const path of [CONSOLE, `${CONSOLE}/one?number=CW-0000-0000`, `${CONSOLE}/file?number=CW-0000-0000&id=1`]) {
        expect((await customer.get(path)).status).toBe(403);
        expect((await visitor.get(path)).status).toBe(401);
      }
      const answer = { number: "CW-0000-0000", message: "x", state: "closed" };
      expect((await customer.post(`${CONSOLE}/answer`, answer)).status).toBe(403);
      for (const wrong of [{ state: "lost" }, { message: "" }, { number: "../x" }, { extra: 1 }])
        expect((await operator.post(`${CONSOLE}/answer`, { ...answer, ...wrong })).status).toBe(400);
      expect((await operator.get(`${CONSOLE}?before=x`)).status).toBe(400);
    });

    test("[USR-8] the user type identifies the caller", async () => {
      const read = async (who: Visitor) => (await who.get("/v1/common/user-type")).data;
      expect(await read(visitor)).toEqual({ userType: "visitor", kycLevel: 0 });
      expect(await read(customer)).toEqual({ userType: "ordinary", kycLevel: 0 });
      expect(await read(operator)).toMatchObject({ userType: "operator" });
    });

    test("[USR-8] a visitor reaches the chat unsigned, a customer with a token the chat can verify", async () => {
      const open = { provider: "outside", isOpen: true, channel: null, url: CHAT.CW_CHAT_URL, appId: "cw.test" };
      const none = { ...open, token: null, expiresAtMs: null, userType: "visitor" };
      expect((await visitor.get("/v1/common/chat-login-data")).data).toEqual(none);
      const { data } = await customer.get("/v1/common/chat-login-data");
      expect(data).toMatchObject({ ...open, userType: "ordinary" });
      const [head = "", claims = "", signature] = String(data.token).split(".");
      expect(signature).toBe(createHmac("sha256", SECRET).update(`${head}.${claims}`).digest("base64url"));
      const reply = JSON.parse(Buffer.from(claims, "base64url").toString());
      expect(reply).toMatchObject({ aud: "cw.test", user_type: "ordinary", scope: "user", locale: "en_US" });
      expect(reply.exp * 1000).toBe(data.expiresAtMs);
      expect(reply.exp - reply.iat).toBe(300);
      expect(JSON.stringify(reply)).not.toContain("customer@example.com");
    });
  });
}
