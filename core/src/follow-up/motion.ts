// Owns what a command sets in motion: lists whose legs changed, then plans whose price came. Works it off in a fixed order
// before the command is over, as far as one command may; the rest waits in the queue, ahead of all that comes later.

import { atOrder, O_GENERATION } from "../book/orders.ts";
import { runRebalancer } from "../bot/rebalance/run.ts";
import { runBot } from "../bot/run.ts";
import { REBALANCE } from "../bot/state/rebalancers.ts";
import { fanOut, runCopy } from "../copy/fan-out.ts";
import { settleTouched } from "../copy/touched.ts";
import { repayMoved } from "../debt/owing.ts";
import { getWord } from "../memory/record.ts";
import { settleList } from "../order/plan/lists.ts";
import { playRealTrades } from "../perp/demo/fills.ts";
import { trimTouched } from "../perp/order/trim.ts";
import { eventPlaces } from "../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import type { Core } from "../state/core.ts";
import { FOLLOW_BOT, FOLLOW_COPY, FOLLOW_LIST, FOLLOW_PLAN } from "../trigger/follow-ups.ts";
import { firePlan, listOfPlan } from "./firing.ts";

const FOLLOW_UP = eventPlaces("followUp");

/** A price that goes through more lines of bots leaves them all to ticks: who sent the order does not wait for them. */
const BOTS_AT_ONCE = 32;

/** Whether a command has set anything in motion. */
export function isMoving(core: Core): boolean {
  const { touched, realTrades } = core.perps;
  return (
    core.touchedLists.length !== 0 ||
    core.triggers.due.length !== 0 ||
    touched.length !== 0 ||
    realTrades.length !== 0 ||
    core.copies.isMoving ||
    core.ledger.moved.length !== 0 ||
    core.bots.fresh.length !== 0
  );
}

/** Works off what was set in motion, or puts it behind what already waits. */
export function drain(core: Core): void {
  const { touchedLists, triggers, followUps } = core;
  const due = triggers.due;
  let next = 0;
  for (;;) {
    settleAtOnce(core);
    if (touchedLists.length === 0 && next === due.length) break;
    if (!followUps.isEmpty || !followUps.spend(core.sequence)) break;
    if (touchedLists.length !== 0) settleList(core, touchedLists.shift() as number);
    else firePlan(core, due[next++] as number);
  }
  const isFirst = followUps.isEmpty && core.bots.fresh.length <= BOTS_AT_ONCE;
  queueRest(core, next);
  // Copies come last; with nothing ahead of them they begin at once.
  if (isFirst) workOffQueue(core);
}

/**
 * Nothing may come between these and their fill: reducing orders never exceed a position, demo orders see each trade, a
 * leader's share is what it should be, a debt is repaid.
 */
function settleAtOnce(core: Core): void {
  const { touched, realTrades } = core.perps;
  const shares = core.copies.touched;
  const { moved } = core.ledger;
  while (touched.length !== 0 || realTrades.length !== 0 || shares.length !== 0 || moved.length !== 0) {
    if (touched.length !== 0) trimTouched(core);
    else if (realTrades.length !== 0) playRealTrades(core);
    else if (shares.length !== 0) settleTouched(core);
    else repayMoved(core);
  }
}

/** What this command has no room for. */
function queueRest(core: Core, firstDue: number): void {
  const { touchedLists, triggers, followUps } = core;
  if (touchedLists.length !== 0 || triggers.due.length !== 0) queueOrders(core, firstDue);
  const { fresh } = core.bots;
  for (let i = 0; i < fresh.length; i++)
    followUps.add(FOLLOW_BOT, fresh.at(i, 0), fresh.at(i, 1), core.sequence, fresh.at(i, 2));
  fresh.clear();
  if (!core.copies.isMoving) return;
  fanOut(core);
  core.copies.isMoving = false;
}

function queueOrders(core: Core, firstDue: number): void {
  const { touchedLists, triggers, followUps } = core;
  for (const list of touchedLists) followUps.add(FOLLOW_LIST, 0, core.books.orders.id(list), core.sequence, 0);
  for (let i = firstDue; i < triggers.due.length; i++)
    followUps.add(FOLLOW_PLAN, 0, triggers.due[i] as number, core.sequence, 0);
  touchedLists.length = 0;
  triggers.due.length = 0;
}

/** On a tick: what earlier commands left, oldest first. A list that one of them touches comes before the next. */
export function workOffQueue(core: Core): void {
  const { followUps, touchedLists } = core;
  while (!followUps.isEmpty && followUps.spend(core.sequence)) {
    followUps.shift();
    runQueued(core);
    settleAtOnce(core);
    while (touchedLists.length !== 0 && followUps.spend(core.sequence)) {
      settleList(core, touchedLists.shift() as number);
      settleAtOnce(core);
    }
    queueRest(core, 0);
  }
}

/** What follows was caused by that command, unless it is this one; an order's slot is 0 where there is none. */
function emitCause(core: Core, kind: number, slot: number, cause: number): void {
  if (cause === core.sequence) return;
  const record = core.events.openClean(FOLLOW_UP.kind, kind, 0, 0, core.sequence);
  core.events.setDouble(record, FOLLOW_UP.cause, cause);
  core.events.setId(record, FOLLOW_UP.orderId, slot, getWord(core.books.orderWords, atOrder(slot), O_GENERATION));
}

function runQueued(core: Core): void {
  const { kind, record: job, subject, cause, value } = core.followUps.taken;
  if (kind === FOLLOW_COPY) {
    emitCause(core, kind, 0, cause);
    runCopy(core, job, subject, value);
    return;
  }
  if (kind === FOLLOW_BOT) {
    emitCause(core, kind, 0, cause);
    if (subject === REBALANCE) runRebalancer(core, job);
    else runBot(core, job, subject, value);
    return;
  }
  const slot = subject % ORDER_SLOT_COUNT;
  // It may be over since, and its slot another's.
  if (core.books.orders.id(slot) !== subject) return;
  emitCause(core, kind, slot, cause);
  if (kind === FOLLOW_LIST) settleList(core, slot);
  else {
    // A sibling may have been filled while the plan waited: then its list takes the plan back.
    settleList(core, listOfPlan(core, slot));
    firePlan(core, subject);
  }
}
