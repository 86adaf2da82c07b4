// How high the panes of studies below the candles may be: the candles keep at least half of the chart. Pure.

/** The candles' share at the least. */
const CANDLES_SHARE = 0.55;
const WANTED_PX = { volume: 72, other: 88 } as const;
/** Below this a study is unreadable. */
const LEAST_PX = 28;

export interface PaneChoice {
  readonly isVolume: boolean;
  /** Number of studies below the candles, including this one. */
  readonly count: number;
  readonly chartPx: number;
  readonly isNarrow: boolean;
}

export function paneHeight({ isVolume, count, chartPx, isNarrow }: PaneChoice): number {
  const alone = chartPx * (isNarrow ? 0.16 : 0.22);
  const together = (chartPx * (1 - CANDLES_SHARE)) / Math.max(1, count);
  const wanted = isVolume ? WANTED_PX.volume : WANTED_PX.other;
  return Math.round(Math.max(Math.min(LEAST_PX, together), Math.min(wanted, alone, together)));
}

/** The library's gap below the candles, as a share of their span. */
const BOTTOM_GAP = 0.1;
const TOP_GAP_MAX = 0.8;

/** The share of the candles' span to leave above them, so that this many pixels remain free. */
export function topGap(freePx: number, paneHeightPx: number): number {
  if (paneHeightPx <= freePx * 2) return TOP_GAP_MAX;
  return Math.min(TOP_GAP_MAX, (freePx * (1 + BOTTOM_GAP)) / (paneHeightPx - freePx));
}
