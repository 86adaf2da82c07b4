import { expect, test } from "vitest";
import { type Answer, readAnswer } from "#live/answer.ts";
import { ManualClock } from "#live/test-clock.ts";
import { onSignInRefused } from "./signed-connection.ts";

const OVER = readAnswer("/", 401, '{"code":"UNAUTHENTICATED"}');
const TROUBLE = readAnswer("/", 503, '{"code":"UNAVAILABLE"}');
const FINE = readAnswer("/", 200, '{"code":200,"data":{}}');

function open(...answers: Answer<unknown>[]) {
  const clock = new ManualClock();
  const [requested, reconnected]: [number[], number[]] = [[], []];
  const startMs = clock.now();
  const refuse = onSignInRefused(
    async () => {
      requested.push(clock.now() - startMs);
      return answers.shift() ?? OVER;
    },
    () => reconnected.push(clock.now() - startMs),
    clock,
  );
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise((done) => setImmediate(done));
  };
  return { requested, reconnected, refuse, pass };
}

test("[AUTH-4] a refused sign-in sends a call at once, and a renewed session connects again", async () => {
  const { requested, reconnected, refuse, pass } = open(FINE);
  refuse();
  await pass(0);
  expect({ requested, reconnected }).toEqual({ requested: [0], reconnected: [0] });
});

test("[AUTH-4] a session that ended soon after its renewal is checked again, refusals in between once", async () => {
  const { requested, reconnected, refuse, pass } = open(FINE, OVER);
  refuse();
  await pass(1_000);
  refuse();
  refuse();
  await pass(3_999);
  expect(requested).toEqual([0]);
  await pass(1);
  await pass(60_000);
  expect(requested).toEqual([0, 5_000]);
  expect(reconnected).toHaveLength(1);
});

test("[AUTH-4] an undecided exchange is called until it decides", async () => {
  const { requested, reconnected, refuse, pass } = open(TROUBLE, TROUBLE, FINE);
  refuse();
  for (let step = 0; step < 6; step += 1) await pass(5_000);
  expect(requested).toEqual([0, 5_000, 10_000]);
  expect(reconnected).toHaveLength(1);
});
