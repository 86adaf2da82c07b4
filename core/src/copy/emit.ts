// Owns the writing of copy trading's events. Never decides what happened.
import { EVENTS } from "../protocol/event.ts";
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
  const record = core.events.openClean(EVENTS.leaderChanged.kind, state, 0, account, core.sequence);
  const at = record << 4;
  core.events.i32[at | 4] = leaders.word(leader, LE_ASSET);
  core.events.i32[at | 5] = leaders.word(leader, LE_RATE);
  core.events.i32[at | 6] = leaders.word(leader, LE_NEXT_RATE);
  core.events.i32[at | 7] = leaders.word(leader, LE_MAX);
  core.events.i32[at | 8] = leaders.word(leader, LE_COUNT);
  core.events.f64[(record << 3) | 5] = leaders.double(leader, LEF_RATE_FROM);
}

export function emitFollow(core: Core, follow: number, change: number): void {
  const { follows, leaders } = core.copies;
  const account = follows.word(follow, FO_ACCOUNT);
  const leader = follows.word(follow, FO_LEADER);
  const record = core.events.openClean(EVENTS.followChanged.kind, change, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = leaders.word(leader, LE_ACCOUNT);
  core.events.i32[(record << 4) | 5] = leaders.word(leader, LE_COUNT);
  core.events.i32[(record << 4) | 6] = follows.word(follow, FO_RATE);
  const double = record << 3;
  core.events.f64[double | 4] = follows.double(follow, FOF_INVESTED);
  core.events.f64[double | 5] = follows.double(follow, FOF_REALIZED);
  core.events.f64[double | 6] = follows.double(follow, FOF_MARK);
  core.events.f64[double | 7] = follows.double(follow, FOF_HELD);
}

/** Every setting, so that whoever keeps the events needs no command. */
export function emitSettings(core: Core, follow: number): void {
  const { follows } = core.copies;
  const account = follows.word(follow, FO_ACCOUNT);
  const flags = follows.word(follow, FO_MARGIN_MODE) | (follows.word(follow, FO_MIRROR_MARGIN) << 8);
  const mode = follows.word(follow, FO_MODE);
  const first = core.events.openClean(EVENTS.followSettings.kind, mode, flags, account, core.sequence);
  const words = [FO_MULTIPLIER, FO_LEVERAGE, FO_LEVERAGE_MAX, FO_SLIPPAGE, FO_STOP_LOSS, FO_TAKE_PROFIT];
  for (const [i, word] of words.entries()) core.events.i32[(first << 4) + 4 + i] = follows.word(follow, word);
  const doubles = [FOF_FIXED, FOF_DAY_LOSS, FOF_ORDER_MAX];
  for (const [i, double] of doubles.entries()) core.events.f64[(first << 3) + 5 + i] = follows.double(follow, double);
  const second = core.events.openClean(EVENTS.followScope.kind, 0, 0, account, core.sequence);
  core.events.f64[(second << 3) | 2] = follows.double(follow, FOF_SYMBOL_MAX);
  core.events.f64[(second << 3) | 3] = follows.double(follow, FOF_TOTAL_MAX);
  for (let i = 0; i < FO_MARKETS_MAX; i += 2)
    core.events.i32[(second << 4) + 8 + (i >> 1)] =
      follows.word(follow, FO_MARKETS + i) | (follows.word(follow, FO_MARKETS + i + 1) << 16);
}

export function emitStarted(core: Core, job: number, followers: number, draw: number): void {
  const { jobs, leaders } = core.copies;
  const account = leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT);
  const kind = jobs.word(job, JO_KIND);
  const record = core.events.openClean(EVENTS.copyStarted.kind, kind, jobs.word(job, JO_SHORT), account, core.sequence);
  core.events.i32[(record << 4) | 4] = jobs.word(job, JO_MARKET);
  core.events.i32[(record << 4) | 5] = followers;
  core.events.i32[(record << 4) | 6] = draw;
  core.events.i32[(record << 4) | 7] = job;
  core.events.f64[(record << 3) | 4] = jobs.double(job, JOF_LOTS);
  core.events.f64[(record << 3) | 5] = jobs.double(job, JOF_VALUE);
  core.events.f64[(record << 3) | 6] = jobs.double(job, JOF_WHOLE);
}

/** The order placed last was this copy. */
export function emitPlaced(core: Core, copy: Copy, lots: number, leaderTicks: number, limitTicks: number): void {
  const { jobs, follows, leaders } = core.copies;
  const { job, follow, place } = copy;
  const filled = core.placed[1] as number;
  const id = core.placed[0] as number;
  const account = follows.word(follow, FO_ACCOUNT);
  const kind = jobs.word(job, JO_KIND);
  const record = core.events.openClean(EVENTS.copyPlaced.kind, kind, filled > 0 ? 1 : 0, account, core.sequence);
  const at = record << 4;
  core.events.i32[at | 4] = id % 0x1000000;
  core.events.i32[at | 5] = Math.floor(id / 0x1000000);
  core.events.i32[at | 6] = jobs.word(job, JO_MARKET);
  core.events.i32[at | 7] = leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT);
  core.events.f64[(record << 3) | 4] = lots;
  core.events.f64[(record << 3) | 5] = filled;
  core.events.i32[at | 12] = leaderTicks;
  core.events.i32[at | 13] = limitTicks;
  core.events.i32[at | 14] = place;
  core.events.i32[at | 15] = job;
}

/** The order placed last was a follower's mirror of a stop of the leader's, whose price came: no job's, and at the market. */
export function emitMirrored(core: Core, follow: number, market: number, lots: number): void {
  const { follows, leaders } = core.copies;
  const filled = core.placed[1] as number;
  const id = core.placed[0] as number;
  const account = follows.word(follow, FO_ACCOUNT);
  const record = core.events.openClean(EVENTS.copyPlaced.kind, JOB_CLOSE, filled > 0 ? 1 : 0, account, core.sequence);
  const at = record << 4;
  core.events.i32[at | 4] = id % 0x1000000;
  core.events.i32[at | 5] = Math.floor(id / 0x1000000);
  core.events.i32[at | 6] = market;
  core.events.i32[at | 7] = leaders.word(follows.word(follow, FO_LEADER), LE_ACCOUNT);
  core.events.f64[(record << 3) | 4] = lots;
  core.events.f64[(record << 3) | 5] = filled;
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
  const record = core.events.openClean(
    EVENTS.copySkipped.kind,
    COPY_SKIPS.indexOf(reason),
    code,
    account,
    core.sequence,
  );
  const at = record << 4;
  core.events.i32[at | 4] = jobs.word(job, JO_KIND);
  core.events.i32[at | 5] = jobs.word(job, JO_MARKET);
  core.events.i32[at | 6] = leaders.word(jobs.word(job, JO_LEADER), LE_ACCOUNT);
  core.events.i32[at | 7] = place;
  core.events.f64[(record << 3) | 4] = lots;
  core.events.f64[(record << 3) | 5] = limit;
  core.events.i32[at | 12] = job;
}
