// Owns when a basket of coins is rebalanced to its target weights, and by how much: a function of holdings and prices.
// Whole numbers throughout; moves nothing.
import { PRICE_TICKS_MAX } from "../instrument.ts";
import { mulDivFloor, RATE_ONE } from "../money.ts";

export const BASKET_COINS_MIN = 2;
export const BASKET_COINS_MAX = 10;
/** The sum of all weights. */
export const WEIGHTS_BPS = 10_000;
export const WEIGHT_MIN_BPS = 100;
export const THRESHOLD_MIN_BPS = 100;
export const THRESHOLD_MAX_BPS = 2_000;
export const INTERVAL_MIN_MS = 30 * 60_000;
export const INTERVAL_MAX_MS = 30 * 86_400_000;
/** How far from the best price a leg may trade. */
export const REBALANCE_SLIPPAGE_BPS = 100;
/** One part in this many of the value remains in quote, for fees and for prices worse than the last. */
const RESERVE_PART = 100n;

export interface BasketCoin {
  readonly weightBps: number;
  /** Whole lots held. */
  readonly lots: number;
  /** The price it is valued at. */
  readonly ticks: number;
  /** Quote units of one tick of one lot. */
  readonly tickLotUnits: number;
  readonly minLots: number;
  readonly minNotionalUnits: number;
}

/** The quote's weight is what the coins' weights leave. */
export interface Basket {
  readonly coins: readonly BasketCoin[];
  readonly quoteUnits: number;
}

export type RebalanceCause = "start" | "threshold" | "interval";

export interface RebalanceRule {
  /** 0 for none, as the interval. */
  readonly thresholdBps: number;
  readonly intervalMs: number;
  /** The end of the next interval. */
  readonly nextAt: number;
}

export function coinValue({ lots, ticks, tickLotUnits }: BasketCoin): bigint {
  return BigInt(lots) * BigInt(ticks) * BigInt(tickLotUnits);
}

export function basketValue({ coins, quoteUnits }: Basket): bigint {
  return coins.reduce((sum, coin) => sum + coinValue(coin), BigInt(quoteUnits));
}

/** The base of the weights: everything but the reserve. */
export function sharedValue(basket: Basket): bigint {
  const valueUnits = basketValue(basket);
  return valueUnits - (valueUnits + RESERVE_PART - 1n) / RESERVE_PART;
}

/** The share of each coin, and last of the quote without the reserve, in 1e-4 rounded down. */
export function sharesBps(basket: Basket): readonly number[] {
  const sharedUnits = sharedValue(basket);
  const spareUnits = BigInt(basket.quoteUnits) - (basketValue(basket) - sharedUnits);
  const parts = [...basket.coins.map(coinValue), spareUnits > 0n ? spareUnits : 0n];
  return parts.map((units) => (sharedUnits <= 0n ? 0 : Number((units * BigInt(WEIGHTS_BPS)) / sharedUnits)));
}

/** Whether these are valid weights: none too small, and the sum is the whole. */
export function areWeights(weightsBps: readonly number[]): boolean {
  const sumBps = weightsBps.reduce((sum, weightBps) => sum + weightBps, 0);
  return weightsBps.every((weightBps) => weightBps >= WEIGHT_MIN_BPS) && sumBps === WEIGHTS_BPS;
}

/** By threshold, by time, or by whichever comes first; 0 for none. */
export function isRule({ thresholdBps, intervalMs }: Omit<RebalanceRule, "nextAt">): boolean {
  const isThreshold = thresholdBps === 0 || (thresholdBps >= THRESHOLD_MIN_BPS && thresholdBps <= THRESHOLD_MAX_BPS);
  const isInterval =
    intervalMs === 0 ||
    (Number.isSafeInteger(intervalMs) && intervalMs >= INTERVAL_MIN_MS && intervalMs <= INTERVAL_MAX_MS);
  return isThreshold && isInterval && (thresholdBps !== 0 || intervalMs !== 0);
}

/** Whether a share, the quote's included when it has a weight, is off its target by the threshold or more. */
export function isOffTarget(basket: Basket, thresholdBps: number): boolean {
  const sharedUnits = sharedValue(basket);
  if (sharedUnits <= 0n) return false;
  const quoteBps = basket.coins.reduce((left, { weightBps }) => left - weightBps, WEIGHTS_BPS);
  const spareUnits = BigInt(basket.quoteUnits) - (basketValue(basket) - sharedUnits);
  const shares = basket.coins.map((coin) => [coinValue(coin), coin.weightBps] as const);
  if (quoteBps > 0) shares.push([spareUnits > 0n ? spareUnits : 0n, quoteBps]);
  return shares.some(([valueUnits, weightBps]) => {
    const off = valueUnits * BigInt(WEIGHTS_BPS) - sharedUnits * BigInt(weightBps);
    return (off < 0n ? 0n - off : off) >= sharedUnits * BigInt(thresholdBps);
  });
}

/** Why the basket rebalances now; undefined when it does not. */
export function rebalanceCause(rule: RebalanceRule, basket: Basket, now: number): RebalanceCause | undefined {
  if (rule.intervalMs !== 0 && now >= rule.nextAt) return "interval";
  return rule.thresholdBps !== 0 && isOffTarget(basket, rule.thresholdBps) ? "threshold" : undefined;
}

/** Lots of each coin to buy, negative to sell, 0 where the difference is under the market's minimum. */
export function rebalanceLots(basket: Basket): readonly number[] {
  const sharedUnits = sharedValue(basket);
  return basket.coins.map((coin) => {
    const lotUnits = BigInt(coin.ticks) * BigInt(coin.tickLotUnits);
    const target = (sharedUnits * BigInt(coin.weightBps)) / (BigInt(WEIGHTS_BPS) * lotUnits);
    const lots = Number(target) - coin.lots;
    const size = Math.abs(lots);
    const isTooSmall = size < coin.minLots || BigInt(size) * lotUnits < BigInt(coin.minNotionalUnits);
    return isTooSmall ? 0 : lots;
  });
}

/** The worst price of a leg for this best price. */
export function worstTicks(bestTicks: number): number {
  return Math.min(PRICE_TICKS_MAX, Math.floor((bestTicks * (WEIGHTS_BPS + REBALANCE_SLIPPAGE_BPS)) / WEIGHTS_BPS));
}

/** Lots the quote pays for at the worst price of a leg, fee included. */
export function affordableLots(
  quoteUnits: number,
  takerRate: number,
  limitTicks: number,
  tickLotUnits: number,
): number {
  const payable = mulDivFloor(quoteUnits, RATE_ONE, RATE_ONE + takerRate);
  return Math.floor(payable / (limitTicks * tickLotUnits));
}

/** The minimum investment that buys every coin's minimum: the weights apply to what the reserve leaves. */
export function leastInvestment(coins: readonly BasketCoin[]): bigint {
  let leastUnits = 0n;
  for (const { weightBps, ticks, tickLotUnits, minLots, minNotionalUnits } of coins) {
    const lotUnits = BigInt(ticks) * BigInt(tickLotUnits);
    const forNotional = (BigInt(minNotionalUnits) + lotUnits - 1n) / lotUnits;
    const lots = forNotional > BigInt(minLots) ? forNotional : BigInt(minLots);
    const parts = BigInt(weightBps) * (RESERVE_PART - 1n);
    const neededUnits = (lots * lotUnits * BigInt(WEIGHTS_BPS) * RESERVE_PART + parts - 1n) / parts + 1n;
    if (neededUnits > leastUnits) leastUnits = neededUnits;
  }
  return leastUnits;
}
