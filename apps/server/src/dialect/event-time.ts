// The time of a message. The core's time and this thread's are read separately and may differ by a millisecond or two:
// no message is dated earlier than its event, because clients sort and measure by both.
export function eventTime(nowMs: number, committedMs: number): number {
  return Math.max(nowMs, committedMs);
}
