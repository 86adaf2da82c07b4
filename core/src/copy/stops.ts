// Owns followers' mirrors of a leader's stops: setting them by the same part of the position, and keeping them for as long
// as the leader's wait. Whoever has stops of his own on a trade keeps those. A mirror of a part never closes while the follow lasts: what the leader's stop
// closes is copied by its fraction, once.

import { mulDivFloor } from "@clockwork/kit/money";
import {
  atExtra,
  atOrder,
  FLAG_CONDITIONAL,
  O_ACCOUNT_MARKET,
  O_EXTRA,
  O_FLAGS,
  OF_SEQUENCE,
  X_CONDITIONAL,
  X_DIRECTION,
  X_POSITION,
  XF_MIRRORS,
} from "../book/orders.ts";
import { AM_ACCOUNT } from "../market/account-markets.ts";
import { getDouble, getWord, setDouble } from "../memory/record.ts";
import { endOrder } from "../order/end/finish.ts";
import { changeStop } from "../perp/account/move-stop.ts";
import { KIND_PART, setPositionStops, stopKind, stopsOf } from "../perp/account/stops.ts";
import { symbolMarginOf } from "../perp/margin/exposure.ts";
import { findPosition } from "../perp/margin/settle.ts";
import { POF_LEADER } from "../perp/state/records.ts";
import { commandPlaces } from "../protocol/command.ts";
import { END_REASONS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { type Copy, emitRefused, emitSkipped } from "./emit.ts";
import { isCopyOf, LONG, SHORT, sideOf } from "./futures.ts";
import { ask } from "./input.ts";
import { accountOf } from "./placing.ts";
import { followOf } from "./share/funds.ts";
import {
  FO_ACTIVE,
  FO_LEADER,
  JO_LEADER,
  JO_MARKET,
  JO_STOPS,
  JO_STOPS_WORDS,
  JOF_CAUSE,
  JOF_LOTS,
  JOF_SET,
  JOF_WHOLE,
  LE_ACCOUNT,
} from "./state/records.ts";

const SET_POSITION_STOPS = commandPlaces("setPositionStops");

const REASON_SIBLING = END_REASONS.indexOf("LIST_SIBLING");

function extraOf(core: Core, slot: number): number {
  return getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
}

function extraWord(core: Core, slot: number, word: number): number {
  return core.books.orders.extras.i32[atExtra(extraOf(core, slot)) | word] as number;
}

/** The leader's command a stop mirrors, 0 when it is its owner's. */
function mirrored(core: Core, slot: number): number {
  return getDouble(core.books.orders.extras.f64, atExtra(extraOf(core, slot)), XF_MIRRORS);
}

function sequenceOf(core: Core, slot: number): number {
  return getDouble(core.books.orderDoubles, atOrder(slot), OF_SEQUENCE);
}

/** Take-profit and stop-loss as the leader set them, for the same part of the position. */
export function copyStops(core: Core, copy: Copy): void {
  const { jobs, follows } = core.copies;
  const { job, follow } = copy;
  if (follows.word(follow, FO_ACTIVE) === 0) return;
  const side = sideOf(core, copy);
  if (!isCopyOf(core, copy, side.position)) return;
  if (stopsOf(core, side.position).some((slot) => mirrored(core, slot) === 0)) {
    emitSkipped(core, copy, "OWN_STOPS", 0, 0);
    return;
  }
  const part = jobs.double(job, JOF_LOTS);
  const held = Math.abs(core.perps.lots(side.position));
  const lots = part === 0 ? 0 : mulDivFloor(held, part, jobs.double(job, JOF_WHOLE));
  if (part !== 0 && lots === 0) {
    emitSkipped(core, copy, "BELOW_MINIMUM", 0, 1);
    return;
  }
  const members = new Map([
    [SET_POSITION_STOPS.market, jobs.word(job, JO_MARKET)],
    [SET_POSITION_STOPS.side >> 2, side.short ? SHORT : LONG],
  ]);
  for (let i = 0; i < JO_STOPS_WORDS; i++)
    members.set(SET_POSITION_STOPS.profitTrigger + i, jobs.word(job, JO_STOPS + i));
  const code = ask(
    core,
    accountOf(core, follow),
    setPositionStops,
    members,
    new Map([[SET_POSITION_STOPS.lots, lots]]),
  );
  if (code !== 0) {
    emitRefused(core, copy, code, lots);
    return;
  }
  const { f64 } = core.books.orders.extras;
  for (const slot of stopsOf(core, side.position))
    if (sequenceOf(core, slot) === core.sequence && mirrored(core, slot) === 0)
      setDouble(f64, atExtra(extraOf(core, slot)), XF_MIRRORS, jobs.double(job, JOF_CAUSE));
}

/** The leader moved one stop: what mirrors it moves too. What the follower has moved himself is his own and stays. */
export function moveMirrors(core: Core, copy: Copy): void {
  const { jobs, follows } = core.copies;
  const { job, follow } = copy;
  if (follows.word(follow, FO_ACTIVE) === 0) return;
  const side = sideOf(core, copy);
  if (!isCopyOf(core, copy, side.position)) return;
  const stops = stopsOf(core, side.position);
  const [type, direction, trigger, price, callbackBps] = [0, 1, 2, 3, 4].map((i) => jobs.word(job, JO_STOPS + i));
  const found = stops.find(
    (slot) =>
      mirrored(core, slot) === jobs.double(job, JOF_SET) &&
      extraWord(core, slot, X_CONDITIONAL) === type &&
      extraWord(core, slot, X_DIRECTION) === direction,
  );
  if (found === undefined) {
    if (stops.some((slot) => mirrored(core, slot) === 0)) emitSkipped(core, copy, "OWN_STOPS", 0, 0);
    return;
  }
  const change = { trigger: trigger ?? 0, price: price ?? 0, callbackBps: callbackBps ?? 0, quantity: 0 };
  const code = changeStop(core, found, change);
  if (code !== 0 && code !== REJECT.AMEND_NO_CHANGE) emitRefused(core, copy, code, 0);
}

/** The leader took stops back: a mirror whose stop no longer waits ends as well. */
export function endMirrors(core: Core, copy: Copy): void {
  if (core.copies.follows.word(copy.follow, FO_ACTIVE) === 0) return;
  for (const slot of stopsOf(core, sideOf(core, copy).position))
    if (mirrored(core, slot) !== 0 && !hasReference(core, copy, slot)) endOrder(core, slot, REASON_SIBLING);
}

/** Whether the leader's stop that a follower's mirrors still waits. */
function hasReference(core: Core, { job }: Copy, slot: number): boolean {
  const { copies, accountMarkets, books } = core;
  const { jobs, leaders } = copies;
  const leader = leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT);
  const accountMarket = accountMarkets.find(leader, jobs.word(job, JO_MARKET));
  if (accountMarket === 0) return false;
  // One that was moved is known by the command it was first set with.
  const isReference = (one: number): boolean =>
    (getWord(books.orderWords, atOrder(one), O_FLAGS) & FLAG_CONDITIONAL) !== 0 &&
    (mirrored(core, one) || sequenceOf(core, one)) === mirrored(core, slot) &&
    extraWord(core, one, X_POSITION) !== 0 &&
    extraWord(core, one, X_CONDITIONAL) === extraWord(core, slot, X_CONDITIONAL) &&
    extraWord(core, one, X_DIRECTION) === extraWord(core, slot, X_DIRECTION);
  return accountMarkets.openOrdersOf(accountMarket).some(isReference);
}

