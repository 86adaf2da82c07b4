import { describe, expect, it } from "vitest";
import type { Contract } from "../margin.ts";
import { tiersA } from "../margin-tiers.ts";
import { createRandom } from "../random.ts";
import { type BackTestCandle, backTest } from "./back-test.ts";
import { areDistinct, cellProfitRate, gapLine, gridLines, nearestRoot, profitRates } from "./lines.ts";
import { type GridInvestment, leastInvestment, planGrid } from "./plan.ts";
import { type GridEvent, type GridState, type GridTerms, nextChecks, openGrid, stepGrid } from "./rule.ts";
import { SimulatedGrid } from "./simulate.ts";
import { suggestGrid } from "./suggest.ts";

/** BTC/USDT at tick 0.1 and step 0.00001: one tick of one lot is one unit of 1e-6. */
const range = { lowTicks: 900_000, highTicks: 1_100_000, cells: 20, spacing: "arithmetic" } as const;
const FEE = 100_000;
const invest: GridInvestment = {
  kind: "spot",
  range,
  priceTicks: 1_004_000,
  feeRate: FEE,
  tickLotUnits: 1,
  minLots: 1,
  minNotionalUnits: 5_000_000,
  quoteUnits: 10_000_000_000n,
  reserveRate: 0,
};

const planned = (change: Partial<GridInvestment> = {}) => {
  const plan = planGrid({ ...invest, ...change });
  if (!plan.done) throw new Error(plan.code);
  return plan.value;
};

/** The same by bisection: the smallest whole number whose upper half step is beyond the quotient. */
function searchRoot(over: bigint, under: bigint, degree: number): bigint {
  const n = BigInt(degree);
  let [low, high] = [0n, 1n << 64n];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if ((2n * middle + 1n) ** n * under > over << n) high = middle;
    else low = middle + 1n;
  }
  return low;
}

describe("grid lines", () => {
  it("[GRID-1] 90–110 k in 20 cells at 0.1 %: 0.910 % to 0.7165 % arithmetic, 0.8074 % geometric", () => {
    const lines = gridLines(range);
    expect(lines).toHaveLength(21);
    expect(lines.slice(0, 3)).toEqual([900_000, 910_000, 920_000]);
    const { min, max } = profitRates(lines, FEE);
    expect([Math.round(max / 1_000), Math.round(min / 100)]).toEqual([910, 7_165]);
    const geometric = gridLines({ ...range, spacing: "geometric" });
    expect([geometric[0], geometric[20]]).toEqual([900_000, 1_100_000]);
    const rates = profitRates(geometric, FEE);
    expect(rates.max / 1e6).toBeCloseTo(0.8074, 3);
    expect(rates.min / 1e6).toBeCloseTo(0.8074, 3);
  });

  it("[GRID-1] geometric lines are the exact roots to the nearest tick", () => {
    for (const cells of [2, 7, 50, 200]) {
      const lines = gridLines({ lowTicks: 12_345, highTicks: 987_654, cells, spacing: "geometric" });
      expect(areDistinct(lines)).toBe(true);
      for (const [i, line] of lines.entries())
        expect(Math.abs(line - 12_345 * (987_654 / 12_345) ** (i / cells))).toBeLessThan(0.500_001);
    }
  });

  it("[GRID-1] roots equal those of a binary search, at perfect powers and next to them", () => {
    const random = createRandom(8);
    for (let turn = 0; turn < 120; turn++) {
      const degree = 1 + random.below(200);
      const root = 1n + BigInt(random.below(2 ** 31 - 1)) * BigInt(1 + random.below(2 ** (turn % 22)));
      const power = root ** BigInt(degree);
      const under = BigInt(1 + random.below(1_000));
      for (const over of [power, power - 1n, power + 1n, power * under + BigInt(random.below(1_000))])
        expect(nearestRoot(over, under, degree), `${over} over ${under} by ${degree}`).toBe(
          searchRoot(over, under, degree),
        );
    }
    expect(() => nearestRoot(2n, 1n, 201)).toThrow("degree 201");
  });

  it("[GRID-1] a cell that earns nothing after fees is detected", () => {
    expect(cellProfitRate(1_000, 1_002, FEE)).toBeLessThanOrEqual(0);
    expect(gapLine([10, 20, 30], 9)).toBe(-1);
    expect(gapLine([10, 20, 30], 20)).toBe(1);
  });
});

