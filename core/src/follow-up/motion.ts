// Owns what a command sets in motion: timers that are due, lists whose legs changed, plans whose price came.
// Works it off to the end, in a fixed order, before the command is over.
import { expireHold } from "../account/holds.ts";
import { expireRestriction } from "../account/restrict.ts";
import { FLAG_ROLE, O_FLAGS, ORDER_SHIFT, ROLE_DEAD_MAN, ROLE_TWAP } from "../book/orders.ts";
import { fireDeadMan, roleOf } from "../order/end/cancel-all.ts";
import { endResting } from "../order/end/finish.ts";
import { settleList } from "../order/plan/lists.ts";
import { runTwap } from "../order/plan/twap.ts";
import { tickPerps } from "../perp/clock.ts";
import { playRealTrades } from "../perp/demo/fills.ts";
import { trimTouched } from "../perp/order/trim.ts";
import { END_REASONS } from "../protocol/names.ts";
import { type Core, DEADLINE_HOLD } from "../state/core.ts";
import { firePlan } from "./firing.ts";

const REASON_GTD = END_REASONS.indexOf("GTD_EXPIRED");

/** Everything due by now, earliest first; what perpetuals do on their own clock comes after. */
export function tick(core: Core): number {
  tickOrders(core);
  tickDeadlines(core);
  tickPerps(core);
  return 0;
}

function tickOrders(core: Core): void {
  while (core.timers.nextAt <= core.now) {
    const slot = core.timers.nextSlot;
    core.timers.remove(slot);
    const flags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
    if ((flags & FLAG_ROLE) === 0) endResting(core, slot, REASON_GTD);
    else if (roleOf(core, slot) === ROLE_TWAP) runTwap(core, slot);
    else if (roleOf(core, slot) === ROLE_DEAD_MAN) fireDeadMan(core, slot);
    drain(core);
  }
}

function tickDeadlines(core: Core): void {
  const { deadlines } = core;
  while (deadlines.nextAt <= core.now) {
    if (deadlines.nextKind === DEADLINE_HOLD) expireHold(core, deadlines.nextOwner);
    else expireRestriction(core, deadlines.nextOwner);
  }
}

/** Whether a command has set anything in motion. */
export function isMoving(core: Core): boolean {
  const { touched, realTrades } = core.perps;
  return (
    core.touchedLists.length !== 0 || core.triggers.due.length !== 0 || touched.length !== 0 || realTrades.length !== 0
  );
}

/** Lists whose legs changed, then plans that became due, until nothing is in motion. */
export function drain(core: Core): void {
  const { touchedLists, triggers } = core;
  const due = triggers.due;
  let next = 0;
  for (;;) {
    if (core.perps.touched.length !== 0) trimTouched(core);
    else if (core.perps.realTrades.length !== 0) playRealTrades(core);
    else if (touchedLists.length !== 0) settleList(core, touchedLists.shift() as number);
    else if (next < due.length) firePlan(core, due[next++] as number);
    else break;
  }
  due.length = 0;
}
