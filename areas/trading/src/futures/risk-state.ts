// The value of a contract's liquidations and the use of the insurance fund: the day's value from the public prints, the
// drawdown from the core. Read at most once per interval, however many readers there are.
import type { IndexSources } from "@clockwork/core/inspect/contracts";
import { BEGIN_PERCENT, END_PERCENT } from "@clockwork/core/perp/margin/insurance";
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { exactWorth, valueFloor, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";
import type { PartContext } from "../context.ts";
import { LIQUIDATION_CALLS } from "../liquidations/contract.ts";
import type { MarketPair } from "../markets/pair.ts";
import type { ContractPlace } from "../markets/places.ts";
import { UNKNOWN_CONTRACT } from "../markets/routes.ts";

const FRESH_MS = 10_000;
const DELEVERAGINGS_MS = 90 * DAY_MS;
const FRACTION_SCALE = 6;
const FRACTION_ONE = 10n ** BigInt(FRACTION_SCALE);

interface Place {
  readonly at: ContractPlace["at"];
  readonly find: (query: {
    readonly biz?: "futures" | "delivery" | "demo";
    readonly pairCode: string;
  }) => MarketPair | undefined;
  readonly readSources: () => Promise<IndexSources | undefined>;
}

interface Day {
  readonly readMs: number;
  /** The last command whose prints are stored; newer ones are still in memory. */
  readonly sequence: number;
  readonly valueUnits: bigint;
  readonly liquidations: number;
  readonly deleveragings: number;
}

const percent = (value: number): string => formatUnits(units(value), 2);

export function riskStateRoute({ database, clock, market }: PartContext, { at, find, readSources }: Place): RouteSpec {
  const days = new Map<number, Promise<Day>>();
  const dayOf = async (pair: MarketPair): Promise<Day> => {
    const known = days.get(pair.market);
    if (known !== undefined && clock.now() - (await known).readMs < FRESH_MS) return known;
    const reading = readDay(database.kysely, pair, clock.now());
    days.set(pair.market, reading);
    reading.catch(() => days.delete(pair.market));
    return reading;
  };
  return serve(at(LIQUIDATION_CALLS.riskState), {
    tag: "contracts",
    summary: "What was liquidated of a contract in a day, and what it drew from the insurance fund",
    handle: async ({ query }) => {
      const pair = find(query);
      if (pair === undefined) return UNKNOWN_CONTRACT;
      const [day, read] = await Promise.all([dayOf(pair), readSources()]);
      const prints = market.data.projector.states.get(pair.market)?.contract?.liquidations ?? [];
      const fromMs = clock.now() - DAY_MS;
      const fresh = prints.filter(({ sequence, time_ms }) => sequence > day.sequence && time_ms >= fromMs);
      const freshUnits = fresh.reduce((sum, { lots, price }) => sum + valueFloor(pair, Math.abs(lots), price), 0n);
      const mark = read?.marks.find((one) => one.market === pair.market);
      const [drawn, peak] = [BigInt(Math.max(0, -(mark?.flowUnits ?? 0))), BigInt(mark?.peakUnits ?? 0)];
      // An empty fund that paid all the same is fully drained.
      const share = drawn === 0n ? 0n : peak === 0n ? FRACTION_ONE : (drawn * FRACTION_ONE) / peak;
      return answer({
        pairCode: pair.pairCode,
        asset: pair.settle.symbol,
        liquidatedValue: valueText(pair, day.valueUnits + freshUnits),
        liquidations: day.liquidations + fresh.length,
        drawdown: formatUnits(units(share), FRACTION_SCALE),
        peak: valueText(pair, peak),
        deleveragesFrom: percent(BEGIN_PERCENT),
        deleveragesUntil: percent(END_PERCENT),
        isDeleveraging: mark?.isDeleveraging ?? false,
        deleveragings: day.deleveragings,
      });
    },
  });
}

/** In the settlement coin's units, rounded down. */
function worthOf({ kind, factor }: MarketPair, lots: bigint, priceTicks: bigint): bigint {
  const { over, under } = exactWorth(kind, BigInt(factor), lots, priceTicks);
  return over / under;
}

/** By price, so that each print has the exchange's own value. */
async function readDay(kysely: Kysely<unknown>, pair: MarketPair, nowMs: number): Promise<Day> {
  const prints = await sql<{ price: number; lots: string; prints: string; newest: string }>`
    SELECT price, SUM(ABS(lots)) AS lots, COUNT(*) AS prints, MAX(sequence) AS newest FROM markets_liquidation
    WHERE market = ${pair.market} AND time_ms >= ${nowMs - DAY_MS} GROUP BY price`.execute(kysely);
  const ended = await sql<{ count: string }>`
    SELECT COUNT(*) AS count FROM (
      SELECT DISTINCT sequence, place FROM engine_deleveragings
      WHERE market = ${pair.market} AND time_ms >= ${nowMs - DELEVERAGINGS_MS}
    ) AS ended`.execute(kysely);
  return {
    readMs: nowMs,
    sequence: prints.rows.reduce((newest, row) => Math.max(newest, Number(row.newest)), 0),
    valueUnits: prints.rows.reduce((sum, { price, lots }) => sum + worthOf(pair, BigInt(lots), BigInt(price)), 0n),
    liquidations: prints.rows.reduce((sum, row) => sum + Number(row.prints), 0),
    deleveragings: Number(ended.rows[0]?.count ?? 0),
  };
}
