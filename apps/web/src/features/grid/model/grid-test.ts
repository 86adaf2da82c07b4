// The back-test of what is typed on the create page, with the very rule the core runs, and of fewer and more cells. Pure; loaded
// when there is something to test.
import { type BackTestCandle, type BackTestResult, backTest } from "@clockwork/kit/grid/back-test";
import { backTestTask, type RequestedGrid } from "@clockwork/kit/grid/back-test-task";
import { areDistinct, profitRates } from "@clockwork/kit/grid/lines";
import { readPriceTicks } from "@clockwork/kit/instrument";
import { parseUnits } from "@clockwork/kit/money";
import {
  baseLotsOf,
  COUNT,
  type Draft,
  drawGrid,
  type GridPair,
  type GridTerms,
  mostCells,
  quoteScale,
  readExit,
  readLeverage,
} from "./grid-model.ts";

/** Counts next to the chosen one, as multiples of it. */
const SWEEP = [0.5, 0.75, 1, 1.5, 2];

/** The result of the grid, started at the first candle; undefined when it would not have started. */
export function testGrid(
  draft: Draft,
  pair: GridPair,
  terms: GridTerms,
  candles: readonly BackTestCandle[],
): BackTestResult | undefined {
  const task = taskOf(draft, pair, terms, candles);
  return task?.done === true ? backTest(task.value, candles) : undefined;
}

/** Why it would not have started at the first candle, by the rule's own code. */
export function whyUntested(...requested: Parameters<typeof taskOf>): string | undefined {
  const task = taskOf(...requested);
  return task?.done === false ? task.code : undefined;
}

function taskOf(draft: Draft, pair: GridPair, terms: GridTerms, candles: readonly BackTestCandle[]) {
  const [first] = candles;
  const requested = readRequested(draft, pair, terms);
  if (first === undefined || requested === undefined) return undefined;
  return backTestTask(requested, { ...terms.instrument, ...terms }, first.open);
}

const PRICES = ["trigger", "takeProfit", "stopLoss", "trailUp", "trailDown"] as const;

/** The typed form in the rule's terms; undefined where a price or an amount is invalid. An end is never in the past. */
function readRequested(draft: Draft, pair: GridPair, terms: GridTerms): RequestedGrid | undefined {
  const { kind, spacing, count, leverage } = draft;
  const read = (text: string): number | undefined => (text === "" ? 0 : readPriceTicks(terms.instrument, text));
  const prices = [draft.lower, kind === "infinity" ? "" : draft.upper, ...PRICES.map((name) => draft[name])].map(read);
  const quote = parseUnits(draft.investment, quoteScale(pair));
  const baseLots = baseLotsOf(draft, pair, terms);
  if (prices.includes(undefined) || !quote.done || baseLots === undefined) return undefined;
  const [lowTicks = 0, highTicks = 0, triggerTicks = 0, takeProfitTicks = 0, stopLossTicks = 0] = prices;
  const [trailUpTicks = 0, trailDownTicks = 0] = prices.slice(-2);
  return {
    kind,
    spacing,
    lowTicks,
    highTicks,
    triggerTicks,
    takeProfitTicks,
    stopLossTicks,
    trailUpTicks,
    trailDownTicks,
    cells: COUNT.test(count) ? Number(count) : 0,
    quoteUnits: quote.value,
    baseLots,
    leverage: readLeverage(leverage),
    exitBps: readExit(draft) ?? 0,
  };
}

export interface SweptCount {
  readonly count: number;
  readonly leastRate: number;
  readonly result: BackTestResult | undefined;
}

/** The same candles with fewer and with more cells. */
export function sweepCounts(
  draft: Draft,
  pair: GridPair,
  terms: GridTerms,
  candles: readonly BackTestCandle[],
): SweptCount[] {
  const counts = new Set(
    SWEEP.map((part) => Math.min(mostCells(draft), Math.max(2, Math.round(Number(draft.count) * part)))),
  );
  return [...counts].flatMap((count) => {
    const changed = { ...draft, count: String(count) };
    const { lines } = drawGrid(changed, pair, terms, candles[0]?.open ?? 0);
    if (lines.length === 0 || !areDistinct(lines)) return [];
    const { min } = profitRates(lines, terms.takerRate);
    return [{ count, leastRate: min, result: testGrid(changed, pair, terms, candles) }];
  });
}
