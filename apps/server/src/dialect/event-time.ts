// When something is told. The core's time and this thread's are read apart and may differ by a millisecond or two: nothing
// is told to be earlier than what it tells of, because clients sort and measure by both.
export function eventTime(nowMs: number, committedMs: number): number {
  return Math.max(nowMs, committedMs);
}
