// Pure rules of recurring buys: valid plans, amounts per source, and the backtest.

import { parseDecimal } from "@clockwork/kit/decimal";
import { firstRunMs, nextRunMs, type PlanSchedule, splitByWeights } from "@clockwork/kit/earn/schedule";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PlanSource } from "./contract.ts";
import type { PlanRefusal } from "./refusals.ts";
import type { PlanRow } from "./store.ts";

export const PLANS_MAX = 10;
export const SKIPS_MAX = 3;
/** A run later than this is skipped. */
export const LATE_MS = HOUR_MS;
export const PLAN_LEVEL = 1;
export const USDT_SCALE = 6;
export const COIN_MIN_UNITS = 1_000_000n;
/** The fee of a market buy, of ten thousand. */
const FEE_BPS = 10n;

export interface Weighted {
  readonly asset: string;
  readonly weight: number;
}

export function checkCoins(coins: readonly Weighted[], amountUnits: bigint | undefined): PlanRefusal | undefined {
  const sum = coins.reduce((total, { weight }) => total + weight, 0);
  if (sum !== 100 || new Set(coins.map(({ asset }) => asset)).size !== coins.length) return "PLAN_WEIGHTS";
  if (amountUnits === undefined) return "PLAN_AMOUNT";
  const parts = splitByWeights(
    amountUnits,
    coins.map(({ weight }) => weight),
  );
  return parts.some((part) => part < COIN_MIN_UNITS) ? "PLAN_AMOUNT" : undefined;
}

export function scheduleOf(row: PlanRow): PlanSchedule {
  return { rhythm: row.rhythm, minuteOfDay: row.minute_of_day, weekday: row.weekday, monthDay: row.month_day };
}

/** From each source its balance, in order; undefined when the total is too small. */
export function takeFrom(
  amountUnits: bigint,
  sources: readonly { readonly source: PlanSource; readonly freeUnits: bigint }[],
): { readonly source: PlanSource; readonly takenUnits: bigint }[] | undefined {
  let missing = amountUnits;
  const taken = sources.map(({ source, freeUnits }) => {
    const takenUnits = freeUnits < missing ? freeUnits : missing;
    missing -= takenUnits;
    return { source, takenUnits };
  });
  return missing > 0n ? undefined : taken;
}

export interface PastCoin {
  readonly weight: number;
  readonly scale: number;
  /** By the time each price was known at, oldest first. */
  readonly closes: readonly { readonly timeMs: number; readonly price: string }[];
}

export interface PastPoint {
  readonly timeMs: number;
  readonly putInUnits: bigint;
  readonly worthUnits: bigint;
}

/** The plan on past prices, with the fee of a market buy: the investment and its worth after each run. */
export function lookBack(
  amountUnits: bigint,
  coins: readonly PastCoin[],
  schedule: PlanSchedule,
  fromMs: number,
  toMs: number,
): PastPoint[] {
  const held = coins.map(() => 0n);
  // The last bar that had closed; none before the first has.
  const places = coins.map(() => -1);
  const points: PastPoint[] = [];
  const parts = splitByWeights(
    amountUnits,
    coins.map(({ weight }) => weight),
  );
  let putInUnits = 0n;
  for (let dueMs = firstRunMs(schedule, fromMs); dueMs <= toMs; dueMs = nextRunMs(schedule, dueMs, dueMs)) {
    let worthUnits = 0n;
    const prices = coins.map(({ closes }, index) => {
      while ((closes[(places[index] as number) + 1]?.timeMs ?? Number.POSITIVE_INFINITY) <= dueMs) {
        places[index] = (places[index] as number) + 1;
      }
      return priceOf(closes[places[index] as number]?.price);
    });
    // A run without every price buys nothing.
    if (prices.includes(undefined)) continue;
    for (const [index, coin] of coins.entries()) {
      const price = prices[index] as Price;
      const one = 10n ** BigInt(coin.scale) * 10n ** BigInt(price.scale);
      const paid = ((parts[index] as bigint) * (10_000n - FEE_BPS)) / 10_000n;
      held[index] = (held[index] as bigint) + (paid * one) / (price.units * 10n ** BigInt(USDT_SCALE));
      worthUnits += ((held[index] as bigint) * price.units * 10n ** BigInt(USDT_SCALE)) / one;
    }
    putInUnits += amountUnits;
    points.push({ timeMs: dueMs, putInUnits, worthUnits });
  }
  return points;
}

interface Price {
  readonly units: bigint;
  readonly scale: number;
}

function priceOf(text: string | undefined): Price | undefined {
  const read = text === undefined ? undefined : parseDecimal(text);
  return read?.ok === true && read.value.units > 0n ? read.value : undefined;
}
