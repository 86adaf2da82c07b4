// Visits per day out of the totals by event and source. Pure.
import type { VisitTotals } from "@clockwork/site/ops/contract";

export interface VisitDay {
  readonly day: string;
  readonly count: number;
  /** Of these, on a phone. */
  readonly mobile: number;
}

/** Newest first, as the totals are. */
export function sumDays({ totals }: VisitTotals): readonly VisitDay[] {
  const days = new Map<string, VisitDay>();
  for (const { day, source, count } of totals) {
    const known = days.get(day) ?? { day, count: 0, mobile: 0 };
    days.set(day, { day, count: known.count + count, mobile: known.mobile + (source === "H5" ? count : 0) });
  }
  return [...days.values()];
}
