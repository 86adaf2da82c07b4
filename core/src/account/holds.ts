// Owns holds by reference: placing, capturing, releasing, extending, splitting, and their end when time is over. A hold is
// over at its deadline whether or not a tick has come: the core decides the race, the tick gives the units back.
import { assert } from "@clockwork/kit/assert";
import { noteMoved } from "../copy/share/funds.ts";
import { H_BUSINESS, H_CELL, H_ENTRY, H_OUTGOING, H_PLACE, HF_EXPIRES, HF_LEFT } from "../ledger/holds.ts";
import { ENTRY_FINGERPRINT, ENTRY_SEQUENCE, ENTRY_VALUE, TEXT_WORDS } from "../memory/text-index.ts";
import { isPlainText } from "../order/end/client-ids.ts";
import { noteSpent, spendable } from "../perp/margin/spending.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { BUSINESSES, EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import { type Core, DEADLINE_HOLD } from "../state/core.ts";
import { whyNotCommitted } from "./debts.ts";
import { isMovable } from "./moving.ts";
import { HOLD_SCOPE, isUnits } from "./references.ts";
import { checkOutgoing } from "./restrict.ts";

const HOLD = commandPlaces("hold");
const TRANSFER = commandPlaces("transfer");
const CAPTURE = commandPlaces("capture");
const RELEASE = commandPlaces("release");
const EXTEND_HOLD = commandPlaces("extendHold");
const SPLIT_HOLD = commandPlaces("splitHold");

const HOLD_EXPIRED = eventPlaces("holdExpired");

/** Where the content of splitHold ends. */
export const SPLIT_TO_WORD = 42;
const BUSINESS_TRANSFER = BUSINESSES.indexOf("transfer");
/** ENTRY_SEQUENCE of a hold's entry, once its time was over with units left. */
const EXPIRED = 1;

/** In an entry of the hold scope: ENTRY_VALUE is the hold while it is open, ENTRY_FINGERPRINT the cell it froze in. */
export function hold(core: Core, account: number): number {
  const asset = core.readWord(HOLD.asset);
  const units = core.readDouble(HOLD.units);
  const expires = core.readDouble(HOLD.expiresAt);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!isDeadline(core, expires)) return REJECT.INVALID_EXPIRY;
  if (!isMovable(core, account)) return REJECT.NOT_TRANSFERABLE;
  const committed = whyNotCommitted(core, account);
  if (committed !== 0) return committed;
  const textAt = core.textAt(TRANSFER.reference);
  if (isTaken(core, textAt)) return REJECT.REFERENCE_REUSED;
  const cell = core.ledger.cellOf(account, asset);
  if (spendable(core, account, asset) < units)
    return core.refuse(REJECT.INSUFFICIENT_BALANCE, spendable(core, account, asset));
  const code = checkOutgoing(core, account, 0, asset, units);
  if (code !== 0) return code;
  const own = core.ledger.available(cell);
  core.ledger.freeze(cell, units);
  noteSpent(core, account, asset, units, own);
  const made = open(core, textAt, cell, core.readByte(TRANSFER.business), units, expires);
  core.holds.setWord(made, H_OUTGOING, core.readByte(TRANSFER.outgoing) !== 0 ? 1 : 0);
  core.emitFrozen(core.readByte(TRANSFER.business), cell, units, 0);
  return 0;
}

/** A deadline lies ahead, or there is none. */
function isDeadline(core: Core, expires: number): boolean {
  return expires === 0 || (expires > core.now && Number.isSafeInteger(expires));
}

function open(core: Core, textAt: number, cell: number, business: number, units: number, expires: number): number {
  const old = core.references.find(HOLD_SCOPE, core.inputWords, textAt);
  const entry = old !== 0 ? old : core.references.insert(HOLD_SCOPE, core.inputWords, textAt, core.now);
  const made = core.holds.open(cell, entry, business, units);
  core.references.setTime(entry, core.now);
  core.references.setDouble(entry, ENTRY_VALUE, made);
  core.references.setDouble(entry, ENTRY_SEQUENCE, 0);
  core.references.setDouble(entry, ENTRY_FINGERPRINT, cell);
  setDeadline(core, made, expires);
  return made;
}

