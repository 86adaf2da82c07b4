// Owns what must be true of copy trading after every command, checked from scratch. Never repairs anything.

import { hasGuards } from "../copy/settings.ts";
import { cashOf, shareOf } from "../copy/share/hold.ts";
import { holdingsOf } from "../copy/share/lots.ts";
import {
  FO_ACCOUNT,
  FO_ACTIVE,
  FO_CELL,
  FO_GUARDS,
  FO_LEADER,
  FO_NEXT,
  FO_PREV,
  FO_QUEUED,
  FOF_FUNDED,
  FOF_HELD,
  FOF_REALIZED,
  HO_ASSET,
  HO_HEAD,
  HOF_COST,
  HOF_UNITS,
  JO_LEFT,
  LE_COUNT,
  LE_FOLLOWS,
  LO_NEXT,
  LOF_COST,
  LOF_UNITS,
} from "../copy/state/records.ts";
import { A_COPY } from "../ledger/ledger.ts";
import type { Core } from "../state/core.ts";
import { FOLLOW_COPY } from "../trigger/follow-ups.ts";

type Report = (rule: string, detail: string) => void;

/** Units set aside for leaders per cell, for the ledger's own check of what is frozen. */
export function sharesByCell(core: Core): Map<number, number> {
  const { follows } = core.copies;
  const shares = new Map<number, number>();
  for (let follow = 1; follow < follows.table.count; follow++)
    shares.set(follows.word(follow, FO_CELL), follows.double(follow, FOF_HELD));
  return shares;
}

export function checkCopies(core: Core, report: Report): void {
  const { follows, fresh, touched } = core.copies;
  if (fresh.length + touched.length !== 0) report("COPY-1", "copies are left in motion");
  let guards = 0;
  for (let follow = 1; follow < follows.table.count; follow++) {
    checkMoney(core, follow, report);
    checkHoldings(core, follow, report);
    if (follows.word(follow, FO_ACTIVE) !== 0 && hasGuards(core, follow)) guards++;
  }
  if (guards !== follows.word(0, FO_GUARDS)) report("COPY-4", `${follows.word(0, FO_GUARDS)} guards of ${guards}`);
  checkLists(core, report);
  checkQueue(core, report);
}

/**
 * COPY-2: what is there beyond what was put in was realised. COPY-3: the hold is p × max(0, R − H), or all there is.
 */
function checkMoney(core: Core, follow: number, report: Report): void {
  const { follows, holdings } = core.copies;
  let cost = 0;
  for (const holding of holdingsOf(core, follow)) cost += holdings.double(holding, HOF_COST);
  const realized = follows.double(follow, FOF_REALIZED);
  const funded = follows.double(follow, FOF_FUNDED);
  const cash = cashOf(core, follow);
  if (cash + cost !== funded + realized)
    report("COPY-2", `follow ${follow}: ${cash} and lots of ${cost}, put in ${funded}, realised ${realized}`);
  const held = follows.double(follow, FOF_HELD);
  const share = shareOf(core, follow, realized);
  const isShort = held < share && core.ledger.available(follows.word(follow, FO_CELL)) === 0;
  if (held !== share && !isShort) report("COPY-3", `follow ${follow} holds ${held}, should ${share}`);
  if (core.ledger.accountWord(follows.word(follow, FO_ACCOUNT), A_COPY) !== follow)
    report("COPY-4", `follow ${follow} is not its account's`);
}

/** COPY-5: a holding is the sum of its lots, and the coins are there. */
function checkHoldings(core: Core, follow: number, report: Report): void {
  const { follows, holdings, lots } = core.copies;
  for (const holding of holdingsOf(core, follow)) {
    let units = 0;
    let cost = 0;
    for (let lot = holdings.word(holding, HO_HEAD); lot !== 0; lot = lots.word(lot, LO_NEXT)) {
      units += lots.double(lot, LOF_UNITS);
      cost += lots.double(lot, LOF_COST);
      if (!(lots.double(lot, LOF_UNITS) > 0)) report("COPY-5", `lot ${lot} is empty`);
    }
    if (units !== holdings.double(holding, HOF_UNITS) || cost !== holdings.double(holding, HOF_COST))
      report("COPY-5", `holding ${holding} is not the sum of its lots`);
    const cell = core.ledger.cellIndex.find(follows.word(follow, FO_ACCOUNT), holdings.word(holding, HO_ASSET));
    if (core.ledger.available(cell) + core.ledger.frozen(cell) < units)
      report("COPY-5", `holding ${holding} of ${units} is more than its book has`);
  }
}

/** COPY-4: a leader lists exactly those who follow him, and counts them. */
function checkLists(core: Core, report: Report): void {
  const { leaders, follows } = core.copies;
  const listed = new Set<number>();
  for (let leader = 1; leader < leaders.table.count; leader++) {
    let count = 0;
    let before = 0;
    for (let at = leaders.word(leader, LE_FOLLOWS); at !== 0; at = follows.word(at, FO_NEXT)) {
      if (follows.word(at, FO_LEADER) !== leader || follows.word(at, FO_ACTIVE) === 0 || listed.has(at))
        report("COPY-4", `leader ${leader} lists follow ${at}`);
      if (follows.word(at, FO_PREV) !== before) report("COPY-4", `follow ${at} is not linked back`);
      listed.add(at);
      before = at;
      count++;
    }
    if (count !== leaders.word(leader, LE_COUNT)) report("COPY-4", `leader ${leader} miscounts ${count} follows`);
  }
  for (let follow = 1; follow < follows.table.count; follow++)
    if ((follows.word(follow, FO_ACTIVE) !== 0) !== listed.has(follow))
      report("COPY-4", `follow ${follow} is ${listed.has(follow) ? "" : "not "}listed`);
}

/** COPY-6: follows and jobs count the copies of them that wait. */
function checkQueue(core: Core, report: Report): void {
  const { follows, jobs } = core.copies;
  const byFollow = new Map<number, number>();
  const byJob = new Map<number, number>();
  for (const { kind, record, subject } of core.followUps.waiting()) {
    if (kind !== FOLLOW_COPY) continue;
    const follow = subject % 0x1000000;
    byFollow.set(follow, (byFollow.get(follow) ?? 0) + 1);
    byJob.set(record, (byJob.get(record) ?? 0) + 1);
  }
  for (let follow = 1; follow < follows.table.count; follow++)
    if (follows.word(follow, FO_QUEUED) !== (byFollow.get(follow) ?? 0))
      report("COPY-6", `follow ${follow} counts ${follows.word(follow, FO_QUEUED)} copies that wait`);
  for (const [job, count] of byJob)
    if (jobs.word(job, JO_LEFT) !== count) report("COPY-6", `job ${job} counts ${jobs.word(job, JO_LEFT)} of ${count}`);
}
