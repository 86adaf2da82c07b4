import { expect, test } from "vitest";
import { AttemptService } from "./service.ts";
import type { AttemptStore } from "./store.ts";

const RULE = { triesMax: 5, lockMs: 900_000 };

/** No lock and no storage. */
const STORE = {
  readLock: async () => 0,
  clear: async () => undefined,
  remove: async () => undefined,
} as unknown as AttemptStore;

test("[AUTH-5] tries of one account are judged one by one, and queued ones are counted over all accounts", async () => {
  const attempts = new AttemptService(STORE);
  const gates: (() => void)[] = [];
  const wait = (): Promise<boolean> => new Promise((done) => gates.push(() => done(true)));
  const judging = ["a", "a", "a", "b", "b"].map((key) => attempts.judge(key, RULE, 1, wait));
  await expect.poll(() => gates.length).toBe(2);
  expect(attempts.waiting).toBe(3);
  let opened = 0;
  while (opened < judging.length) {
    await expect.poll(() => gates.length).toBeGreaterThan(opened);
    gates[opened]?.();
    opened += 1;
  }
  expect(await Promise.all(judging)).toEqual(Array(5).fill({ isRight: true }));
  expect(attempts.waiting).toBe(0);
});
