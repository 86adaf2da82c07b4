// The SQL of codes. Each change is one statement, so that concurrent tries are counted one by one.
import { type Kysely, sql } from "kysely";

export interface CodeRow {
  readonly key: string;
  readonly mark: string;
  readonly tries_left: number;
  readonly sent_at_ms: number;
  readonly expires_at_ms: number;
  readonly day_count: number;
  readonly day_start_ms: number;
}

export interface CodeStore {
  find(key: string): Promise<CodeRow | undefined>;
  /** Puts the code in place unless one was sent after `sentBeforeMs`; false then. */
  put(row: CodeRow, sentBeforeMs: number, dayMs: number): Promise<boolean>;
  /** Uses one try and returns the mark to compare with; undefined without a valid code or a try left. */
  takeTry(key: string, nowMs: number): Promise<string | undefined>;
  /** True for the one caller that ends this code. */
  consume(key: string, mark: string): Promise<boolean>;
  /** Ends unused codes: the key's own, and those whose key continues after a space. */
  endAll(key: string): Promise<void>;
  remove(beforeMs: number): Promise<void>;
}

/** The row remains, so that the pause before the next code is kept; its code is invalid. */
const DEAD = { tries_left: 0, expires_at_ms: 0, mark: "" } as const;

type CodeTables = { codes_code: CodeRow };

export function codeStore(kysely: Kysely<unknown>): CodeStore {
  const tables = kysely.$extendTables<CodeTables>();
  return {
    find: (key) => tables.selectFrom("codes_code").selectAll().where("key", "=", key).executeTakeFirst(),
    async put(row, sentBeforeMs, dayMs) {
      const sameDay = sql<boolean>`codes_code.day_start_ms > ${row.sent_at_ms - dayMs}`;
      const result = await tables
        .insertInto("codes_code")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet((update) => ({
              mark: update.ref("excluded.mark"),
              tries_left: update.ref("excluded.tries_left"),
              sent_at_ms: update.ref("excluded.sent_at_ms"),
              expires_at_ms: update.ref("excluded.expires_at_ms"),
              day_count: sql<number>`case when ${sameDay} then codes_code.day_count + 1 else 1 end`,
              day_start_ms: sql<number>`case when ${sameDay} then codes_code.day_start_ms else excluded.day_start_ms end`,
            }))
            .where("codes_code.sent_at_ms", "<=", sentBeforeMs),
        )
        .returning("key")
        .executeTakeFirst();
      return result !== undefined;
    },
    async takeTry(key, nowMs) {
      const row = await tables
        .updateTable("codes_code")
        .set((update) => ({ tries_left: update("tries_left", "-", 1) }))
        .where("key", "=", key)
        .where("tries_left", ">", 0)
        .where("expires_at_ms", ">", nowMs)
        .returning("mark")
        .executeTakeFirst();
      return row?.mark;
    },
    async consume(key, mark) {
      const row = await tables
        .updateTable("codes_code")
        .set(DEAD)
        .where("key", "=", key)
        .where("mark", "=", mark)
        .returning("key")
        .executeTakeFirst();
      return row !== undefined;
    },
    async endAll(key) {
      const codes = tables.updateTable("codes_code").set(DEAD);
      await codes.where("key", "=", key).execute();
      // A range of keys compared byte by byte: `!` follows the space.
      await codes.where("key", ">=", `${key} `).where("key", "<", `${key}!`).execute();
    },
    async remove(beforeMs) {
      await tables.deleteFrom("codes_code").where("sent_at_ms", "<", beforeMs).execute();
    },
  };
}
