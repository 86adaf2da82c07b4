// Owns the generic money commands of the business slices: mint, burn, transfer, hold, capture, release.
// Each is idempotent by its reference: a repeat with the same content is answered with the first result, with
// other content it is refused. References are one namespace for the whole machine.

import { A_BOOK, A_FLAGS, ACCOUNT_BLOCK_OUTGOING, AS_EXTERNAL_CELL } from "../ledger/ledger.ts";
import { ENTRY_FINGERPRINT, ENTRY_SEQUENCE, ENTRY_VALUE, TEXT_WORDS } from "../memory/text-index.ts";
import { fingerprint, isPlainText } from "../order/end/client-ids.ts";
import { mayReceive, noteSpent, spendable } from "../perp/margin/spending.ts";
import { EVENTS } from "../protocol/event.ts";
import { BOOKS, BUSINESSES, EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";

const BUSINESS_BYTE = 28;
const REFERENCE_BYTE = 40;
const HOLD_BYTE = 84;
const KIND_REPEATED = EVENTS.repeated.kind;
const KIND_REFERENCE = EVENTS.reference.kind;
const BONUS = BOOKS.indexOf("bonus");
const DEMO = BOOKS.indexOf("demo");
/** What a mint may be: money that came in from outside, or a correction of what was thought to have. */
const FROM_OUTSIDE = [BUSINESSES.indexOf("deposit"), BUSINESSES.indexOf("adjustment")];

/** Scope of the entries that keep what is left of a hold, beside the entry that remembers the command. */
const REFERENCE_SCOPE = 0;
const HOLD_SCOPE = 1;

function isUnits(units: number): boolean {
  return units >= 1 && units <= Number.MAX_SAFE_INTEGER && Math.floor(units) === units;
}

/** Runs a money command once; its function returns 0 or a code with nothing changed. */
export function runMoney(core: Core, account: number, apply: (core: Core, account: number) => number): number {
  const textAt = core.inputAt + (REFERENCE_BYTE >> 2);
  if (core.inputByte(BUSINESS_BYTE) >= BUSINESSES.length) return REJECT.MALFORMED_COMMAND;
  if (!isPlainText(core.inputWords, textAt)) return REJECT.INVALID_REFERENCE;
  if (!core.ledger.isAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  collectOldest(core);
  const print = fingerprint(core, account);
  const known = core.references.find(REFERENCE_SCOPE, core.inputWords, textAt);
  if (known !== 0 && core.now - core.references.time(known) < core.referenceRetentionMs) {
    if (core.references.double(known, ENTRY_FINGERPRINT) !== print) return REJECT.REFERENCE_REUSED;
    const record = core.events.openClean(KIND_REPEATED, core.commandKind, 0, account, core.sequence);
    core.events.f64[(record << 3) | 2] = core.references.double(known, ENTRY_SEQUENCE);
    return 0;
  }
  const code = apply(core, account);
  if (code !== 0) return code;
  remember(core, known, textAt, print);
  const record = core.events.openClean(KIND_REFERENCE, core.commandKind, 0, account, core.sequence);
  for (let i = 0; i < TEXT_WORDS; i++) core.events.i32[(record << 4) | (4 + i)] = core.inputWords[textAt + i] as number;
  return 0;
}

function remember(core: Core, known: number, textAt: number, print: number): void {
  const entry = known !== 0 ? known : core.references.insert(REFERENCE_SCOPE, core.inputWords, textAt, core.now);
  core.references.setTime(entry, core.now);
  core.references.setDouble(entry, ENTRY_FINGERPRINT, print);
  core.references.setDouble(entry, ENTRY_SEQUENCE, core.sequence);
}

/** Forgets up to two references whose time is over; a hold with units left lives on. */
function collectOldest(core: Core): void {
  for (let i = 0; i < 2; i++) {
    const oldest = core.references.oldest();
    if (oldest === 0 || core.now - core.references.time(oldest) < core.referenceRetentionMs) return;
    if (core.references.double(oldest, ENTRY_VALUE) > 0) core.references.renewOldest(core.references.time(oldest));
    else core.references.removeOldest();
  }
}

export function mint(core: Core, account: number): number {
  const asset = core.inputWord(24);
  const units = core.inputDouble(32);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (account === EXTERNAL_ACCOUNT || !mayReceive(core, account, asset)) return REJECT.NOT_TRANSFERABLE;
  if (!FROM_OUTSIDE.includes(core.inputByte(BUSINESS_BYTE))) return REJECT.NOT_FROM_OUTSIDE;
  const room = Number.MAX_SAFE_INTEGER - core.ledger.minted(asset);
  if (units > room) {
    core.checkLimit[0] = room;
    return REJECT.MINT_LIMIT;
  }
  postMove(core, core.ledger.assetWord(asset, AS_EXTERNAL_CELL), core.ledger.cellOf(account, asset), units);
  return 0;
}

export function burn(core: Core, account: number): number {
  const asset = core.inputWord(24);
  const units = core.inputDouble(32);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (account === EXTERNAL_ACCOUNT) return REJECT.NOT_TRANSFERABLE;
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  const cell = core.ledger.cellOf(account, asset);
  if (spendable(core, account, asset) < units)
    return core.refuse(REJECT.INSUFFICIENT_BALANCE, spendable(core, account, asset));
  const own = core.ledger.available(cell);
  postMove(core, cell, core.ledger.assetWord(asset, AS_EXTERNAL_CELL), units);
  noteSpent(core, account, asset, units, own);
  return 0;
}

export function transfer(core: Core, account: number): number {
  const asset = core.inputWord(24);
  const units = core.inputDouble(32);
  const to = core.inputWord(80);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!core.ledger.isAccount(to)) return REJECT.UNKNOWN_ACCOUNT;
  if (account === to || !isMovable(core, account) || !isMovable(core, to)) return REJECT.NOT_TRANSFERABLE;
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  const cell = core.ledger.cellOf(account, asset);
  if (spendable(core, account, asset) < units)
    return core.refuse(REJECT.INSUFFICIENT_BALANCE, spendable(core, account, asset));
  const own = core.ledger.available(cell);
  postMove(core, cell, core.ledger.cellOf(to, asset), units);
  noteSpent(core, account, asset, units, own);
  return 0;
}

export function hold(core: Core, account: number): number {
  const asset = core.inputWord(24);
  const units = core.inputDouble(32);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (account === EXTERNAL_ACCOUNT) return REJECT.NOT_TRANSFERABLE;
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  const textAt = core.inputAt + (REFERENCE_BYTE >> 2);
  const old = core.references.find(HOLD_SCOPE, core.inputWords, textAt);
  if (old !== 0 && isHoldKnown(core, old)) return REJECT.REFERENCE_REUSED;
  const cell = core.ledger.cellOf(account, asset);
  if (spendable(core, account, asset) < units)
    return core.refuse(REJECT.INSUFFICIENT_BALANCE, spendable(core, account, asset));
  const own = core.ledger.available(cell);
  core.ledger.freeze(cell, units);
  noteSpent(core, account, asset, units, own);
  const entry = old !== 0 ? old : core.references.insert(HOLD_SCOPE, core.inputWords, textAt, core.now);
  core.references.setTime(entry, core.now);
  core.references.setDouble(entry, ENTRY_VALUE, units);
  core.references.setDouble(entry, ENTRY_SEQUENCE, core.sequence);
  core.references.setDouble(entry, ENTRY_FINGERPRINT, cell);
  core.emitFrozen(core.inputByte(BUSINESS_BYTE), cell, units, 0);
  return 0;
}

/** A spent hold is known as long as its reference is, whether or not it has been collected since. */
function isHoldKnown(core: Core, entry: number): boolean {
  if (core.references.double(entry, ENTRY_VALUE) > 0) return true;
  return core.now - core.references.time(entry) < core.referenceRetentionMs;
}

/** The entry of the account's hold named at byte 84, or 0. */
function findHold(core: Core, account: number): number {
  const textAt = core.inputAt + (HOLD_BYTE >> 2);
  if (!isPlainText(core.inputWords, textAt)) return 0;
  const entry = core.references.find(HOLD_SCOPE, core.inputWords, textAt);
  if (entry === 0 || !isHoldKnown(core, entry)) return 0;
  return core.ledger.cellAccount(core.references.double(entry, ENTRY_FINGERPRINT)) === account ? entry : 0;
}

export function capture(core: Core, account: number): number {
  const units = core.inputDouble(32);
  const to = core.inputWord(80);
  const entry = findHold(core, account);
  if (entry === 0) return REJECT.UNKNOWN_HOLD;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!core.ledger.isAccount(to)) return REJECT.UNKNOWN_ACCOUNT;
  if (to === account) return REJECT.NOT_TRANSFERABLE;
  const left = core.references.double(entry, ENTRY_VALUE);
  if (units > left) {
    core.checkLimit[0] = left;
    return REJECT.HOLD_EXCEEDED;
  }
  const cell = core.references.double(entry, ENTRY_FINGERPRINT);
  if (!mayReceive(core, to, core.ledger.cellAsset(cell))) return REJECT.NOT_TRANSFERABLE;
  const target = core.ledger.cellOf(to, core.ledger.cellAsset(cell));
  core.references.setDouble(entry, ENTRY_VALUE, left - units);
  core.ledger.moveFrozen(cell, target, units);
  core.emitPosting(core.inputByte(BUSINESS_BYTE), cell, target, -units, 0, 0);
  core.emitPosting(core.inputByte(BUSINESS_BYTE), target, cell, units, 0, 0);
  return 0;
}

