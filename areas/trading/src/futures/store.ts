// The SQL of futures: orders, fills and bills of futures accounts from the projection.

import { FILL_ROLES, type FillCursor } from "@clockwork/kit/pages/fill-cursor";
import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
import { type Kysely, sql } from "kysely";
import type { ModeRow, StopRow } from "../projectors/futures/futures-rows.ts";
import type { FillRow, OrderRow } from "../projectors/rows/rows.ts";
import { type BillKind, FIRST_ACCOUNT, IS_OF_CONTRACT, listKinds } from "../wallet/bill-kinds.ts";

export interface BillRecord {
  readonly account: number;
  readonly sequence: number;
  readonly line: number;
  readonly asset: number;
  readonly business: string;
  readonly delta_units: bigint;
  readonly available_units: bigint;
  readonly frozen_units: bigint;
  readonly market: number;
  readonly reference_number: number;
  readonly reference: string | null;
  readonly time_ms: number;
  /** Of funding: when it was due. */
  readonly settled_ms?: number | null | undefined;
}

type FuturesTables = {
  engine_orders: OrderRow;
  engine_fills: FillRow;
  engine_bills: BillRecord;
  engine_balances: { readonly account: number; readonly asset: number };
  engine_stops: StopRow;
  engine_perp_modes: ModeRow;
  engine_demo_resets: { readonly account: number; readonly time_ms: number };
};

export type ShapeRecord = Pick<OrderRow, "order_id" | "account" | "side" | "reduce_only" | "created_sequence">;

export interface PageFilter {
  readonly accounts: readonly number[];
  readonly market?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Rows after this one, which the caller has: sequence, then order, trade or line number. */
  readonly before?: readonly [number, number] | undefined;
  /** Newer rows than this one, oldest first. */
  readonly after?: readonly [number, number] | undefined;
  readonly limit: number;
}

/** Orders or fills, from a number on. */
export type NumberedFilter = PageFilter & { readonly fromId?: number | undefined };

export interface FillFilter extends Omit<NumberedFilter, "before" | "after"> {
  readonly orderId?: number | undefined;
  readonly before?: FillCursor | undefined;
  readonly after?: FillCursor | undefined;
}

export type FuturesStore = ReturnType<typeof futuresStore>;

const OPEN_STATES = ["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER", "TRIGGERED"] as const;

export function futuresStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<FuturesTables>();
  return {
    findOrder: (accounts: readonly number[], orderId: number): Promise<OrderRow | undefined> =>
      tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("order_id", "=", orderId)
        .where("account", "in", accounts)
        .executeTakeFirst(),

    findOrderByName: (accounts: readonly number[], clientOrderId: string): Promise<OrderRow | undefined> =>
      tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("account", "in", accounts)
        .where("client_order_id", "=", clientOrderId)
        .orderBy("order_id", "desc")
        .limit(1)
        .executeTakeFirst(),

    findStops: (orderIds: readonly number[]): Promise<StopRow[]> =>
      orderIds.length === 0
        ? Promise.resolve([])
        : tables.selectFrom("engine_stops").selectAll().where("order_id", "in", orderIds).execute(),

    ...historyQueries(tables),
    ...moneyQueries(tables),
    ...sideQueries(tables),

    async readReset(account: number): Promise<number | undefined> {
      const row = await tables
        .selectFrom("engine_demo_resets")
        .select("time_ms")
        .where("account", "=", account)
        .executeTakeFirst();
      return row?.time_ms;
    },
  };
}

const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));
const SIDES = ["buy", "sell"] as const;

interface Branch {
  readonly account: number;
  readonly side?: string | undefined;
}

/** The branches to read so that each is sorted by an index: an account, and of a market a side. */
function branchesOf({ accounts, market }: Pick<PageFilter, "accounts" | "market">, side?: string): readonly Branch[] {
  if (market === undefined || side !== undefined) return accounts.map((account) => ({ account, side }));
  return accounts.flatMap((account) => SIDES.map((one) => ({ account, side: one })));
}

