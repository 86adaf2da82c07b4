// The facts tasks count, read from the tables of the journal: deposits, orders, turnover, follows, subscriptions, fees;
// and from the college. Contains no rules.

import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { type Kysely, sql } from "kysely";
import type { Counted, PaidFee } from "./needs.ts";
import { DEPOSIT_LEAST_UNITS } from "./rules.ts";

type FactTables = {
  engine_bills: {
    account: number;
    sequence: number;
    asset: number;
    business: string;
    delta_units: bigint;
    counterparty: number;
    time_ms: number;
  };
  engine_orders: { account: number; kind: string; type: string; created_ms: number };
  engine_fills: {
    account: number;
    sequence: number;
    market: number;
    lots: bigint;
    notional_units: bigint;
    fee_asset: number | null;
    fee_units: bigint;
    time_ms: number;
  };
  engine_follows: { account: number; followed_ms: number };
  college_progress: { user_id: number; course: string; lesson: string; passed_ms: number | null };
};

type Window = Pick<Counted, "fromMs" | "toMs">;
type Tables = Kysely<FactTables>;
const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));
const FEES_MAX = 1_000;
const SPOT_BOOKS = ["spot"];
const FUTURES_BOOKS = ["linear", "inverse"];
const COPY_BOOKS = ["copyF", "copyS"];

export type RewardFacts = ReturnType<typeof rewardFacts>;

export function rewardFacts(
  context: PartContext,
  countInvitees: (userId: number, fromMs: number, toMs: number) => Promise<number>,
) {
  const tables: Tables = context.database.kysely.$extendTables<FactTables>();
  const accountsOf = async (userId: number, books?: readonly string[]): Promise<number[]> => {
    const owned = await context.ledger.accounts.list(userId);
    return owned.filter(({ book }) => books?.includes(book) ?? true).map(({ account }) => account);
  };
  const settled = async (userId: number): Promise<void> => {
    const views = await Promise.all((await accountsOf(userId)).map((account) => context.ledger.openView(account)));
    await context.ledger.settled(Math.max(0, ...views.map(({ changedSequence }) => changedSequence)));
  };
  const volume = async (userId: number, books: readonly string[], window: Window): Promise<bigint> =>
    sumVolume(tables, context, await accountsOf(userId, books), window);
  return {
    settled,
    async count(userId: number, counted: Counted): Promise<bigint> {
      switch (counted.kind) {
        case "deposit":
          return countDeposits(tables, context, await accountsOf(userId), counted);
        case "limitOrder":
          return countLimitOrders(tables, await accountsOf(userId, SPOT_BOOKS), counted);
        case "spotVolume":
          return volume(userId, SPOT_BOOKS, counted);
        case "futuresVolume":
          return volume(userId, FUTURES_BOOKS, counted);
        case "copy":
          return countFollows(tables, await accountsOf(userId, COPY_BOOKS), counted);
        case "earn":
          return sumSubscribed(tables, context, await accountsOf(userId, SPOT_BOOKS), counted);
        case "quiz":
          return countLessons(tables, userId, counted);
        case "invite":
          return BigInt(await countInvitees(userId, counted.fromMs, counted.toMs));
      }
    },
    /** Spot and futures. */
    async volumeUnits(userId: number, fromMs: number, toMs: number): Promise<bigint> {
      await settled(userId);
      return volume(userId, [...SPOT_BOOKS, ...FUTURES_BOOKS], { fromMs, toMs });
    },
    async listFees(
      userId: number,
      biz: "spot" | "futures",
      after: number,
      fromMs: number,
      toMs: number,
    ): Promise<readonly PaidFee[]> {
      const accounts = await accountsOf(userId, biz === "spot" ? SPOT_BOOKS : FUTURES_BOOKS);
      return listFees(tables, context, accounts, after, { fromMs, toMs });
    },
    /** Who passed a quiz since then. */
    async listPassed(sinceMs: number): Promise<number[]> {
      const rows = tables.selectFrom("college_progress").select("user_id").distinct();
      return (await rows.where("passed_ms", ">", sinceMs).execute()).map(({ user_id }) => user_id);
    },
    /** Amounts an exchange account received from another, less those returned. */
    async sumBetween(account: number, counterparty: number, asset: number): Promise<bigint> {
      const row = await tables
        .selectFrom("engine_bills")
        .select(sql<string>`cast(coalesce(sum(delta_units), 0) as text)`.as("sum"))
        .where("account", "=", account)
        .where("counterparty", "=", counterparty)
        .where("asset", "=", asset)
        .executeTakeFirst();
      return BigInt(row?.sum ?? 0);
    },
  };
}

const count = sql<number | bigint | string>`count(*)`.as("count");
const countOf = (row: { readonly count: number | bigint | string } | undefined): bigint => BigInt(row?.count ?? 0);

/** Dust is no deposit: only those with some current worth are counted. */
async function countDeposits(
  tables: Tables,
  { market: { pairs } }: PartContext,
  accounts: readonly number[],
  { fromMs, toMs }: Window,
): Promise<bigint> {
  if (accounts.length === 0) return 0n;
  const rows = await tables
    .selectFrom("engine_bills")
    .select(["asset", "delta_units"])
    .where("account", "in", accounts)
    .where("business", "=", "deposit")
    .where("delta_units", ">", 0n)
    .where("time_ms", ">=", fromMs)
    .where("time_ms", "<", toMs)
    .limit(FEES_MAX)
    .execute();
  const worth = rows.map(({ asset, delta_units }) => pairs.worthUnits(asset, delta_units) ?? 0n);
  return BigInt(worth.filter((one) => one >= DEPOSIT_LEAST_UNITS).length);
}

