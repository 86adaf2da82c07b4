// Owns the back-test of a grid over candles: the same rule as the live one, in the stated model of what happens inside
// a candle. A candle that closed higher went open, low, high, close; any other open, high, low, close, through every
// price between; from one candle to the next it jumps. A line that is touched is filled whole at its price with the
// maker's fee; the start, moves that follow the price and the end trade at their due price, with the taker's. Funding
// of a position is settled by the stored rates and marks, before the first candle that does not start earlier.
import { mulDivCeil, RATE_ONE } from "../money.ts";
import { type GridBasis, isSpotGrid } from "./plan.ts";
import { type GridReason, type GridStatus, type GridTerms, nextChecks } from "./rule.ts";
import { type FundingPoint, SimulatedGrid, type SimulatedMarket } from "./simulate.ts";

export interface BackTestCandle {
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface BackTestTask {
  readonly terms: GridTerms;
  readonly lines: readonly number[];
  readonly market: SimulatedMarket;
  readonly quoteUnits: number;
  /** Quote, and coins at the price it is planned for. */
  readonly investedUnits: number;
  readonly basis: GridBasis;
  /** Settlements of a contract, oldest first; none where none are stored, and on spot. */
  readonly fundings: readonly FundingPoint[];
  /** In 1e-8: a futures grid whose equity falls below this part of its position is liquidated. */
  readonly maintenanceRate: number;
}

export interface CurvePoint {
  readonly timeMs: number;
  readonly totalUnits: number;
  readonly gridUnits: number;
}

export interface BackTestResult {
  readonly status: GridStatus;
  readonly reason: GridReason | undefined;
  readonly candles: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly startTicks: number;
  readonly endTicks: number;
  readonly investedUnits: number;
  /** Total = grid + float. */
  readonly totalUnits: number;
  readonly gridUnits: number;
  readonly floatUnits: number;
  readonly feesUnits: number;
  /** The sum of funding, a part of the float; negative when more was paid than received. */
  readonly fundingUnits: number;
  /** The time of the first settlement; undefined without any in the time tested. */
  readonly fundingFromMs: number | undefined;
  /** The cost of selling or closing all holdings at the last price; not part of the total. */
  readonly closeFeeUnits: number;
  readonly pairs: number;
  /** The maximum drawdown of the total worth, also inside candles, in 1e-8. */
  readonly drawdownRate: number;
  /** Part of the candles that closed inside of the range, in 1e-8. */
  readonly insideRate: number;
  readonly curve: readonly CurvePoint[];
}

const CURVE_POINTS = 240;
/** Candles between two progress reports. */
const SLICE = 2_000;

/** Yields the part that is done, 0 to 1, so that the runner can report it and can stop. */
export function* backTestSlices(
  task: BackTestTask,
  candles: readonly BackTestCandle[],
): Generator<number, BackTestResult | undefined> {
  const [first] = candles;
  if (first === undefined) return undefined;
  const grid = new SimulatedGrid(task.terms, task.lines, task.market, task.quoteUnits, task.basis);
  const { tickLotUnits } = task.market;
  grid.investedUnits = task.investedUnits;
  const settling = new Settling(grid, task, first.timeMs);
  const every = Math.max(1, Math.ceil(candles.length / CURVE_POINTS));
  const curve: CurvePoint[] = [];
  const worth = new WorthRange(task.investedUnits);
  let inside = 0;
  for (const [i, candle] of candles.entries()) {
    settling.settleUntil(candle.timeMs, worth);
    playCandle(grid, candle, task.maintenanceRate, worth);
    const equity = grid.equityUnits;
    const { lines } = grid.state;
    if (candle.close >= (lines.at(0) as number) && candle.close <= (lines.at(lines.length - 1) as number)) inside++;
    if (i % every === 0 || i === candles.length - 1)
      curve.push({
        timeMs: candle.timeMs,
        totalUnits: equity - grid.investedUnits,
        gridUnits: grid.state.profitUnits,
      });
    if (i % SLICE === SLICE - 1) yield i / candles.length;
  }
  const last = candles.at(-1) as BackTestCandle;
  const { status, reason, profitUnits, feesUnits, pairs } = grid.state;
  const { fundingUnits, investedUnits } = grid;
  const totalUnits = grid.equityUnits - investedUnits;
  return {
    status,
    reason,
    candles: candles.length,
    fromMs: first.timeMs,
    toMs: last.timeMs,
    startTicks: first.open,
    endTicks: last.close,
    investedUnits,
    totalUnits,
    gridUnits: profitUnits,
    floatUnits: totalUnits - profitUnits,
    feesUnits,
    fundingUnits,
    fundingFromMs: settling.fromMs,
    closeFeeUnits: mulDivCeil(Math.abs(grid.lots) * last.close * tickLotUnits, task.market.takerRate, RATE_ONE),
    pairs,
    drawdownRate: Math.floor(worth.drawdown * RATE_ONE),
    insideRate: Math.floor((inside / candles.length) * RATE_ONE),
    curve,
  };
}

export function backTest(task: BackTestTask, candles: readonly BackTestCandle[]): BackTestResult | undefined {
  const slices = backTestSlices(task, candles);
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** The highest worth of a grid, and the maximum drawdown. */
class WorthRange {
  #highest: number;
  drawdown = 0;

  constructor(units: number) {
    this.#highest = units;
  }

  note(units: number): void {
    this.#highest = Math.max(this.#highest, units);
    this.drawdown = Math.max(this.drawdown, (this.#highest - units) / this.#highest);
  }
}

/** Settlements of funding in order, each once: those before the first candle are outside the test. */
class Settling {
  readonly #grid: SimulatedGrid;
  readonly #fundings: readonly FundingPoint[];
  readonly #maintenanceRate: number;
  #next = 0;
  fromMs: number | undefined;

  constructor(grid: SimulatedGrid, { fundings, maintenanceRate }: BackTestTask, firstMs: number) {
    this.#grid = grid;
    this.#maintenanceRate = maintenanceRate;
    this.#fundings = fundings.filter(({ timeMs }) => timeMs > firstMs);
  }

  settleUntil(timeMs: number, worth: WorthRange): void {
    for (; ; this.#next++) {
      const due = this.#fundings[this.#next];
      if (due === undefined || due.timeMs > timeMs) return;
      this.fromMs ??= due.timeMs;
      if (this.#grid.lots === 0) continue;
      this.#grid.fund(due);
      liquidateBroke(this.#grid, this.#maintenanceRate);
      worth.note(this.#grid.equityUnits);
    }
  }
}

function liquidateBroke(grid: SimulatedGrid, maintenanceRate: number): void {
  if (!isSpotGrid(grid.terms.kind) && isBroke(grid, maintenanceRate))
    grid.send({ kind: "stop", sells: true, reason: "LIQUIDATED" });
}

function playCandle(grid: SimulatedGrid, candle: BackTestCandle, maintenanceRate: number, worth: WorthRange): void {
  const { open, high, low, close, timeMs } = candle;
  const way = close >= open ? [low, high, close] : [high, low, close];
  const see = (ticks: number): void => {
    if (ticks === grid.ticks) return;
    grid.trade(ticks, timeMs);
    liquidateBroke(grid, maintenanceRate);
    worth.note(grid.equityUnits);
  };
  see(open);
  for (const ticks of way) {
    for (let look = lookBefore(grid, ticks); look !== undefined; look = lookBefore(grid, ticks)) see(look);
    see(ticks);
  }
}

/** The next price on the way to another at which the grid must be evaluated. */
function lookBefore({ terms, state, ticks: from }: SimulatedGrid, ticks: number): number | undefined {
  const { above, below } = nextChecks(terms, state, from);
  if (ticks > from) return above < ticks ? above : undefined;
  return below > ticks ? below : undefined;
}

function isBroke(grid: SimulatedGrid, maintenanceRate: number): boolean {
  const worth = Math.abs(grid.equityUnits - grid.quoteUnits);
  return worth > 0 && grid.equityUnits * RATE_ONE <= worth * maintenanceRate;
}
