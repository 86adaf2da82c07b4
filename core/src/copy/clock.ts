// Owns what copy trading does as time passes: the settlement of every Monday 00:00 UTC, and followers' stop-losses and
// take-profits each second. Both go on with the next tick when there are many.
import { FOLLOW_CHANGES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { nextGuardAt, nextMonday } from "./clock-state.ts";
import { emitLeader } from "./emit.ts";
import { endFollow } from "./follow.ts";
import { followerEquity } from "./holdings.ts";
import { hasGuards } from "./settings.ts";
import { baseOf } from "./share/base.ts";
import { settleShare } from "./share-payment.ts";
import {
  FO_ACTIVE,
  FO_GUARDS,
  FO_STOP_LOSS,
  FO_TAKE_PROFIT,
  FOF_GUARDED,
  FOF_NEXT_GUARD,
  FOF_NEXT_SETTLEMENT,
  FOF_SETTLED,
  LE_NEXT_RATE,
  LE_RATE,
  LEF_RATE_FROM,
} from "./state/records.ts";

const SETTLEMENT = FOLLOW_CHANGES.indexOf("settlement");
const STOP_LOSS = FOLLOW_CHANGES.indexOf("stopLoss");
const TAKE_PROFIT = FOLLOW_CHANGES.indexOf("takeProfit");
const WHOLE_BPS = 10_000;
/** Follows whose guards one tick looks at. */
const GUARDS_MAX = 1_024;

export function tickCopies(core: Core): void {
  const { follows } = core.copies;
  const settlement = follows.double(0, FOF_NEXT_SETTLEMENT);
  if (settlement !== 0 && settlement <= core.now) settleWeek(core);
  const guard = follows.double(0, FOF_NEXT_GUARD);
  if (guard !== 0 && guard <= core.now) checkGuards(core);
}

/** Every follow's share, paid once: how far it has come is state. */
function settleWeek(core: Core): void {
  const { follows } = core.copies;
  let at = follows.double(0, FOF_SETTLED);
  if (at === 0) {
    changeRates(core);
    at = 1;
  }
  while (at < follows.table.count && core.followUps.spend(core.sequence)) {
    if (follows.word(at, FO_ACTIVE) !== 0) settleShare(core, at, SETTLEMENT, 0);
    at++;
  }
  const isDone = at >= follows.table.count;
  follows.setDouble(0, FOF_SETTLED, isDone ? 0 : at);
  if (isDone) follows.setDouble(0, FOF_NEXT_SETTLEMENT, nextMonday(core.now));
}

/** Shares that were announced count from this settlement on, however late it is; what it pays is still by the old ones. */
function changeRates(core: Core): void {
  const { leaders } = core.copies;
  for (let leader = 1; leader < leaders.table.count; leader++) {
    const from = leaders.double(leader, LEF_RATE_FROM);
    if (from === 0 || from > core.now) continue;
    leaders.setWord(leader, LE_RATE, leaders.word(leader, LE_NEXT_RATE));
    leaders.setWord(leader, LE_NEXT_RATE, 0);
    leaders.setDouble(leader, LEF_RATE_FROM, 0);
    emitLeader(core, leader);
  }
}

function checkGuards(core: Core): void {
  const { follows } = core.copies;
  let at = Math.max(1, follows.double(0, FOF_GUARDED));
  const end = Math.min(follows.table.count, at + GUARDS_MAX);
  for (; at < end; at++) {
    const cause = reachedGuard(core, at);
    if (cause < 0) continue;
    if (!core.followUps.spend(core.sequence)) break;
    endFollow(core, at, cause);
  }
  if (follows.word(0, FO_GUARDS) === 0) return;
  const isDone = at >= follows.table.count;
  follows.setDouble(0, FOF_GUARDED, isDone ? 0 : at);
  if (isDone) follows.setDouble(0, FOF_NEXT_GUARD, nextGuardAt(core));
}

/** The guard a follower's equity has reached, −1 for none. */
function reachedGuard(core: Core, follow: number): number {
  const { follows } = core.copies;
  if (follows.word(follow, FO_ACTIVE) === 0 || !hasGuards(core, follow)) return -1;
  const base = baseOf(core, follow);
  if (base === 0) return -1;
  const stop = follows.word(follow, FO_STOP_LOSS);
  const profit = follows.word(follow, FO_TAKE_PROFIT);
  const equity = followerEquity(core, follow) * WHOLE_BPS;
  if (stop !== 0 && equity <= base * stop) return STOP_LOSS;
  return profit !== 0 && equity >= base * profit ? TAKE_PROFIT : -1;
}
