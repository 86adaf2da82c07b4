// Messages on real databases: stored, sent, retried, never readable at rest.
import { openVault } from "@clockwork/identity/accounts/secret-key";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import type { MessageNeeds } from "./needs.ts";
import { type Message, OUTBOX_MAX, TRIES_MAX } from "./rules.ts";
import { MessageService } from "./service.ts";
import { type MessageStore, messageStore } from "./store.ts";

const CODE: Message = {
  to: "jo@example.com",
  channel: "mail",
  kind: "sign-up",
  subject: "Your code",
  text: "Your code is 123456",
  code: "123456",
};

forEachDatabase("messages", (place) => {
  let store: MessageStore;
  let nowMs = 1_000_000;
  const reports: string[] = [];
  const vault = openVault(Buffer.alloc(32, 7));
  const service = (more: Partial<MessageNeeds> = {}) =>
    new MessageService({
      store,
      needs: {
        keepsOutbox: true,
        antiPhishingOf: async (to) => (to === "word@example.com" ? "tulip" : undefined),
        seal: vault.seal,
        open: vault.open,
        clock: () => nowMs,
        report: (fact) => reports.push(fact),
        ...more,
      },
    });

  beforeAll(async () => {
    await migrate(
      place.database(),
      collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("messages/")),
    );
    store = messageStore(place.database().kysely);
  });

  test("[AUTH-5] without a sender messages remain in the outbox, newest first, by receiver", async () => {
    const one = service();
    await one.send(CODE);
    await one.send({ ...CODE, to: "ann@example.com", code: "222222" });
    await one.send({ ...CODE, code: "333333" });
    await one.send({ ...CODE, code: "444444", isVoid: true });
    expect((await one.listOutbox("jo@example.com")).map(({ code }) => code)).toEqual(["333333", "123456"]);
    expect((await one.listOutbox(undefined)).map(({ to }) => to)).toEqual([
      "jo@example.com",
      "ann@example.com",
      "jo@example.com",
    ]);
    expect((await one.listOutbox("ann@example.com"))[0]).toMatchObject({
      to: "ann@example.com",
      kind: "sign-up",
      subject: "Your code",
      text: "Your code is 123456",
    });
  });

  test("[AUTH-5] no text or code is readable in the database", async () => {
    const [row] = await store.listKept("jo@example.com", 1);
    expect(Buffer.from(row?.sealed ?? []).toString("latin1")).not.toMatch(/333333|Your code/);
  });

  test("[AUTH-5] the outbox is bounded", async () => {
    const one = service();
    const kept = await store.listKept(undefined, OUTBOX_MAX * 2);
    const row = { ...CODE, receiver: "many@example.com" };
    const many = Array.from({ length: OUTBOX_MAX }, () =>
      store.add({
        receiver: row.receiver,
        channel: "mail",
        kind: "fill",
        sealed: new Uint8Array([1]),
        state: "kept",
        tries: 0,
        next_at_ms: 0,
        created_at_ms: 0,
      }),
    );
    await Promise.all(many);
    await store.trimKept(OUTBOX_MAX);
    const left = await store.listKept(undefined, OUTBOX_MAX * 2);
    expect([kept.length, left.length]).toEqual([3, OUTBOX_MAX]);
    expect(await one.listOutbox("jo@example.com")).toEqual([]);
  });

  test("[AUTH-5] with a sender a message leaves once and is deleted; a failing one is retried, then given up", async () => {
    const sent: string[] = [];
    let failures = 2;
    const mail = {
      send: async ({ to, text }: { to: string; text: string }) => {
        if (failures > 0) {
          failures -= 1;
          throw new Error("greylisted");
        }
        sent.push(`${to}: ${text}`);
      },
    };
    const one = service({ mail });
    await one.send(CODE);
    expect(await one.sendWaiting()).toBe(0);
    expect(await one.sendWaiting()).toBe(0);
    nowMs += 10_000;
    expect(await one.sendWaiting()).toBe(0);
    nowMs += 10_000;
    expect(await one.sendWaiting()).toBe(1);
    nowMs += 1_000_000;
    expect([await one.sendWaiting(), sent]).toEqual([0, ["jo@example.com: Your code is 123456"]]);

    failures = 1000;
    await one.send(CODE);
    for (let round = 0; round < TRIES_MAX + 2; round += 1) {
      await one.sendWaiting();
      nowMs += 1_000_000;
    }
    expect(reports.filter((fact) => fact === "message.lost")).toHaveLength(1);
    expect(await store.listWaiting(nowMs, 10)).toEqual([]);
  });

  test("[AUTH-5] in production a message without a sender is reported, never shown", async () => {
    reports.length = 0;
    const one = service({ keepsOutbox: false });
    await one.send({ ...CODE, to: "prod@example.com" });
    expect([reports, await one.listOutbox("prod@example.com")]).toEqual([["message.unsendable"], []]);
  });

  test("[AUTH-5] the loop sends what is added while it sleeps and ends on request", async () => {
    const sent: string[] = [];
    const one = service({ mail: { send: async ({ to }) => void sent.push(to) } });
    const stop = one.start(60_000);
    await one.send({ ...CODE, to: "loop@example.com" });
    await expect.poll(() => sent).toEqual(["loop@example.com"]);
    await stop();
  });

  test("[USR-5] every mail and SMS to whoever chose a word begins with it, pushes and others' messages do not", async () => {
    const one = service();
    const to = "word@example.com";
    for (const channel of ["mail", "sms", "push"] as const) await one.send({ ...CODE, to, channel });
    await place
      .database()
      .kysely.transaction()
      .execute((inside) => one.sendWithin(inside, { ...CODE, to }));
    const signed = "Anti-phishing code: tulip\n\nYour code is 123456";
    expect((await one.listOutbox(to)).map(({ text }) => text)).toEqual([signed, CODE.text, signed, signed]);
    await one.send({ ...CODE, to: "plain@example.com" });
    expect((await one.listOutbox("plain@example.com"))[0]?.text).toBe(CODE.text);
  });
});
