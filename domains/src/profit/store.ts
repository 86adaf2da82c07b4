// The SQL of profit and nothing but SQL: what moved in a user's books, summed by day.
import { type Kysely, sql } from "kysely";

interface BillFacts {
  readonly account: number;
  readonly asset: number;
  readonly business: string;
  readonly delta_units: bigint;
  readonly time_ms: number;
}

export interface DaySum {
  readonly account: number;
  readonly asset: number;
  readonly business: string;
  readonly day: number;
  readonly units: bigint;
}

export type ProfitStore = ReturnType<typeof profitStore>;

export function profitStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_bills: BillFacts }>();
  return {
    /** In the order of the days. What only moved between available and frozen is in no bill. */
    async sumByDay(accounts: readonly number[]): Promise<readonly DaySum[]> {
      if (accounts.length === 0) return [];
      const day = sql<number>`cast(time_ms / 86400000 as bigint)`;
      const rows = await tables
        .selectFrom("engine_bills")
        .select(["account", "asset", "business", day.as("day")])
        .select(sql<string>`cast(sum(delta_units) as text)`.as("sum"))
        .where("account", "in", accounts)
        .groupBy(["account", "asset", "business", day])
        .execute();
      return rows
        .map(({ sum, ...row }) => ({ ...row, day: Number(row.day), units: BigInt(sum) }))
        .sort((left, right) => left.day - right.day);
    },
  };
}
