// The wallet's SQL and nothing but SQL: bills as the projection keeps them, read page by page.
import { type Kysely, sql } from "kysely";

export interface BillRecord {
  readonly sequence: number;
  readonly line: number;
  readonly account: number;
  readonly asset: number;
  readonly business: string;
  readonly delta_units: bigint;
  readonly available_units: bigint;
  readonly frozen_units: bigint;
  readonly reference_number: number;
  readonly reference: string | null;
  readonly time_ms: number;
}

export interface BillFilter {
  readonly accounts: readonly number[];
  readonly asset?: number | undefined;
  readonly businesses?: readonly string[] | undefined;
  /** A part of the reference; its letters stand for themselves. */
  readonly search?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Of these coins only changes of at least so many units, either way. */
  readonly leastUnits?: ReadonlyMap<number, bigint> | undefined;
}

interface BillPlace {
  /** Bills after this one, which the caller has. */
  readonly before?: readonly [sequence: number, line: number] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export type WalletStore = ReturnType<typeof walletStore>;

export function walletStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ engine_bills: BillRecord }>();
  const matching = ({ accounts, asset, businesses, search, fromMs, toMs, leastUnits }: BillFilter) => {
    let query = tables.selectFrom("engine_bills").where("account", "in", accounts);
    if (asset !== undefined) query = query.where("asset", "=", asset);
    if (businesses !== undefined) query = query.where("business", "in", businesses);
    if (search !== undefined) {
      const number = /^[0-9]{1,15}$/.test(search) ? Number(search) : 0;
      query = query.where(({ or, eb }) =>
        or([
          sql<boolean>`lower(reference) like ${`%${search.toLowerCase()}%`}`,
          ...(number === 0 ? [] : [eb("reference_number", "=", number)]),
        ]),
      );
    }
    if (fromMs !== undefined) query = query.where("time_ms", ">=", fromMs);
    if (toMs !== undefined) query = query.where("time_ms", "<=", toMs);
    for (const [coin, units] of leastUnits ?? []) {
      query = query.where(({ or, eb }) =>
        or([eb("asset", "!=", coin), eb("delta_units", ">=", units), eb("delta_units", "<=", -units)]),
      );
    }
    return query;
  };
  return {
    /** Newest first. */
    listBills({ before, offset, limit, ...filter }: BillFilter & BillPlace): Promise<BillRecord[]> {
      let query = matching(filter).selectAll();
      if (before !== undefined) {
        const [sequence, line] = before;
        query = query
          .where("sequence", "<=", sequence)
          .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("line", "<", line)]));
      }
      return query.orderBy("sequence", "desc").orderBy("line", "desc").limit(limit).offset(offset).execute();
    },
    /** At most so many: nobody turns over more pages, and counting more costs. */
    async countBills(filter: BillFilter, most: number): Promise<number> {
      const some = matching(filter).select("sequence").limit(most).as("some");
      const { count } = await tables
        .selectFrom(some)
        .select(({ fn }) => fn.countAll<number | bigint | string>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
