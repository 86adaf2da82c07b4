// Owns the comparison of a bot in the core with the back-test of the same grid over the same trades, to the unit. For tests and
// long runs; never part of a running exchange.
import { type BackTestCandle, backTest } from "@clockwork/kit/grid/back-test";
import { backTestTask, stopsOf } from "@clockwork/kit/grid/back-test-task";
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import { SimulatedGrid } from "@clockwork/kit/grid/simulate";
import { drawWalk, type GridWalk } from "@clockwork/kit/grid/walk-fixture";
import { toCoreUnits } from "@clockwork/kit/money";
import { createMachine } from "../machine/machine.ts";
import { type BotStage, createBotStage } from "./bot-stage.ts";
import { eventsOf } from "./driver.ts";

const MINUTE_MS = 60_000;

/** What both tell of a grid after a price. */
interface Figures {
  readonly status: string;
  readonly pairs: number;
  readonly gridUnits: number;
  readonly feesUnits: number;
  readonly lots: number;
  readonly equityUnits: number;
  readonly orders: string;
}

export interface TwinResult {
  /** What differs first, with the step it does; undefined when nothing does. */
  readonly difference: string | undefined;
  readonly pairs: number;
  readonly status: string;
}

/** Runs the grid of a seed through the core and beside it through the rule of the back-test; compares after every price. */
export function runGridTwin(seed: number): TwinResult {
  const walk = drawWalk(seed);
  const { asked, prices } = walk;
  const [first = 0] = prices;
  const planned = backTestTask(asked, walk.market, first);
  const stage = createBotStage(createMachine());
  const market = isSpotGrid(asked.kind) ? stage.spot : stage.linear;
  stage.moveTo(first, market);
  const source = isSpotGrid(asked.kind) ? stage.user : stage.futures;
  const before = [stage.balance(source).available, stage.balance(source, stage.btc).available] as const;
  const refusal = eventsOf(stage.create(commandOf(walk)), "rejected")[0]?.code;
  const planCode = planned.done ? undefined : planned.code;
  if (refusal !== undefined || !planned.done)
    return { difference: compare(0, { code: refusal }, { code: planCode }), pairs: 0, status: "REFUSED" };
  const task = { ...planned.value, market: { ...planned.value.market, spreadTicks: 1 } };
  const grid = new SimulatedGrid(task.terms, task.lines, task.market, task.quoteUnits);
  for (const [step, ticks] of prices.entries()) {
    if (step > 0) stage.moveTo(ticks, market);
    if (step % 13 === 7) stage.machine.restore(stage.machine.snapshot());
    grid.trade(ticks, step * MINUTE_MS);
    const live = liveFigures(stage, walk, ticks, source, before);
    const difference = compare(step, live, simulatedFigures(grid));
    if (difference !== undefined) return { difference, pairs: live.pairs, status: live.status };
  }
  const candles = prices.map((ticks, i): BackTestCandle => {
    return { timeMs: i * MINUTE_MS, open: ticks, high: ticks, low: ticks, close: ticks };
  });
  const tested = backTest(task, candles);
  const { status, pairs, profitUnits, feesUnits } = grid.state;
  const totalUnits = grid.equityUnits - (tested?.investedUnits ?? 0);
  const difference = compare(
    prices.length,
    { status, pairs, gridUnits: profitUnits, feesUnits, totalUnits },
    {
      status: tested?.status,
      pairs: tested?.pairs,
      gridUnits: tested?.gridUnits,
      feesUnits: tested?.feesUnits,
      totalUnits: tested?.totalUnits,
    },
  );
  return { difference, pairs, status };
}

function compare(step: number, live: object, other: object): string | undefined {
  const [one, two] = [JSON.stringify(live), JSON.stringify(other)];
  return one === two ? undefined : `step ${step}: core ${one}, back-test ${two}`;
}

function commandOf({ asked }: GridWalk): Parameters<BotStage["create"]>[0] {
  const { kind, triggerTicks } = asked;
  const { above, below } = stopsOf(kind, asked.takeProfitTicks, asked.stopLossTicks);
  return {
    grid: kind,
    spacing: asked.spacing,
    lowTicks: asked.lowTicks,
    highTicks: kind === "infinity" ? (triggerTicks === 0 ? FIRST_TICKS : triggerTicks) : asked.highTicks,
    cells: asked.cells,
    quoteUnits: toCoreUnits(asked.quoteUnits),
    baseUnits: asked.baseLots * LOT_UNITS,
    leverage: asked.leverage,
    triggerTicks,
    stopAboveTicks: above,
    stopBelowTicks: below,
    trailUpTicks: asked.trailUpTicks,
    trailDownTicks: asked.trailDownTicks,
    exitBps: asked.exitBps,
  };
}

const FIRST_TICKS = 1_004_000;
const LOT_UNITS = 1_000;

function liveFigures(
  stage: BotStage,
  { asked, market: terms }: GridWalk,
  ticks: number,
  source: number,
  before: readonly [number, number],
): Figures {
  const { account } = stage.bot();
  const { status, pairs, profitUnits, feesUnits } = stage.state();
  const isSpot = isSpotGrid(asked.kind);
  const market = isSpot ? stage.spot : stage.linear;
  const isClosed = status === "CLOSED";
  // What is over has given everything back to where it came from.
  const [quoteAt, baseAt] = [isClosed ? source : account, isClosed ? source : account];
  const quote = stage.balance(quoteAt);
  const base = stage.balance(baseAt, stage.btc);
  const cash = quote.available + quote.frozen - (isClosed ? before[0] - toCoreUnits(asked.quoteUnits) : 0);
  const held = stage.held(account)[0];
  const coins = base.available + base.frozen - (isClosed ? before[1] - asked.baseLots * LOT_UNITS : 0);
  const lots = isSpot ? coins / LOT_UNITS : (held?.lots ?? 0);
  const cost = isSpot ? 0 : (held?.cost ?? 0) * Math.sign(lots);
  const orders = isClosed ? [] : stage.resting(account, market);
  return {
    status,
    pairs,
    gridUnits: profitUnits,
    feesUnits,
    lots,
    equityUnits: cash + lots * ticks * terms.factor - cost,
    orders: orders.map(([side, at]) => `${side} ${at}`).join(),
  };
}

function simulatedFigures(grid: SimulatedGrid): Figures {
  const { status, pairs, profitUnits, feesUnits } = grid.state;
  const orders = grid.resting().sort((a, b) => a.ticks - b.ticks);
  return {
    status,
    pairs,
    gridUnits: profitUnits,
    feesUnits,
    lots: grid.lots,
    equityUnits: grid.equityUnits,
    orders: orders.map(({ side, ticks }) => `${side} ${ticks}`).join(),
  };
}
