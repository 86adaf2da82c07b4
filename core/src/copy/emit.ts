// Owns the writing of copy trading's events. Never decides what happened.
import { eventPlaces } from "../protocol/event.ts";
import { COPY_SKIPS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import {
  FO_ACCOUNT,
  FO_LEADER,
  FO_LEVERAGE,
  FO_LEVERAGE_MAX,
  FO_MARGIN_MODE,
  FO_MARKETS,
  FO_MARKETS_MAX,
  FO_MIRROR_MARGIN,
  FO_MODE,
  FO_MULTIPLIER,
  FO_RATE,
  FO_SLIPPAGE,
  FO_STOP_LOSS,
  FO_TAKE_PROFIT,
  FOF_DAY_LOSS,
  FOF_FIXED,
  FOF_HELD,
  FOF_INVESTED,
  FOF_MARK,
  FOF_ORDER_MAX,
  FOF_REALIZED,
  FOF_SYMBOL_MAX,
  FOF_TOTAL_MAX,
  JO_KIND,
  JO_LEADER,
  JO_MARKET,
  JO_SHORT,
  JOB_CLOSE,
  JOF_LOTS,
  JOF_VALUE,
  JOF_WHOLE,
  LE_ACCOUNT,
  LE_ASSET,
  LE_COUNT,
  LE_MAX,
  LE_NEXT_RATE,
  LE_RATE,
  LE_STATE,
  LEF_RATE_FROM,
} from "./state/records.ts";

const LEADER_CHANGED = eventPlaces("leaderChanged");
const FOLLOW_CHANGED = eventPlaces("followChanged");
const FOLLOW_SETTINGS = eventPlaces("followSettings");
const FOLLOW_SCOPE = eventPlaces("followScope");
const COPY_STARTED = eventPlaces("copyStarted");
const COPY_PLACED = eventPlaces("copyPlaced");
const COPY_SKIPPED = eventPlaces("copySkipped");

/** One copy under way: what the leader did, for which follower, at which place of the drawn order. */
export interface Copy {
  readonly job: number;
  readonly follow: number;
  readonly place: number;
  /** Decided before the first copy was made, where it depends on equity. */
  readonly marginUnits: number;
}

export type Skip = (typeof COPY_SKIPS)[number];

export function emitLeader(core: Core, leader: number): void {
  const { leaders } = core.copies;
  const account = leaders.word(leader, LE_ACCOUNT);
  const state = leaders.word(leader, LE_STATE);
  const record = core.events.openClean(LEADER_CHANGED.kind, state, 0, account, core.sequence);
  core.events.setWord(record, LEADER_CHANGED.asset, leaders.word(leader, LE_ASSET));
  core.events.setWord(record, LEADER_CHANGED.shareRate, leaders.word(leader, LE_RATE));
  core.events.setWord(record, LEADER_CHANGED.nextShareRate, leaders.word(leader, LE_NEXT_RATE));
  core.events.setWord(record, LEADER_CHANGED.followersMax, leaders.word(leader, LE_MAX));
  core.events.setWord(record, LEADER_CHANGED.followers, leaders.word(leader, LE_COUNT));
  core.events.setDouble(record, LEADER_CHANGED.nextShareFrom, leaders.double(leader, LEF_RATE_FROM));
}

export function emitFollow(core: Core, follow: number, change: number): void {
  const { follows, leaders } = core.copies;
  const account = follows.word(follow, FO_ACCOUNT);
  const leader = follows.word(follow, FO_LEADER);
  const record = core.events.openClean(FOLLOW_CHANGED.kind, change, 0, account, core.sequence);
  core.events.setWord(record, FOLLOW_CHANGED.leader, leaders.word(leader, LE_ACCOUNT));
  core.events.setWord(record, FOLLOW_CHANGED.followers, leaders.word(leader, LE_COUNT));
  core.events.setWord(record, FOLLOW_CHANGED.shareRate, follows.word(follow, FO_RATE));
  core.events.setDouble(record, FOLLOW_CHANGED.investedUnits, follows.double(follow, FOF_INVESTED));
  core.events.setDouble(record, FOLLOW_CHANGED.realizedUnits, follows.double(follow, FOF_REALIZED));
  core.events.setDouble(record, FOLLOW_CHANGED.markUnits, follows.double(follow, FOF_MARK));
  core.events.setDouble(record, FOLLOW_CHANGED.heldUnits, follows.double(follow, FOF_HELD));
}

/** Every setting, so that whoever keeps the events needs no command. */
export function emitSettings(core: Core, follow: number): void {
  const { follows } = core.copies;
  const account = follows.word(follow, FO_ACCOUNT);
  const flags = follows.word(follow, FO_MARGIN_MODE) | (follows.word(follow, FO_MIRROR_MARGIN) << 8);
  const mode = follows.word(follow, FO_MODE);
  const first = core.events.openClean(FOLLOW_SETTINGS.kind, mode, flags, account, core.sequence);
  const words = [FO_MULTIPLIER, FO_LEVERAGE, FO_LEVERAGE_MAX, FO_SLIPPAGE, FO_STOP_LOSS, FO_TAKE_PROFIT];
  for (const [i, word] of words.entries())
    core.events.setWord(first, FOLLOW_SETTINGS.multiplier + i, follows.word(follow, word));
  const doubles = [FOF_FIXED, FOF_DAY_LOSS, FOF_ORDER_MAX];
  for (const [i, double] of doubles.entries())
    core.events.setDouble(first, FOLLOW_SETTINGS.fixedUnits + i, follows.double(follow, double));
  const second = core.events.openClean(FOLLOW_SCOPE.kind, 0, 0, account, core.sequence);
  core.events.setDouble(second, FOLLOW_SCOPE.maxSymbolUnits, follows.double(follow, FOF_SYMBOL_MAX));
  core.events.setDouble(second, FOLLOW_SCOPE.maxTotalUnits, follows.double(follow, FOF_TOTAL_MAX));
  for (let i = 0; i < FO_MARKETS_MAX; i++)
    core.events.setHalf(second, FOLLOW_SCOPE.markets + i * 2, follows.word(follow, FO_MARKETS + i));
}

export function emitStarted(core: Core, job: number, followers: number, draw: number): void {
  const { jobs, leaders } = core.copies;
  const account = leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT);
  const kind = jobs.word(job, JO_KIND);
  const record = core.events.openClean(COPY_STARTED.kind, kind, jobs.word(job, JO_SHORT), account, core.sequence);
  core.events.setWord(record, COPY_STARTED.market, jobs.word(job, JO_MARKET));
  core.events.setWord(record, COPY_STARTED.followers, followers);
  core.events.setWord(record, COPY_STARTED.draw, draw);
  core.events.setWord(record, COPY_STARTED.job, job);
  core.events.setDouble(record, COPY_STARTED.lots, jobs.double(job, JOF_LOTS));
  core.events.setDouble(record, COPY_STARTED.valueUnits, jobs.double(job, JOF_VALUE));
  core.events.setDouble(record, COPY_STARTED.wholeLots, jobs.double(job, JOF_WHOLE));
}

