// The SQL of liquidations: reports from the projection.
import type { Kysely } from "kysely";

export interface LiquidationRecord {
  readonly sequence: number;
  readonly place: number;
  readonly account: number;
  readonly market: number;
  readonly position_id: number;
  readonly isolated: boolean;
  readonly leverage: number;
  readonly lots: bigint;
  readonly cost_units: bigint;
  readonly cost_excess: bigint;
  readonly mark_ticks: number;
  readonly cash_units: bigint;
  readonly profit_units: bigint;
  readonly need_units: bigint;
  readonly available_units: bigint;
  readonly frozen_units: bigint;
  readonly time_ms: number;
}

export interface StepRecord {
  readonly sequence: number;
  readonly place: number;
  readonly line: number;
  readonly step: string;
  readonly market: number;
  readonly bankruptcy_ticks: number;
  readonly held_lots: bigint;
  readonly lots: bigint;
  readonly value_units: bigint;
  readonly cash_units: bigint | null;
  readonly book_lots: bigint;
  readonly book_units: bigint;
  readonly fund_units: bigint;
  readonly fee_units: bigint;
}

export interface DeleveragingRecord {
  readonly sequence: number;
  readonly number: number;
  readonly place: number | null;
  readonly line: number | null;
  readonly market: number;
  readonly price_ticks: number;
  readonly lots: bigint;
}

type ReportTables = {
  engine_liquidations: LiquidationRecord;
  engine_liquidation_steps: StepRecord;
  engine_deleveragings: DeleveragingRecord;
};

export type LiquidationStore = ReturnType<typeof liquidationStore>;

export function liquidationStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<ReportTables>();
  return {
    find: (sequence: number, place: number): Promise<LiquidationRecord | undefined> =>
      tables
        .selectFrom("engine_liquidations")
        .selectAll()
        .where("sequence", "=", sequence)
        .where("place", "=", place)
        .executeTakeFirst(),

    /** Newest first. */
    list(
      accounts: readonly number[],
      before: readonly [number, number] | undefined,
      limit: number,
    ): Promise<LiquidationRecord[]> {
      let query = tables.selectFrom("engine_liquidations").selectAll().where("account", "in", accounts);
      if (before !== undefined) {
        const [sequence, place] = before;
        query = query
          .where("sequence", "<=", sequence)
          .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("place", "<", place)]));
      }
      return query.orderBy("sequence", "desc").orderBy("place", "desc").limit(limit).execute();
    },

    listSteps: (sequence: number, place: number): Promise<StepRecord[]> =>
      tables
        .selectFrom("engine_liquidation_steps")
        .selectAll()
        .where("sequence", "=", sequence)
        .where("place", "=", place)
        .orderBy("line")
        .execute(),

    listDeleveragings: (sequence: number, place: number): Promise<DeleveragingRecord[]> =>
      tables
        .selectFrom("engine_deleveragings")
        .select(["sequence", "number", "place", "line", "market", "price_ticks", "lots"])
        .where("sequence", "=", sequence)
        .where("place", "=", place)
        .orderBy("number")
        .execute(),
  };
}
