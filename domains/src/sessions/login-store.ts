// SQL of sign-in attempts and of sign-ins under way, and nothing but SQL. Attempts are counted in one statement each, so
// that a thousand guesses at once are a thousand guesses.
import { type Kysely, sql } from "kysely";

export interface AttemptRow {
  readonly key: string;
  readonly failures: number;
  readonly locks: number;
  readonly locked_until_ms: number;
  readonly last_at_ms: number;
}

export interface TicketRow {
  readonly id: string;
  readonly user_id: number;
  /** Checks already passed, separated by commas. */
  readonly passed: string;
  readonly device_key: string;
  readonly expires_at_ms: number;
}

type LoginTables = { sessions_attempt: AttemptRow; sessions_ticket: TicketRow };

export type LoginStore = ReturnType<typeof loginStore>;

export function loginStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<LoginTables>();
  return { ...attemptQueries(tables), ...ticketQueries(tables) };
}

function attemptQueries(tables: Kysely<LoginTables>) {
  return {
    /** Counts one try and answers the state after it. */
    countAttempt(key: string, nowMs: number, forgiveMs: number): Promise<AttemptRow> {
      const isOld = sql<boolean>`sessions_attempt.last_at_ms < ${nowMs - forgiveMs} and sessions_attempt.locked_until_ms < ${nowMs}`;
      return tables
        .insertInto("sessions_attempt")
        .values({ key, failures: 1, locks: 0, locked_until_ms: 0, last_at_ms: nowMs })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            // Knocking on a locked door changes nothing, or the lock would never end.
            failures: sql<number>`case when sessions_attempt.locked_until_ms > ${nowMs} then sessions_attempt.failures
              when ${isOld} then 1 else sessions_attempt.failures + 1 end`,
            locks: sql<number>`case when ${isOld} then 0 else sessions_attempt.locks end`,
            last_at_ms: nowMs,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
    },
    async readLock(key: string): Promise<number> {
      const row = await tables
        .selectFrom("sessions_attempt")
        .select("locked_until_ms")
        .where("key", "=", key)
        .executeTakeFirst();
      return row?.locked_until_ms ?? 0;
    },
    /** Locks once: whoever comes second with the same count changes nothing. */
    async lock(key: string, locksBefore: number, untilMs: number): Promise<void> {
      await tables
        .updateTable("sessions_attempt")
        .set({ failures: 0, locks: locksBefore + 1, locked_until_ms: untilMs })
        .where("key", "=", key)
        .where("locks", "=", locksBefore)
        .execute();
    },
    async clearAttempts(key: string): Promise<void> {
      await tables.deleteFrom("sessions_attempt").where("key", "=", key).execute();
    },
    async forgetAttempts(beforeMs: number): Promise<void> {
      await tables
        .deleteFrom("sessions_attempt")
        .where("last_at_ms", "<", beforeMs)
        .where("locked_until_ms", "<", beforeMs)
        .execute();
    },
  };
}

function ticketQueries(tables: Kysely<LoginTables>) {
  return {
    async addTicket(row: TicketRow): Promise<void> {
      await tables.insertInto("sessions_ticket").values(row).execute();
    },
    findTicket: (id: string, nowMs: number): Promise<TicketRow | undefined> =>
      tables
        .selectFrom("sessions_ticket")
        .selectAll()
        .where("id", "=", id)
        .where("expires_at_ms", ">", nowMs)
        .executeTakeFirst(),
    async markTicket(id: string, passed: string): Promise<void> {
      await tables.updateTable("sessions_ticket").set({ passed }).where("id", "=", id).execute();
    },
    /** True for the one caller that ends it. */
    async removeTicket(id: string): Promise<boolean> {
      const row = await tables.deleteFrom("sessions_ticket").where("id", "=", id).returning("id").executeTakeFirst();
      return row !== undefined;
    },
    async forgetTickets(beforeMs: number): Promise<void> {
      await tables.deleteFrom("sessions_ticket").where("expires_at_ms", "<", beforeMs).execute();
    },
  };
}
