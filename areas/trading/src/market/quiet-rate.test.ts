// The quiet rate of the simulated market.
import { expect, test } from "vitest";
import { openQuietRate, POSITIONS_MS } from "./quiet-rate.ts";

function open(speed = 1) {
  const world = { isVisited: false, positions: false as boolean | Error, nowMs: 0, reads: 0 };
  const isQuiet = openQuietRate({
    speed,
    isVisited: () => world.isVisited,
    nowMs: () => world.nowMs,
    async hasPositions() {
      world.reads += 1;
      if (world.positions instanceof Error) throw world.positions;
      return world.positions;
    },
  });
  return { world, isQuiet };
}

test("[OPS-2] a market is quiet while no visitor watches and no user has a position, at its own speed alone", async () => {
  const { world, isQuiet } = open();
  expect(await isQuiet()).toBe(true);
  world.isVisited = true;
  expect(await isQuiet()).toBe(false);
  world.isVisited = false;
  expect(await isQuiet()).toBe(true);
  world.positions = true;
  world.nowMs += POSITIONS_MS;
  expect(await isQuiet()).toBe(false);
  expect(await open(20).isQuiet()).toBe(false);
});

test("[OPS-2] the tables are read once a minute for the quiet rate, and an unavailable database changes nothing", async () => {
  const { world, isQuiet } = open();
  world.positions = new Error("no database");
  expect(await isQuiet()).toBe(false);
  world.nowMs += POSITIONS_MS - 1;
  world.positions = false;
  expect([await isQuiet(), world.reads]).toEqual([false, 1]);
  world.nowMs += 1;
  expect([await isQuiet(), await isQuiet(), world.reads]).toEqual([true, true, 2]);
  world.positions = new Error("no database");
  world.nowMs += POSITIONS_MS;
  expect([await isQuiet(), world.reads]).toEqual([true, 3]);
});
