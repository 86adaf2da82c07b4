// The notes slice's SQL and nothing but SQL.
import type { Kysely } from "kysely";

interface NoteRow {
  readonly user_id: number;
  readonly slot: number;
  readonly text: string;
  readonly kept_at_ms: number;
}

export type NoteStore = ReturnType<typeof noteStore>;

export function noteStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ notes_note: NoteRow }>();
  return {
    list: (userId: number) =>
      tables.selectFrom("notes_note").selectAll().where("user_id", "=", userId).orderBy("slot").execute(),
    async put(row: NoteRow): Promise<void> {
      const { text, kept_at_ms } = row;
      const insert = tables.insertInto("notes_note").values(row);
      await insert.onConflict((at) => at.columns(["user_id", "slot"]).doUpdateSet({ text, kept_at_ms })).execute();
    },
    async remove(userId: number, slot: number): Promise<boolean> {
      const remove = tables.deleteFrom("notes_note").where("user_id", "=", userId).where("slot", "=", slot);
      return (await remove.executeTakeFirst()).numDeletedRows > 0n;
    },
    async removeBefore(timeMs: number): Promise<void> {
      await tables.deleteFrom("notes_note").where("kept_at_ms", "<", timeMs).execute();
    },
  };
}
