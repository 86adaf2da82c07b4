// The SQL of asset values: as the core published them, by minute and by day.
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import type { ValueRow } from "../projectors/rows/rows.ts";

export function valueStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_values: ValueRow }>();
  const values = (asset: number, spanMs: number) =>
    tables.selectFrom("engine_values").selectAll().where("asset", "=", asset).where("span_ms", "=", spanMs);
  const newestBefore = (asset: number, spanMs: number, slotMs: number): Promise<ValueRow | undefined> =>
    values(asset, spanMs).where("slot_ms", "<", slotMs).orderBy("slot_ms", "desc").limit(1).executeTakeFirst();
  return {
    /** The last completed minute: it does not change afterwards. */
    readBefore: (asset: number, timeMs: number): Promise<ValueRow | undefined> =>
      newestBefore(asset, MINUTE_MS, timeMs - (timeMs % MINUTE_MS)),
    /** The last of each day that has one, oldest first, and the newest before them. */
    async listDays(asset: number, fromMs: number, toMs: number): Promise<ValueRow[]> {
      const before = await newestBefore(asset, DAY_MS, fromMs);
      const query = values(asset, DAY_MS).where("slot_ms", ">=", fromMs).where("slot_ms", "<=", toMs);
      const rows = await query.orderBy("slot_ms").execute();
      return before === undefined ? rows : [before, ...rows];
    },
  };
}
