// Guards whatever can be guessed: a try is counted before it is judged, so that guesses made at once cannot outrun the
// count. Knows keys, not accounts: an account that does not exist locks like any other.

import type { LoginStore } from "./login-store.ts";
import { type AttemptRule, FORGIVE_MS, lockMs } from "./rules.ts";

export interface Locked {
  readonly retryAfterSeconds: number;
}

/** A counted try that may be judged. */
export interface Attempt {
  /** It was right: earlier mistakes are forgotten. */
  succeed(): Promise<void>;
  /** It was right, but others' mistakes under the same key stay. */
  forgive(): Promise<void>;
  /** It was wrong; the last allowed one locks. */
  fail(): Promise<Locked | undefined>;
}

export interface AttemptService {
  /** Counts a try: it may be judged, or it must wait. */
  begin(key: string, rule: AttemptRule, timeMs: number): Promise<Attempt | Locked>;
}

const FORGET_EVERY = 1024;

export function isLocked(begun: Attempt | Locked): begun is Locked {
  return "retryAfterSeconds" in begun;
}

export function attemptService(store: LoginStore): AttemptService {
  let begun = 0;
  const wait = (untilMs: number, timeMs: number): Locked => ({
    retryAfterSeconds: Math.max(1, Math.ceil((untilMs - timeMs) / 1000)),
  });
  const shut = async (key: string, rule: AttemptRule, locks: number, timeMs: number): Promise<Locked> => {
    const untilMs = timeMs + lockMs(rule, locks);
    await store.lock(key, locks, untilMs);
    return wait(untilMs, timeMs);
  };

  return {
    async begin(key, rule, timeMs) {
      begun += 1;
      if (begun % FORGET_EVERY === 0) await store.forgetAttempts(timeMs - FORGIVE_MS);
      const row = await store.countAttempt(key, timeMs, FORGIVE_MS);
      if (row.locked_until_ms > timeMs) return wait(row.locked_until_ms, timeMs);
      // Tries beyond the last allowed one that are under way at the same time are not judged at all.
      if (row.failures > rule.triesMax) return shut(key, rule, row.locks, timeMs);
      return {
        succeed: () => store.clearAttempts(key),
        forgive: () => store.forgiveAttempt(key),
        fail: async () => (row.failures < rule.triesMax ? undefined : shut(key, rule, row.locks, timeMs)),
      };
    },
  };
}
