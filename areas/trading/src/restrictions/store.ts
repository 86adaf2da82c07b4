// The SQL of restrictions.
import type { Kysely } from "kysely";
import type { RestrictionPart } from "./contract.ts";

export interface RestrictionRow {
  readonly user_id: number;
  readonly part: RestrictionPart;
  readonly reason: string;
  readonly set_by: number;
  readonly set_ms: number;
  readonly is_applied: boolean;
}

export interface RestrictionFilter {
  readonly userId?: number | undefined;
  readonly part?: RestrictionPart | undefined;
  readonly before?: number | undefined;
}

export type RestrictionStore = ReturnType<typeof restrictionStore>;

export function restrictionStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ restrictions_part: RestrictionRow }>();
  return {
    listOf: (userId: number): Promise<RestrictionRow[]> =>
      tables.selectFrom("restrictions_part").selectAll().where("user_id", "=", userId).orderBy("part").execute(),
    async has(userId: number, part: RestrictionPart): Promise<boolean> {
      const query = tables.selectFrom("restrictions_part").select("part").where("user_id", "=", userId);
      return (await query.where("part", "=", part).executeTakeFirst()) !== undefined;
    },
    list({ userId, part, before }: RestrictionFilter, limit: number): Promise<RestrictionRow[]> {
      let query = tables.selectFrom("restrictions_part").selectAll();
      if (userId !== undefined) query = query.where("user_id", "=", userId);
      if (part !== undefined) query = query.where("part", "=", part);
      if (before !== undefined) query = query.where("set_ms", "<", before);
      return query.orderBy("set_ms", "desc").orderBy("user_id").limit(limit).execute();
    },
    async listUsers(after: number, limit: number): Promise<readonly number[]> {
      const rows = await tables
        .selectFrom("restrictions_part")
        .select("user_id")
        .distinct()
        .where("user_id", ">", after)
        .orderBy("user_id")
        .limit(limit)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
    /** What is restricted already keeps its reason. */
    async add(rows: readonly RestrictionRow[]): Promise<void> {
      await tables
        .insertInto("restrictions_part")
        .values([...rows])
        .onConflict((at) => at.doNothing())
        .execute();
    },
    async setApplied(userId: number): Promise<void> {
      await tables.updateTable("restrictions_part").set({ is_applied: true }).where("user_id", "=", userId).execute();
    },
    /** True for exactly the restriction that was read. */
    async remove(userId: number, part: RestrictionPart, setMs: number): Promise<boolean> {
      const remove = tables.deleteFrom("restrictions_part").where("user_id", "=", userId).where("part", "=", part);
      return (await remove.where("set_ms", "=", setMs).executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}
