// The SQL of accounting: a user's postings in the journal's order, and the stored folds.
import type { Kysely } from "kysely";

export interface MovementRow {
  readonly account: number;
  readonly sequence: number;
  readonly line: number;
  readonly asset: number;
  readonly business: string;
  readonly delta_units: bigint;
  readonly market: number;
  readonly reference_number: number;
  readonly reference: string | null;
  readonly time_ms: number;
}

interface FoldRow {
  readonly user_id: number;
  readonly sequence: number;
  readonly lots: string;
}
interface DayRow {
  readonly user_id: number;
  readonly day: number;
  readonly record: string;
}
type Tables = { engine_bills: MovementRow; accounting_fold: FoldRow; accounting_day: DayRow };
export type AccountingStore = ReturnType<typeof accountingStore>;

export function accountingStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<Tables>();
  return {
    /** Of one account in the journal's order, the first after a command and at most up to another. */
    listMovements(account: number, after: number, through: number, limit: number): Promise<MovementRow[]> {
      return tables
        .selectFrom("engine_bills")
        .select(["account", "sequence", "line", "asset", "business", "delta_units", "market"])
        .select(["reference_number", "reference", "time_ms"])
        .where("account", "=", account)
        .where("sequence", ">", after)
        .where("sequence", "<=", through)
        .orderBy("sequence")
        .orderBy("line")
        .limit(limit)
        .execute();
    },
    readFold: (userId: number): Promise<FoldRow | undefined> =>
      tables.selectFrom("accounting_fold").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    /** Lots and days in one transaction; a fold that is already further is not overwritten. */
    write: (fold: FoldRow, days: readonly DayRow[]): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const { sequence, lots } = fold;
        const insert = inside.insertInto("accounting_fold").values(fold);
        const written = await insert
          .onConflict((at) =>
            at.column("user_id").doUpdateSet({ sequence, lots }).where("accounting_fold.sequence", "<", sequence),
          )
          .executeTakeFirst();
        if (written.numInsertedOrUpdatedRows === 0n) return;
        for (const row of days) {
          const { record } = row;
          const put = inside.insertInto("accounting_day").values(row);
          await put.onConflict((at) => at.columns(["user_id", "day"]).doUpdateSet({ record })).execute();
        }
      }),
    /** In order, from the newest day before the given one. */
    async listDays(userId: number, fromDay: number): Promise<DayRow[]> {
      const query = tables.selectFrom("accounting_day").selectAll().where("user_id", "=", userId);
      const before = await query.where("day", "<", fromDay).orderBy("day", "desc").limit(1).executeTakeFirst();
      const rows = await query.where("day", ">=", fromDay).orderBy("day").execute();
      return before === undefined ? rows : [before, ...rows];
    },
    async firstDay(userId: number): Promise<number | undefined> {
      const query = tables.selectFrom("accounting_day").select("day").where("user_id", "=", userId);
      return (await query.orderBy("day").limit(1).executeTakeFirst())?.day;
    },
  };
}
