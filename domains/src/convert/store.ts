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

export interface SmallRow {
  readonly user_id: number;
  readonly client_id: string;
  readonly asset: string;
  readonly from_units: bigint;
  readonly to_units: bigint;
  readonly state: "TAKEN" | "DONE" | "REFUSED";
}

type ConvertTables = {
  convert_quote: QuoteRow;
  convert_sweep: { user_id: number; client_id: string; created_ms: number };
  convert_small: SmallRow;
};

const RESUME_MAX = 100;

export type ConvertStore = ReturnType<typeof convertStore>;

export function convertStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<ConvertTables>();
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
    /** Those that were taken, oldest first; times are those of their ends. */
    listOf(
      userId: number,
      filter: {
        readonly quoteId?: string | undefined;
        readonly fromMs?: number | undefined;
        readonly toMs?: number | undefined;
        readonly limit: number;
      },
    ): Promise<QuoteRow[]> {
      const { quoteId, fromMs, toMs, limit } = filter;
      let query = tables
        .selectFrom("convert_quote")
        .selectAll()
        .where("user_id", "=", userId)
        .where("state", "in", ["TAKEN", "DONE"]);
      if (quoteId !== undefined) query = query.where("quote_id", "=", quoteId);
      if (fromMs !== undefined) query = query.where("expires_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("expires_ms", "<=", toMs);
      return query.orderBy("expires_ms").orderBy("quote_id").limit(limit).execute();
    },
    listTaken: (): Promise<QuoteRow[]> =>
      tables.selectFrom("convert_quote").selectAll().where("state", "=", "TAKEN").limit(RESUME_MAX).execute(),
    /** What a sweep was decided to take; nothing when there is none of that id. */
    async listSmall(userId: number, clientId: string): Promise<SmallRow[] | undefined> {
      const sweep = tables.selectFrom("convert_sweep").select("created_ms").where("user_id", "=", userId);
      if ((await sweep.where("client_id", "=", clientId).executeTakeFirst()) === undefined) return undefined;
      const rows = tables.selectFrom("convert_small").selectAll().where("user_id", "=", userId);
      return rows.where("client_id", "=", clientId).orderBy("asset").execute();
    },
    /** One transaction; only the first of an id is kept. */
    addSmall: (userId: number, clientId: string, rows: readonly SmallRow[], nowMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const added = await inside
          .insertInto("convert_sweep")
          .values({ user_id: userId, client_id: clientId, created_ms: nowMs })
          .onConflict((at) => at.doNothing())
          .executeTakeFirst();
        if (added.numInsertedOrUpdatedRows === 0n) return;
        await inside
          .insertInto("convert_small")
          .values([...rows])
          .execute();
      }),
    async endSmall({ user_id, client_id, asset }: SmallRow, state: "DONE" | "REFUSED"): Promise<void> {
      const change = tables.updateTable("convert_small").set({ state }).where("user_id", "=", user_id);
      await change.where("client_id", "=", client_id).where("asset", "=", asset).where("state", "=", "TAKEN").execute();
    },
    listTakenSmall: (): Promise<SmallRow[]> =>
      tables.selectFrom("convert_small").selectAll().where("state", "=", "TAKEN").limit(RESUME_MAX).execute(),
    /** Quotes nobody took. */
    async forget(beforeMs: number): Promise<void> {
      const remove = tables.deleteFrom("convert_quote").where("state", "=", "OPEN");
      await remove.where("expires_ms", "<", beforeMs).execute();
    },
  };
}
