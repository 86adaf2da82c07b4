// The SQL of orders between people.
import type { PaymentKind } from "@clockwork/kit/otc/fiat";
import { OPEN_STATES, type OtcState } from "@clockwork/kit/otc/order-machine";
import type { PageMark } from "@clockwork/kit/otc/page-mark";
import { type Generated, type Kysely, sql } from "kysely";
import { complaining, placing } from "./change-store.ts";

export interface OrderRow {
  readonly order_id: string;
  readonly ad_id: number;
  readonly maker_id: number;
  readonly taker_id: number;
  readonly client_id: string;
  readonly buyer_id: number;
  readonly seller_id: number;
  readonly slot: number;
  readonly asset: string;
  readonly fiat: string;
  readonly price_e4: bigint;
  readonly quantity_units: bigint;
  readonly fee_units: bigint;
  readonly amount_cents: bigint;
  readonly worth_units: bigint;
  readonly payment_kind: PaymentKind;
  readonly payment_sealed: Uint8Array;
  readonly state: OtcState;
  readonly intent: string;
  readonly intent_by: string;
  readonly intent_ms: number;
  readonly pay_by_ms: number;
  readonly paid_ms: number;
  readonly is_cancel_asked: boolean;
  readonly end_by: string;
  readonly fault: "" | "buyer" | "seller";
  readonly ended_ms: number;
  readonly created_ms: number;
}
export interface LogRow {
  readonly order_id: string;
  readonly at_ms: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: string;
}
export interface ComplaintRow {
  readonly complaint_id: number;
  readonly order_id: string;
  readonly by_role: "buyer" | "seller";
  readonly reason: string;
  readonly buyer_says: string;
  readonly seller_says: string;
  /** How many pictures each side has shown as evidence. */
  readonly buyer_pictures: number;
  readonly seller_pictures: number;
  readonly opened_ms: number;
  readonly state: "OPEN" | "WITHDRAWN" | "DECIDED";
  readonly winner: string;
  readonly fault: string;
  readonly compensation_units: bigint;
  readonly decision: string;
  /** The intent that decided it; empty before. */
  readonly decision_id: string;
  readonly decided_ms: number;
}
/** A step whose notice may not have been sent. */
export interface UntoldStep {
  readonly id: number;
  readonly order_id: string;
  readonly action: string;
}
export type OrderTables = {
  otcorders_order: OrderRow;
  otcorders_log: LogRow & { readonly id: Generated<number>; readonly untold: Generated<number> };
  otcorders_lock: { readonly user_id: number; readonly version: number };
  otcorders_complaint: Omit<ComplaintRow, "complaint_id"> & { readonly complaint_id: Generated<number> };
};
export type OrderDb = Kysely<OrderTables>;
export type OrderChange = Partial<Omit<OrderRow, "order_id">>;
export type OrderStore = ReturnType<typeof orderStore>;

export const PAGE = 20;
const PARTNERS_MAX = 10_000;
export function orderStore(kysely: Kysely<unknown>) {
  const tables: OrderDb = kysely.$extendTables<OrderTables>();
  return {
    ...readings(tables),
    ...ofAds(tables),
    ...logs(tables),
    ...histories(tables),
    ...placing(tables),
    ...changes(tables),
    ...complaining(tables),
  };
}

function readings(tables: OrderDb) {
  const orders = () => tables.selectFrom("otcorders_order").selectAll();
  return {
    find: (orderId: string): Promise<OrderRow | undefined> =>
      orders().where("order_id", "=", orderId).executeTakeFirst(),
    findIntent: (takerId: number, clientId: string): Promise<OrderRow | undefined> =>
      orders().where("taker_id", "=", takerId).where("client_id", "=", clientId).executeTakeFirst(),
    /** The newest first; of one moment by their ids. */
    list: (userId: number, isOpenOnly: boolean, after: PageMark | undefined): Promise<OrderRow[]> => {
      let query = orders()
        .where((where) => where.or([where("buyer_id", "=", userId), where("seller_id", "=", userId)]))
        .where("state", "<>", "REFUSED");
      if (isOpenOnly) query = query.where("state", "in", [...OPEN_STATES]);
      if (after !== undefined) {
        query = query.where((where) =>
          where.or([
            where("created_ms", "<", after.atMs),
            where.and([where("created_ms", "=", after.atMs), where("order_id", "<", after.id)]),
          ]),
        );
      }
      return query
        .orderBy("created_ms", "desc")
        .orderBy("order_id", "desc")
        .limit(PAGE + 1)
        .execute();
    },
    /** What a stop left unfinished, and orders past their time to pay. */
    listDue: (timeMs: number, underWayMs: number): Promise<OrderRow[]> =>
      orders()
        .where((where) =>
          where.or([
            where.and([where("intent", "<>", ""), where("intent_ms", "<=", timeMs - underWayMs)]),
            where.and([where("state", "=", "PLACING"), where("created_ms", "<=", timeMs - underWayMs)]),
            where.and([where("state", "=", "WAIT_PAY"), where("intent", "=", ""), where("pay_by_ms", "<=", timeMs)]),
          ]),
        )
        .limit(200)
        .execute(),
    listOpenOf: (makerIds: readonly number[]): Promise<OrderRow[]> =>
      makerIds.length === 0
        ? Promise.resolve([])
        : orders()
            .where("maker_id", "in", [...makerIds])
            .where("state", "in", ["WAIT_PAY", "PAID", "APPEAL"])
            .execute(),
  };
}

