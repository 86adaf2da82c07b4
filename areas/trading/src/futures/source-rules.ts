// Which sources of an index are used, by the core's own rule: silent ones are left out, one far from the median has no
// weight, with two or more outliers only the median counts. Pure.
import type { SourceQuote } from "@clockwork/core/inspect/contracts";
import { isOffMedian, medianOf, SILENT_MS } from "@clockwork/core/perp/price/index";

interface JudgedSource {
  readonly source: number;
  readonly ticks: number;
  readonly offMedian: number;
  /** Its part in the index; 0 for all while only the median counts. */
  readonly weight: number;
  readonly ageMs: number;
  readonly state: "live" | "outlier" | "silent";
}

export function judgeSources(quotes: readonly SourceQuote[], nowMs: number): readonly JudgedSource[] {
  const live = quotes.filter(({ spokeMs }) => nowMs - spokeMs <= SILENT_MS);
  const median = live.length === 0 ? 0 : medianOf(live.map(({ ticks }) => ticks));
  const isOff = ({ ticks }: SourceQuote): boolean => isOffMedian(ticks, median);
  const outliers = live.filter(isOff);
  const counted = outliers.length > 1 ? [] : live.filter((quote) => !isOff(quote));
  const total = counted.reduce((sum, { weight }) => sum + weight, 0);
  return quotes.map((quote) => ({
    source: quote.source,
    ticks: quote.ticks,
    offMedian: median === 0 ? 0 : (quote.ticks - median) / median,
    weight: counted.includes(quote) ? quote.weight / total : 0,
    ageMs: Math.max(0, nowMs - quote.spokeMs),
    state: !live.includes(quote) ? "silent" : isOff(quote) ? "outlier" : "live",
  }));
}
