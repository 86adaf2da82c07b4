// The SQL of positions: closed ones, from the projection.

import type { Kysely } from "kysely";
import type { PositionRow } from "../projectors/futures/futures-rows.ts";

export interface ClosedFilter {
  readonly accounts: readonly number[];
  readonly market?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Rows after this one, which the caller has: sequence of its end, then its id. */
  readonly before?: readonly [number, number] | undefined;
  readonly limit: number;
}

/** A change of an isolated position's own margin. */
export interface MarginRecord {
  readonly account: number;
  readonly sequence: number;
  readonly line: number;
  readonly market: number;
  readonly position_id: number;
  readonly side: "long" | "short";
  readonly delta_units: bigint;
  readonly margin_units: bigint;
  readonly automatic: boolean;
  readonly time_ms: number;
}

interface ModeRecord {
  readonly account: number;
  readonly sequence: number;
  readonly hedge: boolean;
}

type PositionTables = {
  engine_positions: PositionRow;
  engine_margin_changes: MarginRecord;
  engine_perp_modes: ModeRecord;
};

export type MarginFilter = ClosedFilter & {
  /** Newer rows than this one, oldest first: sequence, then line. */
  readonly after?: readonly [number, number] | undefined;
};

export type PositionStore = ReturnType<typeof positionStore>;

export function positionStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<PositionTables>();
  return {
    ...marginQueries(tables),

    /** Newest first. */
    listClosed(filter: ClosedFilter): Promise<PositionRow[]> {
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

function marginQueries(tables: Kysely<PositionTables>) {
  return {
    /** Newest first unless read forwards. */
    listMarginChanges(filter: MarginFilter): Promise<MarginRecord[]> {
      let query = tables.selectFrom("engine_margin_changes").selectAll().where("account", "in", filter.accounts);
      const { market, fromMs, toMs, before, after } = filter;
      if (market !== undefined) query = query.where("market", "=", market);
      if (fromMs !== undefined) query = query.where("time_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("time_ms", "<=", toMs);
      if (before !== undefined) {
        const [sequence, line] = before;
        query = query
          .where("sequence", "<=", sequence)
          .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("line", "<", line)]));
      }
      if (after !== undefined) {
        const [sequence, line] = after;
        query = query
          .where("sequence", ">=", sequence)
          .where(({ or, eb }) => or([eb("sequence", ">", sequence), eb("line", ">", line)]));
      }
      const way = after === undefined ? "desc" : "asc";
      return query.orderBy("sequence", way).orderBy("line", way).limit(filter.limit).execute();
    },

    /** How accounts held their positions from which command on, oldest first. */
    listModes: (accounts: readonly number[]): Promise<ModeRecord[]> =>
      tables.selectFrom("engine_perp_modes").selectAll().where("account", "in", accounts).orderBy("sequence").execute(),
  };
}
