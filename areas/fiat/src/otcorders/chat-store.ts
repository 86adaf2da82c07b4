// The SQL of chats and pictures.
import type { Generated, Kysely } from "kysely";

export interface MessageRow {
  readonly id: number;
  readonly order_id: string;
  readonly author_id: number;
  readonly kind: "text" | "picture" | "system";
  readonly sealed: Uint8Array;
  readonly created_ms: number;
}
export interface FileRow {
  readonly file_id: string;
  readonly order_id: string;
  readonly user_id: number;
  readonly purpose: "chat" | "evidence";
  readonly media_type: string;
  readonly sealed: Uint8Array;
  /** Null where the whole picture is as small. */
  readonly small_sealed: Uint8Array | null;
  readonly created_ms: number;
}
/** Of a picture everything but itself. */
export type FileLine = Omit<FileRow, "sealed" | "small_sealed">;
type ChatTables = {
  otcorders_message: Omit<MessageRow, "id"> & { readonly id: Generated<number> };
  otcorders_read: { readonly order_id: string; readonly user_id: number; readonly message_id: number };
  otcorders_file: FileRow;
  otcorders_order: { readonly order_id: string };
};
type Tables = Kysely<ChatTables>;
const LINE = ["file_id", "order_id", "user_id", "purpose", "media_type", "created_ms"] as const;
export type ChatStore = ReturnType<typeof chatStore>;

export function chatStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<ChatTables>();
  return { ...messageQueries(tables), ...fileQueries(tables) };
}

function messageQueries(tables: Tables) {
  return {
    list: (orderId: string, after: number): Promise<MessageRow[]> =>
      tables
        .selectFrom("otcorders_message")
        .selectAll()
        .where("order_id", "=", orderId)
        .where("id", ">", after)
        .orderBy("id")
        .execute(),
    add: (row: Omit<MessageRow, "id">, inside?: Kysely<unknown>): Promise<MessageRow> =>
      ((inside as Tables | undefined) ?? tables)
        .insertInto("otcorders_message")
        .values(row)
        .returningAll()
        .executeTakeFirstOrThrow(),
    /** From one of the two; undefined when the chat is at its limit, also for concurrent messages. */
    addText: (message: Omit<MessageRow, "id">, messagesMax: number): Promise<MessageRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        await holdOrder(inside, message.order_id);
        if ((await countOf(inside, message.order_id, 0, undefined)) >= messagesMax) return undefined;
        return inside.insertInto("otcorders_message").values(message).returningAll().executeTakeFirstOrThrow();
      }),
    count: (orderId: string): Promise<number> => countOf(tables, orderId, 0, undefined),
    countUnread: async (orderId: string, userId: number): Promise<number> =>
      countOf(tables, orderId, await readMark(tables, orderId, userId), userId),
    readMark: (orderId: string, userId: number): Promise<number> => readMark(tables, orderId, userId),
    hasMessage: async (orderId: string, messageId: number): Promise<boolean> => {
      const query = tables.selectFrom("otcorders_message").select("id").where("order_id", "=", orderId);
      return (await query.where("id", "=", messageId).executeTakeFirst()) !== undefined;
    },
    /** Marks never go back; false where it was read before. */
    async markRead(orderId: string, userId: number, messageId: number): Promise<boolean> {
      const marked = await tables
        .insertInto("otcorders_read")
        .values({ order_id: orderId, user_id: userId, message_id: messageId })
        .onConflict((at) =>
          at
            .columns(["order_id", "user_id"])
            .doUpdateSet({ message_id: messageId })
            .where("otcorders_read.message_id", "<", messageId),
        )
        .returning("message_id")
        .executeTakeFirst();
      return marked !== undefined;
    },
  };
}

/** Thrown inside a transaction, which rolls back what came with the picture. */
export class FilesFull extends Error {}

/** Locks the order's row, so that of two concurrent calls the second counts the first. */
async function holdOrder(inside: Tables, order_id: string): Promise<void> {
  await inside.updateTable("otcorders_order").set({ order_id }).where("order_id", "=", order_id).execute();
}

async function countFiles(inside: Tables, { order_id, user_id }: FileRow): Promise<number> {
  const held = await inside
    .selectFrom("otcorders_file")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("order_id", "=", order_id)
    .where("user_id", "=", user_id)
    .executeTakeFirstOrThrow();
  return Number(held.count);
}

function fileQueries(tables: Tables) {
  return {
    /**
     * Inside a transaction that locks the complaint's row, so that of two concurrent calls the second counts the first.
     */
    async addEvidence(row: FileRow, inside: Kysely<unknown>, filesMax: number): Promise<void> {
      const own = inside as unknown as Tables;
      if ((await countFiles(own, row)) >= filesMax) throw new FilesFull();
      await own.insertInto("otcorders_file").values(row).execute();
    },
    /**
     * A picture with its message; undefined when its sender is at the limit in this order, also for concurrent ones.
     */
    addPicture: (file: FileRow, message: Omit<MessageRow, "id">, filesMax: number): Promise<MessageRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        await holdOrder(inside, file.order_id);
        if ((await countFiles(inside, file)) >= filesMax) return undefined;
        await inside.insertInto("otcorders_file").values(file).execute();
        return inside.insertInto("otcorders_message").values(message).returningAll().executeTakeFirstOrThrow();
      }),
    findFile: (fileId: string): Promise<FileLine | undefined> =>
      tables.selectFrom("otcorders_file").select(LINE).where("file_id", "=", fileId).executeTakeFirst(),
    readSealed: async (fileId: string): Promise<Uint8Array | undefined> =>
      (await tables.selectFrom("otcorders_file").select("sealed").where("file_id", "=", fileId).executeTakeFirst())
        ?.sealed,
    async readSmall(fileId: string): Promise<Uint8Array | undefined> {
      const query = tables.selectFrom("otcorders_file").select("small_sealed").where("file_id", "=", fileId);
      return (await query.executeTakeFirst())?.small_sealed ?? undefined;
    },
    listFiles: (orderId: string): Promise<FileLine[]> =>
      tables.selectFrom("otcorders_file").select(LINE).where("order_id", "=", orderId).orderBy("created_ms").execute(),
  };
}

async function readMark(tables: Tables, orderId: string, userId: number): Promise<number> {
  const query = tables.selectFrom("otcorders_read").select("message_id").where("order_id", "=", orderId);
  return (await query.where("user_id", "=", userId).executeTakeFirst())?.message_id ?? 0;
}

/** Messages after a mark, without the user's own. */
async function countOf(tables: Tables, orderId: string, after: number, exceptId: number | undefined): Promise<number> {
  let query = tables
    .selectFrom("otcorders_message")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("order_id", "=", orderId)
    .where("id", ">", after);
  if (exceptId !== undefined) query = query.where("author_id", "<>", exceptId).where("kind", "<>", "system");
  return Number((await query.executeTakeFirstOrThrow()).count);
}