/** The order placed last was this copy. */
export function emitPlaced(core: Core, copy: Copy, lots: number, leaderTicks: number, limitTicks: number): void {
  const { jobs, follows, leaders } = core.copies;
  const { job, follow, place } = copy;
  const filled = core.placed[1] as number;
  const id = core.placed[0] as number;
  const account = follows.word(follow, FO_ACCOUNT);
  const kind = jobs.word(job, JO_KIND);
  const record = core.events.openClean(COPY_PLACED.kind, kind, filled > 0 ? 1 : 0, account, core.sequence);
  core.events.setId(record, COPY_PLACED.orderId, id % 0x1000000, Math.floor(id / 0x1000000));
  core.events.setWord(record, COPY_PLACED.market, jobs.word(job, JO_MARKET));
  core.events.setWord(record, COPY_PLACED.leader, leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT));
  core.events.setDouble(record, COPY_PLACED.lots, lots);
  core.events.setDouble(record, COPY_PLACED.filledLots, filled);
  core.events.setWord(record, COPY_PLACED.leaderTicks, leaderTicks);
  core.events.setWord(record, COPY_PLACED.limitTicks, limitTicks);
  core.events.setWord(record, COPY_PLACED.place, place);
  core.events.setWord(record, COPY_PLACED.job, job);
}

/** The order placed last was a follower's mirror of a stop of the leader's, whose price came: no job's, and at the market. */
export function emitMirrored(core: Core, follow: number, market: number, lots: number): void {
  const { follows, leaders } = core.copies;
  const filled = core.placed[1] as number;
  const id = core.placed[0] as number;
  const account = follows.word(follow, FO_ACCOUNT);
  const record = core.events.openClean(COPY_PLACED.kind, JOB_CLOSE, filled > 0 ? 1 : 0, account, core.sequence);
  core.events.setId(record, COPY_PLACED.orderId, id % 0x1000000, Math.floor(id / 0x1000000));
  core.events.setWord(record, COPY_PLACED.market, market);
  core.events.setWord(record, COPY_PLACED.leader, leaders.word(follows.word(follow, FO_LEADER), LE_ACCOUNT));
  core.events.setDouble(record, COPY_PLACED.lots, lots);
  core.events.setDouble(record, COPY_PLACED.filledLots, filled);
}

/** A check that refuses for too little is a copy below the minimum, whatever the code. */
const TOO_SMALL = [REJECT.QUANTITY_TOO_SMALL, REJECT.NOTIONAL_TOO_SMALL, REJECT.INVALID_QUANTITY];

export function emitRefused(core: Core, copy: Copy, code: number, lots: number): void {
  const limit = core.checkLimit[0] as number;
  if (TOO_SMALL.includes(code)) emitSkipped(core, copy, "BELOW_MINIMUM", lots, limit);
  else emitSkipped(core, copy, "REFUSED", lots, limit, code);
  core.checkLimit[0] = 0;
}

export function emitSkipped(core: Core, copy: Copy, reason: Skip, lots: number, limit: number, code = 0): void {
  const { jobs, follows, leaders } = core.copies;
  const { job, follow, place } = copy;
  const account = follows.word(follow, FO_ACCOUNT);
  const record = core.events.openClean(COPY_SKIPPED.kind, COPY_SKIPS.indexOf(reason), code, account, core.sequence);
  core.events.setByte(record, COPY_SKIPPED.what, jobs.word(job, JO_KIND));
  core.events.setWord(record, COPY_SKIPPED.market, jobs.word(job, JO_MARKET));
  core.events.setWord(record, COPY_SKIPPED.leader, leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT));
  core.events.setWord(record, COPY_SKIPPED.place, place);
  core.events.setDouble(record, COPY_SKIPPED.lots, lots);
  core.events.setDouble(record, COPY_SKIPPED.limit, limit);
  core.events.setWord(record, COPY_SKIPPED.job, job);
}
