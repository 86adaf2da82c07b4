// The SQL of profit and nothing but SQL: what moved in a user's books, summed by day.
import type { Kysely } from "kysely";

interface BillDay {
  readonly account: number;
  readonly day: number;
  readonly asset: number;
  readonly business: string;
  readonly units: bigint;
}

export type ProfitStore = ReturnType<typeof profitStore>;

export function profitStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_bill_days: BillDay }>();
  return {
    /** In the order of the days. What only moved between available and frozen is in no bill. */
    sumByDay: (accounts: readonly number[]): Promise<BillDay[]> =>
      accounts.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_bill_days")
            .select(["account", "day", "asset", "business", "units"])
            .where("account", "in", accounts)
            .orderBy("day")
            .execute(),
  };
}
