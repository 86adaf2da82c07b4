// A clock for tests that hold the time themselves: it says what they say, and its timers look again when they are told.
import type { Clock } from "@clockwork/kit/clock";
import { Timers } from "./timers.ts";

export function clockOf(now: () => number): Clock {
  const timers = new Timers(now);
  return {
    now,
    at: (timeMs, run) => timers.at(timeMs, run),
    every: (everyMs, run) => timers.every(everyMs, run),
    onJump: () => () => undefined,
  };
}
