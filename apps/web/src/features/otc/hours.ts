// A minute of the day as text, and back.

const DAY_MINUTES = 1_440;

export function clockText(minute: number): string {
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${part(Math.floor(minute / 60))}:${part(minute % 60)}`;
}

/** Undefined for what is no time of the day. */
export function readClock(written: string): number | undefined {
  const [, hours, minutes] = /^([0-9]{1,2}):([0-9]{2})$/.exec(written.trim()) ?? [];
  if (hours === undefined || Number(minutes) > 59) return undefined;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < DAY_MINUTES ? minute : undefined;
}
