// The SQL of the treasury's promises, and of users with auto-subscription.
import { type Kysely, sql } from "kysely";
import type { ApplyRow, EarnTables, ProductRow } from "./row-store.ts";

type Tables = Kysely<EarnTables>;

/** The treasury's promises of flexible interest. */
export function promises(tables: Tables) {
  return {
    listFlexible: (asset: string): Promise<ProductRow[]> =>
      tables.selectFrom("earn_product").selectAll().where("kind", "=", "flexible").where("asset", "=", asset).execute(),
    /** The coupons on flexible holdings from an hour on: by rate, each up to its cap. */
    async sumBoosts(asset: string, hour: number): Promise<{ rate: number; capUnits: bigint }[]> {
      const rows = await tables
        .selectFrom("earn_holding")
        .select(["boost_rate", sql<string>`cast(sum(boost_cap_units) as text)`.as("cap")])
        .where("kind", "=", "flexible")
        .where("asset", "=", asset)
        .where("state", "=", "RUNNING")
        .where("boost_rate", ">", 0)
        .where("boost_until", ">", hour)
        .groupBy("boost_rate")
        .execute();
      return rows.map(({ boost_rate, cap }) => ({ rate: boost_rate, capUnits: BigInt(cap) }));
    },
  };
}

export function settings(tables: Tables) {
  return {
    listApply: (userId: number): Promise<ApplyRow[]> =>
      tables.selectFrom("earn_apply").selectAll().where("user_id", "=", userId).orderBy("asset").execute(),
    listAllApply: (after: Pick<ApplyRow, "user_id" | "asset">, limit: number): Promise<ApplyRow[]> =>
      tables
        .selectFrom("earn_apply")
        .selectAll()
        .where("is_on", "=", true)
        .where("user_id", ">=", after.user_id)
        .where(({ or, eb }) => or([eb("user_id", ">", after.user_id), eb("asset", ">", after.asset)]))
        .orderBy("user_id")
        .orderBy("asset")
        .limit(limit)
        .execute(),
    async putApply(row: ApplyRow): Promise<void> {
      const { reserve_units, is_on } = row;
      await tables
        .insertInto("earn_apply")
        .values(row)
        .onConflict((at) => at.columns(["user_id", "asset"]).doUpdateSet({ reserve_units, is_on }))
        .execute();
    },
  };
}
