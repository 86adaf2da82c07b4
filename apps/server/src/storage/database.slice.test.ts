// The portable subset: what a slice may rely on must be the same on both databases.

import { setTimeout as sleep } from "node:timers/promises";
import { allOf } from "@clockwork/kit/all-of";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { DatabaseFault } from "./fault.ts";
import { migrate } from "./migrations.ts";
import { forDatabase, forEachDatabase } from "./test-databases.ts";

interface Thing {
  id?: number;
  name: string;
  count: number;
  amount: bigint | null;
  active: boolean | null;
  body: Uint8Array | null;
  data: unknown;
}
type Tables = { test_things: Thing; test_parts: { thing_id: number; label: string } };

const SCHEMA = `
create table test_things (
  id {{identity}}, name {{text}} not null unique, count {{integer}} not null check (count >= 0),
  amount {{amount}}, active {{boolean}}, body {{bytes}}, data {{json}});
create table test_parts (thing_id {{integer}} not null references test_things (id), label {{text}} not null);`;

const PLAIN: Thing = { name: "plain", count: 1, amount: null, active: null, body: null, data: null };

async function faultOf(work: Promise<unknown>): Promise<DatabaseFault["kind"] | "none"> {
  return work.then(
    () => "none" as const,
    (error: DatabaseFault) => error.kind,
  );
}

