// A draw on its own thread equals the draw, and blocks no other work.
import { shuffleTickets, ticketRoot } from "@clockwork/kit/earn/draw";
import { expect, test } from "vitest";
import { drawNeeds } from "./draw-thread.ts";

const SEED = "3c".repeat(32);
const ranges = Array.from({ length: 800 }, (_, index) => ({ holder: index.toString(16).padStart(32, "0"), count: 10 }));

test("[EARN-2] many tickets are drawn on a thread of their own, to the same root and the same order", async () => {
  expect(await drawNeeds.rootOf(ranges)).toBe(ticketRoot(ranges));
  expect(await drawNeeds.orderOf(SEED, 8_000)).toEqual(shuffleTickets(SEED, 8_000));
  // During the computation this thread keeps running.
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 0);
  await drawNeeds.orderOf(SEED, 50_000);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(0);
  await expect(drawNeeds.rootOf([{ holder: "nobody", count: 3_000 }])).rejects.toThrow(/32 digits/);
});
