// The SQL of earn, in the subset both databases share. Writes that depend on each other are one transaction, each with
// its expectation in its own condition.
import { type Kysely, sql } from "kysely";
import { promises, settings } from "./promise-store.ts";
import {
  batches,
  type CouponRow,
  type EarnTables,
  type HoldingRow,
  type MoveRow,
  type MoveState,
  type PoolRow,
  type ProductRow,
  type RateRow,
} from "./row-store.ts";

/** The last record of a page: many are made at the same time. */
export interface MoveCursor {
  readonly atMs: number;
  readonly reference: string;
}

type Tables = Kysely<EarnTables>;
export type EarnStore = ReturnType<typeof earnStore>;

const LIST_MAX = 200;
const PRODUCTS_MAX = 500;

export function earnStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<EarnTables>();
  return {
    ...inside(tables),
    /** All or nothing: an exception inside leaves no trace. */
    together: <Value>(work: (store: EarnInside) => Promise<Value>): Promise<Value> =>
      tables.transaction().execute((transaction) => work(inside(transaction))),
  };
}

export type EarnInside = ReturnType<typeof inside>;

function inside(tables: Tables) {
  return {
    ...products(tables),
    ...promises(tables),
    ...quotas(tables),
    ...pools(tables),
    ...holdings(tables),
    ...dues(tables),
    ...moves(tables),
    ...interest(tables),
    ...coupons(tables),
    ...settings(tables),
    ...batches(tables),
  };
}

