// The SQL of the exchange's own accounts and of users' totals: reads of the tables made from the journal.
import { type Kysely, sql } from "kysely";

type LedgerTables = {
  engine_house_accounts: { account: number; purpose: string; sub: number };
  engine_accounts: { account: number; user_id: number; book: string };
  engine_balances: { account: number; asset: number; available_units: bigint; frozen_units: bigint };
};

const DEMO = ["demo", "bonus", "house"];

export function exchangeLedgerStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<LedgerTables>();
  return {
    listExchange: () =>
      tables
        .selectFrom("engine_house_accounts as own")
        .innerJoin("engine_balances as balance", "balance.account", "own.account")
        .select(["own.account", "own.purpose", "own.sub", "balance.asset"])
        .select(["balance.available_units", "balance.frozen_units"])
        .orderBy("own.purpose")
        .orderBy("own.sub")
        .orderBy("balance.asset")
        .execute(),
    async sumUsers(): Promise<ReadonlyMap<number, bigint>> {
      const rows = await tables
        .selectFrom("engine_balances as balance")
        .innerJoin("engine_accounts as owner", "owner.account", "balance.account")
        .select("balance.asset")
        .select(sql<string>`cast(sum(balance.available_units + balance.frozen_units) as text)`.as("units"))
        .where("owner.book", "not in", DEMO)
        .groupBy("balance.asset")
        .execute();
      return new Map(rows.map(({ asset, units }) => [asset, BigInt(units)]));
    },
  };
}
