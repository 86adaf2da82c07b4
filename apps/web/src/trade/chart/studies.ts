// Studies the chart library does not have: VWAP, Ichimoku, Supertrend and the volume profile, from bars to numbers. Pure;
// part of the chunk loaded with the chart.

export interface StudyBar {
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number | undefined;
}

const DAY_MS = 86_400_000;

/** The number of the period a bar is averaged within: its day, or its month where a bar is a day or more. */
function periodNumber(timeMs: number, isDaily: boolean): number {
  if (!isDaily) return Math.floor(timeMs / DAY_MS);
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The shortest distance between bars: gaps are longer. */
function spacingOf(bars: readonly StudyBar[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = Math.max(1, bars.length - 50); at < bars.length; at++)
    least = Math.min(least, (bars[at] as StudyBar).timestamp - (bars[at - 1] as StudyBar).timestamp);
  return least;
}

/** Periods take turns, so that no line is drawn from one to the next. */
export interface VwapPoint {
  even?: number;
  odd?: number;
}

/** The price weighted by volume since the beginning of the day, or of the month. `zoneMs` is the zone's offset from UTC. */
export function vwap(bars: readonly StudyBar[], zoneMs: number): VwapPoint[] {
  const isDaily = spacingOf(bars) >= DAY_MS;
  let [period, value, volume] = [Number.NaN, 0, 0];
  return bars.map((bar) => {
    const now = periodNumber(bar.timestamp + zoneMs, isDaily);
    if (now !== period) [period, value, volume] = [now, 0, 0];
    const traded = bar.volume ?? 0;
    value += ((bar.high + bar.low + bar.close) / 3) * traded;
    volume += traded;
    return volume > 0 ? { [now % 2 === 0 ? "even" : "odd"]: value / volume } : {};
  });
}

/** Half of the highest and the lowest of so many bars; undefined before there are as many. */
function middles(bars: readonly StudyBar[], count: number): (number | undefined)[] {
  return bars.map((_, at) => {
    if (at + 1 < count) return undefined;
    let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let back = at + 1 - count; back <= at; back++) {
      high = Math.max(high, (bars[back] as StudyBar).high);
      low = Math.min(low, (bars[back] as StudyBar).low);
    }
    return (high + low) / 2;
  });
}

export interface IchimokuPoint {
  conversion?: number;
  base?: number;
  /** The close so many bars later. */
  lagging?: number;
  spanA?: number;
  spanB?: number;
}

export interface Ichimoku {
  readonly points: IchimokuPoint[];
  /** The cloud after the last bar. */
  readonly ahead: readonly Pick<IchimokuPoint, "spanA" | "spanB">[];
}

const given = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: value });

/** Periods of conversion line, base line and second span; the cloud is moved by the base's period. */
export function ichimoku(bars: readonly StudyBar[], [fast, slow, long]: readonly [number, number, number]): Ichimoku {
  const conversion = middles(bars, fast);
  const base = middles(bars, slow);
  const wide = middles(bars, long);
  const spans = (at: number) => {
    const [c, b] = [conversion[at], base[at]];
    return {
      ...given("spanA", c === undefined || b === undefined ? undefined : (c + b) / 2),
      ...given("spanB", wide[at]),
    };
  };
  const points = bars.map((_, at) => ({
    ...given("conversion", conversion[at]),
    ...given("base", base[at]),
    ...given("lagging", bars[at + slow]?.close),
    ...(at >= slow ? spans(at - slow) : {}),
  }));
  const from = Math.max(0, bars.length - slow);
  return { points, ahead: bars.slice(from).map((_, after) => spans(from + after)) };
}

export interface SupertrendPoint {
  up?: number;
  down?: number;
}

/** So many times the average true range below a rising market, above a falling one. */
export function supertrend(bars: readonly StudyBar[], [period, times]: readonly [number, number]): SupertrendPoint[] {
  let [range, upper, lower] = [0, Number.NaN, Number.NaN];
  let isRising = true;
  return bars.map((bar, at) => {
    const before = bars[at - 1]?.close ?? bar.close;
    const reach = Math.max(bar.high, before) - Math.min(bar.low, before);
    // Wilder's average: the plain one until there are enough bars.
    range = at < period ? (range * at + reach) / (at + 1) : (range * (period - 1) + reach) / period;
    const middle = (bar.high + bar.low) / 2;
    const [top, bottom] = [middle + times * range, middle - times * range];
    const isFirst = Number.isNaN(upper);
    upper = isFirst || top < upper || before > upper ? top : upper;
    lower = isFirst || bottom > lower || before < lower ? bottom : lower;
    if (isRising && bar.close < lower) {
      isRising = false;
      upper = top;
    } else if (!isRising && bar.close > upper) {
      isRising = true;
      lower = bottom;
    }
    if (at + 1 < period) return {};
    return isRising ? { up: lower } : { down: upper };
  });
}

export interface ProfileRow {
  readonly low: number;
  readonly high: number;
  /** Volume of bars that closed higher, and of the others. */
  readonly up: number;
  readonly down: number;
}

/** How much was traded at which price: each bar's volume is spread evenly over its range. */
export function volumeProfile(bars: readonly StudyBar[], count: number): ProfileRow[] {
  const low = Math.min(...bars.map((bar) => bar.low));
  const high = Math.max(...bars.map((bar) => bar.high));
  if (!(high > low) || count < 1) return [];
  const step = (high - low) / count;
  const rows = Array.from({ length: count }, (_, at) => ({
    low: low + at * step,
    high: low + (at + 1) * step,
    up: 0,
    down: 0,
  }));
  const rowAt = (price: number) => Math.min(count - 1, Math.floor((price - low) / step));
  for (const bar of bars) {
    const volume = bar.volume ?? 0;
    const side = bar.close >= bar.open ? "up" : "down";
    const [from, to] = [rowAt(bar.low), rowAt(bar.high)];
    const span = bar.high - bar.low;
    for (let at = from; at <= to; at++) {
      const row = rows[at] as (typeof rows)[number];
      const shared = Math.min(bar.high, row.high) - Math.max(bar.low, row.low);
      row[side] += span === 0 ? volume : (volume * Math.max(0, shared)) / span;
    }
  }
  return rows;
}
