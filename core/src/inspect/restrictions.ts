// Owns reading what of a user's worth must stay and what may leave, in USDT units. Changes nothing.
import { restrictedOf } from "../account/restrict.ts";
import { worthOfUser } from "../account/worth.ts";
import { coreOf } from "../machine/machine.ts";
import type { Machine } from "../protocol/contract.ts";

export interface Restriction {
  readonly worthUnits: bigint;
  readonly restrictedUnits: bigint;
  readonly freeUnits: bigint;
}

/** Nothing of a user the core has never heard of. */
export function readRestriction(machine: Machine, user: number): Restriction {
  const core = coreOf(machine);
  const owner = core.ledger.userIndex.find(user, 0);
  const worthUnits = owner === 0 ? 0n : worthOfUser(core, owner);
  const restrictedUnits = owner === 0 ? 0n : restrictedOf(core, owner);
  const free = worthUnits - restrictedUnits;
  return { worthUnits, restrictedUnits, freeUnits: free > 0n ? free : 0n };
}
