// The SQL of the support chat. A conversation is a ticket of the kind `chat`.
import type { Sealing } from "@clockwork/host/vault";
import { type Kysely, sql } from "kysely";
import { openText } from "./seal-rules.ts";
import {
  type AttachmentRow,
  countOf,
  lockTicket,
  type MessageRow,
  type SupportTables,
  sealFile,
  sealMessage,
  sealTicket,
  type TicketRow,
} from "./store.ts";

export interface ChatRow extends MessageRow {
  readonly id: number;
  readonly file_id: number | null;
}

export interface ChatEntry {
  readonly userId: number;
  readonly clientId: string;
  readonly text: string;
  readonly timeMs: number;
}

export interface Kept {
  readonly message: ChatRow;
  readonly ticket: Pick<TicketRow, "number" | "kind" | "user_id">;
  /** False when it was stored before. */
  readonly isNew: boolean;
}

export interface ChatBounds {
  /** Messages of a conversation: another one starts when it is full. */
  readonly messagesMax: number;
  /** Conversations started since then. */
  readonly sinceMs: number;
  readonly ticketsMax: number;
}

export type ChatStore = ReturnType<typeof chatStore>;

export function chatStore(kysely: Kysely<unknown>, vault: Sealing) {
  const tables = kysely.$extendTables<SupportTables>();
  return {
    async list(userId: number, after: number, limit: number): Promise<ChatRow[]> {
      const rows = await ownMessages(tables, userId).where("m.id", ">", after).orderBy("m.id").limit(limit).execute();
      return rows.map((row) => openRow(vault, row));
    },
    /** The newest before a message, in their order. */
    async listBefore(userId: number, before: number, limit: number): Promise<ChatRow[]> {
      const newest = ownMessages(tables, userId).where("m.id", "<", before).orderBy("m.id", "desc").limit(limit);
      return (await newest.execute()).reverse().map((row) => openRow(vault, row));
    },
    findCurrent: (userId: number): Promise<TicketHead | undefined> => findCurrent(tables, userId),
    async readState(userId: number): Promise<{ unread: number; lastId: number; readId: number }> {
      const row = await tables
        .selectFrom("support_message as m")
        .innerJoin("support_ticket as t", "t.number", "m.number")
        .leftJoin("support_chat as c", "c.user_id", "t.user_id")
        .select([
          sql<number | null>`max(m.id)`.as("last"),
          sql<number | null>`max(c.read_id)`.as("read"),
          sql<number>`count(case when m.author <> 'visitor' and m.id > coalesce(c.read_id, 0) then 1 end)`.as("unread"),
        ])
        .where("t.user_id", "=", userId)
        .where("t.kind", "=", "chat")
        .executeTakeFirstOrThrow();
      return { unread: Number(row.unread), lastId: Number(row.last ?? 0), readId: Number(row.read ?? 0) };
    },
    /** False when this position was read before. Only existing messages count. */
    async markRead(userId: number, id: number): Promise<boolean> {
      const own = await ownMessages(tables, userId).where("m.id", "=", id).executeTakeFirst();
      if (own === undefined) return false;
      const mark = tables.updateTable("support_chat").set({ read_id: id }).where("user_id", "=", userId);
      return (await mark.where("read_id", "<", id).executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** Into the latest conversation, or a new one. Undefined when too many were started already. */
    write: (entry: ChatEntry, bounds: ChatBounds, makeTicket: () => TicketRow): Promise<Kept | undefined> =>
      tables.transaction().execute(async (inside) => {
        await takeTurn(inside, entry);
        const known = await findKept(inside, vault, entry);
        if (known !== undefined) return known;
        const ticket = await openConversation(inside, vault, entry.userId, bounds, makeTicket);
        return ticket === undefined ? undefined : addMessage(inside, vault, ticket, entry, null);
      }),
    /** Undefined where no conversation is open, or it is at its limit of pictures. */
    attach: (entry: ChatEntry, file: AttachmentRow, filesMax: number): Promise<Kept | undefined> =>
      tables.transaction().execute(async (inside) => {
        await takeTurn(inside, entry);
        const known = await findKept(inside, vault, entry);
        if (known !== undefined) return known;
        const ticket = await findCurrent(inside, entry.userId);
        if (ticket === undefined || ticket.state === "closed") return undefined;
        await lockTicket(inside, ticket.number);
        if ((await countOf(inside, "support_attachment", ticket.number)) >= filesMax) return undefined;
        const { id } = await inside
          .insertInto("support_attachment")
          .values({
            number: ticket.number,
            media_type: file.media_type,
            ...sealFile(vault, ticket.number, file),
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return addMessage(inside, vault, ticket, entry, id);
      }),
    /** The ticket of the user's own picture. */
    async findFile(userId: number, fileId: number): Promise<string | undefined> {
      const row = await ownMessages(tables, userId).where("m.file_id", "=", fileId).executeTakeFirst();
      return row?.number;
    },
  };
}

type TicketHead = Pick<TicketRow, "number" | "kind" | "user_id" | "state">;
type Tables = Kysely<SupportTables>;

const ownMessages = (tables: Tables, userId: number) =>
  tables
    .selectFrom("support_message as m")
    .innerJoin("support_ticket as t", "t.number", "m.number")
    .select(["m.id", "m.number", "m.author", "m.text", "m.sealed", "m.created_ms", "m.file_id"])
    .where("t.user_id", "=", userId)
    .where("t.kind", "=", "chat");

interface SealedRow extends ChatRow {
  readonly number: string;
  readonly sealed: Uint8Array | null;
}

function openRow(vault: Sealing, { number, sealed, ...row }: SealedRow): ChatRow {
  return { ...row, text: sealed === null ? row.text : openText(vault, "message", number, sealed) };
}

/** Locks this account's messages until the transaction ends. */
async function takeTurn(inside: Tables, { userId, timeMs }: ChatEntry): Promise<void> {
  await inside
    .insertInto("support_chat")
    .values({ user_id: userId, read_id: 0, wrote_ms: timeMs })
    .onConflict((at) => at.column("user_id").doUpdateSet({ wrote_ms: timeMs }))
    .execute();
}

async function findKept(inside: Tables, vault: Sealing, { userId, clientId }: ChatEntry): Promise<Kept | undefined> {
  const row = await ownMessages(inside, userId).where("m.client_id", "=", clientId).executeTakeFirst();
  if (row === undefined) return undefined;
  const ticket = { number: row.number, kind: "chat", user_id: userId } as const;
  return { message: openRow(vault, row), ticket, isNew: false };
}

function findCurrent(tables: Tables, userId: number): Promise<TicketHead | undefined> {
  return tables
    .selectFrom("support_ticket")
    .select(["number", "kind", "user_id", "state"])
    .where("user_id", "=", userId)
    .where("kind", "=", "chat")
    .orderBy("created_ms", "desc")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

async function openConversation(
  inside: Tables,
  vault: Sealing,
  userId: number,
  { messagesMax, sinceMs, ticketsMax }: ChatBounds,
  makeTicket: () => TicketRow,
): Promise<TicketHead | undefined> {
  const current = await findCurrent(inside, userId);
  if (current !== undefined && current.state !== "closed") {
    await lockTicket(inside, current.number);
    if ((await countOf(inside, "support_message", current.number)) < messagesMax) return current;
  }
  const started = await inside
    .selectFrom("support_ticket")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("kind", "=", "chat")
    .where("created_ms", ">", sinceMs)
    .executeTakeFirstOrThrow();
  if (Number(started.count) >= ticketsMax) return undefined;
  const ticket = makeTicket();
  await inside.insertInto("support_ticket").values(sealTicket(vault, ticket)).execute();
  return ticket;
}

async function addMessage(
  inside: Tables,
  vault: Sealing,
  ticket: TicketHead,
  { clientId, text, timeMs }: ChatEntry,
  fileId: number | null,
): Promise<Kept> {
  const message = { author: "visitor", text, created_ms: timeMs } as const;
  const { id } = await inside
    .insertInto("support_message")
    .values({ ...sealMessage(vault, ticket.number, message), client_id: clientId, file_id: fileId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await inside
    .updateTable("support_ticket")
    // A ticket without an answer still waits for its first one.
    .set({ state: ticket.state === "received" ? "received" : "in-progress", updated_ms: timeMs })
    .where("number", "=", ticket.number)
    .execute();
  return { message: { ...message, id, file_id: fileId }, ticket, isNew: true };
}
