// Owns what happens because time has passed: what earlier commands left to do, timers of orders, deadlines, the clock of
// perpetuals. Each part decides for itself what is due.

import { expireHold } from "../account/holds.ts";
import { expireRestriction } from "../account/restrict.ts";
import { atOrder, FLAG_ROLE, O_FLAGS, ROLE_TWAP } from "../book/orders.ts";
import { wakeRebalancer } from "../bot/rebalance/run.ts";
import { wakeByClock } from "../bot/run.ts";
import { tickCopies } from "../copy/clock.ts";
import { nextCopyAt } from "../copy/clock-state.ts";
import { getWord } from "../memory/record.ts";
import { fireDeadMan, roleOf } from "../order/end/cancel-all.ts";
import { endResting } from "../order/end/finish.ts";
import { runTwap } from "../order/plan/twap.ts";
import { nextPerpAt, tickPerps } from "../perp/clock.ts";
import { END_REASONS } from "../protocol/names.ts";
import { type Core, DEADLINE_BOT, DEADLINE_HOLD, DEADLINE_REBALANCER } from "../state/core.ts";
import { drain, workOffQueue } from "./motion.ts";

const REASON_GTD = END_REASONS.indexOf("GTD_EXPIRED");

/** When a tick is next needed: at once while follow-ups wait. */
export function nextTickAt(core: Core): number {
  if (!core.followUps.isEmpty) return core.now;
  return Math.min(core.timers.nextAt, core.deadlines.nextAt, nextPerpAt(core), nextCopyAt(core));
}

/** Everything due by now, earliest first; what perpetuals do on their own clock comes after. */
export function tick(core: Core): number {
  workOffQueue(core);
  tickOrders(core);
  tickDeadlines(core);
  tickPerps(core);
  tickCopies(core);
  return 0;
}

function tickOrders(core: Core): void {
  while (core.timers.nextAt <= core.now) {
    const slot = core.timers.nextSlot;
    core.timers.remove(slot);
    const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_ROLE) === 0) endResting(core, slot, REASON_GTD);
    else if (roleOf(core, slot) === ROLE_TWAP) runTwap(core, slot);
    else fireDeadMan(core, slot);
    drain(core);
  }
}

function tickDeadlines(core: Core): void {
  const { deadlines } = core;
  while (deadlines.nextAt <= core.now) {
    if (deadlines.nextKind === DEADLINE_HOLD) expireHold(core, deadlines.nextOwner);
    else if (deadlines.nextKind === DEADLINE_BOT) wakeByClock(core, deadlines.nextOwner);
    else if (deadlines.nextKind === DEADLINE_REBALANCER) wakeRebalancer(core, deadlines.nextOwner);
    else expireRestriction(core, deadlines.nextOwner);
  }
}
