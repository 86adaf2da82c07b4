import { afterEach, expect, test } from "vitest";
import { type HashPool, openHashPool } from "./hash-pool.ts";

/** In tests that use every core, low-priority threads get no time. */
const SOON = { givesWay: false };

let pool: HashPool | undefined;
afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

test("[AUTH-5] a password is hashed with argon2id and checked; an unknown account is never right", async () => {
  pool = await openHashPool(SOON);
  const hash = await pool.hash("correct horse 1");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await pool.verify("correct horse 1", String(hash))).toBe(true);
  expect(await pool.verify("correct horse 2", String(hash))).toBe(false);
  expect(await pool.verify("correct horse 1", undefined)).toBe(false);
  expect(await pool.hash("correct horse 1")).not.toBe(hash);
});

// The threads run at the lowest priority, so that one hash may take long while other tests run.
test("[AUTH-5] low-priority threads hash as well", { timeout: 300_000 }, async () => {
  pool = await openHashPool({ threads: 1 });
  expect(await pool.verify("x", undefined)).toBe(false);
});

test("[AUTH-5] the queue is bounded: a caller beyond it is told when to retry", async () => {
  pool = await openHashPool({ ...SOON, threads: 1, waitingMax: 3 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => pool?.verify("x", undefined)));
  const served = answers.filter((answer) => answer === false);
  const refused = answers.filter((answer) => typeof answer === "object");
  expect([served.length, refused.length]).toEqual([4, 6]);
  expect(refused[0]).toEqual({ retryAfterSeconds: expect.any(Number) });
  expect(await pool.verify("x", undefined)).toBe(false);
});

test("[AUTH-5] those on their way count as waiting", async () => {
  pool = await openHashPool({ ...SOON, threads: 1, waitingMax: 3 });
  expect(pool.busy(2)).toBeUndefined();
  expect(pool.busy(3)).toEqual({ retryAfterSeconds: expect.any(Number) });
});

test("[AUTH-5] a long wait is refused before it starts", async () => {
  pool = await openHashPool({ ...SOON, threads: 1, waitMaxMs: 1 });
  expect(await pool.verify("x", undefined)).toEqual({ retryAfterSeconds: expect.any(Number) });
});

test("[AUTH-5] a damaged hash fails only that check", async () => {
  pool = await openHashPool({ ...SOON, threads: 1 });
  await expect(pool.verify("x", "no hash")).rejects.toThrow();
  expect(await pool.verify("x", undefined)).toBe(false);
});

test("[AUTH-5] idle threads end, and the next password starts one again", async () => {
  pool = await openHashPool({ ...SOON, threads: 2, restMs: 20 });
  const answers = await Promise.all(Array.from({ length: 4 }, () => pool?.verify("x", undefined)));
  expect(answers).toEqual([false, false, false, false]);
  await expect.poll(() => pool?.threads).toBe(0);
  expect(await pool.verify("x", undefined)).toBe(false);
});
