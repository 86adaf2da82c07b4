// Statistics of leaders, follows and copies from the journal's tables. SQL only; changes nothing.
import { type Kysely, sql } from "kysely";
import type { CopyKind } from "./contract.ts";
import type { SpotFill } from "./own-service.ts";

export interface LeaderRecordRow {
  readonly account: number;
  readonly state: string;
  readonly share_rate: number;
  readonly next_share_rate: number;
  readonly next_share_ms: number;
  readonly followers_max: number;
  readonly followers: number;
  readonly since_ms: number;
}

export interface FollowRecordRow {
  readonly account: number;
  readonly leader: number;
  readonly is_active: boolean;
  readonly ended_by: string | null;
  readonly share_rate: number;
  readonly invested_units: bigint;
  readonly realized_units: bigint;
  readonly mark_units: bigint;
  readonly held_units: bigint;
  readonly followed_ms: number;
  readonly updated_ms: number;
  readonly mode: string;
  readonly margin_mode: string;
  readonly mirror_margin: boolean;
  readonly multiplier: number;
  readonly leverage: number;
  readonly leverage_max: number;
  readonly slippage_bps: number;
  readonly stop_loss_bps: number;
  readonly take_profit_bps: number;
  readonly fixed_units: bigint;
  readonly daily_loss_units: bigint;
  readonly max_order_units: bigint;
  readonly max_symbol_units: bigint;
  readonly max_total_units: bigint;
  readonly markets: string;
}

export interface PositionRow {
  readonly position_id: number;
  readonly account: number;
  readonly market: number;
  readonly side: "long" | "short";
  readonly leverage: number;
  readonly lots: bigint;
  readonly cost_units: bigint;
  readonly cost_excess: bigint;
  readonly margin_units: bigint;
  readonly realized_units: bigint;
  readonly fee_units: bigint;
  readonly funding_units: bigint;
  readonly entered_units: bigint;
  readonly closed_lots: bigint;
  readonly closed_units: bigint;
  readonly opened_ms: number;
  readonly updated_ms: number;
  readonly closed_sequence: number | null;
}

export interface CopyRecordRow {
  readonly sequence: number;
  readonly line: number;
  readonly account: number;
  readonly leader: number;
  readonly what: string;
  readonly market: number;
  readonly place: number;
  readonly lots: bigint;
  readonly filled_lots: bigint;
  readonly leader_ticks: number | null;
  readonly limit_ticks: number | null;
  readonly tick_lots: bigint;
  readonly slippage: number | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly bound: bigint | null;
  readonly time_ms: number;
}

export interface ShareRecordRow {
  readonly sequence: number;
  readonly line: number;
  readonly account: number;
  readonly leader: number;
  readonly cause: string;
  readonly share_rate: number;
  readonly paid_units: bigint;
  readonly realized_units: bigint;
  readonly mark_units: bigint;
  readonly time_ms: number;
}

export interface BookRow {
  readonly account: number;
  readonly kind: CopyKind;
  readonly asset: number;
  readonly cash_units: bigint;
  readonly nav: bigint;
  readonly base_units: bigint;
  readonly day_units: bigint;
  readonly flow_units: bigint;
}

interface SaleRow {
  readonly sequence: number;
  readonly account: number;
  readonly market: number;
  readonly units: bigint;
  readonly proceeds_units: bigint;
  readonly cost_units: bigint;
  readonly opened_ms: number;
  readonly time_ms: number;
}

// A type, not an interface: only a type fits Kysely's table record.
type RecordTables = {
  engine_leaders: LeaderRecordRow;
  engine_follows: FollowRecordRow;
  engine_copies: CopyRecordRow;
  engine_shares: ShareRecordRow;
  engine_lead_books: BookRow;
  engine_lead_coins: { account: number; asset: number; units: bigint; cost_units: bigint; since_ms: number };
  engine_lead_positions: PositionRow;
  engine_positions: PositionRow;
  engine_lead_sales: SaleRow;
  engine_lead_days: { account: number; day_ms: number; nav: bigint; pnl_units: bigint };
  engine_accounts: { account: number; user_id: number; book: string; sub: number };
  engine_balances: { account: number; asset: number; available_units: bigint; frozen_units: bigint };
  engine_fills: SpotFill & {
    account: number;
    order_id: number;
    sequence: number;
    trade_number: number;
    time_ms: number;
  };
};

/** Where a page ends: a command and a line in it. */
export interface Place {
  readonly sequence: number;
  readonly line: number;
}

const TRADES_MAX = 5_000;
/** An empty list is invalid SQL; no account has this number. */
const among = (accounts: readonly number[]): readonly number[] => [-1, ...accounts];
export const SLIPPAGES_MAX = 10_000;