function products(tables: Tables) {
  return {
    findProduct: (productId: string): Promise<ProductRow | undefined> =>
      tables.selectFrom("earn_product").selectAll().where("product_id", "=", productId).executeTakeFirst(),
    /** Current ones before ended ones, the newest of these; oldest first. */
    async listProducts(): Promise<ProductRow[]> {
      const rows = await tables
        .selectFrom("earn_product")
        .selectAll()
        .orderBy(sql`case when settled_ms is null then 0 else 1 end`)
        .orderBy("created_ms", "desc")
        .orderBy("product_id", "desc")
        .limit(PRODUCTS_MAX)
        .execute();
      return rows.reverse().sort((left, right) => left.created_ms - right.created_ms);
    },
    /** False when there is one of this name. */
    async addProduct(row: ProductRow): Promise<boolean> {
      const insert = tables
        .insertInto("earn_product")
        .values(row)
        .onConflict((at) => at.column("product_id").doNothing());
      return ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async setOpen(productId: string, isOpen: boolean): Promise<boolean> {
      const change = tables.updateTable("earn_product").set({ is_open: isOpen }).where("product_id", "=", productId);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async settleProduct(
      productId: string,
      found: { readonly sum: bigint; readonly count: number; readonly isKnockedOut: boolean },
      timeMs: number,
    ): Promise<void> {
      await tables
        .updateTable("earn_product")
        .set({
          settled_ms: timeMs,
          price_sum: found.sum.toString(),
          price_count: found.count,
          is_knocked_out: found.isKnockedOut,
        })
        .where("product_id", "=", productId)
        .where("settled_ms", "is", null)
        .execute();
    },
    /** Shark fins whose price is due. */
    listUnsettled: (timeMs: number): Promise<ProductRow[]> =>
      tables
        .selectFrom("earn_product")
        .selectAll()
        .where("kind", "=", "shark")
        .where("settled_ms", "is", null)
        .where("ends_ms", "<=", timeMs)
        .limit(LIST_MAX)
        .execute(),
    listRates: (productId: string): Promise<RateRow[]> =>
      tables.selectFrom("earn_rate").selectAll().where("product_id", "=", productId).orderBy("from_hour").execute(),
    async putRate(row: RateRow): Promise<void> {
      const { tiers } = row;
      const keys = ["product_id", "from_hour"] as const;
      await tables
        .insertInto("earn_rate")
        .values(row)
        .onConflict((at) => at.columns([...keys]).doUpdateSet({ tiers }))
        .execute();
    },
  };
}

/** The remaining quotas of products and of users. */
function quotas(tables: Tables) {
  return {
    /** Takes from the quota while the product is open; false when it is too small, or the product closed. */
    async takeQuota(productId: string, amountUnits: bigint, timeMs: number): Promise<boolean> {
      const change = tables
        .updateTable("earn_product")
        .set({ taken_units: sql<bigint>`taken_units + ${amountUnits}` })
        .where("product_id", "=", productId)
        .where("is_open", "=", true)
        .where("opens_ms", "<=", timeMs)
        .where("closes_ms", ">", timeMs)
        .where(sql<boolean>`taken_units + ${amountUnits} <= quota_units`);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async giveQuota(productId: string, amountUnits: bigint): Promise<void> {
      await tables
        .updateTable("earn_product")
        .set({ taken_units: sql<bigint>`taken_units - ${amountUnits}` })
        .where("product_id", "=", productId)
        .execute();
    },
    async takeShare(userId: number, productId: string, amountUnits: bigint, maxUnits: bigint): Promise<boolean> {
      await tables
        .insertInto("earn_share")
        .values({ user_id: userId, product_id: productId, units: 0n })
        .onConflict((at) => at.columns(["user_id", "product_id"]).doNothing())
        .execute();
      const change = tables
        .updateTable("earn_share")
        .set({ units: sql<bigint>`units + ${amountUnits}` })
        .where("user_id", "=", userId)
        .where("product_id", "=", productId)
        .where(sql<boolean>`units + ${amountUnits} <= ${maxUnits}`);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async findShare(userId: number, productId: string): Promise<bigint> {
      const own = tables.selectFrom("earn_share").select("units").where("user_id", "=", userId);
      return (await own.where("product_id", "=", productId).executeTakeFirst())?.units ?? 0n;
    },
    async giveShare(userId: number, productId: string, amountUnits: bigint): Promise<void> {
      await tables
        .updateTable("earn_share")
        .set({ units: sql<bigint>`units - ${amountUnits}` })
        .where("user_id", "=", userId)
        .where("product_id", "=", productId)
        .execute();
    },
  };
}

function pools(tables: Tables) {
  return {
    listPools: (day: number): Promise<PoolRow[]> =>
      tables.selectFrom("earn_pool").selectAll().where("day", "=", day).execute(),
    async takePool(
      productId: string,
      day: number,
      way: "in_units" | "out_units",
      amountUnits: bigint,
      maxUnits: bigint,
    ): Promise<boolean> {
      await tables
        .insertInto("earn_pool")
        .values({ product_id: productId, day, in_units: 0n, out_units: 0n })
        .onConflict((at) => at.columns(["product_id", "day"]).doNothing())
        .execute();
      const change = tables
        .updateTable("earn_pool")
        .set({ [way]: sql<bigint>`${sql.ref(way)} + ${amountUnits}` })
        .where("product_id", "=", productId)
        .where("day", "=", day)
        .where(sql<boolean>`${sql.ref(way)} + ${amountUnits} <= ${maxUnits}`);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

/** Holdings with something to do by themselves, in pages. */
function dues(tables: Tables) {
  const all = tables.selectFrom("earn_holding").selectAll();
  return {
    /** Flexible holdings not credited up to this day, and those with a movement under way. */
    listUncredited: (day: number, after: string, limit: number): Promise<HoldingRow[]> =>
      all
        .where("kind", "=", "flexible")
        .where("state", "=", "RUNNING")
        .where("credited_day", "<", day)
        .where("holding_id", ">", after)
        .orderBy("holding_id")
        .limit(limit)
        .execute(),
    /** Fixed terms that have ended, and shark fins with a price. */
    listMatured: (timeMs: number, after: string, limit: number): Promise<HoldingRow[]> =>
      tables
        .selectFrom("earn_holding")
        .innerJoin("earn_product", "earn_product.product_id", "earn_holding.product_id")
        .selectAll("earn_holding")
        .where("earn_holding.state", "=", "OPEN")
        .where("earn_holding.ends_ms", "<=", timeMs)
        .where((is) => is.or([is("earn_holding.kind", "=", "fixed"), is("earn_product.settled_ms", "is not", null)]))
        .where("earn_holding.holding_id", ">", after)
        .orderBy("earn_holding.holding_id")
        .limit(limit)
        .execute(),
    /** Ended shark fins whose owners chose the next series. */
    listResubscribing: (after: string, limit: number): Promise<HoldingRow[]> =>
      all
        .where("state", "=", "MATURED")
        .where("kind", "=", "shark")
        .where("is_renewed", "=", true)
        .where("holding_id", ">", after)
        .orderBy("holding_id")
        .limit(limit)
        .execute(),
  };
}

function holdings(tables: Tables) {
  const all = tables.selectFrom("earn_holding").selectAll();
  return {
    findHolding: (holdingId: string): Promise<HoldingRow | undefined> =>
      all.where("holding_id", "=", holdingId).executeTakeFirst(),
    listHoldings: (holdingIds: readonly string[]): Promise<HoldingRow[]> =>
      holdingIds.length === 0 ? Promise.resolve([]) : all.where("holding_id", "in", holdingIds).execute(),
    listOwn: (userId: number, isEnded: boolean): Promise<HoldingRow[]> =>
      all
        .where("user_id", "=", userId)
        .where("state", isEnded ? "not in" : "in", ["OPEN", "RUNNING"])
        .orderBy("opened_ms", "desc")
        .limit(LIST_MAX)
        .execute(),
    async addHolding(row: HoldingRow): Promise<void> {
      await tables
        .insertInto("earn_holding")
        .values(row)
        .onConflict((at) => at.column("holding_id").doNothing())
        .execute();
    },
    /** False when another caller has changed it since it was read. */
    async changeHolding(
      { holding_id, version }: Pick<HoldingRow, "holding_id" | "version">,
      values: Partial<HoldingRow>,
    ): Promise<boolean> {
      const change = tables
        .updateTable("earn_holding")
        .set({ ...values, version: version + 1 })
        .where("holding_id", "=", holding_id)
        .where("version", "=", version);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

function moves(tables: Tables) {
  const all = tables.selectFrom("earn_move").selectAll();
  return {
    listByReference: (references: readonly string[]): Promise<MoveRow[]> =>
      references.length === 0 ? Promise.resolve([]) : all.where("reference", "in", references).execute(),
    findByClient: (userId: number, clientId: string): Promise<MoveRow | undefined> =>
      all.where("user_id", "=", userId).where("client_id", "=", clientId).executeTakeFirst(),
    /** Intents that are due. */
    listDue: (state: "intended" | "queued", timeMs: number, after: string, limit: number): Promise<MoveRow[]> =>
      all
        .where("state", "=", state)
        .where("due_ms", "<=", timeMs)
        .where("reference", ">", after)
        .orderBy("reference")
        .limit(limit)
        .execute(),
    /** Newest first. */
    listMoves: (userId: number, before: MoveCursor, limit: number): Promise<MoveRow[]> =>
      all
        .where("user_id", "=", userId)
        .where("at_ms", "<=", before.atMs)
        .where(({ or, eb }) => or([eb("at_ms", "<", before.atMs), eb("reference", ">", before.reference)]))
        .orderBy("at_ms", "desc")
        .orderBy("reference")
        .limit(limit)
        .execute(),
    async addMove(row: MoveRow): Promise<boolean> {
      const insert = tables
        .insertInto("earn_move")
        .values(row)
        .onConflict((at) => at.doNothing());
      return ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async stepMove(reference: string, from: MoveState, to: MoveState, code = ""): Promise<boolean> {
      const change = tables
        .updateTable("earn_move")
        .set({ state: to, code })
        .where("reference", "=", reference)
        .where("state", "=", from);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

/** Paid interest. */
function interest(tables: Tables) {
  return {
    /** Interest paid since a time, by coin. */
    async sumInterest(userId: number, sinceMs: number): Promise<{ asset: string; sum: bigint }[]> {
      const rows = await tables
        .selectFrom("earn_move")
        .select(["asset", sql<string>`cast(sum(interest_units) as text)`.as("sum")])
        .where("user_id", "=", userId)
        .where("state", "=", "done")
        .where("kind", "in", ["credit", "mature", "renew"])
        .where("at_ms", ">=", sinceMs)
        .groupBy("asset")
        .execute();
      return rows.map(({ asset, sum }) => ({ asset, sum: BigInt(sum) }));
    },
    /** Credits at that time by product, of holdings unchanged all day. */
    async sumCredits(dueMs: number): Promise<{ productId: string; interestUnits: bigint; baseUnits: bigint }[]> {
      const rows = await tables
        .selectFrom("earn_move")
        .select([
          "product_id",
          sql<string>`cast(sum(interest_units) as text)`.as("interest"),
          sql<string>`cast(sum(base_units) as text)`.as("base"),
        ])
        .where("state", "=", "done")
        .where("due_ms", "=", dueMs)
        .where("kind", "=", "credit")
        .where("base_units", ">", 0n)
        .groupBy("product_id")
        .execute();
      return rows.map(({ product_id, interest, base }) => ({
        productId: product_id,
        interestUnits: BigInt(interest),
        baseUnits: BigInt(base),
      }));
    },
  };
}

function coupons(tables: Tables) {
  const all = tables.selectFrom("earn_coupon").selectAll();
  return {
    findCoupon: (couponId: string): Promise<CouponRow | undefined> =>
      all.where("coupon_id", "=", couponId).executeTakeFirst(),
    listCoupons: (userId: number): Promise<CouponRow[]> =>
      all.where("user_id", "=", userId).orderBy("expires_ms").orderBy("coupon_id").limit(LIST_MAX).execute(),
    async addCoupon(row: CouponRow): Promise<void> {
      await tables
        .insertInto("earn_coupon")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
    },
    async claimCoupon(couponId: string, reference: string): Promise<boolean> {
      const change = tables
        .updateTable("earn_coupon")
        .set({ used_by: reference })
        .where("coupon_id", "=", couponId)
        .where("used_by", "is", null);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** Replaced on the holding by another: the amount it added is stored with it. */
    async endCoupon(couponId: string, addedParts: string): Promise<void> {
      const change = tables.updateTable("earn_coupon").set({ added_parts: addedParts });
      await change.where("coupon_id", "=", couponId).where("added_parts", "is", null).execute();
    },
    /** Whether this subscription used one. */
    async freeCoupon(reference: string): Promise<boolean> {
      const change = tables.updateTable("earn_coupon").set({ used_by: null }).where("used_by", "=", reference);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}
