// Owns a follow from its beginning to its end: opening the sub-book, changing settings, leaving with what is held closed or
// kept. Never copies anything.

import { assert } from "@clockwork/kit/assert";
import { whyNotCommitted } from "../account/debts.ts";
import { isMovable, postMove } from "../account/moving.ts";
import { A_COPY, A_GROUP, A_USER, ACCOUNT_COPY_BOOK, ACCOUNT_WATCHED, AS_SCALE } from "../ledger/ledger.ts";
import { setWord } from "../memory/record.ts";
import { noteSpent, spendable } from "../perp/margin/spending.ts";
import { atMarginAccount, MA_FOLLOW, MODE_HEDGE } from "../perp/state/records.ts";
import { openMarginAccount } from "../perp/state/symbol-margins.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { BOOKS, BUSINESSES, COPY_ENDS, FOLLOW_CHANGES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { emitFollow, emitSettings } from "./emit.ts";
import { closeHeld, followerEquity, unrealizedOf } from "./holdings.ts";
import { accountsOfOwner, leaderAt } from "./leaders.ts";
import { checkSettings, dropGuards, writeSettings } from "./settings.ts";
import { setBase } from "./share/base.ts";
import { followOf, isSubBook } from "./share/funds.ts";
import { cashOf, refreshHold, shareOf } from "./share/hold.ts";
import { LEADER_ACTIVE, LEADER_NONE } from "./share/jobs.ts";
import { settleShare } from "./share-payment.ts";
import {
  COPY_FUTURES,
  FO_ACCOUNT,
  FO_ACTIVE,
  FO_CELL,
  FO_KIND,
  FO_LEADER,
  FO_NEXT,
  FO_PREV,
  FO_QUEUED,
  FO_RATE,
  FOF_FUNDED,
  FOF_HELD,
  FOF_INVESTED,
  FOF_MARK,
  FOF_REALIZED,
  FOF_TAKEN,
  LE_ASSET,
  LE_COUNT,
  LE_FOLLOWS,
  LE_KIND,
  LE_MAX,
  LE_RATE,
  LE_STATE,
} from "./state/records.ts";
import { isIdle, watchAccount } from "./watching.ts";

const FOLLOW = commandPlaces("follow");
const UNFOLLOW = commandPlaces("unfollow");

const ACCOUNT_CREATED = eventPlaces("accountCreated");

const COPY_F = BOOKS.indexOf("copyF");
const COPY_S = BOOKS.indexOf("copyS");
const COPY_FUND = BUSINESSES.indexOf("copyFund");
const KEEP = COPY_ENDS.indexOf("keep");
const FOLLOWED = FOLLOW_CHANGES.indexOf("followed");
const SETTINGS = FOLLOW_CHANGES.indexOf("settings");
const CLOSED = FOLLOW_CHANGES.indexOf("closed");
const KEPT = FOLLOW_CHANGES.indexOf("kept");
/** The least investment, in whole coins. */
const INVESTMENT_MIN = 50;

