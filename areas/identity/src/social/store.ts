// SQL of social sign-in.
import type { Kysely } from "kysely";

export interface LinkRow {
  readonly provider: string;
  readonly subject: string;
  readonly user_id: number;
  readonly email: string;
  readonly linked_at_ms: number;
}

export interface FlowRow {
  readonly id: string;
  readonly provider: string;
  readonly secret: string;
  readonly sealed: Uint8Array;
  readonly expires_at_ms: number;
}

export interface TicketRow {
  readonly id: string;
  readonly provider: string;
  readonly subject: string;
  readonly email: string;
  readonly expires_at_ms: number;
}

type SocialTables = { social_link: LinkRow; social_flow: FlowRow; social_ticket: TicketRow };

export type SocialStore = ReturnType<typeof socialStore>;

export function socialStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SocialTables>();
  return {
    async addFlow(row: FlowRow): Promise<void> {
      await tables.insertInto("social_flow").values(row).execute();
    },
    /** Once: an answer is never read twice. */
    takeFlow: (id: string): Promise<FlowRow | undefined> =>
      tables.deleteFrom("social_flow").where("id", "=", id).returningAll().executeTakeFirst(),
    async addTicket(row: TicketRow): Promise<void> {
      await tables.insertInto("social_ticket").values(row).execute();
    },
    findTicket: (id: string): Promise<TicketRow | undefined> =>
      tables.selectFrom("social_ticket").selectAll().where("id", "=", id).executeTakeFirst(),
    takeTicket: (id: string): Promise<TicketRow | undefined> =>
      tables.deleteFrom("social_ticket").where("id", "=", id).returningAll().executeTakeFirst(),
    async remove(beforeMs: number): Promise<void> {
      await tables.deleteFrom("social_flow").where("expires_at_ms", "<", beforeMs).execute();
      await tables.deleteFrom("social_ticket").where("expires_at_ms", "<", beforeMs).execute();
    },
    findLink: (provider: string, subject: string): Promise<LinkRow | undefined> =>
      tables
        .selectFrom("social_link")
        .selectAll()
        .where("provider", "=", provider)
        .where("subject", "=", subject)
        .executeTakeFirst(),
    /** False when that account elsewhere is linked already. */
    async addLink(row: LinkRow): Promise<boolean> {
      const added = await tables
        .insertInto("social_link")
        .values(row)
        .onConflict((conflict) => conflict.columns(["provider", "subject"]).doNothing())
        .returning("subject")
        .executeTakeFirst();
      return added !== undefined;
    },
    listLinks: (userId: number): Promise<LinkRow[]> =>
      tables.selectFrom("social_link").selectAll().where("user_id", "=", userId).orderBy("provider").execute(),
    async removeLinks(userId: number, provider: string): Promise<boolean> {
      const row = await tables
        .deleteFrom("social_link")
        .where("user_id", "=", userId)
        .where("provider", "=", provider)
        .returning("subject")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
