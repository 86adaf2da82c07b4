// The SQL of clock.
import { type Kysely, sql } from "kysely";

type ClockTables = { clock_ahead: { id: number; ahead_ms: number } };

export type ClockStore = ReturnType<typeof clockStore>;

export function clockStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<ClockTables>();
  return {
    async read(): Promise<number> {
      const row = await tables.selectFrom("clock_ahead").select("ahead_ms").executeTakeFirst();
      return row?.ahead_ms ?? 0;
    },
    async add(byMs: number): Promise<void> {
      await tables
        .insertInto("clock_ahead")
        .values({ id: 1, ahead_ms: byMs })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet({ ahead_ms: sql<number>`clock_ahead.ahead_ms + ${byMs}` }),
        )
        .execute();
    },
  };
}
