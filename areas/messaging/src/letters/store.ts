// The SQL of letters.
import type { Generated, Kysely } from "kysely";

export interface LetterRow {
  readonly id: number;
  readonly user_id: number;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly path: string | null;
  readonly is_read: boolean;
  readonly created_at_ms: number;
}

type LetterTables = { letters_letter: Omit<LetterRow, "id"> & { readonly id: Generated<number> } };

export type LetterStore = ReturnType<typeof letterStore>;

export function letterStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<LetterTables>();
  return {
    async add(row: Omit<LetterRow, "id">): Promise<number> {
      const { id } = await tables.insertInto("letters_letter").values(row).returning("id").executeTakeFirstOrThrow();
      return id;
    },
    list(userId: number, filter: { before?: number; unreadOnly?: boolean }, limit: number): Promise<LetterRow[]> {
      let query = tables.selectFrom("letters_letter").selectAll().where("user_id", "=", userId);
      if (filter.before !== undefined) query = query.where("id", "<", filter.before);
      if (filter.unreadOnly === true) query = query.where("is_read", "=", false);
      return query.orderBy("id", "desc").limit(limit).execute();
    },
    async countUnread(userId: number): Promise<number> {
      const row = await tables
        .selectFrom("letters_letter")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .where("is_read", "=", false)
        .executeTakeFirstOrThrow();
      return row.count;
    },
    async markRead(userId: number, ids: readonly number[] | undefined): Promise<void> {
      let query = tables
        .updateTable("letters_letter")
        .set({ is_read: true })
        .where("user_id", "=", userId)
        .where("is_read", "=", false);
      if (ids !== undefined) query = query.where("id", "in", ids);
      await query.execute();
    },
    /** Removes the oldest above the limit. */
    async trim(userId: number, max: number): Promise<void> {
      const oldest = await tables
        .selectFrom("letters_letter")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("id", "desc")
        .offset(max)
        .limit(1)
        .executeTakeFirst();
      if (oldest === undefined) return;
      await tables.deleteFrom("letters_letter").where("user_id", "=", userId).where("id", "<=", oldest.id).execute();
    },
  };
}
