// The SQL of alerts.
import type { Generated, Kysely } from "kysely";

export interface AlertRow {
  readonly id: number;
  readonly user_id: number;
  readonly pair_code: string;
  readonly direction: string;
  readonly price: string;
  readonly percent: string | null;
  readonly indicator: string | null;
  readonly repeats: boolean | null;
  readonly created_at_ms: number;
  readonly fired_at_ms: number | null;
  readonly fired_price: string | null;
  readonly is_told: boolean;
}

type AlertTables = { alerts_alert: Omit<AlertRow, "id"> & { readonly id: Generated<number> } };

export type AlertStore = ReturnType<typeof alertStore>;

export function alertStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<AlertTables>();
  return {
    async add(row: Omit<AlertRow, "id">): Promise<number> {
      const { id } = await tables.insertInto("alerts_alert").values(row).returning("id").executeTakeFirstOrThrow();
      return id;
    },
    list(userId: number, pairCode: string | undefined, isFired: boolean, limit: number): Promise<AlertRow[]> {
      let query = tables.selectFrom("alerts_alert").selectAll().where("user_id", "=", userId);
      if (pairCode !== undefined) query = query.where("pair_code", "=", pairCode);
      query = query.where("fired_at_ms", isFired ? "is not" : "is", null);
      return query.orderBy("id", "desc").limit(limit).execute();
    },
    /** Waiting alerts, and those whose letter was not written. */
    listUntold(after: number, limit: number): Promise<AlertRow[]> {
      return tables
        .selectFrom("alerts_alert")
        .selectAll()
        .where("is_told", "=", false)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute();
    },
    /** Marks it met, and in the same transaction sets its successor; returns the successor's number. */
    fire(id: number, timeMs: number, price: string, next?: Omit<AlertRow, "id">): Promise<number | undefined> {
      return tables.transaction().execute(async (inside) => {
        const fired = await inside
          .updateTable("alerts_alert")
          .set({ fired_at_ms: timeMs, fired_price: price })
          .where("id", "=", id)
          .where("fired_at_ms", "is", null)
          .returning("id")
          .execute();
        if (fired.length === 0 || next === undefined) return undefined;
        const added = await inside.insertInto("alerts_alert").values(next).returning("id").executeTakeFirstOrThrow();
        return added.id;
      });
    },
    async markNotified(id: number): Promise<void> {
      await tables.updateTable("alerts_alert").set({ is_told: true }).where("id", "=", id).execute();
    },
    async remove(userId: number, id: number): Promise<boolean> {
      const gone = await tables
        .deleteFrom("alerts_alert")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returning("id")
        .execute();
      return gone.length > 0;
    },
    trim: (userId: number, max: number) => trimMet(tables, userId, max),
  };
}

/** Removes the oldest met alerts beyond the maximum. */
async function trimMet(tables: Kysely<AlertTables>, userId: number, max: number): Promise<void> {
  const oldest = await tables
    .selectFrom("alerts_alert")
    .select("id")
    .where("user_id", "=", userId)
    .where("is_told", "=", true)
    .orderBy("id", "desc")
    .offset(max)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await tables
    .deleteFrom("alerts_alert")
    .where("user_id", "=", userId)
    .where("is_told", "=", true)
    .where("id", "<=", oldest.id)
    .execute();
}
