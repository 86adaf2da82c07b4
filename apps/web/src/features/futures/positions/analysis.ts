// What closed positions came to: sums, winners and losers, a curve over time and a row for each contract. Exact; pure.

import {
  addDecimals,
  compareDecimals,
  type Decimal,
  divideTruncated,
  parseDecimal,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";
import type { ClosedPosition } from "@clockwork/trading/positions/contract";

/** The coin a closed position was settled in. */
export function settleOf({ biz, pairCode, sub }: ClosedPosition): string {
  const [base = "", quote = ""] = pairCode.split("_");
  return biz === "delivery" ? (sub ?? base) : quote;
}

interface AnalysisPoint {
  readonly timeMs: number;
  readonly pairCode: string;
  /** Of everything up to and including it. */
  readonly total: string;
  readonly change: string;
}

interface ContractSum {
  readonly pairCode: string;
  readonly count: number;
  readonly winners: number;
  readonly net: string;
}

export interface Analysis {
  readonly count: number;
  readonly winners: number;
  readonly losers: number;
  readonly realized: string;
  readonly fees: string;
  readonly funding: string;
  readonly net: string;
  /** Per winner and per loser; undefined without any. */
  readonly averageWin: string | undefined;
  readonly averageLoss: string | undefined;
  /** What was won for each unit that was lost; undefined without a loss. */
  readonly profitFactor: string | undefined;
  readonly best: ClosedPosition | undefined;
  readonly worst: ClosedPosition | undefined;
  /** Oldest first. */
  readonly curve: readonly AnalysisPoint[];
  /** The largest sum first. */
  readonly contracts: readonly ContractSum[];
}

const AVERAGE_SCALE = 8;
const FACTOR_SCALE = 2;
function readSigned(text: string): Decimal {
  const parsed = parseDecimal(text, { signed: true });
  return parsed.ok ? parsed.value : ZERO_DECIMAL;
}

const sum = (values: readonly Decimal[]): Decimal => values.reduce(addDecimals, ZERO_DECIMAL);
const isNegative = ({ units }: Decimal): boolean => units < 0n;
const countOf = (count: number): Decimal => ({ units: BigInt(count), scale: 0 });
const size = (value: Decimal): Decimal => (value.units < 0n ? { ...value, units: -value.units } : value);

export function analyse(closed: readonly ClosedPosition[]): Analysis {
  const rows = closed.toSorted((left, right) => left.closedAtMs - right.closedAtMs);
  const nets = rows.map(({ netPnl }) => readSigned(netPnl));
  const won = nets.filter(({ units }) => units > 0n);
  const lost = nets.filter(isNegative);
  const [gain, loss] = [sum(won), sum(lost)];
  const averageOf = (total: Decimal, count: number) =>
    count === 0 ? undefined : writeDecimal(divideTruncated(total, countOf(count), AVERAGE_SCALE));
  const of = (read: (row: ClosedPosition) => string) => writeDecimal(sum(rows.map((row) => readSigned(read(row)))));
  let total = ZERO_DECIMAL;
  const ranked = rows.toSorted((left, right) => compareDecimals(readSigned(right.netPnl), readSigned(left.netPnl)));
  return {
    count: rows.length,
    winners: won.length,
    losers: lost.length,
    realized: of(({ realizedPnl }) => realizedPnl),
    fees: of(({ fee }) => fee),
    funding: of(({ funding }) => funding),
    net: writeDecimal(sum(nets)),
    averageWin: averageOf(gain, won.length),
    averageLoss: averageOf(loss, lost.length),
    profitFactor: lost.length === 0 ? undefined : writeDecimal(divideTruncated(gain, size(loss), FACTOR_SCALE)),
    best: ranked[0],
    worst: ranked.at(-1),
    curve: rows.map((row, index) => {
      total = addDecimals(total, nets[index] ?? ZERO_DECIMAL);
      return { timeMs: row.closedAtMs, pairCode: row.pairCode, total: writeDecimal(total), change: row.netPnl };
    }),
    contracts: sumContracts(rows),
  };
}

function sumContracts(rows: readonly ClosedPosition[]): readonly ContractSum[] {
  const sums = [...Map.groupBy(rows, ({ pairCode }) => pairCode)].map(([pairCode, own]) => {
    const nets = own.map(({ netPnl }) => readSigned(netPnl));
    return { pairCode, count: own.length, winners: nets.filter(({ units }) => units > 0n).length, sum: sum(nets) };
  });
  return sums
    .toSorted((left, right) => compareDecimals(right.sum, left.sum) || left.pairCode.localeCompare(right.pairCode))
    .map(({ sum: net, ...row }) => ({ ...row, net: writeDecimal(net) }));
}