/** The conditions of the order's ad. */
function ofAds(tables: OrderDb) {
  return {
    /** Open ones, and those that ended without everything done that follows: coins may be on their way back. */
    async hasCoinsOut(adId: number, inside: Kysely<unknown>): Promise<boolean> {
      const untold = tables.selectFrom("otcorders_log").select("order_id").where("untold", "=", 1);
      const row = await (inside as unknown as OrderDb)
        .selectFrom("otcorders_order")
        .select("order_id")
        .where("ad_id", "=", adId)
        .where((where) => where.or([where("state", "in", [...OPEN_STATES]), where("order_id", "in", untold)]))
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Being placed, in a step, beyond its time to pay, or ended with follow-ups outstanding. */
    async isUnsettled(adId: number, nowMs: number, inside: Kysely<unknown>): Promise<boolean> {
      const untold = tables.selectFrom("otcorders_log").select("order_id").where("untold", "=", 1);
      const row = await (inside as unknown as OrderDb)
        .selectFrom("otcorders_order")
        .select("order_id")
        .where("ad_id", "=", adId)
        .where((where) =>
          where.or([
            where("state", "=", "PLACING"),
            where("intent", "<>", ""),
            where.and([where("state", "=", "WAIT_PAY"), where("pay_by_ms", "<=", nowMs)]),
            where("order_id", "in", untold),
          ]),
        )
        .executeTakeFirst();
      return row !== undefined;
    },
    async countOpen(adId: number): Promise<number> {
      const row = await tables
        .selectFrom("otcorders_order")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("ad_id", "=", adId)
        .where("state", "in", [...OPEN_STATES])
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

function logs(tables: OrderDb) {
  return {
    listLog: (orderId: string): Promise<LogRow[]> =>
      tables
        .selectFrom("otcorders_log")
        .select(["order_id", "at_ms", "actor", "action", "detail"])
        .where("order_id", "=", orderId)
        .orderBy("id")
        .execute(),
    countSteps: async (orderId: string, action: string): Promise<number> => {
      const row = await tables
        .selectFrom("otcorders_log")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("order_id", "=", orderId)
        .where("action", "=", action)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    listUntold: (beforeMs: number): Promise<UntoldStep[]> =>
      tables
        .selectFrom("otcorders_log")
        .select(["id", "order_id", "action"])
        .where("untold", "=", 1)
        .where("at_ms", "<=", beforeMs)
        .orderBy("id")
        .limit(200)
        .execute(),
  };
}

/** Which of a user's completed orders are requested. */
export interface FinishedRequested {
  readonly role: "any" | "buyer" | "seller" | "maker";
  /** Those of its moment up to and with its id are among them. */
  readonly upTo?: PageMark | undefined;
  readonly since?: number | undefined;
  readonly asset?: string | undefined;
  readonly fiat?: string | undefined;
}

/** A user's history. */
function histories(tables: OrderDb) {
  const orders = () => tables.selectFrom("otcorders_order").selectAll();
  return {
    lastOf: (userId: number): Promise<OrderRow | undefined> =>
      orders()
        .where((where) => where.or([where("buyer_id", "=", userId), where("seller_id", "=", userId)]))
        .where("state", "<>", "REFUSED")
        // The open ones first, then whichever ended last.
        .orderBy(sql`CASE WHEN ended_ms = 0 THEN 0 ELSE 1 END`)
        .orderBy("ended_ms", "desc")
        .executeTakeFirst(),
    /** Orders of a user that ended since then, for rate and release time. */
    listEnded: (userId: number, sinceMs: number): Promise<OrderRow[]> =>
      orders()
        .where((where) => where.or([where("buyer_id", "=", userId), where("seller_id", "=", userId)]))
        .where("ended_ms", ">=", sinceMs)
        .where("state", "in", ["COMPLETED", "CANCELLED"])
        .orderBy("ended_ms", "desc")
        .limit(5_000)
        .execute(),
    /** All users this user has completed an order with. */
    /** Whether two people have an order with each other, however it ended. */
    async haveMet(userId: number, otherId: number): Promise<boolean> {
      const row = await orders()
        .clearSelect()
        .select("order_id")
        .where(({ and, eb, or }) =>
          or([
            and([eb("buyer_id", "=", userId), eb("seller_id", "=", otherId)]),
            and([eb("buyer_id", "=", otherId), eb("seller_id", "=", userId)]),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async listPartners(userId: number): Promise<ReadonlySet<number>> {
      const rows = await orders()
        .clearSelect()
        .select(["buyer_id", "seller_id"])
        .distinct()
        .where((where) => where.or([where("buyer_id", "=", userId), where("seller_id", "=", userId)]))
        .where("state", "=", "COMPLETED")
        .limit(PARTNERS_MAX)
        .execute();
      return new Set(rows.map((row) => (row.buyer_id === userId ? row.seller_id : row.buyer_id)));
    },
    listFinished: (userId: number, requested: FinishedRequested, limit: number): Promise<OrderRow[]> => {
      const { role, upTo, since, asset, fiat } = requested;
      return orders()
        .where((where) =>
          role === "any"
            ? where.or([where("buyer_id", "=", userId), where("seller_id", "=", userId)])
            : where(`${role}_id`, "=", userId),
        )
        .where("state", "=", "COMPLETED")
        .$if(upTo !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where("ended_ms", "<", upTo?.atMs ?? 0),
              where.and([where("ended_ms", "=", upTo?.atMs ?? 0), where("order_id", "<=", upTo?.id ?? "")]),
            ]),
          ),
        )
        .$if(since !== undefined, (query) => query.where("ended_ms", ">=", since ?? 0))
        .$if(asset !== undefined, (query) => query.where("asset", "=", asset ?? ""))
        .$if(fiat !== undefined, (query) => query.where("fiat", "=", fiat ?? ""))
        .orderBy("ended_ms", "desc")
        .orderBy("order_id", "desc")
        .limit(limit)
        .execute();
    },
  };
}

/** Every step starts with an intent and ends with its line in the log. */
function changes(tables: OrderDb) {
  return {
    /** Stores the next step unless another is under way; the second caller gets a refusal. */
    async begin(
      orderId: string,
      from: OtcState,
      intent: { action: string; by: string; timeMs: number },
      inside?: Kysely<unknown>,
    ): Promise<boolean> {
      const started = await (inside?.$extendTables<OrderTables>() ?? tables)
        .updateTable("otcorders_order")
        .set({ intent: intent.action, intent_by: intent.by, intent_ms: intent.timeMs })
        .where("order_id", "=", orderId)
        .where("state", "=", from)
        .where("intent", "=", "")
        .executeTakeFirst();
      return started.numUpdatedRows > 0n;
    },
    /**
     * Ends the step, with its line in the log and everything of the same transaction. Both sides are still to be
     * notified.
     */
    end: (
      row: Pick<OrderRow, "order_id" | "state" | "intent">,
      change: OrderChange,
      log: Omit<LogRow, "order_id">,
      more: (inside: Kysely<unknown>) => Promise<void>,
    ): Promise<{ readonly order: OrderRow; readonly stepId: number } | undefined> =>
      tables.transaction().execute(async (inside) => {
        const order = await inside
          .updateTable("otcorders_order")
          .set({ ...change, intent: "", intent_by: "" })
          .where("order_id", "=", row.order_id)
          .where("state", "=", row.state)
          .where("intent", "=", row.intent)
          .returningAll()
          .executeTakeFirst();
        if (order === undefined) return undefined;
        const { id } = await inside
          .insertInto("otcorders_log")
          .values({ order_id: row.order_id, ...log, untold: 1 })
          .returning("id")
          .executeTakeFirstOrThrow();
        await more(inside as unknown as Kysely<unknown>);
        return { order, stepId: id };
      }),
    async markNotified(stepId: number): Promise<void> {
      await tables.updateTable("otcorders_log").set({ untold: 0 }).where("id", "=", stepId).execute();
    },
    /** The step had no effect. */
    async callOff(row: Pick<OrderRow, "order_id" | "intent">): Promise<void> {
      await tables
        .updateTable("otcorders_order")
        .set({ intent: "", intent_by: "" })
        .where("order_id", "=", row.order_id)
        .where("intent", "=", row.intent)
        .execute();
    },
    async addLog(row: LogRow): Promise<void> {
      await tables.insertInto("otcorders_log").values(row).execute();
    },
  };
}
