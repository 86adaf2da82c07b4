// The SQL of notices.
import type { NoticeChannel } from "@clockwork/kit/notice";
import type { Kysely } from "kysely";

export interface ChoiceRow {
  readonly user_id: number;
  readonly kind: string;
  readonly channel: NoticeChannel;
  readonly is_on: boolean;
}

interface NoticeRow {
  readonly user_id: number;
  readonly kind: string;
  readonly reference: string;
  readonly at_ms: number;
}

export type NoticeStore = ReturnType<typeof noticeStore>;

export function noticeStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ notices_notice: NoticeRow; notices_choice: ChoiceRow }>();
  return {
    transact<Value>(work: (inside: Kysely<unknown>) => Promise<Value>): Promise<Value> {
      return kysely.transaction().execute(work);
    },
    /** False when the user was notified before. */
    async add(row: NoticeRow): Promise<boolean> {
      const added = await tables
        .insertInto("notices_notice")
        .values(row)
        .onConflict((conflict) => conflict.columns(["user_id", "kind", "reference"]).doNothing())
        .executeTakeFirst();
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async remove(beforeMs: number): Promise<void> {
      await tables.deleteFrom("notices_notice").where("at_ms", "<", beforeMs).execute();
    },
    listChoices: (userId: number): Promise<ChoiceRow[]> =>
      tables.selectFrom("notices_choice").selectAll().where("user_id", "=", userId).execute(),
    /** Users who enabled a kind by other channels than open pages. */
    async listUsers(kind: string, after: number, limit: number): Promise<readonly number[]> {
      const rows = await tables
        .selectFrom("notices_choice")
        .select("user_id")
        .distinct()
        .where("kind", "=", kind)
        .where("channel", "!=", "live")
        .where("is_on", "=", true)
        .where("user_id", ">", after)
        .orderBy("user_id")
        .limit(limit)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
    async choose(row: ChoiceRow): Promise<void> {
      await tables
        .insertInto("notices_choice")
        .values(row)
        .onConflict((conflict) => conflict.columns(["user_id", "kind", "channel"]).doUpdateSet({ is_on: row.is_on }))
        .execute();
    },
  };
}
