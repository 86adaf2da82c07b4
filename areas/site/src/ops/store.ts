// The SQL of ops, in the subset both databases share.
import { type Kysely, sql } from "kysely";
import type { RequestSource } from "./contract.ts";
import type { StatisticsLabels } from "./rules.ts";

export interface StatisticsRow extends StatisticsLabels {
  readonly count: number;
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

export interface StatisticsTotal {
  readonly day: string;
  readonly event: string;
  readonly request_source: RequestSource;
  readonly count: number;
}

/** Days are inclusive; an absent event or source means all. */
export interface StatisticsFilter {
  readonly fromDay: string;
  readonly toDay: string;
  readonly event?: string;
  readonly requestSource?: RequestSource;
}

export interface OpsStore {
  /** Counts one event into its row and returns whether the row is new. */
  count(key: string, labels: StatisticsLabels, timeMs: number): Promise<{ isNew: boolean }>;
  /** Counts one event only if its row exists. */
  countKnown(key: string, timeMs: number): Promise<boolean>;
  countDayRows(day: string): Promise<number>;
  deleteBefore(day: string): Promise<void>;
  listRows(filter: StatisticsFilter, offset: number, limit: number): Promise<StatisticsRow[]>;
  listTotals(filter: StatisticsFilter, limit: number): Promise<StatisticsTotal[]>;
}

type OpsTables = { ops_statistics_day: StatisticsRow & { readonly key: string } };

const COLUMNS = [
  "day",
  "event",
  "request_source",
  "type",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
  "utm_id",
  "count",
  "first_at_ms",
  "last_at_ms",
] as const;

export function opsStore(kysely: Kysely<unknown>): OpsStore {
  const tables = kysely.$extendTables<OpsTables>();

  return {
    async count(key, labels, timeMs) {
      const row = await tables
        .insertInto("ops_statistics_day")
        .values({ key, ...labels, count: 1, first_at_ms: timeMs, last_at_ms: timeMs })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet((update) => ({
            count: update("ops_statistics_day.count", "+", 1),
            last_at_ms: update.ref("excluded.last_at_ms"),
          })),
        )
        .returning("count")
        .executeTakeFirstOrThrow();
      return { isNew: row.count === 1 };
    },

    async countKnown(key, timeMs) {
      const result = await tables
        .updateTable("ops_statistics_day")
        .set((update) => ({ count: update("count", "+", 1), last_at_ms: timeMs }))
        .where("key", "=", key)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async countDayRows(day) {
      const row = await tables
        .selectFrom("ops_statistics_day")
        .select((select) => select.fn.countAll<number>().as("rows"))
        .where("day", "=", day)
        .executeTakeFirstOrThrow();
      return row.rows;
    },

    async deleteBefore(day) {
      await tables.deleteFrom("ops_statistics_day").where("day", "<", day).execute();
    },

    listRows: (filter, offset, limit) =>
      chooseRows(tables, filter)
        .select(COLUMNS)
        .orderBy("day", "desc")
        .orderBy("count", "desc")
        .orderBy("key")
        .limit(limit)
        .offset(offset)
        .execute(),

    listTotals: (filter, limit) =>
      chooseRows(tables, filter)
        .select(["day", "event", "request_source", sql<number>`cast(sum(count) as bigint)`.as("count")])
        .groupBy(["day", "event", "request_source"])
        .orderBy("day", "desc")
        .orderBy("event")
        .orderBy("request_source")
        .limit(limit)
        .execute(),
  };
}

function chooseRows(tables: Kysely<OpsTables>, filter: StatisticsFilter) {
  let query = tables
    .selectFrom("ops_statistics_day")
    .where("day", ">=", filter.fromDay)
    .where("day", "<=", filter.toDay);
  if (filter.event !== undefined) query = query.where("event", "=", filter.event);
  if (filter.requestSource !== undefined) query = query.where("request_source", "=", filter.requestSource);
  return query;
}
