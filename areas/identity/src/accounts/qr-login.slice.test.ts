// Signing in by picture between two browsers, over HTTP against a listening process.

import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";

const PATH = "/v2/users/qr-login";

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "qr login", (database) => {
    let server: TestServer;
    let phone: Visitor;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer(url === undefined ? {} : { DATABASE_URL: url });
      phone = new Visitor(server);
      await phone.signUp("jo@example.com");
    });
    afterAll(() => server.close());

    test("[AUTH-5] NEW, SCANNED, CONFIRMED: the showing browser is signed in, once", async () => {
      const desk = new Visitor(server, { cwDeviceId: crypto.randomUUID(), deviceName: "Desk" });
      const { id, secret, content } = (await desk.post(`${PATH}/create`)).data;
      expect(content).toMatch(new RegExp(`^https?://[^/]+/operation-cw/scan-login\\?code=${id}$`));
      const state = async () => (await desk.post(`${PATH}/status`, { id, secret })).data.state;
      expect(await state()).toBe("NEW");
      expect((await phone.post(`${PATH}/confirm`, { id, accept: true })).code).toBe("QR_UNKNOWN");
      expect((await phone.post(`${PATH}/scan`, { id })).data).toMatchObject({ deviceName: "Desk" });
      expect(await state()).toBe("SCANNED");
      const eve = new Visitor(server);
      await eve.signUp(`eve-${dialect}@example.com`);
      expect((await eve.post(`${PATH}/scan`, { id })).code).toBe("QR_UNKNOWN");
      expect((await eve.post(`${PATH}/confirm`, { id, accept: true })).code).toBe("QR_UNKNOWN");
      expect((await phone.post(`${PATH}/confirm`, { id, accept: true })).status).toBe(200);
      const photographer = new Visitor(server);
      const guess = await photographer.post(`${PATH}/status`, { id, secret: "x".repeat(32) });
      expect(guess.code).toBe("QR_UNKNOWN");
      const both = await Promise.all([
        desk.post(`${PATH}/status`, { id, secret }),
        desk.post(`${PATH}/status`, { id, secret }),
      ]);
      expect(both.map(({ cookies }) => cookies.length).sort()).toEqual([0, 6]);
      const own = (await phone.post("/v2/users/top-info")).data.id;
      expect((await desk.post("/v2/users/top-info")).data.id).toBe(own);
      expect(await state()).toBe("EXPIRED");
    });

    test("[AUTH-5] REJECTED and EXPIRED grant no session", async () => {
      const desk = new Visitor(server);
      const first = (await desk.post(`${PATH}/create`)).data;
      await phone.post(`${PATH}/scan`, { id: first.id });
      await phone.post(`${PATH}/confirm`, { id: first.id, accept: false });
      const rejected = await desk.post(`${PATH}/status`, { id: first.id, secret: first.secret });
      expect([rejected.data.state, rejected.cookies]).toEqual(["REJECTED", []]);
      const second = (await desk.post(`${PATH}/create`)).data;
      await phone.post(`${PATH}/scan`, { id: second.id });
      server.wait(120_000);
      expect((await phone.post(`${PATH}/confirm`, { id: second.id, accept: true })).code).toBe("QR_UNKNOWN");
      const expired = await desk.post(`${PATH}/status`, { id: second.id, secret: second.secret });
      expect([expired.data.state, expired.cookies]).toEqual(["EXPIRED", []]);
    });
  });
}
