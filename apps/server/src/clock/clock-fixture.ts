// A clock for tests that control time: it returns the time they set, and its timers are checked when it is moved.
import type { Clock } from "@clockwork/host/clock";
import { HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { Timers } from "./timers.ts";

const NEAR_MS = 6 * MINUTE_MS;
/**
 * How far ahead a test's exchange runs: when started near the end of an hour, and so perhaps of a day or a month, it
 * runs in the next one, and none ends during the test. One value for the whole process, so that time never goes back
 * between two starts.
 */
export const AHEAD_MS = HOUR_MS - (Date.now() % HOUR_MS) < NEAR_MS ? NEAR_MS : 0;

export function clockOf(now: () => number): Clock {
  return clockWith(new Timers(now), now);
}

function clockWith(timers: Timers, now: () => number): Clock {
  return {
    now,
    at: (timeMs, run) => timers.at(timeMs, run),
    every: (everyMs, run) => timers.every(everyMs, run),
    onJump: () => () => undefined,
  };
}

/** Does not advance until it is moved. */
export function handClock(startMs: number): { readonly clock: Clock; moveTo(timeMs: number): void } {
  let nowMs = startMs;
  const now = (): number => nowMs;
  const timers = new Timers(now);
  return {
    clock: clockWith(timers, now),
    moveTo(timeMs) {
      nowMs = timeMs;
      timers.pollAgain();
    },
  };
}
