// The overview's SQL: its own hours, and reads of other slices' tables for queues and figures.
import type { DepositRow } from "@clockwork/custody/custody/store";
import type { WithdrawalRow } from "@clockwork/custody/withdrawals/store";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";

export interface HourRow {
  readonly hour: number;
  readonly figure: string;
  readonly value: bigint;
  readonly computed_ms: number;
}

type OverviewTables = {
  overview_hour: HourRow;
  users_account: { id: number; created_at_ms: number; role: string };
  sessions_session: { user_id: number; seen_at_ms: number };
  kyc_person: { state: string; submitted_at_ms: number };
  withdrawals_withdrawal: WithdrawalRow;
  custody_deposit: DepositRow;
  otcorders_complaint: { state: string; opened_ms: number };
  otcpeople_merchant: { state: string; changed_ms: number };
  copy_leader: { state: string; applied_ms: number };
  support_ticket: { state: string; kind: string; created_ms: number };
  engine_turnover: {
    hour: number;
    account: number;
    market: number;
    role: string;
    fee_asset: number;
    notional_units: bigint;
    fee_units: bigint;
  };
  engine_accounts: { account: number; book: string };
  engine_markets: { market: number; kind: string; quote_asset: number; settle_asset: number | null };
};

export interface Waiting {
  readonly count: number;
  readonly oldestMs: number | null;
}

export interface TurnoverSum {
  readonly kind: string;
  readonly role: string;
  /** The coin the notional is in, and the coin of the fee. */
  readonly asset: number;
  readonly feeAsset: number;
  readonly notional: bigint;
  readonly fee: bigint;
}

const COUNTED_MAX = 1_000;
const DEMO = ["demo", "bonus", "house"];

export type OverviewStore = ReturnType<typeof overviewStore>;

export function overviewStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<OverviewTables>();
  return { ...hourQueries(tables), ...queueQueries(tables), ...figureQueries(tables) };
}

function hourQueries(tables: Kysely<OverviewTables>) {
  return {
    listHours: (from: number): Promise<HourRow[]> =>
      tables.selectFrom("overview_hour").selectAll().where("hour", ">=", from).orderBy("hour").execute(),
    async newestHour(): Promise<number | undefined> {
      const row = await tables
        .selectFrom("overview_hour")
        .select("hour")
        .orderBy("hour", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.hour;
    },
    async saveHour(rows: readonly HourRow[]): Promise<void> {
      await tables.transaction().execute(async (inside) => {
        for (const row of rows) {
          const { value, computed_ms } = row;
          await inside
            .insertInto("overview_hour")
            .values(row)
            .onConflict((at) => at.columns(["hour", "figure"]).doUpdateSet({ value, computed_ms }))
            .execute();
        }
      });
    },
    async removeBefore(hour: number): Promise<void> {
      await tables.deleteFrom("overview_hour").where("hour", "<", hour).execute();
    },
  };
}

function queueQueries(tables: Kysely<OverviewTables>) {
  // A count of thousands is no more use than its bound, and costs more.
  const read = async (query: SelectQueryBuilder<OverviewTables, never, { at: number }>): Promise<Waiting> => {
    const rows = await query.limit(COUNTED_MAX).execute();
    return { count: rows.length, oldestMs: rows.reduce<number | null>((old, { at }) => Math.min(old ?? at, at), null) };
  };
  return {
    withdrawals: () =>
      read(
        tables.selectFrom("withdrawals_withdrawal").select("changed_ms as at").where("state", "=", "REVIEW") as never,
      ),
    identity: () =>
      read(
        tables
          .selectFrom("kyc_person")
          .select("submitted_at_ms as at")
          .where("state", "in", ["SUBMITTED", "REVIEW"]) as never,
      ),
    otc: () =>
      read(tables.selectFrom("otcorders_complaint").select("opened_ms as at").where("state", "=", "OPEN") as never),
    merchants: () =>
      read(
        tables
          .selectFrom("otcpeople_merchant")
          .select("changed_ms as at")
          .where("state", "in", ["APPLIED", "AUDIT"]) as never,
      ),
    leaders: () =>
      read(tables.selectFrom("copy_leader").select("applied_ms as at").where("state", "=", "APPLIED") as never),
    tickets: () =>
      read(
        tables
          .selectFrom("support_ticket")
          .select("created_ms as at")
          .where("state", "in", ["received", "in-progress"])
          // Reports of whistleblowers do not exist for others.
          .where("kind", "!=", "whistleblower") as never,
      ),
  };
}

function figureQueries(tables: Kysely<OverviewTables>) {
  return {
    async countAccounts(fromMs: number, toMs: number): Promise<number> {
      const row = await tables
        .selectFrom("users_account")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("created_at_ms", ">=", fromMs)
        .where("created_at_ms", "<", toMs)
        .where("role", "=", "user")
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async countAllAccounts(): Promise<number> {
      const row = await tables
        .selectFrom("users_account")
        .select((select) => select.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    /** Users with an open session that was used since. */
    async countActive(sinceMs: number): Promise<number> {
      const row = await tables
        .selectFrom("sessions_session")
        .select(sql<number>`count(distinct user_id)`.as("count"))
        .where("seen_at_ms", ">=", sinceMs)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    /** Of one hour, without the exchange's own and demo accounts. */
    async sumTurnover(hour: number): Promise<readonly TurnoverSum[]> {
      const rows = await tables
        .selectFrom("engine_turnover as turnover")
        .innerJoin("engine_accounts as owner", "owner.account", "turnover.account")
        .innerJoin("engine_markets as market", "market.market", "turnover.market")
        .select(["market.kind", "turnover.role", "turnover.fee_asset as feeAsset"])
        .select(sql<number>`coalesce(market.settle_asset, market.quote_asset)`.as("asset"))
        .select(sql<string>`cast(sum(turnover.notional_units) as text)`.as("notional"))
        .select(sql<string>`cast(sum(turnover.fee_units) as text)`.as("fee"))
        .where("turnover.hour", "=", hour)
        .where("owner.book", "not in", DEMO)
        .groupBy(["market.kind", "turnover.role", "turnover.fee_asset", "market.settle_asset", "market.quote_asset"])
        .execute();
      return rows.map(({ notional, fee, asset, ...row }) => ({
        ...row,
        asset: Number(asset),
        notional: BigInt(notional),
        fee: BigInt(fee),
      }));
    },
    async sumDeposits(fromMs: number, toMs: number): Promise<readonly { asset: string; units: bigint }[]> {
      const rows = await tables
        .selectFrom("custody_deposit")
        .select(["asset", sql<string>`cast(sum(units) as text)`.as("units")])
        .where("credited_ms", ">=", fromMs)
        .where("credited_ms", "<", toMs)
        .where("state", "in", ["CREDITED", "UNLOCKED"])
        .groupBy("asset")
        .execute();
      return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
    },
    async sumWithdrawals(fromMs: number, toMs: number): Promise<bigint> {
      const row = await tables
        .selectFrom("withdrawals_withdrawal")
        .select(sql<string | null>`cast(sum(worth_units) as text)`.as("units"))
        .where("state", "=", "DONE")
        .where("network", "!=", "")
        .where("changed_ms", ">=", fromMs)
        .where("changed_ms", "<", toMs)
        .executeTakeFirst();
      return BigInt(row?.units ?? "0");
    },
  };
}
