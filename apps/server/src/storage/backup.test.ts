// A backup taken while the database is being written: whole, of one moment, and usable as a data folder.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backupDatabase } from "./backup.ts";
import { DATABASE_FILE, openDatabase } from "./database.ts";
import { migrate } from "./migrations.ts";

type Tables = { test_rows: { id: number; part: number } };
const TABLE = {
  name: "test/001-rows.sql",
  sql: "create table test_rows (id {{integer}} not null, part {{integer}} not null)",
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clockwork-backup-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("[OPS-4] a backup during writes holds whole transactions and opens as a database", async () => {
  const folder = join(root, "live");
  const database = await openDatabase({ url: undefined, folder });
  await migrate(database, [TABLE]);
  const tables = database.kysely.$extendTables<Tables>();
  let stopping = false;
  const writing = (async () => {
    for (let id = 0; !stopping; id += 1) {
      const rows = [0, 1, 2].map((part) => tables.insertInto("test_rows").values({ id, part }).compile());
      await database.batch(rows);
    }
  })();
  const copies: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    await database.health();
    const copy = join(root, `copy-${round}`);
    mkdirSync(copy);
    backupDatabase(folder, join(copy, DATABASE_FILE));
    copies.push(copy);
  }
  stopping = true;
  await writing;
  await database.close();

  let lastRows = 0;
  for (const copy of copies) {
    const opened = await openDatabase({ url: undefined, folder: copy });
    expect(await migrate(opened, [TABLE])).toBe(0);
    const groups = await opened.kysely
      .$extendTables<Tables>()
      .selectFrom("test_rows")
      .select(["id", (select) => select.fn.countAll<number>().as("parts")])
      .groupBy("id")
      .execute();
    expect(groups.filter((group) => group.parts !== 3)).toEqual([]);
    expect(groups.length).toBeGreaterThanOrEqual(lastRows);
    lastRows = groups.length;
    await opened.close();
  }
  expect(lastRows).toBeGreaterThan(0);
});

test("[OPS-4] a backup never overwrites and never leaves a part", async () => {
  const folder = join(root, "live");
  const target = join(root, "copy.sqlite");
  expect(() => backupDatabase(folder, target)).toThrow(/no database/);
  const database = await openDatabase({ url: undefined, folder });
  await database.close();
  writeFileSync(target, "mine");
  expect(() => backupDatabase(folder, target)).toThrow(/exists already/);
  expect(() => backupDatabase(folder, join(root, "nowhere", "copy.sqlite"))).toThrow();
  expect(existsSync(`${target}.partial`)).toBe(false);
});
