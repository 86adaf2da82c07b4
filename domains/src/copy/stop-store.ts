// Stops that wait on copied positions, as the tables have them. SQL and nothing else.
import type { Kysely } from "kysely";

export interface StopRow {
  readonly position_id: number;
  readonly trigger_ticks: number;
  readonly trigger_direction: string;
}

// A type, not an interface: only a type fits Kysely's table record.
type StopTables = {
  engine_stops: { order_id: number; account: number; position_id: number; is_whole: boolean };
  engine_orders: {
    order_id: number;
    state: string;
    trigger_ticks: number | null;
    trigger_direction: string | null;
    callback_bps: number | null;
  };
};

export type StopStore = ReturnType<typeof stopStore>;

export function stopStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<StopTables>();
  return {
    /** Take-profits and stop-losses of whole positions; a trailing stop has no price to tell. */
    async stopsOf(positionIds: readonly number[]): Promise<StopRow[]> {
      if (positionIds.length === 0) return [];
      const rows = await tables
        .selectFrom("engine_stops")
        .innerJoin("engine_orders", "engine_orders.order_id", "engine_stops.order_id")
        .select(["engine_stops.position_id", "engine_orders.trigger_ticks", "engine_orders.trigger_direction"])
        .where("engine_stops.position_id", "in", [...positionIds])
        .where("engine_stops.is_whole", "=", true)
        .where("engine_orders.state", "=", "PENDING_TRIGGER")
        .where((where) => where.or([where("engine_orders.callback_bps", "is", null), where("engine_orders.callback_bps", "=", 0)]))
        .execute();
      return rows.flatMap(({ position_id, trigger_ticks, trigger_direction }) =>
        trigger_ticks === null || trigger_direction === null ? [] : [{ position_id, trigger_ticks, trigger_direction }],
      );
    },
  };
}
