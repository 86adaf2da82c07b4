// The way all coins came to their prices before the market opened, drawn by the live market's own process: first in
// steps of ten minutes for the hours, then in steps of twenty seconds for the minutes. Pure.
import { stepRandom } from "./chance.ts";
import type { Coin, PriceState, Regime } from "./prices.ts";
import { REGIMES, stepPrices } from "./prices.ts";

/** A stream of chance no live step uses. */
const PATH_STREAM = 0x7001;

export interface PathPart {
  readonly firstMs: number;
  readonly stepMs: number;
  readonly steps: number;
  /** Logarithms, coin by coin within a step; steps + 1 of them. */
  readonly logs: Float64Array;
  readonly regimes: Uint8Array;
}

export interface PricePath {
  readonly symbols: readonly string[];
  readonly hours: PathPart;
  readonly minutes: PathPart;
}

export interface PathOptions {
  readonly seed: number;
  readonly coins: readonly Coin[];
  /** The first minute that is not made any more. */
  readonly endMs: number;
  readonly minutes: number;
  /** Whole hours before the minutes. */
  readonly hours: number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Prices inside an hour, and inside a minute. */
export const HOUR_STEPS = 6;
export const MINUTE_STEPS = 3;

/** The whole way of every coin from nought; where it ends is shifted to the wanted prices by whoever reads it. */
export function walkPrices(options: PathOptions): PricePath {
  const symbols = options.coins.map(({ symbol }) => symbol);
  const zero = Object.fromEntries(symbols.map((symbol) => [symbol, 0]));
  const firstMinuteMs = options.endMs - options.minutes * MINUTE_MS;
  const endHourMs = firstMinuteMs - (firstMinuteMs % HOUR_MS);
  let state: PriceState = { regime: "normal", logs: zero, homes: zero };
  let chance = 0;
  const walk = (firstMs: number, stepMs: number, steps: number): PathPart => {
    const logs = new Float64Array((steps + 1) * symbols.length);
    const regimes = new Uint8Array(steps + 1);
    const write = (step: number): void => {
      for (const [index, symbol] of symbols.entries()) logs[step * symbols.length + index] = state.logs[symbol] ?? 0;
      regimes[step] = REGIMES.indexOf(state.regime);
    };
    write(0);
    for (let step = 1; step <= steps; step += 1) {
      chance += 1;
      const random = stepRandom(options.seed, chance, PATH_STREAM);
      state = stepPrices(state, options.coins, firstMs + step * stepMs, stepMs / 1_000, random);
      write(step);
    }
    return { firstMs, stepMs, steps, logs, regimes };
  };
  const hours = walk(endHourMs - options.hours * HOUR_MS, HOUR_MS / HOUR_STEPS, options.hours * HOUR_STEPS);
  const minutes = walk(firstMinuteMs, MINUTE_MS / MINUTE_STEPS, options.minutes * MINUTE_STEPS);
  return { symbols, hours, minutes };
}

/** The price of one coin in another at a step of a part, so shifted that the whole path ends at `endPrice`. */
export function priceAlong(
  { symbols, minutes }: PricePath,
  base: string,
  quote: string,
  endPrice: number,
): (part: PathPart, step: number) => number {
  const width = symbols.length;
  const [first, second] = [symbols.indexOf(base), symbols.indexOf(quote)];
  const at = ({ logs }: PathPart, step: number): number =>
    (logs[step * width + first] as number) - (second < 0 ? 0 : (logs[step * width + second] as number));
  const end = at(minutes, minutes.steps);
  return (part, step) => endPrice * Math.exp(at(part, step) - end);
}

export function regimeAt({ regimes }: PathPart, step: number): Regime {
  return REGIMES[regimes[step] as number] ?? "normal";
}
