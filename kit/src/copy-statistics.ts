// A leader's statistics from the ledger's record of the book: an index of its worth by day, closed trades, and the
// results of copies. Pure and exact where money is; the same figures for every reader. Ratios are parts of a million.
import { DAY_MS } from "./time.ts";

export const INDEX_ONE = 1_000_000_000_000n;
export const STATISTIC_WINDOWS = [7, 30, 90, 180] as const;
export type StatisticWindow = (typeof STATISTIC_WINDOWS)[number];

const MILLION = 1_000_000n;
const DAYS_A_YEAR = 365;

/** The index at the end of a UTC day, and the day's result without deposits and withdrawals. */
export interface StatisticDay {
  readonly dayMs: number;
  readonly nav: bigint;
  readonly pnlUnits: bigint;
}

export interface ClosedTrade {
  readonly openedMs: number;
  readonly closedMs: number;
  readonly market: number;
  /** Net of fees and funding. */
  readonly pnlUnits: bigint;
}

export interface LeaderRecord {
  /** Oldest first, one for each day. */
  readonly days: readonly StatisticDay[];
  /** The index and today's result so far. */
  readonly nowMs: number;
  readonly nav: bigint;
  readonly todayUnits: bigint;
  readonly trades: readonly ClosedTrade[];
}

export interface WindowStatistics {
  readonly days: StatisticWindow;
  /** Time-weighted return and the deepest fall of the index from its height, in parts of a million. */
  readonly roi: bigint;
  readonly drawdown: bigint;
  readonly pnlUnits: bigint;
  readonly trades: number;
  readonly wins: number;
  readonly winRate: bigint;
  /** Gains over losses in hundredths; undefined without a loss. */
  readonly profitFactor: bigint | undefined;
  /**
   * Mean over deviation of daily returns × √365, in hundredths; undefined with fewer than two days or none that differ.
   */
  readonly sharpe: number | undefined;
  /** How long the middle one of its trades was held; 0 without any. */
  readonly holdingMs: number;
}

/** Every return is relative to the index where the window starts, or to its first value. */
export function windowStatistics(record: LeaderRecord, days: StatisticWindow): WindowStatistics {
  const fromMs = record.nowMs - days * DAY_MS;
  const path = indexPath(record, fromMs);
  const first = path[0] ?? INDEX_ONE;
  const inside = record.days.filter(({ dayMs }) => dayMs >= fromMs);
  const trades = record.trades.filter(({ closedMs }) => closedMs >= fromMs);
  const wins = trades.filter(({ pnlUnits }) => pnlUnits > 0n).length;
  return {
    days,
    roi: first === 0n ? 0n : (record.nav * MILLION) / first - MILLION,
    drawdown: maxDrawdown(path),
    pnlUnits: inside.reduce((sum, { pnlUnits }) => sum + pnlUnits, record.todayUnits),
    trades: trades.length,
    wins,
    winRate: trades.length === 0 ? 0n : (BigInt(wins) * MILLION) / BigInt(trades.length),
    profitFactor: profitFactor(trades),
    sharpe: sharpeRatio(path),
    holdingMs: medianOf(trades.map(({ openedMs, closedMs }) => closedMs - openedMs)) ?? 0,
  };
}

/** The index where the window starts and at the end of every day in it, up to now. */
export function indexPath({ days, nav }: Pick<LeaderRecord, "days" | "nav">, fromMs: number): bigint[] {
  const inside = days.filter(({ dayMs }) => dayMs >= fromMs);
  const before = days.findLast(({ dayMs }) => dayMs < fromMs);
  return [before?.nav ?? INDEX_ONE, ...inside.map((day) => day.nav), nav];
}

/** The deepest fall from a height reached before, in parts of a million. */
export function maxDrawdown(path: readonly bigint[]): bigint {
  let height = 0n;
  let deepest = 0n;
  for (const nav of path) {
    if (nav > height) height = nav;
    const fall = height === 0n ? 0n : ((height - nav) * MILLION) / height;
    if (fall > deepest) deepest = fall;
  }
  return deepest;
}

/** Gains over losses, in hundredths. */
export function profitFactor(trades: readonly Pick<ClosedTrade, "pnlUnits">[]): bigint | undefined {
  let gains = 0n;
  let losses = 0n;
  for (const { pnlUnits } of trades) {
    if (pnlUnits > 0n) gains += pnlUnits;
    else losses -= pnlUnits;
  }
  return losses === 0n ? undefined : (gains * 100n) / losses;
}

/** In hundredths. From returns of whole days: the current day is a day of its own. */
export function sharpeRatio(path: readonly bigint[]): number | undefined {
  const returns: number[] = [];
  for (let index = 1; index < path.length; index++) {
    const [before, now] = [path[index - 1] as bigint, path[index] as bigint];
    if (before > 0n) returns.push(Number((now * INDEX_ONE) / before - INDEX_ONE) / Number(INDEX_ONE));
  }
  if (returns.length < 2) return undefined;
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1);
  if (variance === 0) return undefined;
  return Math.round((mean / Math.sqrt(variance)) * Math.sqrt(DAYS_A_YEAR) * 100);
}

export interface CopyQuality {
  readonly copies: number;
  readonly skips: number;
  /** In parts of a million of copies wanted. */
  readonly skipRate: bigint;
  /** In 1/100 of a basis point, above zero worse than the leader's price; undefined before the first. */
  readonly medianSlippage: number | undefined;
  readonly highSlippage: number | undefined;
  /** The count per whole basis point; better prices than the leader's are in the first. */
  readonly histogram: readonly number[];
}

/** Basis points 0 to 10, and all that is worse. */
export const SLIPPAGE_BINS = 12;

/** The middle one, or the mean of the two; undefined without any. */
function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle];
  const low = sorted.length % 2 === 1 ? high : sorted[middle - 1];
  return high === undefined || low === undefined ? undefined : Math.round((low + high) / 2);
}

/** Slippages of copies that filled, in any order. */
export function copyQuality(slippages: readonly number[], copies: number, skips: number): CopyQuality {
  const sorted = [...slippages].sort((left, right) => left - right);
  const at = (part: number): number | undefined =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const histogram = Array.from({ length: SLIPPAGE_BINS }, () => 0);
  for (const one of slippages) {
    const bin = Math.max(0, Math.min(SLIPPAGE_BINS - 1, Math.floor(one / 100)));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  const wanted = copies + skips;
  return {
    copies,
    skips,
    skipRate: wanted === 0 ? 0n : (BigInt(skips) * MILLION) / BigInt(wanted),
    medianSlippage: medianOf(sorted),
    highSlippage: at(0.95),
    histogram,
  };
}

/** Continues an index: the current worth of the book against that at the last continuation. */
export function carryIndex(nav: bigint, baseUnits: bigint, equityUnits: bigint): bigint {
  if (baseUnits <= 0n) return nav;
  return (nav * (equityUnits > 0n ? equityUnits : 0n)) / baseUnits;
}
