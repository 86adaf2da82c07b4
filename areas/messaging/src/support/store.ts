// The SQL of support.
import type { Sealing } from "@clockwork/host/vault";
import type { Generated, Kysely } from "kysely";
import type { Author, TicketKind } from "./contract.ts";
import { openText, sealBytes, sealText } from "./seal-rules.ts";

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
  readonly author: Author;
  readonly text: string;
  readonly created_ms: number;
}
export interface AttachmentRow {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/** Sealed rows have empty plain columns. */
export type SupportTables = {
  support_ticket: TicketRow & { readonly sealed: Uint8Array | null };
  support_message: MessageRow & {
    readonly id: Generated<number>;
    readonly number: string;
    readonly sealed: Uint8Array | null;
    /** Chats only. */
    readonly client_id: Generated<string | null>;
    readonly file_id: Generated<number | null>;
  };
  support_chat: { readonly user_id: number; readonly read_id: number; readonly wrote_ms: number };
  support_attachment: AttachmentRow & {
    readonly id: Generated<number>;
    readonly number: string;
    readonly name_sealed: Uint8Array | null;
  };
};

const SEALED_AT_ONCE = 100;

export type SupportStore = ReturnType<typeof supportStore>;

export function supportStore(kysely: Kysely<unknown>, vault: Sealing) {
  const tables = kysely.$extendTables<SupportTables>();
  return {
    open: (ticket: TicketRow, message: MessageRow): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        await inside.insertInto("support_ticket").values(sealTicket(vault, ticket)).execute();
        await inside
          .insertInto("support_message")
          .values(sealMessage(vault, ticket.number, message))
          .execute();
      }),
    async find(number: string): Promise<TicketRow | undefined> {
      const row = await tables.selectFrom("support_ticket").selectAll().where("number", "=", number).executeTakeFirst();
      return row === undefined ? undefined : openTicket(vault, row);
    },
    /** The forms an account has sent, the newest first; its chats are elsewhere. */
    async listOwn(userId: number, limit: number): Promise<TicketRow[]> {
      const rows = await tables
        .selectFrom("support_ticket")
        .selectAll()
        .where("user_id", "=", userId)
        .where("kind", "!=", "chat")
        .orderBy("created_ms", "desc")
        .orderBy("number")
        .limit(limit)
        .execute();
      return rows.map((row) => openTicket(vault, row));
    },
    async listMessages(number: string): Promise<MessageRow[]> {
      const rows = await tables
        .selectFrom("support_message")
        .select(["author", "text", "created_ms", "sealed"])
        .where("number", "=", number)
        .orderBy("id")
        .execute();
      return rows.map(({ sealed, text, ...row }) => ({
        ...row,
        text: sealed === null ? text : openText(vault, "message", number, sealed),
      }));
    },
    async listFiles(number: string): Promise<{ id: number; name: string }[]> {
      const rows = await tables
        .selectFrom("support_attachment")
        .select(["id", "name", "name_sealed"])
        .where("number", "=", number)
        .orderBy("id")
        .execute();
      return rows.map(({ id, name, name_sealed }) => ({ id, name: openName(vault, number, name, name_sealed) }));
    },
    /** False when the ticket is at its limit of messages. */
    reply: (number: string, message: MessageRow, state: string, messagesMax: number): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        await lockTicket(inside, number);
        if ((await countOf(inside, "support_message", number)) >= messagesMax) return false;
        await inside
          .insertInto("support_message")
          .values(sealMessage(vault, number, message))
          .execute();
        await inside
          .updateTable("support_ticket")
          .set({ state, updated_ms: message.created_ms })
          .where("number", "=", number)
          .execute();
        return true;
      }),
    /** False when the ticket is at its limit of pictures. */
    attach: (number: string, attachment: AttachmentRow, attachmentsMax: number): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        await lockTicket(inside, number);
        if ((await countOf(inside, "support_attachment", number)) >= attachmentsMax) return false;
        await inside
          .insertInto("support_attachment")
          .values({ number, media_type: attachment.media_type, ...sealFile(vault, number, attachment) })
          .execute();
        return true;
      }),
    /** Seals rows from before sealing existed, a few at a time. */
    async sealPlain(): Promise<void> {
      while (await sealSome(tables, vault));
    },
  };
}

/** False when nothing is left. */
async function sealSome(tables: Kysely<SupportTables>, vault: Sealing): Promise<boolean> {
  const tickets = await tables
    .selectFrom("support_ticket")
    .selectAll()
    .where("sealed", "is", null)
    .limit(SEALED_AT_ONCE)
    .execute();
  for (const row of tickets) {
    const { name, email, sealed } = sealTicket(vault, row);
    const change = tables.updateTable("support_ticket").set({ name, email, sealed }).where("number", "=", row.number);
    await change.where("sealed", "is", null).execute();
  }
  const messages = await tables
    .selectFrom("support_message")
    .selectAll()
    .where("sealed", "is", null)
    .limit(SEALED_AT_ONCE)
    .execute();
  for (const row of messages) {
    const { text, sealed } = sealMessage(vault, row.number, row);
    const change = tables.updateTable("support_message").set({ text, sealed }).where("id", "=", row.id);
    await change.where("sealed", "is", null).execute();
  }
  const files = await tables
    .selectFrom("support_attachment")
    .selectAll()
    .where("name_sealed", "is", null)
    .limit(SEALED_AT_ONCE)
    .execute();
  for (const row of files) {
    const change = tables.updateTable("support_attachment").set(sealFile(vault, row.number, row));
    await change.where("id", "=", row.id).where("name_sealed", "is", null).execute();
  }
  return tickets.length + messages.length + files.length > 0;
}

export function sealTicket(vault: Sealing, row: TicketRow): SupportTables["support_ticket"] {
  const person = JSON.stringify({ name: row.name, email: row.email });
  return { ...row, name: "", email: "", sealed: sealText(vault, "person", row.number, person) };
}

export function openTicket(vault: Sealing, { sealed, ...row }: SupportTables["support_ticket"]): TicketRow {
  if (sealed === null) return row;
  const person = JSON.parse(openText(vault, "person", row.number, sealed)) as Pick<TicketRow, "name" | "email">;
  return { ...row, ...person };
}

export function sealMessage(vault: Sealing, number: string, { author, text, created_ms }: MessageRow) {
  return { number, author, text: "", created_ms, sealed: sealText(vault, "message", number, text) };
}

export function sealFile(vault: Sealing, number: string, { name, bytes }: Pick<AttachmentRow, "name" | "bytes">) {
  const name_sealed = sealText(vault, "file-name", number, name);
  return { name: "", bytes: sealBytes(vault, "file", number, bytes), name_sealed };
}

export function openName(vault: Sealing, number: string, name: string, sealed: Uint8Array | null): string {
  return sealed === null ? name : openText(vault, "file-name", number, sealed);
}

/** Blocks other counts and additions until the transaction ends. */
export async function lockTicket(inside: Kysely<SupportTables>, number: string): Promise<void> {
  await inside.updateTable("support_ticket").set({ number }).where("number", "=", number).execute();
}

export async function countOf(
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
