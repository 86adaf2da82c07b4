// The SQL of hot search.
import { type Kysely, sql } from "kysely";
import type { FoundBody } from "./contract.ts";

type SearchTables = { searches_day: FoundBody & { readonly day: string; readonly count: number } };

export type SearchStore = ReturnType<typeof searchStore>;

export function searchStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SearchTables>();
  return {
    async count(day: string, { kind, key }: FoundBody): Promise<void> {
      await tables
        .insertInto("searches_day")
        .values({ day, kind, key, count: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(["day", "kind", "key"])
            .doUpdateSet((update) => ({ count: update("searches_day.count", "+", 1) })),
        )
        .execute();
    },
    list: (fromDay: string, limit: number): Promise<FoundBody[]> =>
      tables
        .selectFrom("searches_day")
        .select(["kind", "key"])
        .where("day", ">=", fromDay)
        .groupBy(["kind", "key"])
        .orderBy(sql`sum(count)`, "desc")
        .orderBy("key")
        .limit(limit)
        .execute(),
    async deleteBefore(day: string): Promise<void> {
      await tables.deleteFrom("searches_day").where("day", "<", day).execute();
    },
  };
}
