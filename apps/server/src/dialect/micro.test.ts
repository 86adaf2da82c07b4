// Times in microseconds.
import { expect, test } from "vitest";
import { inMicroseconds } from "./micro.ts";

const MS = 1_763_600_000_123;

test("[BOT-1] every time has three more digits, and nothing else changes", () => {
  const answer = {
    orderId: MS,
    time: MS,
    workingTime: -1,
    fills: [{ tradeId: 7, price: "1", T: MS, t: 5 }],
    k: { t: MS, T: MS, n: 3, q: "1" },
  };
  expect(inMicroseconds(answer)).toEqual({
    orderId: MS,
    time: MS * 1_000,
    workingTime: -1,
    fills: [{ tradeId: 7, price: "1", T: MS * 1_000, t: 5 }],
    k: { t: MS * 1_000, T: MS * 1_000, n: 3, q: "1" },
  });
});

test("[BOT-1] candles end with the last microsecond", () => {
  const candle = [MS, "1", "1", "1", "1", "1", MS + 59_999, "1", 4, "1", "1", "0"];
  const [first] = inMicroseconds([candle]) as unknown[][];
  expect(first).toEqual([MS * 1_000, ...candle.slice(1, 6), (MS + 59_999) * 1_000 + 999, ...candle.slice(7)]);
});
