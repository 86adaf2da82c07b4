// The penalty of wrong tries: after a number of them a key is locked, each time for twice as long.

export interface AttemptRule {
  readonly triesMax: number;
  readonly lockMs: number;
}

/** The time to wait before a try is judged again. */
export interface RetryAfter {
  readonly retryAfterSeconds: number;
}

export const LOCK_MAX_MS = 86_400_000;
/** Old failures expire after a day without new ones. */
export const FORGIVE_MS = 86_400_000;

export function lockMs(rule: AttemptRule, locksBefore: number): number {
  return Math.min(LOCK_MAX_MS, rule.lockMs * 2 ** Math.min(locksBefore, 20));
}
