// The futures slice's SQL and nothing but SQL: orders, fills and bills of futures accounts as the projection keeps them.
import { FILL_ROLES, type FillCursor } from "@clockwork/kit/pages/fill-cursor";
import type { Kysely } from "kysely";
import type { FillRecord, ModeRecord, OrderRecord, StopRecord } from "./needs.ts";

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
}

type FuturesTables = {
  engine_orders: OrderRecord;
  engine_fills: FillRecord;
  engine_bills: BillRecord;
  engine_stops: StopRecord;
  engine_perp_modes: ModeRecord;
  engine_demo_resets: { readonly account: number; readonly time_ms: number };
};

export type ShapeRecord = Pick<OrderRecord, "order_id" | "account" | "side" | "reduce_only" | "created_sequence">;

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
    findOrder: (accounts: readonly number[], orderId: number): Promise<OrderRecord | undefined> =>
      tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("order_id", "=", orderId)
        .where("account", "in", accounts)
        .executeTakeFirst(),

    findOrderByName: (accounts: readonly number[], clientOrderId: string): Promise<OrderRecord | undefined> =>
      tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("account", "in", accounts)
        .where("client_order_id", "=", clientOrderId)
        .orderBy("order_id", "desc")
        .limit(1)
        .executeTakeFirst(),

    findStops: (orderIds: readonly number[]): Promise<StopRecord[]> =>
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

function historyQueries(tables: Kysely<FuturesTables>) {
  return {
    /** Ended orders, newest first unless read forwards. */
    listHistory(filter: NumberedFilter & { readonly side?: string | undefined }): Promise<OrderRecord[]> {
      let query = tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("account", "in", filter.accounts)
        .where("state", "not in", OPEN_STATES);
      const { market, side, fromMs, toMs, before, after, fromId } = filter;
      if (fromId !== undefined) query = query.where("order_id", ">=", fromId);
      if (market !== undefined) query = query.where("market", "=", market);
      if (side !== undefined) query = query.where("side", "=", side);
      if (fromMs !== undefined) query = query.where("created_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("created_ms", "<=", toMs);
      const at = after ?? before;
      if (at !== undefined) {
        const [first, orderId] = at;
        query = query
          .where("created_sequence", after === undefined ? "<=" : ">=", first)
          .where(({ or, eb }) =>
            after === undefined
              ? or([eb("created_sequence", "<", first), eb("order_id", "<", orderId)])
              : or([eb("created_sequence", ">", first), eb("order_id", ">", orderId)]),
          );
      }
      const way = after === undefined ? "desc" : "asc";
      return query.orderBy("created_sequence", way).orderBy("order_id", way).limit(filter.limit).execute();
    },
  };
}

/** What tells which side of a hedge an order was about. */
function sideQueries(tables: Kysely<FuturesTables>) {
  return {
    /** Oldest first. */
    listModes: (accounts: readonly number[]): Promise<ModeRecord[]> =>
      accounts.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_perp_modes")
            .selectAll()
            .where("account", "in", accounts)
            .orderBy("sequence")
            .execute(),

    /** What fills do not say themselves: which of these orders only reduced, and when each was placed. */
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
  return {
    listFills(filter: FillFilter): Promise<FillRecord[]> {
      let query = tables.selectFrom("engine_fills").selectAll().where("account", "in", filter.accounts);
      const { market, fromMs, toMs, before, after, fromId, orderId } = filter;
      if (fromId !== undefined) query = query.where("trade_number", ">=", fromId);
      if (orderId !== undefined) query = query.where("order_id", "=", orderId);
      if (market !== undefined) query = query.where("market", "=", market);
      if (fromMs !== undefined) query = query.where("time_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("time_ms", "<=", toMs);
      const at = after ?? before;
      if (at !== undefined) {
        const [sequence, trade, place = 0, role = 0] = at;
        const [beyond, atLeast] = after === undefined ? (["<", "<="] as const) : ([">", ">="] as const);
        query = query
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
      const way = after === undefined ? "desc" : "asc";
      return query
        .orderBy("sequence", way)
        .orderBy("trade_number", way)
        .orderBy("market", way)
        .orderBy("role", way)
        .limit(filter.limit)
        .execute();
    },

    listBills(
      filter: PageFilter & { readonly asset?: number | undefined; readonly businesses?: readonly string[] | undefined },
    ): Promise<BillRecord[]> {
      let query = tables.selectFrom("engine_bills").selectAll().where("account", "in", filter.accounts);
      const { market, fromMs, toMs, before, after, asset, businesses } = filter;
      if (asset !== undefined) query = query.where("asset", "=", asset);
      if (businesses !== undefined) query = query.where("business", "in", businesses);
      if (market !== undefined) query = query.where("market", "=", market);
      if (fromMs !== undefined) query = query.where("time_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("time_ms", "<=", toMs);
      if (before !== undefined) {
        const [sequence, line] = before;
        query = query
          .where("sequence", "<=", sequence)
          .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("line", "<", line)]));
      }
      if (after !== undefined) {
        const [sequence, line] = after;
        query = query
          .where("sequence", ">=", sequence)
          .where(({ or, eb }) => or([eb("sequence", ">", sequence), eb("line", ">", line)]));
      }
      const way = after === undefined ? "desc" : "asc";
      return query.orderBy("sequence", way).orderBy("line", way).limit(filter.limit).execute();
    },
  };
}
