// The SQL of levels. Sums of days are written once, with the record that the day was counted.
import { type Kysely, sql } from "kysely";

export interface DayRow {
  readonly user_id: number;
  readonly day: number;
  readonly spot_maker_units: bigint;
  readonly spot_taker_units: bigint;
  readonly perp_maker_units: bigint;
  readonly perp_taker_units: bigint;
  readonly fee_units: bigint;
}

export interface AssetsRow {
  readonly user_id: number;
  readonly day: number;
  readonly worth_units: bigint;
}

export interface VipRow {
  readonly user_id: number;
  readonly earned_level: number;
  readonly below_since_ms: number | null;
  readonly below_best: number;
  readonly trial_level: number;
  readonly trial_until_ms: number;
  readonly trial_reference: string;
  readonly fees_level: number;
  readonly spot_units: bigint;
  readonly futures_units: bigint;
  readonly assets_units: bigint;
  readonly counted_ms: number;
}

export interface ChangeRow {
  readonly user_id: number;
  readonly at_ms: number;
  readonly from_level: number;
  readonly to_level: number;
  readonly cause: string;
}

type VipTables = {
  vip_day: DayRow;
  vip_assets: AssetsRow;
  vip_counted: { what: string; day: number; counted_ms: number };
  vip_user: VipRow;
  vip_change: ChangeRow;
  engine_turnover: {
    hour: number;
    account: number;
    market: number;
    role: string;
    fee_asset: number;
    notional_units: bigint;
    fee_units: bigint;
  };
  engine_accounts: { account: number; user_id: number; book: string };
  engine_balances: { account: number; asset: number; available_units: bigint; frozen_units: bigint };
};
type Tables = Kysely<VipTables>;

export interface TurnoverSum {
  readonly user_id: number;
  readonly market: number;
  readonly role: string;
  readonly fee_asset: number;
  readonly notionalUnits: bigint;
  readonly feeUnits: bigint;
}

/** Play money and bonuses are not turnover. */
const UNCOUNTED_BOOKS = ["demo", "bonus", "house"];
const HOURS = 24;
const CHUNK = 200;
const TRIALS_MAX = 500;
export const NOTHING_TRADED = {
  spot_maker_units: 0n,
  spot_taker_units: 0n,
  perp_maker_units: 0n,
  perp_taker_units: 0n,
  fee_units: 0n,
} as const;

export type VipStore = ReturnType<typeof vipStore>;

export function vipStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<VipTables>();
  return {
    ...ledgerQueries(tables),
    ...dayQueries(tables),
    ...dayLists(tables),
    ...userQueries(tables),
    ...userChanges(tables),
  };
}

function ledgerQueries(tables: Tables) {
  return {
    /** Turnover of a day, by user, market, role and the coin charged. */
    async sumTurnover(day: number): Promise<TurnoverSum[]> {
      const rows = await tables
        .selectFrom("engine_turnover as turnover")
        .innerJoin("engine_accounts as owner", "owner.account", "turnover.account")
        .select(["owner.user_id", "turnover.market", "turnover.role", "turnover.fee_asset"])
        .select(sql<string>`cast(sum(turnover.notional_units) as text)`.as("notional"))
        .select(sql<string>`cast(sum(turnover.fee_units) as text)`.as("fee"))
        .where("turnover.hour", ">=", day * HOURS)
        .where("turnover.hour", "<", (day + 1) * HOURS)
        .where("owner.book", "not in", UNCOUNTED_BOOKS)
        .groupBy(["owner.user_id", "turnover.market", "turnover.role", "turnover.fee_asset"])
        .execute();
      return rows.map(({ notional, fee, ...row }) => ({
        ...row,
        notionalUnits: BigInt(notional),
        feeUnits: BigInt(fee),
      }));
    },
    /** The current balances of all users in each coin. */
    async sumBalances(): Promise<{ user_id: number; asset: number; units: bigint }[]> {
      const rows = await tables
        .selectFrom("engine_balances as balance")
        .innerJoin("engine_accounts as owner", "owner.account", "balance.account")
        .select(["owner.user_id", "balance.asset"])
        .select(sql<string>`cast(sum(balance.available_units + balance.frozen_units) as text)`.as("sum"))
        .where("owner.book", "not in", UNCOUNTED_BOOKS)
        .groupBy(["owner.user_id", "balance.asset"])
        .execute();
      return rows.map(({ sum, ...row }) => ({ ...row, units: BigInt(sum) }));
    },
  };
}

