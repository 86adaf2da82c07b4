// The SQL of newsletter.
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
  return {
    /** False for an address that is confirmed already, or was submitted later than that. */
    async ask(row: Omit<SubscriberRow, "confirmed_at_ms">, afterMs: number): Promise<boolean> {
      const { email: _email, ...changed } = row;
      const requested = await tables
        .insertInto("newsletter_subscriber")
        .values({ ...row, confirmed_at_ms: null })
        .onConflict((conflict) =>
          conflict
            .column("email")
            .doUpdateSet(changed)
            .where("newsletter_subscriber.confirmed_at_ms", "is", null)
            .where("newsletter_subscriber.asked_at_ms", "<=", afterMs),
        )
        .returning("email")
        .executeTakeFirst();
      return requested !== undefined;
    },
    /** False for an unknown token, and for one not confirmed in time. Pressing twice is no mistake. */
    async confirm(tokenHash: string, requestedAfterMs: number, timeMs: number): Promise<boolean> {
      const confirmed = await tables
        .updateTable("newsletter_subscriber")
        .set((update) => ({ confirmed_at_ms: update.fn.coalesce("confirmed_at_ms", update.val(timeMs)) }))
        .where("token_hash", "=", tokenHash)
        .where((where) =>
          where.or([where("confirmed_at_ms", "is not", null), where("asked_at_ms", ">=", requestedAfterMs)]),
        )
        .returning("email")
        .executeTakeFirst();
      return confirmed !== undefined;
    },
    async remove(tokenHash: string): Promise<boolean> {
      const gone = await tables
        .deleteFrom("newsletter_subscriber")
        .where("token_hash", "=", tokenHash)
        .returning("email")
        .execute();
      return gone.length > 0;
    },
    /** Unconfirmed addresses are removed. */
    async removeWaiting(beforeMs: number): Promise<void> {
      await tables
        .deleteFrom("newsletter_subscriber")
        .where("confirmed_at_ms", "is", null)
        .where("asked_at_ms", "<", beforeMs)
        .execute();
    },
    countConfirmed: () => countWhere(tables, true),
    countWaiting: () => countWhere(tables, false),
    async removeAddress(email: string): Promise<void> {
      await tables.deleteFrom("newsletter_subscriber").where("email", "=", email).execute();
    },
    listConfirmed: (after: string, limit: number, beforeMs = Number.MAX_SAFE_INTEGER): Promise<SubscriberRow[]> =>
      tables
        .selectFrom("newsletter_subscriber")
        .selectAll()
        .where("confirmed_at_ms", "<=", beforeMs)
        .where("email", ">", after)
        .orderBy("email")
        .limit(limit)
        .execute(),
  };
}

async function countWhere(tables: Kysely<NewsletterTables>, isConfirmed: boolean): Promise<number> {
  const row = await tables
    .selectFrom("newsletter_subscriber")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("confirmed_at_ms", isConfirmed ? "is not" : "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
