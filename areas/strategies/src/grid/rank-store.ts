// The SQL of the ranking: sorted in the database, so that any number of bots can run.
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { BotRow, GridTables, OwnedBot } from "./store.ts";

export interface RankedRow extends OwnedBot {
  /** Grid profit of the last days, in units. */
  readonly week_units: string;
}

export interface RankQuery {
  readonly nowMs: number;
  readonly weekMs: number;
  readonly isSpot: boolean;
  readonly kind?: BotRow["grid"] | undefined;
  readonly market?: number | undefined;
}

/** The conditions for a ranked bot. */
export interface RankConditions {
  readonly ageMs: number;
  readonly pairs: number;
  /** The minimum investment in units, by market. */
  readonly least: readonly { readonly markets: readonly number[]; readonly units: bigint }[];
}

export interface SparkRow {
  readonly bot: number;
  readonly point: number;
  readonly units: string;
}

const RUNNING = ["RUNNING", "OUT_OF_RANGE"];
const SPOT_KINDS = ["spot", "infinity"] as const;

export type RankStore = ReturnType<typeof rankStore>;

export function rankStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<GridTables>();
  return { ...orderRows(tables), ...figureRows(tables) };
}

/** Which bots, and in which order. */
function orderRows(tables: Kysely<GridTables>) {
  const candidates = (query: RankQuery) => candidatesOf(tables, query);
  return {
    async markets(): Promise<number[]> {
      const query = tables.selectFrom("engine_bots").select("market").distinct().where("status", "in", RUNNING);
      return (await query.execute()).map(({ market }) => market);
    },
    /** The best by the last week's grid profit relative to the investment, over the time they ran in it. */
    best(query: RankQuery, { ageMs, pairs, least }: RankConditions, limit: number): Promise<RankedRow[]> {
      const { nowMs, weekMs } = query;
      const spanMs = sql<number>`case when engine_bots.created_ms > ${nowMs - weekMs} then ${nowMs} - engine_bots.created_ms else ${weekMs} end`;
      const rate = sql<number>`cast(coalesce(week.units, 0) as double precision) / engine_bots.invested_units / (${spanMs})`;
      return candidates(query)
        .where("engine_bots.created_ms", "<=", nowMs - ageMs)
        .where("engine_bots.pairs", ">=", pairs)
        .where(({ or, and, eb }) =>
          or(least.map(({ markets, units }) => and([eb("market", "in", markets), eb("invested_units", ">=", units)]))),
        )
        .orderBy(rate, "desc")
        .orderBy("engine_bots.bot")
        .limit(limit)
        .execute();
    },
    /** Bots of some users, whatever their profit. */
    ofUsers: (query: RankQuery, users: readonly [number, number], limit: number): Promise<RankedRow[]> =>
      candidates(query)
        .where((eb) => eb.between("user_id", ...users))
        .orderBy("engine_bots.bot")
        .limit(limit)
        .execute(),
  };
}

/** Their published figures. */
function figureRows(tables: Kysely<GridTables>) {
  return {
    /** Grid profit by part of the time since, the first part is 0. */
    sparks: (bots: readonly number[], fromMs: number, partMs: number): Promise<SparkRow[]> =>
      bots.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_bot_pairs")
            .select([
              "bot",
              sql<number>`cast((time_ms - ${fromMs}) / ${partMs} as bigint)`.as("point"),
              sql<string>`cast(sum(profit_units) as text)`.as("units"),
            ])
            .where("bot", "in", [...bots])
            .where("time_ms", ">=", fromMs)
            .groupBy(["bot", "point"])
            .execute(),
    /** The maximum drawdown of a bot's worth: 0 to 1. */
    async drawdowns(bots: readonly number[], fromMs: number): Promise<ReadonlyMap<number, number>> {
      if (bots.length === 0) return new Map();
      const worth = tables
        .selectFrom("grid_worth")
        .innerJoin("engine_bots", "engine_bots.bot", "grid_worth.bot")
        .select([
          "grid_worth.bot",
          "invested_units",
          sql<number>`invested_units + total_units`.as("equity"),
          sql<number>`max(invested_units + total_units) over (partition by grid_worth.bot order by grid_worth.time_ms)`.as(
            "highest",
          ),
        ])
        .where("grid_worth.bot", "in", [...bots])
        .where("grid_worth.time_ms", ">=", fromMs)
        .where("invested_units", ">", 0n);
      const peak = sql`(case when highest > invested_units then highest else invested_units end)`;
      const rows = await tables
        .selectFrom(worth.as("seen"))
        .select(["bot", sql<number>`max(cast(${peak} - equity as double precision) / ${peak})`.as("fall")])
        .groupBy("bot")
        .execute();
      return new Map(rows.map(({ bot, fall }) => [bot, Number(fall)]));
    },
    async clones(bots: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (bots.length === 0) return new Map();
      const rows = await tables
        .selectFrom("grid_clone")
        .select(["from_bot", sql<number>`cast(count(*) as bigint)`.as("count")])
        .where("from_bot", "in", [...bots])
        .groupBy("from_bot")
        .execute();
      return new Map(rows.map(({ from_bot, count }) => [from_bot, Number(count)]));
    },
  };
}

type Weeks = { week: { bot: number; units: string } };

function candidatesOf(
  tables: Kysely<GridTables>,
  { nowMs, weekMs, isSpot, kind, market }: RankQuery,
): SelectQueryBuilder<GridTables & Weeks, "engine_bots" | "engine_accounts" | "week", RankedRow> {
  const week = tables
    .selectFrom("engine_bot_pairs")
    .select(["bot", sql<string>`sum(profit_units)`.as("units")])
    .where("time_ms", ">=", nowMs - weekMs)
    .groupBy("bot")
    .as("week");
  let query = tables
    .selectFrom("engine_bots")
    .innerJoin("engine_accounts", "engine_accounts.account", "engine_bots.account")
    .leftJoin(week, "week.bot", "engine_bots.bot")
    .selectAll("engine_bots")
    .select(["engine_accounts.user_id", sql<string>`cast(coalesce(week.units, 0) as text)`.as("week_units")])
    .where("status", "in", RUNNING)
    .where("grid", isSpot ? "in" : "not in", [...SPOT_KINDS]);
  if (kind !== undefined) query = query.where("grid", "=", kind);
  if (market !== undefined) query = query.where("market", "=", market);
  return query as unknown as SelectQueryBuilder<
    GridTables & Weeks,
    "engine_bots" | "engine_accounts" | "week",
    RankedRow
  >;
}
