// Rate limits: how much weight a caller may spend per window, and bans for callers who do not listen.
// Owns bounded tables only: a flood of addresses evicts the oldest, it never grows memory. Time comes in as an argument.

export interface LimitVerdict {
  readonly allowed: boolean;
  readonly banned: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly retryAfterSeconds: number;
}

export interface LimitOptions {
  /** 0 turns the limit off. */
  readonly weightMax: number;
  readonly windowMs: number;
  readonly callersMax?: number;
  /** Refusals within one window before a ban; 0 never bans. */
  readonly refusalsBeforeBan?: number;
  readonly banMs?: number;
  readonly banMaxMs?: number;
}

interface Spending {
  windowStartMs: number;
  used: number;
  refusals: number;
  bans: number;
  bannedUntilMs: number;
}

export interface Limiter {
  charge(caller: string, weight: number, nowMs: number): LimitVerdict;
  /** Costs known only afterwards: never refused, and paid by the calls that follow. */
  spend(caller: string, weight: number, nowMs: number): void;
  readonly callers: number;
}

const CALLERS_MAX = 50_000;
const BAN_MS = 120_000;
const BAN_MAX_MS = 3 * 86_400_000;
/** A caller who behaved this long after a ban starts clean. */
const FORGIVE_MS = 86_400_000;

export function createLimiter(options: LimitOptions): Limiter {
  const { weightMax, windowMs } = options;
  const callersMax = options.callersMax ?? CALLERS_MAX;
  const orderedFrom = callersMax / 2;
  const callers = new Map<string, Spending>();

  const open = (caller: string, nowMs: number): Spending => {
    const known = callers.get(caller);
    const spending = known ?? { windowStartMs: nowMs, used: 0, refusals: 0, bans: 0, bannedUntilMs: 0 };
    if (nowMs - spending.windowStartMs >= windowMs || nowMs < spending.windowStartMs) {
      spending.windowStartMs = nowMs;
      spending.used = 0;
      spending.refusals = 0;
      if (nowMs - spending.bannedUntilMs > FORGIVE_MS) spending.bans = 0;
    }
    if (known === undefined) {
      if (callers.size >= callersMax) removeOldest(callers, nowMs);
      callers.set(caller, spending);
    } else if (callers.size >= orderedFrom) {
      // Re-inserting keeps the map in order of last use, so the first key is the one to evict. While the table is at
      // most half full no eviction is near, and the reordering is skipped.
      callers.delete(caller);
      callers.set(caller, spending);
    }
    return spending;
  };

  return {
    get callers() {
      return callers.size;
    },
    spend(caller, weight, nowMs) {
      if (weightMax > 0) open(caller, nowMs).used += weight;
    },
    charge(caller, weight, nowMs) {
      if (weightMax === 0) return verdict(true, false, 0, 0, 0, 0);
      const spending = open(caller, nowMs);
      const resetSeconds = secondsUntil(spending.windowStartMs + windowMs, nowMs);
      if (spending.bannedUntilMs > nowMs) {
        return verdict(false, true, weightMax, 0, resetSeconds, secondsUntil(spending.bannedUntilMs, nowMs));
      }
      if (spending.used + weight <= weightMax) {
        spending.used += weight;
        return verdict(true, false, weightMax, weightMax - spending.used, resetSeconds, 0);
      }
      spending.refusals += 1;
      const timeout = options.refusalsBeforeBan ?? 0;
      if (timeout > 0 && spending.refusals > timeout) {
        const banMs = Math.min((options.banMs ?? BAN_MS) * 2 ** spending.bans, options.banMaxMs ?? BAN_MAX_MS);
        spending.bans += 1;
        spending.bannedUntilMs = nowMs + banMs;
        return verdict(false, true, weightMax, 0, resetSeconds, secondsUntil(spending.bannedUntilMs, nowMs));
      }
      return verdict(false, false, weightMax, Math.max(0, weightMax - spending.used), resetSeconds, resetSeconds);
    },
  };
}

function secondsUntil(timeMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((timeMs - nowMs) / 1000));
}

/** The least recently seen caller goes first, a banned one last: a flood must not evict a ban cheaply. */
function removeOldest(callers: Map<string, Spending>, nowMs: number): void {
  let looked = 0;
  let first: string | undefined;
  for (const [caller, spending] of callers) {
    first ??= caller;
    if (spending.bannedUntilMs <= nowMs) {
      callers.delete(caller);
      return;
    }
    looked += 1;
    if (looked >= 16) break;
  }
  if (first !== undefined) callers.delete(first);
}

function verdict(
  allowed: boolean,
  banned: boolean,
  limit: number,
  remaining: number,
  resetSeconds: number,
  retryAfterSeconds: number,
): LimitVerdict {
  return { allowed, banned, limit, remaining, resetSeconds, retryAfterSeconds };
}
