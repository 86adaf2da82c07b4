// Request limits of the Binance dialect: weight by address and by account, orders by account and by key, each market's
// calls and those of wallets counted separately, as clients expect. An address that continues after refusals is banned
// for some time.

import { addressKey } from "@clockwork/host/address";
import type { KeyLimits } from "@clockwork/identity/apikeys/contract";
import { createLimiter, type Limiter, type LimitVerdict } from "../http/limit.ts";
import { DialectRefusal } from "./refusal.ts";

/** Calls that share a budget: spot, contracts in USDT, contracts in coins, wallets and the rest. */
export type Family = "api" | "fapi" | "dapi" | "sapi";
const FAMILIES: readonly Family[] = ["api", "fapi", "dapi", "sapi"];
/** By address and minute. */
export const WEIGHTS_PER_MINUTE: Readonly<Record<Family, number>> = {
  api: 6_000,
  fapi: 2_400,
  dapi: 2_400,
  sapi: 12_000,
};
export const WEIGHT_PER_MINUTE = WEIGHTS_PER_MINUTE.api;
/** Budgets counted by account alone have their own scale. */
const OWN_WEIGHTS_PER_MINUTE: Readonly<Record<Family, number>> = { ...WEIGHTS_PER_MINUTE, sapi: 180_000 };
export const ORDERS_PER_TEN_SECONDS = 50;
export const ORDERS_PER_DAY = 160_000;
const REFUSALS_BEFORE_BAN = 100;
const TEN_SECONDS_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const families = new Map<string, Family>();

/** By the path of a call or of a socket. */
export function familyOf(path: string): Family {
  const known = families.get(path);
  if (known !== undefined) return known;
  const name = /^\/(?:ws-)?(fapi|dapi|sapi)\b/.exec(path)?.[1] as Family | undefined;
  const family = name ?? (path.startsWith("/futures/") ? "fapi" : "api");
  // Paths are those of endpoints.
  families.set(path, family);
  return family;
}

export interface DialectLimits {
  /** Weight used in this minute. Throws once it is too much. */
  chargeWeight(address: string, weight: number, timeMs: number, family?: Family): number;
  /**
   * The account's share of it, across its keys' addresses. Throws once it is exceeded, and never bans: a thief would
   * lock out its owner.
   */
  chargeAccount(userId: number, weight: number, timeMs: number, family?: Family): number;
  /** Weight used in this minute so far, also by those who are refused. */
  readWeight(address: string, timeMs: number, family?: Family): number;
  /** Orders used in ten seconds and in a day. Throws once they are too many. */
  chargeOrders(
    requested: { readonly userId: number; readonly apiKey: string; readonly orderRate: number },
    orders: number,
    timeMs: number,
    family?: Family,
    /** What only closes passes when the orders are used up, as many times again. */
    isClosing?: boolean,
  ): OrdersUsed;
  readOrders(userId: number, timeMs: number, family?: Family): OrdersUsed;
  /** Usage next to the limits; 0 where nothing is counted. */
  readAll(userId: number, address: string, timeMs: number): Omit<KeyLimits, "streams" | "connections">;
}

export interface OrdersUsed {
  readonly tenSeconds: number;
  readonly day: number;
}

/** Counted, and never too many. */
const BOUNDLESS = Number.MAX_SAFE_INTEGER;

/**
 * `orderFactorOf` is the multiple of the usual order limit that a user has. Where weights are not counted, orders are
 * not held back either.
 */
