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

test("[USR-5] what somebody does while the tables come level is counted with him, and not forgotten", async () => {
  let nowMs = 1_000;
  const { touched, looks, checkAll } = open({
    now: () => nowMs,
    settled: async () => {
      // A second later somebody else's order is filled.
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

test("[USR-5] whoever is touched while he or others are looked at is looked at again", async () => {
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

test("[USR-5] a failure leaves out nobody: he is looked at the next time, those behind him now", async () => {
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
