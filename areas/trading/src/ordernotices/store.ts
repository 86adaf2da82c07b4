// SQL of ended orders for notices.
import { type Kysely, sql } from "kysely";

/** The columns used in conditions; the row is read whole for the description of orders. */
interface OrderColumns {
  readonly account: number;
  readonly state: string;
  /** A slice has no notice of its own: its TWAP has one. */
  readonly parent_id: number | null;
  readonly updated_ms: number;
  readonly updated_sequence: number;
}

/** Written as in the index of ended orders: with bound states it would not be used. */
const IS_ENDED = sql<boolean>`state not in ('NEW', 'PARTIALLY_FILLED', 'PENDING_TRIGGER', 'TRIGGERED')`;

export function orderNoticeStore<Row extends OrderColumns>(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_orders: OrderColumns }>();
  return {
    /** The newest first. */
    async listEnded(account: number, sinceMs: number, limit: number): Promise<readonly Row[]> {
      const rows = await tables
        .selectFrom("engine_orders")
        .selectAll()
        .where("account", "=", account)
        .where(IS_ENDED)
        .where("parent_id", "is", null)
        .where("updated_ms", ">=", sinceMs)
        .orderBy("updated_sequence", "desc")
        .limit(limit)
        .execute();
      return rows as unknown as readonly Row[];
    },
  };
}
