// The support slice's SQL and nothing but SQL.
import type { Generated, Kysely } from "kysely";
import type { TicketKind } from "./api.ts";

export interface TicketRow {
  readonly number: string;
  readonly key_hash: string;
  readonly kind: TicketKind;
  readonly topic: string;
  readonly name: string;
  readonly email: string;
  readonly user_id: number | null;
  readonly level: number;
  readonly state: string;
  readonly created_ms: number;
  readonly updated_ms: number;
}
export interface MessageRow {
  readonly author: "visitor" | "staff";
  readonly text: string;
  readonly created_ms: number;
}
export interface AttachmentRow {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

export type SupportTables = {
  support_ticket: TicketRow;
  support_message: MessageRow & { readonly id: Generated<number>; readonly number: string };
  support_attachment: AttachmentRow & { readonly id: Generated<number>; readonly number: string };
};

export type SupportStore = ReturnType<typeof supportStore>;

export function supportStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SupportTables>();
  return {
    open: (ticket: TicketRow, message: MessageRow): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const { number } = ticket;
        await inside.insertInto("support_ticket").values(ticket).execute();
        await inside
          .insertInto("support_message")
          .values({ number, ...message })
          .execute();
      }),
    find: (number: string): Promise<TicketRow | undefined> =>
      tables.selectFrom("support_ticket").selectAll().where("number", "=", number).executeTakeFirst(),
    listMessages: (number: string): Promise<MessageRow[]> =>
      tables
        .selectFrom("support_message")
        .select(["author", "text", "created_ms"])
        .where("number", "=", number)
        .orderBy("id")
        .execute(),
    async listAttachmentNames(number: string): Promise<string[]> {
      const rows = await tables
        .selectFrom("support_attachment")
        .select("name")
        .where("number", "=", number)
        .orderBy("id")
        .execute();
      return rows.map(({ name }) => name);
    },
    /** False when the ticket holds so many messages already. */
    reply: (number: string, message: MessageRow, state: string, messagesMax: number): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        await lockTicket(inside, number);
        if ((await countOf(inside, "support_message", number)) >= messagesMax) return false;
        await inside
          .insertInto("support_message")
          .values({ number, ...message })
          .execute();
        await inside
          .updateTable("support_ticket")
          .set({ state, updated_ms: message.created_ms })
          .where("number", "=", number)
          .execute();
        return true;
      }),
    /** False when the ticket holds so many pictures already. */
    attach: (number: string, attachment: AttachmentRow, attachmentsMax: number): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        await lockTicket(inside, number);
        if ((await countOf(inside, "support_attachment", number)) >= attachmentsMax) return false;
        await inside
          .insertInto("support_attachment")
          .values({ number, ...attachment })
          .execute();
        return true;
      }),
  };
}

/** Until the transaction ends nobody else counts or adds. */
async function lockTicket(inside: Kysely<SupportTables>, number: string): Promise<void> {
  await inside.updateTable("support_ticket").set({ number }).where("number", "=", number).execute();
}

async function countOf(
  inside: Kysely<SupportTables>,
  table: "support_message" | "support_attachment",
  number: string,
): Promise<number> {
  const row = await inside
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  return row.count;
}