forEachDatabase("the portable subset", (place) => {
  const tables = () => place.database().kysely.$extendTables<Tables>();
  const insert = (thing: Partial<Thing>) =>
    tables()
      .insertInto("test_things")
      .values({ ...PLAIN, ...thing });
  const names = async () => {
    const rows = await tables().selectFrom("test_things").select("name").orderBy("name").execute();
    return rows.map((row) => row.name);
  };

  beforeAll(async () => {
    await migrate(place.database(), [{ name: "test/001-things.sql", sql: SCHEMA }]);
  });
  beforeEach(async () => {
    await tables().deleteFrom("test_parts").execute();
    await tables().deleteFrom("test_things").execute();
  });

  test("[OPS-4] every column type comes back as it was written", async () => {
    const thing: Thing = {
      name: "žluť 😀 'quoted' \\ \n",
      count: Number.MAX_SAFE_INTEGER,
      amount: -9_223_372_036_854_775_807n,
      active: true,
      body: new Uint8Array([0, 255, 39, 92]),
      data: JSON.stringify({ a: [1, "x", null, true] }),
    };
    const returned = await insert(thing).returningAll().executeTakeFirstOrThrow();
    expect(returned).toEqual({ ...thing, id: returned.id, data: { a: [1, "x", null, true] } });
    expect(await tables().selectFrom("test_things").selectAll().executeTakeFirst()).toEqual(returned);
    await insert({ name: "nulls", active: false, body: new Uint8Array() }).execute();
    const nulls = await tables().selectFrom("test_things").selectAll().where("active", "=", false).execute();
    expect(nulls).toMatchObject([{ name: "nulls", amount: null, active: false, body: new Uint8Array(), data: null }]);
  });

  test("[OPS-4] text sorts byte by byte", async () => {
    for (const name of ["b", "B", "ä", "a", "Z", "a b", "a-b"]) await insert({ name }).execute();
    expect(await names()).toEqual(["B", "Z", "a", "a b", "a-b", "b", "ä"]);
  });

  test("[OPS-4] sums, counts and upserts read alike", async () => {
    await insert({ name: "a", count: 2, amount: 9_007_199_254_740_993n }).execute();
    await insert({ name: "b", count: 3, amount: 9_007_199_254_740_993n }).execute();
    await insert({ name: "a", count: 5 })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet((update) => ({
          count: update("test_things.count", "+", update.ref("excluded.count")),
        })),
      )
      .execute();
    const row = await tables()
      .selectFrom("test_things")
      .select((select) => [
        select.fn.countAll<number>().as("rows"),
        sql<number>`cast(sum(count) as bigint)`.as("counts"),
        sql<string>`cast(sum(amount) as text)`.as("amounts"),
      ])
      .executeTakeFirst();
    expect(row).toEqual({ rows: 2, counts: 10, amounts: "18014398509481986" });
  });

  test("[OPS-4] changed rows are counted, and insertId is not offered", async () => {
    const inserted = await insert({ name: "a" }).executeTakeFirst();
    expect([inserted.numInsertedOrUpdatedRows, inserted.insertId]).toEqual([1n, undefined]);
    await insert({ name: "b" }).execute();
    expect((await tables().updateTable("test_things").set({ count: 9 }).executeTakeFirst()).numUpdatedRows).toBe(2n);
    const ignored = await insert({ name: "b" })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    expect(ignored.numInsertedOrUpdatedRows).toBe(0n);
    expect((await tables().deleteFrom("test_things").executeTakeFirst()).numDeletedRows).toBe(2n);
  });

  test("[OPS-4] refusals are distinguished by kind", async () => {
    await insert({ name: "a" }).execute();
    expect(await faultOf(insert({ name: "a" }).execute())).toBe("duplicate");
    expect(await faultOf(insert({ name: "b", count: -1 }).execute())).toBe("refused");
    expect(await faultOf(tables().insertInto("test_parts").values({ thing_id: 0, label: "x" }).execute())).toBe(
      "reference",
    );
    for (const wrong of [{ count: 1.5 }, { amount: 1.5 as unknown as bigint }, { name: "a\0b" }]) {
      expect(await faultOf(insert({ name: "wrong", ...wrong }).execute())).toBe("broken");
    }
    expect(await faultOf(sql`select nonsense from nowhere`.execute(tables()))).toBe("broken");
    // A statement that failed to prepare fails again in the same way.
    for (const wrong of [{ count: 1.5 }, { amount: 1.5 as unknown as bigint }, { name: "a\0b" }]) {
      expect(await faultOf(insert({ name: "wrong", ...wrong }).execute())).toBe("broken");
    }
    expect(await faultOf(sql`select nonsense from nowhere`.execute(tables()))).toBe("broken");
    expect(await names()).toEqual(["a"]);
  });

  test("[OPS-4] writes at the same moment each keep their own fate", async () => {
    const writes = Array.from({ length: 200 }, (_, index) => insert({ name: `n${index % 150}` }).execute());
    const outcomes = await Promise.all(writes.map(faultOf));
    expect(outcomes.filter((kind) => kind === "none")).toHaveLength(150);
    expect(outcomes.filter((kind) => kind === "duplicate")).toHaveLength(50);
    expect(await names()).toHaveLength(150);
  });

  test("[OPS-4] a transaction is invisible until it commits, and gone when it fails", async () => {
    const seen: string[][] = [];
    await tables()
      .transaction()
      .execute(async (transaction) => {
        await transaction
          .insertInto("test_things")
          .values({ ...PLAIN, name: "inside" })
          .execute();
        seen.push(await names());
        const own = await transaction.selectFrom("test_things").select("name").execute();
        seen.push(own.map((row) => row.name));
      });
    expect(seen).toEqual([[], ["inside"]]);
    expect(await names()).toEqual(["inside"]);
    const failing = tables()
      .transaction()
      .execute(async (transaction) => {
        await transaction
          .insertInto("test_things")
          .values({ ...PLAIN, name: "lost" })
          .execute();
        throw new Error("changed my mind");
      });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await names()).toEqual(["inside"]);
  });

  test("[OPS-4] transactions that read and then write do not lose updates", async () => {
    await insert({ name: "counter", count: 0 }).execute();
    const bump = () =>
      tables()
        .transaction()
        .execute(async (transaction) => {
          await transaction
            .updateTable("test_things")
            .set((update) => ({ count: update("count", "+", 1) }))
            .where("name", "=", "counter")
            .execute();
          const row = await transaction.selectFrom("test_things").select("count").executeTakeFirstOrThrow();
          await transaction.updateTable("test_things").set({ count: row.count }).execute();
        });
    await Promise.all(Array.from({ length: 40 }, bump));
    expect(await tables().selectFrom("test_things").select("count").executeTakeFirst()).toEqual({ count: 40 });
  });

  test("[OPS-4] a savepoint undoes a part of a transaction", async () => {
    const start = await tables().startTransaction().execute();
    await start
      .insertInto("test_things")
      .values({ ...PLAIN, name: "kept" })
      .execute();
    const inner = await start.savepoint("part").execute();
    await inner
      .insertInto("test_things")
      .values({ ...PLAIN, name: "undone" })
      .execute();
    await (await inner.rollbackToSavepoint("part").execute()).commit().execute();
    expect(await names()).toEqual(["kept"]);
  });

  test("[OPS-4] a batch happens whole or not at all", async () => {
    const compiled = (name: string) => insert({ name }).compile();
    const results = await place
      .database()
      .batch([compiled("a"), compiled("b"), tables().selectFrom("test_things").select("name").compile()]);
    expect(results.map((result) => [result.numAffectedRows, result.rows.length])).toEqual([
      [1n, 0],
      [1n, 0],
      [undefined, 2],
    ]);
    expect(await faultOf(place.database().batch([compiled("c"), compiled("a"), compiled("d")]))).toBe("duplicate");
    // The text of a statement skipped by the failure is still cached in the database's thread.
    expect(await faultOf(place.database().batch([compiled("e")]))).toBe("none");
    expect(await names()).toEqual(["a", "b", "e"]);
  });

  test("[OPS-4] more different statements than the cache holds all work", async () => {
    await insert({ name: "only" }).execute();
    for (let round = 0; round < 2; round += 1) {
      const read = (index: number) =>
        tables()
          .selectFrom("test_things")
          .select("name")
          .where("count", "in", [1, ...Array<number>(index).fill(7)])
          .execute();
      // Few at once: with all of them queued the pool would time some out.
      for (let from = 0; from < 700; from += 50) {
        const found = await Promise.all(Array.from({ length: 50 }, (_, at) => read(from + at)));
        expect(allOf(found, (rows) => rows.length === 1)).toBe(true);
      }
    }
  });

  test("[OPS-4] a schema change is seen by statements prepared before it", async () => {
    await insert({ name: "a" }).execute();
    const read = () => tables().selectFrom("test_things").selectAll().executeTakeFirstOrThrow();
    expect(Object.keys(await read())).not.toContain("extra");
    await sql`alter table test_things add column extra integer default 4`.execute(tables());
    expect(await read()).toMatchObject({ name: "a", extra: 4 });
    await sql`alter table test_things drop column extra`.execute(tables());
    expect(Object.keys(await read())).not.toContain("extra");
  });

  test("[OPS-4] a transaction left open too long is rolled back and frees the others", async () => {
    await place.database().close();
    await place.open({ transactionMaxMs: 1_500 });
    const remove = async () => {
      for (;;) {
        const started = await tables().startTransaction().execute();
        const forgotten = { ...PLAIN, name: "forgotten" };
        if ((await faultOf(started.insertInto("test_things").values(forgotten).execute())) === "none") return started;
        // A busy machine took longer to come this far than a transaction may.
        await started.rollback().execute();
      }
    };
    const forgotten = await remove();
    // Writes of others wait for it on SQLite; on PostgreSQL this one would wait for the same unique name.
    await insert({ name: "forgotten" }).execute();
    expect(
      await faultOf(
        forgotten
          .insertInto("test_things")
          .values({ ...PLAIN, name: "late" })
          .execute(),
      ),
    ).not.toBe("none");
    await forgotten.rollback().execute();
    expect(await names()).toEqual(["forgotten"]);
    await place.database().close();
    await place.open();
  });

  test("[OPS-4] closing ends an open transaction and refuses what waits for it", async () => {
    const open = await tables().startTransaction().execute();
    await open
      .insertInto("test_things")
      .values({ ...PLAIN, name: "open" })
      .execute();
    await place.database().health();
    const waiting = faultOf(insert({ name: "open" }).execute());
    // PostgreSQL lets it start and wait for the same name; closing while it still connects would wait for that.
    await sleep(50);
    const closing = place.database().close();
    await open.rollback().execute();
    await closing;
    expect(["unavailable", "none"]).toContain(await waiting);
    await place.open();
    expect(await names()).toEqual((await waiting) === "none" ? ["open"] : []);
  });

  test("[OPS-4] health speaks up once the database is closed", async () => {
    await place.database().health();
    await place.database().close();
    expect(await faultOf(place.database().health())).toBe("unavailable");
    await place.open();
    await place.database().health();
  });
});

