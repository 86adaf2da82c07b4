// Owns the profit share of a follower: R follows the money of the sub-book, and p × max(0, R − H) of it is set aside for the
// leader, more after a gain, less after a loss. Never pays.
import { assert } from "@clockwork/kit/assert";
import { mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import {
  COPY_FUTURES,
  FO_ACCOUNT,
  FO_ACTIVE,
  FO_CELL,
  FO_DAY,
  FO_KIND,
  FO_LEADER,
  FO_RATE,
  FO_TOUCHED,
  FOF_DAY_START,
  FOF_FUNDED,
  FOF_HELD,
  FOF_INVESTED,
  FOF_MARK,
  FOF_REALIZED,
  LE_ACCOUNT,
} from "../state/records.ts";

const SHARE_HELD = eventPlaces("shareHeld");

const PROFIT_SHARE = BUSINESSES.indexOf("profitShare");
const DAY_MS = 86_400_000;
const IS_TOUCHED = 1;
const IS_UNTOLD = 2;

/** All units of the follow's coin in its sub-book, the share among them. */
export function cashOf(core: Core, follow: number): number {
  const cell = core.copies.follows.word(follow, FO_CELL);
  return core.ledger.available(cell) + core.ledger.frozen(cell);
}

/** R: on futures all that is there beyond what was put in; spot counts it lot by lot. */
function realizedOf(core: Core, follow: number): number {
  const { follows } = core.copies;
  if (follows.word(follow, FO_KIND) !== COPY_FUTURES) return follows.double(follow, FOF_REALIZED);
  return cashOf(core, follow) - follows.double(follow, FOF_FUNDED);
}

/** What the share should be once R is so much. */
export function shareOf(core: Core, follow: number, realized: number): number {
  const { follows } = core.copies;
  if (follows.word(follow, FO_ACTIVE) === 0) return 0;
  const above = realized - follows.double(follow, FOF_MARK);
  return above <= 0 ? 0 : mulDivFloor(above, follows.word(follow, FO_RATE), RATE_ONE);
}

/** Has the hold brought up to date before anything else follows from this command. */
export function touchFollow(core: Core, follow: number): void {
  const { copies } = core;
  if ((copies.follows.word(follow, FO_TOUCHED) & IS_TOUCHED) !== 0) return;
  copies.follows.setWord(follow, FO_TOUCHED, copies.follows.word(follow, FO_TOUCHED) | IS_TOUCHED);
  copies.touched.push(follow);
  copies.isMoving = true;
}

/** What was realised or put in has changed: told with the hold, whether that changes or not. */
export function publishFollow(core: Core, follow: number): void {
  touchFollow(core, follow);
  core.copies.follows.setWord(follow, FO_TOUCHED, IS_TOUCHED | IS_UNTOLD);
}

/** A day's loss is counted from what was realised before the day's first change. */
export function turnDay(core: Core, follow: number): void {
  const { follows } = core.copies;
  const day = Math.floor(core.now / DAY_MS);
  if (follows.word(follow, FO_DAY) === day) return;
  follows.setWord(follow, FO_DAY, day);
  follows.setDouble(follow, FOF_DAY_START, follows.double(follow, FOF_REALIZED));
}

/** Brings R and the hold up to date. What is not there cannot be set aside: then all that is there is. */
export function refreshHold(core: Core, follow: number): void {
  const { follows } = core.copies;
  const realized = realizedOf(core, follow);
  const touched = follows.word(follow, FO_TOUCHED);
  let isUntold = (touched & IS_UNTOLD) !== 0;
  follows.setWord(follow, FO_TOUCHED, touched & IS_TOUCHED);
  if (realized !== follows.double(follow, FOF_REALIZED)) {
    turnDay(core, follow);
    follows.setDouble(follow, FOF_REALIZED, realized);
    isUntold = true;
  }
  const held = follows.double(follow, FOF_HELD);
  const free = core.ledger.available(follows.word(follow, FO_CELL));
  const isMoved = setHold(core, follow, Math.min(shareOf(core, follow, realized), held + free));
  if (isMoved || isUntold) emitHeld(core, follow);
}

/** A loss of so much is about to be taken and there is too little: what it takes off the share is free before. */
export function releaseForLoss(core: Core, follow: number, units: number): void {
  const after = shareOf(core, follow, realizedOf(core, follow) - units);
  if (after < core.copies.follows.double(follow, FOF_HELD)) setHold(core, follow, after);
  publishFollow(core, follow);
}

/** Whether anything had to be moved for it. */
function setHold(core: Core, follow: number, units: number): boolean {
  const { follows } = core.copies;
  const cell = follows.word(follow, FO_CELL);
  assert(units >= 0, "COPY-10", "a share of less than nothing is held");
  const delta = units - follows.double(follow, FOF_HELD);
  if (delta === 0) return false;
  if (delta > 0) core.ledger.freeze(cell, delta);
  else core.ledger.unfreeze(cell, 0 - delta);
  follows.setDouble(follow, FOF_HELD, units);
  core.emitFrozen(PROFIT_SHARE, cell, delta, 0);
  // Margin lives on what is available.
  const marginAccount = core.perps.marginAccountIndex.find(
    follows.word(follow, FO_ACCOUNT),
    core.ledger.cellAsset(cell),
  );
  if (marginAccount !== 0) core.perps.markDirty(marginAccount);
  return true;
}

/** The hold as it is, with what it follows from. */
export function emitHeld(core: Core, follow: number): void {
  const { follows, leaders } = core.copies;
  const account = follows.word(follow, FO_ACCOUNT);
  const record = core.events.openClean(SHARE_HELD.kind, 0, 0, account, core.sequence);
  core.events.setWord(record, SHARE_HELD.leader, leaders.word(follows.word(follow, FO_LEADER), LE_ACCOUNT));
  core.events.setWord(record, SHARE_HELD.shareRate, follows.word(follow, FO_RATE));
  core.events.setDouble(record, SHARE_HELD.heldUnits, follows.double(follow, FOF_HELD));
  core.events.setDouble(record, SHARE_HELD.realizedUnits, follows.double(follow, FOF_REALIZED));
  core.events.setDouble(record, SHARE_HELD.markUnits, follows.double(follow, FOF_MARK));
  core.events.setDouble(record, SHARE_HELD.investedUnits, follows.double(follow, FOF_INVESTED));
}
