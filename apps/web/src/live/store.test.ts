import { expect, test } from "vitest";
import { createFrameLoop } from "./frame-loop.ts";
import { createStore } from "./store.ts";

function manualFrames() {
  const waiting: (() => void)[] = [];
  return {
    publish: createFrameLoop({
      requestFrame: (run) => waiting.push(run),
      cancelFrame: () => undefined,
      after: () => 0,
      cancel: () => undefined,
    }).publish,
    paint: () => {
      for (const run of waiting.splice(0)) run();
    },
    waiting,
  };
}

test("[NET-6] listeners are called at most once a frame, with the newest value", () => {
  const frames = manualFrames();
  const store = createStore(0, frames.publish);
  const seen: number[] = [];
  store.subscribe(() => seen.push(store.get()));
  for (let value = 1; value <= 1_000; value += 1) store.set(value);
  expect(store.get()).toBe(1_000);
  expect(seen).toEqual([]);
  frames.paint();
  frames.paint();
  expect(seen).toEqual([1_000]);
});

test("[NET-6] many stores share one frame, and what a listener changes is published in the next", () => {
  const frames = manualFrames();
  const schedule = frames.publish;
  const first = createStore(0, schedule);
  const second = createStore(0, schedule);
  const seen: string[] = [];
  first.subscribe(() => {
    seen.push(`first ${first.get()}`);
    if (first.get() === 1) first.set(2);
  });
  second.subscribe(() => seen.push(`second ${second.get()}`));
  first.set(1);
  second.set(1);
  expect(frames.waiting).toHaveLength(1);
  frames.paint();
  expect(seen).toEqual(["first 1", "second 1"]);
  frames.paint();
  expect(seen).toEqual(["first 1", "second 1", "first 2"]);
});

test("[NET-6] a value that changed back before the frame is not published", () => {
  const frames = manualFrames();
  const store = createStore("a", frames.publish);
  let answer = 0;
  store.subscribe(() => {
    answer += 1;
  });
  store.set("b");
  store.set("a");
  frames.paint();
  expect(answer).toBe(0);
});

test("[NET-6] a removed listener is not called any more, others are", () => {
  const store = createStore(0);
  const received: string[] = [];
  const listener = () => received.push("x");
  const first = store.subscribe(listener);
  store.subscribe(listener);
  store.set(1);
  expect(received).toHaveLength(2);
  first();
  first();
  store.set(2);
  expect(received).toHaveLength(3);
  store.set(2);
  expect(received).toHaveLength(3);
});