forDatabase("sqlite", "durability", (place) => {
  test("[OPS-4] the embedded database syncs every commit to its write-ahead log and checks references", async () => {
    const { kysely } = place.database();
    expect((await sql`pragma journal_mode`.execute(kysely)).rows).toEqual([{ journal_mode: "wal" }]);
    expect((await sql`pragma synchronous`.execute(kysely)).rows).toEqual([{ synchronous: 2 }]);
    expect((await sql`pragma foreign_keys`.execute(kysely)).rows).toEqual([{ foreign_keys: 1 }]);
  });

  test("[OPS-4] a transaction of derived rows alone does not wait for the disk; the next commit does again", async () => {
    const { kysely } = place.database();
    const tables = kysely.$extendTables<Tables>();
    const readMode = async (on: typeof tables): Promise<number | undefined> =>
      (await sql<{ synchronous: number }>`pragma synchronous`.execute(on)).rows[0]?.synchronous;
    const derive = (work: (on: typeof tables) => Promise<void>) =>
      tables.transaction().setIsolationLevel("read uncommitted").execute(work);
    const plain = () => tables.transaction().execute(async (on) => expect(await readMode(on)).toBe(2));
    await derive(async (on) => expect(await readMode(on)).toBe(1));
    await plain();
    await expect(
      derive(async () => {
        throw new Error("given up");
      }),
    ).rejects.toThrow("given up");
    await plain();
    await expect(derive(async (on) => void (await sql`insert into nowhere values (1)`.execute(on)))).rejects.toThrow();
    await plain();
  });

  test("[OPS-4] a transaction opened by SQL text is refused and leaves nothing open", async () => {
    const { kysely } = place.database();
    expect(await faultOf(sql`begin`.execute(kysely))).toBe("broken");
    await kysely.transaction().execute(async (transaction) => {
      await sql`create table test_after (id integer)`.execute(transaction);
    });
  });
});
