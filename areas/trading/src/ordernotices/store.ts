// SQL of ended orders as they are told of, and nothing but SQL.
import { type Kysely, sql } from "kysely";

/** The columns it asks for; the row is read whole, as whoever describes orders wants it. */
interface OrderColumns {
  readonly account: number;
  readonly state: string;
  readonly updated_ms: number;
  readonly updated_sequence: number;
}

/** In the words of the index of ended orders: with bound states it would not be used. */
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
        .where("updated_ms", ">=", sinceMs)
        .orderBy("updated_sequence", "desc")
        .limit(limit)
        .execute();
      return rows as unknown as readonly Row[];
    },
  };
}
