import { expect, test } from "vitest";
import type { Renewal } from "#live/request.ts";
import { ManualClock } from "#live/test-clock.ts";
import { onUndecided } from "./undecided.ts";

function openPage(answers: Renewal[]) {
  const clock = new ManualClock();
  const said: unknown[] = [];
  const undecided = onUndecided({
    clock,
    refresh: async () => {
      said.push("asked");
      return answers.shift() ?? "undecided";
    },
    say: (isUndecided) => said.push(isUndecided),
    onRenewed: () => said.push("renewed"),
    onOver: () => said.push("over"),
  });
  const pass = async () => {
    clock.advance(5_000);
    await new Promise((done) => setTimeout(done));
  };
  return { undecided, said, pass };
}

test("[AUTH-4] a session nobody can decide about is asked for until it is answered, and the page says so meanwhile", async () => {
  const { undecided, said, pass } = openPage(["undecided", "undecided", "renewed"]);
  undecided();
  undecided();
  expect(said).toEqual([true]);
  await pass();
  await pass();
  expect(said).toEqual([true, "asked", "asked"]);
  await pass();
  expect(said).toEqual([true, "asked", "asked", "asked", false, "renewed"]);
  await pass();
  expect(said).toHaveLength(6);
});

test("[AUTH-4] only an answer that the session is over ends it", async () => {
  const { undecided, said, pass } = openPage(["over", "over"]);
  undecided();
  await pass();
  expect(said).toEqual([true, "asked", false, "over"]);
  undecided();
  await pass();
  expect(said.slice(4)).toEqual([true, "asked", false, "over"]);
});
