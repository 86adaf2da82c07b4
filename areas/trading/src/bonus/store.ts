// The SQL of bonuses: grants from the projection, and their terms.
import { type Kysely, sql } from "kysely";

export interface GrantRecord {
  readonly grant_id: number;
  readonly account: number;
  readonly asset: number;
  readonly state: string;
  readonly given_units: bigint;
  readonly left_units: bigint;
  readonly expires_ms: number;
  readonly granted_sequence: number;
  readonly granted_ms: number;
  /** The sub of its treasury, and the amount returned there. */
  readonly source: number;
  readonly returned_units: bigint;
}

export interface TermsRecord {
  readonly grant_id: number;
  readonly ratio_percent: number;
  readonly leverage_max: number;
  readonly reason: string;
}

export type BonusStore = ReturnType<typeof bonusStore>;

export function bonusStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_bonuses: GrantRecord; bonus_terms: TermsRecord }>();
  return {
    /** Newest first. */
    list: (accounts: readonly number[]): Promise<GrantRecord[]> =>
      accounts.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("engine_bonuses")
            .selectAll()
            .where("account", "in", accounts)
            .orderBy("grant_id", "desc")
            .execute(),
    findAt: (account: number, sequence: number): Promise<GrantRecord | undefined> =>
      tables
        .selectFrom("engine_bonuses")
        .selectAll()
        .where("account", "=", account)
        .where("granted_sequence", "=", sequence)
        .executeTakeFirst(),
    /** The returned part of a treasury's grants: ended or voided before use. */
    async sumReturned(source: number, asset: number): Promise<bigint> {
      const row = await tables
        .selectFrom("engine_bonuses")
        .select(sql<string>`cast(coalesce(sum(returned_units), 0) as text)`.as("sum"))
        .where("source", "=", source)
        .where("asset", "=", asset)
        .executeTakeFirst();
      return BigInt(row?.sum ?? 0);
    },
    listTerms: (grants: readonly number[]): Promise<TermsRecord[]> =>
      grants.length === 0
        ? Promise.resolve([])
        : tables.selectFrom("bonus_terms").selectAll().where("grant_id", "in", grants).execute(),
    async putTerms(row: TermsRecord): Promise<void> {
      await tables
        .insertInto("bonus_terms")
        .values(row)
        .onConflict((conflict) => conflict.column("grant_id").doNothing())
        .execute();
    },
  };
}