/** The follow that lasts and whose stop this mirrors one of the leader's, 0 for every other. */
export function mirroringFollow(core: Core, slot: number): number {
  if (mirrored(core, slot) === 0) return 0;
  const accountMarket = getWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET);
  const follow = followOf(core, core.accountMarkets.word(accountMarket, AM_ACCOUNT));
  return follow !== 0 && core.copies.follows.word(follow, FO_ACTIVE) !== 0 ? follow : 0;
}

/**
 * Whether a stop whose price came mirrors one of a part, and the leader still has the position: his own fires as well, and
 * what it closes is copied.
 */
export function isLeftToLeader(core: Core, slot: number): boolean {
  const { accountMarkets, books, copies, perps } = core;
  const follow = stopKind(core, slot) === KIND_PART ? mirroringFollow(core, slot) : 0;
  if (follow === 0) return false;
  const flags = getWord(books.orderWords, atOrder(slot), O_FLAGS);
  const leader = copies.leaders.word(copies.follows.word(follow, FO_LEADER), LE_ACCOUNT);
  const leaderMarket = accountMarkets.find(leader, flags >>> 16);
  if (leaderMarket === 0) return false;
  const id = perps.positionDouble(extraWord(core, slot, X_POSITION), POF_LEADER);
  return findPosition(core, symbolMarginOf(core, leaderMarket), id) !== 0;
}
