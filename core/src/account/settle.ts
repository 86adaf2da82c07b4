// Owns settlements: up to eight movements that happen together or not at all, each from what is free or from a hold.
// Nothing is changed until every leg is known to pass.
import { A_OWNER } from "../ledger/ledger.ts";
import { noteSpent, spendable } from "../perp/margin/spending.ts";
import { COMMANDS, commandPlaces } from "../protocol/command.ts";
import { placesOf } from "../protocol/layout.ts";
import { BUSINESSES, EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { checkIndebted, owes } from "./debts.ts";
import { findHold, holdCellOf, isExpired, isLeaving, leftOf, moveHeld } from "./holds.ts";
import { isMovable, isOutgoingBlocked, postMove } from "./moving.ts";
import { isUnits } from "./references.ts";
import { checkLeaving, type Leaving } from "./restrict.ts";

const TRANSFER = commandPlaces("transfer");
const SETTLE = commandPlaces("settle");

const { legs: LEGS } = COMMANDS.settle.layout;
const LEG = placesOf(LEGS.layout);
/** Where the content of a settlement ends. */
export const SETTLE_TO_WORD = (LEGS.from + LEGS.countMax * LEGS.stride) >> 2;

interface Leg {
  readonly from: number;
  readonly to: number;
  readonly asset: number;
  readonly business: number;
  readonly units: number;
  /** Word of the hold's name in the input, 0 for none. */
  readonly holdAt: number;
  /** The hold's entry, once it is found. */
  entry: number;
}

function readLeg(core: Core, i: number): Leg {
  const at = LEGS.from + i * LEGS.stride;
  return {
    from: core.readWord((at >> 2) + LEG.from),
    to: core.readWord((at >> 2) + LEG.to),
    asset: core.readWord((at >> 2) + LEG.asset),
    business: core.readByte(at + LEG.business),
    units: core.readDouble((at >> 3) + LEG.units),
    holdAt: core.readByte(at + LEG.hold) === 0 ? 0 : core.textAt(at + LEG.hold),
    entry: 0,
  };
}

export function settle(core: Core): number {
  const count = core.readByte(SETTLE.legs);
  if (count < 1 || count > LEGS.countMax) return REJECT.MALFORMED_COMMAND;
  const legs: Leg[] = [];
  const leaving: Leaving | undefined = core.readByte(TRANSFER.outgoing) === 0 ? undefined : new Map();
  for (let i = 0; i < count; i++) {
    const leg = readLeg(core, i);
    const code = checkAccounts(core, leg) || checkUnits(core, leg, legs) || checkOwner(core, leg, leaving);
    if (code !== 0) {
      // The refusal names the leg.
      core.item = i;
      return code;
    }
    legs.push(leg);
  }
  const code = checkDebts(core, legs);
  if (code !== 0) return code;
  for (const leg of legs) apply(core, leg);
  return 0;
}

/** Nothing free leaves a user who owes, unless the settlement brings him a coin he owes. What was held before is promised. */
function checkDebts(core: Core, legs: readonly Leg[]): number {
  const { ledger } = core;
  const isRepaid = ({ from }: Leg): boolean =>
    legs.some(
      ({ to, asset }) =>
        ledger.accountWord(to, A_OWNER) === ledger.accountWord(from, A_OWNER) && owes(core, from, asset),
    );
  for (const [i, leg] of legs.entries()) {
    const to = leg.to === EXTERNAL_ACCOUNT ? 0 : leg.to;
    const code = leg.entry !== 0 ? 0 : checkIndebted(core, leg.from, to, leg.business);
    if (code === 0 || isRepaid(leg)) continue;
    core.item = i;
    return code;
  }
  return 0;
}

function checkAccounts(core: Core, leg: Leg): number {
  const { ledger } = core;
  if (leg.business >= BUSINESSES.length) return REJECT.MALFORMED_COMMAND;
  if (!ledger.isAccount(leg.from) || !ledger.isAccount(leg.to)) return REJECT.UNKNOWN_ACCOUNT;
  if (!ledger.isAsset(leg.asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(leg.units)) return REJECT.INVALID_AMOUNT;
  const leaves = leg.to === EXTERNAL_ACCOUNT;
  if (leg.from === leg.to || !isMovable(core, leg.from) || (!leaves && !isMovable(core, leg.to)))
    return REJECT.NOT_TRANSFERABLE;
  return 0;
}

function checkUnits(core: Core, leg: Leg, before: readonly Leg[]): number {
  return leg.holdAt !== 0 ? checkHold(core, leg, before) : checkFree(core, leg, before);
}

/** What leaves its owner was asked for when it was held to leave, or is asked for now. */
function checkOwner(core: Core, leg: Leg, leaving: Leaving | undefined): number {
  if (leaving === undefined || (leg.entry !== 0 && isLeaving(core, leg.entry))) return 0;
  return checkLeaving(core, leaving, leg.from, leg.to, leg.asset, leg.units);
}

function checkHold(core: Core, leg: Leg, before: readonly Leg[]): number {
  leg.entry = findHold(core, leg.from, leg.holdAt);
  if (leg.entry === 0 || core.ledger.cellAsset(holdCellOf(core, leg.entry)) !== leg.asset) return REJECT.UNKNOWN_HOLD;
  if (isExpired(core, leg.entry)) return REJECT.HOLD_EXPIRED;
  let left = leftOf(core, leg.entry);
  for (const { entry, units } of before) if (entry === leg.entry) left -= units;
  return leg.units > left ? core.refuse(REJECT.HOLD_EXCEEDED, left) : 0;
}

function checkFree(core: Core, leg: Leg, before: readonly Leg[]): number {
  if (isOutgoingBlocked(core, leg.from)) return REJECT.ACCOUNT_BLOCKED;
  let free = spendable(core, leg.from, leg.asset);
  // What comes in by an earlier leg may go on, but not where margin asks for it: only a posting can tell how much.
  const passesOn = core.perps.marginAccountIndex.find(leg.from, leg.asset) === 0;
  for (const other of before) {
    if (other.asset !== leg.asset) continue;
    if (other.from === leg.from && other.entry === 0) free -= other.units;
    if (other.to === leg.from && passesOn) free += other.units;
  }
  return leg.units > free ? core.refuse(REJECT.INSUFFICIENT_BALANCE, Math.max(0, free)) : 0;
}

function apply(core: Core, leg: Leg): void {
  const { ledger } = core;
  const target = ledger.cellOf(leg.to, leg.asset);
  if (leg.entry !== 0) {
    moveHeld(core, leg.entry, target, leg.units, leg.business);
    return;
  }
  const cell = ledger.cellOf(leg.from, leg.asset);
  const own = ledger.available(cell);
  postMove(core, cell, target, leg.units, leg.business);
  noteSpent(core, leg.from, leg.asset, leg.units, own);
}
