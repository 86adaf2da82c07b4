// Whether a user still owns anything in any of their wallet accounts: balances, and what orders, positions, bots, copies
// and products hold. Virtual funds of the demo do not count.
import type { Kysely } from "kysely";
import type { BalanceRow } from "../projectors/rows/rows.ts";

const DEMO = "demo";

type Tables = {
  engine_accounts: { readonly account: number; readonly user_id: number; readonly book: string };
  engine_balances: Pick<BalanceRow, "account" | "available_units" | "frozen_units">;
};

export async function holdsAssets(kysely: Kysely<unknown>, userId: number): Promise<boolean> {
  const row = await kysely
    .$extendTables<Tables>()
    .selectFrom("engine_accounts as a")
    .innerJoin("engine_balances as b", "b.account", "a.account")
    .select("b.account")
    .where("a.user_id", "=", userId)
    .where("a.book", "!=", DEMO)
    .where((is) => is.or([is("b.available_units", "!=", 0n), is("b.frozen_units", "!=", 0n)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
