// Migrations on real databases: once, in order, whole or not at all, also when two processes start together.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { listPending, migrate } from "./migrations.ts";
import { forDatabase, forEachDatabase } from "./test-databases.ts";

const FIRST = { name: "test/001-first.sql", sql: "create table test_first (id {{identity}}, name {{text}} not null);" };
const SECOND = { name: "test/002-second.sql", sql: "-- more\ninsert into test_first (name) values ('a;b');" };
const BROKEN = {
  name: "test/003-broken.sql",
  sql: "create table test_third (id {{integer}});\n\ninsert into test_nowhere values (1);",
};

forEachDatabase("migrations", (place) => {
  const names = async () => {
    const rows = await sql<{ name: string }>`select name from test_first`.execute(place.database().kysely);
    return rows.rows.map((row) => row.name);
  };

  test("[OPS-4] each file is applied once, in order, and reported", async () => {
    const reports: string[] = [];
    const report = (progress: { name: string; index: number; total: number }): void => {
      reports.push(`${progress.index}/${progress.total} ${progress.name}`);
    };
    expect(await migrate(place.database(), [SECOND, FIRST], report)).toBe(2);
    expect(await migrate(place.database(), [FIRST, SECOND], report)).toBe(0);
    expect(reports).toEqual(["1/2 test/001-first.sql", "2/2 test/002-second.sql"]);
    expect(await names()).toEqual(["a;b"]);
  });

  test("[OPS-4] [OPS-6] a failing file takes back all that were applied with it, and names itself and the line", async () => {
    const third = {
      name: "test/003-more.sql",
      sql: "insert into test_first (name) values ('third'); drop table test_first;",
    };
    const broken = { ...BROKEN, name: "test/004-broken.sql" };
    const failing = migrate(place.database(), [FIRST, SECOND, third, broken]);
    await expect(failing).rejects.toThrow(/^test\/004-broken\.sql line 3: .*test_nowhere/);
    await expect(sql`select * from test_third`.execute(place.database().kysely)).rejects.toThrow(/test_third/);
    expect(await names()).toEqual(["a;b"]);
    expect(await listPending(place.database().kysely, [FIRST, SECOND, third])).toEqual([third.name]);
    // The release before starts as if nothing had been.
    expect(await migrate(place.database(), [FIRST, SECOND])).toBe(0);
    const mended = { ...BROKEN, sql: "create table test_third (id {{integer}});" };
    expect(await migrate(place.database(), [FIRST, SECOND, mended])).toBe(1);
  });

  test("[OPS-4] a changed file refuses to start", async () => {
    const changed = { ...SECOND, sql: "insert into test_first (name) values ('other');" };
    const started = migrate(place.database(), [
      FIRST,
      changed,
      { ...BROKEN, sql: "create table test_third (id {{integer}});" },
    ]);
    await expect(started).rejects.toThrow(/test\/002-second\.sql was changed after it was applied/);
    expect(await names()).toEqual(["a;b"]);
  });

  test("[OPS-4] a file that fills a large table may take longer than any other transaction", async () => {
    await place.database().close();
    await place.open({ transactionMaxMs: 20 });
    const count = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select i from n";
    const large = {
      name: "large/001-rows.sql",
      sql: `create table test_large (i {{integer}});insert into test_large ${count};`,
    };
    expect(
      await migrate(place.database(), [
        FIRST,
        SECOND,
        { ...BROKEN, sql: "create table test_third (id {{integer}});" },
        large,
      ]),
    ).toBe(1);
    const rows = await sql<{ count: number }>`select count(*) as count from test_large`.execute(
      place.database().kysely,
    );
    expect(Number(rows.rows[0]?.count)).toBe(200_000);
  });
});

forDatabase("postgres", "several processes at once", (place) => {
  test("[OPS-4] all of them start, one of them applies", async () => {
    const slow = { name: "test/003-slow.sql", sql: "select pg_sleep(0.3); create table test_slow (id {{integer}});" };
    const databases = await Promise.all([1, 2, 3, 4].map(() => openDatabase(place.options())));
    try {
      const applied = await Promise.all(databases.map((database) => migrate(database, [FIRST, SECOND, slow])));
      expect(applied.sort()).toEqual([0, 0, 0, 3]);
    } finally {
      await Promise.all(databases.map((database) => database.close()));
    }
  });
});
