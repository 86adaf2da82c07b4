import { expect, test } from "vitest";
import { Latest } from "./latest.ts";

function requestTwice() {
  const latest = new Latest();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answers = [latest.ask(() => first.promise), latest.ask(() => second.promise)] as const;
  return { latest, first, second, answers };
}

test("[NET-1] an older answer that comes after a newer one is ignored", async () => {
  const { first, second, answers } = requestTwice();
  second.resolve("new");
  expect(await answers[1]).toBe("new");
  first.resolve("old");
  expect(await answers[0]).toBeUndefined();
});

test("[NET-1] answers in order count each: a caller faster than its answers still sees results", async () => {
  const { first, second, answers } = requestTwice();
  first.resolve("old");
  expect(await answers[0]).toBe("old");
  second.resolve("new");
  expect(await answers[1]).toBe("new");
});

test("[NET-1] a local choice is newer than every answer in flight, and older than the next request", async () => {
  const { latest, first, second, answers } = requestTwice();
  latest.drop();
  first.resolve("old");
  second.resolve("old too");
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  expect(await latest.ask(async () => "asked anew")).toBe("asked anew");
});
