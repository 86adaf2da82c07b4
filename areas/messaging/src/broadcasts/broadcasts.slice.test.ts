// Broadcasts on real databases: each receiver once, wherever the process ends, and never above the rate per minute.
import { allOf } from "@clockwork/kit/all-of";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { BroadcastNeeds, Outgoing, Receiver } from "./needs.ts";
import { BroadcastService } from "./service.ts";
import { broadcastStore } from "./store.ts";

const NOW_MS = Date.UTC(2026, 2, 9, 12);
const WORDS = { en_US: { subject: "News", body: "Body" }, fr_FR: { subject: "Nouvelles", body: "Corps" } };

interface Reader extends Receiver {
  readonly confirmedMs?: number;
}

forEachDatabase("broadcasts", (place) => {
  let readers: Reader[] = [];
  let phones: Receiver[] = [];
  let faults = 0;
  beforeAll(async () => {
    const own = collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("broadcasts/"));
    await migrate(place.database(), own);
    // A queued message is part of the same transaction.
    await sql`create table queued (receiver text not null, id text not null, subject text not null)`.execute(
      place.database().kysely,
    );
  });
  beforeEach(async () => {
    const { kysely } = place.database();
    await sql`delete from queued`.execute(kysely);
    await sql`delete from broadcasts_issue`.execute(kysely);
    readers = Array.from({ length: 130 }, (_, at) => ({
      address: `reader${String(at).padStart(3, "0")}@example.com`,
      isWanted: true,
      confirmedMs: NOW_MS - 1,
      locale: at === 1 ? "fr_FR" : at === 2 ? "ja_JP" : "en_US",
    }));
    phones = Array.from({ length: 70 }, (_, at) => ({
      address: `token-${String(at).padStart(3, "0")}`,
      locale: "en_US",
      isWanted: at !== 3,
    }));
    faults = 0;
  });

  const after = <One extends Receiver>(all: readonly One[], address: string, limit: number): readonly One[] =>
    all.filter((one) => one.address > address).slice(0, limit);
  const open = (changed: Partial<BroadcastNeeds> = {}): BroadcastService => {
    const needs: BroadcastNeeds = {
      listSubscribers: async (from, beforeMs, limit) =>
        after(
          readers.filter(({ confirmedMs = 0 }) => confirmedMs <= beforeMs),
          from,
          limit,
        ),
      listPhones: async (from, limit) => after(phones, from, limit),
      countSubscribers: async () => readers.length,
      countPhones: async () => phones.length,
      leaveUrl: (email) => `https://x.example/newsletter?leave=${email}`,
      hasMail: true,
      hasPush: true,
      perMinute: 60_000,
      nameOf: async () => "editor",
      async queue(inside, messages) {
        for (const [at, { to, id, subject }] of messages.entries()) {
          await sql`insert into queued (receiver, id, subject) values (${to}, ${id}, ${subject})`.execute(inside);
          // The process ends half-way through a batch.
          if (faults > 0 && at === messages.length >> 1) {
            faults -= 1;
            throw new Error("ended");
          }
        }
      },
      wake: () => undefined,
      ...changed,
    };
    return new BroadcastService({ store: broadcastStore(place.database().kysely), needs });
  };
  const queued = async () =>
    (
      await sql<
        Pick<Outgoing, "id" | "subject"> & { receiver: string }
      >`select * from queued order by receiver`.execute(place.database().kysely)
    ).rows;
  let intents = 0;
  const send = async (service: BroadcastService, more: object = {}) => {
    intents += 1;
    const body = { audience: "both", words: WORDS, sendAtMs: null, clientId: `intent-${intents}`, ...more } as const;
    const sent = await service.send(body, 7, NOW_MS);
    if (!sent.done) throw new Error(sent.code);
    return sent.value;
  };
  const state = async (service: BroadcastService) => (await service.list()).broadcasts[0];

  test("[USR-7] each receiver gets an issue once, wherever and however often the process ends", async () => {
    await send(open());
    faults = 6;
    while (faults > 0) await expect(open().run(NOW_MS)).rejects.toThrow("ended");
    await open().run(NOW_MS);
    const rows = await queued();
    const wanted = [...readers, ...phones].filter(({ isWanted }) => isWanted).map(({ address }) => address);
    expect(rows.map(({ receiver }) => receiver)).toEqual(wanted.toSorted());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    expect(await state(open())).toMatchObject({ state: "sent", mails: 130, pushes: 69, endedAtMs: NOW_MS });
    await open().run(NOW_MS + 60_000);
    expect(await queued()).toHaveLength(199);
  });

  test("[USR-7] two processes that send concurrently send each receiver one message", async () => {
    await send(open());
    await Promise.all(Array.from({ length: 4 }, () => open().run(NOW_MS)));
    await open().run(NOW_MS);
    const rows = await queued();
    expect(new Set(rows.map(({ receiver }) => receiver)).size).toBe(rows.length);
    expect(rows).toHaveLength(199);
  });

  test("[USR-7] the rate per minute holds, and a scheduled issue waits for its time", async () => {
    const service = open({ perMinute: 60 });
    await send(service, { sendAtMs: NOW_MS + 1_000, audience: "newsletter" });
    await service.run(NOW_MS);
    expect(await queued()).toHaveLength(0);
    await service.run(NOW_MS + 1_000);
    expect(await queued()).toHaveLength(10);
    await service.run(NOW_MS + 11_000);
    expect(await queued()).toHaveLength(20);
  });

  test("[USR-7] a subscriber who leaves before their turn, or confirms after the start, gets no message", async () => {
    const service = open({ perMinute: 60 });
    await send(service, { audience: "newsletter" });
    await service.run(NOW_MS);
    const late = { address: "zoe@example.com", locale: "en_US", isWanted: true, confirmedMs: NOW_MS + 1 };
    readers = [...readers.filter((_, at) => at !== 100), late];
    await open().run(NOW_MS + 10_000);
    const sent = (await queued()).map(({ receiver }) => receiver);
    expect(sent).toHaveLength(129);
    expect(sent).not.toContain("reader100@example.com");
    expect(sent).not.toContain("zoe@example.com");
  });

  test("[USR-7] one intent is one issue; a stopped one cannot continue", async () => {
    const service = open({ perMinute: 60 });
    const made = await Promise.all(Array.from({ length: 5 }, () => send(service, { clientId: "same" })));
    expect(allOf(made, ({ number }) => number === made[0]?.number)).toBe(true);
    const other = { audience: "push", words: WORDS, sendAtMs: null, clientId: "same" } as const;
    expect(await service.send(other, 7, NOW_MS)).toMatchObject({ done: false, code: "CLIENT_ID_REUSED" });
    const later = { ...other, audience: "both", sendAtMs: NOW_MS + 60_000 } as const;
    expect(await service.send(later, 7, NOW_MS)).toMatchObject({ done: false, code: "CLIENT_ID_REUSED" });
    await service.run(NOW_MS);
    const { number = 0 } = made[0] ?? {};
    expect(await service.cancel(number, NOW_MS)).toMatchObject({ done: true });
    expect(await service.cancel(number, NOW_MS)).toMatchObject({ done: false, code: "BROADCAST_UNKNOWN" });
    await open().run(NOW_MS + 10_000);
    expect(await queued()).toHaveLength(10);
  });

  test("[USR-7] readers are written to in their language, else in English, which is there always", async () => {
    await send(open(), { audience: "newsletter" });
    await open().run(NOW_MS);
    expect((await queued()).slice(0, 3).map(({ subject }) => subject)).toEqual(["News", "Nouvelles", "News"]);
    const { en_US: _english, ...french } = WORDS;
    const body = { audience: "both", words: french, sendAtMs: null, clientId: "french" } as const;
    expect(await open().send(body, 7, NOW_MS)).toMatchObject({ done: false, code: "ENGLISH_REQUIRED" });
    const unsent = { ...body, words: WORDS, clientId: "unsent" };
    expect(await open({ hasPush: false }).send(unsent, 7, NOW_MS)).toMatchObject({ code: "SENDER_MISSING" });
  });
});
