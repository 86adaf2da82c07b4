// The offered time zones: the meaning of a value, and offsets from UTC. Separate from the calendar and the full list,
// so that the first load of every page has only this.
import { TIMEZONE_OPTION, type TimezoneName, type TimezoneValue } from "./constants.ts";

const EIGHT_HOURS_MINUTES = 480;
/** Offsets that are no whole hour, kept all year somewhere. */
export const BETWEEN_MINUTES: readonly number[] = [-570, 210, 270, 330, 345, 390, 525, 570];
export const WEST_MINUTES = -720;
export const EAST_MINUTES = 840;

/** The zone of an offset; UTC for one that is not offered. */
export function nameOffset(minutes: number): TimezoneName {
  const isWhole = minutes % 60 === 0 && minutes >= WEST_MINUTES && minutes <= EAST_MINUTES;
  if (minutes === 0 || !(isWhole || BETWEEN_MINUTES.includes(minutes))) return "UTC0";
  return minutes === EIGHT_HOURS_MINUTES ? "UTC8" : `m${minutes}`;
}

export function readTimezone(value: string | undefined): TimezoneName {
  if (value === TIMEZONE_OPTION.UTC8 || value === "UTC8") return "UTC8";
  return value?.startsWith("m") ? nameOffset(Number(value.slice(1))) : "UTC0";
}

export function timezoneValue(zone: TimezoneName): TimezoneValue {
  return zone === "UTC0" || zone === "UTC8" ? TIMEZONE_OPTION[zone] : zone;
}

/** Minutes east of UTC. */
export function timezoneOffsetMinutes(zone: TimezoneName): number {
  if (zone === "UTC0") return 0;
  return zone === "UTC8" ? EIGHT_HOURS_MINUTES : Number(zone.slice(1));
}

/** UTC+0, UTC+5:30, UTC-3 */
export function timezoneLabel(zone: TimezoneName): string {
  const minutes = timezoneOffsetMinutes(zone);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${rest}`}`;
}
