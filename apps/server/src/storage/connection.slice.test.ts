// PostgreSQL becomes unavailable and comes back: the pool recovers, and acknowledged writes are kept.
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import type { DatabaseFault } from "./fault.ts";
import { migrate } from "./migrations.ts";
import { forDatabase } from "./test-databases.ts";
import { openWire } from "./wire-fixture.ts";

type Tables = { test_rows: { id: number; part: number } };

forDatabase("postgres", "a lost connection", (place) => {
  beforeAll(async () => {
    const rows = "create table test_rows (id {{integer}} not null, part {{integer}} not null, primary key (id, part))";
    await migrate(place.database(), [{ name: "test/001-rows.sql", sql: rows }]);
  });

  test("[OPS-4] backends killed during writes: answered transactions remain, none partial, pool intact", async () => {
    const { kysely } = place.database();
    const tables = kysely.$extendTables<Tables>();
    const answered: number[] = [];
    const kinds = new Set<string>();
    let stopping = false;
    const write = async (lane: number): Promise<void> => {
      for (let id = lane; !stopping; id += 4) {
        try {
          await tables.transaction().execute(async (transaction) => {
            for (let part = 0; part < 3; part += 1) {
              await transaction.insertInto("test_rows").values({ id, part }).execute();
            }
          });
          answered.push(id);
        } catch (error) {
          const { kind, message } = error as DatabaseFault;
          kinds.add(kind === "unavailable" ? kind : `${kind}: ${message}`);
        }
      }
    };
    const writers = [0, 1, 2, 3].map(write);
    const killer = await openDatabase(place.options());
    for (let round = 0; round < 20 || kinds.size === 0; round += 1) {
      const before = answered.length;
      while (answered.length === before) await sleep(1);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = 'clockwork'`.execute(
        killer.kysely,
      );
    }
    stopping = true;
    await Promise.all(writers);
    // A backend dies some time after the request: the pool may still lease its connection once.
    const health = () =>
      place
        .database()
        .health()
        .then(() => "well", String);
    await expect.poll(health).toBe("well");

    const groups = await killer.kysely
      .$extendTables<Tables>()
      .selectFrom("test_rows")
      .select(["id", (select) => select.fn.countAll<number>().as("parts")])
      .groupBy("id")
      .execute();
    await killer.close();
    expect(groups.filter((group) => group.parts !== 3)).toEqual([]);
    const stored = new Set(groups.map((group) => group.id));
    expect(answered.filter((id) => !stored.has(id))).toEqual([]);
    expect(answered.length).toBeGreaterThan(0);
    expect([...kinds]).toEqual(["unavailable"]);
  });

  test("[OPS-4] an unavailable server is reported, and used again once it is back", async () => {
    const target = new URL(place.options().url ?? "");
    const wire = await openWire(target);
    const through = new URL(target);
    through.hostname = "127.0.0.1";
    through.port = String(wire.port);
    const database = await openDatabase({ url: through.href, folder: tmpdir() });
    try {
      await database.health();
      wire.cut();
      await expect(database.health()).rejects.toMatchObject({ kind: "unavailable" });
      await expect(sql`select 1`.execute(database.kysely)).rejects.toMatchObject({ kind: "unavailable" });
      wire.repair();
      await database.health();
    } finally {
      await database.close();
      wire.close();
    }
  });

  test("[OPS-4] a server that cannot be reached is one clear line without the password", async () => {
    const wire = await openWire(new URL(place.options().url ?? ""));
    wire.close();
    const opening = openDatabase({ url: `postgres://me:secret@127.0.0.1:${wire.port}/shop`, folder: tmpdir() });
    await expect(opening).rejects.toThrow(`cannot use PostgreSQL at 127.0.0.1:${wire.port}/shop`);
    await expect(opening).rejects.not.toThrow(/secret|\n/);
  });
});
