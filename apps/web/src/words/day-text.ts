// Days as text, without a formatter that would cost a slow processor time during hydration.
import { civilTime } from "@clockwork/kit/time";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** 15 November 2026, by UTC. */
export function formatDay(timeMs: number): string {
  const { year, month, day } = civilTime(timeMs);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** 15 Nov */
export function formatShortDay(timeMs: number): string {
  const { month, day } = civilTime(timeMs);
  return `${day} ${MONTHS[month - 1]?.slice(0, 3)}`;
}
