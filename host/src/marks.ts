// A few facts the database stores about itself, by name; never a secret.
import type { Kysely } from "kysely";

type MarkTables = { storage_marks: { name: string; value: string } };

export interface StorageMarks {
  read(name: string): Promise<string | undefined>;
  /** The stored value: another one, when it was there first. */
  keep(name: string, value: string): Promise<string>;
}

export function storageMarks(kysely: Kysely<unknown>): StorageMarks {
  const tables = kysely.$extendTables<MarkTables>();
  const read = async (name: string): Promise<string | undefined> =>
    (await tables.selectFrom("storage_marks").select("value").where("name", "=", name).executeTakeFirst())?.value;
  return {
    read,
    async keep(name, value) {
      await tables
        .insertInto("storage_marks")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return (await read(name)) ?? value;
    },
  };
}
