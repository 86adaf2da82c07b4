// The SQL of halts.
import type { Kysely } from "kysely";

export interface StopRow {
  readonly biz: string;
  readonly pair_code: string;
  readonly status: string;
  readonly reason: string;
  readonly stopped_by: number;
  readonly stopped_ms: number;
}

export type HaltStore = ReturnType<typeof haltStore>;

export function haltStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ halts_stop: StopRow }>();
  return {
    list: (): Promise<StopRow[]> => tables.selectFrom("halts_stop").selectAll().orderBy("pair_code").execute(),
    find: (biz: string, pairCode: string): Promise<StopRow | undefined> =>
      tables
        .selectFrom("halts_stop")
        .selectAll()
        .where("biz", "=", biz)
        .where("pair_code", "=", pairCode)
        .executeTakeFirst(),
    async save(row: StopRow): Promise<void> {
      const { biz: _biz, pair_code: _code, ...values } = row;
      await tables
        .insertInto("halts_stop")
        .values(row)
        .onConflict((conflict) => conflict.columns(["biz", "pair_code"]).doUpdateSet(values))
        .execute();
    },
    async remove({ biz, pair_code, stopped_ms }: Pick<StopRow, "biz" | "pair_code" | "stopped_ms">): Promise<void> {
      await tables
        .deleteFrom("halts_stop")
        .where("biz", "=", biz)
        .where("pair_code", "=", pair_code)
        .where("stopped_ms", "=", stopped_ms)
        .execute();
    },
  };
}
