import { TOUCH } from "@clockwork/kit/constants";
import { expect, test } from "vitest";
import { createRollover } from "./rollover.ts";

function open() {
  let nowMs = 0;
  let due: { run: () => void; atMs: number } | undefined;
  const seen: string[] = [];
  const rollover = createRollover({
    everyMs: TOUCH.rolloverFrequencyMs,
    nowMs: () => nowMs,
    after: (run, delayMs) => {
      due = { run, atMs: nowMs + delayMs };
      return () => {
        due = undefined;
      };
    },
  });
  const advance = (toMs: number) => {
    nowMs = toMs;
    if (due === undefined || due.atMs > toMs) return;
    const { run } = due;
    due = undefined;
    run();
  };
  return { rollover, seen, advance, move: (name: string) => rollover.move(() => seen.push(name)) };
}

test("[SITE-16] a pointer passing over is answered every 100 ms, and where it rests", () => {
  const { seen, advance, move } = open();
  move("a");
  move("b");
  advance(60);
  move("c");
  expect(seen).toEqual(["a"]);
  advance(100);
  expect(seen).toEqual(["a", "c"]);
  advance(300);
  move("d");
  expect(seen).toEqual(["a", "c", "d"]);
});

test("[SITE-16] what the pointer has left is not reported after it", () => {
  const { rollover, seen, advance, move } = open();
  move("a");
  move("b");
  rollover.leave();
  advance(200);
  expect(seen).toEqual(["a"]);
});
