// SQL of tries that may be wrong. Each is counted in one statement, so that a thousand concurrent guesses are a
// thousand guesses.
import { type Kysely, sql } from "kysely";

export interface TryRow {
  readonly key: string;
  readonly failures: number;
  readonly locks: number;
  readonly locked_until_ms: number;
  readonly last_at_ms: number;
}

export type AttemptStore = ReturnType<typeof attemptStore>;

export function attemptStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ attempts_try: TryRow }>();
  return {
    /** Counts one try and returns the state after it. */
    count(key: string, nowMs: number, forgiveMs: number): Promise<TryRow> {
      const isOld = sql<boolean>`attempts_try.last_at_ms < ${nowMs - forgiveMs} and attempts_try.locked_until_ms < ${nowMs}`;
      return tables
        .insertInto("attempts_try")
        .values({ key, failures: 1, locks: 0, locked_until_ms: 0, last_at_ms: nowMs })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            // Tries on a locked key change nothing, or the lock would never end.
            failures: sql<number>`case when attempts_try.locked_until_ms > ${nowMs} then attempts_try.failures
              when ${isOld} then 1 else attempts_try.failures + 1 end`,
            locks: sql<number>`case when ${isOld} then 0 else attempts_try.locks end`,
            last_at_ms: nowMs,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
    },
    async readLock(key: string): Promise<number> {
      const row = await tables
        .selectFrom("attempts_try")
        .select("locked_until_ms")
        .where("key", "=", key)
        .executeTakeFirst();
      return row?.locked_until_ms ?? 0;
    },
    /** Locks once: a concurrent call with the same count changes nothing. */
    async lock(key: string, locksBefore: number, untilMs: number): Promise<void> {
      await tables
        .updateTable("attempts_try")
        .set({ failures: 0, locks: locksBefore + 1, locked_until_ms: untilMs })
        .where("key", "=", key)
        .where("locks", "=", locksBefore)
        .execute();
    },
    async clear(key: string): Promise<void> {
      await tables.deleteFrom("attempts_try").where("key", "=", key).execute();
    },
    /** Including all of its parts, whose names follow it after a space. */
    async clearAll(key: string): Promise<void> {
      const start = `${key} `;
      await tables
        .deleteFrom("attempts_try")
        .where((where) => where.or([where("key", "=", key), where(sql`substr(key, 1, ${start.length})`, "=", start)]))
        .execute();
    },
    async remove(beforeMs: number): Promise<void> {
      await tables
        .deleteFrom("attempts_try")
        .where("last_at_ms", "<", beforeMs)
        .where("locked_until_ms", "<", beforeMs)
        .execute();
    },
  };
}