export function release(core: Core, account: number): number {
  const entry = findHold(core, account);
  if (entry === 0) return REJECT.UNKNOWN_HOLD;
  const left = core.references.double(entry, ENTRY_VALUE);
  const units = core.inputDouble(32) === 0 ? left : core.inputDouble(32);
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (units > left) {
    core.checkLimit[0] = left;
    return REJECT.HOLD_EXCEEDED;
  }
  const cell = core.references.double(entry, ENTRY_FINGERPRINT);
  core.references.setDouble(entry, ENTRY_VALUE, left - units);
  core.ledger.unfreeze(cell, units);
  core.emitFrozen(BUSINESSES.indexOf("transfer"), cell, -units, 0);
  return 0;
}

/** One entry of two legs under the command's business type. */
function postMove(core: Core, from: number, to: number, units: number): void {
  const business = core.inputByte(BUSINESS_BYTE);
  core.ledger.move(from, to, units);
  core.emitPosting(business, from, to, -units, 0, 0);
  core.emitPosting(business, to, from, units, 0, 0);
}

function isOutgoingBlocked(core: Core, account: number): boolean {
  return (core.ledger.accountWord(account, A_FLAGS) & ACCOUNT_BLOCK_OUTGOING) !== 0;
}

/** Bonus and demo money stays where it is, and the external book only mints and burns. */
function isMovable(core: Core, account: number): boolean {
  const book = core.ledger.accountWord(account, A_BOOK);
  return account !== EXTERNAL_ACCOUNT && book !== BONUS && book !== DEMO;
}

/** Units still under hold by reference, per cell, for the invariants. */
export function heldByReference(core: Core): Map<number, number> {
  const held = new Map<number, number>();
  for (let entry = core.references.oldest(); entry !== 0; entry = core.references.newerThan(entry)) {
    if (core.references.scope(entry) !== HOLD_SCOPE) continue;
    const cell = core.references.double(entry, ENTRY_FINGERPRINT);
    held.set(cell, (held.get(cell) ?? 0) + core.references.double(entry, ENTRY_VALUE));
  }
  return held;
}
