import { expect, test } from "vitest";
import { type Looking, Touched } from "./touched.ts";

function open(parts: Partial<Looking> = {}) {
  const touched = new Touched();
  const looks: [number, number][] = [];
  const looking: Looking = {
    settled: async () => undefined,
    now: () => 1,
    others: async () => [],
    look: async (userId, timeMs) => void looks.push([userId, timeMs]),
    ...parts,
  };
  return { touched, looks, checkAll: () => touched.checkAll(looking) };
}

test("[USR-5] actions during the wait for the tables are counted, and not lost", async () => {
  let nowMs = 1_000;
  const { touched, looks, checkAll } = open({
    now: () => nowMs,
    settled: async () => {
      // A second later another user's order is filled.
      nowMs = 2_000;
      touched.add(8);
    },
  });
  touched.add(7);
  expect(await checkAll()).toBe(2_000);
  expect(looks).toEqual([
    [7, 2_000],
    [8, 2_000],
  ]);
  await checkAll();
  expect(looks).toHaveLength(2);
});

test("[USR-5] a user touched during their own or another's check is checked again", async () => {
  const { touched, looks, checkAll } = open({
    look: async (userId, timeMs) => {
      looks.push([userId, timeMs]);
      if (looks.length === 1) touched.add(7);
    },
    others: async () => [9],
  });
  touched.add(7);
  await checkAll();
  await checkAll();
  expect(looks.map(([userId]) => userId)).toEqual([7, 9, 7, 9]);
});

test("[USR-5] a failure skips no user: it is checked the next time, those after it now", async () => {
  let isDown = true;
  const { touched, looks, checkAll } = open({
    look: async (userId, timeMs) => {
      if (isDown && userId === 8) throw new Error("the database is away");
      looks.push([userId, timeMs]);
    },
  });
  for (const userId of [7, 8, 9]) touched.add(userId);
  await expect(checkAll()).rejects.toThrow("away");
  expect(looks.map(([userId]) => userId)).toEqual([7, 9]);
  isDown = false;
  await checkAll();
  expect(looks.map(([userId]) => userId)).toEqual([7, 9, 8]);
});
