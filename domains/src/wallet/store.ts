// The wallet's SQL and nothing but SQL: bills as the projection keeps them, read page by page.
import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
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

/** Accounts of people begin here; indexes of bills hold no others. */
const FIRST_ACCOUNT = 16;
/** Beyond so many a statement costs more than it saves. */
const BRANCHES_MAX = 150;

type Tables = Kysely<{ engine_bills: BillRecord }>;

/** What one account was billed of one kind; absent members stand for any. */
interface Branch {
  readonly account: number;
  readonly asset?: number;
  readonly business?: string;
  readonly find?: "named" | "numbered";
}

const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));

export function walletStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<{ engine_bills: BillRecord }>();
  return {
    /** Newest first. */
    async listBills({ before, offset, limit, ...filter }: BillFilter & BillPlace): Promise<BillRecord[]> {
      const pages = (await branchesOf(tables, filter)).map((branch) => {
        const query = matching(tables, filter, branch).selectAll().orderBy("sequence", "desc").orderBy("line", "desc");
        if (before === undefined) return query.limit(offset + limit);
        const [sequence, line] = before;
        return query
          .where("sequence", "<=", sequence)
          .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("line", "<", line)]))
          .limit(offset + limit);
      });
      const [first, ...others] = pages;
      if (first === undefined) return [];
      if (others.length === 0) return first.limit(limit).offset(offset).execute();
      // Each branch is read in its own order, and no further than the page needs it.
      const wrap = (page: typeof first) => tables.selectFrom(page.as("page")).selectAll();
      const all = others.reduce((sum, page) => sum.unionAll(wrap(page)), wrap(first));
      const rows = tables.selectFrom(all.as("pages")).selectAll().orderBy("sequence", "desc").orderBy("line", "desc");
      return rows.limit(limit).offset(offset).execute();
    },
    /** At most so many: nobody turns over more pages, and counting more costs. */
    async countBills(filter: BillFilter, most: number): Promise<number> {
      let count = 0;
      for (const branch of await branchesOf(tables, filter)) {
        const some = matching(tables, filter, branch)
          .select("sequence")
          .limit(most - count)
          .as("some");
        const row = await tables
          .selectFrom(some)
          .select(({ fn }) => fn.countAll<number | bigint | string>().as("count"))
          .executeTakeFirstOrThrow();
        count += Number(row.count);
        if (count >= most) break;
      }
      return count;
    },
  };
}

/** What to read so that each part lies in its own order in an index. */
async function branchesOf(tables: Tables, filter: BillFilter): Promise<readonly (Branch | readonly number[])[]> {
  const { accounts, asset, businesses, search } = filter;
  let branches: Branch[];
  if (search !== undefined) {
    const finds = numberOf(search) === 0 ? (["named"] as const) : (["named", "numbered"] as const);
    branches = accounts.flatMap((account) => finds.map((find) => ({ account, find })));
  } else if (asset === undefined && businesses === undefined) {
    branches = accounts.map((account) => ({ account }));
  } else {
    const kinds = await Promise.all(accounts.map((account) => listKinds(tables, account)));
    branches = kinds.flat().filter((kind) => {
      const isAsset = asset === undefined || kind.asset === asset;
      return isAsset && (businesses === undefined || businesses.includes(kind.business));
    });
  }
  return branches.length > BRANCHES_MAX ? [accounts] : branches;
}

/** Coins and businesses of an account's bills, each found by one step in the index. */
async function listKinds(
  tables: Tables,
  account: number,
): Promise<{ account: number; asset: number; business: string }[]> {
  const own = sql`account = ${account} and account >= ${sql.lit(FIRST_ACCOUNT)}`;
  const { rows } = await sql<{ asset: number; business: string }>`
    with recursive coins(asset) as (
      select min(asset) from engine_bills where ${own}
      union all
      select (select min(b.asset) from engine_bills b where ${own} and b.asset > coins.asset)
        from coins where coins.asset is not null
    ), kinds(asset, business) as (
      select coins.asset, (select min(b.business) from engine_bills b where ${own} and b.asset = coins.asset)
        from coins where coins.asset is not null
      union all
      select kinds.asset, (select min(b.business) from engine_bills b
        where ${own} and b.asset = kinds.asset and b.business > kinds.business)
        from kinds where kinds.business is not null
    ) select asset, business from kinds where business is not null`.execute(tables);
  return rows.map(({ asset, business }) => ({ account, asset: Number(asset), business }));
}

const numberOf = (search: string): number => (/^[0-9]{1,15}$/.test(search) ? Number(search) : 0);

function matching(tables: Tables, filter: BillFilter, branch: Branch | readonly number[]) {
  const { asset, businesses, search, fromMs, toMs, leastUnits } = filter;
  let query = tables.selectFrom("engine_bills");
  if ("account" in branch) {
    query = query.where("account", "=", branch.account);
    if (branch.asset !== undefined || branch.find === "numbered") {
      query = query.where("account", ">=", sql.lit(FIRST_ACCOUNT));
    }
  } else query = query.where("account", "in", branch);
  const kind = "account" in branch ? branch : undefined;
  if ((kind?.asset ?? asset) !== undefined) query = query.where("asset", "=", (kind?.asset ?? asset) as number);
  if (kind?.business !== undefined) query = query.where("business", "=", kind.business);
  else if (businesses !== undefined) query = query.where("business", "in", businesses);
  if (search !== undefined)
    query = query.where(({ or, eb, and }) => {
      const isNamed = sql<boolean>`lower(reference) like ${`%${search.toLowerCase()}%`}`;
      const isNumbered = eb("reference_number", "=", numberOf(search));
      const named = and([eb("reference", "is not", null), isNamed]);
      if (kind?.find === "named") return named;
      if (kind?.find === "numbered")
        return and([isNumbered, or([eb("reference", "is", null), sql<boolean>`not ${isNamed}`])]);
      return numberOf(search) === 0 ? named : or([named, isNumbered]);
    });
  if (fromMs !== undefined) {
    query = query.where("time_ms", ">=", fromMs).where("sequence", ">=", bounds.least(fromMs));
  }
  if (toMs !== undefined) query = query.where("time_ms", "<=", toMs).where("sequence", "<=", bounds.most(toMs));
  for (const [coin, units] of leastUnits ?? []) {
    query = query.where(({ or, eb }) =>
      or([eb("asset", "!=", coin), eb("delta_units", ">=", units), eb("delta_units", "<=", -units)]),
    );
  }
  return query;
}
