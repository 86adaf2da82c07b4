// SQL of forgotten passwords.
import type { Kysely } from "kysely";

interface ResetRow {
  readonly id: string;
  readonly user_id: number;
  readonly expires_at_ms: number;
  /** The account's security version when the code was right. */
  readonly version: number;
}

export type ResetStore = ReturnType<typeof resetStore>;

export function resetStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ credentials_reset: ResetRow }>();
  return {
    async add(row: ResetRow): Promise<void> {
      await tables.deleteFrom("credentials_reset").where("user_id", "=", row.user_id).execute();
      await tables.insertInto("credentials_reset").values(row).execute();
    },
    find: (id: string, nowMs: number): Promise<ResetRow | undefined> =>
      tables
        .selectFrom("credentials_reset")
        .selectAll()
        .where("id", "=", id)
        .where("expires_at_ms", ">", nowMs)
        .executeTakeFirst(),
    /** True for the one caller that uses it. */
    async spend(id: string): Promise<boolean> {
      const row = await tables.deleteFrom("credentials_reset").where("id", "=", id).returning("id").executeTakeFirst();
      return row !== undefined;
    },
  };
}
