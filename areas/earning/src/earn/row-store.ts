// Rows of earn in the tables, and batched writes: all interest is due in the same minute, and one statement per row
// would block the thread that serves requests.
import { type Kysely, sql } from "kysely";

export interface ProductRow {
  readonly product_id: string;
  readonly kind: "flexible" | "fixed" | "shark";
  readonly asset: string;
  readonly days: number;
  readonly rate: number;
  readonly terms: string;
  readonly min_units: bigint;
  readonly user_max_units: bigint;
  readonly quota_units: bigint;
  readonly taken_units: bigint;
  readonly day_in_units: bigint;
  readonly day_out_units: bigint;
  readonly is_open: boolean;
  readonly opens_ms: number;
  readonly closes_ms: number;
  readonly starts_ms: number;
  readonly ends_ms: number;
  readonly settled_ms: number | null;
  readonly price_sum: string | null;
  readonly price_count: number | null;
  readonly is_knocked_out: boolean;
  readonly is_simulated: boolean;
  readonly created_ms: number;
}

export interface RateRow {
  readonly product_id: string;
  readonly from_hour: number;
  readonly tiers: string;
}

export interface PoolRow {
  readonly product_id: string;
  readonly day: number;
  readonly in_units: bigint;
  readonly out_units: bigint;
}

export type HoldingState = "OPEN" | "RUNNING" | "MATURED" | "REDEEMED" | "VOID";

export interface HoldingRow {
  readonly holding_id: string;
  readonly user_id: number;
  readonly product_id: string;
  readonly kind: "flexible" | "fixed" | "shark";
  readonly asset: string;
  readonly state: HoldingState;
  readonly principal_units: bigint;
  readonly earning_units: bigint;
  readonly hour: number;
  readonly parts: bigint;
  readonly credited_day: number;
  readonly rate: number;
  readonly days: number;
  readonly term: number;
  readonly starts_ms: number;
  readonly ends_ms: number;
  readonly is_compound: boolean;
  readonly is_renewed: boolean;
  readonly coupon_id: string | null;
  readonly boost_rate: number;
  readonly boost_cap_units: bigint;
  readonly boost_from: number;
  /** The first hour without it; of a fixed term the days it applies to. */
  readonly boost_until: number;
  /** The coupon's addition so far. */
  readonly boost_parts: string;
  readonly paid_units: bigint;
  readonly pending: string | null;
  readonly version: number;
  readonly opened_ms: number;
}

export type MoveKind = "subscribe" | "redeem" | "credit" | "mature" | "renew";
export type MoveState = "intended" | "queued" | "done" | "refused";

export interface MoveRow {
  readonly reference: string;
  readonly user_id: number;
  readonly client_id: string;
  readonly kind: MoveKind;
  readonly holding_id: string;
  readonly product_id: string;
  readonly asset: string;
  readonly units: bigint;
  readonly interest_units: bigint;
  readonly target: "spot" | "earn";
  readonly state: MoveState;
  readonly code: string;
  readonly at_ms: number;
  readonly due_ms: number;
  /** Of a credit: the base of the day's interest, without movements or coupons that day; else 0. */
  readonly base_units: bigint;
}

export interface CouponRow {
  readonly coupon_id: string;
  readonly user_id: number;
  readonly reference: string;
  readonly kind: "flexible" | "fixed";
  readonly asset: string;
  readonly rate: number;
  readonly cap_units: bigint;
  readonly days: number;
  readonly expires_ms: number;
  readonly issued_ms: number;
  readonly used_by: string | null;
  /** The amount it added, once another coupon has replaced it on the holding. */
  readonly added_parts: string | null;
}

/** A holding as read, and its state after a step. */
export interface HoldingStep {
  readonly row: HoldingRow;
  readonly values: Partial<
    Pick<
      HoldingRow,
      | "principal_units"
      | "earning_units"
      | "hour"
      | "parts"
      | "boost_parts"
      | "credited_day"
      | "paid_units"
      | "state"
      | "pending"
    >
  >;
}

export interface ApplyRow {
  readonly user_id: number;
  readonly asset: string;
  readonly reserve_units: bigint;
  readonly is_on: boolean;
}

