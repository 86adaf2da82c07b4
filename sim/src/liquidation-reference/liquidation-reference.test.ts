// The core beside a naive liquidation through whole sessions: every report, position, wallet, order and house book alike
// after every command, through cascades, tiers, takeovers, funding and deleveraging.
import { expect, test } from "vitest";
import { runSession } from "./session.ts";

const SEEDS = 8;
const COMMANDS = 700;

test.each([1, 9, 17])(
  "[FUT-2] the core and a naive liquidation agree through whole cascades, command for command: seeds from %i on",
  (first) => {
    const seen = new Map<string, number>();
    for (let seed = first; seed < first + SEEDS; seed++)
      for (const [what, count] of runSession(seed, COMMANDS)) seen.set(what, (seen.get(what) ?? 0) + count);
    const wanted = ["ordersCancelled", "pairNetted", "tierReduced", "takenOver", "deleveraged", "winner", "funding"];
    expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
  },
);
