// The SQL of spot: orders and fills from the projection, read page by page.

import { FILL_ROLES, type FillCursor } from "@clockwork/kit/pages/fill-cursor";
import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
import { type Kysely, sql } from "kysely";
import type { FillRow, OrderRow } from "../projectors/rows/rows.ts";

interface BillRecord {
  readonly account: number;
  readonly asset: number;
  readonly business: string;
  readonly delta_units: bigint;
  readonly reference: string | null;
  readonly time_ms: number;
}

type SpotTables = { engine_orders: OrderRow; engine_fills: FillRow; engine_bills: BillRecord };

export interface PageFilter {
  readonly market?: number | undefined;
  readonly side?: "buy" | "sell" | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Rows after this one, which the caller has: sequence, then order or trade number. */
  readonly before?: readonly [number, number] | undefined;
  /** Newer rows than this one, oldest first. */
  readonly after?: readonly [number, number] | undefined;
  /** With this number or a higher one. */
  readonly fromId?: number | undefined;
  readonly limit: number;
}

export interface OrderFilter extends PageFilter {
  /** Of lists with this number or a higher one. */
  readonly fromListId?: number | undefined;
  readonly isListed?: boolean | undefined;
}

export interface FillFilter extends Omit<PageFilter, "before" | "after"> {
  readonly orderId?: number | undefined;
  readonly before?: FillCursor | undefined;
  readonly after?: FillCursor | undefined;
}

/** The sort keys of a page of orders: the two numbers of its cursor. */
export function orderKeys({ fromListId }: OrderFilter) {
  return fromListId === undefined ? (["created_sequence", "order_id"] as const) : (["list_id", "order_id"] as const);
}

export type SpotStore = ReturnType<typeof spotStore>;

const OPEN_STATES = ["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER", "TRIGGERED"] as const;

export function spotStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SpotTables>();
  return {
    ...orderQueries(tables),

    ...fillQueries(tables),
    ...faucetQueries(tables),

    /** Ended orders, newest first unless read forwards. */
    async listHistory(account: number, filter: OrderFilter): Promise<OrderRow[]> {
      const { fromListId, isListed } = filter;
      const isByList = fromListId !== undefined || isListed === true;
      const branches = isByList ? [filter] : await branchesOf(tables, "engine_orders", account, filter);
      const [major, minor] = orderKeys(filter);
      const way = filter.after === undefined ? "desc" : "asc";
      const pages = branches.map((branch) =>
        ordersOf(tables, account, { ...filter, ...branch })
          .orderBy(major, way)
          .orderBy(minor, way)
          .limit(filter.limit),
      );
      const [first, ...others] = pages;
      if (first === undefined) return [];
      if (others.length === 0) return first.execute();
      const wrap = (page: typeof first) => tables.selectFrom(page.as("page")).selectAll();
      const all = others.reduce((sum, page) => sum.unionAll(wrap(page)), wrap(first));
      const rows = tables.selectFrom(all.as("pages")).selectAll().orderBy(major, way).orderBy(minor, way);
      return rows.limit(filter.limit).execute();
    },
  };
}

interface Branch {
  readonly market?: number | undefined;
  readonly side?: "buy" | "sell" | undefined;
}

/** Above this number a statement costs more than it saves. */
const BRANCHES_MAX = 400;
const SIDES = ["buy", "sell"] as const;

/** The branches to read so that each is sorted by an index: a market and a side, or everything. */
async function branchesOf(
  tables: Kysely<SpotTables>,
  table: "engine_orders" | "engine_fills",
  account: number,
  { market, side }: Branch,
): Promise<readonly Branch[]> {
  if (market !== undefined)
    return side === undefined ? SIDES.map((one) => ({ market, side: one })) : [{ market, side }];
  if (side === undefined) return [{}];
  const name = sql.table(table);
  const { rows } = await sql<{ market: number }>`
    with recursive found(market) as (
      select min(market) from ${name} where account = ${account}
      union all
      select (select min(r.market) from ${name} r where r.account = ${account} and r.market > found.market)
        from found where found.market is not null
    ) select market from found where market is not null`.execute(tables);
  const branches = rows.map((row) => ({ market: Number(row.market), side }));
  return branches.length > BRANCHES_MAX ? [{ side }] : branches;
}

const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));

