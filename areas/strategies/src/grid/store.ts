// The SQL of grid strategies. The bots' own tables are written by the projection.
import { type Kysely, sql } from "kysely";

export interface BotRow {
  readonly bot: number;
  readonly account: number;
  readonly market: number;
  readonly source: number;
  readonly grid: "spot" | "neutral" | "long" | "short" | "infinity";
  readonly spacing: "arithmetic" | "geometric";
  readonly cells: number;
  readonly leverage: number;
  readonly trigger_ticks: number;
  readonly stop_above_ticks: number;
  readonly stop_below_ticks: number;
  readonly trail_up_ticks: number;
  readonly trail_down_ticks: number;
  readonly exit_bps: number;
  readonly keeps: boolean | number;
  readonly ends_ms: number;
  readonly status: string;
  readonly reason: string;
  readonly low_ticks: number;
  readonly high_ticks: number;
  readonly lots: bigint;
  readonly invested_units: bigint;
  readonly taken_units: bigint;
  readonly fees_units: bigint;
  readonly profit_units: bigint;
  readonly pairs: number;
  readonly start_ticks: number;
  readonly created_ms: number;
  readonly updated_sequence: number;
  readonly updated_ms: number;
}

export interface OwnedBot extends BotRow {
  readonly user_id: number;
}

export interface PairRow {
  readonly bot: number;
  readonly number: number;
  readonly later: string;
  readonly low_ticks: number;
  readonly high_ticks: number;
  readonly lots: bigint;
  readonly profit_units: bigint;
  readonly earlier_ms: number;
  readonly time_ms: number;
}

export interface LogRow {
  readonly bot: number;
  readonly sequence: number;
  readonly line: number;
  readonly change: string;
  readonly status: string;
  readonly reason: string;
  readonly price_ticks: number;
  readonly low_ticks: number;
  readonly high_ticks: number;
  readonly time_ms: number;
}

export interface WorthRow {
  readonly bot: number;
  readonly time_ms: number;
  readonly total_units: bigint;
  readonly grid_units: bigint;
}

// A type, not an interface: only a type fits Kysely's table record.
export type GridTables = {
  engine_bots: BotRow;
  engine_accounts: { readonly account: number; readonly user_id: number };
  engine_bot_pairs: PairRow;
  engine_bot_log: LogRow;
  engine_bills: {
    readonly account: number;
    readonly sequence: number;
    readonly asset: number;
    readonly business: string;
    readonly delta_units: bigint;
  };
  engine_bill_days: {
    readonly account: number;
    readonly asset: number;
    readonly business: string;
    readonly units: bigint;
  };
  engine_balances: { readonly account: number; readonly asset: number };
  grid_agreement: { readonly user_id: number; readonly agreed_ms: number };
  grid_clone: { readonly bot: number; readonly from_bot: number };
  grid_worth: WorthRow;
};

const LOG_MAX = 100;

export type GridStore = ReturnType<typeof gridStore>;

export function gridStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<GridTables>();
  return { ...botRows(tables), ...pairRows(tables), ...ownRows(tables) };
}

/** The projection's rows. */
function botRows(tables: Kysely<GridTables>) {
  const owned = () =>
    tables
      .selectFrom("engine_bots")
      .innerJoin("engine_accounts", "engine_accounts.account", "engine_bots.account")
      .selectAll("engine_bots")
      .select("engine_accounts.user_id");
  return {
    find: (bot: number): Promise<OwnedBot | undefined> => owned().where("bot", "=", bot).executeTakeFirst(),
    list(userId: number, isSpot: boolean, isClosed: boolean | undefined, limit: number): Promise<OwnedBot[]> {
      let query = owned()
        .where("user_id", "=", userId)
        .where("grid", isSpot ? "in" : "not in", ["spot", "infinity"]);
      if (isClosed !== undefined) query = query.where("status", isClosed ? "=" : "<>", "CLOSED");
      return query.orderBy("bot", "desc").limit(limit).execute();
    },
    running: (): Promise<OwnedBot[]> => owned().where("status", "<>", "CLOSED").orderBy("bot").execute(),
  };
}

