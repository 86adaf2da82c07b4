import { expect, test } from "vitest";
import { ManualClock } from "#live/test-clock.ts";
import { onSignInRefused } from "./signed-connection.ts";

function open(ok: boolean) {
  const clock = new ManualClock();
  const [asked, reconnected]: [number[], number[]] = [[], []];
  const startMs = clock.now();
  const refuse = onSignInRefused(
    async () => {
      asked.push(clock.now() - startMs);
      return { ok };
    },
    () => reconnected.push(clock.now() - startMs),
    clock,
  );
  return { clock, asked, reconnected, refuse };
}

test("[AUTH-4] a refused sign-in asks at once, and a renewed session connects again", async () => {
  const { clock, asked, reconnected, refuse } = open(true);
  refuse();
  clock.advance(0);
  await Promise.resolve();
  expect(asked).toEqual([0]);
  await Promise.resolve();
  expect(reconnected).toEqual([0]);
});

test("[AUTH-4] a session that ended soon after it was renewed is asked for again, refusals in between once", async () => {
  const { clock, asked, reconnected, refuse } = open(false);
  refuse();
  clock.advance(1_000);
  refuse();
  refuse();
  clock.advance(3_999);
  expect(asked).toEqual([0]);
  clock.advance(1);
  expect(asked).toEqual([0, 5_000]);
  await Promise.resolve();
  expect(reconnected).toEqual([]);
});