interface ShareRow {
  readonly user_id: number;
  readonly product_id: string;
  readonly units: bigint;
}

export type EarnTables = {
  earn_product: ProductRow;
  earn_rate: RateRow;
  earn_pool: PoolRow;
  earn_share: ShareRow;
  earn_holding: HoldingRow;
  earn_move: MoveRow;
  earn_coupon: CouponRow;
  earn_apply: ApplyRow;
};

/** Rows per statement: few enough for both databases, and mostly constant, so that its text stays prepared. */
const PIECE = 100;

async function inPieces<Item>(items: readonly Item[], work: (piece: readonly Item[]) => Promise<string[]>) {
  const names = new Set<string>();
  for (let at = 0; at < items.length; at += PIECE)
    for (const name of await work(items.slice(at, at + PIECE))) names.add(name);
  return names;
}

/** Each returns the rows it applied to. */
export function batches(tables: Kysely<EarnTables>) {
  return {
    /** All that are unchanged since they were read, by holding. */
    changeHoldings: (steps: readonly HoldingStep[]): Promise<ReadonlySet<string>> =>
      inPieces(steps, async (piece) => {
        const values = piece.map(({ row, values: next }) => stepValues({ ...row, ...next }));
        const { rows } = await sql<{ holding_id: string }>`
          update earn_holding set version = version + 1, principal_units = step.column3, earning_units = step.column4,
            hour = step.column5, parts = step.column6, credited_day = step.column7, paid_units = step.column8,
            state = step.column9, pending = step.column10, boost_parts = step.column11
          from (values ${sql.join(values)}) as step
          where holding_id = step.column1 and version = step.column2 returning holding_id`.execute(tables);
        return rows.map(({ holding_id }) => holding_id);
      }),
    /** Those that were new, by reference. */
    addMoves: (rows: readonly MoveRow[]): Promise<ReadonlySet<string>> =>
      inPieces(rows, async (piece) => {
        const insert = tables.insertInto("earn_move").values([...piece]);
        const added = insert.onConflict((at) => at.doNothing()).returning("reference");
        return (await added.execute()).map(({ reference }) => reference);
      }),
    /** Those in the expected state, by reference. */
    stepMoves: (references: readonly string[], from: MoveState, to: MoveState): Promise<ReadonlySet<string>> =>
      inPieces(references, async (piece) => {
        const change = tables.updateTable("earn_move").set({ state: to }).where("reference", "in", piece);
        const stepped = await change.where("state", "=", from).returning("reference").execute();
        return stepped.map(({ reference }) => reference);
      }),
    /** Interest grows flexible holdings past their shares and their products' quotas: neither is checked again. */
    async growShares(moves: readonly MoveRow[]): Promise<void> {
      const grown = new Map<string, bigint>();
      for (const { product_id, interest_units } of moves)
        grown.set(product_id, (grown.get(product_id) ?? 0n) + interest_units);
      for (const [productId, amountUnits] of grown) {
        const taken = { taken_units: sql<bigint>`taken_units + ${amountUnits}` };
        await tables.updateTable("earn_product").set(taken).where("product_id", "=", productId).execute();
      }
      await inPieces(moves, async (piece) => {
        const rows = piece.map(({ user_id, product_id, interest_units: units }) => ({ user_id, product_id, units }));
        const units = sql<bigint>`earn_share.units + excluded.units`;
        const insert = tables.insertInto("earn_share").values(rows);
        await insert.onConflict((at) => at.columns(["user_id", "product_id"]).doUpdateSet({ units })).execute();
        return [];
      });
    },
  };
}

/** PostgreSQL takes bound values as text unless they are cast. */
function stepValues(row: HoldingRow) {
  const whole = (value: number | bigint) => sql`cast(${value} as bigint)`;
  return sql`(${row.holding_id}, ${whole(row.version)}, ${whole(row.principal_units)}, ${whole(row.earning_units)},
    ${whole(row.hour)}, ${whole(row.parts)}, ${whole(row.credited_day)}, ${whole(row.paid_units)}, ${row.state},
    cast(${row.pending} as text), ${row.boost_parts})`;
}
