// The SQL of coupons, in the subset both databases share.
import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
import { DAY_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";

export interface CouponRow {
  readonly coupon_id: string;
  readonly user_id: number;
  readonly kind: string;
  readonly asset: string;
  readonly face_units: bigint;
  readonly volume_units: bigint;
  readonly reference: string;
  readonly issued_ms: number;
  readonly expires_ms: number;
  readonly state: string;
  readonly paid_units: bigint | null;
  readonly index_price: string | null;
  readonly converted_ms: number | null;
}

const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));
const LIST_MAX = 200;
const RESUME_MAX = 100;

export type CouponStore = ReturnType<typeof couponStore>;
type Tables = Kysely<{ coupons_coupon: CouponRow }>;

export function couponStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<{ coupons_coupon: CouponRow }>();
  return { ...readings(tables), ...changes(tables) };
}

function readings(tables: Tables) {
  const find = (couponId: string, userId: number): Promise<CouponRow | undefined> =>
    tables
      .selectFrom("coupons_coupon")
      .selectAll()
      .where("coupon_id", "=", couponId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
  return {
    find,

    findReference: (userId: number, reference: string): Promise<CouponRow | undefined> =>
      tables
        .selectFrom("coupons_coupon")
        .selectAll()
        .where("user_id", "=", userId)
        .where("reference", "=", reference)
        .executeTakeFirst(),

    /** Newest first. */
    list: (userId: number): Promise<CouponRow[]> =>
      tables
        .selectFrom("coupons_coupon")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("issued_ms", "desc")
        .orderBy("coupon_id")
        .limit(LIST_MAX)
        .execute(),

    listIntended: (): Promise<CouponRow[]> =>
      tables
        .selectFrom("coupons_coupon")
        .selectAll()
        .where("state", "=", "intended")
        .orderBy("issued_ms")
        .limit(RESUME_MAX)
        .execute(),

    /** An account's turnover since then, in quote units by market: whole days from their sums, the rest from fills. */
    async sumTurnover(account: number, sinceMs: number, untilMs: number): Promise<{ market: number; sum: bigint }[]> {
      const [first, end] = [Math.ceil(sinceMs / DAY_MS), Math.floor(untilMs / DAY_MS)];
      const fills = (fromMs: number, toMs: number) => sql`
        select market, notional_units from engine_fills
        where account = ${account} and time_ms >= ${fromMs} and time_ms < ${toMs}
          and sequence >= ${bounds.least(fromMs)} and sequence <= ${bounds.most(toMs)}`;
      const days = sql`select market, notional_units from engine_fill_days
        where account = ${account} and day >= ${first} and day < ${end}`;
      const parts =
        first > end ? [fills(sinceMs, untilMs)] : [fills(sinceMs, first * DAY_MS), days, fills(end * DAY_MS, untilMs)];
      const { rows } = await sql<{ market: number; sum: string }>`
        select market, cast(sum(notional_units) as text) as sum from (${sql.join(parts, sql` union all `)}) parts
        group by market`.execute(tables);
      // As text: a sum may exceed exact numbers, and each database returns another type.
      return rows.map(({ market, sum }) => ({ market: Number(market), sum: BigInt(sum) }));
    },
  };
}

function changes(tables: Tables) {
  return {
    /** Does nothing when the user has a coupon of this reference already. */
    async add(row: CouponRow): Promise<void> {
      await tables
        .insertInto("coupons_coupon")
        .values(row)
        // By either key: two concurrent calls with the same coupon conflict on its id as well.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Marks it as being paid; false when another caller was first. */
    async intend(couponId: string, paidUnits: bigint, indexPrice: string): Promise<boolean> {
      const changed = await tables
        .updateTable("coupons_coupon")
        .set({ state: "intended", paid_units: paidUnits, index_price: indexPrice })
        .where("coupon_id", "=", couponId)
        .where("state", "=", "open")
        .executeTakeFirst();
      return changed.numUpdatedRows === 1n;
    },

    /** The payment is stored whatever a concurrent call did to the row. */
    async complete({ coupon_id, paid_units, index_price }: CouponRow, timeMs: number): Promise<void> {
      await tables
        .updateTable("coupons_coupon")
        .set({ state: "converted", converted_ms: timeMs, paid_units, index_price })
        .where("coupon_id", "=", coupon_id)
        .where("state", "!=", "converted")
        .execute();
    },

    /** The engine rejected it finally: nothing was paid, the coupon is unchanged. */
    async reopen(couponId: string): Promise<void> {
      await tables
        .updateTable("coupons_coupon")
        .set({ state: "open", paid_units: null, index_price: null })
        .where("coupon_id", "=", couponId)
        .where("state", "=", "intended")
        .execute();
    },
  };
}
