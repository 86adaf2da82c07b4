// Owns the comparison of a bot in the core with the back-test of the same grid over the same trades, to the unit. For tests and
// long runs; never part of a running exchange.
import { type BackTestCandle, type BackTestTask, backTest } from "@clockwork/kit/grid/back-test";
import { backTestTask } from "@clockwork/kit/grid/back-test-task";
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import { type FundingPoint, SimulatedGrid } from "@clockwork/kit/grid/simulate";
import { drawWalk, type GridWalk } from "@clockwork/kit/grid/walk-fixture";
import { toCoreUnits } from "@clockwork/kit/money";
import { BOF_INVESTED } from "../bot/state/records.ts";
import { coreOf, createMachine } from "../machine/machine.ts";
import { type BotStage, createBotStage } from "./bot-stage.ts";
import { eventsOf } from "./driver.ts";
import { createOf } from "./fill-walk.ts";

const MINUTE_MS = 60_000;
const SAMPLE_MS = 5_000;
const FUNDING_MS = 8 * 3_600_000;

/** What both tell of a grid after a price. */
export interface Figures {
  readonly status: string;
  readonly pairs: number;
  readonly gridUnits: number;
  readonly feesUnits: number;
  readonly lots: number;
  readonly equityUnits: number;
  readonly investedUnits: number;
  readonly orders: string;
}

export interface ReferenceResult {
  /** What differs first, with the step it does; undefined when nothing does. */
  readonly difference: string | undefined;
  readonly pairs: number;
  readonly status: string;
  /** What funding came to. */
  readonly fundingUnits?: number;
}

/** Runs the grid of a seed through the core and beside it through the rule of the back-test; compares after every price. */
export function runGridReference(seed: number): ReferenceResult {
  const walk = drawWalk(seed);
  const { requested, prices } = walk;
  const [first = 0] = prices;
  const planned = backTestTask(requested, walk.market, first);
  const stage = createBotStage(createMachine());
  const market = isSpotGrid(requested.kind) ? stage.spot : stage.linear;
  stage.moveTo(first, market);
  const source = isSpotGrid(requested.kind) ? stage.user : stage.futures;
  const before = [stage.balance(source).available, stage.balance(source, stage.btc).available] as const;
  const refusal = eventsOf(stage.create(createOf(walk)), "rejected")[0]?.code;
  const planCode = planned.done ? undefined : planned.code;
  if (refusal !== undefined || !planned.done)
    return { difference: compare(0, { code: refusal }, { code: planCode }), pairs: 0, status: "REFUSED" };
  const task = { ...planned.value, market: { ...planned.value.market, spreadTicks: 1 } };
  const grid = new SimulatedGrid(task.terms, task.lines, task.market, task.quoteUnits, task.basis);
  grid.investedUnits = task.investedUnits;
  const fundings: FundingPoint[] = [];
  for (const [step, ticks] of prices.entries()) {
    if (step > 0) stage.moveTo(ticks, market);
    if (step % 13 === 7) stage.machine.restore(stage.machine.snapshot());
    grid.trade(ticks, step * MINUTE_MS);
    if (step % 9 === 4 && step < prices.length - 1 && market === stage.linear) {
      // Settled between this price and the next.
      const settled = settleFunding(stage).map((one) => ({ ...one, timeMs: (step + 1) * MINUTE_MS }));
      for (const one of settled) grid.fund(one);
      fundings.push(...settled);
    }
    const live = liveFigures(stage, stage.bot(), walk, ticks, source, before);
    const difference = compare(step, live, simulatedFigures(grid));
    if (difference !== undefined) return { difference, pairs: live.pairs, status: live.status };
  }
  const difference = compareTest({ ...task, fundings }, grid, prices);
  return { difference, pairs: grid.state.pairs, status: grid.state.status, fundingUnits: grid.fundingUnits };
}

/** One sample of the premium, and the time until funding is settled by it. */
function settleFunding(stage: BotStage): Omit<FundingPoint, "timeMs">[] {
  stage.time += SAMPLE_MS;
  stage.sure({ kind: "tick" });
  stage.time += FUNDING_MS - (stage.time % FUNDING_MS);
  return eventsOf(stage.sure({ kind: "tick" }), "fundingSettled")
    .filter(({ market }) => market === stage.linear)
    .map(({ rate, markTicks }) => ({ rate, markTicks }));
}

/** The back-test of the same prices as candles without a way inside of them. */
function compareTest(task: BackTestTask, grid: SimulatedGrid, prices: readonly number[]): string | undefined {
  const candles = prices.map((ticks, i): BackTestCandle => {
    return { timeMs: i * MINUTE_MS, open: ticks, high: ticks, low: ticks, close: ticks };
  });
  const tested = backTest(task, candles);
  const { status, pairs, profitUnits, feesUnits } = grid.state;
  const totalUnits = grid.equityUnits - grid.investedUnits;
  return compare(
    prices.length,
    { status, pairs, gridUnits: profitUnits, feesUnits, fundingUnits: grid.fundingUnits, totalUnits },
    {
      status: tested?.status,
      pairs: tested?.pairs,
      gridUnits: tested?.gridUnits,
      feesUnits: tested?.feesUnits,
      fundingUnits: tested?.fundingUnits,
      totalUnits: tested?.totalUnits,
    },
  );
}

function compare(step: number, live: object, other: object): string | undefined {
  const [one, two] = [JSON.stringify(live), JSON.stringify(other)];
  return one === two ? undefined : `step ${step}: core ${one}, back-test ${two}`;
}

const LOT_UNITS = 1_000;

export function liveFigures(
  stage: BotStage,
  { account, bot }: { readonly account: number; readonly bot: number },
  { requested, market: terms }: GridWalk,
  ticks: number,
  source: number,
  before: readonly [number, number],
): Figures {
  const { status, pairs, profitUnits, feesUnits } = stage.state(bot);
  const isSpot = isSpotGrid(requested.kind);
  const market = isSpot ? stage.spot : stage.linear;
  const isClosed = status === "CLOSED";
  // What is over has given everything back to where it came from.
  const [quoteAt, baseAt] = [isClosed ? source : account, isClosed ? source : account];
  const quote = stage.balance(quoteAt);
  const base = stage.balance(baseAt, stage.btc);
  const cash = quote.available + quote.frozen - (isClosed ? before[0] - toCoreUnits(requested.quoteUnits) : 0);
  const held = stage.held(account)[0];
  const coins = base.available + base.frozen - (isClosed ? before[1] - requested.baseLots * LOT_UNITS : 0);
  const lots = isSpot ? coins / LOT_UNITS : (held?.lots ?? 0);
  // A short's cost that is not whole counts rounded down: so its worth rounds down.
  const paid = (held?.cost ?? 0) - (lots < 0 && (held?.excess ?? 0) > 0 ? 1 : 0);
  const cost = isSpot ? 0 : paid * Math.sign(lots);
  const orders = isClosed ? [] : stage.resting(account, market);
  return {
    status,
    pairs,
    gridUnits: profitUnits,
    feesUnits,
    lots,
    equityUnits: cash + lots * ticks * terms.factor - cost,
    investedUnits: coreOf(stage.machine).bots.bots.double(bot, BOF_INVESTED),
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
    investedUnits: grid.investedUnits,
    orders: orders.map(({ side, ticks }) => `${side} ${ticks}`).join(),
  };
}