export type RecordStore = ReturnType<typeof recordStore>;

export function recordStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<RecordTables>();
  return {
    ...leaderRecords(tables),
    ...tradeRecords(tables),
    ...followRecords(tables),
    ...participantRecords(tables),
    ...copyRecords(tables),
  };
}

function leaderRecords(tables: Kysely<RecordTables>) {
  return {
    leader: (account: number): Promise<LeaderRecordRow | undefined> =>
      tables.selectFrom("engine_leaders").selectAll().where("account", "=", account).executeTakeFirst(),
    book: (account: number): Promise<BookRow | undefined> =>
      tables.selectFrom("engine_lead_books").selectAll().where("account", "=", account).executeTakeFirst(),
    coins: (account: number) =>
      tables.selectFrom("engine_lead_coins").selectAll().where("account", "=", account).execute(),
    days: (account: number, sinceMs: number) =>
      tables
        .selectFrom("engine_lead_days")
        .selectAll()
        .where("account", "=", account)
        .where("day_ms", ">=", sinceMs)
        .orderBy("day_ms")
        .execute(),
    openPositions: (account: number): Promise<PositionRow[]> =>
      tables
        .selectFrom("engine_lead_positions")
        .selectAll()
        .where("account", "=", account)
        .where("closed_sequence", "is", null)
        .orderBy("position_id")
        .execute(),
    closedPositions: (account: number, sinceMs: number): Promise<PositionRow[]> =>
      tables
        .selectFrom("engine_lead_positions")
        .selectAll()
        .where("account", "=", account)
        .where("closed_sequence", "is not", null)
        .where("updated_ms", ">=", sinceMs)
        .orderBy("closed_sequence", "desc")
        .limit(TRADES_MAX)
        .execute(),
    sales: (account: number, sinceMs: number): Promise<SaleRow[]> =>
      tables
        .selectFrom("engine_lead_sales")
        .selectAll()
        .where("account", "=", account)
        .where("time_ms", ">=", sinceMs)
        .orderBy("sequence", "desc")
        .limit(TRADES_MAX)
        .execute(),
  };
}

function tradeRecords(tables: Kysely<RecordTables>) {
  return {
    /** Closed trades of a user since then: positions of their futures books, or sale orders on spot. */
    async countTrades(userId: number, kind: CopyKind, sinceMs: number): Promise<number> {
      const own = tables.selectFrom("engine_accounts").select("account").where("user_id", "=", userId);
      const found =
        kind === "futures"
          ? await tables
              .selectFrom("engine_positions")
              .select(sql<number>`cast(count(*) as bigint)`.as("count"))
              .where("account", "in", own.where("book", "in", ["linear", "copyFLead"]))
              .where("closed_sequence", "is not", null)
              .where("updated_ms", ">=", sinceMs)
              .executeTakeFirst()
          : await tables
              .selectFrom("engine_fills")
              .select(sql<number>`cast(count(distinct order_id) as bigint)`.as("count"))
              .where("account", "in", own.where("book", "=", "spot"))
              .where("side", "=", "sell")
              .where("time_ms", ">=", sinceMs)
              .executeTakeFirst();
      return Number(found?.count ?? 0);
    },
    /** Everything bought and sold in a sub-book, oldest first. */
    fillsOf: (account: number): Promise<SpotFill[]> =>
      tables
        .selectFrom("engine_fills")
        .selectAll()
        .where("account", "=", account)
        .orderBy("sequence")
        .orderBy("trade_number")
        .execute(),
  };
}

