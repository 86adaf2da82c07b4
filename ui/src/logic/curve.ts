// Geometry of the small drawings: lines, areas, steps and rings. Numbers here are pixels to paint, never money.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pad?: number | undefined;
}

export interface Extent {
  readonly low: number;
  readonly high: number;
}

export function findExtent(values: readonly number[]): Extent {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? { low: 0, high: 0 } : { low, high };
}

/** Evenly spaced values into the frame; a flat series runs through the middle. */
export function placeSeries(values: readonly number[], frame: Frame, extent = findExtent(values)): readonly Point[] {
  const pad = frame.pad ?? 0;
  const height = frame.height - pad * 2;
  const span = extent.high - extent.low;
  const step = values.length > 1 ? frame.width / (values.length - 1) : 0;
  return values.map((value, index) => ({
    x: values.length > 1 ? index * step : frame.width / 2,
    y: pad + (span === 0 ? height / 2 : height - ((value - extent.low) / span) * height),
  }));
}

/** Two decimals are below what a screen can show, and keep server and browser markup identical. */
function fix(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function linePath(points: readonly Point[]): string {
  return points.map((point, index) => `${index === 0 ? "M" : "L"}${fix(point.x)} ${fix(point.y)}`).join("");
}

export function areaPath(points: readonly Point[], baseY: number): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return "";
  return `${linePath(points)}L${fix(last.x)} ${fix(baseY)}L${fix(first.x)} ${fix(baseY)}Z`;
}

/** A staircase: each value holds until the next x. */
export function stepPath(points: readonly Point[]): string {
  let path = "";
  points.forEach((point, index) => {
    path += index === 0 ? `M${fix(point.x)} ${fix(point.y)}` : `H${fix(point.x)}V${fix(point.y)}`;
  });
  return path;
}

export function nearestIndex(points: readonly Point[], x: number): number {
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  points.forEach((point, index) => {
    const away = Math.abs(point.x - x);
    if (away < distance) {
      distance = away;
      best = index;
    }
  });
  return best;
}

const TURN = Math.PI * 2;

function onCircle(radius: number, turn: number): string {
  return `${fix(radius * Math.sin(turn * TURN))} ${fix(-radius * Math.cos(turn * TURN))}`;
}

/** One slice of a ring around 0,0; turns run from 0 to 1, clockwise from the top. */
export function ringSlice(outer: number, inner: number, from: number, to: number): string {
  const end = to - from >= 1 ? from + 0.99999 : to;
  const large = end - from > 0.5 ? 1 : 0;
  return (
    `M${onCircle(outer, from)}A${outer} ${outer} 0 ${large} 1 ${onCircle(outer, end)}` +
    `L${onCircle(inner, end)}A${inner} ${inner} 0 ${large} 0 ${onCircle(inner, from)}Z`
  );
}

export interface Share {
  readonly from: number;
  readonly to: number;
  readonly part: number;
}

export function shareTurns(weights: readonly number[]): readonly Share[] {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  let from = 0;
  return weights.map((weight) => {
    const part = total === 0 ? 0 : Math.max(0, weight) / total;
    const share = { from, to: from + part, part };
    from += part;
    return share;
  });
}

/** Round values for axis lines: 1, 2, 2.5 or 5 times a power of ten, inside the extent. */
export function axisValues(extent: Extent, countMax: number): readonly number[] {
  const span = extent.high - extent.low;
  if (span <= 0 || countMax < 1) return [extent.low];
  const rough = span / countMax;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const values: number[] = [];
  for (let index = Math.ceil(extent.low / step); index * step <= extent.high; index++) {
    values.push(Number((index * step).toPrecision(12)));
  }
  return values;
}
