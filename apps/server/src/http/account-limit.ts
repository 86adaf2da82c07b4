// How much an account may request in a minute, across all its addresses. Charged once the caller is identified; the
// address paid before that. Never bans: the owner would pay for a thief.
import { createLimiter } from "./limit.ts";

export interface AccountLimit {
  /** The seconds to wait when the account has spent what it may; nothing otherwise. */
  charge(userId: string, weight: number, timeMs: number): number | undefined;
  /** What a call's reading cost beyond its weight. */
  chargeReading(userId: string, spentMs: number, timeMs: number): void;
}

const WINDOW_MS = 60_000;
/** The part of the readers' time that every call may use for its weight alone, and what one more weight buys. */
const FREE_MS = 10;
const MS_PER_WEIGHT = 2;

/** Undefined when nothing is counted. */
export function createAccountLimit(weightPerMinute: number): AccountLimit | undefined {
  if (weightPerMinute === 0) return undefined;
  const limiter = createLimiter({ weightMax: weightPerMinute, windowMs: WINDOW_MS });
  return {
    charge(userId, weight, timeMs) {
      const verdict = limiter.charge(userId, weight, timeMs);
      return verdict.allowed ? undefined : verdict.retryAfterSeconds;
    },
    chargeReading(userId, spentMs, timeMs) {
      if (spentMs > FREE_MS) limiter.spend(userId, Math.ceil((spentMs - FREE_MS) / MS_PER_WEIGHT), timeMs);
    },
  };
}
