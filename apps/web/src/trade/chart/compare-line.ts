// Another pair's price over the candles: scaled so that both start together at the left edge of the view. Pure.

export interface ComparePoint {
  /** On the candles' own scale. */
  readonly value?: number;
  /** Since the left edge. */
  readonly percent?: number;
}

interface Bar {
  readonly timestamp: number;
  readonly close: number;
}

/** A time without a trade has no candle: the price is then what it was before. */
export function compareLine(
  bars: readonly Bar[],
  closes: ReadonlyMap<number, number>,
  from: number,
): readonly ComparePoint[] {
  let known: number | undefined;
  const carried = bars.map(({ timestamp }) => {
    known = closes.get(timestamp) ?? known;
    return known;
  });
  const start = carried.findIndex((close, index) => index >= from && close !== undefined && close > 0);
  const [first, bar] = [carried[start], bars[start]];
  if (first === undefined || bar === undefined) return bars.map(() => ({}));
  return carried.map((close) =>
    close === undefined ? {} : { value: (close / first) * bar.close, percent: (close / first - 1) * 100 },
  );
}
