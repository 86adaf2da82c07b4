// The SQL of push.
import type { Kysely } from "kysely";

export interface PushRow {
  readonly token: string;
  readonly shell: "ios" | "android" | "flutter" | "web";
  /** Null: not bound to a user. */
  readonly user_id: number | null;
  readonly locale: string;
  readonly seen_at_ms: number;
}

type PushTables = { push_token: PushRow };

export type PushStore = ReturnType<typeof pushStore>;

export function pushStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<PushTables>();
  return {
    /** A phone has one owner at a time: the last write wins. */
    async put(row: PushRow): Promise<void> {
      const { token: _token, ...changed } = row;
      await tables
        .insertInto("push_token")
        .values(row)
        .onConflict((conflict) => conflict.column("token").doUpdateSet(changed))
        .execute();
    },
    list(userId: number, limit: number): Promise<PushRow[]> {
      return tables
        .selectFrom("push_token")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("seen_at_ms", "desc")
        .orderBy("token")
        .limit(limit)
        .execute();
    },
    /** All of them, with and without an account, in the order of their tokens. */
    listAll: (after: string, limit: number): Promise<PushRow[]> =>
      tables.selectFrom("push_token").selectAll().where("token", ">", after).orderBy("token").limit(limit).execute(),
    async deleteOldest(userId: number, keep: number): Promise<void> {
      const kept = tables
        .selectFrom("push_token")
        .select("token")
        .where("user_id", "=", userId)
        .orderBy("seen_at_ms", "desc")
        .orderBy("token")
        .limit(keep);
      await tables.deleteFrom("push_token").where("user_id", "=", userId).where("token", "not in", kept).execute();
    },
    async remove(token: string): Promise<void> {
      await tables.deleteFrom("push_token").where("token", "=", token).execute();
    },
    async deleteBefore(timeMs: number): Promise<void> {
      await tables.deleteFrom("push_token").where("seen_at_ms", "<", timeMs).execute();
    },
    async count(): Promise<number> {
      const row = await tables
        .selectFrom("push_token")
        .select((select) => select.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return row.count;
    },
  };
}
