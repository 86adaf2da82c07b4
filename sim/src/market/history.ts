// Minutes of a market that was not there yet, made by the same price process as the live one and ending exactly where
// it begins. A generator of one pair after the other, so that no more than one has to be held.
import { lognormal, normal, poisson, stepRandom, uniform } from "./chance.ts";
import { coinsOf, natureOf, type SimulatedPair } from "./instruments.ts";
import { hourFactor, type PriceState, REGIMES, regimeFactor, stepPrices } from "./prices.ts";

export interface HistoryOptions {
  readonly seed: number;
  readonly pairs: readonly SimulatedPair[];
  /** What each coin is to cost in USDT at the end. */
  readonly prices: Readonly<Record<string, number>>;
  /** The first minute that is not made any more. */
  readonly endMs: number;
  readonly minutes: number;
}

/** In ticks and lots, one entry a minute. */
export interface MinuteSeries {
  readonly pair: SimulatedPair;
  readonly firstMs: number;
  readonly open: Int32Array;
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly close: Int32Array;
  readonly lots: Float64Array;
  readonly trades: Int32Array;
}

const MINUTE_MS = 60_000;
/** Prices inside a minute. */
const STEPS = 3;
/** A stream of chance no live step uses. */
const PATH_STREAM = 0x7001;

interface Path {
  readonly symbols: readonly string[];
  /** Logarithms, coin by coin within a step. */
  readonly logs: Float64Array;
  readonly regimes: Uint8Array;
}

/** Yields the pairs in their order; returns where the live market goes on. */
export function* makeHistory(options: HistoryOptions): Generator<MinuteSeries, PriceState> {
  const path = walk(options);
  for (const pair of options.pairs) yield drawMinutes(options, path, pair);
  const logs = Object.fromEntries(path.symbols.map((symbol) => [symbol, Math.log(options.prices[symbol] ?? 1)]));
  const regime = REGIMES[path.regimes.at(-1) ?? 1] ?? "normal";
  return { regime, logs, homes: logs };
}

/** The whole way of every coin from nought; where it ends is shifted to the wanted price afterwards. */
function walk(options: HistoryOptions): Path {
  const coins = coinsOf(options.pairs);
  const symbols = coins.map(({ symbol }) => symbol);
  const steps = options.minutes * STEPS;
  const logs = new Float64Array((steps + 1) * symbols.length);
  const regimes = new Uint8Array(steps + 1);
  const zero = Object.fromEntries(symbols.map((symbol) => [symbol, 0]));
  let state: PriceState = { regime: "normal", logs: zero, homes: zero };
  regimes[0] = REGIMES.indexOf(state.regime);
  const startMs = options.endMs - options.minutes * MINUTE_MS;
  for (let step = 1; step <= steps; step += 1) {
    const timeMs = startMs + (step * MINUTE_MS) / STEPS;
    const random = stepRandom(options.seed, step, PATH_STREAM);
    state = stepPrices(state, coins, timeMs, MINUTE_MS / STEPS / 1_000, random);
    for (const [index, symbol] of symbols.entries()) logs[step * symbols.length + index] = state.logs[symbol] ?? 0;
    regimes[step] = REGIMES.indexOf(state.regime);
  }
  return { symbols, logs, regimes };
}

function drawMinutes(options: HistoryOptions, path: Path, pair: SimulatedPair): MinuteSeries {
  const { minutes, endMs } = options;
  const series: MinuteSeries = {
    pair,
    firstMs: endMs - minutes * MINUTE_MS,
    open: new Int32Array(minutes),
    high: new Int32Array(minutes),
    low: new Int32Array(minutes),
    close: new Int32Array(minutes),
    lots: new Float64Array(minutes),
    trades: new Int32Array(minutes),
  };
  const middleAt = middles(options, path, pair);
  for (let minute = 0; minute < minutes; minute += 1) drawMinute(options, path, series, middleAt, minute);
  return series;
}

/** The middle price in ticks at a step, shifted so that the last one is the wanted one. */
function middles(options: HistoryOptions, path: Path, pair: SimulatedPair): (step: number) => number {
  const { symbols, logs } = path;
  const width = symbols.length;
  const last = options.minutes * STEPS;
  const ticks = (options.prices[pair.base] ?? 1) / (options.prices[pair.quote] ?? 1) / pair.tick;
  const base = symbols.indexOf(pair.base);
  const quote = symbols.indexOf(pair.quote);
  const at = (step: number): number =>
    (logs[step * width + base] as number) - (quote < 0 ? 0 : (logs[step * width + quote] as number));
  const end = at(last);
  return (step) => ticks * Math.exp(at(step) - end);
}

function drawMinute(
  options: HistoryOptions,
  path: Path,
  series: MinuteSeries,
  middleAt: (step: number) => number,
  minute: number,
): void {
  const { pair } = series;
  const nature = natureOf(pair.pairCode);
  const random = stepRandom(options.seed, minute + 1, 0x7100 + pair.market);
  const timeMs = series.firstMs + minute * MINUTE_MS;
  const regime = REGIMES[path.regimes[minute * STEPS] as number] ?? "normal";
  const heat = regimeFactor(regime) * hourFactor(timeMs);
  // A trade prints on one side of the spread or the other.
  const print = (middle: number): number => {
    const half = Math.max(0.5, (middle * nature.halfSpreadBps) / 10_000);
    return Math.max(1, Math.round(middle + (random.chance(1, 2) ? half : -half)));
  };
  const isLast = minute === options.minutes - 1;
  const open = print(middleAt(minute * STEPS));
  const close = isLast ? Math.round(middleAt((minute + 1) * STEPS)) : print(middleAt((minute + 1) * STEPS));
  let high = Math.max(open, close);
  let low = Math.min(open, close);
  for (let step = 1; step < STEPS; step += 1) {
    const price = print(middleAt(minute * STEPS + step) * (1 + 0.00006 * heat * normal(random)));
    high = Math.max(high, price);
    low = Math.min(low, price);
  }
  const trades = Math.max(1, poisson(random, nature.takersPerSecond * 60 * heat * 1.5));
  const quotePerUsdt = 1 / (options.prices[pair.quote] ?? 1);
  const worth = trades * nature.takerWorth * lognormal(random, 0.5) * (uniform(random) < 0.02 ? 3 : 1);
  const lotCost = ((open + close) / 2) * pair.tick * pair.lot;
  series.open[minute] = open;
  series.high[minute] = high;
  series.low[minute] = low;
  series.close[minute] = close;
  series.lots[minute] = Math.max(trades, Math.round((worth * quotePerUsdt) / lotCost));
  series.trades[minute] = trades;
}
