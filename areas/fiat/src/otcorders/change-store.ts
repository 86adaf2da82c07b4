// The SQL of writes beyond the order's own row: a new order with its ad's stock, or not at all; and complaints, opened,
// with statements of both sides, decided once.
import { OPEN_STATES } from "@clockwork/kit/otc/order-machine";
import type { PageMark } from "@clockwork/kit/otc/page-mark";
import { DAY_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";
import { isCancel, restsUntil, SEALED_MARK, type Voices } from "./rules.ts";
import type { ComplaintRow, OrderDb, OrderRow } from "./store.ts";

type Placed = "placed" | "known" | "full" | "rests" | "taken" | "again";

/** Thrown inside, so that earlier writes are rolled back. */
class NotReserved extends Error {}

async function allOrNothing(tables: OrderDb, work: (inside: OrderDb) => Promise<Placed>): Promise<Placed> {
  try {
    return await tables.transaction().execute(work);
  } catch (error) {
    if (error instanceof NotReserved) return "taken";
    throw error;
  }
}

/** Whether the user may still place; checked under the lock. */
interface PlacingBounds {
  readonly openMax: number;
  readonly nowMs: number;
}

export function placing(tables: OrderDb) {
  return {
    /** Written under the taker's lock, with its stock: all or nothing. */
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
        // The buyer, also where the buyer posted the ad and another user takes it.
        if (restsUntil(await listCancels(inside, row.buyer_id, bounds.nowMs)) > bounds.nowMs) return "rests";
        if (!(await reserve(inside as unknown as Kysely<unknown>))) throw new NotReserved();
        await inside.insertInto("otcorders_order").values(row).execute();
        return "placed";
      }),
  };
}

/** When a buyer's cancellations ended, as far back as they count. */
async function listCancels(inside: OrderDb, userId: number, nowMs: number): Promise<readonly number[]> {
  const rows = await inside
    .selectFrom("otcorders_order")
    .select(["state", "fault", "end_by", "ended_ms"])
    .where("buyer_id", "=", userId)
    .where("ended_ms", ">=", nowMs - 2 * DAY_MS)
    .execute();
  return rows.filter(isCancel).map(({ ended_ms }) => ended_ms);
}

/** Of one user. */
const COMPLAINTS = 100;

/** A text, or a picture without one. */
interface Described {
  readonly by: "buyer" | "seller";
  readonly statement?: string;
}

export function complaining(tables: OrderDb) {
  return { ...readings(tables), ...steps(tables) };
}

function readings(tables: OrderDb) {
  const all = () => tables.selectFrom("otcorders_complaint").selectAll();
  return {
    async addComplaint(inside: Kysely<unknown>, row: Omit<ComplaintRow, "complaint_id">): Promise<void> {
      await (inside as unknown as OrderDb).insertInto("otcorders_complaint").values(row).execute();
    },
    findComplaint: (complaintId: number): Promise<ComplaintRow | undefined> =>
      all().where("complaint_id", "=", complaintId).executeTakeFirst(),
    /** The newest one of an order. */
    findComplaintOf: (orderId: string): Promise<ComplaintRow | undefined> =>
      all().where("order_id", "=", orderId).orderBy("complaint_id", "desc").executeTakeFirst(),
    /** Those in which a side's statement is not sealed. */
    listPlain: (limit: number): Promise<ComplaintRow[]> =>
      all()
        .where(({ and, eb, or }) =>
          or(
            (["buyer_says", "seller_says"] as const).map((reply) =>
              and([eb(reply, "!=", ""), eb(reply, "not like", `${SEALED_MARK}%`)]),
            ),
          ),
        )
        .limit(limit)
        .execute(),
    /** Unless a side has made a statement since. */
    async replaceReply(row: ComplaintRow, reply: Pick<ComplaintRow, "buyer_says" | "seller_says">): Promise<void> {
      const change = tables.updateTable("otcorders_complaint").set(reply).where("complaint_id", "=", row.complaint_id);
      await change.where("buyer_says", "=", row.buyer_says).where("seller_says", "=", row.seller_says).execute();
    },
    /** The oldest first; those after one of them. */
    listOpen: (after: PageMark | undefined, limit: number): Promise<ComplaintRow[]> =>
      all()
        .where("state", "=", "OPEN")
        .$if(after !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where("opened_ms", ">", after?.atMs ?? 0),
              where.and([
                where("opened_ms", "=", after?.atMs ?? 0),
                where("complaint_id", ">", Number(after?.id ?? 0)),
              ]),
            ]),
          ),
        )
        .orderBy("opened_ms")
        .orderBy("complaint_id")
        .limit(limit)
        .execute(),
    /** Of the user's own orders, the newest first. */
    listComplaints: (userId: number): Promise<ComplaintRow[]> =>
      all()
        .where("order_id", "in", (from) =>
          from
            .selectFrom("otcorders_order")
            .select("order_id")
            .where((where) => where.or([where("buyer_id", "=", userId), where("seller_id", "=", userId)])),
        )
        .orderBy("complaint_id", "desc")
        .limit(COMPLAINTS)
        .execute(),
  };
}

function steps(tables: OrderDb) {
  return {
    async changeComplaint(
      complaintId: number,
      change: Partial<Omit<ComplaintRow, "complaint_id" | "order_id">>,
      inside?: Kysely<unknown>,
    ): Promise<boolean> {
      const changed = await ((inside as OrderDb | undefined) ?? tables)
        .updateTable("otcorders_complaint")
        .set(change)
        .where("complaint_id", "=", complaintId)
        .where("state", "=", "OPEN")
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },
    /** A side's statement or picture, with its line in the log; false when it was decided or withdrawn since. */
    speak: (
      { complaint_id, order_id }: Pick<ComplaintRow, "complaint_id" | "order_id">,
      reply: Described,
      timeMs: number,
      more: (inside: Kysely<unknown>) => Promise<void> = async () => undefined,
    ): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const { by, statement } = reply;
        const formatted = await inside
          .updateTable("otcorders_complaint")
          .set((to) =>
            statement === undefined
              ? { [`${by}_pictures`]: to(`${by}_pictures`, "+", 1) }
              : { [`${by}_says`]: statement },
          )
          .where("complaint_id", "=", complaint_id)
          .where("state", "=", "OPEN")
          .where("winner", "=", "")
          .executeTakeFirst();
        if (formatted.numUpdatedRows === 0n) return false;
        const detail = statement === undefined ? "picture" : "";
        await inside
          .insertInto("otcorders_log")
          .values({ order_id, at_ms: timeMs, actor: by, action: "evidence", detail })
          .execute();
        await more(inside as unknown as Kysely<unknown>);
        return true;
      }),
    /** The first decision holds, carried out or not; one by silence only while the silence lasts. */
    async decideComplaint(
      complaintId: number,
      decision: Pick<ComplaintRow, "winner" | "fault" | "compensation_units" | "decision" | "decision_id">,
      received?: Voices,
    ): Promise<boolean> {
      const decided = await tables
        .updateTable("otcorders_complaint")
        .set(decision)
        .where("complaint_id", "=", complaintId)
        .where("state", "=", "OPEN")
        .where("winner", "=", "")
        .$if(received !== undefined, (query) => query.where((at) => at.and(voicesOf(received))))
        .executeTakeFirst();
      return decided.numUpdatedRows > 0n;
    },
  };
}

function voicesOf(received: Voices | undefined): Partial<Voices> {
  if (received === undefined) return {};
  const { buyer_says, seller_says, buyer_pictures, seller_pictures } = received;
  return { buyer_says, seller_says, buyer_pictures, seller_pictures };
}
