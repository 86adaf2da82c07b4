// The SQL of campaigns, in the subset both databases share.
import type { Kysely } from "kysely";
import type { CampaignKind } from "./contract.ts";
import type { CampaignRow } from "./rules.ts";

type CampaignTables = {
  campaigns_lock: { readonly name: string; readonly turns: number };
  campaigns_item: CampaignRow;
  campaigns_seen: { readonly user_id: number; readonly key: string; readonly seen_at_ms: number };
};

export type CampaignStore = ReturnType<typeof campaignStore>;

export function campaignStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<CampaignTables>();
  return { ...shownQueries(tables), ...planQueries(tables) };
}

function planQueries(tables: Kysely<CampaignTables>) {
  return {
    /**
     * When it was set. `base` is when the changed version had been set, null for a new one; every save has a later
     * time.
     */
    put: (
      row: Omit<CampaignRow, "set_at_ms">,
      base: number | null,
      timeMs: number,
      countMax: number,
    ): Promise<"CAMPAIGN_CHANGED" | "CAMPAIGNS_FULL" | number> =>
      tables.transaction().execute(async (inside) => {
        await takeLock(inside);
        const known = await inside
          .selectFrom("campaigns_item")
          .select("set_at_ms")
          .where("key", "=", row.key)
          .executeTakeFirst();
        if ((known?.set_at_ms ?? null) !== base) return "CAMPAIGN_CHANGED";
        if (known === undefined && (await countItems(inside)) >= countMax) return "CAMPAIGNS_FULL";
        const { key: _key, ...changed } = { ...row, set_at_ms: Math.max(timeMs, (base ?? 0) + 1) };
        await inside
          .insertInto("campaigns_item")
          .values({ ...row, ...changed })
          .onConflict((conflict) => conflict.column("key").doUpdateSet(changed))
          .execute();
        return changed.set_at_ms;
      }),

    /** Its views are removed too: a new campaign of the same name is a new one. False when there is none. */
    remove: (key: string): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        await takeLock(inside);
        await inside.deleteFrom("campaigns_seen").where("key", "=", key).execute();
        const gone = await inside.deleteFrom("campaigns_item").where("key", "=", key).returning("key").execute();
        return gone.length > 0;
      }),
  };
}

function shownQueries(tables: Kysely<CampaignTables>) {
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

    has: async (key: string): Promise<boolean> =>
      (await tables.selectFrom("campaigns_item").select("key").where("key", "=", key).executeTakeFirst()) !== undefined,

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

/** Blocks other saves and removals until the transaction ends. */
async function takeLock(inside: Kysely<CampaignTables>): Promise<void> {
  await inside
    .updateTable("campaigns_lock")
    .set((update) => ({ turns: update("turns", "+", 1) }))
    .execute();
}

async function countItems(inside: Kysely<CampaignTables>): Promise<number> {
  const row = await inside
    .selectFrom("campaigns_item")
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
