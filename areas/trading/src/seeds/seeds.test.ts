// When a seed is journalled: after something happened, never after only the last seed, never two at once.
import { expect, test } from "vitest";
import { SeedSource } from "./part.ts";

/** An engine that counts: every command takes the next sequence of the journal. */
function journal() {
  const seeds: string[] = [];
  const held: { sequence: number; state: "running" | "stopped"; gate: Promise<void> } = {
    sequence: 7,
    state: "running",
    gate: Promise.resolve(),
  };
  const engine = {
    health: () => ({ state: held.state, sequence: held.sequence }),
    submit: async (command: { kind: string; seed?: string }) => {
      await held.gate;
      seeds.push(command.seed ?? command.kind);
      held.sequence++;
      return { done: true, sequence: held.sequence };
    },
  };
  return { held, seeds, source: new SeedSource(engine as never) };
}

test("[CORE-9] seconds without commands journal no seed", async () => {
  const { held, seeds, source } = journal();
  for (let second = 0; second < 5; second++) await source.renew();
  expect(seeds).toHaveLength(1);
  held.sequence++;
  for (let second = 0; second < 5; second++) await source.renew();
  expect(seeds).toHaveLength(2);
  expect(new Set(seeds).size).toBe(2);
  for (const seed of seeds) expect(seed).toMatch(/^[0-9a-f]{64}$/);
});

test("[CORE-9] a second that comes while a seed is under way, and an engine that does not run, send none", async () => {
  const { held, seeds, source } = journal();
  let open = (): void => undefined;
  held.gate = new Promise((resolve) => {
    open = resolve;
  });
  const first = source.renew();
  await source.renew();
  open();
  await first;
  expect(seeds).toHaveLength(1);
  held.sequence++;
  held.state = "stopped";
  await source.renew();
  expect(seeds).toHaveLength(1);
});
