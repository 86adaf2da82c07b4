// Owns when copy trading needs a tick: the weekly settlement and the look at followers' guards. Runs neither.
import type { Core } from "../state/core.ts";
import { FO_GUARDS, FOF_GUARDED, FOF_NEXT_GUARD, FOF_NEXT_SETTLEMENT, FOF_SETTLED } from "./state/records.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday of 1970. */
const MONDAY_MS = 4 * DAY_MS;
const GUARD_MS = 1_000;

/** The first Monday 00:00 UTC after a time. */
export function nextMonday(time: number): number {
  return MONDAY_MS + (Math.floor((time - MONDAY_MS) / WEEK_MS) + 1) * WEEK_MS;
}

export function nextGuardAt(core: Core): number {
  return (Math.floor(core.now / GUARD_MS) + 1) * GUARD_MS;
}

/** From the first leader on there are settlements. */
export function startClock(core: Core): void {
  const { follows } = core.copies;
  if (follows.double(0, FOF_NEXT_SETTLEMENT) === 0) follows.setDouble(0, FOF_NEXT_SETTLEMENT, nextMonday(core.now));
}

/** Another follow (or one less) asks for guards to be looked at. */
export function countGuards(core: Core, change: number): void {
  const { follows } = core.copies;
  const count = follows.word(0, FO_GUARDS) + change;
  follows.setWord(0, FO_GUARDS, count);
  if (count === 0) {
    follows.setDouble(0, FOF_NEXT_GUARD, 0);
    follows.setDouble(0, FOF_GUARDED, 0);
  } else if (follows.double(0, FOF_NEXT_GUARD) === 0) follows.setDouble(0, FOF_NEXT_GUARD, nextGuardAt(core));
}

export function nextCopyAt(core: Core): number {
  const { follows } = core.copies;
  if (follows.double(0, FOF_SETTLED) !== 0 || follows.double(0, FOF_GUARDED) !== 0) return core.now;
  const settlement = follows.double(0, FOF_NEXT_SETTLEMENT);
  const guard = follows.double(0, FOF_NEXT_GUARD);
  const never = Number.POSITIVE_INFINITY;
  return Math.min(settlement === 0 ? never : settlement, guard === 0 ? never : guard);
}
