// Owns restrictions: so much of a user's worth must stay, until a time or until it is lifted by its reference. Asked by
// every command that says it takes money out; never by trading.

import { A_OWNER, U_RESTRICTIONS, U_USER } from "../ledger/ledger.ts";
import { R_ENTRY, R_NEXT, R_OWNER, R_PLACE, RF_UNITS, RF_UNTIL } from "../ledger/restrictions.ts";
import { ENTRY_VALUE, TEXT_WORDS } from "../memory/text-index.ts";
import { isPlainText } from "../order/end/client-ids.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { RESTRICTION_ENDS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import { type Core, DEADLINE_RESTRICTION } from "../state/core.ts";
import { isUnits } from "./references.ts";
import { isPriced, worthCeil, worthOfUser } from "./worth.ts";

const RESTRICT = commandPlaces("restrict");
const TRANSFER = commandPlaces("transfer");
const UNRESTRICT = commandPlaces("unrestrict");

const REFERENCE = eventPlaces("reference");
const RESTRICTED = eventPlaces("restricted");
const RESTRICTION_ENDED = eventPlaces("restrictionEnded");

const RESTRICTION_SCOPE = 2;
const LIFTED = RESTRICTION_ENDS.indexOf("lifted");
const EXPIRED = RESTRICTION_ENDS.indexOf("expired");

export function restrict(core: Core): number {
  const user = core.readWord(RESTRICT.user);
  const units = core.readDouble(RESTRICT.units);
  const until = core.readDouble(RESTRICT.until);
  if (user <= 0) return REJECT.MALFORMED_COMMAND;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (until !== 0 && !(until > core.now && Number.isSafeInteger(until))) return REJECT.INVALID_EXPIRY;
  const owner = core.ledger.ownerOf(user);
  if (restrictedOf(core, owner) + BigInt(units) > BigInt(Number.MAX_SAFE_INTEGER)) return REJECT.INVALID_AMOUNT;
  const textAt = core.textAt(TRANSFER.reference);
  const old = core.references.find(RESTRICTION_SCOPE, core.inputWords, textAt);
  if (old !== 0 && core.references.double(old, ENTRY_VALUE) > 0) return REJECT.REFERENCE_REUSED;
  const entry = old !== 0 ? old : core.references.insert(RESTRICTION_SCOPE, core.inputWords, textAt, core.now);
  core.references.setTime(entry, core.now);
  const made = core.restrictions.open(owner, entry, units, until);
  core.references.setDouble(entry, ENTRY_VALUE, made);
  if (until !== 0) core.deadlines.add(DEADLINE_RESTRICTION, made, until);
  emitRestricted(core, owner, units, until);
  return 0;
}

/** Lifts a restriction by its reference, in part or whole. */
export function unrestrict(core: Core): number {
  const textAt = core.textAt(UNRESTRICT.restriction);
  if (!isPlainText(core.inputWords, textAt)) return REJECT.UNKNOWN_RESTRICTION;
  const entry = core.references.find(RESTRICTION_SCOPE, core.inputWords, textAt);
  const made = entry === 0 ? 0 : core.references.double(entry, ENTRY_VALUE);
  if (made === 0) return REJECT.UNKNOWN_RESTRICTION;
  const left = core.restrictions.double(made, RF_UNITS);
  const units = core.readDouble(UNRESTRICT.units) === 0 ? left : core.readDouble(UNRESTRICT.units);
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (units > left) return core.refuse(REJECT.INVALID_AMOUNT, left);
  lift(core, made, units, LIFTED);
  return 0;
}

function lift(core: Core, made: number, units: number, reason: number): void {
  const owner = core.restrictions.word(made, R_OWNER);
  const entry = core.restrictions.word(made, R_ENTRY);
  const left = core.restrictions.double(made, RF_UNITS) - units;
  core.restrictions.setDouble(made, RF_UNITS, left);
  if (left === 0) {
    core.deadlines.remove(core.restrictions.word(made, R_PLACE));
    core.restrictions.close(made);
    core.references.setDouble(entry, ENTRY_VALUE, 0);
  }
  const ended = core.events.openClean(RESTRICTION_ENDED.kind, reason, 0, 0, core.sequence);
  core.events.setWord(ended, RESTRICTION_ENDED.user, core.ledger.ownerWord(owner, U_USER));
  core.events.setDouble(ended, RESTRICTION_ENDED.units, units);
  core.events.setDouble(ended, RESTRICTION_ENDED.totalUnits, Number(restrictedOf(core, owner)));
  const record = core.events.openClean(REFERENCE.kind, core.commandKind, 0, 0, core.sequence);
  const from = core.references.textAt(entry);
  core.events.setWords(record, REFERENCE.reference, core.references.entries.i32, from, TEXT_WORDS);
}

export function expireRestriction(core: Core, made: number): void {
  lift(core, made, core.restrictions.double(made, RF_UNITS), EXPIRED);
}

function emitRestricted(core: Core, owner: number, units: number, until: number): void {
  const record = core.events.openClean(RESTRICTED.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, RESTRICTED.user, core.ledger.ownerWord(owner, U_USER));
  core.events.setDouble(record, RESTRICTED.units, units);
  core.events.setDouble(record, RESTRICTED.totalUnits, Number(restrictedOf(core, owner)));
  core.events.setDouble(record, RESTRICTED.until, until);
}

/** USDT units that must stay; what is over counts no more, whether or not a tick has come. */
export function restrictedOf(core: Core, owner: number): bigint {
  let sum = 0n;
  for (
    let made = core.ledger.ownerWord(owner, U_RESTRICTIONS);
    made !== 0;
    made = core.restrictions.word(made, R_NEXT)
  ) {
    const until = core.restrictions.double(made, RF_UNTIL);
    if (until === 0 || until > core.now) sum += BigInt(core.restrictions.double(made, RF_UNITS));
  }
  return sum;
}

/** The worth each user has been let go by earlier legs of the command at hand. */
export type Leaving = Map<number, bigint>;

/** 0 when units may leave an account for another owner, or the code that says how much may; 0 is the outside. */
export function checkLeaving(
  core: Core,
  leaving: Leaving,
  account: number,
  to: number,
  asset: number,
  units: number,
): number {
  const { ledger } = core;
  const owner = ledger.accountWord(account, A_OWNER);
  if (owner === 0 || (to !== 0 && ledger.accountWord(to, A_OWNER) === owner)) return 0;
  const restricted = restrictedOf(core, owner);
  if (restricted === 0n) return 0;
  if (!isPriced(core, asset)) return REJECT.NO_REFERENCE_PRICE;
  const free = worthOfUser(core, owner) - restricted - (leaving.get(owner) ?? 0n);
  const worth = worthCeil(core, asset, units);
  if (worth > free) return core.refuse(REJECT.RESTRICTED, free < 0n ? 0 : Number(free));
  leaving.set(owner, (leaving.get(owner) ?? 0n) + worth);
  return 0;
}

/** The same for a command that moves once: asked only when it says that money goes out. */
export function checkOutgoing(core: Core, account: number, to: number, asset: number, units: number): number {
  return core.readByte(TRANSFER.outgoing) === 0 ? 0 : checkLeaving(core, new Map(), account, to, asset, units);
}
