// The SQL of premiums: samples from the projection.
import type { Kysely } from "kysely";

interface SlotRow {
  readonly market: number;
  readonly slot_ms: number;
  readonly samples: string;
}

type PremiumTables = { engine_premiums: SlotRow };

export type PremiumStore = ReturnType<typeof premiumStore>;

export function premiumStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<PremiumTables>();
  return {
    /** Slots that end after one time and not after another, oldest first. */
    list: (market: number, afterMs: number, untilMs: number): Promise<Pick<SlotRow, "slot_ms" | "samples">[]> =>
      tables
        .selectFrom("engine_premiums")
        .select(["slot_ms", "samples"])
        .where("market", "=", market)
        .where("slot_ms", ">", afterMs)
        .where("slot_ms", "<=", untilMs)
        .orderBy("slot_ms")
        .execute(),
  };
}