function followRecords(tables: Kysely<RecordTables>) {
  return {
    follow: (account: number): Promise<FollowRecordRow | undefined> =>
      tables.selectFrom("engine_follows").selectAll().where("account", "=", account).executeTakeFirst(),
    followsOf: (accounts: readonly number[]): Promise<FollowRecordRow[]> =>
      tables
        .selectFrom("engine_follows")
        .selectAll()
        .where("account", "in", among(accounts))
        .orderBy("is_active", "desc")
        .orderBy("followed_ms", "desc")
        .execute(),
    followersOf: (leader: number, limit: number) =>
      tables
        .selectFrom("engine_follows")
        .innerJoin("engine_accounts", "engine_accounts.account", "engine_follows.account")
        .selectAll("engine_follows")
        .select("engine_accounts.user_id")
        .where("engine_follows.leader", "=", leader)
        .where("engine_follows.is_active", "=", true)
        .orderBy("engine_follows.invested_units", "desc")
        .orderBy("engine_follows.account")
        .limit(limit)
        .execute(),
    /** Balances in the sub-books of a leader's followers, by coin. */
    async sumFollowers(leader: number): Promise<readonly { readonly asset: number; readonly units: bigint }[]> {
      const rows = await tables
        .selectFrom("engine_follows")
        .innerJoin("engine_balances", "engine_balances.account", "engine_follows.account")
        .select(["asset", sql<string>`cast(sum(available_units + frozen_units) as text)`.as("units")])
        .where("leader", "=", leader)
        .where("is_active", "=", true)
        .groupBy("asset")
        .execute();
      return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
    },
    async sumHeld(leader: number): Promise<{ readonly realized: bigint; readonly held: bigint }> {
      const row = await tables
        .selectFrom("engine_follows")
        .select([
          sql<string>`cast(coalesce(sum(realized_units), 0) as text)`.as("realized"),
          sql<string>`cast(coalesce(sum(held_units), 0) as text)`.as("held"),
        ])
        .where("leader", "=", leader)
        .executeTakeFirst();
      return { realized: BigInt(row?.realized ?? "0"), held: BigInt(row?.held ?? "0") };
    },
    balances: (account: number) =>
      tables.selectFrom("engine_balances").selectAll().where("account", "=", account).execute(),
    positionsOf: (accounts: readonly number[]): Promise<PositionRow[]> =>
      tables
        .selectFrom("engine_positions")
        .selectAll()
        .where("account", "in", among(accounts))
        .where("closed_sequence", "is", null)
        .orderBy("position_id")
        .execute(),
  };
}

function participantRecords(tables: Kysely<RecordTables>) {
  return {
    /** The results of each follower of a leader: copies made, shares paid. */
    async broughtBy(leader: number) {
      const copies = await tables
        .selectFrom("engine_copies")
        .select(["account", sql<number>`cast(count(*) as bigint)`.as("count")])
        .where("leader", "=", leader)
        .where("reason", "is", null)
        .groupBy("account")
        .execute();
      const paid = await tables
        .selectFrom("engine_shares")
        .select(["account", sql<string>`cast(sum(paid_units) as text)`.as("paid")])
        .where("leader", "=", leader)
        .groupBy("account")
        .execute();
      return {
        copies: new Map(copies.map(({ account, count }) => [account, Number(count)])),
        paid: new Map(paid.map((row) => [row.account, BigInt(row.paid)])),
      };
    },
    balancesOf: (accounts: readonly number[]) =>
      tables.selectFrom("engine_balances").selectAll().where("account", "in", among(accounts)).execute(),
  };
}

function copyRecords(tables: Kysely<RecordTables>) {
  return {
    copies: (accounts: readonly number[], before: Place, limit: number): Promise<CopyRecordRow[]> =>
      tables
        .selectFrom("engine_copies")
        .selectAll()
        .where("account", "in", among(accounts))
        .where(beforePlace(before))
        .orderBy("sequence", "desc")
        .orderBy("line", "desc")
        .limit(limit)
        .execute(),
    /** By reason; null are those that were sent. */
    async countCopies(column: "account" | "leader", of: number) {
      const rows = await tables
        .selectFrom("engine_copies")
        .select(["reason", sql<number>`cast(count(*) as bigint)`.as("count")])
        .where(column, "=", of)
        .groupBy("reason")
        .execute();
      return rows.map(({ reason, count }) => ({ reason, count: Number(count) }));
    },
    async slippages(leader: number): Promise<number[]> {
      const rows = await tables
        .selectFrom("engine_copies")
        .select("slippage")
        .where("leader", "=", leader)
        .where("slippage", "is not", null)
        .orderBy("sequence", "desc")
        .orderBy("line", "desc")
        .limit(SLIPPAGES_MAX)
        .execute();
      return rows.map(({ slippage }) => slippage as number);
    },
    shares: (accounts: readonly number[], leader: number, before: Place, limit: number): Promise<ShareRecordRow[]> =>
      tables
        .selectFrom("engine_shares")
        .selectAll()
        .where((at) =>
          accounts.length === 0
            ? at("leader", "=", leader)
            : at.or([at("account", "in", [...accounts]), at("leader", "=", leader)]),
        )
        .where("paid_units", ">", 0n)
        .where(beforePlace(before))
        .orderBy("sequence", "desc")
        .orderBy("line", "desc")
        .limit(limit)
        .execute(),
    async sumPaid(column: "account" | "leader", of: number): Promise<bigint> {
      const row = await tables
        .selectFrom("engine_shares")
        .select(sql<string>`cast(coalesce(sum(paid_units), 0) as text)`.as("paid"))
        .where(column, "=", of)
        .executeTakeFirst();
      return BigInt(row?.paid ?? "0");
    },
  };
}

function beforePlace({ sequence, line }: Place) {
  return sql<boolean>`(sequence < ${sequence} or (sequence = ${sequence} and line < ${line}))`;
}