function setDeadline(core: Core, made: number, expires: number): void {
  core.deadlines.remove(core.holds.word(made, H_PLACE));
  core.holds.setDouble(made, HF_EXPIRES, expires);
  if (expires !== 0) core.deadlines.add(DEADLINE_HOLD, made, expires);
}

/** Whether a hold of that name is known: a spent one as long as its reference is, collected since or not. */
function isTaken(core: Core, textAt: number): boolean {
  const entry = core.references.find(HOLD_SCOPE, core.inputWords, textAt);
  return entry !== 0 && isKnown(core, entry);
}

function isKnown(core: Core, entry: number): boolean {
  if (core.references.double(entry, ENTRY_VALUE) > 0) return true;
  return core.now - core.references.time(entry) < core.rules.referenceRetentionMs;
}

/** The entry of the account's hold whose name is at a word of the input, or 0. */
export function findHold(core: Core, account: number, textAt: number): number {
  if (!isPlainText(core.inputWords, textAt)) return 0;
  const entry = core.references.find(HOLD_SCOPE, core.inputWords, textAt);
  if (entry === 0 || !isKnown(core, entry)) return 0;
  return core.ledger.cellAccount(holdCellOf(core, entry)) === account ? entry : 0;
}

export function holdCellOf(core: Core, entry: number): number {
  return core.references.double(entry, ENTRY_FINGERPRINT);
}

/** Whether its time is over, told by a tick or not yet. */
export function isExpired(core: Core, entry: number): boolean {
  const open = core.references.double(entry, ENTRY_VALUE);
  if (open === 0) return core.references.double(entry, ENTRY_SEQUENCE) === EXPIRED;
  const expires = core.holds.double(open, HF_EXPIRES);
  return expires !== 0 && expires <= core.now;
}

/** Whether the units of an open hold are on their way out. */
export function isLeaving(core: Core, entry: number): boolean {
  return core.holds.word(core.references.double(entry, ENTRY_VALUE), H_OUTGOING) !== 0;
}

/** Units left of a hold by its entry; 0 once it is over. */
export function leftOf(core: Core, entry: number): number {
  const open = core.references.double(entry, ENTRY_VALUE);
  return open === 0 ? 0 : core.holds.double(open, HF_LEFT);
}

/** Takes units off a hold; the caller has moved them. */
export function shrinkHold(core: Core, entry: number, units: number): void {
  const open = core.references.double(entry, ENTRY_VALUE);
  const left = core.holds.double(open, HF_LEFT) - units;
  assert(open !== 0 && units > 0 && left >= 0, "LEDGER-31", "more leaves a hold than is left of it");
  core.holds.setDouble(open, HF_LEFT, left);
  if (left !== 0) return;
  core.deadlines.remove(core.holds.word(open, H_PLACE));
  core.holds.close(open);
  core.references.setDouble(entry, ENTRY_VALUE, 0);
}

export function capture(core: Core, account: number): number {
  const units = core.readDouble(CAPTURE.units);
  const to = core.readWord(CAPTURE.to);
  const entry = findHold(core, account, core.textAt(CAPTURE.hold));
  if (entry === 0) return REJECT.UNKNOWN_HOLD;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!core.ledger.isAccount(to)) return REJECT.UNKNOWN_ACCOUNT;
  if (to === account || (to !== EXTERNAL_ACCOUNT && !isMovable(core, to))) return REJECT.NOT_TRANSFERABLE;
  if (isExpired(core, entry)) return REJECT.HOLD_EXPIRED;
  const left = leftOf(core, entry);
  if (units > left) return core.refuse(REJECT.HOLD_EXCEEDED, left);
  const cell = holdCellOf(core, entry);
  moveHeld(core, entry, core.ledger.cellOf(to, core.ledger.cellAsset(cell)), units, core.readByte(TRANSFER.business));
  return 0;
}

/** Takes held units to another cell, as one entry of two legs. */
export function moveHeld(core: Core, entry: number, target: number, units: number, business: number): void {
  const cell = holdCellOf(core, entry);
  shrinkHold(core, entry, units);
  core.ledger.moveFrozen(cell, target, units);
  core.emitPosting(business, cell, target, -units, 0, 0);
  core.emitPosting(business, target, cell, units, 0, 0);
  noteMoved(core, cell, 0 - units);
  noteMoved(core, target, units);
}

