// Times as the visitor's time zone option has them (SITE-19): UTC or UTC+8, the same on the server and in the browser.
import { TIMEZONE_OPTION, type TimezoneValue } from "@clockwork/kit/constants";

const EIGHT_HOURS_MS = 28_800_000;

export function offsetOf(timezone: TimezoneValue): number {
  return timezone === TIMEZONE_OPTION.UTC8 ? EIGHT_HOURS_MS : 0;
}

export function zoneName(timezone: TimezoneValue): string {
  return timezone === TIMEZONE_OPTION.UTC8 ? "UTC+8" : "UTC";
}

/** The zone as browsers name it. */
export function zoneId(timezone: TimezoneValue): string {
  return timezone === TIMEZONE_OPTION.UTC8 ? "Etc/GMT-8" : "Etc/UTC";
}

/** "14:32:07" */
export function clockText(timeMs: number, timezone: TimezoneValue): string {
  return new Date(timeMs + offsetOf(timezone)).toISOString().slice(11, 19);
}

/** "2026-03-18" */
export function dayText(timeMs: number, timezone: TimezoneValue): string {
  return new Date(timeMs + offsetOf(timezone)).toISOString().slice(0, 10);
}
