// SQL of forgotten passwords, and nothing but SQL.
import type { Kysely } from "kysely";

interface ResetRow {
  readonly id: string;
  readonly user_id: number;
  readonly expires_at_ms: number;
}

export type ResetStore = ReturnType<typeof resetStore>;

export function resetStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ credentials_reset: ResetRow }>();
  return {
    async add(row: ResetRow): Promise<void> {
      await tables.deleteFrom("credentials_reset").where("user_id", "=", row.user_id).execute();
      await tables.insertInto("credentials_reset").values(row).execute();
    },
    async find(id: string, nowMs: number): Promise<number | undefined> {
      const row = await tables
        .selectFrom("credentials_reset")
        .select("user_id")
        .where("id", "=", id)
        .where("expires_at_ms", ">", nowMs)
        .executeTakeFirst();
      return row?.user_id;
    },
    /** True for the one caller that uses it. */
    async spend(id: string): Promise<boolean> {
      const row = await tables.deleteFrom("credentials_reset").where("id", "=", id).returning("id").executeTakeFirst();
      return row !== undefined;
    },
  };
}
