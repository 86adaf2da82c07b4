// A second thread writes the same SQLite file in write slots granted by the session.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { openAside } from "./sqlite-aside.ts";

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "clockwork-aside-"));
  database = await openDatabase({ url: undefined, folder });
  await sql`create table notes (name text primary key, by text not null)`.execute(database.kysely);
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const tables = (kysely: Database["kysely"]) => kysely.$extendTables<{ notes: { name: string; by: string } }>();

test("[OPS-4] a second connection writes in its slot while others write too, and none is refused", async () => {
  const { aside } = database;
  if (aside === undefined) throw new Error("SQLite lends turns");
  const beside = openAside(aside.setup).kysely;
  const session = tables(database.kysely);
  const writing: Promise<unknown>[] = [];
  for (let round = 0; round < 40; round++) {
    for (let index = 0; index < 20; index++) {
      const values = { name: `session-${round}-${index}`, by: "session" };
      writing.push(session.insertInto("notes").values(values).execute());
    }
    const values = { name: `beside-${round}`, by: "beside" };
    const write = () =>
      tables(beside)
        .transaction()
        .execute((transaction) => transaction.insertInto("notes").values(values).execute());
    writing.push(aside.turn(write));
  }
  await Promise.all(writing);
  const count = await session
    .selectFrom("notes")
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  expect(Number(count.rows)).toBe(40 * 21);
  await beside.destroy();
});

test("[OPS-4] a failed turn is given back, and what it wrote is undone", async () => {
  const { aside } = database;
  if (aside === undefined) throw new Error("SQLite lends turns");
  const beside = openAside(aside.setup).kysely;
  const failing = aside.turn(() =>
    tables(beside)
      .transaction()
      .execute(async (transaction) => {
        await transaction.insertInto("notes").values({ name: "half", by: "beside" }).execute();
        throw new Error("stopped half way");
      }),
  );
  await expect(failing).rejects.toThrow("stopped half way");
  await tables(database.kysely).insertInto("notes").values({ name: "after", by: "session" }).execute();
  const rows = await tables(database.kysely).selectFrom("notes").select("name").execute();
  expect(rows).toEqual([{ name: "after" }]);
  await beside.destroy();
});

test("[OPS-4] a write slot lasts as long as its work, even beyond the session's transaction limit", async () => {
  await database.close();
  database = await openDatabase({ url: undefined, folder, transactionMaxMs: 50 });
  const { aside } = database;
  if (aside === undefined) throw new Error("SQLite lends turns");
  const { kysely, run } = openAside(aside.setup);
  const order: string[] = [];
  const leased = aside.turn(() =>
    tables(kysely)
      .transaction()
      .execute(async () => {
        run("insert into notes values (?, ?)", ["slow", "beside"]);
        await new Promise((resolve) => setTimeout(resolve, 150));
        // The session's thread is free: it does not wait for a lock that only this slot can release.
        await database.health();
        order.push("beside");
      }),
  );
  const written = tables(database.kysely)
    .insertInto("notes")
    .values({ name: "next", by: "session" })
    .execute()
    .then(() => order.push("session"));
  await Promise.all([leased, written]);
  expect(order).toEqual(["beside", "session"]);
  await kysely.destroy();
});
