// A clock for tests that hold the time themselves: it says what they say, and its timers look again when it is moved.
import type { Clock } from "@clockwork/kit/clock";
import { Timers } from "./timers.ts";

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

/** Stands still until it is moved. */
export function handClock(startMs: number): { readonly clock: Clock; moveTo(timeMs: number): void } {
  let nowMs = startMs;
  const now = (): number => nowMs;
  const timers = new Timers(now);
  return {
    clock: clockWith(timers, now),
    moveTo(timeMs) {
      nowMs = timeMs;
      timers.lookAgain();
    },
  };
}
