// Candles of a market that was not there yet, made by the same price process as the live one and ending exactly where
// it begins: hours of half a year, then minutes of a month. A generator of one pair after the other, so that no more
// than one has to be held.
import type { Random } from "@clockwork/kit/random";
import { lognormal, normal, poisson, stepRandom, uniform } from "./chance.ts";
import { coinsOf, lotCost, natureOf, type PairNature, type SimulatedPair } from "./instruments.ts";
import {
  HOUR_STEPS,
  MINUTE_STEPS,
  type PathPart,
  type PricePath,
  priceAlong,
  regimeAt,
  walkPrices,
} from "./price-path.ts";
import { hourFactor, type PriceState, regimeFactor } from "./prices.ts";

export interface HistoryOptions {
  readonly seed: number;
  readonly pairs: readonly SimulatedPair[];
  /** What each coin is to cost in USDT at the end. */
  readonly prices: Readonly<Record<string, number>>;
  /** The first minute that is not made any more. */
  readonly endMs: number;
  readonly minutes: number;
  /** Whole hours before the minutes. */
  readonly hours: number;
}

/** Candles of one span in ticks and lots, one entry each. */
export interface BarColumns {
  readonly spanMs: number;
  readonly firstMs: number;
  readonly open: Int32Array;
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly close: Int32Array;
  readonly lots: Float64Array;
  readonly trades: Int32Array;
}

export interface PairHistory {
  readonly pair: SimulatedPair;
  readonly hours: BarColumns;
  readonly minutes: BarColumns;
}

/** What a market's trades are drawn from. */
export interface DrawOptions {
  readonly seed: number;
  readonly pair: SimulatedPair;
  readonly nature: PairNature;
  /** Quote coins a USDT is. */
  readonly quotePerUsdt: number;
  /** In ticks. */
  middleAt(part: PathPart, step: number): number;
}

const STREAM = 0x7100;
const HOUR_STREAM = 0x7300;

export function walkHistory({ seed, pairs, endMs, minutes, hours }: HistoryOptions): PricePath {
  return walkPrices({ seed, coins: coinsOf(pairs), endMs, minutes, hours });
}

/** Where the live market goes on. */
export function endOfHistory({ prices }: HistoryOptions, { symbols, minutes }: PricePath): PriceState {
  const logs = Object.fromEntries(symbols.map((symbol) => [symbol, Math.log(prices[symbol] ?? 1)]));
  return { regime: regimeAt(minutes, minutes.steps), logs, homes: logs };
}

/** Yields the pairs in their order. */
export function* makeHistory(options: HistoryOptions, path: PricePath): Generator<PairHistory> {
  for (const pair of options.pairs) {
    const price = (options.prices[pair.base] ?? 1) / (options.prices[pair.quote] ?? 1);
    const along = priceAlong(path, pair.base, pair.quote, price);
    const drawn: DrawOptions = {
      seed: options.seed,
      pair,
      nature: natureOf(pair.pairCode),
      quotePerUsdt: 1 / (options.prices[pair.quote] ?? 1),
      middleAt: (part, step) => along(part, step) / pair.tick,
    };
    yield { pair, ...drawTrades(drawn, path) };
  }
}

export function drawTrades(drawn: DrawOptions, path: PricePath): { hours: BarColumns; minutes: BarColumns } {
  return { hours: draw(drawn, path.hours, HOUR_STEPS, false), minutes: draw(drawn, path.minutes, MINUTE_STEPS, true) };
}

export function openColumns(part: PathPart, stepsEach: number): BarColumns {
  const count = part.steps / stepsEach;
  return {
    spanMs: part.stepMs * stepsEach,
    firstMs: part.firstMs,
    open: new Int32Array(count),
    high: new Int32Array(count),
    low: new Int32Array(count),
    close: new Int32Array(count),
    lots: new Float64Array(count),
    trades: new Int32Array(count),
  };
}

/** `isEnd`: the last candle ends exactly where the live market begins. */
function draw(drawn: DrawOptions, part: PathPart, stepsEach: number, isEnd: boolean): BarColumns {
  const columns = openColumns(part, stepsEach);
  const stream = (isEnd ? STREAM : HOUR_STREAM) + drawn.pair.market;
  const last = columns.open.length - 1;
  for (let bar = 0; bar <= last; bar += 1) {
    const random = stepRandom(drawn.seed, bar + 1, stream);
    drawPrices(drawn, part, columns, stepsEach, bar, isEnd && bar === last, random);
    drawSize(drawn, part, columns, stepsEach, bar, random);
  }
  return columns;
}

function heatAt(part: PathPart, step: number): number {
  return regimeFactor(regimeAt(part, step)) * hourFactor(part.firstMs + step * part.stepMs);
}

function drawPrices(
  { nature, middleAt }: DrawOptions,
  part: PathPart,
  columns: BarColumns,
  stepsEach: number,
  bar: number,
  isLast: boolean,
  random: Random,
): void {
  const from = bar * stepsEach;
  const heat = heatAt(part, from);
  // A trade prints on one side of the spread or the other.
  const print = (middle: number): number => {
    const half = Math.max(0.5, (middle * nature.halfSpreadBps) / 10_000);
    return Math.max(1, Math.round(middle + (random.chance(1, 2) ? half : -half)));
  };
  const end = middleAt(part, from + stepsEach);
  const open = print(middleAt(part, from));
  const close = isLast ? Math.round(end) : print(end);
  let high = Math.max(open, close);
  let low = Math.min(open, close);
  for (let step = 1; step < stepsEach; step += 1) {
    const price = print(middleAt(part, from + step) * (1 + 0.00006 * heat * normal(random)));
    high = Math.max(high, price);
    low = Math.min(low, price);
  }
  columns.open[bar] = open;
  columns.high[bar] = high;
  columns.low[bar] = low;
  columns.close[bar] = close;
}

function drawSize(
  { pair, nature, quotePerUsdt }: DrawOptions,
  part: PathPart,
  columns: BarColumns,
  stepsEach: number,
  bar: number,
  random: Random,
): void {
  const seconds = columns.spanMs / 1_000;
  const heat = heatAt(part, bar * stepsEach);
  const trades = Math.max(1, poisson(random, nature.takersPerSecond * seconds * heat * 1.5));
  const worth = trades * nature.takerWorth * lognormal(random, 0.5) * (uniform(random) < 0.02 ? 3 : 1);
  const middle = ((columns.open[bar] as number) + (columns.close[bar] as number)) / 2;
  columns.lots[bar] = Math.max(trades, Math.round((worth * quotePerUsdt) / lotCost(pair, middle)));
  columns.trades[bar] = trades;
}
