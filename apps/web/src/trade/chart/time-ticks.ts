// The words of the chart's time axis at round times, with the date at midnight. Pure; part of the chunk loaded with the
// chart.

export interface TimeTick {
  readonly coord: number;
  readonly value: number | string;
  readonly text: string;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const STEPS_MS = [
  ...[1, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * HOUR),
  DAY,
  2 * DAY,
  7 * DAY,
] as const;
const STEPS_MONTHS = [1, 3, 6, 12, 24] as const;
const MONTH_MS = 30.4 * DAY;
/** Between two words. */
const APART_PX = 76;
const TICKS_MAX = 100;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
/** Weeks begin on Mondays; 1970 began on a Thursday. */
const MONDAY_MS = 4 * DAY;

function textOf(localMs: number, stepMs: number): string {
  const date = new Date(localMs);
  const month = MONTHS[date.getUTCMonth()];
  if (stepMs > 7 * DAY) return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : `${month}`;
  if (stepMs >= DAY || localMs % DAY === 0) return `${date.getUTCDate()} ${month}`;
  return date.toISOString().slice(11, stepMs < MINUTE ? 19 : 16);
}

/** Round local times from the first on. */
function listTimes(
  fromMs: number,
  toMs: number,
  leastMs: number,
): { readonly times: number[]; readonly stepMs: number } {
  const stepMs = STEPS_MS.find((step) => step >= leastMs);
  const times: number[] = [];
  if (stepMs !== undefined) {
    const shift = stepMs === 7 * DAY ? MONDAY_MS : 0;
    const first = Math.ceil((fromMs - shift) / stepMs) * stepMs + shift;
    for (let at = first; at <= toMs && times.length < TICKS_MAX; at += stepMs) times.push(at);
    return { times, stepMs };
  }
  const months = STEPS_MONTHS.find((count) => count * MONTH_MS >= leastMs) ?? 24;
  const first = new Date(fromMs);
  const number = first.getUTCFullYear() * 12 + first.getUTCMonth();
  for (let at = Math.ceil(number / months) * months; times.length < TICKS_MAX; at += months) {
    const timeMs = Date.UTC(Math.floor(at / 12), at % 12, 1);
    if (timeMs > toMs) break;
    if (timeMs >= fromMs) times.push(timeMs);
  }
  return { times, stepMs: months * MONTH_MS };
}

/** From the library's ticks, which say where times are, to round ones; `zoneMs` is the zone's offset from UTC. */
export function roundTicks(given: readonly TimeTick[], widthPx: number, zoneMs: number): TimeTick[] {
  const [first, second] = given;
  const last = given.at(-1);
  const known = given.map(({ coord, value }) => ({ coord, timeMs: Number(value) }));
  if (first === undefined || second === undefined || last === undefined) return [...given];
  const spanMs = Number(last.value) - Number(first.value);
  const spanPx = last.coord - first.coord;
  if (!(spanMs > 0 && spanPx > 0)) return [...given];
  const msPerPx = spanMs / spanPx;
  const fromMs = Number(first.value) - first.coord * msPerPx;
  const toMs = Number(last.value) + (widthPx - last.coord) * msPerPx;
  const place = (timeMs: number): number => {
    // Where candles are missing the axis is not even: the nearest tick before says where a time is.
    const near = known.findLast((one) => one.timeMs <= timeMs) ?? known[0];
    return near === undefined ? 0 : near.coord + (timeMs - near.timeMs) / msPerPx;
  };
  const { times, stepMs } = listTimes(fromMs + zoneMs, toMs + zoneMs, msPerPx * APART_PX);
  return times.map((localMs) => {
    const timeMs = localMs - zoneMs;
    return { coord: place(timeMs), value: timeMs, text: textOf(localMs, stepMs) };
  });
}
