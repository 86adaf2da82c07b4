// The SQL of withdrawals about gifts: what the house's addresses hold beyond everything that explains it.
import type { Kysely } from "kysely";

export interface GiftRow {
  readonly asset: string;
  readonly seen_ms: number;
  readonly fine_units: string;
  readonly blocks: string;
  readonly is_kept: boolean;
}

type GiftTables = { withdrawals_gift: GiftRow };
export type GiftStore = ReturnType<typeof giftStore>;

export function giftStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<GiftTables>();
  return {
    /** Newest first. */
    listGifts: (): Promise<GiftRow[]> =>
      tables.selectFrom("withdrawals_gift").selectAll().orderBy("seen_ms", "desc").orderBy("asset").execute(),
    async addGift(row: GiftRow): Promise<void> {
      await tables.insertInto("withdrawals_gift").values(row).execute();
    },
    /** A young one may shrink, be gone, or be kept; what is kept never changes. */
    async changeGift({ asset, seen_ms }: GiftRow, values: Pick<GiftRow, "fine_units" | "is_kept">): Promise<void> {
      const { fine_units, is_kept } = values;
      const at = { asset, seen_ms };
      if (fine_units === "0") {
        const gone = tables.deleteFrom("withdrawals_gift").where("asset", "=", at.asset);
        await gone.where("seen_ms", "=", at.seen_ms).where("is_kept", "=", false).execute();
        return;
      }
      const change = tables.updateTable("withdrawals_gift").set({ fine_units, is_kept }).where("asset", "=", at.asset);
      await change.where("seen_ms", "=", at.seen_ms).where("is_kept", "=", false).execute();
    },
  };
}
