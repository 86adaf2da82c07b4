// A part of a page that cannot be loaded: awaited while the site is unreachable, given up where the site answers
// without it.
import { expect, test } from "vitest";
import { patiently } from "./timeout.ts";

test("[SITE-12] [NET-7] a part is requested again once the unreachable site answers", async () => {
  const away = [false, false, false, true];
  let waits = 0;
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries === 1) throw new Error("no answer");
    return "part";
  };
  const wait = async () => {
    waits += 1;
  };
  expect(await patiently(load, { isThere: async () => away.shift() ?? true, wait })).toBe("part");
  expect([tries, waits]).toEqual([2, 2]);
});

test("[SITE-12] a part that a living site no longer has is a fault at once", async () => {
  const load = async () => {
    throw new Error("gone");
  };
  const wait = async () => expect.unreachable("it would wait for ever");
  await expect(patiently(load, { isThere: async () => true, wait })).rejects.toThrow("gone");
});
