// How many accounts held longs and shorts of each contract, sampled every five minutes: all of them, and the fifth with
// the largest positions. Contains the rule of who is counted, the table, and the job.
import type { Job } from "@clockwork/host/job";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";

export const SIDES_MS = 5 * MINUTE_MS;
/** Binance answers for as long. */
const KEPT_MS = 30 * DAY_MS;
const TOP_PART = 5;

/** Positive lots are long; an account has one row of a contract in either direction, or two in hedge mode. */
export interface HeldSide {
  readonly market: number;
  readonly account: number;
  readonly lots: bigint;
}

export interface SidesRow {
  readonly market: number;
  readonly time_ms: number;
  readonly long_accounts: number;
  readonly short_accounts: number;
  readonly top_long_accounts: number;
  readonly top_short_accounts: number;
  readonly top_long_lots: bigint;
  readonly top_short_lots: bigint;
}

type Counted = Omit<SidesRow, "market" | "time_ms">;
type SidesTables = { markets_sides: SidesRow };

/** Of one contract. A contract nobody holds has none. */
export function countSides(held: readonly HeldSide[]): Counted | undefined {
  if (held.length === 0) return undefined;
  const sizes = new Map<number, bigint>();
  for (const { account, lots } of held) {
    sizes.set(account, (sizes.get(account) ?? 0n) + (lots < 0n ? -lots : lots));
  }
  const bySize = [...sizes].sort(([left, leftLots], [right, rightLots]) =>
    leftLots === rightLots ? left - right : leftLots < rightLots ? 1 : -1,
  );
  const top = new Set(bySize.slice(0, Math.ceil(bySize.length / TOP_PART)).map(([account]) => account));
  const count = (rows: readonly HeldSide[]): number => new Set(rows.map(({ account }) => account)).size;
  const add = (rows: readonly HeldSide[]): bigint =>
    rows.reduce((sum, { lots }) => sum + (lots < 0n ? -lots : lots), 0n);
  const [long, short] = [held.filter(({ lots }) => lots > 0n), held.filter(({ lots }) => lots < 0n)];
  const [topLong, topShort] = [long, short].map((rows) => rows.filter(({ account }) => top.has(account))) as [
    HeldSide[],
    HeldSide[],
  ];
  return {
    long_accounts: count(long),
    short_accounts: count(short),
    top_long_accounts: count(topLong),
    top_short_accounts: count(topShort),
    top_long_lots: add(topLong),
    top_short_lots: add(topShort),
  };
}

export function sidesHistory(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SidesTables>();
  const sample = async (time_ms: number): Promise<void> => {
    const { rows } = await sql<{ market: number; account: number; lots: string }>`
      SELECT market, account, lots FROM engine_positions WHERE closed_sequence IS NULL AND lots <> 0`.execute(kysely);
    const markets = new Map<number, HeldSide[]>();
    for (const row of rows) {
      const held = { market: Number(row.market), account: Number(row.account), lots: BigInt(row.lots) };
      markets.set(held.market, [...(markets.get(held.market) ?? []), held]);
    }
    const samples = [...markets].flatMap(([market, held]) => {
      const counted = countSides(held);
      return counted === undefined ? [] : [{ market, time_ms, ...counted }];
    });
    if (samples.length > 0) {
      const insert = tables.insertInto("markets_sides").values(samples);
      await insert.onConflict((conflict) => conflict.columns(["market", "time_ms"]).doNothing()).execute();
    }
    await tables
      .deleteFrom("markets_sides")
      .where("time_ms", "<", time_ms - KEPT_MS)
      .execute();
  };
  const job: Job = {
    name: "markets.sides",
    schedule: { everyMs: SIDES_MS },
    missed: "latest",
    run: ({ dueMs }) => sample(dueMs),
  };
  return {
    job,
    /** The first sample of each period, oldest first: from a time on the first ones, else the last. */
    async read(
      market: number,
      periodMs: number,
      { from, to, limit }: { readonly from?: number; readonly to?: number; readonly limit: number },
    ): Promise<readonly SidesRow[]> {
      const rows = await tables
        .selectFrom("markets_sides")
        .selectAll()
        .where("market", "=", market)
        .where("time_ms", ">=", from ?? 0)
        .where("time_ms", "<=", to ?? Number.MAX_SAFE_INTEGER)
        // Thirty days of samples at most.
        .where(sql<boolean>`time_ms % ${periodMs} = 0`)
        .orderBy("time_ms", from === undefined ? "desc" : "asc")
        .limit(limit)
        .execute();
      return from === undefined ? rows.reverse() : rows;
    },
  };
}

export type SidesHistory = ReturnType<typeof sidesHistory>;