export function follow(core: Core, account: number): number {
  const { ledger, copies } = core;
  const leaderAccount = core.readWord(FOLLOW.leader);
  const units = core.readDouble(FOLLOW.units);
  if (!ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  const leader = ledger.isUserAccount(leaderAccount) ? leaderAt(core, leaderAccount) : 0;
  if (leader === 0) return REJECT.NOT_A_LEADER;
  const user = ledger.accountWord(account, A_USER);
  if (ledger.accountWord(leaderAccount, A_USER) === user) return REJECT.SELF_FOLLOW;
  if (copies.leaders.word(leader, LE_STATE) !== LEADER_ACTIVE) return REJECT.LEADER_NOT_ACTIVE;
  if (leads(core, account)) return REJECT.LEADER_FOLLOWS;
  const kind = copies.leaders.word(leader, LE_KIND);
  const asset = copies.leaders.word(leader, LE_ASSET);
  const book = kind === COPY_FUTURES ? COPY_F : COPY_S;
  const known = ledger.findAccount(user, book, leaderAccount);
  const old = known === 0 ? 0 : ledger.accountWord(known, A_COPY);
  if (old !== 0 && copies.follows.word(old, FO_ACTIVE) !== 0) return REJECT.ALREADY_FOLLOWING;
  const most = copies.leaders.word(leader, LE_MAX);
  if (copies.leaders.word(leader, LE_COUNT) >= most) return core.refuse(REJECT.FOLLOWERS_FULL, most);
  if (known !== 0 && old === 0 && !isIdle(core, known)) return REJECT.MODE_LOCKED;
  const code = checkSettings(core, kind, asset) || checkInvestment(core, account, asset, units, old);
  if (code !== 0) return code;
  const subBook =
    known !== 0 ? known : openSubBook(core, user, book, leaderAccount, ledger.accountWord(account, A_GROUP));
  const made = old !== 0 ? old : openFollow(core, subBook, leader, kind, asset);
  begin(core, made, leader, account, units);
  return 0;
}

/** Whether the account's owner leads anybody: chains of copies have no end. */
function leads(core: Core, account: number): boolean {
  for (const one of accountsOfOwner(core, account)) {
    const leader = leaderAt(core, one);
    if (leader !== 0 && core.copies.leaders.word(leader, LE_STATE) !== LEADER_NONE) return true;
  }
  return false;
}

function checkInvestment(core: Core, account: number, asset: number, units: number, old: number): number {
  const { ledger } = core;
  if (!(units >= 0) || !Number.isSafeInteger(units)) return REJECT.INVALID_AMOUNT;
  if (!isMovable(core, account) || isSubBook(core, account)) return REJECT.NOT_TRANSFERABLE;
  const committed = whyNotCommitted(core, account);
  if (committed !== 0) return committed;
  const least = INVESTMENT_MIN * 10 ** ledger.assetWord(asset, AS_SCALE);
  const there = old === 0 ? 0 : cashOf(core, old);
  if (units + there < least) return core.refuse(REJECT.INVESTMENT_TOO_SMALL, least - there);
  const free = spendable(core, account, asset);
  return units > free ? core.refuse(REJECT.INSUFFICIENT_BALANCE, free) : 0;
}

function openSubBook(core: Core, user: number, book: number, sub: number, group: number): number {
  const account = core.ledger.createAccount(user, book, sub, group);
  const record = core.events.openClean(ACCOUNT_CREATED.kind, book, 0, account, core.sequence);
  core.events.setWord(record, ACCOUNT_CREATED.user, user);
  core.events.setWord(record, ACCOUNT_CREATED.sub, sub);
  core.events.setWord(record, ACCOUNT_CREATED.group, group);
  return account;
}

/** What was in the sub-book before counts as put in. */
function openFollow(core: Core, account: number, leader: number, kind: number, asset: number): number {
  const { ledger, copies, perps } = core;
  const made = copies.follows.take();
  const cell = ledger.cellOf(account, asset);
  const { follows } = copies;
  follows.setWord(made, FO_ACCOUNT, account);
  follows.setWord(made, FO_LEADER, leader);
  follows.setWord(made, FO_KIND, kind);
  follows.setWord(made, FO_CELL, cell);
  follows.setDouble(made, FOF_FUNDED, cashOf(core, made));
  ledger.setAccountWord(account, A_COPY, made);
  watchAccount(core, account, ACCOUNT_WATCHED | ACCOUNT_COPY_BOOK, kind === COPY_FUTURES ? MODE_HEDGE : 0);
  if (kind === COPY_FUTURES) {
    const marginAccount = openMarginAccount(perps, ledger, account, asset);
    setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_FOLLOW, made);
  }
  return made;
}

function begin(core: Core, made: number, leader: number, from: number, units: number): void {
  const { follows, leaders } = core.copies;
  refreshHold(core, made);
  // R and H survive; what was made while nobody was followed is nobody's share.
  follows.setDouble(made, FOF_MARK, Math.max(follows.double(made, FOF_MARK), follows.double(made, FOF_REALIZED)));
  follows.setWord(made, FO_RATE, leaders.word(leader, LE_RATE));
  follows.setWord(made, FO_ACTIVE, 1);
  const first = leaders.word(leader, LE_FOLLOWS);
  follows.setWord(made, FO_NEXT, first);
  follows.setWord(made, FO_PREV, 0);
  if (first !== 0) follows.setWord(first, FO_PREV, made);
  leaders.setWord(leader, LE_FOLLOWS, made);
  leaders.setWord(leader, LE_COUNT, leaders.word(leader, LE_COUNT) + 1);
  writeSettings(core, made);
  if (units > 0) moveFunds(core, from, follows.word(made, FO_ACCOUNT), leaders.word(leader, LE_ASSET), units);
  // What is there now is what this follow begins with, whatever an earlier one made or lost of it.
  const equity = followerEquity(core, made);
  follows.setDouble(made, FOF_INVESTED, equity);
  setBase(core, made, equity);
  follows.setDouble(made, FOF_TAKEN, 0);
  emitFollow(core, made, FOLLOWED);
  emitSettings(core, made);
}

