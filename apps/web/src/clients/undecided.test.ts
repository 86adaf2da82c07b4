import { expect, test } from "vitest";
import type { Renewal } from "#live/request.ts";
import { ManualClock } from "#live/test-clock.ts";
import { onUndecided } from "./undecided.ts";

function openPage(answers: Renewal[]) {
  const clock = new ManualClock();
  const reply: unknown[] = [];
  const undecided = onUndecided({
    clock,
    refresh: async () => {
      reply.push("asked");
      return answers.shift() ?? "undecided";
    },
    say: (isUndecided) => reply.push(isUndecided),
    onRenewed: () => reply.push("renewed"),
    onOver: () => reply.push("over"),
  });
  const pass = async () => {
    clock.advance(5_000);
    await new Promise((done) => setTimeout(done));
  };
  return { undecided, reply, pass };
}

test("[AUTH-4] an undecided session is checked until it is decided, and the page reports it until then", async () => {
  const { undecided, reply, pass } = openPage(["undecided", "undecided", "renewed"]);
  undecided();
  undecided();
  expect(reply).toEqual([true]);
  await pass();
  await pass();
  expect(reply).toEqual([true, "asked", "asked"]);
  await pass();
  expect(reply).toEqual([true, "asked", "asked", "asked", false, "renewed"]);
  await pass();
  expect(reply).toHaveLength(6);
});

test("[AUTH-4] only an answer that the session is over ends it", async () => {
  const { undecided, reply, pass } = openPage(["over", "over"]);
  undecided();
  await pass();
  expect(reply).toEqual([true, "asked", false, "over"]);
  undecided();
  await pass();
  expect(reply.slice(4)).toEqual([true, "asked", false, "over"]);
});