async function countLimitOrders(
  tables: Tables,
  accounts: readonly number[],
  { fromMs, toMs }: Window,
): Promise<bigint> {
  if (accounts.length === 0) return 0n;
  const row = await tables
    .selectFrom("engine_orders")
    .select(count)
    .where("account", "in", accounts)
    .where("kind", "=", "order")
    .where("type", "=", "limit")
    .where("created_ms", ">=", fromMs)
    .where("created_ms", "<", toMs)
    .executeTakeFirst();
  return countOf(row);
}

async function countFollows(tables: Tables, accounts: readonly number[], { fromMs, toMs }: Window): Promise<bigint> {
  if (accounts.length === 0) return 0n;
  const row = await tables
    .selectFrom("engine_follows")
    .select(count)
    .where("account", "in", accounts)
    .where("followed_ms", ">=", fromMs)
    .where("followed_ms", "<", toMs)
    .executeTakeFirst();
  return countOf(row);
}

async function countLessons(tables: Tables, userId: number, { course, fromMs, toMs }: Counted): Promise<bigint> {
  const row = await tables
    .selectFrom("college_progress")
    .select(count)
    .where("user_id", "=", userId)
    .where("course", "=", course)
    .where("passed_ms", ">=", fromMs)
    .where("passed_ms", "<", toMs)
    .executeTakeFirst();
  return countOf(row);
}

async function sumVolume(
  tables: Tables,
  { market: { pairs } }: PartContext,
  accounts: readonly number[],
  { fromMs, toMs }: Window,
): Promise<bigint> {
  if (accounts.length === 0) return 0n;
  // Whole days from their sums, the rest from fills.
  const [first, end] = [Math.ceil(fromMs / DAY_MS), Math.floor(toMs / DAY_MS)];
  const own = sql`account in (${sql.join(accounts)})`;
  const fills = (sinceMs: number, untilMs: number) => sql`
    select market, notional_units from engine_fills where ${own} and time_ms >= ${sinceMs} and time_ms < ${untilMs}
      and sequence >= ${bounds.least(sinceMs)} and sequence <= ${bounds.most(untilMs)}`;
  const days = sql`select market, notional_units from engine_fill_days
    where ${own} and day >= ${first} and day < ${end}`;
  const parts = first > end ? [fills(fromMs, toMs)] : [fills(fromMs, first * DAY_MS), days, fills(end * DAY_MS, toMs)];
  // As text: a sum may exceed exact numbers, and each database returns another type.
  const { rows } = await sql<{ market: number; sum: string }>`
    select market, cast(sum(notional_units) as text) as sum from (${sql.join(parts, sql` union all `)}) parts
    group by market`.execute(tables);
  return rows.reduce((total, { market, sum }) => {
    const pair = pairs.findMarket(Number(market));
    const coin = pair === undefined ? undefined : pair.biz === "spot" ? pair.quote : pair.settle;
    return total + (coin === undefined ? 0n : (pairs.worthUnits(coin.asset, BigInt(sum)) ?? 0n));
  }, 0n);
}

async function sumSubscribed(
  tables: Tables,
  { market: { pairs } }: PartContext,
  accounts: readonly number[],
  { fromMs, toMs }: Window,
): Promise<bigint> {
  if (accounts.length === 0) return 0n;
  const rows = await tables
    .selectFrom("engine_bills")
    .select(["asset", sql<string>`cast(-sum(delta_units) as text)`.as("sum")])
    .where("account", "in", accounts)
    .where("business", "=", "earnSubscribe")
    .where("delta_units", "<", 0n)
    .where("time_ms", ">=", fromMs)
    .where("time_ms", "<", toMs)
    .groupBy("asset")
    .execute();
  return rows.reduce((total, { asset, sum }) => total + (pairs.worthUnits(asset, BigInt(sum)) ?? 0n), 0n);
}

/** Fees of fills in their order; those of one command are never split, so that a cursor on commands misses nothing. */
async function listFees(
  tables: Tables,
  { market: { pairs } }: PartContext,
  accounts: readonly number[],
  after: number,
  { fromMs, toMs }: Window,
): Promise<readonly PaidFee[]> {
  if (accounts.length === 0) return [];
  const rows = await tables
    .selectFrom("engine_fills")
    .select(["sequence", "time_ms", "market", "lots", "notional_units", "fee_asset", "fee_units"])
    .where("account", "in", accounts)
    .where("sequence", ">", after)
    .where("time_ms", ">=", fromMs)
    .where("time_ms", "<", toMs)
    .orderBy("sequence")
    .limit(FEES_MAX)
    .execute();
  const last = rows.length === FEES_MAX ? rows.at(-1)?.sequence : undefined;
  const whole = rows.filter(({ sequence }) => sequence !== last || sequence === rows[0]?.sequence);
  return whole.map((row) => ({
    sequence: row.sequence,
    timeMs: row.time_ms,
    asset: row.fee_asset,
    feeUnits: row.fee_units,
    worthUnits: feeWorth(pairs, row),
  }));
}

type FeeRow = Pick<FactTables["engine_fills"], "market" | "lots" | "notional_units" | "fee_asset" | "fee_units">;

/** A fee in the coin bought is worth the fill's price for it, rounded down. */
function feeWorth(pairs: PartContext["market"]["pairs"], row: FeeRow): bigint {
  if (row.fee_asset === null || row.fee_units <= 0n) return 0n;
  const pair = pairs.findMarket(row.market);
  if (pair?.biz === "spot" && row.fee_asset === pair.base.asset) {
    const bought = row.lots * BigInt(pair.stepUnits);
    const paid = bought === 0n ? 0n : (row.fee_units * row.notional_units) / bought;
    return pairs.worthUnits(pair.quote.asset, paid) ?? 0n;
  }
  return pairs.worthUnits(row.fee_asset, row.fee_units) ?? 0n;
}
