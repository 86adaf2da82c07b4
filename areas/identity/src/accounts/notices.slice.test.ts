// Notices over HTTP and on both databases: one way to notify, once per event, by the channels the user chose.
import { present } from "@clockwork/kit/assert";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Accounts } from "../offers.ts";

const CHOICES = "/v2/users/notices/choices";
const GIFT = { kind: "gifts", title: "A gift", body: "It lies below your assets.", path: "/spot" };

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "notices", (database) => {
    let server: TestServer;
    let notices: Accounts["notices"];
    let ann: Visitor;
    let id: number;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer(
        url === undefined ? {} : { DATABASE_URL: url },
        undefined,
        undefined,
        (context) => {
          notices = context.accounts.notices;
          notices.register({ kind: "gifts", group: "products", defaults: ["live", "letter"] });
          notices.register({ kind: "ticks", group: "trading", defaults: ["live"], isFleeting: true });
          return [];
        },
      );
      ann = new Visitor(server);
      id = Number((await ann.signUp("ann@example.com")).data.id);
    });
    afterAll(() => server.close());

    const letters = async () => (await ann.get("/v2/users/letters")).data.letters as { title: string; kind: string }[];
    const count = async (title: string) => (await letters()).filter((one) => one.title === title).length;
    const choose = (kind: string, channel: string, isOn: boolean) => ann.post(CHOICES, { kind, channel, isOn });
    const kindOf = async (kind: string) => {
      const { kinds } = (await ann.get(CHOICES)).data;
      const found = kinds.find((one: { kind: string }) => one.kind === kind);
      return Object.fromEntries(
        found.channels.map((one: { channel: string; isOn: boolean; isFixed: boolean }) => [
          one.channel,
          one.isFixed ? "fixed" : one.isOn,
        ]),
      );
    };

    test("[USR-3] an event is notified once, however often and concurrently it is reported", async () => {
      const answer = await Promise.all(
        Array.from({ length: 6 }, () => notices.notify(id, { ...GIFT, reference: "gift-1" }, server.nowMs())),
      );
      expect(answer.filter(Boolean)).toHaveLength(1);
      expect(await count("A gift")).toBe(1);
      expect(await notices.notify(id, { ...GIFT, reference: "gift-2" }, server.nowMs())).toBe(true);
      expect(await count("A gift")).toBe(2);
      expect((await ann.get("/v2/users/letters/unread-count")).data.count).toBe(2);
    });

    test("[USR-3] a user chooses per kind and channel; security notices are always sent", async () => {
      expect(await kindOf("gifts")).toEqual({ live: true, letter: true, mail: false, push: false });
      expect(await kindOf("security")).toEqual({ live: true, letter: "fixed", mail: "fixed", push: false });
      expect((await choose("gifts", "letter", false)).status).toBe(200);
      expect((await choose("gifts", "mail", true)).status).toBe(200);
      expect(await kindOf("gifts")).toEqual({ live: true, letter: false, mail: true, push: false });
      const before = await count("A gift");
      await notices.notify(id, { ...GIFT, reference: "gift-3", mailBody: "Look into your account." }, server.nowMs());
      expect(await count("A gift")).toBe(before);
      const [mail] = await ann.readOutbox("ann@example.com");
      expect(mail).toMatchObject({ kind: "gifts", text: "Look into your account." });
      const fixed = await choose("security", "mail", false);
      expect([fixed.status, fixed.code]).toEqual([409, "NOTICE_FIXED"]);
      expect(await choose("nothing", "mail", true)).toMatchObject({ status: 404, code: "NOTICE_UNKNOWN" });
      expect((await ann.post(CHOICES, { kind: "gifts", channel: "pigeon", isOn: true })).status).toBe(400);
      expect((await new Visitor(server).get(CHOICES)).status).toBe(401);
    });

    test("[USR-3] a push goes to every phone of the user", async () => {
      await ann.post("/v1/common/push-token/private", { token: "phone-one-0123456789", system: "ios" });
      await ann.post("/v1/common/push-token/private", { token: "phone-two-0123456789", system: "android" });
      await choose("gifts", "push", true);
      await notices.notify(id, { ...GIFT, reference: "gift-4" }, server.nowMs());
      for (const phone of ["phone-one-0123456789", "phone-two-0123456789"])
        expect(await ann.readOutbox(phone)).toMatchObject([{ kind: "gifts", text: GIFT.body }]);
    });

    test("[USR-3] one preference per channel: two concurrent changes are both kept", async () => {
      await Promise.all([
        choose("gifts", "letter", true),
        choose("gifts", "mail", false),
        choose("gifts", "push", false),
      ]);
      expect(await kindOf("gifts")).toEqual({ live: true, letter: true, mail: false, push: false });
    });

    test("[USR-3] a transient notice leaves no row where only open pages receive it", async () => {
      const kysely = present(server.kysely, "USR-3", "no database");
      const rows = async () =>
        (await sql`select reference from notices_notice where kind = 'ticks'`.execute(kysely)).rows.length;
      await notices.notify(id, { kind: "ticks", reference: "1", title: "t", body: "b" }, server.nowMs());
      expect(await rows()).toBe(0);
      await choose("ticks", "letter", true);
      await notices.notify(id, { kind: "ticks", reference: "2", title: "t", body: "b" }, server.nowMs());
      expect(await rows()).toBe(1);
      await choose("ticks", "live", false);
      await choose("ticks", "letter", false);
      expect(await notices.notify(id, { kind: "ticks", reference: "3", title: "t", body: "b" }, server.nowMs())).toBe(
        false,
      );
    });

    test("[USR-3] account events are notified by letter and mail with the freeze link", async () => {
      await ann.post("/v2/users/security/anti-phishing/set", { code: "bluegoat" });
      const [letter] = await letters();
      expect(letter?.kind).toBe("anti-phishing-set");
      const [mail] = await ann.readOutbox("ann@example.com");
      expect(mail?.text).toMatch(/^Anti-phishing code: bluegoat[\s\S]*\/account\/freeze\?token=/);
    });
  });
}
