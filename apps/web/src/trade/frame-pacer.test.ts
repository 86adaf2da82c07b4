// Paced drawing: at once when it was quiet, then at most so often, and never without the last change.
import { expect, test } from "vitest";
import { createPacer } from "./frame-pacer.ts";

function makeTime() {
  let nowMs = 0;
  let frames: (() => void)[] = [];
  let timers: { readonly atMs: number; readonly run: () => void }[] = [];
  return {
    now: () => nowMs,
    draw: (run: () => void) => {
      frames.push(run);
      return () => {
        frames = frames.filter((other) => other !== run);
      };
    },
    after: (delayMs: number, run: () => void) => timers.push({ atMs: nowMs + delayMs, run }),
    cancel: () => {
      timers = [];
    },
    /** A frame later: what was due before it, then what waited for it. */
    frame: (ms = 16) => {
      nowMs += ms;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const { run } of due) run();
      const waiting = frames;
      frames = [];
      for (const run of waiting) run();
    },
    isWaiting: () => frames.length + timers.length > 0,
  };
}

test("[SPOT-4] a burst is drawn once a beat, the last change included", () => {
  const time = makeTime();
  let value = 0;
  const drawn: number[] = [];
  const pacer = createPacer(() => drawn.push(value), { everyMs: 50 }, time);
  for (value = 1; value <= 12; value += 1) {
    pacer.ask();
    time.frame();
  }
  value = 13;
  pacer.ask();
  for (let frames = 0; frames < 5; frames += 1) time.frame();
  expect(drawn[0]).toBe(1);
  expect(drawn.length).toBeLessThanOrEqual(6);
  expect(drawn.at(-1)).toBe(13);
  expect(time.isWaiting()).toBe(false);
});

test("[SPOT-4] two paces of one length draw in the same frames, a moved one in others", () => {
  const time = makeTime();
  let frame = 0;
  const drawn: Record<string, number[]> = { book: [], header: [], chart: [] };
  const record = (name: string) => () => void drawn[name]?.push(frame);
  const book = createPacer(record("book"), { everyMs: 96 }, time);
  const header = createPacer(record("header"), { everyMs: 96 }, time);
  const chart = createPacer(record("chart"), { everyMs: 96, offsetMs: 48 }, time);
  for (frame = 1; frame <= 60; frame += 1) {
    book.ask();
    if (frame > 2) header.ask();
    chart.ask();
    time.frame();
  }
  const settled = (name: string) => drawn[name]?.filter((at) => at > 12);
  expect(settled("book")?.length).toBeGreaterThan(4);
  expect(settled("header")).toEqual(settled("book"));
  expect(settled("chart")?.filter((at) => settled("book")?.includes(at))).toEqual([]);
});

test("[SPOT-4] a painter that stops is not drawn any more", () => {
  const time = makeTime();
  let drawn = 0;
  const pacer = createPacer(() => (drawn += 1), { everyMs: 50 }, time);
  pacer.ask();
  pacer.ask();
  pacer.stop();
  for (let frames = 0; frames < 8; frames += 1) time.frame();
  expect(drawn).toBe(1);
});
