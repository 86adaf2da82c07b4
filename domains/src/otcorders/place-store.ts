// The SQL of a new order: written with what it takes from its ad, or not at all.
import { OPEN_STATES } from "@clockwork/kit/otc/order-machine";
import { DAY_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";
import { isCancel, restsUntil } from "./rules.ts";
import type { OrderDb, OrderRow } from "./store.ts";

type Placed = "placed" | "known" | "full" | "rests" | "taken" | "again";

/** Thrown inside, so that whatever was taken before it is given back. */
class NotReserved extends Error {}

async function allOrNothing(tables: OrderDb, work: (inside: OrderDb) => Promise<Placed>): Promise<Placed> {
  try {
    return await tables.transaction().execute(work);
  } catch (error) {
    if (error instanceof NotReserved) return "taken";
    throw error;
  }
}

/** Whether the person may still place; asked under the lock. */
interface PlacingBounds {
  readonly openMax: number;
  readonly nowMs: number;
}

export function placing(tables: OrderDb) {
  return {
    /** Written under the taker's lock, with the stock it takes: all or nothing. */
    place: (
      row: OrderRow,
      bounds: PlacingBounds,
      reserve: (inside: Kysely<unknown>) => Promise<boolean>,
    ): Promise<Placed> =>
      allOrNothing(tables, async (inside) => {
        await inside
          .insertInto("otcorders_lock")
          .values({ user_id: row.taker_id, version: 1 })
          .onConflict((at) => at.column("user_id").doUpdateSet({ version: sql<number>`otcorders_lock.version + 1` }))
          .execute();
        const own = inside.selectFrom("otcorders_order").where("taker_id", "=", row.taker_id);
        if ((await own.select("order_id").where("client_id", "=", row.client_id).executeTakeFirst()) !== undefined)
          return "known";
        const isTaken = inside.selectFrom("otcorders_order").select("order_id").where("order_id", "=", row.order_id);
        if ((await isTaken.executeTakeFirst()) !== undefined) return "again";
        const open = await own
          .select("order_id")
          .where("state", "in", [...OPEN_STATES])
          .execute();
        if (open.length >= bounds.openMax) return "full";
        // Whoever buys, also where he posted the ad and another takes it.
        if (restsUntil(await listCancels(inside, row.buyer_id, bounds.nowMs)) > bounds.nowMs) return "rests";
        if (!(await reserve(inside as unknown as Kysely<unknown>))) throw new NotReserved();
        await inside.insertInto("otcorders_order").values(row).execute();
        return "placed";
      }),
  };
}

/** When the cancels of somebody who wanted to buy ended, as far back as they still count. */
async function listCancels(inside: OrderDb, userId: number, nowMs: number): Promise<readonly number[]> {
  const rows = await inside
    .selectFrom("otcorders_order")
    .select(["state", "fault", "end_by", "ended_ms"])
    .where("buyer_id", "=", userId)
    .where("ended_ms", ">=", nowMs - 2 * DAY_MS)
    .execute();
  return rows.filter(isCancel).map(({ ended_ms }) => ended_ms);
}