function historyQueries(tables: Kysely<FuturesTables>) {
  const ordersOf = (filter: NumberedFilter, { account, side }: Branch) => {
    let query = tables
      .selectFrom("engine_orders")
      .selectAll()
      .where("account", "=", account)
      .where("state", "not in", OPEN_STATES);
    const { market, fromMs, toMs, before, after, fromId } = filter;
    if (fromId !== undefined) query = query.where("order_id", ">=", fromId);
    if (market !== undefined) query = query.where("market", "=", market);
    if (side !== undefined) query = query.where("side", "=", side);
    if (fromMs !== undefined) {
      query = query.where("created_ms", ">=", fromMs).where("created_sequence", ">=", bounds.least(fromMs));
    }
    if (toMs !== undefined) {
      query = query.where("created_ms", "<=", toMs).where("created_sequence", "<=", bounds.most(toMs));
    }
    const at = after ?? before;
    if (at === undefined) return query;
    const [first, orderId] = at;
    return query
      .where("created_sequence", after === undefined ? "<=" : ">=", first)
      .where(({ or, eb }) =>
        after === undefined
          ? or([eb("created_sequence", "<", first), eb("order_id", "<", orderId)])
          : or([eb("created_sequence", ">", first), eb("order_id", ">", orderId)]),
      );
  };
  return {
    /** Ended orders, newest first unless read forwards. */
    listHistory(filter: NumberedFilter & { readonly side?: string | undefined }): Promise<OrderRow[]> {
      const way = filter.after === undefined ? "desc" : "asc";
      const [first, ...others] = branchesOf(filter, filter.side).map((branch) =>
        ordersOf(filter, branch).orderBy("created_sequence", way).orderBy("order_id", way).limit(filter.limit),
      );
      if (first === undefined) return Promise.resolve([]);
      if (others.length === 0) return first.execute();
      const wrap = (page: typeof first) => tables.selectFrom(page.as("page")).selectAll();
      const all = others.reduce((sum, page) => sum.unionAll(wrap(page)), wrap(first));
      const rows = tables.selectFrom(all.as("pages")).selectAll();
      return rows.orderBy("created_sequence", way).orderBy("order_id", way).limit(filter.limit).execute();
    },
  };
}

/** Rows that show which side of a hedge an order concerned. */
function sideQueries(tables: Kysely<FuturesTables>) {
  return {
    /** Oldest first. */
    listModes: (accounts: readonly number[]): Promise<ModeRow[]> =>
      accounts.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_perp_modes")
            .selectAll()
            .where("account", "in", accounts)
            .orderBy("sequence")
            .execute(),

    /** What fills do not contain: which of these orders only reduced, and when each was placed. */
    readShapes: (orderIds: readonly number[]): Promise<ShapeRecord[]> =>
      orderIds.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_orders")
            .select(["order_id", "account", "side", "reduce_only", "created_sequence"])
            .where("order_id", "in", orderIds)
            .execute(),
  };
}

function moneyQueries(tables: Kysely<FuturesTables>) {
  return { ...fillQueries(tables), ...billQueries(tables) };
}

