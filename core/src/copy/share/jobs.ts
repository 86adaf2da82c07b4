// Owns the note of what a leader did: fills of one order on one side of a market in one command are one thing to copy. Who
// copies it is decided when the command's own work is done.

import { openLots } from "../../book/book.ts";
import { atOrder, FLAG_IN_QUOTE, O_FLAGS, O_GENERATION, OF_FILLED } from "../../book/orders.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import { LEADER_STATES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import {
  JO_GENERATION,
  JO_KIND,
  JO_LEADER,
  JO_MARKET,
  JO_ORDER,
  JO_SHORT,
  JOF_CAUSE,
  JOF_LOTS,
  JOF_POSITION,
  JOF_VALUE,
  LE_COUNT,
  LE_STATE,
} from "../state/records.ts";

export const LEADER_NONE = LEADER_STATES.indexOf("none");
export const LEADER_ACTIVE = LEADER_STATES.indexOf("active");

/** Whether anybody copies the leader. */
export function isFollowed(core: Core, leader: number): boolean {
  const { leaders } = core.copies;
  return leaders.word(leader, LE_COUNT) !== 0 && leaders.word(leader, LE_STATE) !== LEADER_NONE;
}

function orderGeneration(core: Core, slot: number): number {
  return slot === 0 ? 0 : getWord(core.books.orderWords, atOrder(slot), O_GENERATION);
}

/** The job an action joins, 0 when it is the first of its kind in this command. */
function findJob(core: Core, leader: number, kind: number, market: number, short: number, position: number): number {
  const { jobs, fresh, orderSlot } = core.copies;
  for (let i = fresh.length - 1; i >= 0; i--) {
    const job = fresh[i] as number;
    if (jobs.word(job, JO_LEADER) !== leader) continue;
    const same =
      jobs.word(job, JO_KIND) === kind &&
      jobs.word(job, JO_MARKET) === market &&
      jobs.word(job, JO_SHORT) === short &&
      jobs.word(job, JO_ORDER) === orderSlot &&
      jobs.word(job, JO_GENERATION) === orderGeneration(core, orderSlot) &&
      jobs.double(job, JOF_POSITION) === position;
    // Only the leader's last action can go on: what he does stays in its order.
    return same ? job : 0;
  }
  return 0;
}

/** Makes the note of an action; what the kind needs beyond it is the caller's to write. */
export function addJob(
  core: Core,
  leader: number,
  kind: number,
  market: number,
  short: number,
  position: number,
): number {
  const { copies } = core;
  const job = copies.jobs.take();
  copies.jobs.setWord(job, JO_LEADER, leader);
  copies.jobs.setWord(job, JO_KIND, kind);
  copies.jobs.setWord(job, JO_MARKET, market);
  copies.jobs.setWord(job, JO_SHORT, short);
  copies.jobs.setWord(job, JO_ORDER, copies.orderSlot);
  copies.jobs.setWord(job, JO_GENERATION, orderGeneration(core, copies.orderSlot));
  copies.jobs.setDouble(job, JOF_POSITION, position);
  copies.jobs.setDouble(job, JOF_CAUSE, core.sequence);
  copies.fresh.push(job);
  copies.isMoving = true;
  return job;
}

/** A fill of the leader's: joins what the same order did before in this command. Negative when it is new. */
export function noteFill(
  core: Core,
  leader: number,
  kind: number,
  market: number,
  short: number,
  position: number,
  lots: number,
  valueUnits: number,
): number {
  const known = findJob(core, leader, kind, market, short, position);
  const job = known !== 0 ? known : addJob(core, leader, kind, market, short, position);
  core.copies.jobs.add(job, JOF_LOTS, lots);
  core.copies.jobs.add(job, JOF_VALUE, valueUnits);
  return known !== 0 ? job : 0 - job;
}

/** What the order being filled asks in all, filled part included: lots, or quote units where it is for an amount. */
export function orderTotal(core: Core): number {
  const { books, copies } = core;
  const slot = copies.orderSlot;
  if (slot === 0) return 0;
  const filled = getDouble(books.orderDoubles, atOrder(slot), OF_FILLED);
  return isInQuote(core) ? openLots(books, slot) : openLots(books, slot) + filled;
}

export function isInQuote(core: Core): boolean {
  const flags = getWord(core.books.orderWords, atOrder(core.copies.orderSlot), O_FLAGS);
  return (flags & FLAG_IN_QUOTE) !== 0;
}