function dayQueries(tables: Tables) {
  return {
    async listCounted(what: "turnover" | "assets", fromDay: number): Promise<number[]> {
      const query = tables.selectFrom("vip_counted").select("day").where("what", "=", what).where("day", ">=", fromDay);
      return (await query.execute()).map(({ day }) => day);
    },
    /** Once for each day: a concurrent second call writes nothing. */
    putDay: (day: number, rows: readonly DayRow[], countedMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        if (!(await noteCounted(inside, "turnover", day, countedMs))) return;
        for (let at = 0; at < rows.length; at += CHUNK) {
          await inside
            .insertInto("vip_day")
            .values(rows.slice(at, at + CHUNK))
            .execute();
        }
      }),
    putAssets: (day: number, rows: readonly AssetsRow[], countedMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        if (!(await noteCounted(inside, "assets", day, countedMs))) return;
        for (let at = 0; at < rows.length; at += CHUNK) {
          await inside
            .insertInto("vip_assets")
            .values(rows.slice(at, at + CHUNK))
            .execute();
        }
      }),
    /** Of all users with activity or balances in these days, the last one included. */
    async sumDays(fromDay: number, toDay: number): Promise<Map<number, { spot: bigint; futures: bigint }>> {
      const rows = await tables
        .selectFrom("vip_day")
        .select("user_id")
        .select(sql<string>`cast(sum(spot_maker_units + spot_taker_units) as text)`.as("spot"))
        .select(sql<string>`cast(sum(perp_maker_units + perp_taker_units) as text)`.as("futures"))
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .groupBy("user_id")
        .execute();
      return new Map(rows.map((row) => [row.user_id, { spot: BigInt(row.spot), futures: BigInt(row.futures) }]));
    },
    async sumAssets(fromDay: number, toDay: number): Promise<Map<number, bigint>> {
      const rows = await tables
        .selectFrom("vip_assets")
        .select("user_id")
        .select(sql<string>`cast(sum(worth_units) as text)`.as("worth"))
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .groupBy("user_id")
        .execute();
      return new Map(rows.map((row) => [row.user_id, BigInt(row.worth)]));
    },
  };
}

function dayLists(tables: Tables) {
  return {
    listDays: (userId: number, fromDay: number, toDay: number): Promise<DayRow[]> =>
      tables
        .selectFrom("vip_day")
        .selectAll()
        .where("user_id", "=", userId)
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .orderBy("day", "desc")
        .execute(),
    listAssets: (userId: number, fromDay: number, toDay: number): Promise<AssetsRow[]> =>
      tables
        .selectFrom("vip_assets")
        .selectAll()
        .where("user_id", "=", userId)
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .execute(),
    async removeBefore(day: number): Promise<void> {
      await tables.deleteFrom("vip_day").where("day", "<", day).execute();
      await tables.deleteFrom("vip_assets").where("day", "<", day).execute();
      await tables.deleteFrom("vip_counted").where("day", "<", day).execute();
    },
  };
}

