// Owns restrictions: so much of a user's worth must stay, until a time or until it is lifted by its reference. Asked by
// every command that says it takes money out; never by trading.
import { A_OWNER, U_RESTRICTIONS, U_USER } from "../ledger/ledger.ts";
import { R_ENTRY, R_NEXT, R_OWNER, R_PLACE, RF_UNITS, RF_UNTIL } from "../ledger/restrictions.ts";
import { ENTRY_VALUE, TEXT_WORDS } from "../memory/text-index.ts";
import { isPlainText } from "../order/end/client-ids.ts";
import { EVENTS } from "../protocol/event.ts";
import { RESTRICTION_ENDS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import { type Core, DEADLINE_RESTRICTION } from "../state/core.ts";
import { isUnits, REFERENCE_BYTE } from "./references.ts";
import { isPriced, worthCeil, worthOfUser } from "./worth.ts";

const RESTRICTION_SCOPE = 2;
const RESTRICTION_BYTE = 84;
/** Of the commands that may take money out of the exchange or to somebody else. */
export const OUTGOING_BYTE = 29;
const LIFTED = RESTRICTION_ENDS.indexOf("lifted");
const EXPIRED = RESTRICTION_ENDS.indexOf("expired");

export function restrict(core: Core): number {
  const user = core.inputWord(24);
  const units = core.inputDouble(32);
  const until = core.inputDouble(80);
  if (user <= 0) return REJECT.MALFORMED_COMMAND;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (until !== 0 && !(until > core.now && Number.isSafeInteger(until))) return REJECT.INVALID_EXPIRY;
  const owner = core.ledger.ownerOf(user);
  if (restrictedOf(core, owner) + BigInt(units) > BigInt(Number.MAX_SAFE_INTEGER)) return REJECT.INVALID_AMOUNT;
  const textAt = core.inputAt + (REFERENCE_BYTE >> 2);
  const old = core.references.find(RESTRICTION_SCOPE, core.inputWords, textAt);
  if (old !== 0 && core.references.double(old, ENTRY_VALUE) > 0) return REJECT.REFERENCE_REUSED;
  const entry = old !== 0 ? old : core.references.insert(RESTRICTION_SCOPE, core.inputWords, textAt, core.now);
  core.references.setTime(entry, core.now);
  const made = core.restrictions.open(owner, entry, units, until);
  core.references.setDouble(entry, ENTRY_VALUE, made);
  if (until !== 0) core.deadlines.add(DEADLINE_RESTRICTION, made, until);
  emit(core, EVENTS.restricted.kind, 0, owner, units, until);
  return 0;
}

/** Lifts a restriction by its reference, in part or whole. */
export function unrestrict(core: Core): number {
  const textAt = core.inputAt + (RESTRICTION_BYTE >> 2);
  if (!isPlainText(core.inputWords, textAt)) return REJECT.UNKNOWN_RESTRICTION;
  const entry = core.references.find(RESTRICTION_SCOPE, core.inputWords, textAt);
  const made = entry === 0 ? 0 : core.references.double(entry, ENTRY_VALUE);
  if (made === 0) return REJECT.UNKNOWN_RESTRICTION;
  const left = core.restrictions.double(made, RF_UNITS);
  const units = core.inputDouble(32) === 0 ? left : core.inputDouble(32);
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
  emit(core, EVENTS.restrictionEnded.kind, reason, owner, units, 0);
  const record = core.events.openClean(EVENTS.reference.kind, core.commandKind, 0, 0, core.sequence);
  const from = core.references.textAt(entry);
  for (let i = 0; i < TEXT_WORDS; i++)
    core.events.i32[(record << 4) | (4 + i)] = core.references.entries.i32[from + i] as number;
}

export function expireRestriction(core: Core, made: number): void {
  lift(core, made, core.restrictions.double(made, RF_UNITS), EXPIRED);
}

function emit(core: Core, kind: number, sub: number, owner: number, units: number, until: number): void {
  const record = core.events.openClean(kind, sub, 0, 0, core.sequence);
  core.events.i32[(record << 4) | 4] = core.ledger.ownerWord(owner, U_USER);
  core.events.f64[(record << 3) | 3] = units;
  core.events.f64[(record << 3) | 4] = Number(restrictedOf(core, owner));
  core.events.f64[(record << 3) | 5] = until;
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
  return core.inputByte(OUTGOING_BYTE) === 0 ? 0 : checkLeaving(core, new Map(), account, to, asset, units);
}
