// All that a leader's figures are made of, exact, as whoever reckons them himself reads it. Pure.
import type { LeaderRecord, WindowFigures } from "./api.ts";
import type { Reckoned } from "./record-service.ts";

export function describeRecord(
  { sequence, record }: Reckoned,
  scale: number,
  windows: readonly WindowFigures[],
): LeaderRecord {
  const { nav, nowMs, todayUnits, days, trades } = record;
  return {
    sequence,
    reckonedAtMs: nowMs,
    index: String(nav),
    todayUnits: String(todayUnits),
    scale,
    days: days.map((day) => ({ dayMs: day.dayMs, index: String(day.nav), pnlUnits: String(day.pnlUnits) })),
    trades: trades.map(({ openedMs, closedMs, pnlUnits }) => ({
      openedAtMs: openedMs,
      closedAtMs: closedMs,
      pnlUnits: String(pnlUnits),
    })),
    windows: [...windows],
  };
}
