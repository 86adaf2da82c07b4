// A leader's figures recomputed from the published record, and which of those shown differ. Pure.

import { STATISTIC_WINDOWS, windowStatistics } from "@clockwork/kit/copy-statistics";
import { decimalText } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import type { LeaderRecord, WindowFigures } from "@clockwork/strategies/copy/contract";

export interface Verified {
  readonly count: number;
  /** As `roi 30`: figure and window. */
  readonly differing: readonly string[];
}

export function verifyRecord(record: LeaderRecord): Verified {
  const read = {
    nowMs: record.reckonedAtMs,
    nav: BigInt(record.index),
    todayUnits: BigInt(record.todayUnits),
    days: record.days.map(({ dayMs, index, pnlUnits }) => ({ dayMs, nav: BigInt(index), pnlUnits: BigInt(pnlUnits) })),
    trades: record.trades.map(({ openedAtMs, closedAtMs, pnlUnits }) => ({
      openedMs: openedAtMs,
      closedMs: closedAtMs,
      market: 0,
      pnlUnits: BigInt(pnlUnits),
    })),
  };
  const differing: string[] = [];
  let count = 0;
  for (const days of STATISTIC_WINDOWS) {
    const made = windowStatistics(read, days);
    const shown = record.windows.find((one) => one.days === days);
    const answer: Omit<WindowFigures, "days"> = {
      roi: decimalText(made.roi, 6),
      drawdown: decimalText(made.drawdown, 6),
      pnl: formatUnits(units(made.pnlUnits), record.scale),
      trades: made.trades,
      winRate: decimalText(made.winRate, 6),
      profitFactor: made.profitFactor === undefined ? null : decimalText(made.profitFactor, 2),
      sharpe: made.sharpe === undefined ? null : decimalText(BigInt(made.sharpe), 2),
      holdingMs: made.holdingMs,
    };
    for (const [name, value] of Object.entries(answer)) {
      count += 1;
      if (!isSame(shown?.[name as keyof WindowFigures], value)) differing.push(`${name} ${days}`);
    }
  }
  return { count, differing };
}

/** The same number, however many trailing zeros it has. */
function isSame(shown: string | number | null | undefined, made: string | number | null): boolean {
  if (shown === made) return true;
  if (typeof shown !== "string" || typeof made !== "string") return false;
  return plain(shown) === plain(made);
}

const plain = (text: string): string => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);
