// The core beside a naive liquidation through whole sessions: every report, position, wallet, order and house book alike
// after every command, through cascades, tiers, takeovers, funding and deleveraging.
import { expect, test } from "vitest";
import { runSession } from "./session.ts";

const SEEDS = 24;
const COMMANDS = 700;

test("[FUT-2] the core and a naive liquidation agree through whole cascades, command for command", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++)
    for (const [what, count] of runSession(seed, COMMANDS)) seen.set(what, (seen.get(what) ?? 0) + count);
  for (const what of ["ordersCancelled", "pairNetted", "tierReduced", "takenOver", "deleveraged", "winner", "funding"])
    expect([what, (seen.get(what) ?? 0) >= 5]).toEqual([what, true]);
});
