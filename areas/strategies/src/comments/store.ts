// The SQL of comments.
import { type Kysely, sql } from "kysely";

export interface CommentRow {
  readonly number: number;
  readonly client_id: string;
  readonly leader: number;
  readonly user_id: number;
  readonly nickname: string;
  readonly text: string;
  readonly state: "SHOWN" | "HIDDEN" | "REMOVED";
  readonly reports: number;
  readonly created_ms: number;
}

export type NewComment = Omit<CommentRow, "number" | "state" | "reports">;

// A type, not an interface: only a type fits Kysely's table record.
type CommentTables = {
  comments_comment: CommentRow;
  comments_report: { comment: number; user_id: number; reason: string; created_ms: number };
  comments_writer: { user_id: number; wrote_ms: number };
};

export type CommentStore = ReturnType<typeof commentStore>;

export function commentStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<CommentTables>();
  return {
    /** Two concurrent comments of one user are written one after the other. */
    addWithin: (row: NewComment, mayAdd: (own: OwnComments) => Promise<boolean>): Promise<CommentRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        const turn = inside.insertInto("comments_writer").values({ user_id: row.user_id, wrote_ms: row.created_ms });
        await turn.onConflict((at) => at.column("user_id").doUpdateSet({ wrote_ms: row.created_ms })).execute();
        const own = ownComments(inside, row.user_id);
        const known = await own.findIntent(row.client_id);
        if (known !== undefined) return known;
        if (!(await mayAdd(own))) return undefined;
        const made = { ...row, state: "SHOWN", reports: 0 } as CommentRow;
        return inside.insertInto("comments_comment").values(made).returningAll().executeTakeFirst();
      }),
    find: (number: number): Promise<CommentRow | undefined> =>
      tables.selectFrom("comments_comment").selectAll().where("number", "=", number).executeTakeFirst(),
    list: (leader: number, before: number, limit: number): Promise<CommentRow[]> =>
      tables
        .selectFrom("comments_comment")
        .selectAll()
        .where("leader", "=", leader)
        .where("state", "=", "SHOWN")
        .where("number", "<", before)
        .orderBy("number", "desc")
        .limit(limit)
        .execute(),
    listReported: (limit: number): Promise<CommentRow[]> =>
      tables
        .selectFrom("comments_comment")
        .selectAll()
        .where("state", "=", "SHOWN")
        .where("reports", ">", 0)
        .orderBy("reports", "desc")
        .limit(limit)
        .execute(),
    async setState(number: number, values: Partial<Pick<CommentRow, "state" | "reports">>): Promise<boolean> {
      const change = tables.updateTable("comments_comment").set(values).where("number", "=", number);
      return (await change.where("state", "=", "SHOWN").executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** Each user counts once. */
    report: (comment: number, userId: number, reason: string, timeMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const added = await inside
          .insertInto("comments_report")
          .values({ comment, user_id: userId, reason, created_ms: timeMs })
          .onConflict((at) => at.columns(["comment", "user_id"]).doNothing())
          .executeTakeFirst();
        if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return;
        const more = { reports: sql<number>`reports + 1` };
        await inside.updateTable("comments_comment").set(more).where("number", "=", comment).execute();
      }),
  };
}

export type OwnComments = ReturnType<typeof ownComments>;

function ownComments(inside: Kysely<CommentTables>, userId: number) {
  const own = inside.selectFrom("comments_comment").where("user_id", "=", userId);
  return {
    findIntent: (clientId: string): Promise<CommentRow | undefined> =>
      own.selectAll().where("client_id", "=", clientId).executeTakeFirst(),
    async countSince(sinceMs: number): Promise<number> {
      const count = sql<number>`cast(count(*) as bigint)`.as("count");
      return Number((await own.select(count).where("created_ms", ">", sinceMs).executeTakeFirst())?.count ?? 0);
    },
    async hasCommented(leader: number, text: string): Promise<boolean> {
      const same = own.select("number").where("leader", "=", leader).where("text", "=", text);
      return (await same.where("state", "=", "SHOWN").executeTakeFirst()) !== undefined;
    },
  };
}