export function dialectLimits(isCounted: boolean, orderFactorOf: (userId: number) => number): DialectLimits {
  const budgets = Object.fromEntries(FAMILIES.map((family) => [family, openBudget(isCounted, family)])) as Readonly<
    Record<Family, Budget>
  >;
  const burstOf = (userId: number): number => (isCounted ? ORDERS_PER_TEN_SECONDS * orderFactorOf(userId) : BOUNDLESS);
  const readOrders = (userId: number, timeMs: number, family: Family = "api"): OrdersUsed => {
    const { bursts, days } = budgets[family].orders;
    const account = String(userId);
    const soon = bursts(burstOf(userId)).charge(account, 0, timeMs);
    return { tenSeconds: usedOf(soon), day: usedOf(days.charge(account, 0, timeMs)) };
  };
  const keyOf = rememberLast(addressKey);
  const readWeight = (address: string, timeMs: number, family: Family = "api"): number =>
    usedOf(budgets[family].weights.charge(keyOf(address), 0, timeMs));
  const readAccount = (userId: number, timeMs: number): number =>
    usedOf(budgets.api.accounts.charge(String(userId), 0, timeMs));
  const tooHeavy = (limit: number, retryAfterSeconds: number): DialectRefusal => {
    const message = `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`;
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
    chargeWeight(address, weight, timeMs, family = "api") {
      const verdict = budgets[family].weights.charge(keyOf(address), weight, timeMs);
      const { retryAfterSeconds } = verdict;
      if (verdict.allowed) return usedOf(verdict);
      if (verdict.banned) {
        const untilMs = timeMs + retryAfterSeconds * 1_000;
        const message = `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket Streams for live updates to avoid bans.`;
        throw new DialectRefusal(-1003, message, 418, { retryAfterSeconds });
      }
      throw tooHeavy(WEIGHTS_PER_MINUTE[family], retryAfterSeconds);
    },
    chargeAccount(userId, weight, timeMs, family = "api") {
      if (weight === 0) return 0;
      const verdict = budgets[family].accounts.charge(String(userId), weight, timeMs);
      if (!verdict.allowed) throw tooHeavy(OWN_WEIGHTS_PER_MINUTE[family], verdict.retryAfterSeconds);
      return usedOf(verdict);
    },
    chargeOrders(requested, orders, timeMs, family = "api", isClosing = false) {
      const budget = budgets[family];
      const burst = burstOf(requested.userId);
      const charge = (counted: OrderBudget): OrdersUsed => chargeOrders(counted, burst, requested, orders, timeMs);
      if (!isClosing) return charge(budget.orders);
      try {
        return charge(budget.orders);
      } catch (error) {
        if (!(error instanceof DialectRefusal)) throw error;
        charge(budget.closings);
        return readOrders(requested.userId, timeMs, family);
      }
    },
  };
}

interface OrderBudget {
  readonly bursts: ReturnType<typeof limitersBy>;
  readonly days: Limiter;
  readonly keys: ReturnType<typeof limitersBy>;
}

interface Budget {
  readonly weights: Limiter;
  readonly accounts: Limiter;
  readonly orders: OrderBudget;
  readonly closings: OrderBudget;
}

function openBudget(isCounted: boolean, family: Family): Budget {
  const openOrders = (): OrderBudget => ({
    bursts: limitersBy(TEN_SECONDS_MS),
    days: createLimiter({ weightMax: isCounted ? ORDERS_PER_DAY : BOUNDLESS, windowMs: DAY_MS }),
    keys: limitersBy(TEN_SECONDS_MS),
  });
  return {
    weights: createLimiter({
      weightMax: isCounted ? WEIGHTS_PER_MINUTE[family] : 0,
      windowMs: MINUTE_MS,
      refusalsBeforeBan: REFUSALS_BEFORE_BAN,
    }),
    accounts: createLimiter({ weightMax: isCounted ? OWN_WEIGHTS_PER_MINUTE[family] : 0, windowMs: MINUTE_MS }),
    orders: openOrders(),
    closings: openOrders(),
  };
}

function chargeOrders(
  { bursts, days, keys }: OrderBudget,
  burst: number,
  { userId, apiKey, orderRate }: Parameters<DialectLimits["chargeOrders"]>[0],
  orders: number,
  timeMs: number,
): OrdersUsed {
  const tooMany = (interval: string, limit: number, retryAfterSeconds: number): DialectRefusal => {
    const message = `Too many new orders; current limit is ${limit} orders per ${interval}.`;
    return new DialectRefusal(-1015, message, 429, { retryAfterSeconds });
  };
  const account = String(userId);
  // A key that was not held back by its owner may send all that its owner may.
  const rate = orderRate < ORDERS_PER_TEN_SECONDS ? orderRate : burst;
  const own = keys(rate).charge(apiKey, orders, timeMs);
  if (!own.allowed) throw tooMany("10 SECOND", rate, own.retryAfterSeconds);
  const soon = bursts(burst).charge(account, orders, timeMs);
  if (!soon.allowed) throw tooMany("10 SECOND", burst, soon.retryAfterSeconds);
  const day = days.charge(account, orders, timeMs);
  if (!day.allowed) throw tooMany("1 DAY", ORDERS_PER_DAY, day.retryAfterSeconds);
  return { tenSeconds: usedOf(soon), day: usedOf(day) };
}

/** Calls come in rows from one address. */
function rememberLast(find: (text: string) => string): (text: string) => string {
  let [requested, found] = ["", find("")];
  return (text) => {
    if (text !== requested) [requested, found] = [text, find(text)];
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
