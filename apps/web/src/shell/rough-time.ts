// A duration, rounded.

/** Seconds or minutes, in as few letters as say it. */
export function roughTime(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