async function noteCounted(tables: Tables, what: string, day: number, countedMs: number): Promise<boolean> {
  const note = tables
    .insertInto("vip_counted")
    .values({ what, day, counted_ms: countedMs })
    .onConflict((at) => at.columns(["what", "day"]).doNothing());
  return ((await note.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const EMPTY_USER = {
  earned_level: 0,
  below_since_ms: null,
  below_best: 0,
  trial_level: 0,
  trial_until_ms: 0,
  trial_reference: "",
  fees_level: 0,
  spot_units: 0n,
  futures_units: 0n,
  assets_units: 0n,
  counted_ms: 0,
} as const;

export type CountedRow = Pick<
  VipRow,
  | "user_id"
  | "earned_level"
  | "below_since_ms"
  | "below_best"
  | "spot_units"
  | "futures_units"
  | "assets_units"
  | "counted_ms"
>;

function userQueries(tables: Tables) {
  return {
    find: (userId: number): Promise<VipRow | undefined> =>
      tables.selectFrom("vip_user").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    list: (): Promise<VipRow[]> => tables.selectFrom("vip_user").selectAll().execute(),
    /** The level whose rates are in force. */
    async findLevel(userId: number): Promise<number> {
      const query = tables.selectFrom("vip_user").select("fees_level").where("user_id", "=", userId);
      return (await query.executeTakeFirst())?.fees_level ?? 0;
    },
    /** Users whose rates may be outdated: earned is another than set, or a trial starts or ends. */
    listUnsettled: (): Promise<VipRow[]> =>
      tables
        .selectFrom("vip_user")
        .selectAll()
        .where(({ or, eb, ref }) => or([eb("trial_level", ">", 0), eb("earned_level", "<>", ref("fees_level"))]))
        .execute(),
    /** Trial levels at this time, the one that ends first before the others. */
    listTrials: (timeMs: number): Promise<VipRow[]> =>
      tables
        .selectFrom("vip_user")
        .selectAll()
        .where("trial_level", ">", 0)
        .where("trial_until_ms", ">", timeMs)
        .orderBy("trial_until_ms")
        .orderBy("user_id")
        .limit(TRIALS_MAX)
        .execute(),
    /** The result of the count; trials and rates are unchanged. */
    async putCounted(rows: readonly CountedRow[]): Promise<void> {
      for (let at = 0; at < rows.length; at += CHUNK) {
        await tables
          .insertInto("vip_user")
          .values(rows.slice(at, at + CHUNK).map((row) => ({ ...EMPTY_USER, ...row })))
          .onConflict((conflict) =>
            conflict.column("user_id").doUpdateSet(({ ref }) => ({
              earned_level: ref("excluded.earned_level"),
              below_since_ms: ref("excluded.below_since_ms"),
              below_best: ref("excluded.below_best"),
              spot_units: ref("excluded.spot_units"),
              futures_units: ref("excluded.futures_units"),
              assets_units: ref("excluded.assets_units"),
              counted_ms: ref("excluded.counted_ms"),
            })),
          )
          .execute();
      }
    },
  };
}

function userChanges(tables: Tables) {
  return {
    async putTrial(userId: number, level: number, untilMs: number, reference: string): Promise<void> {
      const values = { trial_level: level, trial_until_ms: untilMs, trial_reference: reference };
      await tables
        .insertInto("vip_user")
        .values({ ...EMPTY_USER, user_id: userId, ...values })
        .onConflict((at) => at.column("user_id").doUpdateSet(values))
        .execute();
    },
    /** The core has applied it; the change is stored with it. An ended trial is removed. */
    settle: (row: VipRow, toLevel: number, change: ChangeRow): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const update = inside
          .updateTable("vip_user")
          .set({ fees_level: toLevel })
          .where("user_id", "=", row.user_id)
          .where("fees_level", "=", row.fees_level);
        if ((await update.executeTakeFirst()).numUpdatedRows === 0n) return false;
        await inside
          .insertInto("vip_change")
          .values(change)
          .onConflict((at) => at.columns(["user_id", "at_ms", "from_level", "to_level"]).doNothing())
          .execute();
        return true;
      }),
    async endTrial({ user_id, trial_reference }: VipRow): Promise<void> {
      await tables
        .updateTable("vip_user")
        .set({ trial_level: 0, trial_until_ms: 0 })
        .where("user_id", "=", user_id)
        .where("trial_reference", "=", trial_reference)
        .execute();
    },
    listChanges: (userId: number, limit: number): Promise<ChangeRow[]> =>
      tables
        .selectFrom("vip_change")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("at_ms", "desc")
        .limit(limit)
        .execute(),
  };
}
