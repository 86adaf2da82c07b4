// The SQL of taken rewards, in the subset both databases share.
import type { Kysely } from "kysely";

export interface UseRow {
  readonly reward: string;
  readonly kind: "device" | "mailbox" | "address";
  readonly key: string;
  readonly slot: number;
  readonly user_id: number;
  readonly used_ms: number;
}

export type ClaimantStore = ReturnType<typeof claimantStore>;

export function claimantStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ claimants_use: UseRow }>();
  const holds = async ({ reward, kind, key, user_id }: Omit<UseRow, "slot">): Promise<boolean> => {
    const query = tables.selectFrom("claimants_use").select("slot").where("reward", "=", reward);
    const own = query.where("kind", "=", kind).where("key", "=", key).where("user_id", "=", user_id);
    return (await own.executeTakeFirst()) !== undefined;
  };
  return {
    /** False where others have every slot. Each insert is atomic, so two at once never have the same one. */
    async take(row: Omit<UseRow, "slot">, slots: number): Promise<boolean> {
      for (let slot = 0; slot < slots; slot += 1) {
        if (await holds(row)) return true;
        const insert = tables.insertInto("claimants_use").values({ ...row, slot });
        // By either key: another user has the slot, or the same person another one.
        const added = await insert
          .onConflict((conflict) => conflict.doNothing())
          .returning("slot")
          .executeTakeFirst();
        if (added !== undefined) return true;
      }
      return holds(row);
    },
  };
}