describe("grid plans", () => {
  it("[GRID-1] P 100 400, I 10 000 without reserve: gap 100 000, 10 buys, 10 sells, q 0.00512", () => {
    const { lines, gap, lots, startLots } = planned();
    expect(lines[gap]).toBe(1_000_000);
    expect([gap, lines.length - 1 - gap]).toEqual([10, 10]);
    expect(lots).toBe(512);
    expect(startLots).toBe(5_120);
  });

  it("[GRID-1] invested coins are used first, and surplus ones are sold", () => {
    expect(planned({ quoteUnits: 5_000_000_000n, baseLots: 4_980 })).toMatchObject({ lots: 512, startLots: 140 });
    expect(planned({ quoteUnits: 0n, baseLots: 9_961 })).toMatchObject({ lots: 512, startLots: -4_841 });
  });

  it.each([
    [{ range: { ...range, cells: 1 } }, "GRID_COUNT_INVALID"],
    [{ range: { ...range, cells: 201 } }, "GRID_COUNT_INVALID"],
    [{ range: { ...range, highTicks: 900_000 } }, "GRID_RANGE_INVALID"],
    [{ range: { ...range, lowTicks: 1_099_990 } }, "GRID_LINES_NOT_DISTINCT"],
    [{ range: { ...range, cells: 200, lowTicks: 1_000_000 } }, "GRID_CELL_EARNS_NOTHING"],
    [{ priceTicks: 899_999 }, "GRID_PRICE_OUTSIDE"],
    [{ priceTicks: 1_100_001 }, "GRID_PRICE_OUTSIDE"],
    [{ quoteUnits: 50_000_000n }, "GRID_INVESTMENT_TOO_SMALL"],
  ] as const)("[GRID-1] %o is refused with %s", (change, code) => {
    expect(planGrid({ ...invest, ...change })).toMatchObject({ done: false, code });
  });

  it("[GRID-1] the minimum investment is accepted, and one unit less is too small", () => {
    for (const [own, where] of [
      [{}, {}],
      [{ minNotionalUnits: 5_000_000 }, { spacing: "geometric", cells: 37 }],
      [{ kind: "neutral", leverage: 3 }, {}],
    ] as const) {
      const requested = { ...invest, ...own, range: { ...range, ...where } };
      const least = leastInvestment(requested, gridLines(requested.range)) ?? 0n;
      expect(planGrid({ ...requested, quoteUnits: least }).done).toBe(true);
      expect(planGrid({ ...requested, quoteUnits: least - 1n })).toMatchObject({ code: "GRID_INVESTMENT_TOO_SMALL" });
    }
    expect(leastInvestment({ ...invest, priceTicks: 1 }, gridLines(range))).toBeUndefined();
  });

  it("[GRID-1] futures: lots by the larger side, and no grid whose worst position is liquidated inside the range", () => {
    const contract: Contract = { kind: "linear", factor: 100n, tiers: tiersA(6), liquidationRate: 60_000n };
    const futures = { kind: "neutral", tickLotUnits: 100, contract, reserveRate: 10_000_000 } as const;
    const neutral = planned({ ...futures, leverage: 2 });
    // Sells from 101 k to 110 k sum to 1 055 k: 18 000 ÷ 1 055 000 = 0.017 BTC.
    expect(neutral).toMatchObject({ lots: 17, startLots: 0 });
    expect(planned({ ...futures, kind: "long", leverage: 2 })).toMatchObject({ lots: 9, startLots: 90 });
    expect(planned({ ...futures, kind: "short", leverage: 2 })).toMatchObject({ lots: 8, startLots: -80 });
    expect(planGrid({ ...invest, ...futures, kind: "long", leverage: 20 })).toMatchObject({
      code: "GRID_LIQUIDATION_INSIDE",
    });
    expect(planGrid({ ...invest, ...futures, kind: "short", leverage: 20 })).toMatchObject({
      code: "GRID_LIQUIDATION_INSIDE",
    });
  });
});

