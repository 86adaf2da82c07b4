import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paced } from "./pace.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("[BOT-1] an idle stream publishes at once, a busy one at its interval, and never drops the last event", () => {
  const answer: number[] = [];
  let news = 0;
  const rate = paced(100, () => void answer.push(news));
  const listen = (afterMs: number): void => {
    vi.advanceTimersByTime(afterMs);
    news += 1;
    rate.touch();
  };
  listen(0);
  expect(answer).toEqual([1]);
  for (let turn = 0; turn < 20; turn += 1) listen(50);
  // Every other one, together with the event and not by a timer of its own.
  expect(answer).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21]);
  listen(10);
  expect(answer.at(-1)).toBe(21);
  vi.advanceTimersByTime(100);
  expect(answer.at(-1)).toBe(22);
  listen(20);
  rate.stop();
  vi.advanceTimersByTime(1_000);
  expect(answer.at(-1)).toBe(22);
});
