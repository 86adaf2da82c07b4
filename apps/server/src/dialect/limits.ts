// How much a client of the Binance dialect may ask for: weight by address and by account, orders by account and by key. An
// address that goes on after being told to stop is banned for a while.
import type { KeyLimits } from "@clockwork/domains/apikeys/api";
import { addressKey } from "../http/address.ts";
import { createLimiter, type LimitVerdict } from "../http/limit.ts";
import { DialectRefusal } from "./refusal.ts";

export const WEIGHT_PER_MINUTE = 6_000;
export const ORDERS_PER_TEN_SECONDS = 50;
export const ORDERS_PER_DAY = 160_000;
const REFUSALS_BEFORE_BAN = 100;
const TEN_SECONDS_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface DialectLimits {
  /** Weight used in this minute. Throws once it is too much. */
  chargeWeight(address: string, weight: number, timeMs: number): number;
  /** The account's share of it, wherever its keys ask from. Throws once it is too much, and never bans: a thief would bar its owner. */
  chargeAccount(userId: number, weight: number, timeMs: number): void;
  /** Weight used in this minute so far, also by those who are refused. */
  readWeight(address: string, timeMs: number): number;
  /** Orders used in ten seconds and in a day. Throws once they are too many. */
  chargeOrders(
    asked: { readonly userId: number; readonly apiKey: string; readonly orderRate: number },
    orders: number,
    timeMs: number,
  ): OrdersUsed;
  readOrders(userId: number, timeMs: number): OrdersUsed;
  /** What was used, beside what there is; 0 where nothing is counted. */
  readAll(userId: number, address: string, timeMs: number): Omit<KeyLimits, "streams" | "connections">;
}

export interface OrdersUsed {
  readonly tenSeconds: number;
  readonly day: number;
}

/** Counted, and never too many. */
const BOUNDLESS = Number.MAX_SAFE_INTEGER;

/** `orderFactorOf` says how many times the orders of everybody else a user may send. Where weights are not counted,
 *  orders are not held back either. */
export function dialectLimits(isCounted: boolean, orderFactorOf: (userId: number) => number): DialectLimits {
  const weights = createLimiter({
    weightMax: isCounted ? WEIGHT_PER_MINUTE : 0,
    windowMs: MINUTE_MS,
    refusalsBeforeBan: REFUSALS_BEFORE_BAN,
  });
  const accounts = createLimiter({ weightMax: isCounted ? WEIGHT_PER_MINUTE : 0, windowMs: MINUTE_MS });
  const bursts = limitersBy(TEN_SECONDS_MS);
  const days = createLimiter({ weightMax: isCounted ? ORDERS_PER_DAY : BOUNDLESS, windowMs: DAY_MS });
  const keys = limitersBy(TEN_SECONDS_MS);
  const burstOf = (userId: number): number => (isCounted ? ORDERS_PER_TEN_SECONDS * orderFactorOf(userId) : BOUNDLESS);
  const tooMany = (interval: string, limit: number, retryAfterSeconds: number): DialectRefusal => {
    const message = `Too many new orders; current limit is ${limit} orders per ${interval}.`;
    return new DialectRefusal(-1015, message, 429, { retryAfterSeconds });
  };
  const readOrders = (userId: number, timeMs: number): OrdersUsed => {
    const account = String(userId);
    const soon = bursts(burstOf(userId)).charge(account, 0, timeMs);
    return { tenSeconds: usedOf(soon), day: usedOf(days.charge(account, 0, timeMs)) };
  };
  const keyOf = rememberLast(addressKey);
  const readWeight = (address: string, timeMs: number): number => usedOf(weights.charge(keyOf(address), 0, timeMs));
  const readAccount = (userId: number, timeMs: number): number => usedOf(accounts.charge(String(userId), 0, timeMs));
  const tooHeavy = (retryAfterSeconds: number): DialectRefusal => {
    const message = `Too much request weight used; current limit is ${WEIGHT_PER_MINUTE} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`;
    return new DialectRefusal(-1003, message, 429, { retryAfterSeconds });
  };
  return {
    readWeight,
    readOrders,
    readAll(userId, address, timeMs) {
      const { tenSeconds, day } = readOrders(userId, timeMs);
      const max = (limit: number): number => (isCounted ? limit : 0);
      return {
        weight: {
          used: Math.max(readWeight(address, timeMs), readAccount(userId, timeMs)),
          max: max(WEIGHT_PER_MINUTE),
        },
        ordersTenSeconds: { used: tenSeconds, max: max(burstOf(userId)) },
        ordersDay: { used: day, max: max(ORDERS_PER_DAY) },
      };
    },
    chargeWeight(address, weight, timeMs) {
      const verdict = weights.charge(keyOf(address), weight, timeMs);
      const { retryAfterSeconds } = verdict;
      if (verdict.allowed) return usedOf(verdict);
      if (verdict.banned) {
        const untilMs = timeMs + retryAfterSeconds * 1_000;
        const message = `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket Streams for live updates to avoid bans.`;
        throw new DialectRefusal(-1003, message, 418, { retryAfterSeconds });
      }
      throw tooHeavy(retryAfterSeconds);
    },
    chargeAccount(userId, weight, timeMs) {
      if (weight === 0) return;
      const { allowed, retryAfterSeconds } = accounts.charge(String(userId), weight, timeMs);
      if (!allowed) throw tooHeavy(retryAfterSeconds);
    },
    chargeOrders({ userId, apiKey, orderRate }, orders, timeMs) {
      const account = String(userId);
      const burst = burstOf(userId);
      // A key that was not held back by its owner may send all that its owner may.
      const rate = orderRate < ORDERS_PER_TEN_SECONDS ? orderRate : burst;
      const own = keys(rate).charge(apiKey, orders, timeMs);
      if (!own.allowed) throw tooMany("10 SECOND", rate, own.retryAfterSeconds);
      const soon = bursts(burst).charge(account, orders, timeMs);
      if (!soon.allowed) throw tooMany("10 SECOND", burst, soon.retryAfterSeconds);
      const day = days.charge(account, orders, timeMs);
      if (!day.allowed) throw tooMany("1 DAY", ORDERS_PER_DAY, day.retryAfterSeconds);
      return { tenSeconds: usedOf(soon), day: usedOf(day) };
    },
  };
}

/** Calls come in rows from one address. */
function rememberLast(find: (text: string) => string): (text: string) => string {
  let [asked, found] = ["", find("")];
  return (text) => {
    if (text !== asked) [asked, found] = [text, find(text)];
    return found;
  };
}

/** One for each rate there is. */
function limitersBy(windowMs: number): (rate: number) => ReturnType<typeof createLimiter> {
  const made = new Map<number, ReturnType<typeof createLimiter>>();
  return (rate) => {
    const known = made.get(rate) ?? createLimiter({ weightMax: rate, windowMs });
    made.set(rate, known);
    return known;
  };
}

function usedOf({ limit, remaining }: LimitVerdict): number {
  return limit - remaining;
}