/** Plays events, with the grid's intended orders resting by cell. */
function play(terms: GridTerms, lines: readonly number[]) {
  let state: GridState = openGrid(lines);
  const resting = new Map<number, { side: "buy" | "sell"; ticks: number; left: number }>();
  const wanted: string[] = [];
  const send = (event: GridEvent): void => {
    const step = stepGrid(terms, state, event);
    state = step.state;
    for (const intent of step.intents) {
      wanted.push(intent.kind);
      if (intent.kind === "place")
        resting.set(intent.cell, { side: intent.side, ticks: intent.ticks, left: intent.lots });
      else if (intent.kind === "cancelAll") resting.clear();
      else if (intent.kind === "market") send({ kind: "started", filledLots: intent.lots });
      else if (intent.kind === "plan" && event.kind === "price") send({ kind: "found", ticks: event.ticks });
    }
  };
  /** As a restart does: only stored state is left. */
  const restart = (): void => {
    state = JSON.parse(JSON.stringify(state)) as GridState;
  };
  return { send, resting, wanted, restart, state: () => state };
}

describe("a running grid", () => {
  it("[GRID-1] cell 95→96 k with q 0.0005 earns 0.4045 when its later order is complete, however it was filled", () => {
    const plan = {
      ...planned({ range: { ...range, lowTicks: 950_000, highTicks: 970_000, cells: 2 }, priceTicks: 965_000 }),
      lots: 50,
    };
    const grid = play({ kind: "spot", spacing: "arithmetic", lots: 50 }, plan.lines);
    grid.send({ kind: "price", ticks: 965_000, time: 0 });
    expect([...grid.resting.values()].map(({ side, ticks }) => [side, ticks])).toEqual([
      ["buy", 950_000],
      ["sell", 970_000],
    ]);
    const fill = (lots: number, ticks: number): void =>
      grid.send({ kind: "fill", cell: 0, lots, valueUnits: lots * ticks, feeUnits: (lots * ticks) / 1_000 });
    fill(20, 950_000);
    expect(grid.resting.get(0)).toMatchObject({ side: "buy" });
    fill(30, 950_000);
    expect(grid.resting.get(0)).toMatchObject({ side: "sell", ticks: 960_000 });
    expect(grid.state().profitUnits).toBe(0);
    fill(50, 960_000);
    expect(grid.state()).toMatchObject({ pairs: 1, profitUnits: 404_500 });
    expect(grid.resting.get(0)).toMatchObject({ side: "buy", ticks: 950_000 });
  });

  it("[GRID-1] waits for its trigger from either side, leaves its range and returns, and ends for its reason", () => {
    const { lines, lots } = planned();
    const terms: GridTerms = { kind: "spot", spacing: "arithmetic", lots, triggerTicks: 990_000 };
    const grid = play({ ...terms, stopBelowTicks: 890_000, sellsAtEnd: false }, lines);
    grid.send({ kind: "price", ticks: 1_004_000, time: 0 });
    expect(grid.state().status).toBe("WAIT_TRIGGER");
    grid.send({ kind: "price", ticks: 990_000, time: 1 });
    expect(grid.state().status).toBe("RUNNING");
    expect(grid.resting.size).toBe(20);
    grid.send({ kind: "price", ticks: 1_100_001, time: 2 });
    expect(grid.state().status).toBe("OUT_OF_RANGE");
    grid.send({ kind: "price", ticks: 1_000_000, time: 3 });
    expect(grid.state().status).toBe("RUNNING");
    grid.send({ kind: "price", ticks: 890_000, time: 4 });
    expect(grid.state()).toMatchObject({ status: "STOPPING", reason: "STOP_LOSS" });
    expect(grid.wanted.slice(-1)).toEqual(["cancelAll"]);
    grid.send({ kind: "closed" });
    expect(grid.state().status).toBe("CLOSED");
    expect(grid.wanted.at(-1)).toBe("returnFunds");
  });

  it("[GRID-1] a start without fills ends the grid instead of selling coins it does not have", () => {
    const { lines, lots } = planned();
    const terms: GridTerms = { kind: "spot", spacing: "arithmetic", lots };
    const startedAt = stepGrid(terms, openGrid(lines), { kind: "price", ticks: 1_004_000, time: 0 });
    expect(startedAt.intents).toEqual([{ kind: "market", side: "buy", lots: 5_120 }]);
    const short = stepGrid(terms, startedAt.state, { kind: "started", filledLots: 5_119 });
    expect(short.state).toMatchObject({ status: "STOPPING", reason: "START_UNFILLED" });
    expect(short.intents.map(({ kind }) => kind)).toEqual(["cancelAll"]);
  });

  it("[GRID-1] over random walks the profit equals the result of the fills, including partial fills, gaps through many lines and restarts", () => {
    let seed = 42;
    const draw = (bound: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * bound);
    };
    for (let walk = 0; walk < 1_000; walk++) {
      const spacing = walk % 2 === 0 ? "arithmetic" : "geometric";
      const plan = planned({ range: { ...range, cells: 2 + draw(40), spacing } });
      const grid = play({ kind: walk % 3 === 0 ? "neutral" : "spot", spacing, lots: plan.lots }, plan.lines);
      grid.send({ kind: "price", ticks: 1_004_000, time: 0 });
      const cells = plan.lines.slice(1).map(() => ({ buys: 0, sells: 0, cash: [] as number[] }));
      let price = 1_004_000;
      for (let i = 0; i < 30; i++) {
        price = Math.max(850_000, Math.min(1_150_000, price + draw(60_001) - 30_000));
        if (i % 10 === 5) grid.restart();
        grid.send({ kind: "price", ticks: price, time: i });
        for (const [cell, order] of [...grid.resting]) {
          if (order.side === "buy" ? order.ticks < price : order.ticks > price) continue;
          const parts = draw(3) === 0 ? [1 + draw(order.left - 1), 0] : [order.left, 0];
          if (draw(2) === 0) parts[1] = order.left - (parts[0] as number);
          for (const lots of parts.filter((part) => part > 0)) {
            const valueUnits = lots * order.ticks;
            const feeUnits = Math.ceil(valueUnits / 1_000);
            const own = cells[cell] as (typeof cells)[0];
            own.cash.push((order.side === "buy" ? -valueUnits : valueUnits) - feeUnits);
            order.left -= lots;
            if (order.left === 0) {
              if (order.side === "buy") own.buys++;
              else own.sells++;
            }
            grid.send({ kind: "fill", cell, lots, valueUnits, feeUnits });
          }
        }
      }
      // Recomputed: all of a cell's cash, less the proceeds of its open half and its open order so far.
      const state = grid.state();
      const open = cells.reduce((total, _, i) => total + (state.cells.at(i)?.flowUnits ?? 0), 0);
      const cash = cells.flatMap((own) => own.cash).reduce((total, units) => total + units, 0);
      expect(state.profitUnits + open).toBe(cash);
      expect(state.pairs).toBe(cells.reduce((total, { buys, sells }) => total + Math.floor((buys + sells) / 2), 0));
      for (const { buys, sells } of cells) expect(Math.abs(buys - sells)).toBeLessThanOrEqual(1);
    }
  });
});

