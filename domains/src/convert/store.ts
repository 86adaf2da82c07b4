// The SQL of conversions and nothing but SQL.
import type { Kysely } from "kysely";

export interface QuoteRow {
  readonly quote_id: string;
  readonly user_id: number;
  readonly from_asset: string;
  readonly to_asset: string;
  readonly from_units: bigint;
  readonly to_units: bigint;
  readonly state: "OPEN" | "TAKEN" | "DONE";
  readonly expires_ms: number;
}

const RESUME_MAX = 100;

export type ConvertStore = ReturnType<typeof convertStore>;

export function convertStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ convert_quote: QuoteRow }>();
  return {
    async add(row: QuoteRow): Promise<void> {
      await tables.insertInto("convert_quote").values(row).execute();
    },
    find: (quoteId: string): Promise<QuoteRow | undefined> =>
      tables.selectFrom("convert_quote").selectAll().where("quote_id", "=", quoteId).executeTakeFirst(),
    async step(quoteId: string, from: QuoteRow["state"], to: QuoteRow["state"]): Promise<boolean> {
      const change = tables.updateTable("convert_quote").set({ state: to }).where("quote_id", "=", quoteId);
      return (await change.where("state", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
    },
    listTaken: (): Promise<QuoteRow[]> =>
      tables.selectFrom("convert_quote").selectAll().where("state", "=", "TAKEN").limit(RESUME_MAX).execute(),
    /** Quotes nobody took. */
    async forget(beforeMs: number): Promise<void> {
      const remove = tables.deleteFrom("convert_quote").where("state", "=", "OPEN");
      await remove.where("expires_ms", "<", beforeMs).execute();
    },
  };
}
