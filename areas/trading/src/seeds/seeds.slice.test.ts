// Seeds of a running exchange: set after an event, published once they are replaced and not before.
import { expect, test } from "vitest";
import { startTradingServer } from "../spot/spot-fixture.ts";

type Seed = { number: number; sinceSequence: number; untilSequence: number; seed: string };

test("[CORE-9] a seed follows an event, is public once it was replaced, and hidden while in force", async () => {
  const server = await startTradingServer({ CW_SEED_SECONDS: "1" });
  try {
    const read = async (query = "") => {
      const response = await fetch(`${server.url}/api/v1/system/seeds${query}`);
      return { status: response.status, ...((await response.json()) as { code: unknown; data: Seed }) };
    };
    // The engine may need a second for the command before: coins are listed, a second each, until a seed that was in
    // force at one of them is published.
    const listed: number[] = [];
    const out: Seed[] = [];
    await expect
      .poll(async () => {
        const ack = await server.engine.submit({ kind: "listAsset", scale: 8, symbol: `SEED${listed.length}` });
        if (ack.done) listed.push(ack.sequence);
        server.wait(1_000);
        for (const sequence of listed) {
          const { status, data } = await read(`?sequence=${sequence}`);
          if (status === 200) out.push(data);
        }
        return out.length;
      })
      .toBeGreaterThan(0);
    for (const { seed, sinceSequence, untilSequence } of out) {
      expect(seed).toMatch(/^[0-9a-f]{64}$/);
      expect(listed.some((one) => one > sinceSequence && one < untilSequence)).toBe(true);
    }
    const newest = (await read()).data;
    // The range of the seed in force and later ranges are not shown.
    const health = server.engine.health().sequence;
    expect(health).toBeGreaterThanOrEqual(newest.untilSequence);
    expect(await read(`?sequence=${Number.MAX_SAFE_INTEGER}`)).toMatchObject({ status: 404, code: "SEED_NOT_PUBLIC" });
  } finally {
    await server.close();
  }
});
