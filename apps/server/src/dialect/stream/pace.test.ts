import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paced } from "./pace.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("[BOT-1] a rested stream tells at once, a busy one at its pace, and the last news is never left out", () => {
  const told: number[] = [];
  let news = 0;
  const pace = paced(100, () => void told.push(news));
  const hear = (afterMs: number): void => {
    vi.advanceTimersByTime(afterMs);
    news += 1;
    pace.touch();
  };
  hear(0);
  expect(told).toEqual([1]);
  for (let turn = 0; turn < 20; turn += 1) hear(50);
  // Every other one, with the news itself and not by a timer beside it.
  expect(told).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21]);
  hear(10);
  expect(told.at(-1)).toBe(21);
  vi.advanceTimersByTime(100);
  expect(told.at(-1)).toBe(22);
  hear(20);
  pace.stop();
  vi.advanceTimersByTime(1_000);
  expect(told.at(-1)).toBe(22);
});
