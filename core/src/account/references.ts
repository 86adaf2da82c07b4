// Owns idempotency of money commands: each runs once by its reference. A repeat with the same content is answered with
// the first result, with other content it is refused. References are one namespace for the whole machine.
import { ENTRY_FINGERPRINT, ENTRY_SEQUENCE, ENTRY_VALUE, TEXT_WORDS } from "../memory/text-index.ts";
import { fingerprint, isPlainText } from "../order/end/client-ids.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { BUSINESSES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";

const TRANSFER = commandPlaces("transfer");

const REPEAT = eventPlaces("repeated");

const REFERENCE = eventPlaces("reference");

const REFERENCE_SCOPE = 0;
/** Scope of the entries that know a hold by its reference, beside the entry that remembers the command. */
export const HOLD_SCOPE = 1;

const REPEATED = -1;

type Apply = (core: Core, account: number) => number;

export function isUnits(units: number): boolean {
  return units >= 1 && units <= Number.MAX_SAFE_INTEGER && Math.floor(units) === units;
}

/** Runs a money command of an account once; its function returns 0 or a code with nothing changed. */
export function runMoney(core: Core, account: number, apply: Apply, toWord?: number): number {
  const code = checkReference(core);
  if (code !== 0) return code;
  return core.ledger.isAccount(account) ? runOnce(core, account, apply, toWord) : REJECT.UNKNOWN_ACCOUNT;
}

/** The same for a command that names its accounts itself; `toWord` is where its content ends. */
export function runReferenced(core: Core, apply: (core: Core) => number, toWord?: number): number {
  const code = checkReference(core);
  return code !== 0 ? code : runOnce(core, 0, apply, toWord);
}

/**
 * Runs a trader's command once by the reference at a byte, and as often as it comes where there is none. No event names
 * the reference: what a close posts stands on the other side's bills too.
 */
export function runNamed(core: Core, account: number, referenceByte: number, apply: Apply): number {
  const textAt = core.inputAt + (referenceByte >> 2);
  if (core.inputWords[textAt] === 0) return apply(core, account);
  if (!isPlainText(core.inputWords, textAt)) return REJECT.INVALID_REFERENCE;
  const code = applyOnce(core, account, textAt, apply);
  return code === REPEATED ? 0 : code;
}

function checkReference(core: Core): number {
  if (core.readByte(TRANSFER.business) >= BUSINESSES.length) return REJECT.MALFORMED_COMMAND;
  return isPlainText(core.inputWords, core.textAt(TRANSFER.reference)) ? 0 : REJECT.INVALID_REFERENCE;
}

function runOnce(core: Core, account: number, apply: Apply, toWord?: number): number {
  const textAt = core.textAt(TRANSFER.reference);
  const code = applyOnce(core, account, textAt, apply, toWord);
  if (code === 0) emitReference(core, account, textAt);
  return code === REPEATED ? 0 : code;
}

/** 0 when it ran, a code when it was refused, else it was a repeat and has been answered. */
function applyOnce(core: Core, account: number, textAt: number, apply: Apply, toWord?: number): number {
  collectOldest(core);
  const print = fingerprint(core, account, toWord);
  const known = core.references.find(REFERENCE_SCOPE, core.inputWords, textAt);
  if (known !== 0 && core.now - core.references.time(known) < core.rules.referenceRetentionMs) {
    if (core.references.double(known, ENTRY_FINGERPRINT) !== print) return REJECT.REFERENCE_REUSED;
    const record = core.events.openClean(REPEAT.kind, core.commandKind, 0, account, core.sequence);
    core.events.setDouble(record, REPEAT.firstSequence, core.references.double(known, ENTRY_SEQUENCE));
    return REPEATED;
  }
  const code = apply(core, account);
  if (code !== 0) return code;
  remember(core, known, textAt, print);
  return 0;
}

function emitReference(core: Core, account: number, textAt: number): void {
  const record = core.events.openClean(REFERENCE.kind, core.commandKind, 0, account, core.sequence);
  core.events.setWords(record, REFERENCE.reference, core.inputWords, textAt, TEXT_WORDS);
}

function remember(core: Core, known: number, textAt: number, print: number): void {
  const entry = known !== 0 ? known : core.references.insert(REFERENCE_SCOPE, core.inputWords, textAt, core.now);
  core.references.setTime(entry, core.now);
  core.references.setDouble(entry, ENTRY_FINGERPRINT, print);
  core.references.setDouble(entry, ENTRY_SEQUENCE, core.sequence);
}

/** Forgets up to two references whose time is over; one that still stands for something lives on. */
function collectOldest(core: Core): void {
  for (let i = 0; i < 2; i++) {
    const oldest = core.references.oldest();
    if (oldest === 0 || core.now - core.references.time(oldest) < core.rules.referenceRetentionMs) return;
    if (core.references.double(oldest, ENTRY_VALUE) > 0) core.references.renewOldest(core.references.time(oldest));
    else core.references.removeOldest();
  }
}
