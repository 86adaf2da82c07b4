// The portfolio's SQL and nothing but SQL: an account's fills in their order, and what moved since a moment.
import type { Kysely } from "kysely";

export interface FillFacts {
  readonly account: number;
  readonly sequence: number;
  readonly trade_number: number;
  readonly market: number;
  readonly side: string;
  readonly lots: bigint;
  readonly notional_units: bigint;
  readonly fee_asset: number | null;
  readonly fee_units: bigint;
  readonly time_ms: number;
}

interface BillFacts {
  readonly account: number;
  readonly asset: number;
  readonly delta_units: bigint;
  readonly sequence: number;
  readonly time_ms: number;
}

export type PortfolioStore = ReturnType<typeof portfolioStore>;

export function portfolioStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_fills: FillFacts; engine_bills: BillFacts }>();
  return {
    /** Oldest first, after the one given. */
    listFills(account: number, after: readonly [number, number], limit: number): Promise<FillFacts[]> {
      const [sequence, trade] = after;
      return tables
        .selectFrom("engine_fills")
        .selectAll()
        .where("account", "=", account)
        .where("sequence", ">=", sequence)
        .where(({ or, eb }) => or([eb("sequence", ">", sequence), eb("trade_number", ">", trade)]))
        .orderBy("sequence")
        .orderBy("trade_number")
        .limit(limit)
        .execute();
    },
    listFillsSince(account: number, sinceMs: number, limit: number): Promise<FillFacts[]> {
      const query = tables.selectFrom("engine_fills").selectAll().where("account", "=", account);
      return query.where("time_ms", ">=", sinceMs).orderBy("sequence", "desc").limit(limit).execute();
    },
    listMovesSince(
      account: number,
      sinceMs: number,
      limit: number,
    ): Promise<Pick<BillFacts, "asset" | "delta_units">[]> {
      const query = tables.selectFrom("engine_bills").select(["asset", "delta_units"]).where("account", "=", account);
      return query.where("time_ms", ">=", sinceMs).orderBy("sequence", "desc").limit(limit).execute();
    },
  };
}
