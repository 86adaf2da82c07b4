import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { RELEASES_PER_TURN, releaseSoon } from "./outlet.ts";

test("[NET-6] a word to very many leaves over several turns, in order, and others come in between", async () => {
  const released: number[] = [];
  const count = RELEASES_PER_TURN * 3 + 5;
  for (let reader = 0; reader < count; reader += 1) releaseSoon({ release: () => released.push(reader) });
  const seenBetween: number[] = [];
  while (released.length < count) {
    await turn();
    seenBetween.push(released.length);
  }
  expect(released).toEqual(Array.from({ length: count }, (_, reader) => reader));
  expect(seenBetween[0]).toBeGreaterThan(0);
  expect(seenBetween[0]).toBeLessThanOrEqual(RELEASES_PER_TURN * 2);
  expect(seenBetween.length).toBeGreaterThan(1);
});

test("[NET-6] a few leave before the turn is over, and those who come while others leave do too", async () => {
  const released: string[] = [];
  releaseSoon({
    release: () => {
      released.push("first");
      releaseSoon({ release: () => released.push("third") });
    },
  });
  releaseSoon({ release: () => released.push("second") });
  await new Promise<void>((done) => process.nextTick(done));
  expect(released.slice(0, 2)).toEqual(["first", "second"]);
  await turn();
  await turn();
  expect(released).toEqual(["first", "second", "third"]);
});