describe("a grid that follows the price", () => {
  const market = { tickLotUnits: 1, makerRate: FEE, takerRate: FEE };
  const terms: GridTerms = { kind: "spot", spacing: "arithmetic", lots: 10, trailUpTicks: 1_200, trailDownTicks: 800 };
  const lines = [900, 920, 940, 960, 980, 1_000];
  const run = (own: Partial<GridTerms> = {}, quoteUnits = 100_000): SimulatedGrid => {
    const grid = new SimulatedGrid({ ...terms, ...own }, lines, market, quoteUnits);
    grid.trade(950, 0);
    return grid;
  };
  const linesOf = ({ state }: SimulatedGrid): number[] => [...(state.lines as number[])];

  it("[GRID-1] one spacing above the range it moves up until a line is above the price, with a sell there", () => {
    const grid = run();
    grid.trade(1_019, 1);
    expect(linesOf(grid)).toEqual(lines);
    expect(grid.state.status).toBe("OUT_OF_RANGE");
    grid.trade(1_020, 2);
    expect(linesOf(grid)).toEqual([940, 960, 980, 1_000, 1_020, 1_040]);
    expect(grid.lots).toBe(10);
    expect(grid.resting().map(({ side, ticks }) => [side, ticks])).toEqual([
      ["buy", 940],
      ["buy", 960],
      ["buy", 980],
      ["buy", 1_000],
      ["sell", 1_040],
    ]);
    expect(grid.state.status).toBe("RUNNING");
  });

  it("[GRID-1] down it sells one order's lots and buys below; beyond the bound it does not move", () => {
    const grid = run();
    grid.trade(880, 1);
    expect(linesOf(grid)).toEqual([860, 880, 900, 920, 940, 960]);
    expect(grid.lots).toBe(40);
    expect(grid.resting().filter(({ side }) => side === "buy")).toEqual([{ cell: 0, side: "buy", ticks: 860 }]);
    grid.trade(790, 2);
    expect(linesOf(grid)[0]).toBe(860);
  });

  it("[GRID-1] without the money to follow it places its orders again and no longer follows", () => {
    const grid = run({}, 48_000);
    // Withdraws the profit, so that the reserve is short.
    grid.trade(1_001, 1);
    grid.quoteUnits = 47_500;
    const before = grid.resting();
    grid.trade(1_020, 2);
    expect(grid.state.isTrailOver).toBe(true);
    expect(grid.resting()).toEqual(before);
    expect(nextChecks(grid.terms, grid.state, 1_020)).toEqual({ above: Number.POSITIVE_INFINITY, below: 1_001 });
  });

  it("[GRID-1] a back-test is the rule over candles: total = grid + float = the worth of the book", () => {
    const candles: BackTestCandle[] = [950, 930, 970, 941, 991, 911].map((close, i, all) => {
      const open = all[i - 1] ?? 950;
      return { timeMs: i * 60_000, open, high: Math.max(open, close) + 3, low: Math.min(open, close) - 3, close };
    });
    const basis = {
      kind: terms.kind,
      feeRate: 0,
      tickLotUnits: 1,
      minLots: 1,
      minNotionalUnits: 0,
      quoteUnits: 60_000n,
    };
    const figures = { quoteUnits: 60_000, investedUnits: 60_000, maintenanceRate: 0 };
    const task = { terms, lines, market, ...figures, basis, fundings: [] };
    const tested = backTest(task, candles);
    const live = new SimulatedGrid(terms, lines, market, 60_000);
    for (const { open, high, low, close, timeMs } of candles)
      for (const ticks of close >= open ? [open, low, high, close] : [open, high, low, close])
        live.trade(ticks, timeMs);
    expect(tested).toMatchObject({ pairs: live.state.pairs, gridUnits: live.state.profitUnits, candles: 6 });
    expect(tested?.totalUnits).toBe(live.equityUnits - 60_000);
    expect(tested?.totalUnits).toBe((tested?.gridUnits ?? 0) + (tested?.floatUnits ?? 0));
    expect(tested?.pairs).toBe(3);
    expect(backTest(task, [])).toBeUndefined();
  });

  it("[GRID-1] a suggestion spans one deviation of its days to both sides and earns more than its fees", () => {
    const candles: BackTestCandle[] = Array.from({ length: 720 }, (_, i) => {
      const close = 1_000_000 + (i % 2 === 0 ? 5_000 : -5_000);
      return { timeMs: i * 3_600_000, open: close, high: close, low: close, close };
    });
    const made = suggestGrid(candles, 1_000_000, 30, FEE);
    expect((made?.dailyRate ?? 0) / 1e6).toBeCloseTo(4.9, 1);
    expect(made?.range).toMatchObject({ lowTicks: 788_319, spacing: "geometric" });
    expect(made?.profitMinRate).toBeGreaterThan(2 * FEE);
    const inside = suggestGrid(candles, 1_000_000, 180, FEE, { lowTicks: 950_000, highTicks: 1_050_000 });
    expect(inside?.range).toMatchObject({ lowTicks: 955_000, highTicks: 1_045_000 });
    expect(inside?.profitMinRate).toBeGreaterThan(0);
    expect(suggestGrid(candles.slice(0, 2), 1_000_000, 30, FEE)).toBeUndefined();
  });
});
