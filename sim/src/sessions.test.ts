// A small number of seeded sessions on every run; `npm run soak` has the full one. A failing seed says how to
// re-run it alone, and becomes a test of its own in failing-seeds.test.ts.
import { describe, expect, it } from "vitest";
import { runSession } from "./session.ts";

const SEEDS = Array.from({ length: 40 }, (_, i) => 1_000_001 + i);
const COMMANDS = 400;

describe("seeded sessions", () => {
  it.each(SEEDS)(
    "[SIM-1] seed %i: machine and reference tell the same events, invariants hold, replay agrees",
    (seed) => {
      const { failure, commands } = runSession({ seed, commands: COMMANDS });
      expect(failure, `npm run soak -- --seed ${seed} --commands ${failure?.at ?? COMMANDS}`).toBeUndefined();
      expect(commands).toBe(COMMANDS);
    },
  );

  it("[SIM-5] the same seed gives the same state, another seed another", () => {
    const hash = (seed: number): string => runSession({ seed, commands: 150 }).stateHash;
    expect(hash(7)).toBe(hash(7));
    expect(hash(7)).not.toBe(hash(8));
  });

  it("[SIM-7] sessions reach every kind of event", () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 12; seed++)
      for (const kind of runSession({ seed, commands: 500 }).seen.keys()) seen.add(kind);
    const expected = [
      ...["trade", "posting", "frozen", "depth", "orderAccepted", "orderEnded", "orderAmended", "rejected", "repeated"],
      ...["selfTradePrevented", "icebergRefilled", "conditionalAccepted", "conditionalTriggered", "trailingActivated"],
      ...["conditionalAmended", "trailingMoved"],
      ...["listCreated", "listLeg", "listEnded", "twapStarted", "twapSlice", "twapEnded", "deadManSet", "deadManFired"],
      ...["clientOrderId", "reference", "applied", "clock", "marketStatus", "feesChanged", "referencePrice"],
    ];
    expect(expected.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});
