// The SQL of rebalancing bots. The bots' own tables are written by the projection.
import type { Kysely } from "kysely";

export interface RebalancerRow {
  readonly rebalancer: number;
  readonly account: number;
  readonly source: number;
  readonly threshold_bps: number;
  readonly interval_ms: number;
  readonly status: string;
  readonly rounds: number;
  readonly invested_units: bigint;
  readonly fees_units: bigint;
  readonly value_units: bigint;
  readonly created_ms: number;
  readonly updated_sequence: number;
  readonly updated_ms: number;
}

export interface OwnedRebalancer extends RebalancerRow {
  readonly user_id: number;
}

export interface CoinRow {
  readonly rebalancer: number;
  readonly place: number;
  readonly market: number;
  readonly weight_bps: number;
  readonly price_ticks: number;
  readonly held_lots: bigint;
  readonly value_units: bigint;
}

export interface RoundRow {
  readonly rebalancer: number;
  readonly number: number;
  readonly sequence: number;
  readonly change: string;
  readonly cause: string;
  readonly value_units: bigint;
  readonly fees_units: bigint;
  readonly time_ms: number;
}

export interface LegRow {
  readonly rebalancer: number;
  readonly number: number;
  readonly place: number;
  readonly market: number;
  readonly price_ticks: number;
  readonly traded_lots: bigint;
}

export interface WorthRow {
  readonly rebalancer: number;
  readonly time_ms: number;
  readonly total_units: bigint;
}

// A type, not an interface: only a type fits Kysely's table record.
type Tables = {
  engine_rebalancers: RebalancerRow;
  engine_rebalancer_coins: CoinRow;
  engine_rebalancer_rounds: RoundRow;
  engine_rebalancer_legs: LegRow;
  engine_accounts: { readonly account: number; readonly user_id: number };
  rebalance_worth: WorthRow;
  rebalance_clone: { readonly rebalancer: number; readonly from_rebalancer: number };
};

export type RebalanceStore = ReturnType<typeof rebalanceStore>;

export function rebalanceStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<Tables>();
  return { ...publishedRows(tables), ...roundRows(tables), ...worthRows(tables), ...cloneRows(tables) };
}

/** The projection's rows. */
function publishedRows(tables: Kysely<Tables>) {
  const owned = () =>
    tables
      .selectFrom("engine_rebalancers")
      .innerJoin("engine_accounts", "engine_accounts.account", "engine_rebalancers.account")
      .selectAll("engine_rebalancers")
      .select("engine_accounts.user_id");
  return {
    find: (rebalancer: number): Promise<OwnedRebalancer | undefined> =>
      owned().where("rebalancer", "=", rebalancer).executeTakeFirst(),
    list(userId: number, isClosed: boolean | undefined, limit: number): Promise<OwnedRebalancer[]> {
      const all = owned().where("user_id", "=", userId);
      const query = isClosed === undefined ? all : all.where("status", isClosed ? "=" : "<>", "CLOSED");
      return query.orderBy("rebalancer", "desc").limit(limit).execute();
    },
    running: (): Promise<OwnedRebalancer[]> => owned().where("status", "<>", "CLOSED").orderBy("rebalancer").execute(),
    coins: (rebalancers: readonly number[]): Promise<CoinRow[]> =>
      rebalancers.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_rebalancer_coins")
            .selectAll()
            .where("rebalancer", "in", [...rebalancers])
            .orderBy("rebalancer")
            .orderBy("place")
            .execute(),
  };
}

function roundRows(tables: Kysely<Tables>) {
  return {
    /** Newest first. */
    rounds(rebalancer: number, before: number | undefined, limit: number): Promise<RoundRow[]> {
      const all = tables.selectFrom("engine_rebalancer_rounds").selectAll().where("rebalancer", "=", rebalancer);
      const query = before === undefined ? all : all.where("number", "<", before);
      return query.orderBy("number", "desc").limit(limit).execute();
    },
    legs: (rebalancer: number, from: number, to: number): Promise<LegRow[]> =>
      tables
        .selectFrom("engine_rebalancer_legs")
        .selectAll()
        .where("rebalancer", "=", rebalancer)
        .where("number", ">=", from)
        .where("number", "<=", to)
        .orderBy("place")
        .execute(),
    /** The bot a command made. */
    async madeBy(sequence: number): Promise<number | undefined> {
      const query = tables.selectFrom("engine_rebalancer_rounds").select("rebalancer").where("sequence", "=", sequence);
      return (await query.where("change", "=", "created").executeTakeFirst())?.rebalancer;
    },
    /** When each last applied its interval; one without trades by it is missing. */
    async keptAt(rebalancers: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (rebalancers.length === 0) return new Map();
      const rows = await tables
        .selectFrom("engine_rebalancer_rounds")
        .select(({ fn }) => ["rebalancer", fn.max("time_ms").as("kept_ms")])
        .where("rebalancer", "in", [...rebalancers])
        .where("cause", "in", ["start", "interval"])
        .groupBy("rebalancer")
        .execute();
      return new Map(rows.map(({ rebalancer, kept_ms }) => [rebalancer, Number(kept_ms)]));
    },
  };
}

function worthRows(tables: Kysely<Tables>) {
  return {
    async addWorth(row: WorthRow): Promise<void> {
      const insert = tables.insertInto("rebalance_worth").values(row);
      await insert.onConflict((at) => at.columns(["rebalancer", "time_ms"]).doNothing()).execute();
    },
    worth: (rebalancers: readonly number[], fromMs: number): Promise<WorthRow[]> =>
      rebalancers.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("rebalance_worth")
            .selectAll()
            .where("rebalancer", "in", [...rebalancers])
            .where("time_ms", ">=", fromMs)
            .orderBy("time_ms")
            .execute(),
    async clearWorth(beforeMs: number): Promise<void> {
      await tables.deleteFrom("rebalance_worth").where("time_ms", "<", beforeMs).execute();
    },
  };
}

function cloneRows(tables: Kysely<Tables>) {
  return {
    async noteClone(rebalancer: number, from: number): Promise<void> {
      const insert = tables.insertInto("rebalance_clone").values({ rebalancer, from_rebalancer: from });
      await insert.onConflict((at) => at.column("rebalancer").doNothing()).execute();
    },
    async countClones(rebalancers: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (rebalancers.length === 0) return new Map();
      const rows = await tables
        .selectFrom("rebalance_clone")
        .select(({ fn }) => ["from_rebalancer", fn.countAll().as("count")])
        .where("from_rebalancer", "in", [...rebalancers])
        .groupBy("from_rebalancer")
        .execute();
      return new Map(rows.map(({ from_rebalancer, count }) => [from_rebalancer, Number(count)]));
    },
  };
}
