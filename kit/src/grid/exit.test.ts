import { describe, expect, it } from "vitest";
import { canExit } from "./exit.ts";
import { type GridTerms, nextChecks } from "./rule.ts";
import { SimulatedGrid } from "./simulate.ts";

const market = { tickLotUnits: 1, makerRate: 100_000, takerRate: 100_000 };
const lines = [800, 840, 880, 920, 960, 1_000].map((line) => line * 10);
const run = (own: Partial<GridTerms>, at = 9_000): SimulatedGrid => {
  const terms: GridTerms = { kind: "spot", spacing: "arithmetic", lots: 10, exitBps: 1_000, ...own };
  const grid = new SimulatedGrid(terms, lines, market, 1_000_000);
  grid.trade(at, 0);
  return grid;
};

describe("a trailing exit", () => {
  it("[GRID-1] ends the grid when the price has come back this far from its best, and not before", () => {
    const grid = run({});
    for (const [at, ticks] of [9_400, 9_000, 9_900, 8_911].entries()) grid.trade(ticks, at);
    expect(grid.state.status).toBe("RUNNING");
    grid.trade(8_910, 5);
    expect(grid.state).toMatchObject({ status: "CLOSED", reason: "TRAILING_EXIT", bestTicks: 9_900 });
    expect(grid.lots).toBe(0);
  });

  it("[GRID-1] without it the same prices end nothing, and coins are kept on request", () => {
    const terms: GridTerms = { kind: "spot", spacing: "arithmetic", lots: 10 };
    const grid = new SimulatedGrid(terms, lines, market, 1_000_000);
    for (const [at, ticks] of [9_000, 9_900, 8_000].entries()) grid.trade(ticks, at);
    expect(grid.state.status).toBe("RUNNING");
    const keeps = run({ sellsAtEnd: false });
    keeps.trade(8_100, 1);
    expect(keeps.state.reason).toBe("TRAILING_EXIT");
    expect(keeps.lots).toBeGreaterThan(0);
  });

  it("[GRID-1] of a short counts from the lowest price, and a neutral grid has none", () => {
    const grid = run({ kind: "short" });
    for (const [at, ticks] of [8_500, 9_300].entries()) grid.trade(ticks, at);
    expect(grid.state.status).toBe("RUNNING");
    grid.trade(9_350, 3);
    expect(grid.state.reason).toBe("TRAILING_EXIT");
    expect((["spot", "infinity", "long", "short", "neutral"] as const).filter(canExit)).not.toContain("neutral");
  });

  it("[GRID-1] it is evaluated at the next better price and at its end, whichever comes first", () => {
    const grid = run({}, 9_500);
    // A tenth back is 950; a twentieth of it is one step.
    expect(nextChecks(grid.terms, grid.state, 9_500)).toEqual({ above: 9_547, below: 8_550 });
    grid.trade(9_546, 1);
    expect(grid.state.bestTicks).toBe(9_500);
    grid.trade(9_547, 2);
    expect(grid.state.bestTicks).toBe(9_547);
  });
});
