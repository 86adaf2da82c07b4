// SQL of sign-ins under way, and nothing but SQL.
import type { Kysely } from "kysely";

export interface TicketRow {
  readonly id: string;
  readonly user_id: number;
  /** Checks already passed, separated by commas. */
  readonly passed: string;
  readonly device_key: string;
  readonly expires_at_ms: number;
}

type LoginTables = { sessions_ticket: TicketRow };

export type LoginStore = ReturnType<typeof loginStore>;

export function loginStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<LoginTables>();
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