type Bill = Pick<GridTables["engine_bills"], "asset" | "delta_units">;

function sumsOf(rows: readonly Bill[]): Map<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { asset, delta_units } of rows) sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(delta_units));
  return sums;
}

function pairRows(tables: Kysely<GridTables>) {
  const bills = (account: number) =>
    tables.selectFrom("engine_bills").select(["asset", "delta_units"]).where("account", "=", account);
  return {
    pairs(bot: number, before: number | undefined, limit: number): Promise<PairRow[]> {
      const query = tables.selectFrom("engine_bot_pairs").selectAll().where("bot", "=", bot);
      const from = before === undefined ? query : query.where("number", "<", before);
      return from.orderBy("number", "desc").limit(limit).execute();
    },
    log: (bot: number): Promise<LogRow[]> =>
      tables
        .selectFrom("engine_bot_log")
        .selectAll()
        .where("bot", "=", bot)
        .orderBy("sequence", "desc")
        .orderBy("line", "desc")
        .limit(LOG_MAX)
        .execute(),
    /** A bot's range when it was created. */
    started: (bot: number): Promise<Pick<LogRow, "low_ticks" | "high_ticks"> | undefined> =>
      tables
        .selectFrom("engine_bot_log")
        .select(["low_ticks", "high_ticks"])
        .where("bot", "=", bot)
        .orderBy("sequence")
        .orderBy("line")
        .limit(1)
        .executeTakeFirst(),
    /** The result of trading in a book, by coin. */
    async traded(account: number): Promise<ReadonlyMap<number, bigint>> {
      const days = tables
        .selectFrom("engine_bill_days")
        .select(["asset", sql<string>`cast(sum(units) as text)`.as("sum")])
        .where("account", "=", account)
        .where("business", "<>", "botFund")
        .groupBy("asset");
      return new Map((await days.execute()).map(({ asset, sum }) => [asset, BigInt(sum)]));
    },
    /** The investments in a book, by coin; withdrawals are left out. */
    brought: async (account: number): Promise<ReadonlyMap<number, bigint>> =>
      sumsOf(
        await bills(account)
          .where("business", "=", "botFund")
          // Their position is read from the index of kinds, which holds users' bills.
          .where(
            "sequence",
            "in",
            tables
              .selectFrom("engine_bills")
              .select("sequence")
              .where("account", "=", account)
              .where("account", ">=", sql.lit(16))
              .where("asset", "in", tables.selectFrom("engine_balances").select("asset").where("account", "=", account))
              .where("business", "=", "botFund"),
          )
          .where("delta_units", ">", 0n)
          .execute(),
      ),
  };
}

function ownRows(tables: Kysely<GridTables>) {
  return {
    async agreedAt(userId: number): Promise<number | undefined> {
      const query = tables.selectFrom("grid_agreement").select("agreed_ms").where("user_id", "=", userId);
      return (await query.executeTakeFirst())?.agreed_ms;
    },
    async agree(userId: number, timeMs: number): Promise<void> {
      const insert = tables.insertInto("grid_agreement").values({ user_id: userId, agreed_ms: timeMs });
      await insert.onConflict((at) => at.column("user_id").doNothing()).execute();
    },
    async noteClone(bot: number, fromBot: number): Promise<void> {
      const insert = tables.insertInto("grid_clone").values({ bot, from_bot: fromBot });
      await insert.onConflict((at) => at.column("bot").doNothing()).execute();
    },
    async addWorth(row: WorthRow): Promise<void> {
      const insert = tables.insertInto("grid_worth").values(row);
      await insert.onConflict((at) => at.columns(["bot", "time_ms"]).doNothing()).execute();
    },
    worth: (bots: readonly number[], fromMs: number): Promise<WorthRow[]> =>
      bots.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("grid_worth")
            .selectAll()
            .where("bot", "in", [...bots])
            .where("time_ms", ">=", fromMs)
            .orderBy("time_ms")
            .execute(),
    async clearWorth(beforeMs: number): Promise<void> {
      await tables.deleteFrom("grid_worth").where("time_ms", "<", beforeMs).execute();
    },
  };
}
