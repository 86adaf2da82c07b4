// Owns who leads: becoming a leader, pausing, stopping, and the share he asks. Who may apply is decided outside.

import { A_BOOK, A_COPY, A_NEXT, A_OWNER, A_PERP, ACCOUNT_WATCHED, U_ACCOUNTS } from "../ledger/ledger.ts";
import { MODE_SPLIT } from "../perp/state/records.ts";
import { openMarginAccount } from "../perp/state/symbol-margins.ts";
import { commandPlaces } from "../protocol/command.ts";
import { BOOKS, LEADER_STATES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { nextMonday, startClock } from "./clock-state.ts";
import { emitLeader } from "./emit.ts";
import { isSubBook } from "./share/funds.ts";
import { addJob, LEADER_NONE } from "./share/jobs.ts";
import {
  COPY_FUTURES,
  COPY_SPOT,
  FO_ACTIVE,
  JOB_END,
  LE_ACCOUNT,
  LE_ASSET,
  LE_CELL,
  LE_COUNT,
  LE_KIND,
  LE_MAX,
  LE_NEXT_RATE,
  LE_RATE,
  LE_STATE,
  LEF_RATE_FROM,
} from "./state/records.ts";
import { holdsPositions, watchAccount } from "./watching.ts";

const SET_LEADER = commandPlaces("setLeader");

const LEAD = BOOKS.indexOf("copyFLead");
const LEADER_SUSPENDED = LEADER_STATES.indexOf("suspended");
const SPOT = BOOKS.indexOf("spot");
/** 30 %, the most any level may ask. */
const SHARE_MAX = 30_000_000;
const FOLLOWERS_MAX = 100_000;
/** How long before it counts a new share is known. */
const NOTICE_MS = 7 * 86_400_000;

/** Accounts of the user an account belongs to. */
export function* accountsOfOwner(core: Core, account: number): Generator<number> {
  const { ledger } = core;
  const owner = ledger.accountWord(account, A_OWNER);
  for (let at = ledger.ownerWord(owner, U_ACCOUNTS); at !== 0; at = ledger.accountWord(at, A_NEXT)) yield at;
}

function follows(core: Core, account: number): boolean {
  for (const one of accountsOfOwner(core, account)) {
    const record = core.ledger.accountWord(one, A_COPY);
    if (record !== 0 && isSubBook(core, one) && core.copies.follows.word(record, FO_ACTIVE) !== 0) return true;
  }
  return false;
}

/** The leader of an account that is no sub-book, 0 when it never led. */
export function leaderAt(core: Core, account: number): number {
  return isSubBook(core, account) ? 0 : core.ledger.accountWord(account, A_COPY);
}

export function setLeader(core: Core, account: number): number {
  const { ledger, copies } = core;
  const state = core.readByte(SET_LEADER.state);
  const asset = core.readWord(SET_LEADER.asset);
  const rate = core.readWord(SET_LEADER.shareRate);
  const most = core.readWord(SET_LEADER.followersMax);
  if (!ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  const book = ledger.accountWord(account, A_BOOK);
  if (book !== LEAD && book !== SPOT) return REJECT.BOOK_NOT_TRADABLE;
  if (state >= LEADER_STATES.length) return REJECT.MALFORMED_COMMAND;
  if (!ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (rate < 0 || rate > SHARE_MAX) return core.refuse(REJECT.INVALID_COPY_SETTING, SHARE_MAX);
  if (most < 1 || most > FOLLOWERS_MAX) return core.refuse(REJECT.INVALID_COPY_SETTING, FOLLOWERS_MAX);
  const leader = leaderAt(core, account);
  // Followers' marks are kept in that coin, those of former ones too.
  if (leader !== 0 && copies.leaders.word(leader, LE_ASSET) !== asset) return REJECT.INVALID_COPY_SETTING;
  const isSuspended = leader !== 0 && copies.leaders.word(leader, LE_STATE) === LEADER_SUSPENDED;
  if (isSuspended && core.readByte(SET_LEADER.unlessSuspended) !== 0) return REJECT.LEADER_NOT_ACTIVE;
  if (state === LEADER_NONE) {
    if (leader === 0) return REJECT.NOT_A_LEADER;
    if (book === LEAD && holdsPositions(core, account)) return REJECT.LEADER_HOLDS_POSITIONS;
  } else if (follows(core, account)) return REJECT.LEADER_FOLLOWS;
  if ((ledger.accountWord(account, A_PERP) & MODE_SPLIT) !== 0) return REJECT.MODE_LOCKED;
  const made = leader !== 0 ? leader : openLeader(core, account, book === LEAD ? COPY_FUTURES : COPY_SPOT);
  copies.leaders.setWord(made, LE_ASSET, asset);
  copies.leaders.setWord(made, LE_CELL, ledger.cellOf(account, asset));
  if (book === LEAD) openMarginAccount(core.perps, ledger, account, asset);
  copies.leaders.setWord(made, LE_MAX, most);
  setRate(core, made, rate);
  changeState(core, made, state);
  startClock(core);
  emitLeader(core, made);
  return 0;
}

function openLeader(core: Core, account: number, kind: number): number {
  const leader = core.copies.leaders.take();
  core.copies.leaders.setWord(leader, LE_ACCOUNT, account);
  core.copies.leaders.setWord(leader, LE_KIND, kind);
  core.ledger.setAccountWord(account, A_COPY, leader);
  watchAccount(core, account, ACCOUNT_WATCHED, 0);
  return leader;
}

/** Followers hear of another share a week before it counts. */
function setRate(core: Core, leader: number, rate: number): void {
  const { leaders } = core.copies;
  // Asked again, with a pause for one, it comes when it was announced for.
  if (leaders.double(leader, LEF_RATE_FROM) !== 0 && leaders.word(leader, LE_NEXT_RATE) === rate) return;
  const announced = rate !== leaders.word(leader, LE_RATE) && leaders.word(leader, LE_COUNT) !== 0;
  if (!announced) leaders.setWord(leader, LE_RATE, rate);
  leaders.setWord(leader, LE_NEXT_RATE, announced ? rate : 0);
  leaders.setDouble(leader, LEF_RATE_FROM, announced ? nextMonday(core.now + NOTICE_MS - 1) : 0);
}

function changeState(core: Core, leader: number, state: number): void {
  const { leaders } = core.copies;
  const before = leaders.word(leader, LE_STATE);
  leaders.setWord(leader, LE_STATE, state);
  // Whoever stops leading takes leave of all who follow.
  if (state === LEADER_NONE && before !== LEADER_NONE && leaders.word(leader, LE_COUNT) !== 0)
    addJob(core, leader, JOB_END, 0, 0, 0);
}