function ordersOf(tables: Kysely<SpotTables>, account: number, filter: OrderFilter) {
  let query = tables
    .selectFrom("engine_orders")
    .selectAll()
    .where("account", "=", account)
    .where("state", "not in", OPEN_STATES);
  const { market, side, fromMs, toMs, before, after, fromId, fromListId, isListed } = filter;
  if (market !== undefined) query = query.where("market", "=", market);
  if (side !== undefined) query = query.where("side", "=", side);
  if (fromMs !== undefined) {
    query = query.where("created_ms", ">=", fromMs).where("created_sequence", ">=", bounds.least(fromMs));
  }
  if (toMs !== undefined) {
    query = query.where("created_ms", "<=", toMs).where("created_sequence", "<=", bounds.most(toMs));
  }
  if (fromId !== undefined) query = query.where("order_id", ">=", fromId);
  if (fromListId !== undefined) query = query.where("list_id", ">=", fromListId);
  if (fromListId !== undefined || isListed === true) query = query.where("list_id", "is not", null);
  const [major, minor] = orderKeys(filter);
  const at = after ?? before;
  if (at === undefined) return query;
  const [first, second] = at;
  return query
    .where(major, after === undefined ? "<=" : ">=", first)
    .where(({ or, eb }) =>
      after === undefined
        ? or([eb(major, "<", first), eb(minor, "<", second)])
        : or([eb(major, ">", first), eb(minor, ">", second)]),
    );
}

function fillQueries(tables: Kysely<SpotTables>) {
  return {
    async listFills(account: number, filter: FillFilter): Promise<FillRow[]> {
      // An order's fills have an index of their own.
      const branches =
        filter.orderId === undefined ? await branchesOf(tables, "engine_fills", account, filter) : [filter];
      const way = filter.after === undefined ? "desc" : "asc";
      const pages = branches.map((branch) =>
        fillsOf(tables, account, { ...filter, ...branch })
          .orderBy("sequence", way)
          .orderBy("trade_number", way)
          .orderBy("market", way)
          .orderBy("role", way)
          .limit(filter.limit),
      );
      const [first, ...others] = pages;
      if (first === undefined) return [];
      if (others.length === 0) return first.execute();
      const wrap = (page: typeof first) => tables.selectFrom(page.as("page")).selectAll();
      const all = others.reduce((sum, page) => sum.unionAll(wrap(page)), wrap(first));
      return tables
        .selectFrom(all.as("pages"))
        .selectAll()
        .orderBy("sequence", way)
        .orderBy("trade_number", way)
        .orderBy("market", way)
        .orderBy("role", way)
        .limit(filter.limit)
        .execute();
    },
  };
}

function fillsOf(tables: Kysely<SpotTables>, account: number, filter: FillFilter) {
  let query = tables.selectFrom("engine_fills").selectAll().where("account", "=", account);
  const { market, side, fromMs, toMs, before, after, fromId, orderId } = filter;
  if (fromId !== undefined) query = query.where("trade_number", ">=", fromId);
  if (orderId !== undefined) query = query.where("order_id", "=", orderId);
  if (market !== undefined) query = query.where("market", "=", market);
  if (side !== undefined) query = query.where("side", "=", side);
  if (fromMs !== undefined) query = query.where("time_ms", ">=", fromMs).where("sequence", ">=", bounds.least(fromMs));
  if (toMs !== undefined) query = query.where("time_ms", "<=", toMs).where("sequence", "<=", bounds.most(toMs));
  const at = after ?? before;
  if (at === undefined) return query;
  const [sequence, trade, place = 0, role = 0] = at;
  const [beyond, atLeast] = after === undefined ? (["<", "<="] as const) : ([">", ">="] as const);
  return query
    .where("sequence", atLeast, sequence)
    .where(({ or, and, eb }) =>
      or([
        eb("sequence", beyond, sequence),
        eb("trade_number", beyond, trade),
        and([eb("trade_number", "=", trade), eb("market", beyond, place)]),
        and([
          eb("trade_number", "=", trade),
          eb("market", "=", place),
          eb("role", beyond, FILL_ROLES[role] ?? "maker"),
        ]),
      ]),
    );
}

function faucetQueries(tables: Kysely<SpotTables>) {
  const gifts = (account: number) =>
    tables.selectFrom("engine_bills").where("account", "=", account).where("business", "=", "faucet");
  return {
    /** Amount the faucet granted an account since then. */
    async sumGiven(account: number, asset: number, sinceMs: number): Promise<bigint> {
      const rows = await gifts(account)
        .select("delta_units")
        .where("asset", "=", asset)
        .where("time_ms", ">=", sinceMs)
        .execute();
      return rows.reduce((sum, row) => sum + row.delta_units, 0n);
    },

    /** Whether the faucet granted under this reference. */
    async wasGiven(account: number, reference: string): Promise<boolean> {
      const row = await gifts(account).select("time_ms").where("reference", "=", reference).limit(1).executeTakeFirst();
      return row !== undefined;
    },
  };
}

function orderQueries(tables: Kysely<SpotTables>) {
  return {
    findOrder: (account: number, orderId: number): Promise<OrderRow | undefined> =>
      tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("order_id", "=", orderId)
        .where("account", "=", account)
        .executeTakeFirst(),

    /** The newest with this name. */
    findOrderByName: (account: number, clientOrderId: string): Promise<OrderRow | undefined> =>
      tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("account", "=", account)
        .where("client_order_id", "=", clientOrderId)
        .orderBy("order_id", "desc")
        .limit(1)
        .executeTakeFirst(),
  };
}
