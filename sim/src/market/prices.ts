// The prices of all coins in one world: a regime-switching jump diffusion with a market factor all coins share and a
// part of their own. Pure: state, elapsed time and chance in, state out. Also the door for prices from outside.
import type { Random } from "@clockwork/kit/random";
import { normal, uniform } from "./chance.ts";

/** What a coin is like. */
export interface Coin {
  readonly symbol: string;
  /** How strongly it follows the market as a whole. */
  readonly beta: number;
  /** Its own yearly volatility, beside the market's. */
  readonly volatility: number;
}

export const REGIMES = ["quiet", "normal", "wild"] as const;
export type Regime = (typeof REGIMES)[number];

export interface PriceState {
  readonly regime: Regime;
  /** Natural logarithm of each coin's price in USDT, and of the price it is slowly drawn to. */
  readonly logs: Readonly<Record<string, number>>;
  readonly homes: Readonly<Record<string, number>>;
}

/** Who knows prices. The seeded process is one; an outside feed may be another, for some coins or all. */
export interface PriceSource {
  /** The price in USDT, or nothing when the source has none that is fresh. */
  readPrice(symbol: string, nowMs: number): number | undefined;
}

const YEAR_SECONDS = 365 * 86_400;
const MARKET_VOLATILITY = 0.42;
const HOME_YEARS = 0.25;
const VOLATILITY: Readonly<Record<Regime, number>> = { quiet: 0.6, normal: 1, wild: 2.4 };
/** Mean seconds a regime lasts, and which follow it. */
const LASTS_SECONDS: Readonly<Record<Regime, number>> = { quiet: 9_000, normal: 7_200, wild: 1_500 };
const FOLLOWS: Readonly<Record<Regime, readonly Regime[]>> = {
  quiet: ["normal", "normal", "normal", "wild"],
  normal: ["quiet", "quiet", "wild"],
  wild: ["normal", "normal", "quiet"],
};
const MARKET_JUMPS_A_DAY = 1.5;
const OWN_JUMPS_A_DAY = 2;
/** Rarely a coin of its own falls or leaps by several per cent at once; the steadier the coin, the more rarely. */
const OWN_SHOCKS_A_DAY = 1.4;
const SHOCK_SIZE = 0.055;
/** An outside price is followed at most so fast, so that the band keeps up. */
const OUTSIDE_STEP_MAX = 0.02;

/** How lively the hour is: busier in the afternoon of UTC than at dawn. */
export function hourFactor(timeMs: number): number {
  const hour = (timeMs / 3_600_000) % 24;
  return 1 + 0.35 * Math.cos(((hour - 15) / 24) * 2 * Math.PI);
}

export function regimeFactor(regime: Regime): number {
  return VOLATILITY[regime];
}

export function stepPrices(
  state: PriceState,
  coins: readonly Coin[],
  timeMs: number,
  seconds: number,
  random: Random,
): PriceState {
  const regime = stepRegime(state.regime, seconds, random);
  const heat = VOLATILITY[regime] * hourFactor(timeMs);
  const root = Math.sqrt(seconds / YEAR_SECONDS) * heat;
  const market = MARKET_VOLATILITY * root * normal(random) + jump(MARKET_JUMPS_A_DAY * heat, 0.006, seconds, random);
  const pull = Math.min(1, seconds / (HOME_YEARS * YEAR_SECONDS));
  const logs: Record<string, number> = {};
  for (const { symbol, beta, volatility } of coins) {
    const before = state.logs[symbol] ?? 0;
    const own =
      volatility * root * normal(random) +
      jump(OWN_JUMPS_A_DAY * heat, 0.008, seconds, random) +
      jump(OWN_SHOCKS_A_DAY * volatility * volatility * heat, SHOCK_SIZE, seconds, random);
    logs[symbol] = before + beta * market + own + pull * ((state.homes[symbol] ?? before) - before);
  }
  return { regime, logs, homes: state.homes };
}

function stepRegime(regime: Regime, seconds: number, random: Random): Regime {
  const stays = Math.exp(-seconds / LASTS_SECONDS[regime]);
  return uniform(random) < stays ? regime : random.pick(FOLLOWS[regime]);
}

function jump(perDay: number, size: number, seconds: number, random: Random): number {
  const happens = uniform(random) < 1 - Math.exp((-perDay * seconds) / 86_400);
  return happens ? size * normal(random) : 0;
}

/** Moves coins an outside source knows towards its price; the others stay as they are. */
export function followSource(
  state: PriceState,
  coins: readonly Coin[],
  source: PriceSource | undefined,
  nowMs: number,
): PriceState {
  if (source === undefined) return state;
  const logs = { ...state.logs };
  const homes = { ...state.homes };
  for (const { symbol } of coins) {
    const price = source.readPrice(symbol, nowMs);
    if (price === undefined || !(price > 0)) continue;
    const gap = Math.log(price) - (logs[symbol] ?? 0);
    logs[symbol] = (logs[symbol] ?? 0) + Math.max(-OUTSIDE_STEP_MAX, Math.min(OUTSIDE_STEP_MAX, gap));
    homes[symbol] = Math.log(price);
  }
  return { ...state, logs, homes };
}

/** Prices somebody hands in; each counts for as long as it is fresh. */
export class PushedPrices implements PriceSource {
  readonly #prices = new Map<string, { readonly price: number; readonly atMs: number }>();
  readonly #freshMs: number;

  constructor(freshMs = 30_000) {
    this.#freshMs = freshMs;
  }

  push(symbol: string, price: number, nowMs: number): void {
    this.#prices.set(symbol, { price, atMs: nowMs });
  }

  readPrice(symbol: string, nowMs: number): number | undefined {
    const found = this.#prices.get(symbol);
    return found === undefined || nowMs - found.atMs > this.#freshMs ? undefined : found.price;
  }
}

/** What one base coin costs in quote coins; a quote without a price of its own is the unit all are counted in. */
export function pairPrice(state: PriceState, base: string, quote: string): number {
  return Math.exp((state.logs[base] ?? 0) - (state.logs[quote] ?? 0));
}