function moveFunds(core: Core, from: number, to: number, asset: number, units: number): void {
  const { ledger } = core;
  const cell = ledger.cellOf(from, asset);
  const own = ledger.available(cell);
  postMove(core, cell, ledger.cellOf(to, asset), units, COPY_FUND);
  noteSpent(core, from, asset, units, own);
}

/** The active follow of a sub-book, 0 when there is none. */
function activeFollow(core: Core, account: number): number {
  if (!core.ledger.isUserAccount(account)) return 0;
  const found = followOf(core, account);
  return found !== 0 && core.copies.follows.word(found, FO_ACTIVE) !== 0 ? found : 0;
}

export function setFollow(core: Core, account: number): number {
  const { follows, leaders } = core.copies;
  const found = activeFollow(core, account);
  if (found === 0) return REJECT.NOT_FOLLOWING;
  if (follows.word(found, FO_QUEUED) !== 0) return REJECT.COPY_UNDER_WAY;
  const leader = follows.word(found, FO_LEADER);
  const code = checkSettings(core, follows.word(found, FO_KIND), leaders.word(leader, LE_ASSET));
  if (code !== 0) return code;
  writeSettings(core, found);
  emitFollow(core, found, SETTINGS);
  emitSettings(core, found);
  return 0;
}

export function unfollow(core: Core, account: number): number {
  const { ledger, copies } = core;
  const ending = core.readByte(UNFOLLOW.positions);
  const to = core.readWord(UNFOLLOW.to);
  const found = activeFollow(core, account);
  if (found === 0) return REJECT.NOT_FOLLOWING;
  if (ending >= COPY_ENDS.length) return REJECT.MALFORMED_COMMAND;
  if (to !== 0) {
    if (!ledger.isUserAccount(to)) return REJECT.UNKNOWN_ACCOUNT;
    const own = ledger.accountWord(to, A_USER) === ledger.accountWord(account, A_USER);
    if (!own || to === account || !isMovable(core, to)) return REJECT.NOT_TRANSFERABLE;
  }
  if (ending === KEEP) {
    refreshHold(core, found);
    const owed = shareOf(core, found, copies.follows.double(found, FOF_REALIZED) + unrealizedOf(core, found));
    const asset = ledger.cellAsset(copies.follows.word(found, FO_CELL));
    const there = copies.follows.double(found, FOF_HELD) + spendable(core, account, asset);
    if (owed > there) return core.refuse(REJECT.INSUFFICIENT_MARGIN, there);
  }
  endFollow(core, found, ending === KEEP ? KEPT : CLOSED);
  if (to !== 0) returnFunds(core, found, to);
  return 0;
}

/** Ends a follow: closes what is held unless it is kept, pays the share, takes it out of the leader's list. */
export function endFollow(core: Core, found: number, cause: number): void {
  const { follows, leaders } = core.copies;
  if (follows.word(found, FO_ACTIVE) === 0) return;
  if (cause !== KEPT) closeHeld(core, found);
  settleShare(core, found, cause, unrealizedOf(core, found));
  follows.setWord(found, FO_ACTIVE, 0);
  dropGuards(core, found);
  const leader = follows.word(found, FO_LEADER);
  const next = follows.word(found, FO_NEXT);
  const prev = follows.word(found, FO_PREV);
  if (next !== 0) follows.setWord(next, FO_PREV, prev);
  if (prev !== 0) follows.setWord(prev, FO_NEXT, next);
  else leaders.setWord(leader, LE_FOLLOWS, next);
  assert(leaders.word(leader, LE_COUNT) > 0, "COPY-13", "a leader loses a follower he does not have");
  leaders.setWord(leader, LE_COUNT, leaders.word(leader, LE_COUNT) - 1);
  emitFollow(core, found, cause);
}

/** What is free goes back where it came from. */
function returnFunds(core: Core, found: number, to: number): void {
  const { follows } = core.copies;
  const account = follows.word(found, FO_ACCOUNT);
  const asset = core.ledger.cellAsset(follows.word(found, FO_CELL));
  const units = spendable(core, account, asset);
  if (units > 0) moveFunds(core, account, to, asset, units);
}
