// Calendar and clock text for the offered time zones, durations, countdowns and candle alignment. Pure integer
// arithmetic on milliseconds since 1970 UTC: never reads a clock or the machine's zone.
import type { TimezoneName } from "./constants.ts";
import { timezoneOffsetMinutes } from "./timezone.ts";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
}

/** Days since 1970-01-01 of a date in the Gregorian calendar, counted in eras of 400 years that start in March. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The wall clock at an instant, `offsetMinutes` east of UTC. */
export function civilTime(timeMs: number, offsetMinutes = 0): CivilTime {
  const local = Math.floor(timeMs) + offsetMinutes * MINUTE_MS;
  const days = Math.floor(local / DAY_MS);
  const rest = local - days * DAY_MS;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    hour: Math.floor(rest / HOUR_MS),
    minute: Math.floor(rest / MINUTE_MS) % 60,
    second: Math.floor(rest / SECOND_MS) % 60,
    millisecond: rest % SECOND_MS,
    weekday: ((((days + 3) % 7) + 7) % 7) + 1,
  };
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}

/** 2026-03-09 */
export function formatDate(timeMs: number, zone: TimezoneName = "UTC0"): string {
  const civil = civilTime(timeMs, timezoneOffsetMinutes(zone));
  return `${pad(civil.year, 4)}-${pad(civil.month)}-${pad(civil.day)}`;
}

/** 07:05:09 */
export function formatClock(timeMs: number, zone: TimezoneName = "UTC0"): string {
  const civil = civilTime(timeMs, timezoneOffsetMinutes(zone));
  return `${pad(civil.hour)}:${pad(civil.minute)}:${pad(civil.second)}`;
}

/** 2026-03-09 07:05:09 */
export function formatDateTime(timeMs: number, zone: TimezoneName = "UTC0"): string {
  return `${formatDate(timeMs, zone)} ${formatClock(timeMs, zone)}`;
}

/** 03-09 07:05, for narrow tables. */
export function formatMinute(timeMs: number, zone: TimezoneName = "UTC0"): string {
  return formatDateTime(timeMs, zone).slice(5, 16);
}

/** 2026-03-09T07:05:09.001Z, for machines. */
export function formatInstant(timeMs: number): string {
  return `${formatDate(timeMs)}T${formatClock(timeMs)}.${pad(civilTime(timeMs).millisecond, 3)}Z`;
}

const DATE_TIME_PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * The instant that formatDateTime (or formatDate) would write as this text; undefined for a date that does not exist.
 */
export function parseDateTime(text: string, zone: TimezoneName = "UTC0"): number | undefined {
  const match = DATE_TIME_PATTERN.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const clockMs = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  const timeMs = daysFromCivil(year, month, day) * DAY_MS + clockMs - timezoneOffsetMinutes(zone) * MINUTE_MS;
  const civil = civilTime(timeMs, timezoneOffsetMinutes(zone));
  return civil.year === year && civil.month === month && civil.day === day ? timeMs : undefined;
}

/** "GMT+08:00" from minutes east of UTC. Browsers count minutes west (`getTimezoneOffset`): negate theirs first. */
export function gmtOffsetText(offsetMinutes: number): string {
  const magnitude = Math.abs(offsetMinutes);
  return `GMT${offsetMinutes < 0 ? "-" : "+"}${pad(Math.floor(magnitude / 60))}:${pad(magnitude % 60)}`;
}

export interface CountdownParts {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** The parts of a countdown. Rounds up to whole seconds so that it shows zero only when the time has come. */
export function countdownParts(leftMs: number): CountdownParts {
  const total = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3_600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}

/** "2d 03:04:05", or "03:04:05" within a day. */
export function formatCountdown(leftMs: number): string {
  const { days, hours, minutes, seconds } = countdownParts(leftMs);
  const clock = `${pad(hours)}:${pad(minutes)}:${pad(seconds)}`;
  return days > 0 ? `${days}d ${clock}` : clock;
}

/** The two largest parts of an elapsed time: "3d 4h", "4h 5m", "5m 6s", "6s"; below a second "0s". */
export function formatDuration(elapsedMs: number): string {
  const total = Math.max(0, Math.floor(elapsedMs / SECOND_MS));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(total / 86_400), "d"],
    [Math.floor(total / 3_600) % 24, "h"],
    [Math.floor(total / 60) % 60, "m"],
    [total % 60, "s"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return "0s";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(" ");
}

export const CANDLE_INTERVALS = [
  "1s",
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1h",
  "2h",
  "4h",
  "6h",
  "8h",
  "12h",
  "1d",
  "3d",
  "1w",
  "1M",
] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

const CANDLE_MS: Readonly<Record<Exclude<CandleInterval, "1M">, number>> = {
  "1s": SECOND_MS,
  "1m": MINUTE_MS,
  "3m": 3 * MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "1h": HOUR_MS,
  "2h": 2 * HOUR_MS,
  "4h": 4 * HOUR_MS,
  "6h": 6 * HOUR_MS,
  "8h": 8 * HOUR_MS,
  "12h": 12 * HOUR_MS,
  "1d": DAY_MS,
  "3d": 3 * DAY_MS,
  "1w": 7 * DAY_MS,
};

/** 1970-01-01 was a Thursday; weeks start on Monday, four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The start of the candle an instant falls in, on the wall clock of the zone. */
export function candleStart(timeMs: number, interval: CandleInterval, zone: TimezoneName = "UTC0"): number {
  const offsetMs = timezoneOffsetMinutes(zone) * MINUTE_MS;
  if (interval === "1M") {
    const civil = civilTime(timeMs, timezoneOffsetMinutes(zone));
    return daysFromCivil(civil.year, civil.month, 1) * DAY_MS - offsetMs;
  }
  const lengthMs = CANDLE_MS[interval];
  const anchorMs = interval === "1w" ? FIRST_MONDAY_MS : 0;
  return Math.floor((timeMs + offsetMs - anchorMs) / lengthMs) * lengthMs + anchorMs - offsetMs;
}

/** The start of the candle after the one an instant falls in. */
export function nextCandleStart(timeMs: number, interval: CandleInterval, zone: TimezoneName = "UTC0"): number {
  if (interval !== "1M") return candleStart(timeMs, interval, zone) + CANDLE_MS[interval];
  const civil = civilTime(timeMs, timezoneOffsetMinutes(zone));
  const month = civil.month === 12 ? 1 : civil.month + 1;
  const year = civil.month === 12 ? civil.year + 1 : civil.year;
  return daysFromCivil(year, month, 1) * DAY_MS - timezoneOffsetMinutes(zone) * MINUTE_MS;
}
