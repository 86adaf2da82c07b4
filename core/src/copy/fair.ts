// Owns how far copies may be from the fair price, which neither a leader nor whoever trades with him can move at once, and
// when a leader's own fills stray from it. Decides no amount.
import { LEADER_STATES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { fairTicks } from "../value/value.ts";
import { emitLeader } from "./emit.ts";
import { LEADER_ACTIVE } from "./share/jobs.ts";
import {
  COPY_SPOT,
  JO_BY_STOP,
  JO_KIND,
  JO_LEADER,
  JO_MARKET,
  JO_SHORT,
  JOB_CLOSE,
  JOB_OPEN,
  JOF_GIVEN,
  JOF_LOTS,
  JOF_VALUE,
  LE_KIND,
  LE_STATE,
  LE_STRAY_DAY,
  LE_STRAYS,
} from "./state/records.ts";
import { unitOf } from "./unit.ts";

const WHOLE_BPS = 10_000;
const DAY_MS = 86_400_000;
/** Beyond a follower's slippage, since the book is not always at the fair price. */
export const COPY_FAIR_BPS = 100;
/** Coins that are closed as a whole. */
export const WHOLE_FAIR_BPS = 300;
/** Closes that follow a stop, in a market that may be falling. */
export const STOP_FAIR_BPS = 1_000;
/** A fill this far off, against those who copy it, suspends its leader at once; so many less far in one UTC day do too. */
const STRAY_MAX_BPS = 500;
const STRAY_BPS = 200;
const STRAYS_MAX = 3;
const SUSPENDED = LEADER_STATES.indexOf("suspended");

/** What a leader did is about to be copied: fills that stray suspend him until an operator lets him lead again. */
export function judgeFills(core: Core, job: number): void {
  const { jobs, leaders } = core.copies;
  const leader = jobs.word(job, JO_LEADER);
  const bps = strayOf(core, job);
  if (bps < STRAY_BPS || leaders.word(leader, LE_STATE) !== LEADER_ACTIVE) return;
  const day = Math.floor(core.now / DAY_MS);
  const before = leaders.word(leader, LE_STRAY_DAY) === day ? leaders.word(leader, LE_STRAYS) : 0;
  leaders.setWord(leader, LE_STRAY_DAY, day);
  leaders.setWord(leader, LE_STRAYS, before + 1);
  if (bps < STRAY_MAX_BPS && before + 1 < STRAYS_MAX) return;
  leaders.setWord(leader, LE_STRAYS, 0);
  leaders.setWord(leader, LE_STATE, SUSPENDED);
  emitLeader(core, leader);
}

/** How far a leader's fills lie from the fair price in the direction that costs who copies them; a stop's are not his choice. */
function strayOf(core: Core, job: number): number {
  const { jobs, leaders } = core.copies;
  const kind = jobs.word(job, JO_KIND);
  const isSpot = leaders.word(jobs.word(job, JO_LEADER), LE_KIND) === COPY_SPOT;
  if (kind !== JOB_OPEN && (kind !== JOB_CLOSE || jobs.word(job, JO_BY_STOP) !== 0)) return 0;
  if (isSpot && jobs.double(job, JOF_GIVEN) !== 0) return 0;
  const market = jobs.word(job, JO_MARKET);
  const fair = fairTicks(core, market);
  const perTick = jobs.double(job, JOF_LOTS) * unitOf(core, market);
  if (fair === 0 || perTick === 0) return 0;
  const isLong = isSpot || jobs.word(job, JO_SHORT) === 0;
  const buys = (kind === JOB_OPEN) === isLong;
  const off = jobs.double(job, JOF_VALUE) / perTick / fair - 1;
  return Math.floor((buys ? off : 0 - off) * WHOLE_BPS);
}
