// The campaigns slice's SQL and nothing but SQL, in the subset both databases share.
import type { Kysely } from "kysely";
import type { CampaignKind } from "./api.ts";
import type { CampaignRow } from "./rules.ts";

type CampaignTables = {
  campaigns_item: CampaignRow;
  campaigns_seen: { readonly user_id: number; readonly key: string; readonly seen_at_ms: number };
};

export type CampaignStore = ReturnType<typeof campaignStore>;

export function campaignStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<CampaignTables>();
  return {
    listShown: (kind: CampaignKind, timeMs: number, limit: number): Promise<CampaignRow[]> =>
      tables
        .selectFrom("campaigns_item")
        .selectAll()
        .where("kind", "=", kind)
        .where("starts_at_ms", "<=", timeMs)
        .where((where) => where.or([where("ends_at_ms", "is", null), where("ends_at_ms", ">", timeMs)]))
        .orderBy("position")
        .orderBy("key")
        .limit(limit)
        .execute(),

    list: (limit: number): Promise<CampaignRow[]> =>
      tables
        .selectFrom("campaigns_item")
        .selectAll()
        .orderBy("kind")
        .orderBy("position")
        .orderBy("key")
        .limit(limit)
        .execute(),

    async count(): Promise<number> {
      const row = await tables
        .selectFrom("campaigns_item")
        .select((select) => select.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    has: async (key: string): Promise<boolean> =>
      (await tables.selectFrom("campaigns_item").select("key").where("key", "=", key).executeTakeFirst()) !== undefined,

    async put(row: CampaignRow): Promise<void> {
      const { key: _key, ...changed } = row;
      await tables
        .insertInto("campaigns_item")
        .values(row)
        .onConflict((conflict) => conflict.column("key").doUpdateSet(changed))
        .execute();
    },

    /** Whoever has seen it is forgotten too: a new campaign of the same name is a new one. */
    remove: (key: string): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        await inside.deleteFrom("campaigns_seen").where("key", "=", key).execute();
        await inside.deleteFrom("campaigns_item").where("key", "=", key).execute();
      }),

    async listSeen(userId: number): Promise<string[]> {
      const rows = await tables.selectFrom("campaigns_seen").select("key").where("user_id", "=", userId).execute();
      return rows.map(({ key }) => key);
    },

    async markSeen(userId: number, key: string, timeMs: number): Promise<void> {
      await tables
        .insertInto("campaigns_seen")
        .values({ user_id: userId, key, seen_at_ms: timeMs })
        .onConflict((conflict) => conflict.columns(["user_id", "key"]).doNothing())
        .execute();
    },
  };
}
