// How much every address may request in a minute, and how the remainder is reported. One table for all entries.
import { addressKey } from "@clockwork/host/address";
import { edgeRefusal, type Refusal } from "@clockwork/host/refusal";
import { createLimiter } from "./limit.ts";

export interface Charged {
  readonly policy: string;
  readonly standing: string;
  /** Why nothing is done for this call. */
  readonly refusal: Refusal | undefined;
  readonly retryAfterSeconds: number;
}

export interface AddressLimit {
  charge(address: string, weight: number): Charged;
}

const WEIGHT_WINDOW_MS = 60_000;
const REFUSALS_BEFORE_BAN = 600;

/** Undefined when nothing is counted. */
export function createAddressLimit(weightPerMinute: number, clock: () => number): AddressLimit | undefined {
  if (weightPerMinute === 0) return undefined;
  const limiter = createLimiter({
    weightMax: weightPerMinute,
    windowMs: WEIGHT_WINDOW_MS,
    refusalsBeforeBan: REFUSALS_BEFORE_BAN,
  });
  const policy = `"address";q=${weightPerMinute};w=${WEIGHT_WINDOW_MS / 1000}`;
  return {
    charge(address, weight) {
      const verdict = limiter.charge(addressKey(address), weight, clock());
      return {
        policy,
        standing: `"address";r=${verdict.remaining};t=${verdict.resetSeconds}`,
        refusal: verdict.allowed ? undefined : edgeRefusal(verdict.banned ? "BANNED" : "RATE_LIMITED"),
        retryAfterSeconds: verdict.retryAfterSeconds,
      };
    },
  };
}
