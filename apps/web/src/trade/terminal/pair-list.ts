// Which pairs the drawer shows and in which order. Pure.

import { multiplyDecimals, parseDecimal, writeDecimal } from "@clockwork/kit/decimal";
import type { Partition, Quotation } from "@clockwork/trading/markets/contract";
import type { TradeInstrument } from "#trade/product.ts";

export interface PairRow {
  readonly pair: TradeInstrument;
  readonly quotation: Quotation | undefined;
  /** The day's turnover in USDT, so that pairs priced in other coins can be compared; nothing without a price. */
  readonly turnover: string | undefined;
}

const WORTH = "USDT";

export const PAIR_SORTS = ["pair", "last", "change", "turnover"] as const;
export type PairSort = (typeof PAIR_SORTS)[number];

export interface PairQuery {
  readonly search: string;
  /** "all", "favourites", or a partition's key. */
  readonly group: string;
  readonly sort: PairSort;
  readonly isDescending: boolean;
}

function sortValue(row: PairRow, sort: PairSort): number {
  // Only an order is needed here; the figures shown are the exact texts.
  if (sort === "last") return Number(row.quotation?.last ?? 0);
  if (sort === "change") return Number(row.quotation?.changePercent ?? 0);
  return Number(row.turnover ?? 0);
}

function compareRows(left: PairRow, right: PairRow, { sort, isDescending }: PairQuery): number {
  const order =
    sort === "pair"
      ? left.pair.pairCode.localeCompare(right.pair.pairCode)
      : sortValue(left, sort) - sortValue(right, sort);
  return isDescending ? -order : order;
}

/** "btcusdt", "BTC/USDT", "btc usdt" and "bitcoin" all find the same pair. */
function matchesSearch({ pair }: PairRow, search: string): boolean {
  const wanted = search.toLowerCase().replace(/[\s/_-]+/g, "");
  if (wanted === "") return true;
  const code = (pair.base + pair.quote).toLowerCase();
  return code.includes(wanted) || pair.baseName.toLowerCase().replace(/\s+/g, "").includes(wanted);
}

function worthOf(pair: TradeInstrument, byCode: ReadonlyMap<string, Quotation>): string | undefined {
  const own = byCode.get(pair.pairCode)?.turnover;
  if (own === undefined || pair.quote === WORTH) return own;
  const rate = byCode.get(`${pair.quote}_${WORTH}`)?.last;
  if (rate === undefined) return undefined;
  const [left, right] = [parseDecimal(own), parseDecimal(rate)];
  return left.ok && right.ok ? writeDecimal(multiplyDecimals(left.value, right.value)) : undefined;
}

export function listPairRows(
  pairs: readonly TradeInstrument[],
  quotations: readonly Quotation[],
  favourites: readonly string[],
  query: PairQuery,
): readonly PairRow[] {
  const byCode = new Map(quotations.map((quotation) => [quotation.pairCode, quotation]));
  const inGroup = (pair: TradeInstrument) => {
    if (query.group === "all" || query.search.trim() !== "") return true;
    return query.group === "favourites" ? favourites.includes(pair.pairCode) : pair.partitions.includes(query.group);
  };
  return pairs
    .filter(inGroup)
    .map((pair) => ({ pair, quotation: byCode.get(pair.pairCode), turnover: worthOf(pair, byCode) }))
    .filter((row) => matchesSearch(row, query.search))
    .sort((left, right) => compareRows(left, right, query));
}

/** Those with a pair, as they are called and in the order they are shown; one without a name is left out. */
export function listPartitions(
  pairs: readonly TradeInstrument[],
  partitions: readonly Partition[],
): readonly Partition[] {
  const used = new Set(pairs.flatMap((pair) => pair.partitions));
  return partitions.filter(({ key }) => used.has(key));
}
