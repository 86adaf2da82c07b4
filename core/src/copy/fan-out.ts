// Owns turning what a leader did into copies: one for each follower, in an order drawn from the seed in force, so that
// nobody is favoured. They run as follow-ups; this decides which copy an entry is.
import { mulDivFloor } from "@clockwork/kit/money";
import { FOLLOW_CHANGES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { openDraw, shuffle } from "../state/seed.ts";
import { FOLLOW_COPY } from "../trigger/follow-ups.ts";
import { type Copy, emitStarted } from "./emit.ts";
import { judgeFills } from "./fair.ts";
import { endFollow } from "./follow.ts";
import { copyClose, copyMargin, copyOpen } from "./futures.ts";
import { followerEquity } from "./holdings.ts";
import { MODE_PROPORTIONAL } from "./settings.ts";
import { buyCopy, sellCopy } from "./spot.ts";
import {
  COPY_SPOT,
  FO_KIND,
  FO_MODE,
  FO_NEXT,
  FO_QUEUED,
  JO_BY_STOP,
  JO_KIND,
  JO_LEADER,
  JO_LEFT,
  JO_LEVERAGE,
  JO_MOVED,
  JOB_CLOSE,
  JOB_END,
  JOB_MARGIN,
  JOB_OPEN,
  JOB_STOPS,
  JOF_EQUITY,
  JOF_VALUE,
  LE_FOLLOWS,
} from "./state/records.ts";
import { copyStops, endMirrors, moveMirrors } from "./stops.ts";

const LEADER_CLOSED = FOLLOW_CHANGES.indexOf("leaderClosed");
/** An entry names the follow below and its place in the drawn order above. */
const FOLLOWS_MAX = 0x1000000;

/** Everything leaders did in this command, in the order they did it. */
export function fanOut(core: Core): void {
  const { copies } = core;
  for (const job of copies.fresh) start(core, job);
  copies.fresh.length = 0;
}

function start(core: Core, job: number): void {
  judgeFills(core, job);
  const { jobs, leaders, follows } = core.copies;
  const followers: number[] = [];
  for (let at = leaders.word(jobs.word(job, JO_LEADER), LE_FOLLOWS); at !== 0; at = follows.word(at, FO_NEXT))
    followers.push(at);
  shuffle(followers, openDraw(core, job));
  emitStarted(core, job, followers.length, job);
  if (followers.length === 0) {
    jobs.table.give(job);
    return;
  }
  jobs.setWord(job, JO_LEFT, followers.length);
  for (const [place, follow] of followers.entries()) {
    follows.setWord(follow, FO_QUEUED, follows.word(follow, FO_QUEUED) + 1);
    core.followUps.add(
      FOLLOW_COPY,
      job,
      follow + place * FOLLOWS_MAX,
      core.sequence,
      proportionalMargin(core, job, follow),
    );
  }
}

/** Leader's margin ÷ leader's equity × follower's equity, both as they are before the first copy. */
function proportionalMargin(core: Core, job: number, follow: number): number {
  const { jobs, follows } = core.copies;
  if (jobs.word(job, JO_KIND) !== JOB_OPEN || follows.word(follow, FO_MODE) !== MODE_PROPORTIONAL) return 0;
  const own = followerEquity(core, follow);
  const leaders = jobs.double(job, JOF_EQUITY);
  if (own <= 0 || leaders <= 0) return 0;
  const margin = Math.floor(jobs.double(job, JOF_VALUE) / Math.max(1, jobs.word(job, JO_LEVERAGE)));
  return mulDivFloor(margin, own, leaders);
}

/** One entry of the queue: the copy of a job for a follower. */
export function runCopy(core: Core, job: number, subject: number, marginUnits: number): void {
  const { jobs, follows } = core.copies;
  const follow = subject % FOLLOWS_MAX;
  const copy: Copy = { job, follow, place: Math.floor(subject / FOLLOWS_MAX), marginUnits };
  follows.setWord(follow, FO_QUEUED, follows.word(follow, FO_QUEUED) - 1);
  run(core, copy);
  const left = jobs.word(job, JO_LEFT) - 1;
  jobs.setWord(job, JO_LEFT, left);
  if (left === 0) jobs.table.give(job);
}

function run(core: Core, copy: Copy): void {
  const { jobs, follows } = core.copies;
  const kind = jobs.word(copy.job, JO_KIND);
  if (kind === JOB_END) endFollow(core, copy.follow, LEADER_CLOSED);
  else if (follows.word(copy.follow, FO_KIND) === COPY_SPOT) {
    if (kind === JOB_OPEN) buyCopy(core, copy);
    else sellCopy(core, copy);
  } else if (kind === JOB_OPEN) copyOpen(core, copy);
  else if (kind === JOB_CLOSE) closeCopy(core, copy);
  else if (kind === JOB_MARGIN) copyMargin(core, copy);
  else if (kind === JOB_STOPS) stopsCopy(core, copy);
  else endMirrors(core, copy);
}

function stopsCopy(core: Core, copy: Copy): void {
  if (core.copies.jobs.word(copy.job, JO_MOVED) !== 0) moveMirrors(core, copy);
  else copyStops(core, copy);
}

function closeCopy(core: Core, copy: Copy): void {
  copyClose(core, copy);
  // A trail that began a moment later may still wait.
  if (core.copies.jobs.word(copy.job, JO_BY_STOP) !== 0) endMirrors(core, copy);
}
