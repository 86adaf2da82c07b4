import { expect, test } from "vitest";
import { createLoadingBar, estimatePercent, type LoadingBarState } from "./loading-bar-model.ts";

function setUp() {
  let nowMs = 0;
  const timers: { atMs: number; run: () => void }[] = [];
  const frames = new Set<() => void>();
  const painted: LoadingBarState[] = [];
  const bar = createLoadingBar({
    nowMs: () => nowMs,
    after: (run, delayMs) => {
      const timer = { atMs: nowMs + delayMs, run };
      timers.push(timer);
      return () => {
        const at = timers.indexOf(timer);
        if (at !== -1) timers.splice(at, 1);
      };
    },
    eachFrame: (run) => {
      frames.add(run);
      return () => frames.delete(run);
    },
    paint: (state) => painted.push(state),
  });
  const wait = (ms: number) => {
    const untilMs = nowMs + ms;
    for (;;) {
      const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      timers.splice(timers.indexOf(next), 1);
      nowMs = next.atMs;
      next.run();
    }
    nowMs = untilMs;
    for (const frame of frames) frame();
  };
  return { bar, wait, painted, last: () => painted.at(-1) };
}

test("[SITE-9] a navigation quicker than 200 ms shows no bar", () => {
  const { bar, wait, painted } = setUp();
  bar.start();
  wait(199);
  bar.finish();
  wait(5_000);
  expect(painted).toEqual([]);
});

test("[SITE-9] idle, progress, finishing, hidden after 500 ms, reset after 400 more", () => {
  const { bar, wait, last } = setUp();
  bar.start();
  wait(200);
  expect(last()).toMatchObject({ phase: "progress" });
  wait(1_000);
  const half = last()?.percent ?? 0;
  expect(half).toBeGreaterThan(40);
  expect(half).toBeLessThan(100);
  bar.finish();
  expect(last()).toEqual({ phase: "finishing", percent: 100, failed: false });
  wait(499);
  expect(last()).toMatchObject({ phase: "finishing" });
  wait(1);
  expect(last()).toEqual({ phase: "idle", percent: 100, failed: false });
  wait(400);
  expect(last()).toEqual({ phase: "idle", percent: 0, failed: false });
});

test("[SITE-9] an error shows in its colour, even when it came at once", () => {
  const { bar, wait, last } = setUp();
  bar.start();
  wait(50);
  bar.finish(true);
  expect(last()).toEqual({ phase: "finishing", percent: 100, failed: true });
});

test("[SITE-9] the estimate only grows and never arrives", () => {
  let before = -1;
  for (let ms = 0; ms < 60_000; ms += 100) {
    const now = estimatePercent(ms);
    expect(now).toBeGreaterThan(before);
    expect(now).toBeLessThan(100);
    before = now;
  }
});
