import { describe, expect, it } from "vitest";
import { latticeLine, latticeLines, lotsAt } from "./infinity.ts";
import { gridLines } from "./lines.ts";
import { type GridInvestment, planGrid } from "./plan.ts";
import { SimulatedGrid } from "./simulate.ts";

const FEE = 100_000;
const lattice = { lowTicks: 500_000, highTicks: 1_000_000, cells: 20 };
const invest: GridInvestment = {
  kind: "infinity",
  range: { ...lattice, spacing: "geometric" },
  priceTicks: 1_000_000,
  feeRate: FEE,
  tickLotUnits: 1,
  minLots: 1,
  minNotionalUnits: 5_000_000,
  quoteUnits: 10_000_000_000n,
};

function planned(own: Partial<GridInvestment> = {}) {
  const plan = planGrid({ ...invest, ...own });
  if (!plan.done) throw new Error(plan.code);
  return plan.value;
}

function run() {
  const plan = planned();
  const terms = { kind: "infinity", spacing: "geometric", lots: plan.lots, lattice } as const;
  const grid = new SimulatedGrid(
    terms,
    plan.lines,
    { tickLotUnits: 1, makerRate: FEE, takerRate: FEE },
    10_000_000_000,
  );
  grid.trade(1_000_000, 0);
  return { plan, grid };
}

describe("an infinity grid", () => {
  it("[GRID-1] has the lines of a geometric grid below the price and the same factor above it, without end", () => {
    expect(latticeLines(lattice, 0, 20)).toEqual(gridLines({ ...lattice, spacing: "geometric" }));
    expect(latticeLine(lattice, 40)).toBe(2_000_000);
    expect(latticeLine(lattice, 100)).toBe(16_000_000);
    expect(latticeLine(lattice, 30)).toBe(Math.round(1_000_000 * Math.sqrt(2)));
  });

  it("[GRID-1] spends its investment less one part in a hundred, every order about as much as the others", () => {
    const { lines, lots, startLots, gap } = planned();
    expect([lines.length, gap]).toEqual([41, 20]);
    const buys = lines
      .slice(0, gap)
      .reduce((sum, line, i) => sum + lotsAt({ kind: "infinity", lots }, lines[i + 1] ?? 0) * line, 0);
    const spent = (buys + startLots * 1_000_000) * 1.001;
    expect(spent).toBeGreaterThan(9_850_000_000);
    expect(spent).toBeLessThanOrEqual(9_900_000_000);
    const values = lines.slice(1).map((line) => lotsAt({ kind: "infinity", lots }, line) * line);
    for (const value of values) expect(lots - value).toBeLessThan(2_000_000);
  });

  it("[GRID-1] sells on the way up without end and always holds coins of the same worth; down again it buys them back", () => {
    const { grid } = run();
    const worth = grid.lots * 1_000_000;
    for (const ticks of [1_500_000, 2_100_000, 3_000_000, 4_500_000, 7_000_000, 10_000_000]) {
      grid.trade(ticks, 1);
      expect(grid.state.status).toBe("RUNNING");
      expect(Math.abs(grid.lots * ticks - worth) / worth).toBeLessThan(0.06);
      expect(grid.resting().filter(({ side }) => side === "sell").length).toBeGreaterThan(0);
    }
    for (const ticks of [7_000_000, 4_000_000, 2_200_000, 1_300_000, 1_000_000]) {
      grid.trade(ticks, 2);
      expect(Math.abs(grid.lots * ticks - worth) / worth).toBeLessThan(0.06);
    }
    expect(grid.state.latticeIndex).toBeLessThanOrEqual(20);
    grid.trade(450_000, 3);
    expect([grid.state.status, grid.state.lines.at(0)]).toEqual(["OUT_OF_RANGE", 500_000]);
    grid.trade(600_000, 4);
    expect(grid.state.status).toBe("RUNNING");
    expect(grid.quoteUnits).toBeGreaterThanOrEqual(0);
    expect(grid.lots).toBeGreaterThanOrEqual(0);
  });

  it.each([
    [{ range: { ...lattice, cells: 101, spacing: "geometric" } }, "GRID_COUNT_INVALID"],
    [{ range: { ...lattice, lowTicks: 999_000, spacing: "geometric" } }, "GRID_CELL_EARNS_NOTHING"],
    [{ priceTicks: 400_000 }, "GRID_PRICE_OUTSIDE"],
    [{ quoteUnits: 100_000_000n }, "GRID_INVESTMENT_TOO_SMALL"],
    [{ range: { ...lattice, highTicks: 500_000, spacing: "geometric" } }, "GRID_RANGE_INVALID"],
  ] as const)("[GRID-1] is refused: %o is %s", (own, code) => {
    expect(planGrid({ ...invest, ...(own as Partial<GridInvestment>) })).toMatchObject({ done: false, code });
  });
});