export function release(core: Core, account: number): number {
  const entry = findHold(core, account, core.textAt(CAPTURE.hold));
  if (entry === 0) return REJECT.UNKNOWN_HOLD;
  const left = leftOf(core, entry);
  const units = core.readDouble(RELEASE.units) === 0 ? left : core.readDouble(RELEASE.units);
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (units > left) return core.refuse(REJECT.HOLD_EXCEEDED, left);
  const cell = holdCellOf(core, entry);
  shrinkHold(core, entry, units);
  core.ledger.unfreeze(cell, units);
  core.emitFrozen(BUSINESS_TRANSFER, cell, -units, 0);
  return 0;
}

/** Gives a hold a later deadline, or none at all. */
export function extendHold(core: Core, account: number): number {
  const expires = core.readDouble(EXTEND_HOLD.expiresAt);
  const entry = findHold(core, account, core.textAt(CAPTURE.hold));
  if (entry === 0) return REJECT.UNKNOWN_HOLD;
  if (isExpired(core, entry)) return REJECT.HOLD_EXPIRED;
  const open = core.references.double(entry, ENTRY_VALUE);
  if (open === 0) return core.refuse(REJECT.HOLD_EXCEEDED, 0);
  const before = core.holds.double(open, HF_EXPIRES);
  const isLater = expires === 0 || (before !== 0 && expires >= before);
  if (!isDeadline(core, expires) || !isLater) return core.refuse(REJECT.INVALID_EXPIRY, before);
  setDeadline(core, open, expires);
  return 0;
}

/** Makes two holds of one: so many units go on under a name of their own, with the same deadline. */
export function splitHold(core: Core, account: number): number {
  const units = core.readDouble(SPLIT_HOLD.units);
  const intoAt = core.textAt(SPLIT_HOLD.into);
  const entry = findHold(core, account, core.textAt(CAPTURE.hold));
  if (entry === 0) return REJECT.UNKNOWN_HOLD;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!isPlainText(core.inputWords, intoAt)) return REJECT.INVALID_REFERENCE;
  if (isTaken(core, intoAt)) return REJECT.REFERENCE_REUSED;
  if (isExpired(core, entry)) return REJECT.HOLD_EXPIRED;
  const left = leftOf(core, entry);
  if (units > left) return core.refuse(REJECT.HOLD_EXCEEDED, left);
  const from = core.references.double(entry, ENTRY_VALUE);
  const business = core.holds.word(from, H_BUSINESS);
  const outgoing = core.holds.word(from, H_OUTGOING);
  const expires = core.holds.double(from, HF_EXPIRES);
  shrinkHold(core, entry, units);
  const made = open(core, intoAt, holdCellOf(core, entry), business, units, expires);
  core.holds.setWord(made, H_OUTGOING, outgoing);
  return 0;
}

/** The time of a hold is over: what is left goes back. */
export function expireHold(core: Core, made: number): void {
  const entry = core.holds.word(made, H_ENTRY);
  const cell = core.holds.word(made, H_CELL);
  const units = core.holds.double(made, HF_LEFT);
  const business = core.holds.word(made, H_BUSINESS);
  shrinkHold(core, entry, units);
  core.references.setDouble(entry, ENTRY_SEQUENCE, EXPIRED);
  core.ledger.unfreeze(cell, units);
  core.emitFrozen(business, cell, -units, 0);
  const account = core.ledger.cellAccount(cell);
  const asset = core.ledger.cellAsset(cell);
  const record = core.events.openClean(HOLD_EXPIRED.kind, business, asset, account, core.sequence);
  core.events.setDouble(record, HOLD_EXPIRED.units, units);
  const from = core.references.textAt(entry);
  core.events.setWords(record, HOLD_EXPIRED.hold, core.references.entries.i32, from, TEXT_WORDS);
}

/** Units still under hold by reference, per cell, for the invariants. */
export function heldByReference(core: Core): Map<number, number> {
  const held = new Map<number, number>();
  for (let account = 1; account < core.ledger.accounts.count; account++) {
    for (const made of core.holds.of(account)) {
      const cell = core.holds.word(made, H_CELL);
      held.set(cell, (held.get(cell) ?? 0) + core.holds.double(made, HF_LEFT));
    }
  }
  return held;
}
