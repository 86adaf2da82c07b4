// What the form samples: a call at once, one a beat however much changes, none after it was released.
import { expect, test } from "vitest";
import { createStore } from "#live/store.ts";
import { sampleStores } from "./use-sampled-market.ts";

/** The test triggers frames and timers; a beat is a quarter of a second. */
function makeTime() {
  let nowMs = 0;
  let waiting: { readonly atMs: number; readonly run: () => void }[] = [];
  const later = (atMs: number, run: () => void) => waiting.push({ atMs, run });
  return {
    now: () => nowMs,
    draw: (run: () => void) => {
      later(nowMs, run);
      return () => {
        waiting = waiting.filter((other) => other.run !== run);
      };
    },
    after: (delayMs: number, run: () => void) => later(nowMs + delayMs, run),
    cancel: () => {
      waiting = [];
    },
    pass: (ms: number) => {
      nowMs += ms;
      // A timer requests a frame, which follows it.
      for (let turn = 0; turn < 2; turn += 1) {
        const due = waiting.filter(({ atMs }) => atMs <= nowMs);
        waiting = waiting.filter(({ atMs }) => atMs > nowMs);
        for (const { run } of due) run();
      }
    },
  };
}

test("[FUT-3] many changes of several stores are one call a beat, and it reads the last of each", () => {
  const time = makeTime();
  const [price, size] = [createStore(0), createStore(0)];
  const taken: string[] = [];
  sampleStores([price, size], () => taken.push(`${price.get()} ${size.get()}`), time);
  for (let count = 1; count <= 100; count += 1) {
    price.set(count);
    size.set(count * 2);
  }
  expect(taken).toEqual(["1 0"]);
  time.pass(250);
  expect(taken).toEqual(["1 0", "100 200"]);
  time.pass(1_000);
  expect(taken).toHaveLength(2);
});

test("[FUT-3] a listener that unsubscribed is not called any more, not for earlier changes either", () => {
  const time = makeTime();
  const price = createStore(0);
  const taken: number[] = [];
  const release = sampleStores([price], () => taken.push(price.get()), time);
  price.set(1);
  price.set(2);
  release();
  time.pass(500);
  price.set(3);
  time.pass(500);
  expect(taken).toEqual([1]);
});
