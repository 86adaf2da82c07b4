// Paced drawing: at once when it was quiet, then at most so often, and never without the last change.
import { expect, test } from "vitest";
import { createPacer } from "./frame-pacer.ts";

function makeTime() {
  let nowMs = 0;
  let waiting: (() => void) | undefined;
  return {
    now: () => nowMs,
    requestFrame: (run: () => void) => {
      waiting = run;
      return 1;
    },
    cancelFrame: () => {
      waiting = undefined;
    },
    /** A frame later. */
    frame: (ms = 16) => {
      nowMs += ms;
      const run = waiting;
      waiting = undefined;
      run?.();
    },
    isWaiting: () => waiting !== undefined,
  };
}

test("[SPOT-4] a burst is drawn every other frame, the last change included", () => {
  const time = makeTime();
  let value = 0;
  const drawn: number[] = [];
  const pacer = createPacer(() => drawn.push(value), 30, time);
  for (value = 1; value <= 6; value += 1) {
    pacer.ask();
    time.frame();
  }
  time.frame();
  time.frame();
  expect(drawn[0]).toBe(1);
  expect(drawn.length).toBeLessThanOrEqual(4);
  expect(drawn.at(-1)).toBe(6);
  expect(time.isWaiting()).toBe(false);
});

test("[SPOT-4] whoever stops is not drawn any more", () => {
  const time = makeTime();
  let drawn = 0;
  const pacer = createPacer(() => (drawn += 1), 30, time);
  pacer.ask();
  pacer.ask();
  pacer.stop();
  time.frame();
  time.frame();
  expect(drawn).toBe(1);
});
