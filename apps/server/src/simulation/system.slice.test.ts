// The whole system by seed: engine, journal on a failing disk, tables, sessions and sockets together.
import { afterAll, beforeAll, expect, test } from "vitest";
import { runSystem } from "./session.ts";
import { makeTemplate } from "./world.ts";

/** As many as every run walks; `npm run soak -- system` walks thousands. */
const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

let template: Awaited<ReturnType<typeof makeTemplate>>;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => template.remove());

test.each(SEEDS)("[OPS-4] seed %i of the whole system: what was confirmed is there, once", async (seed) => {
  const { faults, counts } = await runSystem(seed, template.folder);
  expect(faults, `seed ${seed}: ${JSON.stringify(counts)}`).toEqual([]);
  expect(counts.confirmed).toBeGreaterThan(0);
  expect(counts.answer).toBeGreaterThan(0);
});
