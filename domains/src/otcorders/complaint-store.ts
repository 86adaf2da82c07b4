// The SQL of complaints about orders: opened, spoken to by both sides, decided once.
import type { PageMark } from "@clockwork/kit/otc/page-mark";
import type { Kysely } from "kysely";
import type { Voices } from "./rules.ts";
import type { ComplaintRow, OrderDb } from "./store.ts";

/** Of one person. */
const COMPLAINTS = 100;

/** Words, or a picture where there are none. */
interface Said {
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
    /** Of somebody's own orders, the newest first. */
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
    /** What one side says or shows, with its line in the log; false when it was decided or withdrawn meanwhile. */
    speak: (
      { complaint_id, order_id }: Pick<ComplaintRow, "complaint_id" | "order_id">,
      said: Said,
      timeMs: number,
      more: (inside: Kysely<unknown>) => Promise<void> = async () => undefined,
    ): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const { by, statement } = said;
        const spoken = await inside
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
        if (spoken.numUpdatedRows === 0n) return false;
        const detail = statement === undefined ? "picture" : "";
        await inside
          .insertInto("otcorders_log")
          .values({ order_id, at_ms: timeMs, actor: by, action: "evidence", detail })
          .execute();
        await more(inside as unknown as Kysely<unknown>);
        return true;
      }),
    /** The first decision stands, carried out or not; one by silence only while it is still as silent as it was. */
    async decideComplaint(
      complaintId: number,
      decision: Pick<ComplaintRow, "winner" | "fault" | "compensation_units" | "decision" | "decision_id">,
      heard?: Voices,
    ): Promise<boolean> {
      const decided = await tables
        .updateTable("otcorders_complaint")
        .set(decision)
        .where("complaint_id", "=", complaintId)
        .where("state", "=", "OPEN")
        .where("winner", "=", "")
        .$if(heard !== undefined, (query) => query.where((at) => at.and(voicesOf(heard))))
        .executeTakeFirst();
      return decided.numUpdatedRows > 0n;
    },
  };
}

function voicesOf(heard: Voices | undefined): Partial<Voices> {
  if (heard === undefined) return {};
  const { buyer_says, seller_says, buyer_pictures, seller_pictures } = heard;
  return { buyer_says, seller_says, buyer_pictures, seller_pictures };
}
