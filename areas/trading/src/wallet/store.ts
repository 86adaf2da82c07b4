// The SQL of the wallet: bills from the projection, read page by page.
import { sequenceBounds } from "@clockwork/kit/pages/sequence-bounds";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { type BillBlockRow, BLOCK_SEQUENCES } from "../projectors/rows/rows.ts";
import { FIRST_ACCOUNT, largeSpans, listKinds, SPAN_BILLS } from "./bill-kinds.ts";

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
  /** Of funding: when it was due. */
  readonly settled_ms?: number | null | undefined;
}

export interface BillFilter {
  readonly accounts: readonly number[];
  readonly asset?: number | undefined;
  readonly businesses?: readonly string[] | undefined;
  /** A part of the reference; its characters are literal. */
  readonly search?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Of these coins only changes of at least this many units, either way. */
  readonly leastUnits?: ReadonlyMap<number, bigint> | undefined;
}

interface BillPlace {
  /** Bills after this one, which the caller has. */
  readonly before?: readonly [sequence: number, line: number] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export type WalletStore = ReturnType<typeof walletStore>;

/** Within this multiple of a span's bills, large ones are counted one by one. */
const COUNTED_SPANS = 20;
/** Above this number a statement costs more than it saves. */
const BRANCHES_MAX = 150;

type BillTables = { engine_bills: BillRecord; engine_bill_blocks: BillBlockRow };
type Tables = Kysely<BillTables>;

/** The bills of one account and kind; absent members match any. */
interface Branch {
  readonly account: number;
  readonly asset?: number;
  readonly business?: string;
  readonly find?: "named" | "numbered";
}

const bounds = sequenceBounds((texts, ...values) => sql<number>(texts, ...values));

type Branches = readonly (Branch | readonly number[])[];

export function walletStore(kysely: Kysely<unknown>, spanBills = SPAN_BILLS) {
  const tables: Tables = kysely.$extendTables<BillTables>();
  return {
    /** Newest first. */
    async listBills({ before, offset, limit, ...filter }: BillFilter & BillPlace): Promise<BillRecord[]> {
      const wanted = offset + limit;
      const found: BillRecord[] = [];
      for await (const [part, branches] of partsOf(kysely, await endingAt(tables, filter, before), spanBills)) {
        const rows = await listPart(tables, part, branches, before, wanted - found.length);
        for (const row of rows) found.push(row);
        if (found.length >= wanted) break;
      }
      return found.slice(offset);
    },
    /**
     * Counts at most this many: users do not turn over more pages, and counting more costs. Of large bills those among
     * a bounded number of the newest are counted; of days beyond, every candidate.
     */
    async countBills(filter: BillFilter, most: number): Promise<number> {
      let count = 0;
      let looked = 0;
      for await (const [part, branches, bills] of partsOf(kysely, filter, spanBills)) {
        if (looked >= spanBills * COUNTED_SPANS) {
          count += bills;
          if (count >= most) return most;
          continue;
        }
        looked += bills;
        for (const branch of branches) {
          const rows = isKind(branch)
            ? keysOf(tables, part, branch)
            : matching(tables, part, branch).select(["sequence", "line"]);
          const row = await tables
            .selectFrom(rows.limit(most - count).as("some"))
            .select(({ fn }) => fn.countAll<number | bigint | string>().as("count"))
            .executeTakeFirstOrThrow();
          count += Number(row.count);
          if (count >= most) return count;
        }
      }
      return count;
    },
  };
}

/**
 * Times, newest first, with the rows to read for each: all at once, or only those with a change of the minimum amount.
 */
async function* partsOf(
  kysely: Kysely<unknown>,
  filter: BillFilter,
  spanBills: number,
): AsyncGenerator<readonly [part: BillFilter, branches: Branches, bills: number]> {
  const { leastUnits, search, accounts } = filter;
  if (leastUnits === undefined || search !== undefined) {
    yield [filter, await branchesOf(kysely, filter), 0];
    return;
  }
  for await (const { fromMs, toMs, kinds, bills } of largeSpans(kysely, { ...filter, leastUnits }, spanBills))
    yield [{ ...filter, fromMs, toMs }, kinds.length > BRANCHES_MAX ? [accounts] : kinds, bills];
}

/** With a bill as cursor, nothing later than it is read. */
async function endingAt(tables: Tables, filter: BillFilter, before: BillPlace["before"]): Promise<BillFilter> {
  if (before === undefined || filter.leastUnits === undefined || filter.accounts.length === 0) return filter;
  const row = await tables
    .selectFrom("engine_bills")
    .select("time_ms")
    .where("account", "in", filter.accounts)
    .where("sequence", "=", before[0])
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? filter : { ...filter, toMs: Math.min(filter.toMs ?? row.time_ms, row.time_ms) };
}

/** Newest first. */
async function listPart(
  tables: Tables,
  filter: BillFilter,
  branches: Branches,
  before: BillPlace["before"],
  limit: number,
): Promise<BillRecord[]> {
  const pages = branches.map((branch) => {
    const query = onPage(matching(tables, filter, branch), before, limit).selectAll();
    if (!isKind(branch)) return query;
    // The position of the newest is read from the index; otherwise the planner would scan every bill.
    const keys = onPage(keysOf(tables, filter, branch), before, limit);
    return query.where("sequence", "in", tables.selectFrom(keys.as("keys")).select("sequence"));
  });
  const [first, ...others] = pages;
  if (first === undefined) return [];
  if (others.length === 0) return first.execute();
  // Each branch is read in its own order, and no further than the page needs it.
  const wrap = (page: typeof first) => tables.selectFrom(page.as("page")).selectAll();
  const all = others.reduce((sum, page) => sum.unionAll(wrap(page)), wrap(first));
  const rows = tables.selectFrom(all.as("pages")).selectAll().orderBy("sequence", "desc").orderBy("line", "desc");
  return rows.limit(limit).execute();
}

/** The branches to read so that each is sorted by an index. */
async function branchesOf(kysely: Kysely<unknown>, filter: BillFilter): Promise<Branches> {
  const { accounts, asset, businesses, search } = filter;
  let branches: Branch[];
  if (search !== undefined) {
    const finds = numberOf(search) === 0 ? (["named"] as const) : (["named", "numbered"] as const);
    branches = accounts.flatMap((account) => finds.map((find) => ({ account, find })));
  } else if (asset === undefined && businesses === undefined) {
    branches = accounts.map((account) => ({ account }));
  } else {
    const kinds = await Promise.all(accounts.map((account) => listKinds(kysely, account)));
    branches = kinds.flat().filter((kind) => {
      const isAsset = asset === undefined || kind.asset === asset;
      return isAsset && (businesses === undefined || businesses.includes(kind.business));
    });
  }
  return branches.length > BRANCHES_MAX ? [accounts] : branches;
}

const numberOf = (search: string): number => (/^[0-9]{1,15}$/.test(search) ? Number(search) : 0);

interface KindBranch extends Branch {
  readonly asset: number;
  readonly business: string;
}

const isKind = (branch: Branch | readonly number[]): branch is KindBranch =>
  "account" in branch && branch.asset !== undefined && branch.business !== undefined;

type Bills = SelectQueryBuilder<BillTables, "engine_bills", object>;

/** Newest first. */
function onPage<Query extends Bills>(bills: Query, before: BillPlace["before"], limit: number): Query {
  let query: Bills = bills.orderBy("sequence", "desc").orderBy("line", "desc").limit(limit);
  if (before !== undefined) {
    const [sequence, line] = before;
    query = query
      .where("sequence", "<=", sequence)
      .where(({ or, eb }) => or([eb("sequence", "<", sequence), eb("line", "<", line)]));
  }
  return query as Query;
}

function within(query: Bills, { fromMs, toMs }: BillFilter): Bills {
  let bills = query;
  if (fromMs !== undefined) {
    bills = bills.where("time_ms", ">=", fromMs).where("sequence", ">=", bounds.least(fromMs));
  }
  if (toMs !== undefined) bills = bills.where("time_ms", "<=", toMs).where("sequence", "<=", bounds.most(toMs));
  return bills;
}

/** The index of kinds: as many rows as the kind has, and none of the others read. */
function keysOf(tables: Tables, filter: BillFilter, branch: KindBranch) {
  const { account, asset, business } = branch;
  const least = filter.leastUnits?.get(asset);
  if (least !== undefined) {
    const bills = inLargeBlocks(tables, filter, branch, least);
    return large(bills, filter, asset).select(["sequence", "line"]);
  }
  const query = tables
    .selectFrom("engine_bills")
    .where("account", "=", account)
    .where("account", ">=", sql.lit(FIRST_ACCOUNT))
    .where("asset", "=", asset)
    .where("business", "=", business);
  return large(within(query, filter), filter, asset).select(["sequence", "line"]);
}

/** Bills of the blocks that have one of at least so much, the newest block first. */
function inLargeBlocks(tables: Tables, { fromMs = 0, toMs }: BillFilter, branch: KindBranch, least: bigint): Bills {
  const size = sql.lit(BLOCK_SEQUENCES);
  const { account, asset, business } = branch;
  let query = tables
    .selectFrom("engine_bill_blocks as k")
    // Blocks first, whatever a planner thinks of them.
    .crossJoin("engine_bills")
    .where("k.account", "=", account)
    .where("k.asset", "=", asset)
    .where("k.business", "=", business)
    .where("k.most_units", ">=", least)
    .where(sql<boolean>`k.block >= ${bounds.least(fromMs)} / ${size}`)
    .where("engine_bills.account", "=", account)
    .where("engine_bills.account", ">=", sql.lit(FIRST_ACCOUNT))
    .where("engine_bills.asset", "=", asset)
    .where("engine_bills.business", "=", business)
    .where(
      sql<boolean>`engine_bills.sequence >= k.block * ${size} and engine_bills.sequence < (k.block + 1) * ${size}`,
    );
  // Of sequences only the block's own bounds: an index takes one of each side, and this is the narrower one.
  query = query.where("time_ms", ">=", fromMs);
  if (toMs !== undefined) {
    query = query.where("time_ms", "<=", toMs).where(sql<boolean>`k.block <= ${bounds.most(toMs)} / ${size}`);
  }
  return query.orderBy("k.block", "desc") as unknown as Bills;
}

/** Changes of at least this amount, either way; of one coin, or of any. */
function large(query: Bills, { leastUnits }: BillFilter, asset: number | undefined): Bills {
  let bills = query;
  for (const [coin, units] of leastUnits ?? []) {
    if (asset !== undefined && asset !== coin) continue;
    bills = bills.where(({ or, and, eb }) => {
      const either = [eb("delta_units", ">=", units), eb("delta_units", "<=", -units)];
      return asset === undefined ? or([eb("asset", "!=", coin), ...either]) : and([or(either)]);
    });
  }
  return bills;
}

function matching(tables: Tables, filter: BillFilter, branch: Branch | readonly number[]): Bills {
  const { businesses, search } = filter;
  const own: Branch | undefined = "account" in branch ? branch : undefined;
  const asset = own?.asset ?? filter.asset;
  let query: Bills = tables.selectFrom("engine_bills");
  query = "account" in branch ? query.where("account", "=", branch.account) : query.where("account", "in", branch);
  if (asset !== undefined) query = query.where("asset", "=", asset);
  if (own?.business !== undefined) query = query.where("business", "=", own.business);
  else if (businesses !== undefined) query = query.where("business", "in", businesses);
  if (search !== undefined) query = searched(tables, query, search, own);
  query = within(query, filter);
  return large(query, filter, asset);
}

/** By name, by number, or both at once where they are not read separately. */
function searched(tables: Tables, query: Bills, search: string, own: Branch | undefined): Bills {
  const number = numberOf(search);
  const text = `%${search.toLowerCase()}%`;
  const isNamed = sql<boolean>`(reference > '' and lower(reference) like ${text})`;
  if (own?.find === "named")
    return query.where("reference", ">", "").where(sql<boolean>`lower(reference) like ${text}`);
  if (own?.find === undefined) {
    return query.where(({ or, eb }) => or([isNamed, ...(number === 0 ? [] : [eb("reference_number", "=", number)])]));
  }
  const keys = tables
    .selectFrom("engine_bills")
    .select("sequence")
    .where("account", "=", own.account)
    .where("account", ">=", sql.lit(FIRST_ACCOUNT))
    .where("reference_number", "=", number);
  return query
    .where("sequence", "in", keys)
    .where("reference_number", "=", number)
    .where(({ or, eb }) => or([eb("reference", "is", null), sql<boolean>`not ${isNamed}`]));
}
