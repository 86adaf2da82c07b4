// SQL of which bills an account has: coins and businesses, each found by one index step, and the days with at least one
// bill above an amount, so that no other day is read.
import { DAY_MS } from "@clockwork/kit/time";
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";

export interface BillKind {
  readonly account: number;
  readonly asset: number;
  readonly business: string;
}

/** User accounts start here; indexes of bills hold no others. */
export const FIRST_ACCOUNT = 16;

/** Written exactly as in the index of contracts' bills: otherwise it is not used. */
export const IS_OF_CONTRACT = sql<boolean>`business not in ('trade', 'fee')`;

/** Of an account, or of one contract in it. */
export async function listKinds(tables: QueryExecutorProvider, account: number, market?: number): Promise<BillKind[]> {
  const contract = market === undefined ? sql`` : sql` and market = ${market} and ${IS_OF_CONTRACT}`;
  const own = sql`account = ${account} and account >= ${sql.lit(FIRST_ACCOUNT)}${contract}`;
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

export interface LargeFilter {
  readonly accounts: readonly number[];
  readonly asset?: number | undefined;
  readonly businesses?: readonly string[] | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Of these coins only changes of at least this many units, either way; of others all. */
  readonly leastUnits: ReadonlyMap<number, bigint>;
}

/** A time and the kinds that have bills of that size in it. */
export interface LargeSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly kinds: readonly BillKind[];
  /** The number of their bills on days with a large one: an upper bound of the large ones. */
  readonly bills: number;
}

interface Cell extends BillKind {
  readonly day: number;
  readonly bills: number;
  readonly most_units: bigint;
}

/** Days read at once. */
const WINDOW_DAYS = 92;
/** The most bills of the requested kinds in a span, unless one day has more. */
export const SPAN_BILLS = 5_000;

interface OpenSpan {
  fromDay: number;
  readonly toDay: number;
  bills: number;
  large: number;
  readonly kinds: Map<string, BillKind>;
}

/** Newest first. */
export async function* largeSpans(
  tables: Kysely<unknown>,
  filter: LargeFilter,
  spanBills: number,
): AsyncGenerator<LargeSpan> {
  const days = tables.$extendTables<{ engine_bill_days: Cell }>();
  const { accounts, asset, businesses, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, leastUnits } = filter;
  if (accounts.length === 0) return;
  const ends = await days
    .selectFrom("engine_bill_days")
    .select(({ fn }) => [fn.min<number | null>("day").as("first"), fn.max<number | null>("day").as("last")])
    .where("account", "in", accounts)
    .executeTakeFirstOrThrow();
  if (ends.first === null || ends.last === null) return;
  const first = Math.max(Number(ends.first), Math.floor(fromMs / DAY_MS));
  let open: OpenSpan | undefined;
  const close = (): LargeSpan[] => {
    if (open === undefined) return [];
    const { fromDay, toDay, kinds, large } = open;
    const [since, until] = [Math.max(fromDay * DAY_MS, fromMs), Math.min((toDay + 1) * DAY_MS - 1, toMs)];
    open = undefined;
    return [{ fromMs: since, toMs: until, kinds: [...kinds.values()], bills: large }];
  };
  for (let to = Math.min(Number(ends.last), Math.floor(toMs / DAY_MS)); to >= first; to -= WINDOW_DAYS) {
    let query = days
      .selectFrom("engine_bill_days")
      .select(["account", "day", "asset", "business", "bills", "most_units"])
      .where("account", "in", accounts)
      .where("day", "<=", to)
      .where("day", ">", to - WINDOW_DAYS)
      .where("day", ">=", first);
    if (asset !== undefined) query = query.where("asset", "=", asset);
    if (businesses !== undefined) query = query.where("business", "in", businesses);
    const byDay = Map.groupBy(await query.orderBy("day", "desc").execute(), ({ day }) => Number(day));
    for (const [day, cells] of byDay) {
      const large = cells.filter((cell) => cell.most_units >= (leastUnits.get(Number(cell.asset)) ?? 0n));
      const bills = cells.reduce((sum, cell) => sum + Number(cell.bills), 0);
      if (open !== undefined && open.bills + bills > spanBills) yield* close();
      if (open === undefined && large.length === 0) continue;
      open ??= { fromDay: day, toDay: day, bills: 0, large: 0, kinds: new Map() };
      open.fromDay = day;
      open.bills += bills;
      for (const { account, asset: coin, business, bills: count } of large) {
        open.large += Number(count);
        open.kinds.set(`${account}:${coin}:${business}`, { account, asset: Number(coin), business });
      }
    }
  }
  yield* close();
}
