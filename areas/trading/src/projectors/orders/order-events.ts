// Owns the tables of what happened to orders that leaves no trace in their rows: amendments, and matches that were
// prevented between two orders of one owner. Written by the projector of orders.
import type { WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import type { Kysely } from "kysely";

export interface AmendmentRow {
  readonly order_id: number;
  readonly sequence: number;
  readonly time_ms: number;
  readonly price_before: number;
  readonly price_after: number;
  readonly lots_before: bigint;
  readonly lots_after: bigint;
}

export interface PreventedRow {
  readonly sequence: number;
  /** Among those of its command. */
  readonly place: number;
  readonly time_ms: number;
  readonly market: number;
  readonly mode: string;
  readonly taker_order: number;
  readonly maker_order: number;
  readonly price_ticks: number;
  readonly lots: bigint;
}

const AMENDMENTS = new RowShape({
  table: "engine_amendments",
  columns: ["order_id", "sequence", "time_ms", "price_before", "price_after", "lots_before", "lots_after"],
  key: ["order_id", "sequence"],
});
const PREVENTED = new RowShape({
  table: "engine_prevented",
  columns: ["sequence", "place", "time_ms", "market", "mode", "taker_order", "maker_order", "price_ticks", "lots"],
  key: ["sequence", "place"],
});

export async function writeOrderEvents(
  session: WriteSession,
  amendments: readonly AmendmentRow[],
  prevented: readonly PreventedRow[],
): Promise<void> {
  // Of two in one command the last is what it came to.
  const last = new Map(amendments.map((row) => [`${row.order_id}:${row.sequence}`, row]));
  if (last.size > 0) await session.writeRows(AMENDMENTS, [...last.values()]);
  if (prevented.length > 0) await session.writeRows(PREVENTED, prevented);
}

type OrderEventTables = { engine_amendments: AmendmentRow; engine_prevented: PreventedRow };

/** Of orders whose owner is known to the caller. */
export function orderEventStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<OrderEventTables>();
  return {
    /** Oldest first. */
    readAmendments: (orderId: number, fromSequence: number, limit: number): Promise<AmendmentRow[]> =>
      tables
        .selectFrom("engine_amendments")
        .selectAll()
        .where("order_id", "=", orderId)
        .where("sequence", ">=", fromSequence)
        .orderBy("sequence")
        .limit(limit)
        .execute(),
    async readPrevented(orderId: number, limit: number): Promise<PreventedRow[]> {
      const read = (side: "taker_order" | "maker_order"): Promise<PreventedRow[]> =>
        tables
          .selectFrom("engine_prevented")
          .selectAll()
          .where(side, "=", orderId)
          .orderBy("sequence")
          .orderBy("place")
          .limit(limit)
          .execute();
      const rows = [...(await read("taker_order")), ...(await read("maker_order"))];
      rows.sort((left, right) => left.sequence - right.sequence || left.place - right.place);
      return rows.slice(0, limit);
    },
    findPrevented: (sequence: number, place: number): Promise<PreventedRow | undefined> =>
      tables
        .selectFrom("engine_prevented")
        .selectAll()
        .where("sequence", "=", sequence)
        .where("place", "=", place)
        .executeTakeFirst(),
  };
}

export type OrderEventStore = ReturnType<typeof orderEventStore>;
