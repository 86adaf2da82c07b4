// The newsletter's SQL and nothing but SQL.
import type { Kysely } from "kysely";

export interface SubscriberRow {
  readonly email: string;
  readonly token_hash: string;
  readonly source: string;
  readonly locale: string;
  readonly asked_at_ms: number;
  readonly confirmed_at_ms: number | null;
}

type NewsletterTables = { newsletter_subscriber: SubscriberRow };

export type NewsletterStore = ReturnType<typeof newsletterStore>;

export function newsletterStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<NewsletterTables>();
  const countWhere = async (isConfirmed: boolean): Promise<number> => {
    const row = await tables
      .selectFrom("newsletter_subscriber")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("confirmed_at_ms", isConfirmed ? "is not" : "is", null)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  return {
    find: (email: string): Promise<SubscriberRow | undefined> =>
      tables.selectFrom("newsletter_subscriber").selectAll().where("email", "=", email).executeTakeFirst(),
    findByToken: (hash: string): Promise<SubscriberRow | undefined> =>
      tables.selectFrom("newsletter_subscriber").selectAll().where("token_hash", "=", hash).executeTakeFirst(),
    async put(row: SubscriberRow): Promise<void> {
      const { email: _email, ...changed } = row;
      await tables
        .insertInto("newsletter_subscriber")
        .values(row)
        .onConflict((conflict) => conflict.column("email").doUpdateSet(changed))
        .execute();
    },
    async confirm(email: string, timeMs: number): Promise<void> {
      await tables
        .updateTable("newsletter_subscriber")
        .set({ confirmed_at_ms: timeMs })
        .where("email", "=", email)
        .execute();
    },
    async remove(email: string): Promise<void> {
      await tables.deleteFrom("newsletter_subscriber").where("email", "=", email).execute();
    },
    /** Who never confirmed is forgotten. */
    async removeWaiting(beforeMs: number): Promise<void> {
      await tables
        .deleteFrom("newsletter_subscriber")
        .where("confirmed_at_ms", "is", null)
        .where("asked_at_ms", "<", beforeMs)
        .execute();
    },
    countConfirmed: () => countWhere(true),
    countWaiting: () => countWhere(false),
    listConfirmed: (after: string, limit: number): Promise<SubscriberRow[]> =>
      tables
        .selectFrom("newsletter_subscriber")
        .selectAll()
        .where("confirmed_at_ms", "is not", null)
        .where("email", ">", after)
        .orderBy("email")
        .limit(limit)
        .execute(),
  };
}
