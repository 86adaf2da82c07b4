// The positions slice's SQL and nothing but SQL: positions that are over, as the projection keeps them.
import type { Kysely } from "kysely";
import type { PositionRecord } from "./needs.ts";

export interface ClosedFilter {
  readonly accounts: readonly number[];
  readonly market?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Rows after this one, which the caller has: sequence of its end, then its id. */
  readonly before?: readonly [number, number] | undefined;
  readonly limit: number;
}

export type PositionStore = ReturnType<typeof positionStore>;

export function positionStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_positions: PositionRecord }>();
  return {
    /** Newest first. */
    listClosed(filter: ClosedFilter): Promise<PositionRecord[]> {
      let query = tables
        .selectFrom("engine_positions")
        .selectAll()
        .where("account", "in", filter.accounts)
        .where("closed_sequence", "is not", null);
      const { market, fromMs, toMs, before } = filter;
      if (market !== undefined) query = query.where("market", "=", market);
      if (fromMs !== undefined) query = query.where("updated_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("updated_ms", "<=", toMs);
      if (before !== undefined) {
        const [sequence, position] = before;
        query = query
          .where("closed_sequence", "<=", sequence)
          .where(({ or, eb }) => or([eb("closed_sequence", "<", sequence), eb("position_id", "<", position)]));
      }
      return query.orderBy("closed_sequence", "desc").orderBy("position_id", "desc").limit(filter.limit).execute();
    },
  };
}
