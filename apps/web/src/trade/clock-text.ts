// Times as the visitor's time zone option has them (SITE-19), the same on the server and in the browser.
import { TIMEZONE_OPTION, type TimezoneValue } from "@clockwork/kit/constants";
import { MINUTE_MS } from "@clockwork/kit/time";
import { readTimezone, timezoneLabel, timezoneOffsetMinutes } from "@clockwork/kit/timezone";

const HOUR_MINUTES = 60;
/** Places that keep an offset which is no whole hour. */
const PLACES: Readonly<Record<number, string>> = {
  [-570]: "Pacific/Marquesas",
  210: "Asia/Tehran",
  270: "Asia/Kabul",
  330: "Asia/Kolkata",
  345: "Asia/Kathmandu",
  390: "Asia/Yangon",
  525: "Australia/Eucla",
  570: "Australia/Darwin",
};

const minutesOf = (timezone: TimezoneValue): number => timezoneOffsetMinutes(readTimezone(timezone));

export function offsetOf(timezone: TimezoneValue): number {
  return minutesOf(timezone) * MINUTE_MS;
}

export function zoneName(timezone: TimezoneValue): string {
  return timezone === TIMEZONE_OPTION.UTC0 ? "UTC" : timezoneLabel(readTimezone(timezone));
}

/** The zone as browsers name it; there the sign of an offset is the other way round. */
export function zoneId(timezone: TimezoneValue): string {
  const minutes = minutesOf(timezone);
  if (minutes === 0) return "Etc/UTC";
  return PLACES[minutes] ?? `Etc/GMT${minutes > 0 ? "-" : "+"}${Math.abs(minutes) / HOUR_MINUTES}`;
}

/** Where the days of candles start: candles are made of hours, so an offset between hours keeps UTC's days. */
export function candleZone(timezone: TimezoneValue): TimezoneValue {
  return minutesOf(timezone) % HOUR_MINUTES === 0 ? timezone : TIMEZONE_OPTION.UTC0;
}

/** "14:32:07" */
export function clockText(timeMs: number, timezone: TimezoneValue): string {
  return new Date(timeMs + offsetOf(timezone)).toISOString().slice(11, 19);
}

/** "2026-03-18" */
export function dayText(timeMs: number, timezone: TimezoneValue): string {
  return new Date(timeMs + offsetOf(timezone)).toISOString().slice(0, 10);
}
