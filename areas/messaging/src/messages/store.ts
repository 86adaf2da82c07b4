// The SQL of messages, in the subset both databases share.
import { type Generated, type Kysely, sql } from "kysely";
import { BROADCAST_KIND, type MessageChannel } from "./rules.ts";

export type MessageState = "waiting" | "kept" | "void" | "failed";

export interface MessageRow {
  readonly id: number;
  readonly receiver: string;
  readonly channel: MessageChannel;
  readonly kind: string;
  readonly sealed: Uint8Array;
  readonly state: MessageState;
  readonly tries: number;
  readonly next_at_ms: number;
  readonly created_at_ms: number;
}

export interface MessageStore {
  add(row: Omit<MessageRow, "id">): Promise<number>;
  listWaiting(nowMs: number, limit: number): Promise<MessageRow[]>;
  postpone(id: number, tries: number, nextAtMs: number): Promise<void>;
  setState(id: number, state: MessageState): Promise<void>;
  remove(id: number): Promise<void>;
  removeVoid(beforeMs: number): Promise<void>;
  /** Keeps the newest of the outbox. */
  trimKept(max: number): Promise<void>;
  listKept(receiver: string | undefined, limit: number): Promise<MessageRow[]>;
}

type MessageTables = { messages_message: Omit<MessageRow, "id"> & { readonly id: Generated<number> } };

export function messageStore(kysely: Kysely<unknown>): MessageStore {
  const tables = kysely.$extendTables<MessageTables>();
  return {
    async add(row) {
      const { id } = await tables.insertInto("messages_message").values(row).returning("id").executeTakeFirstOrThrow();
      return id;
    },
    listWaiting: (nowMs, limit) =>
      tables
        .selectFrom("messages_message")
        .selectAll()
        .where("state", "=", "waiting")
        .where("next_at_ms", "<=", nowMs)
        .orderBy(sql`case when kind = ${BROADCAST_KIND} then 1 else 0 end`)
        .orderBy("id")
        .limit(limit)
        .execute(),
    async postpone(id, tries, nextAtMs) {
      await tables.updateTable("messages_message").set({ tries, next_at_ms: nextAtMs }).where("id", "=", id).execute();
    },
    async setState(id, state) {
      await tables.updateTable("messages_message").set({ state }).where("id", "=", id).execute();
    },
    async remove(id) {
      await tables.deleteFrom("messages_message").where("id", "=", id).execute();
    },
    async removeVoid(beforeMs) {
      await tables
        .deleteFrom("messages_message")
        .where("state", "in", ["void", "failed"])
        .where("created_at_ms", "<", beforeMs)
        .execute();
    },
    async trimKept(max) {
      const oldest = await tables
        .selectFrom("messages_message")
        .select("id")
        .where("state", "=", "kept")
        .orderBy("id", "desc")
        .offset(max)
        .limit(1)
        .executeTakeFirst();
      if (oldest === undefined) return;
      await tables.deleteFrom("messages_message").where("state", "=", "kept").where("id", "<=", oldest.id).execute();
    },
    listKept(receiver, limit) {
      let query = tables.selectFrom("messages_message").selectAll().where("state", "=", "kept");
      if (receiver !== undefined) query = query.where("receiver", "=", receiver);
      return query.orderBy("id", "desc").limit(limit).execute();
    },
  };
}