function fillQueries(tables: Kysely<FuturesTables>) {
  const fillsOf = (filter: FillFilter, { account, side }: Branch) => {
    let query = tables.selectFrom("engine_fills").selectAll().where("account", "=", account);
    const { market, fromMs, toMs, before, after, fromId, orderId } = filter;
    if (fromId !== undefined) query = query.where("trade_number", ">=", fromId);
    if (orderId !== undefined) query = query.where("order_id", "=", orderId);
    if (market !== undefined) query = query.where("market", "=", market);
    if (side !== undefined) query = query.where("side", "=", side);
    if (fromMs !== undefined)
      query = query.where("time_ms", ">=", fromMs).where("sequence", ">=", bounds.least(fromMs));
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
  };
  return {
    listFills(filter: FillFilter): Promise<FillRow[]> {
      const way = filter.after === undefined ? "desc" : "asc";
      // An order's fills have an index of their own.
      const { orderId, accounts } = filter;
      const branches = orderId === undefined ? branchesOf(filter) : accounts.map((account) => ({ account }));
      const [first, ...others] = branches.map((branch) =>
        fillsOf(filter, branch)
          .orderBy("sequence", way)
          .orderBy("trade_number", way)
          .orderBy("market", way)
          .orderBy("role", way)
          .limit(filter.limit),
      );
      if (first === undefined) return Promise.resolve([]);
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

interface BillFilter extends PageFilter {
  readonly asset?: number | undefined;
  readonly businesses?: readonly string[] | undefined;
}

function billQueries(tables: Kysely<FuturesTables>) {
  const bills = (account: number) => tables.selectFrom("engine_bills").where("account", "=", account);
  type Bills = ReturnType<typeof bills>;
  const placed = (query: Bills, { fromMs, toMs, before, after, limit }: BillFilter): Bills => {
    const way = after === undefined ? "desc" : "asc";
    let page = query.orderBy("sequence", way).orderBy("line", way).limit(limit);
    if (fromMs !== undefined) page = page.where("time_ms", ">=", fromMs).where("sequence", ">=", bounds.least(fromMs));
    if (toMs !== undefined) page = page.where("time_ms", "<=", toMs).where("sequence", "<=", bounds.most(toMs));
    if (before !== undefined) {
      const [sequence, line] = before;
      page = page
        .where("sequence", "<=", sequence)
        .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("line", "<", line)]));
    }
    if (after !== undefined) {
      const [sequence, line] = after;
      page = page
        .where("sequence", ">=", sequence)
        .where(({ or, eb }) => or([eb("sequence", ">", sequence), eb("line", ">", line)]));
    }
    return page;
  };
  const billsOf = (filter: BillFilter, account: number, business: string | undefined) => {
    const { market, asset, businesses } = filter;
    let query = placed(bills(account), filter).selectAll();
    if (asset !== undefined) query = query.where("asset", "=", asset);
    if (market !== undefined) query = query.where("market", "=", market);
    if (business === undefined) return businesses === undefined ? query : query.where("business", "in", businesses);
    query = query.where("business", "=", business);
    if (asset === undefined) return query;
    // The page's position is read from the index of kinds or of contracts; otherwise the planner would scan every bill.
    let keys = placed(bills(account).where("account", ">=", sql.lit(FIRST_ACCOUNT)), filter)
      .where("asset", "=", asset)
      .where("business", "=", business)
      .select(["sequence", "line"]);
    if (market !== undefined) keys = keys.where("market", "=", market).where(IS_OF_CONTRACT);
    return query.where("sequence", "in", tables.selectFrom(keys.as("keys")).select("sequence"));
  };
  return {
    async listBills(filter: BillFilter): Promise<BillRecord[]> {
      const way = filter.after === undefined ? "desc" : "asc";
      const branches = await kindsOf(tables, filter);
      const [first, ...others] = branches.map(({ account, asset, business }) =>
        billsOf({ ...filter, asset: asset ?? filter.asset }, account, business),
      );
      if (first === undefined) return [];
      if (others.length === 0) return first.execute();
      const wrap = (page: typeof first) => tables.selectFrom(page.as("page")).selectAll();
      const all = others.reduce((sum, page) => sum.unionAll(wrap(page)), wrap(first));
      const rows = tables.selectFrom(all.as("pages")).selectAll();
      return rows.orderBy("sequence", way).orderBy("line", way).limit(filter.limit).execute();
    },
  };
}

interface Kind {
  readonly account: number;
  readonly asset?: number;
  readonly business?: string;
}

/** Above this number a statement costs more than it saves. */
const KINDS_MAX = 150;

/**
 * For the selected businesses each coin separately, for a contract each coin and business, as the indexes are built.
 */
async function kindsOf(
  tables: Kysely<FuturesTables>,
  { accounts, asset, businesses, market }: BillFilter,
): Promise<readonly Kind[]> {
  const whole = accounts.map((account): Kind => ({ account }));
  if (market !== undefined) {
    const kinds = await Promise.all(accounts.map((account) => listKinds(tables, account, market)));
    const requested = (kind: BillKind): boolean =>
      (asset === undefined || kind.asset === asset) && businesses?.includes(kind.business) !== false;
    return kinds.flat().filter(requested);
  }
  if (businesses === undefined || accounts.length === 0) return whole;
  const held = await tables
    .selectFrom("engine_balances")
    .select(["account", "asset"])
    .where("account", "in", accounts)
    .execute();
  const cells = held.filter((cell) => asset === undefined || cell.asset === asset);
  const kinds = cells.flatMap((cell) => businesses.map((business) => ({ ...cell, business })));
  return kinds.length > KINDS_MAX ? whole : kinds;
}
